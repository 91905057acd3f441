"""A model call that is under way, with a handle for interruptions."""

import asyncio
from dataclasses import dataclass

from bot.core.entries import Skipped, Turn
from bot.core.formats.format import Cue


@dataclass(slots=True, kw_only=True)
class Job:
    """One cue's call."""

    cue: Cue
    call: asyncio.Task[Turn | Skipped]
    skippable: bool = True
    """False: a human's `skip` does not drop it."""
    why: str = ""
    """Why it was interrupted: `stopped` or `skip`; empty while it runs."""

    def cancel(self, why: str) -> None:
        """Interrupt the call, once."""
        if not self.why and not self.call.done():
            self.why = why
            self.call.cancel()
