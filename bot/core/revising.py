"""What people do to their own messages afterwards: an edit's new text stands everywhere, a deleted text is gone."""

from collections.abc import Mapping
from typing import TypeVar

from bot.core.entries import Control, Decision, Directive, Entry, Human, Revised

E = TypeVar("E", bound=Entry)


def revised(entry: E, texts: Mapping[str, str | None]) -> E:
    """The entry with the newest text of its message, or itself where `texts` (message id → text) has none for it.

    None stands for a deleted message: nothing of what it said is left, only that somebody said something.
    """
    said: Entry = entry
    if isinstance(said, Human | Directive | Control | Decision | Revised) and said.message_id in texts:
        return entry.model_copy(update=_change(said, texts[said.message_id]))
    return entry


def _change(entry: Human | Directive | Control | Decision | Revised, text: str | None) -> dict[str, str | bool | None]:
    match entry:
        case Human():
            return {"text": text or "", "edited": True}
        case Control():
            return {"text": text or "", "question": (text or "") if entry.question else ""}
        case Decision():
            return {"reason": text or ""}
        case Directive():
            return {"text": text or ""}
        case Revised():
            return {"text": text}
