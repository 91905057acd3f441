"""How a council reads: each lens's word, and the synthesis, whose parts code puts in their order."""

from typing import Any

from bot.core.document import Document
from bot.core.formats.anchors import where
from bot.core.formats.answer import Claim, lines_of
from bot.core.formats.answers_council import CouncilSynthesis, LensAnswer
from bot.core.formats.council_record import record_of
from bot.core.formats.council_state import disagreement, errored, final, verdicts
from bot.core.formats.format import Cue, Written
from bot.core.formats.verdicts import standing, verdict_of
from bot.core.panel import Panel
from bot.core.said import short_name_of
from bot.core.words import sentences, words

NOTE = "_Put together by rule from the lenses' own verdicts, without a model's prose._"
FEWEST_QUOTED = 5
"""Words that a quotation has at least."""


def lens_turn(panel: Panel, cue: Cue, answer: LensAnswer) -> Written:
    """One lens's word as it is said, and its values; a changed verdict is no holding, whatever it calls itself."""
    earlier = standing(panel, cue.round - 1).get(cue.persona)
    before = verdict_of(earlier) if earlier else ""
    position = answer.position if before else "first"
    if before and position in ("first", "hold"):
        position = "hold" if before == answer.verdict else "revise"
    data = {**answer.model_dump(mode="json"), "lens": cue.persona, "position": position}
    return Written(text=_lens_text(answer, before, position, panel.opened.documents), data=data)


def _lens_text(answer: LensAnswer, before: str, position: str, documents: tuple[Document, ...]) -> str:
    verdict = answer.verdict if before in ("", answer.verdict) else f"{before} → {answer.verdict}"
    head = f"**{verdict}.**" if position == "first" else f"**{position.capitalize()}: {verdict}.**"
    parts = [f"{head} {answer.rationale.strip()}"]
    parts.append("\n".join(f"- Moved by {_line(by.lens)}: “{_line(by.claim)}”" for by in answer.moved_by if before))
    found = (f"- {where(f.anchor, documents)}, {f.stance}: {_line(f.claim)}" for f in answer.findings)
    parts.append("\n".join(found))
    if answer.evidence:
        parts.append("Looked at:\n" + "\n".join(f"- {_line(text)}" for text in answer.evidence))
    return "\n\n".join(part for part in parts if part)


def facts(panel: Panel) -> dict[str, str]:
    """What the prompt for the synthesis tells: the verdicts as they stand, and the disagreement to put first."""
    rows = [f"- {panel.name_of(lens)}: {verdict}" for lens, verdict in verdicts(panel, panel.round).items()]
    divides = disagreement(panel)
    return {
        "verdicts": "\n".join(rows) or "- nobody gave one",
        "final": final(panel),
        "headline": divides.text if divides else "none stands; leave `headline` null",
    }


def synthesized(panel: Panel, answer: CouncilSynthesis) -> Written:
    """The model's account, put in order; roster, verdicts and tallies are code's."""
    quoted = {short_name_of(panel, name): claim for claim in answer.blockers for name in claim.speakers[:1]}
    blockers = [f"{_titled(panel, lens)}: “{_line(claim.quote)}”" for lens, claim in quoted.items()]
    headline = f"{_line(answer.headline.text)} “{_line(answer.headline.quote)}”" if answer.headline else ""
    positions = [_position(panel, claim) for claim in answer.positions]
    text = _ordered(panel, blockers, headline, positions, _line(answer.trade_off))
    return Written(text=text, data=record_of(panel))


def deterministic(panel: Panel) -> Written:
    """The same from the verdicts alone; it says that it is put together by rule."""
    turns = standing(panel, panel.round)
    blockers = [
        f"{_titled(panel, lens)}: “{_line(str((turn.data or {}).get('rationale', '')))}”"
        for lens, turn in turns.items()
        if verdict_of(turn) == "FAIL"
    ]
    positions = [f"{_titled(panel, lens)}: “{quotable(turn.data)}”" for lens, turn in turns.items()]
    divides = disagreement(panel)
    text = _ordered(panel, blockers, divides.text if divides else "", positions, _trade_off(panel))
    return Written(text=f"{text}\n\n{NOTE}", data=record_of(panel))


def quotable(data: dict[str, Any] | None) -> str:
    """The first words of a lens that make a quotation: whole sentences, five words or more."""
    kept = ""
    for sentence in sentences(str((data or {}).get("rationale", ""))):
        kept = f"{kept} {sentence}".strip()
        if words(kept) >= FEWEST_QUOTED:
            break
    return _line(kept)


def _ordered(panel: Panel, blockers: list[str], headline: str, positions: list[str], trade_off: str) -> str:
    parts = [
        _roster(panel),
        lines_of("Unresolved blockers", tuple(blockers)),
        f"**Headline disagreement:** {headline}" if headline else "",
        lines_of("What each lens holds", tuple(positions)),
        _verdict(panel),
        f"**To decide:** {trade_off}",
    ]
    return "\n\n".join(part for part in parts if part)


def _roster(panel: Panel) -> str:
    lost = errored(panel)
    turns = standing(panel, panel.round)
    consulted = ", ".join(panel.name_of(lens) for lens in turns) or "nobody"
    lines = [f"- **Consulted:** {consulted}"]
    for seat in panel.seats:
        if not seat.included:
            lines.append(f"- **Not consulted:** {seat.persona.name} ({_line(seat.reason)})")
    for seat in panel.seats:
        if seat.included and not seat.available:
            lines.append(f"- **UNAVAILABLE:** {seat.persona.name} ({_line(seat.reason.removeprefix('UNAVAILABLE: '))})")
    for lens, why in lost.items():
        stands = f"; its word of before stands: {verdict_of(turns[lens])}" if lens in turns else ""
        lines.append(f"- **ERRORED, so this council is incomplete:** {panel.name_of(lens)} ({_line(why)}{stands})")
    return "\n".join(lines)


def _verdict(panel: Panel) -> str:
    verdict, lost = final(panel), errored(panel)
    if verdict == "incomplete":
        head = "**Verdict:** none; the council is **incomplete**"
    else:
        head = f"**Verdict: {verdict}**" + (" (incomplete)" if lost else "")
    tallies = f"before the exchange {_tally(panel, 1)}; after it {_tally(panel, panel.round)}"
    return f"{head}: {tallies}." if panel.round > 1 else f"{head}: {_tally(panel, 1)}."


def _tally(panel: Panel, until: int) -> str:
    given = list(verdicts(panel, until).values())
    counted = [f"{given.count(one)} {one}" for one in ("PASS", "CONCERN", "FAIL", "N/A") if given.count(one)]
    return ", ".join(counted) or "no verdict"


def _trade_off(panel: Panel) -> str:
    if divides := disagreement(panel):
        return f"whose risk you would rather carry, since both can not be had: {divides.text}."
    given = verdicts(panel, panel.round)
    against = [panel.name_of(lens) for lens, verdict in given.items() if verdict == "FAIL"]
    if against:
        return f"mend what {', '.join(against)} will not let pass before going on, or go on and carry it knowingly."
    worried = [panel.name_of(lens) for lens, verdict in given.items() if verdict == "CONCERN"]
    if worried:
        return f"whether the concerns of {', '.join(worried)} are worth their time now, or are accepted as they are."
    return "nothing on this bench stands against it; what is left is whether it is worth doing."


def _titled(panel: Panel, lens: str) -> str:
    verdict = verdicts(panel, panel.round).get(lens, "")
    return f"{panel.name_of(lens)} ({verdict})"


def _position(panel: Panel, claim: Claim) -> str:
    names = ", ".join(_titled(panel, short_name_of(panel, name)) for name in claim.speakers)
    return f"{names}: {_line(claim.text)} “{_line(claim.quote)}”"


def _line(text: str) -> str:
    return " ".join(text.split())
