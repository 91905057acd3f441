"""The card as an embed with buttons, within Discord's limits.

https://docs.discord.com/developers/resources/message#embed-limits
"""

import re
from dataclasses import dataclass
from typing import Any

import discord

from adapters.discord.markup import rendered, units
from bot.core.card import Card, CardSeat

COLORS = {
    "running": 0x3BA55D,
    "waiting": 0xFAA61A,
    "paused": 0xFAA61A,
    "finished": 0x5865F2,
    "stopped": 0x747F8D,
    "failed": 0xED4245,
}
STATES = {"muted": "🔇 muted", "dropped": "left", "unavailable": "⚠️ not loaded", "errored": "⚠️ failed"}
STYLES = {"primary": discord.ButtonStyle.primary, "danger": discord.ButtonStyle.danger}
TOPIC_MOST, FIELD_MOST, TITLE_MOST, ALL_MOST = 1200, 1024, 200, 6000
ROW = 5

CUSTOM_ID = re.compile(r"panelist:(?P<word>.{1,40}):(?P<panel>[a-z0-9-]{1,50})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A card as Discord takes it."""

    content: str
    embed: discord.Embed
    buttons: tuple[discord.ui.Button[discord.ui.View], ...]

    def view(self) -> discord.ui.View:
        """The buttons in rows of five. It waits for nothing: the buttons answer by their ids, also after a restart."""
        view = discord.ui.View(timeout=None)
        for button in self.buttons:
            view.add_item(button)
        view.stop()  # a live one would be kept by the library, message by message
        return view


def draw(card: Card, text: str, missing: tuple[str, ...]) -> Drawn:
    """The card. `text` is its one line for notifications; `missing` says what this place lacks."""
    embed = discord.Embed(
        title=cut(card.title, TITLE_MOST),
        description=cut(rendered(card.topic, frozenset()), TOPIC_MOST),
        color=COLORS.get(card.status, 0),
    )
    for name, lines in _fields(card, missing):
        value = _fitting(lines)
        if value:
            embed.add_field(name=name, value=value, inline=False)
    embed.set_footer(text=card.panel)
    while len(embed) > ALL_MOST - 100 and embed.fields:
        embed.remove_field(len(embed.fields) - 1)
    return Drawn(content=cut(rendered(text, frozenset()), TITLE_MOST), embed=embed, buttons=buttons(card))


def custom_id(word: str, panel: str) -> str:
    """What a button says when it is pressed: its word, and for which panel."""
    return f"panelist:{word}:{panel}"


def buttons(card: Card) -> tuple[discord.ui.Button[discord.ui.View], ...]:
    """The card's buttons, each with its word in its id."""
    return tuple(
        discord.ui.Button(
            label=cut(button.label, 80),
            style=STYLES.get(button.style, discord.ButtonStyle.secondary),
            custom_id=custom_id(button.word, card.panel),
            row=number // ROW,
        )
        for number, button in enumerate(card.buttons[: ROW * ROW])
    )


def cut(text: str, most: int) -> str:
    """At most so many characters, with an ellipsis where something is missing."""
    text = text.strip()
    if units(text) <= most:
        return text
    while units(text) > most - 1:
        text = text[: -max(1, units(text) - most + 1)]
    return f"{text.rstrip()}…"


def _fields(card: Card, missing: tuple[str, ...]) -> tuple[tuple[str, list[str]], ...]:
    shown = [seat for seat in card.seats if seat.state != "excluded"]
    left_out = [f"{_name(seat)}: {_text(seat.reason)}" for seat in card.seats if seat.state == "excluded"]
    rounds = f"Round {card.round} of {card.rounds_max}" if card.round else f"{card.rounds_max} rounds at most"
    progress = [f"{bar(card.progress)} {rounds}", card.status_line]
    return (
        ("Roster", [_seat(seat) for seat in shown]),
        ("Progress", progress),
        ("Directives", [f"{number}. {_text(text)} ({_text(author)})" for number, text, author in card.directives]),
        ("Decision", [_text(card.decision)] if card.decision else []),
        ("Links", [f"[{_text(label)}]({address})" for label, address in card.links]),
        ("Notes", [_text(note) for note in (*card.notes, *missing, card.forecast) if note]),
        ("Left out", left_out),
    )


def bar(share: float, cells: int = 12) -> str:
    """Progress as a row of cells; full only at the end."""
    full = cells if share >= 1 else min(cells - 1, int(share * cells))
    return "▰" * full + "▱" * (cells - full)


def _seat(seat: CardSeat) -> str:
    role = "moderates" if seat.moderates else _text(seat.reason)
    state = STATES.get(seat.state, "")
    return " · ".join(part for part in (f"{seat.emoji} **{_name(seat)}**".strip(), role, state) if part)


def _name(seat: CardSeat) -> str:
    return discord.utils.escape_markdown(" ".join(seat.name.split()))


def _text(text: str) -> str:
    return cut(" ".join(rendered(text, frozenset()).split()), 300)


def _fitting(lines: list[str]) -> str:
    """As many lines as a field takes; the last says how many are missing."""
    room, kept = FIELD_MOST - 20, list[str]()
    for number, line in enumerate(lines):
        if units("\n".join([*kept, line])) > room:
            return "\n".join([*kept, f"… and {len(lines) - number} more"])
        kept.append(line)
    return "\n".join(kept)


def words_of(message: discord.Message) -> dict[str, Any]:
    """Panel id → the words of its buttons under that message."""
    found: dict[str, list[str]] = {}
    for row in message.components:
        for child in getattr(row, "children", ()):
            match = CUSTOM_ID.fullmatch(getattr(child, "custom_id", None) or "")
            if match:
                found.setdefault(match["panel"], []).append(match["word"])
    return found
