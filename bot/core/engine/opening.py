"""Opening a panel: refusals, the forecast's go-ahead, and the first commit. Every surface starts panels here."""

import hashlib
import secrets
from dataclasses import replace

from bot.core.clock import Clock
from bot.core.engine.posts import CARD
from bot.core.entries import Opened
from bot.core.errors import NotAllowed
from bot.core.fold import opened as folded
from bot.core.panel import OPEN
from bot.core.place import Place
from bot.core.records.card_of import card
from bot.core.store import Delivery, Query, Store
from bot.core.summary import summary_of

ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Nothing that is misread aloud or on paper."""


def new_panel_id(format_name: str) -> str:
    """A fresh id: the format's name and eight letters that nobody mixes up."""
    return f"{format_name}-{''.join(secrets.choice(ID_LETTERS) for _ in range(8))}"


def panel_id_for(format_name: str, cause: str) -> str:
    """The id of the panel that this message asks for: the same however often the message is delivered."""
    digest = hashlib.sha256(f"{format_name}\n{cause}".encode()).digest()
    return f"{format_name}-{''.join(ID_LETTERS[byte % len(ID_LETTERS)] for byte in digest[:8])}"


async def open_panel(store: Store, clock: Clock, place: Place, opened: Opened, *, panel_id: str) -> None:
    """Write the panel down with the intent to post its card.

    Raises NotAllowed while another panel is open in that thread.
    """
    if place.thread:
        for other in await store.summaries(Query(place=place, statuses=OPEN, limit=1)):
            raise NotAllowed(
                f"a panel is open in this thread already ({other.format}, {other.status}); say `stop` or `wrap up` "
                "there first, or start the new one elsewhere"
            )
    now = clock.now()
    first = opened.model_copy(update={"seq": CARD, "at": now})
    panel = folded(panel_id, place, (first,))
    text = f"{card(panel).title}: {opened.topic}"
    shown = Delivery(turn=CARD, part=1, parts=1, text=text)
    await store.create(replace(summary_of(panel, now), created_at=now), first, shown)
