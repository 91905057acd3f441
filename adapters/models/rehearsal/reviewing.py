"""A rehearsed review: each persona judges by its cues or criteria; the coordinator gives the strictest verdict."""

import re
from typing import Any

from adapters.models.rehearsal.grounds import Observation
from adapters.models.rehearsal.judging import judged
from adapters.models.rehearsal.stage import stage_of
from bot.core.persona import HOST
from bot.core.scene import Line, Scene
from bot.core.words import sentences, words

VERDICTS = {"good": "pass", "doubtful": "warn", "bad": "fail"}
SEVERITIES = {"!": "high", "?": "medium", "+": "low", "": "low"}
STRICTEST = ("fail", "warn", "pass")
SHORTEST = 5
"""Words of a quotation."""

_VERDICT = re.compile(r"\*\*(Pass|Warn|Fail)\.\*\* ")


def verdict(scene: Scene) -> dict[str, Any]:
    """The answer `verdict`."""
    persona = stage_of(scene).persona
    seen = judged(persona, scene.documents)
    return {
        "verdict": VERDICTS[seen.judgement],
        "rationale": seen.rationale,
        "recommendations": list(seen.recommendations),
        "findings": [_finding(one) for one in seen.observations if one.quote],
        "derived_sources": [],
    }


def coordinated(scene: Scene) -> dict[str, Any]:
    """The answer `coordinator`: the strictest verdict, with the reasons of those who gave it."""
    said = [(line, found[1].casefold()) for line in _spoken(scene) if (found := _VERDICT.match(line.text))]
    final = next((one for one in STRICTEST if any(given == one for _, given in said)), "fail")
    weighty = [(line, first_words(_VERDICT.sub("", line.text, count=1))) for line, given in said if given == final]
    names = ", ".join(line.speaker for line, _ in weighty) or "nobody"
    return {
        "verdict": final,
        "reason": f"The strictest verdict stands: {final}, by {names}.",
        "points": [{"text": f"{ln.speaker}: “{q}”", "speakers": [ln.speaker], "quote": q} for ln, q in weighty if q],
    }


def first_words(text: str) -> str:
    """As many of a text's first sentences as make a quotation, word for word."""
    kept = ""
    for sentence in sentences(text):
        end = text.find(sentence) + len(sentence)
        kept = text[:end].strip()
        if words(kept) >= SHORTEST:
            break
    return " ".join(kept.split())


def _spoken(scene: Scene) -> list[Line]:
    return [line for line in scene.transcript if line.short_name not in ("", HOST)]


def _finding(one: Observation) -> dict[str, str]:
    return {"anchor": one.quote, "claim": one.claim, "severity": SEVERITIES[one.sign]}
