"""One moment on the rehearsal's stage: who has just said what, and what this speaker has not used yet."""

import zlib
from collections.abc import Callable, Iterable
from functools import cached_property

from adapters.models.rehearsal.matter import Matter, likeness, matter_of
from adapters.models.rehearsal.noticing import Noticed, notices, target_of
from adapters.models.rehearsal.passages import Passage, excerpt
from bot.core.errors import CallFailed
from bot.core.persona import HOST, Persona
from bot.core.scene import Line, Scene
from bot.core.words import sentences, words

MEMORY = 64
"""Lines of the transcript that a voice remembers: enough that a panel of four repeats nothing in sixteen rounds."""
MOST_QUOTED = 28
"""Words of somebody's sentence that are quoted."""

CHANGE = "What would move me further:"
GLUE = ("My measure", "What I hold it", "What I check here", "What has to be true", "I concede", "First this")
"""How the voices' own joining sentences begin: those are not worth an answer."""

Remark = tuple[Line, str]
"""A line and one of its sentences."""


class Stage:
    """A persona's view of a scene. Everything picked here is picked by rule; the same scene gives the same words."""

    def __init__(self, scene: Scene, persona: Persona) -> None:
        self.scene, self.persona = scene, persona
        self.matter: Matter = matter_of(persona, scene.documents)
        self.recent = scene.transcript[-MEMORY:]
        self.turn = scene.round + zlib.crc32(f"{persona.short_name} {scene.topic}".encode()) % 60
        """Differs by persona and topic, so that neighbours do not speak in one pattern, nor anybody in one order."""
        self._said: list[str] = []

    @cached_property
    def own_words(self) -> str:
        return "\n".join(line.text for line in self.recent if line.short_name == self.persona.short_name)

    @cached_property
    def all_words(self) -> str:
        return "\n".join(line.text for line in self.recent)

    @cached_property
    def others(self) -> tuple[Line, ...]:
        """Lines of other people, newest first."""
        own = (self.persona.short_name, HOST)
        return tuple(line for line in reversed(self.recent) if line.short_name not in own)

    @cached_property
    def claims(self) -> tuple[Line, ...]:
        """The others' lines without a moderator's: an agenda or a summary of others is nobody's claim."""
        return tuple(line for line in self.others if not self._moderates(line))

    def _moderates(self, line: Line) -> bool:
        return line.kind == "moderation" or (line.kind == "opening" and self.scene.format == "discussion")

    def unsaid(self, texts: Iterable[str]) -> str:
        """The first that this persona has not said, now taken; empty where all are used up."""
        for text in texts:
            if text not in self.own_words and text not in self._said:
                self._said.append(text)
                return text
        return ""

    def point(self, signs: str = "") -> Noticed | None:
        """The next thing in the target that a cue noticed, with one of `signs` where given; now taken."""
        for cue in dict.fromkeys(hit.cue for hit in self.matter.noticed):
            if signs and cue.sign not in tuple(signs):
                continue
            if cue.remark in self.own_words or cue.remark in self._said:
                continue
            hits = [hit for hit in self.matter.noticed if hit.cue == cue]
            fresh = [hit for hit in hits if not self._quoted(excerpt(hit.passage.text, hit.phrase))]
            if fresh:
                self._said += [cue.remark, excerpt(fresh[0].passage.text, fresh[0].phrase)]
                return fresh[0]
        return None

    def second_look(self) -> tuple[Passage, str] | None:
        """A passage and what to quote of it, once every remark is used up: one that a cue met, else any; now taken."""
        met = [(hit.passage, excerpt(hit.passage.text, hit.phrase)) for hit in self.matter.noticed]
        others = [(passage, excerpt(passage.text, "")) for passage in target_of(self.scene.documents).passages]
        for found in (met, others):
            for offset in range(len(found)):
                passage, text = found[(offset * 7 + self.turn) % len(found)]
                if not self._quoted(text):
                    self._said.append(text)
                    return passage, text
        return None

    def again(self) -> str:
        """One of its convictions or remarks once more, but not twice in one turn; empty where it has none."""
        own = [*self.matter.convictions, *dict.fromkeys(hit.cue.remark for hit in self.matter.noticed)]
        shift = self.turn * 3 % len(own) if own else 0
        kept = next((text for text in own[shift:] + own[:shift] if text not in self._said), "")
        self._said.append(kept)
        return kept

    def heard(self) -> Remark | None:
        """A sentence of one of the last other speakers, one that a cue notices where there is one; now taken."""
        return self._picked(self.claims[:6], lambda sentence: self._worth_quoting(sentence) and self._fresh(sentence))

    def heard_claim(self) -> Remark | None:
        """The same for what can be conceded: no question; said before, where there is nothing new."""
        lines = self.claims[:24]

        def claim(sentence: str) -> bool:
            return self._worth_quoting(sentence) and sentence[-1] not in "?？"

        fresh = self._picked(lines, lambda sentence: claim(sentence) and self._fresh(sentence))
        return fresh or self._picked(lines, claim)

    def _picked(self, lines: Iterable[Line], wanted: Callable[[str], bool]) -> Remark | None:
        for line in lines:
            candidates = [s for s in sentences(line.text.split(CHANGE)[0]) if wanted(s)]
            if candidates:
                picked = max(candidates, key=self._interest)
                self._said.append(picked)
                return line, picked
        return None

    def remark_on(self, text: str) -> str:
        """The remark of a cue that notices these words, unless it was made before; now taken."""
        met = (cue.remark for cue in self.matter.cues.cues if notices(cue, text))
        return self.unsaid(met)

    def conviction(self, about: str) -> str:
        """The persona's own sentence that comes closest to these words; now taken."""
        own = self.matter.convictions
        shift = self.turn % max(1, len(own))
        turned = own[shift:] + own[:shift]
        return self.unsaid(sorted(turned, key=lambda text: -likeness(text, about)))

    def question(self) -> str:
        """The next of its questions; now taken."""
        return self.unsaid(self.matter.questions)

    def criterion(self) -> str:
        """The next thing that it measures by, as a clause; now taken."""
        return self.unsaid(self.matter.criteria)

    def standing_question(self) -> str:
        """One of its questions again, but not twice in one turn; empty where it has none."""
        own = self.matter.questions
        shift = self.turn % len(own) if own else 0
        asked = next((question for question in own[shift:] + own[:shift] if question not in self._said), "")
        self._said.append(asked)
        return asked

    def _quoted(self, text: str) -> bool:
        return text in self.all_words or text in self._said

    def _worth_quoting(self, sentence: str) -> bool:
        return (
            4 <= words(sentence) <= MOST_QUOTED
            and not set("“”@*") & set(sentence)
            and sentence[-1] in ".!?…。！？"
            and sentence[0].isalnum()
            and not sentence.startswith(GLUE)
        )

    def _fresh(self, sentence: str) -> bool:
        return self.all_words.count(sentence) < 2 and sentence not in self._said

    def _interest(self, sentence: str) -> tuple[bool, int, int]:
        unused = (cue for cue in self.matter.cues.cues if cue.remark not in self.own_words)
        near = max((likeness(text, sentence) for text in self.matter.convictions), default=0)
        return any(notices(cue, sentence) for cue in unused), near, words(sentence)


def stage_of(scene: Scene) -> Stage:
    """The scene as its speaker sees it. Raises CallFailed where the host is asked for a persona's answer."""
    if scene.speaker is None:
        raise CallFailed(f"the host was asked for a persona's answer, {scene.answer or scene.kind!r}")
    return Stage(scene, scene.speaker)
