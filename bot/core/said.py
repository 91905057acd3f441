"""Who said what in a panel, and who is meant by a name."""

from bot.core.panel import Panel
from bot.core.persona import HOST
from bot.core.steering.naming import who


def said_by(panel: Panel) -> dict[str, str]:
    """Everything that each persona said, by short name."""
    spoken: dict[str, list[str]] = {}
    for turn in panel.turns:
        if turn.persona != HOST:
            spoken.setdefault(turn.persona, []).append(turn.text)
    return {name: "\n".join(texts) for name, texts in spoken.items()}


def short_name_of(panel: Panel, name: str) -> str:
    """The short name of the persona that goes by this name or an unambiguous part of it; empty where none does."""
    wanted = " ".join(name.casefold().split())
    for seat in panel.seats:
        if wanted in (seat.persona.short_name, seat.persona.name.casefold()):
            return seat.persona.short_name
    meant = who(name, tuple(seat for seat in panel.seats if seat.included))
    return meant[0].persona.short_name if len(meant) == 1 else ""


def words_of(panel: Panel, name: str) -> str:
    """All that the persona or person of that name said; empty where nobody of that name spoke."""
    short_name = short_name_of(panel, name)
    if short_name:
        return said_by(panel).get(short_name, "")
    wanted = name.casefold()
    return "\n".join(human.text for human in panel.humans if human.author.name.casefold() == wanted)
