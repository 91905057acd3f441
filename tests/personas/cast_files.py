"""The bundled persona files as values, read without the loader, and how a cue notices a text."""

import re
from dataclasses import dataclass
from pathlib import Path

import yaml

CAST = Path(__file__).parents[2] / "personas"
SECTIONS = (
    "Beliefs",
    "What I look for",
    "What I distrust",
    "How I talk",
    "Three questions I always ask",
    "What would change my mind",
)
CUE_LINE = re.compile(r"(?:(?P<mark>[!?+]) )?(?P<phrases>[^→]+) → (?P<remark>[^→]+)")
CLAUSE_END = re.compile(r"[.;:,!?()]")
NEGATION = re.compile(r"\b(no|not|never|nobody|nothing|none|neither|nor|without|cannot)\b|n't\b")
WORDS_BEFORE = 3
"""A negation at most this many words before a phrase, in the same clause, silences it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    mark: str
    """`!` a serious fault, `?` a concern, `+` a sign of quality, or empty."""
    phrases: tuple[str, ...]
    remark: str

    def notices(self, text: str) -> bool:
        """True where a phrase stands in the text as whole words, in any case, and is not negated."""
        return any(stands_in(phrase, text) for phrase in self.phrases)


@dataclass(frozen=True, slots=True, kw_only=True)
class CastFile:
    short_name: str
    front: dict[str, object]
    sections: dict[str, str]
    """Prose by its level-2 heading, in the order of the file."""
    cue_lines: tuple[str, ...]

    @property
    def prose(self) -> str:
        return "\n".join(self.sections.values())

    @property
    def cues(self) -> tuple[Cue, ...]:
        found = (CUE_LINE.fullmatch(line) for line in self.cue_lines)
        return tuple(
            Cue(mark=m["mark"] or "", phrases=tuple(m["phrases"].split(", ")), remark=m["remark"]) for m in found if m
        )

    @property
    def phrases(self) -> frozenset[str]:
        return frozenset(phrase for cue in self.cues for phrase in cue.phrases)

    @property
    def tags(self) -> frozenset[str]:
        tags = self.front["tags"]
        assert isinstance(tags, list)
        return frozenset(tags)

    def noticed(self, mark: str, text: str) -> list[str]:
        """The phrases of the cues with this mark that stand in the text."""
        return [p for cue in self.cues if cue.mark == mark for p in cue.phrases if stands_in(p, text)]


def stands_in(phrase: str, text: str) -> bool:
    folded = " ".join(text.lower().split())
    hits = re.finditer(rf"(?<!\w){re.escape(phrase)}(?!\w)", folded)
    return any(not _negated(folded[: hit.start()]) for hit in hits)


def _negated(before: str) -> bool:
    clause = CLAUSE_END.split(before)[-1]
    return NEGATION.search(" ".join(clause.split()[-WORDS_BEFORE:])) is not None


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Jaccard: shared out of all, 0 to 1."""
    return len(one & other) / len(one | other)


def _sections(text: str) -> dict[str, str]:
    parts = re.split(r"^## (.+)$", text, flags=re.M)
    assert not parts[0].strip(), f"text before the first heading: {parts[0]!r}"
    return {heading: body.strip() for heading, body in zip(parts[1::2], parts[2::2], strict=True)}


def read_persona(path: Path) -> CastFile:
    start, front, body = path.read_text(encoding="utf-8").split("---\n", 2)
    assert start == ""
    keys = yaml.safe_load(front)
    return CastFile(short_name=path.stem, front=keys, sections=_sections(body), cue_lines=tuple(keys["cues"]))


PERSONAS = tuple(read_persona(path) for path in sorted(CAST.glob("*.md")))
VARIANTS = tuple(read_persona(path) for path in sorted((CAST / "variants").glob("*.md")))
BENCH = (
    "intent-keeper",
    "cranky-old-sam",
    "crusty-old-engineer",
    "restless-old-brian",
    "user-advocate",
    "tester-breaker",
)
TRIO = ("pm-lens", "designer-lens", "engineer-lens")
