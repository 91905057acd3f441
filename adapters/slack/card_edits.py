"""Keeping cards up to date within Slack's limit for edits: the newest state counts, states between may be left out.

chat.update is Tier 3, some 50 a minute for a whole workspace: https://docs.slack.dev/apis/web-api/rate-limits
"""

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from adapters.slack.errands import Errands
from adapters.slack.lanes import Tokens
from bot.core.card import Card
from bot.core.clock import Clock
from bot.core.errors import PlatformError, PostInDoubt, Throttled
from bot.core.place import Place

log = logging.getLogger("panelist.slack.cards")

BURST, PER_SECOND = 20, 0.75
PAUSE = 1.5
"""Seconds between two edits of one card."""
LEAST = 0.01
"""Seconds; a wait that rounds to nothing would never end."""
REMEMBERED = 2000

Show = Callable[[Place, str, Card], Awaitable[None]]


@dataclass(slots=True)
class _Shown:
    place: Place
    card: Card | None = None
    """As it stands in the thread."""
    wanted: Card | None = None
    at: float = field(default=-PAUSE)
    under_way: bool = False

    def keep(self, card: Card) -> None:
        """It was not shown; it is still wanted unless a newer one is."""
        self.wanted = self.wanted or card

    @property
    def waits(self) -> bool:
        """A newer state than the shown one is wanted, and nobody is at it."""
        return self.wanted is not None and not self.under_way

    @property
    def urgent(self) -> bool:
        """Its buttons or its state are wrong, not only its figures."""
        new, old = self.wanted, self.card
        return new is not None and (old is None or (new.status, new.buttons) != (old.status, old.buttons))


class CardEdits:
    """Shows cards' new states: at once where the limit lets us, a little later where it does not."""

    def __init__(self, show: Show, clock: Clock, errands: Errands) -> None:
        self._show, self._clock, self._errands = show, clock, errands
        self._cards: OrderedDict[tuple[str, str, str], _Shown] = OrderedDict()
        self._tokens = Tokens(clock, most=BURST, per_second=PER_SECOND)
        self._working: set[str] = set()

    async def want(self, place: Place, card_id: str, card: Card) -> None:
        """Show this state; a newer one takes its place while it waits."""
        one = self._cards.setdefault((place.workspace, place.channel, card_id), _Shown(place=place))
        self._cards.move_to_end((place.workspace, place.channel, card_id))
        while len(self._cards) > REMEMBERED:
            self._cards.popitem(last=False)
        one.wanted = card if card != one.card else None
        idle = place.workspace not in self._working
        if idle and one.waits and self._rest(one) <= 0 and self._tokens.take(place.workspace) <= 0:
            await self._edit(card_id, one)
        if one.waits and place.workspace not in self._working:
            self._working.add(place.workspace)
            self._errands.run(self._work(place.workspace), "cards")

    def _rest(self, one: _Shown) -> float:
        return one.at + PAUSE - self._clock.monotonic()

    async def _work(self, workspace: str) -> None:
        """Edit until nothing of the workspace waits, what matters most first."""
        try:
            while waiting := self._waiting(workspace):
                rest, _, card_id, one = min(waiting, key=lambda entry: entry[:2])
                wait = rest if rest > 0 else self._tokens.take(workspace)
                if wait > 0:
                    await self._clock.sleep(max(wait, LEAST))
                else:
                    await self._edit(card_id, one)
        finally:
            self._working.discard(workspace)
            if self._waiting(workspace):
                self._working.add(workspace)
                self._errands.run(self._work(workspace), "cards")

    def _waiting(self, workspace: str) -> list[tuple[float, tuple[bool, float], str, _Shown]]:
        """(seconds of rest, (not urgent, last shown), id, card) of those whose newest state is not shown."""
        return [
            (max(0.0, self._rest(one)), (not one.urgent, one.at), key[2], one)
            for key, one in self._cards.items()
            if key[0] == workspace and one.waits
        ]

    async def _edit(self, card_id: str, one: _Shown) -> None:
        card = one.wanted
        if card is None:
            return
        one.under_way, one.wanted = True, None
        try:
            await self._show(one.place, card_id, card)
            one.card = card
        except (Throttled, PostInDoubt):
            one.at = self._clock.monotonic() + PAUSE
            one.keep(card)
            return
        except PlatformError as fault:
            log.info("a card can not be edited: %s", fault, extra={"panel": card.panel})
            one.card = card  # nothing to be done about it; the next state is tried again
        finally:
            one.under_way = False
        one.at = self._clock.monotonic()
