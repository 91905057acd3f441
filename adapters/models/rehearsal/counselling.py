"""A rehearsed council: lenses judge by their cues, hold, or give way to a fault that their own criteria speak of."""

import re
from typing import Any

from adapters.models.rehearsal.grounds import Observation
from adapters.models.rehearsal.judging import Judged, judged
from adapters.models.rehearsal.matter import likeness
from adapters.models.rehearsal.reviewing import first_words
from adapters.models.rehearsal.stage import Stage, stage_of
from bot.core.formats.council_bench import CONDITIONAL
from bot.core.persona import HOST, Persona
from bot.core.scene import Line, Scene

VERDICTS = {"good": "PASS", "doubtful": "CONCERN", "bad": "FAIL"}
STANCES = {"!": "change", "?": "change", "+": "keep"}
REMOVERS = frozenset({"removal", "simplicity", "minimalism"})
"""Tags of a lens that would take things out rather than mend them."""
NEAR = 2
"""Telling words that a fault shares with a criterion before a lens gives way to it."""

_HEAD = re.compile(r"\*\*(?:(?:Hold|Revise|Concede): )?(?:[A-Z/]+ → )?(PASS|CONCERN|FAIL|N/A)\.\*\* ")
_FAULT = re.compile(r"^- .+?, (?:change|remove): (.+)$", re.MULTILINE)


def lens(scene: Scene) -> dict[str, Any]:
    """The answer `lens`, cold or after the others' last words."""
    stage = stage_of(scene)
    seen = judged(stage.persona, scene.documents)
    cold = _cold(stage.persona, seen)
    return cold if scene.kind == "verdict" else _crossed(stage, cold)


def bench(scene: Scene) -> dict[str, Any]:
    """The answer `bench`: the rules decide, so nothing is said."""
    _ = scene
    return {"lenses": []}


def council_synthesis(scene: Scene) -> dict[str, Any]:
    """The answer `council_synthesis`, from the last words of each lens."""
    last = {line.short_name: line for line in _lenses(scene)}
    said = [(line, _verdict(line), first_words(_HEAD.sub("", line.text, count=1))) for line in last.values()]
    return {
        "blockers": [_claim(line, "does not let it pass:", quote) for line, given, quote in said if given == "FAIL"],
        "headline": _headline(scene, [(line, quote) for line, _, quote in said]),
        "positions": [_claim(line, "says:", quote) for line, _, quote in said],
        "verdict": scene.values.get("final", ""),
        "trade_off": _trade_off([(line, given) for line, given, _ in said]),
    }


def _cold(persona: Persona, seen: Judged) -> dict[str, Any]:
    nothing = seen.silent and persona.short_name in CONDITIONAL
    return {
        "lens": persona.short_name,
        "verdict": "N/A" if nothing else VERDICTS[seen.judgement],
        "rationale": "Nothing in it is for my lens to judge." if nothing else seen.rationale,
        "findings": [_finding(one, persona) for one in seen.observations if one.quote and one.sign in STANCES],
        "evidence": [f"“{one.quote}”" for one in seen.observations if one.quote and one.sign not in STANCES],
        "position": "first",
        "moved_by": [],
    }


def _crossed(stage: Stage, cold: dict[str, Any]) -> dict[str, Any]:
    """Hold, unless a fault that somebody failed it for is one that this lens's own criteria speak of."""
    faults = [(line, claim) for line in stage.others if _verdict(line) == "FAIL" for claim in _FAULT.findall(line.text)]
    if cold["verdict"] == "PASS":
        for line, claim in faults:
            if any(likeness(claim, criterion) >= NEAR for criterion in stage.persona.evaluation_criteria):
                moved = {"lens": line.speaker, "claim": claim}
                why = f"**{line.speaker}** has a point that I had missed: “{claim}” So it is no pass for me any more."
                return {**cold, "verdict": "CONCERN", "position": "concede", "moved_by": [moved], "rationale": why}
    opposed = faults[stage.turn % len(faults)] if faults else None
    answer = stage.conviction(opposed[1] if opposed else stage.scene.topic)
    heard = f"I have heard **{opposed[0].speaker}**: “{opposed[1]}” " if opposed else ""
    rationale = f"{cold['rationale']} {heard}{answer}".strip()
    return {**cold, "position": "hold", "rationale": rationale}


def _finding(one: Observation, persona: Persona) -> dict[str, str]:
    removes = one.sign in ("!", "?") and bool(REMOVERS & set(persona.tags))
    return {"anchor": one.quote, "claim": one.claim, "stance": "remove" if removes else STANCES[one.sign]}


def _headline(scene: Scene, said: list[tuple[Line, str]]) -> dict[str, Any] | None:
    """The disagreement that the format names, with those whom it names."""
    text = scene.values.get("headline", "")
    named = [(line, quote) for line, quote in said if line.speaker in text]
    if len(named) < 2 or not named[0][1]:
        return None
    return {"text": f"{text}.", "speakers": [line.speaker for line, _ in named], "quote": named[0][1]}


def _trade_off(said: list[tuple[Line, str]]) -> str:
    against = [line.speaker for line, given in said if given in ("FAIL", "CONCERN")]
    if against:
        return f"Mend what {', '.join(against)} found first, and lose the time; or go on, and carry it knowingly."
    return "Nothing on this bench stands against it; what is left is whether it is worth the work."


def _claim(line: Line, text: str, quote: str) -> dict[str, Any]:
    return {"text": text, "speakers": [line.speaker], "quote": quote}


def _verdict(line: Line) -> str:
    found = _HEAD.match(line.text)
    return found[1] if found else ""


def _lenses(scene: Scene) -> list[Line]:
    return [line for line in scene.transcript if line.short_name not in ("", HOST) and _verdict(line)]
