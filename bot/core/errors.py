"""Every error a user or an adapter can meet, in one tree.

PanelistError                      exit code
├── UsageError                     2   wrong words: unknown option, blank topic, rounds 0
│   └── Undecided                  2   a choice is left to the person: the candidates are with it
├── NotFound                       1   a name, file, target or panel that is not there
├── NotAllowed                     1   the person or the panel's state does not allow it
├── CatalogError                   2   a named catalog that is missing or empty
│   └── PersonaFileError           1   persona files with faults: file, line, remedy
├── DocumentError                  1   a target that can not be read
├── ModelError                     3
│   ├── NoModel                    3   none configured, unknown id, no key
│   ├── ProviderDown               3   the whole provider is out of reach; the panel waits
│   ├── CallFailed                 3   one call failed for good; the turn is skipped with this reason
│   └── CallRetryable              3   one attempt failed; trying again may help
├── PlatformError                  1
│   ├── PostRefused                1   the platform said no: the post is known not to be there
│   ├── PostInDoubt                1   no answer: the post may be there; settle before sending again
│   ├── Throttled                  1   wait `retry_after` seconds; known not to be there
│   └── PlaceGone                  1   thread, channel or membership is gone
├── StoreError                     1   disk full, read-only, locked, corrupted
│   ├── StoreNewer                 1   the database was written by a newer version
│   └── Fenced                     1   another process has taken this panel over
├── RecordInvalid                  1   a record that does not fit its schema; never written
└── BudgetReached                  4   the cap ends the panel before its plan does
"""

from dataclasses import dataclass


class PanelistError(Exception):
    """A fault that a person can act on; its text is one clear sentence with the remedy."""

    exit_code = 1


class UsageError(PanelistError):
    """The words of the call are wrong."""

    exit_code = 2


class Undecided(UsageError):
    """Nobody clearly fits: whoever can ask shows `candidates` as buttons, once; the text names them.

    Each candidate is (short name, display name).
    """

    def __init__(self, text: str, *, candidates: tuple[tuple[str, str], ...]) -> None:
        super().__init__(text)
        self.candidates = candidates


class NotFound(PanelistError):
    """A name, file, target or panel that is not there; the text lists what is."""


class NotAllowed(PanelistError):
    """The person may not do this, or the panel's state does not allow it."""


class CatalogError(PanelistError):
    """A catalog folder that was named and is missing or holds no personas."""

    exit_code = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault of one persona file."""

    file: str
    """As the person named it, never an absolute path that they did not give."""
    line: int
    """1-based; 0 where the fault is the whole file's."""
    text: str
    """What is wrong and how to mend it."""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.text}"


class PersonaFileError(CatalogError):
    """All faults of all files that were read, one a line."""

    exit_code = 1

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = faults


class DocumentError(PanelistError):
    """A target that can not be read, is too large, or lies where it may not be read."""


class ModelError(PanelistError):
    """A model call, or the set-up for one, failed."""

    exit_code = 3


class NoModel(ModelError):
    """No usable model: none configured, no key, an id that the provider does not list."""


class ProviderDown(ModelError):
    """The provider as a whole does not answer; the panel pauses without skipping anything."""

    def __init__(self, text: str, provider: str) -> None:
        super().__init__(text)
        self.provider = provider


class CallFailed(ModelError):
    """One call failed for good: refusal, no text within the limit, invalid answer after a repair.

    `answered` is true where a model did answer, but no answer could be used.
    """

    def __init__(self, text: str, *, answered: bool = False) -> None:
        super().__init__(text)
        self.answered = answered


class CallRetryable(ModelError):
    """One attempt failed in a way that may pass.

    `retry_after` is in seconds, None where the provider named none. `provider_wide` is true where the
    fault says that no other call to this provider would fare better.
    """

    def __init__(self, text: str, *, retry_after: float | None = None, provider_wide: bool = False) -> None:
        super().__init__(text)
        self.retry_after = retry_after
        self.provider_wide = provider_wide


class PlatformError(PanelistError):
    """The chat platform failed or refused."""


class PostRefused(PlatformError):
    """The platform refused the post: it is known not to be there."""


class PostInDoubt(PlatformError):
    """The post may or may not be there: time-out, lost connection, server error after the request was sent."""


class Throttled(PlatformError):
    """Too fast for this channel; nothing was posted. `retry_after` is in seconds."""

    def __init__(self, text: str, retry_after: float) -> None:
        super().__init__(text)
        self.retry_after = retry_after


class PlaceGone(PlatformError):
    """The thread, the channel or our membership is gone; the panel can not go on there."""


class StoreError(PanelistError):
    """The database can not be read or written; nothing was half-written."""


class StoreNewer(StoreError):
    """The database was written by a newer version of Panelist."""


class Fenced(StoreError):
    """Another process has taken this panel over; this one must stop writing to it."""


class RecordInvalid(PanelistError):
    """A record that does not fit its schema; it was not written."""


class BudgetReached(PanelistError):
    """The panel's cap ends it before its plan does."""

    exit_code = 4
