"""The card as blocks: a panel at a glance, with its buttons.

No text here holds a link: an edit that brings a new one would make Slack show a preview of it. Links are buttons.
https://docs.slack.dev/reference/methods/chat.update
"""

from adapters.slack.emoji import icon
from adapters.slack.faces import tidy
from adapters.slack.markdown import words
from adapters.slack.translate import JSON
from bot.core.card import Button, Card, CardSeat

PRESS = "panelist:"
"""In front of a button's word in its action id."""
ROOM, SMALL, NOTE = 2600, 1800, 240
"""Characters of the roster, of other sections, of one note. Slack takes 3,000 a section, and somewhat over 13,000 in
all: https://github.com/slackapi/bolt-js/issues/2509"""
_BAR = 12
_STATES = {
    "muted": "muted",
    "dropped": "left",
    "unavailable": "not loaded",
    "errored": "had a fault",
    "excluded": "not taking part",
}


def blocks(card: Card, notes: tuple[str, ...] = ()) -> list[JSON]:
    """The card now. `notes`: what is missing in this place, one line each."""
    parts = [
        {"type": "header", "text": {"type": "plain_text", "text": card.title[:150], "emoji": True}},
        _section(cut(words(card.topic), SMALL)),
        _context(_status(card)),
        _section(cut("\n".join(_seat(seat) for seat in card.seats if seat.state != "excluded"), ROOM)),
        _section(_directives(card)),
        _section(f"*Decision*  {cut(words(card.decision), SMALL // 2)}" if card.decision else ""),
        _context(*(words(note) for note in (card.forecast, *card.notes, *notes) if note)),
        _actions(card),
    ]
    return [part for part in parts if part is not None]


def fallback(card: Card) -> str:
    """The card in one line, for notifications and screen readers."""
    return cut(f"{card.title}: {words(card.topic)} ({words(card.status_line)})", 1000)


def cut(text: str, most: int) -> str:
    """At most so many characters, never within an entity."""
    if len(text) <= most:
        return text
    head = text[: most - 1]
    lone = head.rfind("&")
    return f"{head[:lone] if lone >= 0 and ';' not in head[lone:] else head}…"


def _section(text: str) -> JSON | None:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text[:3000]}} if text.strip() else None


def _context(*texts: str) -> JSON | None:
    elements = [{"type": "mrkdwn", "text": cut(text, NOTE)} for text in texts if text.strip()]
    return {"type": "context", "elements": elements[:10]} if elements else None


def _status(card: Card) -> str:
    full = round(card.progress * _BAR)
    bar = "▰" * full + "▱" * (_BAR - full)
    return f"{bar}  {words(card.status_line)}"


def _seat(seat: CardSeat) -> str:
    state = f" _({_STATES[seat.state]})_" if seat.state in _STATES else ""
    moderates = " · moderates" if seat.moderates else ""
    reason = f" — {words(seat.reason)}" if seat.reason and not (seat.moderates and seat.reason == "moderates") else ""
    return f"{icon(seat.emoji)} *{tidy(seat.name) or seat.short_name}*{moderates}{reason}{state}"


def _directives(card: Card) -> str:
    lines = [f"{number}. {words(text)} — {words(author)}" for number, text, author in card.directives]
    return cut("*Standing instructions*\n" + "\n".join(lines), SMALL) if lines else ""


def _actions(card: Card) -> JSON | None:
    elements = [_button(button, card.panel) for button in card.buttons]
    elements += [
        {
            "type": "button",
            "action_id": f"{PRESS}link:{number}",
            "text": {"type": "plain_text", "text": label[:75]},
            "url": address[:3000],
        }
        for number, (label, address) in enumerate(card.links)
    ]
    return {"type": "actions", "block_id": f"{PRESS}{card.panel}", "elements": elements[:25]} if elements else None


def _button(button: Button, panel: str) -> JSON:
    style = {"style": button.style} if button.style in ("primary", "danger") else {}
    return {
        "type": "button",
        "action_id": f"{PRESS}{button.word}",
        "text": {"type": "plain_text", "text": button.label[:75], "emoji": True},
        "value": panel,
        **style,
    }
