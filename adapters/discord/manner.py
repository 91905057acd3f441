"""How personas speak in a thread: through a webhook, or by the bot under bold names. Fixed when the panel begins, so
that nobody's identity changes in mid-panel because a permission or a webhook went away.
"""

from typing import Literal

from adapters.discord.translate import spoken_in
from bot.core.clock import Clock
from bot.core.place import Person, Place
from bot.core.store import Shelf

Manner = Literal["webhook", "bold"]
KIND = "discord voice"
SELF = Person(id="panelist", name="Panelist", role="admin")


class Manners:
    """Remembers each thread's manner, also over a restart."""

    def __init__(self, shelf: Shelf, clock: Clock) -> None:
        self._shelf, self._clock = shelf, clock
        self._known: dict[int, Manner] = {}

    async def begin(self, place: Place, manner: Manner) -> None:
        """A panel begins in this thread."""
        thread = spoken_in(place)
        if self._known.get(thread) != manner:
            await self._shelf.put(place.workspace, KIND, str(thread), manner, SELF, self._clock.now())
            self._known[thread] = manner

    async def of(self, place: Place, otherwise: Manner) -> Manner:
        """The thread's manner; `otherwise`, from now on, where none was fixed."""
        thread = spoken_in(place)
        if thread not in self._known:
            kept = await self._shelf.take(place.workspace, KIND, str(thread))
            if kept not in ("webhook", "bold"):
                await self.begin(place, otherwise)
            else:
                self._known[thread] = "bold" if kept == "bold" else "webhook"
        return self._known[thread]
