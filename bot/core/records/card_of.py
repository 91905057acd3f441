"""The card of a panel at one moment: what stands on it, in words, and which buttons it has."""

from bot.core.card import Button, Card, CardSeat
from bot.core.entries import Decision, Seat
from bot.core.measured import Forecast
from bot.core.panel import Panel
from bot.core.phases import Phase, ended, phase, synthesized
from bot.core.steering.outcome_roster import numbered
from bot.core.steering.told import TITLES, dollars, spend, state

REHEARSAL = "rehearsal: no AI"
UNNUMBERED = ("opening", "digest", "answer", "moderation")
"""Kinds of turn that do not count towards a round's progress."""

_STEER = Button(label="Steer…", word="steer:")
_STOP = Button(label="Stop", word="stop", style="danger")
_WRAP_UP = Button(label="Wrap up", word="wrap up")
_KEPT = (Button(label="Transcript", word="transcript"), Button(label="Record", word="record"))
_AGAIN = Button(label="Run again", word="run again")
_DECIDE = (
    Button(label="Accept", word="accept", style="primary"),
    Button(label="Reject", word="reject"),
    Button(label="Defer", word="defer"),
)
_CHOSEN = {"accept": "Accepted", "reject": "Rejected", "defer": "Deferred"}


def card(
    panel: Panel,
    *,
    is_ai: bool | None = None,
    unposted: int = 0,
    missing: tuple[str, ...] = (),
    links: tuple[tuple[str, str], ...] = (),
) -> Card:
    """The card now.

    `is_ai`: None takes it from the log. `unposted`: turns that are written down and wait for their post. `missing`:
    what the place can not do, a line each. `links`: (label, address).
    """
    voices = panel.opened.model_is_ai if is_ai is None else is_ai
    note = (panel.opened.topic_note,) if panel.opened.topic_note else ()
    return Card(
        panel=panel.id,
        format=panel.format,
        title=TITLES[panel.format],
        topic=panel.topic,
        status=panel.status,
        status_line=_status_line(panel, unposted),
        seats=tuple(_seat(panel, seat) for seat in panel.seats),
        round=panel.round,
        rounds_max=panel.rounds_max,
        progress=progress(panel),
        turns=len(panel.turns),
        spent_usd=panel.spent_usd,
        max_cost=panel.max_cost,
        priced=not panel.unpriced,
        directives=tuple((number, d.text, d.author.name) for number, d in numbered(panel)),
        notes=(*note, *panel.opened.notes, *missing, *(() if voices else (REHEARSAL,))),
        forecast=forecast_line(panel.opened.forecast),
        decision=_decision(panel.decisions) if panel.decisions else "",
        buttons=buttons(panel),
        links=links,
    )


def buttons(panel: Panel) -> tuple[Button, ...]:
    """What can be pressed now; each button's `word` is what it says."""
    now = phase(panel)
    if ended(panel):
        return _at_the_end(panel, now)
    if now == "go-ahead":
        return (Button(label="Go ahead", word="go", style="primary"), Button(label="Cancel", word="cancel"))
    wraps = (_WRAP_UP,) if not panel.closing and panel.format != "review" else ()
    return (*_first(panel, now), _STEER, *wraps, _STOP)


def _first(panel: Panel, now: Phase) -> tuple[Button, ...]:
    if now == "waiting" and panel.reason.startswith("budget"):
        return ()
    if now in ("waiting", "paused"):
        label = "Resume" if now == "paused" else "Try again"
        return (Button(label=label, word="continue", style="primary"),)
    return (Button(label="Pause", word="pause"),)


def _at_the_end(panel: Panel, now: Phase) -> tuple[Button, ...]:
    if now == "failed":
        return (*_KEPT, _AGAIN)
    late: tuple[Button, ...] = ()
    if now == "stopped" and not synthesized(panel) and any(turn.text for turn in panel.turns):
        late = (Button(label="Synthesize", word="synthesize", style="primary"),)
    over = now == "finished" and panel.format == "review"
    more = () if over else (Button(label=f"Continue the {panel.format}", word="continue"),)
    return (*late, *_DECIDE, *_KEPT, *more, _AGAIN)


def progress(panel: Panel) -> float:
    """How much of the plan is done, 0 to 1; 1 only at the end."""
    if panel.status == "finished":
        return 1.0
    if panel.closing:
        return 0.95
    speakers = panel.speakers(max(panel.round, 1))
    if not panel.round or not speakers:
        return 0.0
    given = {key[2] for key in panel.done if key[1] == panel.round and key[0] not in UNNUMBERED}
    share = len(given & {seat.persona.short_name for seat in speakers}) / len(speakers)
    return min(0.95, 0.95 * (panel.round - 1 + share) / max(panel.rounds_max, 1))


def forecast_line(forecast: Forecast | None) -> str:
    """`About 12 turns, 3,000 words, 4 minutes, $0.35`; empty without a forecast."""
    if forecast is None:
        return ""
    cost = "price unknown" if forecast.cost_usd is None else dollars(forecast.cost_usd)
    minutes = max(1, round(forecast.minutes))
    time = "1 minute" if minutes == 1 else f"{minutes} minutes"
    return f"About {forecast.turns} turns, {forecast.words:,} words, {time}, {cost}"


def _status_line(panel: Panel, unposted: int) -> str:
    late = f" · {unposted} to be posted" if unposted else ""
    return f"{state(panel)} · {spend(panel)}{late}"


def _seat(panel: Panel, seat: Seat) -> CardSeat:
    persona = seat.persona
    return CardSeat(
        short_name=persona.short_name,
        name=persona.name,
        emoji=persona.emoji,
        reason=seat.reason,
        state=_state(panel, persona.short_name),
        moderates=seat.moderates,
    )


def _state(panel: Panel, short_name: str) -> str:
    """As decided so far: a change that begins with the next round shows at once."""
    known = panel.state_of(short_name, panel.round + 1)
    failed = [s.seq for s in panel.skipped if s.turn_kind == "verdict" and s.persona == short_name]
    spoke = (turn.seq for turn in reversed(panel.turns) if turn.persona == short_name)
    errored = known == "ok" and failed and failed[-1] > next(spoke, 0)
    return "errored" if errored else known


def _decision(decisions: tuple[Decision, ...]) -> str:
    newest = decisions[-1]
    reason = f": {newest.reason}" if newest.reason else ""
    before = f" (changed; before: {_CHOSEN[decisions[-2].choice]})" if len(decisions) > 1 else ""
    return f"{_CHOSEN[newest.choice]} by {newest.author.name}{reason}{before}"
