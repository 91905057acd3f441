"""How a rehearsed persona speaks: its own sentences and remarks, joined by few and plain words."""

from collections.abc import Callable, Iterator, Mapping

from adapters.models.rehearsal.matter import as_clause
from adapters.models.rehearsal.noticing import Noticed, target_of
from adapters.models.rehearsal.passages import Passage, excerpt
from adapters.models.rehearsal.stage import CHANGE, Remark, Stage
from bot.core.scene import Scene
from bot.core.words import shortened, words

AIM = 45
"""Words after which an ordinary turn ends."""
TOPIC = 20
"""Words of a topic that a first turn names."""
DEBATED = 100
"""The same for a debate, whose turns have 150 to 300 words."""

_HEARD = (
    "{name}, you say “{said}” {answer}",
    "“{said}” says {name}. {answer}",
    "To {name}’s “{said}”: {answer}",
    "{name}: “{said}” {answer}",
    "I heard {name}: “{said}” {answer}",
)
_ASKED = (
    "{name} asks: “{said}” {answer}",
    "{name}, “{said}” First this: {answer}",
    "To {name}’s question “{said}”: {answer}",
)
_FOUND = (
    "“{passage}” ({where}).\n{remark}",
    "From {where}: “{passage}”\n{remark}",
    "Look at {where}: “{passage}”\n{remark}",
    "“{passage}”, in {where}.\n{remark}",
)
_MEASURED = ("My measure: {criterion}.", "What I hold it against: {criterion}.", "What I check here: {criterion}.")


def said_as(line_name: str, sentence: str, answer: str, turn: int) -> str:
    """An answer to a sentence that somebody said."""
    patterns = _ASKED if sentence.endswith(("?", "？")) else _HEARD
    return patterns[turn % len(patterns)].format(name=f"**{line_name}**", said=sentence, answer=answer).strip()


def found_as(stage: Stage, passage: Passage, quoted: str, remark: str) -> str:
    """A passage of the target, quoted with its place, and the remark on it."""
    where = passage.where
    if target_of(stage.scene.documents).several:
        where += f" of {passage.title}"
    pattern = _FOUND[stage.turn % len(_FOUND)]
    return pattern.format(passage=quoted, where=where, remark=remark).strip()


def noticed_as(stage: Stage, hit: Noticed) -> str:
    """What a cue noticed, with its remark."""
    said = hit.cue.remark
    # A persona without cues of its own is noticed by its criteria, which are no sentences.
    remark = said if said.rstrip()[-1:] in ".!?…。！？" else _measure(stage, as_clause(said))
    return found_as(stage, hit.passage, excerpt(hit.passage.text, hit.phrase), remark)


def _held(stage: Stage) -> str:
    """The next of its criteria as a sentence; empty where all are used up."""
    criterion = stage.criterion()
    return _measure(stage, criterion) if criterion else ""


def reply(stage: Stage) -> str:
    """What this persona answers to the last other speaker; empty where nobody has spoken."""
    heard = stage.heard()
    if heard is None:
        return ""
    line, sentence = heard
    answer = stage.remark_on(sentence) or stage.conviction(sentence) or stage.question() or stage.standing_question()
    return said_as(line.speaker, sentence, answer, stage.turn) if answer else ""


def finding(stage: Stage) -> str:
    """The next point in the target with its remark, or a second look at it by a criterion or a question."""
    if hit := stage.point():
        return noticed_as(stage, hit)
    if looked := stage.second_look():
        passage, quoted = looked
        remark = _held(stage) or stage.conviction(passage.text) or stage.standing_question()
        return found_as(stage, passage, quoted, remark)
    return ""


def _measure(stage: Stage, criterion: str) -> str:
    return _MEASURED[stage.turn % len(_MEASURED)].format(criterion=criterion)


def concession(stage: Stage, heard: Remark | None = None) -> str:
    """One point that somebody else got right, and what would move this persona further."""
    heard = heard or stage.heard_claim()
    if heard is None:
        return ""
    line, sentence = heard
    change = f"\n{CHANGE} {stage.matter.change}" if stage.matter.change else ""
    return f"I concede this to **{line.speaker}**: “{sentence}”{change}"


def _statement(stage: Stage) -> Iterator[str]:
    """The parts of an ordinary turn, in an order that changes from round to round."""
    scene = stage.scene
    if scene.round >= scene.rounds_max > 1 and stage.others:
        yield concession(stage)
        yield finding(stage)
        if criterion := stage.criterion():
            yield f"What has to be true at the end: {criterion}."
        else:
            yield stage.standing_question()
        return
    about = f"{scene.topic} {stage.others[0].text if stage.others else ''}"
    first, second = (reply, finding) if stage.turn % 3 or not stage.recent else (finding, reply)
    yield first(stage)
    yield second(stage)
    yield stage.question() if stage.turn % 2 else stage.conviction(about)
    yield stage.conviction(about)
    yield stage.question()
    yield stage.again()


def _opening(stage: Stage) -> Iterator[str]:
    """A debate's thesis; a discussion's opening is the moderator's."""
    yield stage.conviction(stage.scene.topic)
    yield finding(stage)


def padding(stage: Stage) -> Iterator[str]:
    """More of the persona's own matter, for turns that have a least length."""
    yield finding(stage)
    yield stage.conviction(stage.scene.topic)
    yield stage.question()
    while more := (finding(stage) or stage.conviction(stage.scene.topic) or _held(stage) or stage.again()):
        yield more


def _closing(stage: Stage) -> Iterator[str]:
    yield concession(stage)
    yield finding(stage)
    yield stage.conviction(stage.scene.topic)


def _summary(stage: Stage) -> Iterator[str]:
    """Three to five takeaways, what was agreed, what is open, the strongest recommendation."""
    takeaways = [hit.cue.remark for hit in stage.matter.noticed if hit.cue.remark in stage.own_words]
    takeaways += [text for text in stage.matter.convictions if text in stage.own_words]
    kept = list(dict.fromkeys(takeaways))[:3] or [stage.conviction(stage.scene.topic)]
    heard = stage.heard()
    lines = [f"- {text}" for text in kept if text]
    if heard:
        lines.append(f"- I agree with **{heard[0].speaker}**: “{heard[1]}”")
    if stage.matter.questions:
        lines.append(f"- Still open: {stage.matter.questions[stage.turn % len(stage.matter.questions)]}")
    if stage.matter.criteria:
        criterion = stage.matter.criteria[0]
        lines.append(f"- My one recommendation: see to it that {criterion}.")
    yield "\n".join(lines)


def _answer(stage: Stage) -> Iterator[str]:
    """To a person's question: the nearest passage, the nearest conviction."""
    asked = stage.scene.question
    name = stage.scene.asker or "You"
    remark = stage.remark_on(asked) or stage.conviction(asked) or stage.question()
    yield f"{name}, you ask “{asked.strip()}” {remark}".strip()
    yield finding(stage)


PARTS: Mapping[str, Callable[[Stage], Iterator[str]]] = {
    "statement": _statement,
    "opening": _opening,
    "rebuttal": _statement,
    "closing": _closing,
    "summary": _summary,
    "answer": _answer,
}
"""Kind of turn → its parts, in order; a kind that is not here is spoken like a statement."""


def spoken(scene: Scene, stage: Stage) -> str:
    """A persona's turn as plain speech."""
    debated = scene.format == "debate" and scene.kind in ("opening", "rebuttal", "closing", "statement")
    aim = DEBATED if debated else AIM
    parts: list[str] = []
    for part in PARTS.get(scene.kind, _statement)(stage):
        if part:
            parts.append(part)
        if scene.kind == "statement" and words("\n".join(parts)) >= aim:
            break
    if debated:
        for part in padding(stage):
            if words("\n".join(parts)) >= aim:
                break
            parts.append(part)
    said = "\n\n".join(parts) or "Nothing to add."
    return f"{_named(stage)}{said}"


def _named(stage: Stage) -> str:
    """The topic, in the first words of a speaker who has no document to point at."""
    scene = stage.scene
    first = scene.kind in ("statement", "opening") and not scene.documents and not stage.own_words
    return f"On “{shortened(scene.topic, TOPIC)}”: " if first and scene.topic.strip() else ""
