"""Panels in every phase of every format, for the tests of steering."""

from bot.core.entries import AnyEntry, Closing, Control, Directive, Human, Opened, Seat, StatusChanged, Turn, TurnKind
from bot.core.fold import opened
from bot.core.options import FormatName, Options
from bot.core.panel import Panel
from bot.core.persona import HOST, Persona
from bot.core.phases import Phase
from bot.core.place import Person, Place
from bot.core.steering.taking import View

PLACE = Place(platform="fake", workspace="W", channel="C", thread="T")
MARIA = Person(id="u1", name="Maria", role="member")
"""The starter."""
BOSS = Person(id="u2", name="Boss", role="admin")
MEMBER = Person(id="u3", name="Mei", role="member")
GUEST = Person(id="u4", name="Gus", role="guest")

CAST = {"ada": "Ada Lowell", "bo": "Bo Ridge", "cy": "Cy Tan"}
LENSES = {
    "intent-keeper": "Intent Keeper",
    "cranky-old-sam": "Cranky Old Sam",
    "crusty-old-engineer": "Crusty Old Engineer",
    "restless-old-brian": "Restless Old Brian",
    "user-advocate": "User Advocate",
}
ROUND: dict[FormatName, int] = {"discussion": 2, "debate": 2, "review": 1, "council": 2}
KINDS: dict[FormatName, TurnKind] = {
    "discussion": "statement",
    "debate": "rebuttal",
    "review": "verdict",
    "council": "verdict",
}


def seat(short_name: str, name: str, *, included: bool = True, moderates: bool = False) -> Seat:
    """A seat whose persona has that name."""
    persona = Persona(short_name=short_name, name=name, body="Speaks plainly.")
    return Seat(persona=persona, included=included, moderates=moderates, reason="" if included else "not applicable")


DORA = seat("dora", "Dora Quist")
BENCH = (DORA, seat("ezra", "Ezra Holm"))


def seats_of(format_name: FormatName) -> tuple[Seat, ...]:
    """Three speakers; in a council its lenses, of which one is left out."""
    if format_name == "council":
        left_out = seat("tester-breaker", "Tester Breaker", included=False)
        return (*(seat(short, name) for short, name in LENSES.items()), left_out)
    return tuple(seat(short, name) for short, name in CAST.items())


def panel_of(*entries: AnyEntry, format_name: FormatName = "discussion", **given: object) -> Panel:
    """A panel with that log behind its opening; `given` are fields of `Opened`."""
    first = Opened(
        seq=1,
        at=1000.0,
        **{
            "format": format_name,
            "topic": "Retries",
            "starter": MARIA,
            "seats": seats_of(format_name),
            "options": Options(rounds=1 if format_name == "review" else 3),
            **given,
        },
    )
    numbered = (entry.model_copy(update={"seq": number}) for number, entry in enumerate(entries, 2))
    return opened("p1", PLACE, (first, *numbered))


def spoken_rounds(format_name: FormatName) -> tuple[Turn, ...]:
    """Everybody in the rounds before the newest, the first speaker alone in the newest."""
    names = [s.persona.short_name for s in seats_of(format_name) if s.included]
    newest = ROUND[format_name]
    given = [(name, number) for number in range(1, newest) for name in names] + [(names[0], newest)]
    return tuple(
        Turn(turn_kind=KINDS[format_name], round=number, persona=name, text="I think so.", cost_usd=0.1)
        for name, number in given
    )


def in_phase(phase: Phase, format_name: FormatName = "discussion", **given: object) -> Panel:
    """A panel in that phase: one directive stands, one speaker has been muted, half a dollar of one is spent or so."""
    if phase == "go-ahead":
        before: tuple[AnyEntry, ...] = (Directive(author=MARIA, text="be kind", message_id="d1"),)
        return panel_of(*before, format_name=format_name, **{"approval": True, **given})
    log: list[AnyEntry] = [*spoken_rounds(format_name), Directive(author=MARIA, text="be kind", message_id="d1")]
    if format_name in ("discussion", "council"):
        muted = "cy" if format_name == "discussion" else "user-advocate"
        log.append(Control(author=MARIA, text=f"mute {muted}", word="mute", persona=muted))
    options = Options(rounds=1 if format_name == "review" else 3, max_cost=2.0)
    return panel_of(*log, *_ending(phase, ROUND[format_name]), format_name=format_name, **{"options": options, **given})


def _ending(phase: Phase, number: int) -> tuple[AnyEntry, ...]:
    match phase:
        case "waiting":
            return (StatusChanged(status="waiting", reason="budget: the cap is near"),)
        case "closing":
            return (Closing(reason="wrap up"),)
        case "paused":
            return (StatusChanged(status="paused", reason="human", by="Maria"),)
        case "finished":
            synthesis = Turn(turn_kind="synthesis", round=number, persona=HOST, text="All agree.")
            return (Closing(reason="rounds"), synthesis, StatusChanged(status="finished", reason="rounds"))
        case "stopped":
            return (StatusChanged(status="stopped", reason="human", by="Maria"),)
        case "failed":
            return (StatusChanged(status="failed", reason="the thread is gone"),)
    return ()


def view_of(panel: Panel, author: Person = BOSS, **given: object) -> View:
    """The admin's view, unless another is named."""
    fields: dict[str, object] = {"at": 2000.0, "message_id": "m1", "bench": BENCH, **given}
    return View(panel=panel, author=author, **fields)  # type: ignore[arg-type]  # fields of View by name


def human(text: str, message_id: str = "") -> Human:
    """A contribution by the starter."""
    return Human(author=MARIA, text=text, message_id=message_id)
