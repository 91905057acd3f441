"""The rehearsed host's synthesis: every claim is a remark that stands in the transcript, with the one who made it."""

from typing import Any

from adapters.models.rehearsal.matter import matter_of
from adapters.models.rehearsal.stage import CHANGE
from bot.core.persona import HOST
from bot.core.scene import Line, Scene
from bot.core.speech.cues import Cue
from bot.core.words import sentences, words

ROOM = {"debate": 170}
"""Words per format, well under what the format allows."""
USUAL_ROOM = 290
CONCEDES = "I concede this to "
_AGAINST = ("!", "?")

Said = tuple[str, str, Cue | None]
"""Speaker's name, sentence, and the cue whose remark it begins; None for any other sentence."""


def synthesis(scene: Scene) -> dict[str, Any]:
    """The answer `synthesis`, within the format's room."""
    said = _said(scene)
    answer: dict[str, Any] = {
        "agreements": _agreements(said),
        "disagreements": _disagreements(said),
        "changes_of_view": _concessions(scene),
        "recommendations": _recommendations(said),
        "open_questions": _questions(scene),
        "next_steps": [],
        "declares_winner": False,
    }
    _tighten(answer, ROOM.get(scene.format, USUAL_ROOM))
    return answer


def _said(scene: Scene) -> list[Said]:
    """The persona's remarks on the target that stand in the transcript; for others, their last plain sentence."""
    said: list[Said] = []
    for persona in scene.others:
        text = "\n".join(line.text for line in scene.transcript if line.short_name == persona.short_name)
        made = [cue for cue in matter_of(persona, scene.documents).cues.cues if cue.remark in text]
        said += [(persona.name, _first_sentence(cue.remark), cue) for cue in made]
        if not made and (last := _last_sentence(text)):
            said.append((persona.name, last, None))
    return said


def _first_sentence(remark: str) -> str:
    """Enough of a remark to be a quotation: five words or more."""
    kept = ""
    for sentence in sentences(remark):
        start = remark.index(sentence)
        kept = remark[: start + len(sentence)]
        if words(kept) >= 5:
            break
    return kept or remark


def _last_sentence(text: str) -> str:
    own = [s for s in sentences(text.split(CHANGE)[0]) if not set("“”") & set(s) and 5 <= words(s) <= 30]
    return own[-1] if own else ""


def _claim(text: str, speakers: list[str], quote: str) -> dict[str, Any]:
    return {"text": text, "speakers": speakers, "quote": quote}


def _agreements(said: list[Said]) -> list[dict[str, Any]]:
    """Two who both see a merit, or both a fault."""
    claims = []
    for signs, words_ in ((("+",), "find something in it to keep"), (("!",), "see a serious fault in it")):
        agreed = list({name: (name, quote) for name, quote, cue in said if cue and cue.sign in signs}.values())
        if len(agreed) > 1:
            (one, quote), (two, other) = agreed[0], agreed[1]
            claims.append(_claim(f"{one} and {two} both {words_}: “{quote}” and “{other}”", [one, two], quote))
    return claims


def _disagreements(said: list[Said]) -> list[dict[str, Any]]:
    """One who doubts against one who likes; failing that, two who stress different things."""
    for name, quote, cue in said:
        if cue is None or cue.sign not in _AGAINST:
            continue
        for other, counter, merit in said:
            if other != name and merit and merit.sign == "+":
                text = f"{name} objects: “{quote}”; {other} sees a merit: “{counter}”"
                return [_claim(text, [name, other], quote)]
    speakers = list({name: (name, quote) for name, quote, _ in said}.values())
    if len(speakers) < 2:
        return []
    (one, quote), (two, other) = speakers[0], speakers[1]
    return [_claim(f"{one} stresses “{quote}”, {two} stresses “{other}”", [one, two], quote)]


def _concessions(scene: Scene) -> list[dict[str, Any]]:
    claims = []
    for line in _persona_lines(scene)[-12:]:
        for sentence in sentences(line.text):
            if sentence.startswith(CONCEDES) and words(sentence) >= 5:
                closed = sentence if sentence.count("“") == sentence.count("”") else f"{sentence}”"
                claims.append(_claim(f"{line.speaker}: {closed}", [line.speaker], sentence))
    return claims[:3]


def _recommendations(said: list[Said]) -> list[dict[str, Any]]:
    """One per speaker: the remark that weighs most."""
    best: dict[str, tuple[int, str]] = {}
    for name, quote, cue in said:
        weight = _AGAINST.index(cue.sign) if cue and cue.sign in _AGAINST else 2
        if name not in best or weight < best[name][0]:
            best[name] = (weight, quote)
    return [_claim(f"{name}: “{quote}”", [name], quote) for name, (_, quote) in best.items()]


def _questions(scene: Scene) -> list[str]:
    asked: dict[str, None] = {}
    for line in reversed(_persona_lines(scene)[-24:]):
        for sentence in sentences(line.text):
            if sentence.endswith(("?", "？")) and not set("“”") & set(sentence):
                asked.setdefault(f"{line.speaker}: {sentence}")
    return list(asked)[:3] or [scene.topic]


def _persona_lines(scene: Scene) -> list[Line]:
    return [line for line in scene.transcript if line.short_name not in ("", HOST)]


def _tighten(answer: dict[str, Any], room: int) -> None:
    """Drop the least needed lines until the whole fits."""
    for key in ("recommendations", "changes_of_view", "open_questions", "agreements", "recommendations"):
        while _size(answer) > room and len(answer[key]) > 1:
            answer[key].pop()


def _size(answer: dict[str, Any]) -> int:
    texts = [claim["text"] for key, claims in answer.items() if isinstance(claims, list) for claim in claims_of(claims)]
    texts += answer["open_questions"] + answer["next_steps"]
    return words("\n".join(texts)) + 12


def claims_of(items: list[Any]) -> list[dict[str, Any]]:
    return [item for item in items if isinstance(item, dict)]
