"""What one persona has to say about one target: its cues that met it, its convictions and its questions."""

import re
from dataclasses import dataclass
from functools import lru_cache

from adapters.models.rehearsal.noticing import Noticed, Target, target_of
from bot.core.document import Document
from bot.core.persona import Persona
from bot.core.speech.cues import Cues, cues_of
from bot.core.speech.persona_text import sections
from bot.core.words import sentences, words

BELIEFS = "beliefs"
CONVICTIONS = (BELIEFS, "what i look for", "what i distrust")
CHANGE = "what would change my mind"
MANNER = ("cues", "how i talk", "three questions i always ask", CHANGE)
SHORTEST, LONGEST = 5, 40

_FIRST_PERSON = re.compile(r"\b(I|my|me|I'm|I've|I'd|I'll)\b")
_I = re.compile(r"\bI\b")
"""Outside the beliefs, a sentence without it is often half a sentence."""
_MARKUP = re.compile(r"[*_`#>|<]")
_STEM = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """A persona before one target."""

    cues: Cues
    noticed: tuple[Noticed, ...]
    convictions: tuple[str, ...]
    """Sentences of the persona's own document, in its own voice."""
    change: str
    """What would change its mind; empty where its document does not say."""
    criteria: tuple[str, ...]

    @property
    def questions(self) -> tuple[str, ...]:
        return self.cues.questions


def matter_of(persona: Persona, documents: tuple[Document, ...]) -> Matter:
    """Read once for persona and target; the same for every turn."""
    return _read(persona.body, persona.cues, persona.evaluation_criteria, persona.description, documents)


@lru_cache(maxsize=256)
def _read(
    body: str, stated: tuple[str, ...], criteria: tuple[str, ...], description: str, documents: tuple[Document, ...]
) -> Matter:
    persona = Persona(
        short_name="x", name="x", body=body, cues=stated, evaluation_criteria=criteria, description=description
    )
    cues = cues_of(persona)
    target: Target = target_of(documents)
    return Matter(
        cues=cues,
        noticed=target.noticed(cues.cues),
        convictions=_convictions(body),
        change=_change(body),
        criteria=tuple(as_clause(line) for line in criteria or ((description,) if description else ())),
    )


def as_clause(line: str) -> str:
    """A criterion as it stands inside a sentence."""
    bare = line.strip().rstrip(".")
    return bare if bare[:2].isupper() else bare[:1].lower() + bare[1:]


def _convictions(body: str) -> tuple[str, ...]:
    parts = sections(body)
    own = [part for part in parts if part.title.casefold() in CONVICTIONS]
    if own:
        found = [s for part in own for s in sentences(part.text) if part.title.casefold() == BELIEFS or _I.search(s)]
    else:
        text = "\n".join(part.text for part in parts if part.title.casefold() not in MANNER)
        found = [s for s in sentences(text) if _FIRST_PERSON.search(s)]
    kept = (s for s in found if SHORTEST <= words(s) <= LONGEST and s[-1] in ".!" and not _MARKUP.search(s))
    return tuple(dict.fromkeys(s for s in kept if "“" not in s and '"' not in s))


def _change(body: str) -> str:
    text = next((part.text for part in sections(body) if part.title.casefold() == CHANGE), "")
    return " ".join(sentences(text)[:2])


def likeness(one: str, other: str) -> int:
    """How many telling words two texts share, by their first letters."""
    return len(_stems(one) & _stems(other))


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in re.findall(r"\w+", text.lower()) if len(word) > 3)
