"""The desk's forms as Discord's: at most five fields of at most 4,000 characters.

https://docs.discord.com/developers/components/reference#text-input
"""

import discord

from adapters.discord.client import Pressed
from bot.core.desk.answer import DeskForm, FormField

FIELDS_MOST, INPUT_MOST = 5, 4000
SECONDS = 900.0
"""How long a form waits for being sent in."""


def fits(form: DeskForm) -> bool:
    """True where Discord can show the form."""
    inputs = _inputs(form)
    return len(inputs) <= FIELDS_MOST and all(len(value) <= INPUT_MOST for _, value, _ in inputs)


class DeskModal(discord.ui.Modal):
    """A form of the desk."""

    def __init__(self, form: DeskForm) -> None:
        super().__init__(title=form.title[:45], timeout=SECONDS)
        self._form = form
        self._inputs: list[tuple[str, discord.ui.TextInput[DeskModal]]] = []
        for field, value, number in _inputs(form):
            long = field.kind == "text"
            box: discord.ui.TextInput[DeskModal] = discord.ui.TextInput(
                style=discord.TextStyle.paragraph if long else discord.TextStyle.short,
                default=value or None,
                required=not field.optional and number == 0,
                max_length=INPUT_MOST,
            )
            text = field.label if number == 0 else f"{field.label} (more)"
            self.add_item(discord.ui.Label(text=text[:45], description=field.help[:100] or None, component=box))
            self._inputs.append((field.key, box))

    async def on_submit(self, interaction: Pressed, /) -> None:  # type: ignore[override]
        values: dict[str, str] = {}
        for key, box in self._inputs:
            values[key] = f"{values[key]}\n{box.value}".rstrip("\n") if key in values else box.value
        if interaction.client.surface:
            await interaction.client.surface.desk_form(interaction, self._form.key, values)


def _inputs(form: DeskForm) -> list[tuple[FormField, str, int]]:
    """A field per input; a long text has several, cut between lines, and one to spare for what is added."""
    inputs: list[tuple[FormField, str, int]] = []
    for field in form.fields:
        parts = _cut(field.value) if field.kind == "text" else [field.value[:INPUT_MOST]]
        inputs += [(field, part, number) for number, part in enumerate(parts)]
    return inputs


def _cut(text: str) -> list[str]:
    parts = [""]
    for line in text.split("\n"):
        longer = f"{parts[-1]}\n{line}" if parts[-1] else line
        if len(longer) > INPUT_MOST - 200 and parts[-1]:
            parts.append(line)
        else:
            parts[-1] = longer
    return parts
