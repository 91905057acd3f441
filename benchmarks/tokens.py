"""What a panel's prompts cost in three layouts, by the test server's own accounting: `python -m benchmarks tokens`."""

import asyncio
from dataclasses import dataclass

from adapters.models.prices import OfflinePrices
from benchmarks.layouts import naive, persona_first
from benchmarks.matter import opened, templates
from benchmarks.panels import Measured, run
from bot.core.entries import Opened
from bot.core.speech.forecast import forecast
from bot.wiring import formats
from tests.servers.messages_api import token_equivalents

FORECAST_WITHIN = 0.25
"""Of what it cost."""
WALL_MOST = 1.15


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the bench, and whether it reaches what it must."""

    text: str
    reached: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """A panel to measure."""

    name: str
    opened: Opened
    seconds: float = 0.0
    """From turn to turn."""
    naive_most: float = 1.0
    first_most: float = 1.0
    """At most so much of the naive, and of the persona-first layout's token-equivalents."""


def courses() -> tuple[Course, ...]:
    """The panels, as far as their formats are there."""
    discussion = opened("discussion", 4, 12)
    found = [
        Course(name="discussion 4x12", opened=discussion, naive_most=0.155, first_most=0.70),
        Course(name="discussion 4x12 at 90 s a turn", opened=discussion, seconds=90, naive_most=0.155, first_most=0.70),
    ]
    if "debate" in formats():
        found.append(Course(name="debate 3x3", opened=opened("debate", 3, 3, mode="isolated")))
    if "review" in formats():
        found.append(Course(name="review 8", opened=opened("review", 8, 1, mode="voting-quorum"), naive_most=0.30))
    return tuple(found)


async def lines() -> tuple[Line, ...]:
    """Every line of the bench, in one run."""
    measured = [line for course in courses() for line in await _measured(course)]
    return (*measured, await _wall())


async def _measured(course: Course) -> tuple[Line, ...]:
    ours = await run(course.opened, seconds=course.seconds)
    plain = await run(course.opened, naive, seconds=course.seconds)
    first = await run(course.opened, persona_first, seconds=course.seconds)
    to_plain, to_first = _weight(ours) / _weight(plain), _weight(ours) / _weight(first)
    sums = f"{_weight(ours):,.0f} of {_weight(plain):,.0f} and {_weight(first):,.0f} token-equivalents"
    ratio = Line(
        text=f"{course.name}: ours/naive {to_plain:.3f}, ours/persona-first {to_first:.3f} ({sums})",
        reached=to_plain <= course.naive_most and to_first <= course.first_most,
    )
    return (ratio, _forecast(course, ours))


def _weight(measured: Measured) -> float:
    return token_equivalents(measured.server.usage)


def _forecast(course: Course, ours: Measured) -> Line:
    format_ = formats()[course.opened.format]
    expected = forecast(format_, course.opened, templates(), OfflinePrices().cost).cost_usd or 0.0
    spent = ours.panel.spent_usd
    off = expected / spent - 1
    text = f"{course.name}: forecast ${expected:.4f}, spent ${spent:.4f}, off by {off:+.1%}"
    return Line(text=text, reached=abs(off) <= FORECAST_WITHIN)


async def _wall() -> Line:
    """A parallel round of eight, each call slower than the one before, over the time that it needs at least."""
    measured = await run(opened("discussion", 8, 1, final_summary=True), delays=_delays)
    round_ = sorted((span for span in measured.spans if span.kind == "summary"), key=lambda span: span.began)
    wall = max(span.ended for span in round_) - round_[0].began
    slowest = max(span.ended - span.began for span in round_)
    warm_up = round_[0].first - round_[0].began
    ratio = (wall - warm_up) / slowest
    text = f"parallel round of 8: {wall:.2f} s, slowest call {slowest:.2f} s, warm-up {warm_up:.2f} s: {ratio:.3f}"
    return Line(text=text, reached=ratio <= WALL_MOST)


def _delays(call: int) -> tuple[float, float]:
    """Seconds before the first token, and for each: only the parallel round takes real time."""
    return (0.25, 0.002 + 0.0005 * (call - 8)) if 8 < call <= 16 else (0.0, 0.0)


def main() -> int:
    """Print the lines; 1 where one does not reach what it must."""
    found = asyncio.run(lines())
    for line in found:
        print(f"{line.text}{'' if line.reached else '   <-- missed'}")
    return 0 if all(line.reached for line in found) else 1
