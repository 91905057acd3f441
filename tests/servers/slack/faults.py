"""Bad days by script: what a test can make the Web API do to the next calls of a method."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tests.servers.slack.world import JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """The call is carried out, but the caller never learns it: reset, `500`, or silence for `seconds`."""

    how: Literal["reset", "500", "silence"] = "reset"
    seconds: float = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Delayed:
    """The call is carried out at once; its answer comes after `seconds`."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Slow:
    """The call is carried out only after `seconds`."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Limited:
    """429 with Retry-After, in seconds; not carried out."""

    retry_after: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """`{"ok": false, "error": …}`; not carried out."""

    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """Not carried out: an HTTP error page, or the connection reset (`status` 0)."""

    status: int = 503


Fault: TypeAlias = Lost | Delayed | Slow | Limited | Refused | Broken
KINDS: dict[str, type[Fault]] = {
    "lost": Lost,
    "delayed": Delayed,
    "slow": Slow,
    "limited": Limited,
    "refused": Refused,
    "broken": Broken,
}


@dataclass(slots=True, kw_only=True)
class _Script:
    method: str
    fault: Fault
    times: int
    skip: int
    channel: str | None
    thread_ts: str | None


class Faults:
    """The queue of scripted faults; each call takes the first that fits it."""

    def __init__(self) -> None:
        self._scripts: list[_Script] = []

    def add(
        self,
        method: str,
        fault: Fault,
        *,
        times: int = 1,
        skip: int = 0,
        channel: str | None = None,
        thread_ts: str | None = None,
    ) -> None:
        """Do this to `times` fitting calls of the method after letting `skip` of them pass."""
        self._scripts.append(
            _Script(method=method, fault=fault, times=times, skip=skip, channel=channel, thread_ts=thread_ts)
        )

    def clear(self) -> None:
        """Good weather from now on."""
        self._scripts.clear()

    def take(self, method: str, arguments: JSON) -> Fault | None:
        """The fault for this call, used up by asking."""
        for script in self._scripts:
            if script.times == 0 or script.method not in {method, "*"}:
                continue
            if script.channel not in {None, arguments.get("channel"), arguments.get("channel_id")}:
                continue
            if script.thread_ts not in {None, arguments.get("thread_ts")}:
                continue
            if script.skip > 0:
                script.skip -= 1
                continue
            script.times -= 1
            return script.fault
        return None
