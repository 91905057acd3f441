"""The bundled cast: every file is complete, and every voice is somebody else's opposite, not its echo."""

import re
from itertools import combinations

import pytest

from tests.personas.cast_files import (
    BENCH,
    CAST,
    CUE_LINE,
    PERSONAS,
    SECTIONS,
    TRIO,
    VARIANTS,
    CastFile,
    likeness,
    words,
)

KEYS = {"name", "description", "tier", "version", "tags", "avatar", "evaluation_criteria", "cues"}
TIERS = {"domain-expert", "buyer-persona", "auditor", "compliance", "reviewer", "custom"}
PERSPECTIVES = (
    {"founder", "investor", "operator", "strategic", "customer"}
    | {"product", "design", "engineering", "security", "cost", "data"}
    | {"reflective", "legal", "education", "history"}
)
PAIRS = list(combinations(PERSONAS, 2))
RUN_OF_WORDS = 6


def label(persona: CastFile) -> str:
    return persona.short_name


each_persona = pytest.mark.parametrize("persona", PERSONAS, ids=label)
each_text = pytest.mark.parametrize("persona", [*PERSONAS, *VARIANTS], ids=label)


def tokens(persona: CastFile, key: str) -> frozenset[str]:
    return frozenset(words(str(persona.front[key])))


def runs(text: str) -> set[tuple[str, ...]]:
    spoken = words(text)
    return set(zip(*(spoken[start:] for start in range(RUN_OF_WORDS)), strict=False))


def test_the_bench_the_trio_and_at_least_ten_more_are_there() -> None:
    """Bench and trio are named by the formats; a general cast of ten or more is there for discussions."""
    tiers = {persona.short_name: persona.front["tier"] for persona in PERSONAS}

    assert {tiers[name] for name in BENCH} == {"reviewer"}
    assert {tiers[name] for name in TRIO} == {"domain-expert"}
    assert len(set(tiers) - {*BENCH, *TRIO}) >= 10


@each_persona
def test_front_matter_holds_what_the_catalog_needs(persona: CastFile) -> None:
    """Our own form, no more keys than it has, and a description of one line."""
    front = persona.front
    criteria = front["evaluation_criteria"]

    assert set(front) - {"variants"} == KEYS
    assert front["tier"] in TIERS
    assert front["version"] == 1
    assert 1 <= len(str(front["name"])) <= 80
    assert 12 <= len(str(front["description"]).split()) <= 40
    assert isinstance(criteria, list)
    assert len(criteria) >= 3
    assert all(isinstance(criterion, str) for criterion in criteria)


@each_text
def test_the_body_has_its_sections_in_order_and_each_says_something(persona: CastFile) -> None:
    """Code finds the parts of a persona by these headings."""
    assert tuple(persona.sections) == SECTIONS
    assert all(len(text.split()) >= 20 for text in persona.sections.values())


@each_text
def test_the_document_is_a_page(persona: CastFile) -> None:
    """150 to 600 words; the cues stand in the front matter, out of every prompt."""
    assert 150 <= len(persona.prose.split()) <= 600


@each_text
def test_three_numbered_questions_are_asked(persona: CastFile) -> None:
    """Exactly three, one a line, each a question."""
    asked = persona.sections["Three questions I always ask"].splitlines()

    assert [line[:3] for line in asked] == ["1. ", "2. ", "3. "]
    assert all(line.endswith("?") and line.count("?") == 1 for line in asked)


@each_text
def test_cues_are_well_formed(persona: CastFile) -> None:
    """Lower-case phrases without repetition, an arrow, and a remark short enough to be spoken."""
    phrases = [phrase for cue in persona.cues for phrase in cue.phrases]

    assert 6 <= len(persona.cue_lines) <= 14
    assert [line for line in persona.cue_lines if not CUE_LINE.fullmatch(line)] == []
    assert [p for p in phrases if p != p.lower().strip() or not re.fullmatch(r"[a-z0-9][\w /-]*\w", p)] == []
    assert len(phrases) == len(set(phrases))
    assert [c.remark for c in persona.cues if not 10 <= len(c.remark.split()) <= 25] == []
    assert [c.remark for c in persona.cues if re.search(r"[\"“”„«»`*]|(?<!\w)'|'(?!\w)", c.remark)] == []


@each_text
def test_a_voice_can_fail_warn_and_praise(persona: CastFile) -> None:
    """Without a cue of each kind a rehearsed review could only ever end one way."""
    assert {cue.mark for cue in persona.cues} >= {"!", "?", "+"}


@pytest.mark.parametrize("key", ["name", "avatar"])
def test_nobody_wears_anothers_name_or_face(key: str) -> None:
    """People tell the speakers apart by these two."""
    seen = [str(persona.front[key]) for persona in PERSONAS]

    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=lambda p: p.short_name)
def test_no_two_personas_are_near_duplicates(one: CastFile, other: CastFile) -> None:
    """Other words in the description, other perspectives, other things noticed, nothing copied."""
    shared = one.phrases & other.phrases

    assert likeness(tokens(one, "description"), tokens(other, "description")) < 0.4
    assert likeness(one.tags, other.tags) < 0.67
    assert len(shared) <= 0.3 * min(len(one.phrases), len(other.phrases)), sorted(shared)
    assert runs(one.prose) & runs(other.prose) == set()
    assert {cue.remark for cue in one.cues}.isdisjoint(cue.remark for cue in other.cues)


def test_the_tags_cover_the_perspectives_that_debates_ask_for() -> None:
    """A debate is cast from tags; a perspective that nobody carries could never be chosen."""
    assert set().union(*(persona.tags for persona in PERSONAS)) >= PERSPECTIVES


def test_declared_variants_are_the_files_that_are_there() -> None:
    """At least two personas have another body, under the name that asks for it."""
    declared: dict[object, str] = {}
    for persona in PERSONAS:
        variants = persona.front.get("variants", {})
        assert isinstance(variants, dict)
        declared |= {path: f"{persona.short_name}.{name}" for name, path in variants.items()}

    assert declared == {f"variants/{v.short_name}.md": v.short_name for v in VARIANTS}
    assert len({v.short_name.split(".")[0] for v in VARIANTS}) >= 2
    assert all((CAST / str(path)).is_file() for path in declared)
