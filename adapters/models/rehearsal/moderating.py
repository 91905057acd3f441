"""A rehearsed moderator: opens, speaks between rounds, closes; in one of three styles or plainly."""

from adapters.models.rehearsal.matter import matter_of
from adapters.models.rehearsal.speech import noticed_as, said_as
from adapters.models.rehearsal.stage import Stage
from bot.core.scene import Line
from bot.core.words import sentences, words

SOONEST, LATEST = 3, 8
"""A moderator that may end the talk does so after one of these rounds, as the participants run out of matter."""


def moderated(stage: Stage) -> str:
    """What the moderator says now."""
    scene = stage.scene
    if scene.kind == "opening":
        return _opening(stage)
    if scene.round >= scene.rounds_max - 1 or done(stage):
        return _closing(stage)
    return _between(stage)


def done(stage: Stage) -> bool:
    """True once the participants have used up what their cues found in the target."""
    found = (len({hit.cue for hit in matter_of(p, stage.scene.documents).noticed}) for p in stage.scene.others)
    return stage.scene.round >= min(LATEST, max(SOONEST, *found, 0))


def must_speak(stage: Stage) -> bool:
    """A loose moderator's rule: somebody said nothing in this round, or three rounds have passed."""
    spoke = {line.short_name for line in _round(stage)}
    quiet = any(other.short_name not in spoke for other in stage.scene.others if other != stage.persona)
    return quiet or stage.scene.round % 3 == 0


def _opening(stage: Stage) -> str:
    questions = stage.matter.questions or (f"What is at stake in “{stage.scene.topic}”?",)
    order = stage.scene.values.get("order", "")
    match stage.scene.style:
        case "loose":
            return questions[0]
        case "devil":
            return _challenge(stage) or questions[0]
        case "structured":
            agenda = "\n".join(f"{number}. {question}" for number, question in enumerate(questions, 1))
            return f"Our agenda:\n{agenda}\n\nYou speak in this order: {order}."
        case _:
            return f"{questions[0]}\n\nYou speak in this order: {order}."


def _challenge(stage: Stage) -> str:
    hit = stage.point("!?") or stage.point()
    return noticed_as(stage, hit) if hit else stage.conviction(stage.scene.topic)


def _between(stage: Stage) -> str:
    if stage.scene.style == "devil":
        heard = stage.heard()
        against = stage.remark_on(heard[1]) or stage.conviction(heard[1]) if heard else ""
        challenge = said_as(heard[0].speaker, heard[1], against, stage.turn) if heard and against else ""
        return challenge or _challenge(stage) or stage.question()
    kept = [f"**{line.speaker}**: {_gist(line)}" for line in _last_words(stage) if _gist(line)]
    following = stage.question() or _next_topic(stage)
    return "\n".join([f"- {line}" for line in kept] + [following]).strip()


def _next_topic(stage: Stage) -> str:
    criterion = stage.criterion()
    if criterion:
        return f"Next, please: {criterion}?"
    conviction = stage.conviction(stage.scene.topic)
    return conviction or f"Round {stage.scene.round} is done; please go on."


def _closing(stage: Stage) -> str:
    lines = [f"- **{line.speaker}**: “{_gist(line)}”" for line in _last_words(stage) if _gist(line)]
    parts = [f"Where it stands after round {stage.scene.round}:\n" + "\n".join(lines)]
    if question := stage.question() or (stage.matter.questions or ("",))[stage.turn % 3 - 1]:
        parts.append(f"Still open: {question}")
    if criterion := stage.criterion():
        parts.append(f"To do next: see to it that {criterion}.")
    return "\n\n".join(parts)


def _round(stage: Stage) -> list[Line]:
    return [line for line in stage.others if line.round == stage.scene.round and line.short_name]


def _last_words(stage: Stage) -> list[Line]:
    """The round's lines in the order in which they were said."""
    return list(reversed(_round(stage)))


def _gist(line: Line) -> str:
    """A sentence of the speaker's own, not one that quotes."""
    own = [s for s in sentences(line.text) if not set("“”") & set(s) and 4 <= words(s) <= 30]
    return own[-1] if own else ""
