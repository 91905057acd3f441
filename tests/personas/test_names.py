"""Names that people can read, tell apart and type."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from personas.forms import SHORT_NAME, slug, stem
from personas.visible import hidden, is_emoji, look, without_hidden
from tests.personas.catalogs import OWN, faults, one
from tests.personas.samples import ARABIC_AGENT


@pytest.mark.parametrize(
    ("char", "said"),
    [
        ("\u202e", "U+202E"),
        ("\u2066", "U+2066"),
        ("\u200b", "U+200B"),
        ("\u200d", "U+200D"),
        ("\u00ad", "U+00AD"),
        ("\u3164", "U+3164"),
        ("\u2028", "U+2028"),
    ],
)
@pytest.mark.parametrize("form", [OWN, ARABIC_AGENT.replace("مهندسة-الموثوقية", "Ada")])
def test_hidden_characters_in_a_name_are_refused_in_every_form(tmp_path: Path, form: str, char: str, said: str) -> None:
    """A name with a character that nobody sees, or that turns the line around, is no name."""
    text = form.replace("name: Ada", f'name: "A{char}da"')
    (fault,) = faults(tmp_path, {"ada.md": text})

    assert said in fault.text


def test_name_has_eighty_characters_at_most(tmp_path: Path) -> None:
    """Eighty fit, one more does not."""
    fits = one(tmp_path / "a", "ada.md", OWN.replace("Ada", "A" * 80))
    (fault,) = faults(tmp_path / "b", {"ada.md": OWN.replace("Ada", "A" * 81)})

    assert len(fits.name) == 80
    assert "81 characters" in fault.text


def test_joiners_that_a_script_needs_are_kept() -> None:
    """Persian and emoji words hold joiners that are part of their spelling."""
    assert hidden("می‌خواهم") == ""
    assert hidden("👩‍🚀 Ada") == ""
    assert without_hidden("می‌خواهم\u202e") == "می‌خواهم"


@pytest.mark.parametrize("emoji", ["🦉", "🗣️", "👩‍🚀", "🇩🇪", "👍🏽", "1️⃣", "⚖️", "☕", "❤️‍🔥", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "ℹ️"])
def test_one_emoji_is_one(emoji: str) -> None:
    """Joined, toned, flag and keycap emoji are each one picture."""
    assert is_emoji(emoji)


@pytest.mark.parametrize("text", ["", "a", "🦉🦉", "🦉 ", ":owl:", "1", "©a", "🇩🇪🇫🇷"])
def test_anything_else_is_no_emoji(text: str) -> None:
    """Two pictures, words and shortcodes are refused."""
    assert not is_emoji(text)


@given(st.text(max_size=60))
def test_every_word_makes_a_short_name(words: str) -> None:
    """Whatever a file is called, its short name can be typed, and is the same next time."""
    made = slug(words)

    assert SHORT_NAME.fullmatch(made)
    assert slug(words) == made


@given(st.text(alphabet="abcdefgh0123456789-", min_size=1, max_size=40).filter(SHORT_NAME.fullmatch))
def test_short_names_stay_as_they_are(name: str) -> None:
    """A short name made of a short name is nearly itself: only hyphens at its end or doubled go."""
    assert slug(name).replace("-", "") == name.replace("-", "")


@given(st.text(max_size=40))
def test_look_ignores_what_can_not_be_seen(name: str) -> None:
    """Hidden characters make no other name."""
    assert look(name) == look(f"{name}\u200b")


@pytest.mark.parametrize(
    ("file", "name"),
    [("ada.md", "ada"), ("ada.v1.md", "ada"), ("ada.persona.md", "ada"), ("Ada.MD", "Ada"), ("a.b.md", "a.b")],
)
def test_endings_are_no_part_of_the_name(file: str, name: str) -> None:
    """`.v1` and `.persona` belong to the catalog's habits, not to the persona."""
    assert stem(file) == name


def test_different_names_in_one_script_stay_apart() -> None:
    """A made short name keeps personas apart whose letters have no ASCII form."""
    assert slug("成本审查") != slug("法务审查")
    assert slug("specialist-for-the-minutes-of-long-meetings-a") != slug(
        "specialist-for-the-minutes-of-long-meetings-b"
    )
    assert slug("Søren Ørsted") == "soren-orsted"
    assert slug("Großmüller") == "grossmuller"
