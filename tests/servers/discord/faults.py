"""Bad days by script: what goes wrong with which request, and whether it took effect all the same."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from .calls import EXECUTE_WEBHOOK, Call
from .limits import Refused
from .refusals import RefusalError, invalid


@dataclass(slots=True, kw_only=True)
class Fault:
    # Method and template of the requests that it meets.
    on: str
    # How often it strikes; None is for ever.
    times: int | None = 1
    # How many matching requests pass before it strikes.
    skip: int = 0
    where: Callable[[Call], bool] | None = None
    # Seconds before the request takes effect, and before its answer leaves.
    delay_before: float = 0.0
    delay_after: float = 0.0
    # Answers in place of the real one.
    status: int | None = None
    refusal: RefusalError | None = None
    limited: Refused | None = None
    html: bool = False
    # Cuts the connection instead of answering.
    cut: bool = False
    # Whether the request takes effect before the false answer.
    commits: bool = False
    # Keeps the answer back until set.
    gate: asyncio.Event | None = None
    struck: int = 0

    @property
    def false_answer(self) -> bool:
        return self.cut or self.html or bool(self.status or self.refusal or self.limited)

    def matches(self, call: Call) -> bool:
        return self.on == call.route and (self.where is None or self.where(call))


class Faults:
    """Scripted faults, taken in the order in which they were written."""

    def __init__(self) -> None:
        self._scripted: list[Fault] = []

    def add(self, fault: Fault) -> Fault:
        self._scripted.append(fault)
        return fault

    def clear(self) -> None:
        self._scripted.clear()

    def take(self, call: Call) -> Fault | None:
        for fault in self._scripted:
            if not fault.matches(call):
                continue
            if fault.skip:
                fault.skip -= 1
                continue
            if fault.times is None or fault.struck < fault.times:
                fault.struck += 1
                return fault
        return None

    def server_error(
        self,
        status: int = 500,
        *,
        on: str = EXECUTE_WEBHOOK,
        commits: bool = True,
        times: int | None = 1,
        skip: int = 0,
    ) -> Fault:
        """A 5xx; by default after the request took effect."""
        return self.add(Fault(on=on, status=status, commits=commits, times=times, skip=skip))

    def cut(self, *, on: str = EXECUTE_WEBHOOK, commits: bool = True, times: int | None = 1, skip: int = 0) -> Fault:
        """The connection is reset; by default after the request took effect."""
        return self.add(Fault(on=on, cut=True, commits=commits, times=times, skip=skip))

    def slow(
        self,
        seconds: float,
        *,
        on: str = EXECUTE_WEBHOOK,
        late_answer: bool = True,
        times: int | None = 1,
        skip: int = 0,
    ) -> Fault:
        """Takes effect at once and answers late, or takes effect late."""
        before, after = (0.0, seconds) if late_answer else (seconds, 0.0)
        return self.add(Fault(on=on, delay_before=before, delay_after=after, times=times, skip=skip))

    def hold(self, *, on: str = EXECUTE_WEBHOOK, skip: int = 0) -> Fault:
        """Takes effect, and answers when `gate` is set; `struck` tells that it did."""
        return self.add(Fault(on=on, gate=asyncio.Event(), skip=skip))

    def refuse(
        self, code: int, *, on: str = EXECUTE_WEBHOOK, times: int | None = 1, skip: int = 0, status: int = 0
    ) -> Fault:
        """One of the platform's error answers, such as 10015 from a webhook that is listed all the same."""
        return self.add(Fault(on=on, refusal=RefusalError(code, status=status), times=times, skip=skip))

    def refuse_name(self, *, on: str = EXECUTE_WEBHOOK, times: int | None = 1) -> Fault:
        """50035 on the username, for a rule that the platform does not publish."""
        refusal = invalid("username", "USERNAME_INVALID_CONTAINS", "Username cannot contain that.")
        return self.add(Fault(on=on, refusal=refusal, times=times))

    def limit(
        self,
        retry_after: float,
        *,
        on: str = EXECUTE_WEBHOOK,
        scope: str = "user",
        times: int | None = 1,
        skip: int = 0,
    ) -> Fault:
        """A 429 out of the blue."""
        refused = Refused(retry_after=retry_after, scope=scope)
        return self.add(Fault(on=on, limited=refused, times=times, skip=skip))

    def ban(self, *, on: str = EXECUTE_WEBHOOK, times: int | None = 1) -> Fault:
        """The page in front of the platform answers: 429 in HTML, without a Via header."""
        return self.add(Fault(on=on, html=True, times=times))
