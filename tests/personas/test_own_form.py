"""Our own form is strict: every fault with file, line and remedy, all of them at once."""

from pathlib import Path

import pytest

from bot.core.errors import PersonaFileError
from bot.core.speech.cues import cues_of
from bot.core.speech.persona_text import persona_text
from tests.personas.catalogs import OWN, faults, loaded, one, own

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 32


def test_every_key_of_our_own_form_is_read(tmp_path: Path) -> None:
    """What the table of keys promises."""
    text = """\
---
name: Ada Byron
short_name: countess
description: Counts before she trusts.
tier: auditor
version: 3
tags: [cost, risk]
model: anthropic:claude-opus-4-7
avatar: 🦉 owl.png
evaluation_criteria: [Sums add up]
output_contract: {type: object, properties: {score: {type: integer}}}
variants: {v2: other/ada.v2.md}
---
I count.
"""
    files: dict[str, str | bytes] = {"ada.md": text, "owl.png": PNG, "other/ada.v2.md": "I count twice.\n"}
    (persona,) = loaded(tmp_path, files).personas

    assert (persona.short_name, persona.name, persona.tier) == ("countess", "Ada Byron", "auditor")
    assert (persona.version, persona.tags) == ("3", ("cost", "risk"))
    assert (persona.emoji, persona.image) == ("🦉", "owl.png")
    assert persona.model == "anthropic:claude-opus-4-7"
    assert persona.evaluation_criteria == ("Sums add up",)
    assert persona.variant("v2").body == "I count twice."
    assert persona.variant("v3").body == "I count."


@pytest.mark.parametrize(
    ("front", "line", "said"),
    [
        ("colour: red", 4, "unknown key 'colour'; did you mean 'color'? known keys: name"),
        ("evaluation_criterias: [a]", 4, "did you mean 'evaluation_criteria'?"),
        ("xyz: 1", 4, "unknown key 'xyz'; known keys: name, short_name"),
        ("model: Claude Opus (latest)", 4, "no model; write a model id"),
        ("model: [opus]", 4, "'model' must be text"),
        ("tags: cost, risk", 4, "'tags' must be a list"),
        ("evaluation_criteria:\n  - Cost: it adds up", 4, "put it in quotes"),
        ("description: |\n  one\n  two", 4, "must be one line"),
        ("description: a\u202eb", 4, "invisible character U+202E"),
        ("short_name: Ada Byron", 4, "for example ada-byron"),
        ("short_name: host", 4, "can not be a short name"),
        ("avatar: https://example.org/a.png", 4, "neither an emoji nor an image file"),
        ("avatar: owl.png", 4, "not there"),
        ("avatar: ../owl.png", 4, "neither an emoji nor an image file"),
        ("variants: {V 2: a.md}", 4, "the variant 'V 2'"),
        ("variants: {v2: nowhere.md}", 4, "variant 'v2', file 'nowhere.md': not there"),
        ("variants: {v2: ../../secret.md}", 4, "variant 'v2'"),
        ("variants: [a.md]", 4, "must be a mapping"),
    ],
)
def test_each_wrong_value_is_told_with_its_line(tmp_path: Path, front: str, line: int, said: str) -> None:
    """One wrong key, one fault, with what would be right."""
    (fault,) = faults(tmp_path, {"ada.md": own(front)})

    assert fault.line == line
    assert said in fault.text


def test_unknown_tier_suggests_the_nearest(tmp_path: Path) -> None:
    """The six tiers are listed, the nearest first."""
    (fault,) = faults(tmp_path, {"ada.md": OWN.replace("domain-expert", "domain expert")})

    assert "did you mean 'domain-expert'?" in fault.text


def test_picture_that_is_none_is_refused(tmp_path: Path) -> None:
    """A file is an image by its content, not by its name."""
    (fault,) = faults(tmp_path, {"ada.md": own("avatar: owl.png"), "owl.png": b"<script>"})

    assert "save it as PNG" in fault.text


def test_document_over_its_limit_names_the_size(tmp_path: Path) -> None:
    """64 KiB of document is the most; exactly that still fits."""
    fits = one(tmp_path / "a", "ada.md", own("tags: []", "ä" * (32 * 1024)))
    (fault,) = faults(tmp_path / "b", {"ada.md": own("tags: []", "ä" * (32 * 1024) + "x")})

    assert len(fits.body.encode()) == 64 * 1024
    assert "65537 bytes" in fault.text


def test_sources_do_not_count_as_document(tmp_path: Path) -> None:
    """The limit is on what a prompt carries."""
    text = own("tags: []", "I count.\n\n<!-- SOURCES -->\n\n" + "x" * 100_000)

    assert one(tmp_path, "ada.md", text).body == "I count."


def test_empty_document_and_missing_name_are_faults(tmp_path: Path) -> None:
    """A persona needs a name and something to be."""
    found = faults(tmp_path, {"ada.md": "---\ntier: custom\n---\n\n"})

    assert ["'name' is missing" in found[0].text, "document is empty" in found[1].text] == [True, True]


def test_file_name_that_is_no_short_name_suggests_one(tmp_path: Path) -> None:
    """The file's name is the short name unless the file says another."""
    (fault,) = faults(tmp_path, {"Ada Byron.md": OWN})

    assert "rename the file or add 'short_name', for example ada-byron" in fault.text


def test_all_faults_of_all_files_come_at_once(tmp_path: Path) -> None:
    """A command stops with every fault in one text, exit code 1; a server keeps what is sound."""
    files = {
        "ada.md": own("colour: red\nmodel: a b"),
        "eve.md": "---\nname: Eve\ntier: none\n---\nx\n",
        "sam.md": OWN.replace("Ada", "Sam"),
    }
    with pytest.raises(PersonaFileError) as stopped:
        loaded(tmp_path, files)
    lenient = loaded(tmp_path, files, strict=False)

    places = [str(fault).split(": ")[0].rpartition("/")[2] for fault in stopped.value.faults]
    assert places == ["ada.md:4", "ada.md:5", "eve.md:3"]
    assert str(stopped.value).count("\n") == 2
    assert stopped.value.exit_code == 1
    assert [persona.short_name for persona in lenient.personas] == ["sam"]
    assert lenient.faults == stopped.value.faults


def test_lines_under_cues_that_are_none_are_pointed_at(tmp_path: Path) -> None:
    """A cue with a typing error is no fault, but somebody should know."""
    catalog = loaded(tmp_path, {"ada.md": own("tags: []", "I count.\n\n## Cues\n\n- ! cost → Who pays?\n- cost, Who?")})

    (remark,) = catalog.remarks
    assert (remark.line, "not read as a cue" in remark.text) == (11, True)


def test_cues_stand_in_the_front_matter(tmp_path: Path) -> None:
    """The rehearsal hears them, no prompt has them, and what is no cue is a fault with its own line."""
    front = 'tags: []\ncues:\n  - "! cost, price → Who pays?"\n  - plan → Whose?'
    (persona,) = loaded(tmp_path, {"ada.md": own(front, "I count.")}).personas
    with pytest.raises(PersonaFileError) as stopped:
        loaded(tmp_path, {"ada.md": own(f"{front}\n  - cost, Who?", "I count.")})

    assert persona.cues == ("! cost, price → Who pays?", "plan → Whose?")
    assert [(cue.sign, cue.phrases) for cue in cues_of(persona).cues] == [("!", ("cost", "price")), ("", ("plan",))]
    assert persona_text(persona) == "I count."
    (fault,) = stopped.value.faults
    assert (fault.line, "'cost, Who?' is no cue" in fault.text) == (8, True)


def test_a_section_of_cues_counts_instead_of_the_key(tmp_path: Path) -> None:
    """People's own files have it, and a variant brings cues of its own that way."""
    body = "I count.\n\n## Cues\n\n- + refund → Good."
    (persona,) = loaded(tmp_path, {"ada.md": own("tags: []\ncues: [cost → Who pays?]", body)}).personas

    assert [cue.remark for cue in cues_of(persona).cues] == ["Good."]
