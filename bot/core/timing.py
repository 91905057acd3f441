"""The few time constants, in seconds; settings for servers, short in tests."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """How long things may take before they count as something else."""

    settle: float = 30.0
    """After this long, a post that was under way has either arrived or never will. The only constant that
    exactly-once rests on: a platform's request timeout plus its lag."""
    poll: float = 1.0
    """Between looks for what other processes stored."""
    beat: float = 2.0
    """Between two signs of life of a process."""
    stale: float = 10.0
    """A process without a sign of life for this long is dead, and its panels may be taken over."""
    revive: float = 30.0
    """Between tries to go on with a panel whose model provider was down."""
    too_old: float = 7 * 86400.0
    """A running panel untouched for longer is paused at start instead of going on by itself."""

    @property
    def post(self) -> float:
        """A post's own time-out: well under `settle`."""
        return self.settle / 3
