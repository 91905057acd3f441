"""Buttons that answer by their ids alone, so that they work after a restart, and the forms behind some of them."""

import re
from typing import Any

import discord

from adapters.discord.client import Pressed
from adapters.discord.drawing import CUSTOM_ID, custom_id

SECONDS = 900.0
ASK_ID = re.compile(r"panelist-ask:(?P<what>resume|fresh):(?P<key>[a-z0-9-]{1,64})")
WHO_ID = re.compile(r"panelist-who:(?P<key>[a-z0-9-]{1,64})")
NEW_ID = "panelist-new"


class CardButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=CUSTOM_ID):
    """A button of a panel's card."""

    def __init__(self, word: str, panel: str) -> None:
        super().__init__(discord.ui.Button(label=word, custom_id=custom_id(word, panel)))
        self._word, self._panel = word, panel

    @classmethod
    async def from_custom_id(  # type: ignore[override]  # the library's client type is less exact
        cls, interaction: Pressed, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> "CardButton":
        _ = interaction, item
        return cls(match["word"], match["panel"])

    async def callback(self, interaction: Pressed) -> None:  # type: ignore[override]
        if interaction.client.surface:
            await interaction.client.surface.press(interaction, self._word, self._panel)


class AskButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=ASK_ID):
    """Resume the paused panel, or start afresh."""

    def __init__(self, what: str, key: str) -> None:
        super().__init__(discord.ui.Button(label=what, custom_id=f"panelist-ask:{what}:{key}"))
        self._what, self._key = what, key

    @classmethod
    async def from_custom_id(  # type: ignore[override]
        cls, interaction: Pressed, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> "AskButton":
        _ = interaction, item
        return cls(match["what"], match["key"])

    async def callback(self, interaction: Pressed) -> None:  # type: ignore[override]
        if interaction.client.surface:
            await interaction.client.surface.choose(interaction, self._what, self._key)


class WhoSelect(discord.ui.DynamicItem[discord.ui.Select[Any]], template=WHO_ID):
    """Who is to take part, where nobody clearly fits."""

    def __init__(self, key: str, item: discord.ui.Select[Any]) -> None:
        super().__init__(item)
        self._key = key

    @classmethod
    async def from_custom_id(  # type: ignore[override]
        cls, interaction: Pressed, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> "WhoSelect":
        _ = interaction
        if not isinstance(item, discord.ui.Select):
            raise TypeError("only a select has this id")
        return cls(match["key"], item)

    async def callback(self, interaction: Pressed) -> None:  # type: ignore[override]
        if interaction.client.surface:
            await interaction.client.surface.choose(interaction, "who", self._key, tuple(self.item.values))


def who_select(key: str, candidates: tuple[tuple[str, str], ...]) -> discord.ui.Select[Any]:
    """Two or three of them are to be chosen."""
    return discord.ui.Select(
        custom_id=f"panelist-who:{key}",
        placeholder="Who debates?",
        min_values=min(2, len(candidates)),
        max_values=min(3, len(candidates)),
        options=[discord.SelectOption(label=name[:100], value=short[:100]) for short, name in candidates],
    )


class NewButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=re.compile(re.escape(NEW_ID))):
    """Opens the form for a new panel."""

    def __init__(self) -> None:
        super().__init__(discord.ui.Button(label="Open the form", custom_id=NEW_ID))

    @classmethod
    async def from_custom_id(  # type: ignore[override]
        cls, interaction: Pressed, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> "NewButton":
        _ = interaction, item, match
        return cls()

    async def callback(self, interaction: Pressed) -> None:  # type: ignore[override]
        if interaction.client.surface:
            await interaction.client.surface.open_form(interaction)


class WordModal(discord.ui.Modal):
    """One text that goes with a word: a directive, or the reason of a decision."""

    def __init__(self, word: str, panel: str, *, title: str, label: str, required: bool) -> None:
        super().__init__(title=title[:45], timeout=SECONDS)
        self._word, self._panel = word, panel
        self._text: discord.ui.TextInput[WordModal] = discord.ui.TextInput(
            custom_id="text", style=discord.TextStyle.paragraph, required=required, max_length=2000
        )
        self.add_item(discord.ui.Label(text=label, component=self._text))

    async def on_submit(self, interaction: Pressed, /) -> None:  # type: ignore[override]
        if interaction.client.surface:
            await interaction.client.surface.said(interaction, self._word, self._panel, self._text.value.strip())


def modal_for(word: str, panel: str) -> WordModal | None:
    """The form that the card's button opens; None where pressing says it all."""
    if word == "steer:":
        return WordModal(word, panel, title="Steer the panel", label="What should hold from now on?", required=True)
    if word in ("accept", "reject", "defer"):
        return WordModal(word, panel, title=f"{word.capitalize()} it", label="Why? (may stay empty)", required=False)
    return None


DYNAMIC: tuple[type[discord.ui.DynamicItem[Any]], ...] = (CardButton, AskButton, WhoSelect, NewButton)
