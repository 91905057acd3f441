"""How a running panel hears at once: a bell in its process. What others store, the driver's poll finds."""

import asyncio


class Ear:
    """One panel's bell."""

    __slots__ = ("_bell",)

    def __init__(self) -> None:
        self._bell = asyncio.Event()

    def ring(self) -> None:
        """Somebody said something to this panel."""
        self._bell.set()

    async def hears(self) -> None:
        """Return at the next ring, or at once where one came since the last return."""
        await self._bell.wait()
        self._bell.clear()
