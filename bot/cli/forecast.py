"""`panelist forecast FORMAT …`: what a panel would take, before anybody pays for it."""

import json
from typing import TYPE_CHECKING, Any

import click

from bot.cli.start import about_to_start
from bot.core.options import COMMANDS, FormatName

if TYPE_CHECKING:
    from bot.cli.live import Command


async def _forecast(command: "Command", format_name: FormatName, words: Any, options: dict[str, Any]) -> int:
    from bot.cli.live import HERE, person, standard_input
    from bot.core.records.card_of import forecast_line
    from bot.wiring import command_reach, house

    settings = command.settings()
    async with house(settings, view=command.view(), strict=True, drives=False) as it:
        reach = command_reach(settings)
        words, sources = standard_input(words)
        opened = await it.starts.opened(format_name, words, options, person(settings), HERE, reach, sources=sources)
    if command.as_json:
        click.echo(json.dumps(opened.forecast.model_dump() if opened.forecast else None, indent=2))
        return 0
    click.echo(forecast_line(opened.forecast) or "no forecast: nothing is known of this panel's cost")
    for seat in opened.seats:
        if seat.included:
            click.echo(f"  {seat.persona.name}  {seat.model}")
    return 0


forecast = click.Group(
    "forecast",
    help="Say what a panel would take: turns, words, minutes, dollars. Nothing is started.",
    commands={
        word: about_to_start(format_name, word, "words", f"Forecast a {format_name}.", _forecast)
        for word, format_name in COMMANDS.items()
    },
)
