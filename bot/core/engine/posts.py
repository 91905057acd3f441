"""From a delivery to the message that a platform is asked to post."""

from dataclasses import replace
from itertools import takewhile

from bot.core.engine.session import Session
from bot.core.entries import Turn
from bot.core.panel import Panel
from bot.core.persona import HOST, Persona
from bot.core.platform import Post, Speaker
from bot.core.records.card_of import card
from bot.core.store import Delivery

CARD = 1
"""The `seq` of the first entry, whose post is the card."""

HOST_SPEAKER = Speaker(short_name=HOST, name="Panelist", emoji="🎙️", is_host=True)


def speaker_of(panel: Panel, short_name: str) -> Speaker:
    """The name and face under which it is said."""
    seat = panel.seat(short_name)
    if seat is None:
        return HOST_SPEAKER
    persona = seat.persona
    return Speaker(
        short_name=persona.short_name,
        name=_told_apart(panel, persona),
        emoji=persona.emoji,
        image=persona.image,
        color=persona.color,
    )


def _told_apart(panel: Panel, persona: Persona) -> str:
    """The display name; one that the host or an earlier seat of the panel has gets the short name behind it."""
    before = takewhile(lambda seat: seat.persona.short_name != persona.short_name, panel.seats)
    taken = {_plain(HOST_SPEAKER.name), *(_plain(seat.persona.name) for seat in before if seat.included)}
    return f"{persona.name} ({persona.short_name})" if _plain(persona.name) in taken else persona.name


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())


def post_of(session: Session, delivery: Delivery) -> Post:
    """The message for this delivery; the same for every try."""
    panel = session.panel
    if delivery.turn == CARD:
        return Post(
            panel=panel.id,
            turn=CARD,
            part=1,
            parts=1,
            kind="card",
            speaker=HOST_SPEAKER,
            text=delivery.text,
            card=card(panel),
        )
    turn = session.turn(delivery.turn)
    if turn is None:
        raise ValueError(f"panel {panel.id}: the outbox names turn {delivery.turn}, which the log does not have")
    return Post(
        panel=panel.id,
        turn=delivery.turn,
        part=delivery.part,
        parts=delivery.parts,
        kind=turn.turn_kind,
        speaker=speaker_of(panel, turn.persona),
        text=delivery.text,
        label=_label(session, turn) if delivery.part == 1 else "",
        figures=figures(panel, turn) if delivery.part == delivery.parts else "",
        links=session.links(),
    )


def sought(session: Session, delivery: Delivery) -> Post:
    """The message for this delivery as it is looked for in the thread: with the ids of all that is not it."""
    others = frozenset(known.ext_id for known in session.outbox.values() if known.ext_id)
    return replace(post_of(session, delivery), others=others)


def _label(session: Session, turn: Turn) -> str:
    """The round's line, above the first of its posts only."""
    if not turn.label:
        return ""
    round_ = [o for o in session.panel.turns_in(turn.round) if o.label and o.turn_kind == turn.turn_kind]
    before = (other for other in round_ if (other.order, other.seq) < (turn.order, turn.seq))
    return "" if any(session.was_sent(other.seq) for other in before) else turn.label


def figures(panel: Panel, turn: Turn) -> str:
    """Tokens in and out, cost, latency and the running total, in one line."""
    usage = turn.usage
    cost = "n/a" if turn.cost_usd is None else f"${turn.cost_usd:.4f}"
    tokens = f"{usage.input + usage.cache_read + usage.cache_creation} in / {usage.output} out"
    return f"{tokens} · {cost} · {turn.latency_ms / 1000:.1f} s · total ${panel.spent_usd:.4f}"
