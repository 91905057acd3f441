"""Persona files that we write load again to the same persona."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.errors import PersonaFileError, UsageError
from bot.core.persona import TIERS, Persona
from bot.core.speech.cues import cues_of
from personas.loader import load, load_bundled, load_texts, persona_from_text
from personas.writing import export, exported, file_name, new
from tests.personas.catalogs import OWN, TODAY, one, own, written
from tests.personas.samples import CHINESE_SKILL, FRENCH_PORTABLE, GERMAN_REVIEW

LOST = {"level", "origin", "front_matter", "extra", "variants"}
"""Where a file came from is not in it, and variants are files of their own."""

LINES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp"]), min_size=1, max_size=30)
WORDS = LINES.map(lambda text: " ".join(text.split())).filter(bool)


def same(one_persona: Persona, other: Persona) -> bool:
    return one_persona.model_dump(exclude=LOST) == other.model_dump(exclude=LOST)


@pytest.mark.parametrize("name", ["Ada Byron", "現場の保守担当", "Hélène: l'architecte", "no", "1.10", "host"])
def test_fresh_file_is_ready_to_load(name: str) -> None:
    """`new` writes a file without a fault or a remark, with cues and three questions to change."""
    catalog = load_texts({file_name(name): new(name)}, today=TODAY)

    (persona,) = catalog.personas
    assert (persona.name, catalog.remarks) == (name, ())
    assert (len(cues_of(persona).cues), len(cues_of(persona).questions)) == (3, 3)


@pytest.mark.parametrize("name", ["", "  ", "A\u202eda", "x" * 81])
def test_name_that_can_not_be_shown_makes_no_file(name: str) -> None:
    """Wrong words of the call, said as such."""
    with pytest.raises(UsageError, match="choose another"):
        new(name)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("ada.md", own("version: 1.10\ntags: [no, 'yes', cost]\navatar: 🦉\nmodel: openai:gpt-5.1")),
        ("ada.md", OWN),
        ("brandschutz-gutachterin.md", GERMAN_REVIEW),
        ("helene.persona.md", FRENCH_PORTABLE),
        ("chengben.md", CHINESE_SKILL),
    ],
)
def test_exported_persona_loads_to_the_same(tmp_path: Path, file: str, text: str) -> None:
    """From any form into our own: fields, document and notes stay."""
    persona = one(tmp_path, file, text)
    again = persona_from_text(f"{persona.short_name}.md", export(persona), today=TODAY)

    assert same(persona, again)


@pytest.mark.parametrize("persona", load_bundled().personas, ids=lambda p: p.short_name)
def test_copy_of_a_bundled_persona_is_the_persona(persona: Persona) -> None:
    """Copied into a workspace, it says the same and has the same prompt hash until it is edited."""
    copy = persona_from_text(f"{persona.short_name}.md", export(persona), today=TODAY)

    assert same(persona, copy)
    if not persona.variants:
        assert copy.prompt_hash("m") == persona.prompt_hash("m")


def test_exported_files_hold_the_variants_too(tmp_path: Path) -> None:
    """All files of a persona, put into a folder, are that persona."""
    written(tmp_path / "from", {"ada.md": own("variants: {v2: b/c.md}"), "from/b/c.md": "", "b/c.md": "I doubt.\n"})
    persona = load(tmp_path / "from", today=TODAY).personas[0]
    written(tmp_path / "to", exported(persona))
    again = load(tmp_path / "to", today=TODAY).personas[0]

    assert same(persona, again)
    assert again.variants == {"v2": "I doubt."}


def test_edited_values_are_written_not_the_old_ones(tmp_path: Path) -> None:
    """An edit in chat changes the value; the file must say the new one."""
    persona = one(tmp_path, "ada.md", own("tags: [cost]\ndescription: Old."))
    edited = persona.model_copy(update={"description": "New.", "tier": "auditor", "tags": ("risk",), "model": "fast"})
    again = persona_from_text("ada.md", export(edited), today=TODAY)

    assert same(edited, again)


def test_text_of_the_store_can_have_no_files_beside_it() -> None:
    """A variant that is a file is a fault there; a picture is left out and said."""
    with pytest.raises(PersonaFileError, match="no files beside it"):
        persona_from_text("ada.md", own("variants: {v2: a.md}"), today=TODAY)
    catalog = load_texts({"ada.md": own("avatar: 🦉 owl.png")}, today=TODAY)

    assert (catalog.personas[0].emoji, catalog.personas[0].image) == ("🦉", "")
    assert "owl.png" in catalog.remarks[0].text


@settings(max_examples=60, deadline=None)
@given(
    name=WORDS.filter(lambda text: len(text) <= 80),
    description=WORDS,
    tier=st.sampled_from(TIERS),
    version=WORDS,
    tags=st.lists(WORDS, max_size=3),
    criteria=st.lists(WORDS, max_size=3),
    body=st.lists(WORDS, min_size=1, max_size=4),
)
def test_any_persona_survives_its_file(
    name: str, description: str, tier: str, version: str, tags: list[str], criteria: list[str], body: list[str]
) -> None:
    """Whatever words a persona is made of, its file loads to the same persona."""
    persona = Persona(
        short_name="ada",
        name=name,
        description=description,
        tier=tier,
        version=version,
        tags=tuple(tags),
        evaluation_criteria=tuple(criteria),
        body="\n\n".join(["I count.", *body]),
    )
    catalog = load_texts({"ada.md": export(persona)}, today=TODAY)

    assert catalog.faults == ()
    assert same(persona, catalog.personas[0])
