"""The commands about the database."""

import asyncio

import click

from bot.settings import read_settings


@click.group("db")
def database() -> None:
    """Look after the database."""


@database.command()
def upgrade() -> int:
    """Bring the database's tables up to date; every start does this too."""
    asyncio.run(_upgraded())
    click.echo("The database is up to date.")
    return 0


async def _upgraded() -> None:
    from bot.wiring import library

    async with library(read_settings()):
        return
