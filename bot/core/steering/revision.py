"""An edit or a deletion of a message that a panel has taken in, as an entry for its log."""

from bot.core.entries import Control, Decision, Directive, Human, Revised
from bot.core.panel import Panel
from bot.core.steering.naming import addressed
from bot.core.steering.spoken import read

Said = Human | Directive | Control | Decision


def said_in(panel: Panel, message_id: str) -> Said | None:
    """What the panel took that message for; None where it has not taken it in, or it was deleted."""
    said: tuple[Said, ...] = (*panel.humans, *panel.directives, *panel.controls, *panel.decisions)
    return next((entry for entry in reversed(said) if message_id and entry.message_id == message_id), None)


def revision(panel: Panel, message_id: str, text: str | None) -> Revised | None:
    """The entry for the message's new text, or None where nothing changes.

    What it was taken for stays: an edit changes words, it never commands. A message that becomes an aside or blank is
    treated as deleted. A deletion counts also for a message that has not arrived yet.
    """
    entry = said_in(panel, message_id)
    if text is None:
        return Revised(message_id=message_id, text=None)
    if entry is None:
        return None
    new = _words(panel, entry, text)
    return None if new is not None and new == _kept(entry) else Revised(message_id=message_id, text=new)


def _kept(entry: Said) -> str:
    match entry:
        case Decision():
            return entry.reason
        case Control():
            return entry.question or entry.text
    return entry.text


def _words(panel: Panel, entry: Said, text: str) -> str | None:
    """The part of the text that the entry keeps; None where nothing of it may be kept."""
    spoken = read(text, "ended" if isinstance(entry, Decision) else "always")
    if spoken.kind in ("aside", "blank"):
        return None
    match entry:
        case Control():
            return _question(panel, text) if entry.question else spoken.whole
        case Decision():
            same = spoken.kind == "control" and spoken.word in ("accept", "reject", "defer")
            return spoken.text if same else spoken.whole
    return spoken.text if spoken.forced else spoken.whole


def _question(panel: Panel, text: str) -> str:
    spoken = read(text)
    if spoken.kind == "control" and spoken.word == "ask":
        return spoken.text or spoken.whole
    if spoken.kind == "address":
        return addressed(spoken.text, panel.seats)[1] or spoken.whole
    return spoken.whole
