"""What the desk is given and what it answers, the same for every surface."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from bot.core.place import Place
from bot.core.platform import Attachment
from bot.core.starting.command import PanelCommand

Reads = Callable[[Place], Awaitable[bool]]
"""Whether the asker can read what stands in a place; an adapter asks its platform."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachedText:
    """A text file that came with the words."""

    name: str
    """As given, untrusted."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """One field of a form."""

    key: str
    label: str
    kind: Literal["line", "text"] = "line"
    """`text` has many lines; a surface whose fields are small may show several for it."""
    value: str = ""
    help: str = ""
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskForm:
    """A form to open for the asker; `desk_form.submitted` turns what they filled in into the next command."""

    key: str
    """Says what is submitted; keep it with the form. At most 100 characters."""
    title: str
    """At most 24 characters."""
    fields: tuple[FormField, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskAnswer:
    """For the asker alone."""

    text: str
    """Markdown; untrusted words of others may stand in it. Empty where all was said otherwise."""
    title: str = ""
    form: DeskForm | None = None
    """To be opened; a surface without forms shows `text`, which says how to do it in words."""
    start: PanelCommand | None = None
    """A panel to start as if it had been typed."""
    files: tuple[Attachment, ...] = ()
    panel: str = ""
    """The id of the panel that it is about, where it is about one."""
