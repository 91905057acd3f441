"""Answers to whoever pressed or chose something: seen by them alone."""

import logging
from collections.abc import Awaitable

import discord

from adapters.discord.asking import Reply, uploads
from adapters.discord.buttons import who_select
from adapters.discord.desk_modal import DeskModal, fits
from adapters.discord.faults import told
from adapters.discord.receipts import pieces
from bot.core.errors import PlatformError

log = logging.getLogger("panelist.discord")

NOTHING = "Done."


def choices_view(reply: Reply) -> discord.ui.View:
    """The reply's buttons; they answer by their ids, also after a restart."""
    view = discord.ui.View(timeout=None)
    for choice in reply.choices:
        view.add_item(discord.ui.Button(label=choice.label, custom_id=choice.custom_id))
    if reply.who:
        view.add_item(who_select(reply.token, reply.who))
    view.stop()
    return view


def _asks(reply: Reply) -> bool:
    return bool(reply.choices or reply.who)


async def first(response: Awaitable[object]) -> bool:
    """Give the first response, which Discord wants within three seconds. False where it is too late already."""
    try:
        async with told("answering in time", 3.0):
            await response
    except PlatformError as fault:
        log.warning("too late to answer: %s", fault)
        return False
    return True


async def acknowledged(interaction: discord.Interaction) -> bool:
    """Show at once that it was heard. False where it is too late already:

    then its author saw an error, will do it again, and it must not be done twice.
    """
    return await first(interaction.response.defer(ephemeral=True, thinking=True))


async def answer(interaction: discord.Interaction, reply: Reply) -> None:
    """Show the reply to whoever asked; after `acknowledged`. Its token is good for a quarter of an hour."""
    first, *rest = pieces(reply.text or NOTHING) or [NOTHING]
    nobody = discord.AllowedMentions.none()
    try:
        async with told("answering"):
            await interaction.edit_original_response(
                content=first,
                view=choices_view(reply) if _asks(reply) and not rest else None,
                attachments=uploads(reply.files),
                allowed_mentions=nobody,
            )
            for number, piece in enumerate(rest, 1):
                last = _asks(reply) and number == len(rest)
                view = choices_view(reply) if last else discord.ui.View(timeout=0)
                await interaction.followup.send(
                    piece, ephemeral=True, allowed_mentions=nobody, suppress_embeds=True, view=view
                )
    except PlatformError as fault:
        log.info("answer not shown: %s", fault)


async def opened(interaction: discord.Interaction, reply: Reply) -> bool:
    """Open the reply's form, where it has one that Discord can show. False where nothing was answered yet."""
    if reply.form is None or not fits(reply.form):
        return False
    return await first(interaction.response.send_modal(DeskModal(reply.form)))
