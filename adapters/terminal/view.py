"""How a thread looks in a terminal. Everything shown is untrusted: control characters never reach the screen."""

import os
import re
import sys
from abc import ABC, abstractmethod
from typing import TextIO

from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding
from rich.text import Text

from bot.core.card import Card
from bot.core.platform import Post, Speaker

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_IMAGE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]*)[^)]*\)")
BAR_WIDTH = 12
COLORS = ("cyan", "magenta", "green", "yellow", "blue", "bright_red", "bright_cyan", "bright_magenta", "bright_green")


class View(ABC):
    """Where a terminal thread is shown."""

    @abstractmethod
    def post(self, post: Post) -> None:
        """Show one message."""

    @abstractmethod
    def card(self, card: Card) -> None:
        """Show a panel's new state."""

    @abstractmethod
    def thinking(self, speaker: Speaker) -> None:
        """Somebody is about to speak."""

    @abstractmethod
    def say(self, text: str) -> None:
        """Tell the person at the terminal something."""

    def tell(self, markdown: str) -> None:
        """Tell them something that is written in Markdown."""
        self.say(markdown)

    def progress(self) -> str:
        """One line on where the panel stands and who is thinking; empty before there is one."""
        return ""


class Silent(View):
    """Shows nothing: `--json`."""

    def post(self, post: Post) -> None:
        _ = post

    def card(self, card: Card) -> None:
        _ = card

    def thinking(self, speaker: Speaker) -> None:
        _ = speaker

    def say(self, text: str) -> None:
        _ = text


class _Screen(Console):
    """A console that goes quiet when nobody reads it any more; the panel runs on, its thread is kept."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Live(View):
    """Posts as they come, in colour where the terminal has any; progress stands below the prompt."""

    def __init__(self, stream: TextIO | None = None, *, figures: bool = True, quiet: bool = False) -> None:
        self._console = _Screen(file=stream, highlight=False, soft_wrap=False)
        self._figures, self._quiet = figures, quiet
        self._status = ""
        self._bar = ""
        self._thinking = ""

    def post(self, post: Post) -> None:
        self._thinking = ""
        if post.kind == "card":
            if post.card:
                self._opening(post.card)
            return
        if post.label:
            self._console.print()
            self._console.rule(Text(clean(post.label), style="dim"), style="dim")
        if post.part == 1:
            self._console.print()
            self._console.print(self._name(post))
        self._console.print(Padding(Markdown(shown(post.text), hyperlinks=False), (0, 0, 0, 2)))
        if self._figures and post.figures and not self._quiet:
            self._console.print(Text(f"  {post.figures}", style="dim"))

    def card(self, card: Card) -> None:
        done = round(card.progress * BAR_WIDTH)
        self._bar = f"{'█' * done}{'░' * (BAR_WIDTH - done)} {card.status_line}"
        self._thinking = ""
        if card.status_line == self._status or self._quiet:
            return
        was, self._status = self._status, card.status_line
        if was and card.status != "running":
            self.say(card.status_line)

    def thinking(self, speaker: Speaker) -> None:
        self._thinking = f"{clean(speaker.name)} is thinking …"

    def progress(self) -> str:
        return " · ".join(part for part in (clean(self._bar), self._thinking) if part)

    def say(self, text: str) -> None:
        self._console.print(Text(clean(text), style="italic"))

    def tell(self, markdown: str) -> None:
        self._console.print(Padding(Markdown(shown(markdown), hyperlinks=False), (0, 0, 0, 2)))

    def _opening(self, card: Card) -> None:
        self._status = card.status_line
        self._console.print(Text(clean(card.title), style="bold"))
        self._console.print(Text(clean(card.topic)))
        for seat in card.seats:
            if seat.state in ("excluded",):
                continue
            row = Text(f"  {clean(seat.emoji)} ")
            row.append(clean(seat.name), style=f"bold {color_of(seat.short_name)}")
            row.append(f"  {clean(seat.reason)}", style="dim")
            self._console.print(row)
        for note in (*card.notes, card.forecast):
            if note:
                self._console.print(Text(f"  {clean(note)}", style="dim"))
        if not self._quiet:
            self._console.print(Text("  Type to join in; `help` lists the words that steer.", style="dim"))

    def _name(self, post: Post) -> Text:
        speaker = post.speaker
        style = "bold" if speaker.is_host else f"bold {color_of(speaker.short_name)}"
        return Text(f"{clean(speaker.emoji)} {clean(speaker.name)}".strip(), style=style)


def clean(text: str) -> str:
    """Text without control, bidirectional and zero-width characters."""
    return _CONTROL.sub("", text)


def shown(text: str) -> str:
    """Markdown from a model, made safe to show: no images, a link with its address in sight."""
    text = _IMAGE.sub(lambda m: f"(image: {m[1] or 'without a name'})", clean(text))
    return _LINK.sub(lambda m: m[1] if m[1] == m[2] else f"{m[1]} ({m[2]})", text)


def color_of(short_name: str) -> str:
    """A persona's colour: the same in every panel."""
    return COLORS[sum(short_name.encode()) % len(COLORS)]
