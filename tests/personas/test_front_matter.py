"""Front matter of every broken kind: refused with file, line and remedy, or read where nothing is in doubt."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from personas.loader import load_texts
from personas.writing import export
from tests.personas.catalogs import OWN, TODAY, faults, loaded, one, own
from tests.personas.samples import CHINESE_SKILL


def test_byte_order_mark_and_windows_line_ends_are_read(tmp_path: Path) -> None:
    """What an editor adds changes nothing in the persona."""
    plain = one(tmp_path / "a", "ada.md", OWN)
    edited = one(tmp_path / "b", "ada.md", b"\xef\xbb\xbf" + OWN.replace("\n", "\r\n").encode())

    assert edited == plain


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("---\nname: Ada\ntags:\n\t- cost\n---\nx\n", 4, "a tab indents this line"),
        ("---\nname: Ada\ntier: custom\nname: Eve\n---\nx\n", 4, "'name' stands here twice"),
        ("---\nname: Ada\ntier: custom\nbody without an end\n", 1, "no end mark"),
        ("---\nname: [Ada\ntier: custom\n---\nx\n", 3, "does not parse"),
        ("---\n- name\n- tier\n---\nx\n", 2, "no list of 'key: value' lines"),
        ("---\nname: Ada\ntier: !!python/name:os.system custom\n---\nx\n", 3, "tag 'python/name:os.system'"),
        ("---\nname: Ada\ntier: !secret custom\n---\nx\n", 3, "tag '!secret' is not allowed"),
        ("---\nname: *nobody\ntier: custom\n---\nx\n", 2, "alias '*nobody'"),
        ("---\ntier: custom\ntags: &t [a, *t]\n---\nx\n", 3, "alias '*t'"),
        ("---\nname: Ada\n? [a, b]\n: c\n---\nx\n", 3, "a key must be one word"),
        ("---\nname: A\x07da\ntier: custom\n---\nx\n", 2, "control character"),
        (f"---\nname: Ada\ntags: {'[' * 40}{']' * 40}\n---\nx\n", 3, "nested deeper than"),
        (f"---\nname: Ada\ntags: {'[' * 5000}{']' * 5000}\n---\nx\n", 3, "nest"),
    ],
)
def test_broken_front_matter_names_line_and_cause(tmp_path: Path, text: str, line: int, said: str) -> None:
    """One fault, at its line in the file, in words that say what is wrong."""
    (fault,) = faults(tmp_path, {"ada.md": text})

    assert (Path(fault.file).name, fault.line) == ("ada.md", line)
    assert said in fault.text


def test_yaml_bomb_is_refused_before_it_is_built(tmp_path: Path) -> None:
    """Aliases count with all that they stand for, so nine levels of nine are over the limit at once."""
    levels = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    for name, below in zip("bcdefghi", "abcdefgh", strict=True):
        levels.append(f"{name}: &{name} [{', '.join([f'*{below}'] * 9)}]")
    (fault,) = faults(tmp_path, {"bomb.md": own("\n".join(levels))})

    assert "aliases counted in full" in fault.text


def test_harmless_anchors_are_read(tmp_path: Path) -> None:
    """An anchor used as intended is YAML like any other."""
    persona = one(tmp_path, "ada.md", own("tags: &t [cost, risk]\nevaluation_criteria: *t"))

    assert persona.evaluation_criteria == ("cost", "risk")


def test_a_megabyte_of_front_matter_is_refused(tmp_path: Path) -> None:
    """Front matter has its own limit, told with the size found."""
    text = own("description: " + "x" * 1_000_000)
    (fault,) = faults(tmp_path, {"ada.md": text})

    assert "1000" in fault.text
    assert "at most 65536" in fault.text


def test_many_unknown_keys_are_counted_not_listed(tmp_path: Path) -> None:
    """A hostile file can not flood the report."""
    found = faults(tmp_path, {"ada.md": own("\n".join(f"k{number}: 1" for number in range(3000)))})

    assert len(found) == 21
    assert found[-1].text == "and 2980 more faults"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe-\x00-\x00-\x00", "UTF-16"),
        (b"---\nname: Ad\xe4\n---\n", "not UTF-8 (first in line 2)"),
        (b"---\nname: A\x00da\n---\n", "binary"),
        (b"x" * (4 * 1024 * 1024 + 1), "larger than 4096 KiB"),
    ],
)
def test_unreadable_content_is_told_apart(tmp_path: Path, content: bytes, said: str) -> None:
    """Each kind of content that is no text gets its own remedy."""
    (fault,) = faults(tmp_path, {"ada.md": content})

    assert said in fault.text


def test_words_that_older_yaml_takes_for_values_stay_words(tmp_path: Path) -> None:
    """`no`, `on` and dates are text here, and a version keeps its digits."""
    persona = one(tmp_path, "ada.md", own("version: 1.10\ntags: [no, on, 2026-01-01]\ndescription: 007"))

    assert persona.tags == ("no", "on", "2026-01-01")
    assert persona.version == "1.10"
    assert persona.description == "007"


def test_unquoted_colon_is_a_fault_in_our_own_form_only(tmp_path: Path) -> None:
    """Other people's skills are full of them; our own form is asked for quotes, at the line."""
    (fault,) = faults(tmp_path / "a", {"ada.md": own("description: Use when: always")})
    skill = loaded(tmp_path / "b", {"c/SKILL.md": CHINESE_SKILL}).personas[0]

    assert (fault.line, "quote the value" in fault.text) == (4, True)
    assert skill.description.endswith("Use when a plan names no price.")


def test_end_mark_and_start_mark_may_have_blanks_around(tmp_path: Path) -> None:
    """Blank lines before the start and blanks after a mark are no fault; `...` ends YAML as well."""
    text = "\n\n---  \nname: Ada\ntier: custom\n...\nBody.\n"

    assert one(tmp_path, "ada.md", text).body == "Body."


FRAGMENTS = (
    *("---\n", "...\n", "name: Ada\n", "tier: custom\n", "role: x\n", "shortName: a\n", "tags: [", "]", "{", "}: "),
    *("\t", "  - a\n", "&a ", "*a", "!!x ", "? ", "| \n", "'", '"', "\x00", "\ud800", "\u202e", "\ufeff", "\r\n"),
    *("output_contract: ", "{type: object}\n", "variants: ", "avatar: ", "version: 1.0\n", '[{"id": 1}]', "\n"),
    *("<!-- SOURCES -->\n", "<!-- CONTEXT -->\n", "## Cues\n", "- ! a → b\n", "x" * 90, "é", "成本\n"),
)


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=25), st.booleans())
def test_any_text_is_a_persona_or_has_faults(fragments: list[str], headed: bool) -> None:
    """Nothing that somebody attaches ends in another error than the list of its faults."""
    text = ("---\nname: Ada\n" if headed else "") + "".join(fragments)
    catalog = load_texts({"ada.md": text}, today=TODAY)

    assert bool(catalog.faults) != bool(catalog.personas)
    assert all(persona.prompt_hash("m") and export(persona) for persona in catalog.personas)


def test_half_a_character_is_refused() -> None:
    """Broken transports leave lone surrogates; no file and no database could hold them."""
    assert "binary" in load_texts({"ada.md": own("tags: []", "a\ud800b")}, today=TODAY).faults[0].text
