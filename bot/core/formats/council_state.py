"""Where a council stands after a round: verdicts, open items, what moved, and whether it is stable."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

from bot.core.entries import Event, Turn
from bot.core.fold import CONTINUED
from bot.core.formats.anchors import same_spot, where
from bot.core.formats.verdicts import KINDS, errors_in, standing, verdict_of, verdicts_in
from bot.core.panel import Panel
from bot.core.rounds import dropped, owed
from bot.core.said import short_name_of, words_of
from bot.core.words import plain, quotes

ORDER = ("FAIL", "CONCERN", "PASS")
"""From the verdict that weighs most."""
INCOMPLETE = "incomplete"
ERRORED = "ERRORED"
SHARED_WORDS = 0.6
"""So much of a claim's words must be those of the lens that is named for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One lens's finding."""

    lens: str
    anchor: str
    claim: str
    stance: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """What still divides the council."""

    lenses: tuple[str, ...]
    """Short names, at least two."""
    text: str


def speaks(panel: Panel, round_: int) -> tuple[str, ...]:
    """Who still owes a word in that round; a lens that has failed and never gave a verdict is not asked again."""
    lost = {name for earlier in range(1, round_) for name in _failed_in(panel, earlier)}
    spoke = standing(panel, round_ - 1)
    names = (seat.persona.short_name for seat in owed(panel, KINDS, round_))
    return tuple(name for name in names if name in spoke or name not in lost)


def errored(panel: Panel) -> dict[str, str]:
    """The lenses that failed last, or closed without a word: short name → why."""
    found = errors_in(panel)
    spoke = standing(panel, panel.round)
    for seat in panel.speakers(1):
        if seat.persona.short_name not in spoke:
            found.setdefault(seat.persona.short_name, "the council closed before it spoke")
    return found


def verdicts(panel: Panel, until: int) -> dict[str, str]:
    """Each lens's verdict as it stands after that round."""
    return {lens: verdict_of(turn) for lens, turn in standing(panel, until).items()}


def final(panel: Panel) -> str:
    """FAIL if any stands, else CONCERN if any, else PASS if any; `incomplete` where there is none of them."""
    given = set(verdicts(panel, panel.round).values())
    return next((verdict for verdict in ORDER if verdict in given), INCOMPLETE)


def findings(turns: dict[str, Turn]) -> tuple[Found, ...]:
    """What these turns found."""
    return tuple(
        Found(
            lens=lens,
            anchor=str(one.get("anchor", "")),
            claim=str(one.get("claim", "")),
            stance=str(one.get("stance", "")),
        )
        for lens, turn in turns.items()
        for one in (turn.data or {}).get("findings", [])
    )


def conflicts(panel: Panel, until: int) -> tuple[tuple[Found, Found], ...]:
    """Direct conflicts that stand: two lenses, one finding, different stances."""
    documents = panel.opened.documents
    return tuple(
        (one, other)
        for one, other in combinations(findings(standing(panel, until)), 2)
        if one.lens != other.lens and one.stance != other.stance and same_spot(one.anchor, other.anchor, documents)
    )


def open_items(panel: Panel, until: int) -> bool:
    """Whether a FAIL or a direct conflict stands after that round."""
    return "FAIL" in verdicts(panel, until).values() or bool(conflicts(panel, until))


def moved(panel: Panel, round_: int) -> bool:
    """Whether that round changed a verdict or brought a new finding."""
    before = verdicts(panel, round_ - 1)
    now = verdicts_in(panel, round_)
    if any(before.get(lens) != verdict_of(turn) for lens, turn in now.items()):
        return True
    known = [found for earlier in range(1, round_) for found in findings(verdicts_in(panel, earlier))]
    documents = panel.opened.documents
    return any(not any(same_spot(new.anchor, old.anchor, documents) for old in known) for new in findings(now))


def taken_up_again(panel: Panel) -> bool:
    """Whether people took the council up again after its last word: then it goes on, stable or not."""
    last = max((turn.seq for turn in panel.turns if turn.turn_kind in KINDS), default=0)
    again = (entry.seq for entry in panel.entries if isinstance(entry, Event) and entry.name == CONTINUED)
    return max(again, default=0) > last


def disagreement(panel: Panel) -> Disagreement | None:
    """The headline: a direct conflict that stands, else a FAIL against a PASS; None where neither is there."""
    clashes = conflicts(panel, panel.round)
    if clashes:
        one, other = clashes[0]
        names = panel.name_of(one.lens), panel.name_of(other.lens)
        place = where(one.anchor, panel.opened.documents)
        text = f"{names[0]} would {one.stance} what {names[1]} would {other.stance}: {place}"
        lenses = tuple(dict.fromkeys(found.lens for pair in clashes for found in pair))
        return Disagreement(lenses=lenses, text=text)
    given = verdicts(panel, panel.round)
    against = [lens for lens, verdict in given.items() if verdict == "FAIL"]
    in_favour = [lens for lens, verdict in given.items() if verdict == "PASS"]
    if not against or not in_favour:
        return None
    sides = [", ".join(panel.name_of(lens) for lens in side) for side in (against, in_favour)]
    return Disagreement(lenses=(*against, *in_favour), text=f"FAIL from {sides[0]} stands against PASS from {sides[1]}")


def changes(panel: Panel, round_: int) -> list[dict[str, Any]]:
    """Who changed in that round, from what to what, and what moved it; one without a cause is marked."""
    before = verdicts(panel, round_ - 1)
    rows = []
    for lens, turn in verdicts_in(panel, round_).items():
        data = turn.data or {}
        old, new = before.get(lens), verdict_of(turn)
        if old is None or (old == new and data.get("position") not in ("revise", "concede")):
            continue
        cause = cause_of(panel, lens, data.get("moved_by", []))
        row = {"lens": lens, "from": old, "to": new, "position": data.get("position"), "cause": cause}
        rows.append({**row, "uncaused": cause is None})
    return rows


def cause_of(panel: Panel, lens: str, moved_by: list[dict[str, Any]]) -> dict[str, str] | None:
    """The first finding or claim named that another lens really made."""
    for one in moved_by:
        name, claim = short_name_of(panel, str(one.get("lens", ""))), str(one.get("claim", ""))
        if name and name != lens and _stands_in(claim, words_of(panel, name)):
            return {"lens": name, "claim": claim}
    return None


def _stands_in(claim: str, said: str) -> bool:
    """Word for word, or at least in most of its words."""
    if quotes(claim, said):
        return True
    own, heard = (set(plain(text).casefold().split()) for text in (claim, said))
    telling = {word for word in own if len(word) > 3}
    return bool(telling) and len(telling & heard) / len(telling) >= SHARED_WORDS


def _failed_in(panel: Panel, round_: int) -> set[str]:
    return {skip.persona for skip in dropped(panel, KINDS, round_)}
