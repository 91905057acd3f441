"""Who could still join a panel: the personas of its place, each with the model that would speak for it."""

import logging

from bot.core.entries import Seat
from bot.core.errors import CatalogError
from bot.core.panel import Panel
from bot.core.speech.casting import Casting
from bot.core.starting.catalogs import Catalogs

log = logging.getLogger("panelist.bench")


class Bench:
    """The seats that `add` can fill."""

    def __init__(self, catalogs: Catalogs, casting: Casting) -> None:
        self._catalogs, self._casting = catalogs, casting

    async def seats(self, panel: Panel) -> tuple[Seat, ...]:
        """One seat a persona, without its model; none where the catalog can not be read."""
        try:
            catalog = await self._catalogs.of(panel.place)
        except CatalogError as fault:
            log.warning("nobody can be added: %s", fault, extra={"panel": panel.id})
            return ()
        return tuple(Seat(persona=persona, reason="added on the way") for persona in catalog.personas)

    async def cast(self, panel: Panel, seat: Seat) -> Seat:
        """The seat with its model. Raises NoModel where none can speak for it, UsageError for one without a price."""
        return (await self._casting.cast(panel.opened.model_copy(update={"seats": (seat,)}))).seats[0]
