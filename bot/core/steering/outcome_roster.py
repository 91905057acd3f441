"""The rules of the words about personas and directives: skip, ask, add, drop, mute, unmute, withdraw."""

from bot.core.entries import Control, Directive, Seat
from bot.core.panel import Panel
from bot.core.persona import HOST
from bot.core.phases import cold, ended
from bot.core.steering.grammar import GO, NOTED
from bot.core.steering.outcome_value import Outcome, did, refused

ALWAYS_ON = frozenset({"intent-keeper", "cranky-old-sam", "crusty-old-engineer", "restless-old-brian"})
"""The lenses of a council that are never dropped or muted."""
FEWEST = {"debate": 2}
"""So many speakers stay at least; one where the format is not named."""
REVIEWERS = 20


def numbered(panel: Panel) -> tuple[tuple[int, Directive], ...]:
    """The directives in force with the number to withdraw each by; a number stays the same for good."""
    return tuple(
        (number, directive)
        for number, directive in enumerate(panel.directives, 1)
        if directive.seq not in panel.withdrawn
    )


def withdraws(panel: Panel, control: Control) -> Outcome:
    """`number` is what people say, counted from 1; the log gets the directive's `seq`."""
    standing = dict(numbered(panel))
    if not standing:
        return refused(control, "No directive stands.")
    number = int(control.number or (next(iter(standing)) if len(standing) == 1 else 0))
    if number not in standing:
        lines = "; ".join(f"{n}: {directive.text}" for n, directive in standing.items())
        return refused(control, f"Say the number of a standing directive: {lines}.")
    taken = standing[number]
    return did(control, NOTED, answer=f"Withdrawn: {taken.text}", number=taken.seq)


def skips(panel: Panel, control: Control) -> Outcome:
    """The next turn that is not posted, or one persona's; the host's are never dropped."""
    counts = ""
    if cold(panel):
        counts = "It counts as a missing verdict" + (
            " (ERRORED)." if panel.format == "council" else ", which is a fail."
        )
    if not control.persona:
        if panel.closing and not panel.asks and not _summaries_left(panel):
            return refused(control, "Only the synthesis is left; `stop` ends without it.")
        return did(control, GO, answer=counts)
    if why := _silent(panel, control.persona) or _no_turn_left(panel, control.persona):
        return refused(control, why)
    if control.persona in panel.skips:
        return refused(control, f"{_name(panel, control)}'s next turn is dropped already.")
    return did(control, GO, answer=counts)


def answers(panel: Panel, control: Control) -> Outcome:
    """After the end only answers can be dropped."""
    due = [ask for ask in panel.asks if control.persona in ("", ask.persona)]
    if not due:
        return refused(control, "The panel is over: there is no turn to skip.")
    return did(control, GO, answer="The answer under way is dropped.")


def asks(panel: Panel, control: Control) -> Outcome:
    """Answered next, out of order; after the end without taking the panel up again."""
    if control.persona == HOST or (ended(panel) and not _absent(panel, control.persona)):
        return did(control, GO)
    if why := _silent(panel, control.persona):
        return refused(control, why)
    if panel.status == "waiting" and panel.reason.startswith("go-ahead"):
        return did(control, GO, answer=f"{_name(panel, control)} answers once the panel has begun.")
    if panel.status != "running":
        return did(control, GO, answer=f"{_name(panel, control)} answers once the panel goes on.")
    later = f"{_name(panel, control)} answers after this round: it is a cold one." if cold(panel) else ""
    return did(control, GO, answer=later)


def adds(panel: Panel, control: Control) -> Outcome:
    """A new persona, one that was left out, or one that was dropped or muted, from the next round on."""
    seat = control.seat or panel.seat(control.persona)
    if why := _can_not_join(panel, control, seat):
        return refused(control, why)
    if control.seat is None and seat is not None and not seat.included:
        control = control.model_copy(update={"seat": seat.model_copy(update={"included": True})})
    return did(control, GO, answer=_from(panel, control, "takes part"))


def drops(panel: Panel, control: Control) -> Outcome:
    return _leaves(panel, control, "dropped", "is gone")


def mutes(panel: Panel, control: Control) -> Outcome:
    return _leaves(panel, control, "muted", "is silent")


def unmutes(panel: Panel, control: Control) -> Outcome:
    state = panel.state_of(control.persona, panel.round + 1)
    if state == "dropped":
        return refused(control, f"{_name(panel, control)} was dropped; `add {_name(panel, control)}` brings them back.")
    if state != "muted":
        return refused(control, _absent(panel, control.persona) or f"{_name(panel, control)} is not muted.")
    return did(control, GO, answer=_from(panel, control, "speaks again"))


def _leaves(panel: Panel, control: Control, state: str, says: str) -> Outcome:
    name = _name(panel, control)
    now = panel.state_of(control.persona, panel.round + 1)
    if why := _absent(panel, control.persona) or _settled(panel):
        return refused(control, why)
    if now in (state, "dropped"):
        return refused(control, f"{name} is {now} already.")
    if panel.format == "council" and control.persona in ALWAYS_ON:
        return refused(control, f"{name} is one of the four lenses that every council keeps.")
    seat = panel.seat(control.persona)
    if seat is not None and seat.moderates:
        if panel.opened.options.until_done:
            return refused(control, f"{name} moderates and says when the panel is done, so it stays.")
    elif now == "ok" and len(panel.speakers(panel.round + 1)) <= FEWEST.get(panel.format, 1):
        fewest = "A debate needs two speakers" if panel.format == "debate" else "Nobody else is left to speak"
        return refused(control, f"{fewest}: {name} stays.")
    return did(control, GO, answer=_from(panel, control, says))


def _can_not_join(panel: Panel, control: Control, seat: Seat | None) -> str:
    if seat is None:
        return f"Nobody here is called “{control.persona}”."
    name = seat.persona.name
    known = panel.seat(control.persona)
    if not seat.available:
        return f"{name} could not be loaded: {seat.reason}"
    if panel.format == "council" and known is None:
        return f"A council's bench is fixed: {name} is none of its lenses."
    if panel.state_of(control.persona, panel.round + 1) == "ok":
        return f"{name} moderates already." if known and known.moderates else f"{name} takes part already."
    if panel.format == "review" and len(panel.speakers(panel.round + 1)) >= REVIEWERS:
        return f"A review has at most {REVIEWERS} personas."
    return _settled(panel)


def _settled(panel: Panel) -> str:
    """Why the roster can not change any more; empty where it can."""
    if panel.closing and not ended(panel):
        return "It is closing already; `extend N` adds rounds first."
    begun = not (panel.status == "waiting" and panel.reason.startswith("go-ahead"))
    if panel.format == "review" and begun:
        return "A review has one round, and it has begun: the roster stands; `skip NAME` drops a verdict."
    return ""


def _from(panel: Panel, control: Control, says: str) -> str:
    name = control.seat.persona.name if control.seat else _name(panel, control)
    if not panel.round:
        return f"{name} {says} from the start."
    if ended(panel):
        return f"{name} {says} once the panel is continued."
    last = panel.round >= panel.rounds_max
    return f"{name} {says} from round {panel.round + 1} on" + ("; this is the last one." if last else ".")


def _silent(panel: Panel, persona: str) -> str:
    """Why the persona has nothing to say now; empty where it speaks."""
    name = panel.name_of(persona)
    state = panel.state_of(persona, panel.round + 1)
    if state == "ok" or panel.state_of(persona, max(panel.round, 1)) == "ok":
        return ""
    if state == "muted":
        return f"{name} is muted; `unmute {name}` first."
    return _absent(panel, persona) or f"{name} was dropped; `add {name}` brings them back."


def _absent(panel: Panel, persona: str) -> str:
    """Why the persona has no part in the panel at all; empty where it has one, or had."""
    seat = panel.seat(persona)
    if seat is None:
        return f"Nobody here is called “{persona}”."
    if not seat.included:
        return f"{seat.persona.name} is not in the roster ({seat.reason or 'not chosen'}); `add` first."
    return "" if seat.available else f"{seat.persona.name} could not be loaded: {seat.reason}"


def _no_turn_left(panel: Panel, persona: str) -> str:
    """In the last round, whoever has spoken has no turn left but a final summary or an answer."""
    gave = any(
        key[2] == persona and key[1] == panel.round and key[0] not in ("answer", "summary") for key in panel.done
    )
    last = panel.round >= panel.rounds_max or bool(panel.closing)
    asked = any(ask.persona == persona for ask in panel.asks)
    if asked or not last or (not gave and not panel.closing) or persona in _summaries_left(panel):
        return ""
    return f"{panel.name_of(persona)} has no turn left."


def _summaries_left(panel: Panel) -> tuple[str, ...]:
    if not panel.opened.options.final_summary:
        return ()
    names = (seat.persona.short_name for seat in panel.speakers(max(panel.round, 1)))
    return tuple(name for name in names if not panel.has("summary", max(panel.round, 1), name))


def _name(panel: Panel, control: Control) -> str:
    return panel.name_of(control.persona)
