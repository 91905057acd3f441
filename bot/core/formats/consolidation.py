"""How the verdicts of a review become one. Code alone decides; no model can turn a fail into a pass."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.core.formats.answers_review import ReviewVerdict

QUORUM, GATE, COORDINATOR = "voting-quorum", "hard-gate-threshold", "coordinator-summary"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How many gave which verdict."""

    passes: int
    fails: int
    warns: int

    @property
    def total(self) -> int:
        return self.passes + self.fails + self.warns


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated:
    """One verdict out of many."""

    verdict: ReviewVerdict
    why: str
    """The rule and its numbers, in one sentence."""


def tally(verdicts: Sequence[ReviewVerdict]) -> Tally:
    """The verdicts counted; a missing one is given as a fail."""
    return Tally(passes=verdicts.count("pass"), fails=verdicts.count("fail"), warns=verdicts.count("warn"))


def majority(personas: int) -> int:
    """The quorum where none is given: more than half."""
    return personas // 2 + 1


def by_quorum(count: Tally, quorum: int) -> Consolidated:
    """Passes at or over the quorum: pass; else fail. A warn is no pass, and a tie is a fail."""
    verdict: ReviewVerdict = "pass" if count.passes >= quorum else "fail"
    return Consolidated(verdict=verdict, why=f"{count.passes} of {count.total} passed, {quorum} needed")


def by_gate(count: Tally, threshold: int) -> Consolidated:
    """Any fail: fail. Else passes at or over the threshold: pass; else warn."""
    if count.fails:
        return Consolidated(verdict="fail", why=f"{count.fails} of {count.total} failed it, and one is enough")
    verdict: ReviewVerdict = "pass" if count.passes >= threshold else "warn"
    why = f"nobody failed it; {count.passes} of {count.total} passed, {threshold} needed"
    return Consolidated(verdict=verdict, why=why)


def by_coordinator(count: Tally, said: ReviewVerdict | None) -> Consolidated:
    """What the coordinator says, but never a pass over a fail; without one, the strictest verdict that was given."""
    if said is None:
        verdict: ReviewVerdict = "fail" if count.fails else "warn" if count.warns else "pass"
        return Consolidated(verdict=verdict, why="no coordinator's verdict could be used, so the strictest one stands")
    if said == "pass" and count.fails:
        why = f"the coordinator said pass over {count.fails} of {count.total} fails, so fail stands"
        return Consolidated(verdict="fail", why=why)
    return Consolidated(verdict=said, why="the coordinator's verdict")


def consolidated(
    mode: str,
    verdicts: Sequence[ReviewVerdict],
    *,
    quorum: int | None = None,
    threshold: int | None = None,
    coordinator: ReviewVerdict | None = None,
) -> Consolidated:
    """The final verdict in that mode; no verdicts at all are a fail. Raises ValueError for an unknown mode."""
    count = tally(verdicts)
    if not count.total:
        return Consolidated(verdict="fail", why="nobody gave a verdict")
    match mode:
        case "voting-quorum":
            return by_quorum(count, quorum or majority(count.total))
        case "hard-gate-threshold":
            return by_gate(count, threshold or count.total)
        case "coordinator-summary":
            return by_coordinator(count, coordinator)
    raise ValueError(f"{mode!r} is no way to consolidate verdicts")
