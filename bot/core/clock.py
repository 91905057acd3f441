"""The port to time: nothing in the house reads a clock, sleeps or draws a random number but through it."""

from abc import ABC, abstractmethod


class Clock(ABC):
    """Wall time, sleeping, and the jitter of retries."""

    @abstractmethod
    def now(self) -> float:
        """Seconds since 1970, UTC."""

    @abstractmethod
    def monotonic(self) -> float:
        """Seconds on a clock that never goes back; only differences mean anything."""

    @abstractmethod
    async def sleep(self, seconds: float) -> None:
        """Return after that many seconds; at once for zero or less."""

    @abstractmethod
    def jitter(self) -> float:
        """A number in [0, 1)."""
