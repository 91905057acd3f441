"""A persona's Markdown as Discord shows it, and the names above it."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.discord.identity import careful, same, username
from adapters.discord.markup import MOST, labelled, measured, plain, rendered, units
from bot.core.engine.splitting import split
from bot.core.platform import Speaker

NONE: frozenset[str] = frozenset()
PIECES = st.sampled_from(
    [
        "word ", "漢字", "🦉", "\n", "\n\n", "| a | b |\n", "|---|---|\n", "```\n", "```py\n", "`code`", "**bold** ",
        "https://a.test/x ", "[label](https://b.test) ", "<@123> ", "@everyone ", "> quote\n", "# head\n", "||hidden||",
        "\\", "*", "(", ")", "]", "[", "<", ">", "x" * 60,
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=60).map("".join)


@given(TEXTS)
@settings(max_examples=300, deadline=None)
def test_every_piece_fits_into_a_message_with_its_line(text: str) -> None:
    """Cut by `measured`, posted as `rendered`: never more than Discord takes."""
    for piece in split(text, MOST - 100, measured):
        shown = rendered(piece, NONE)
        body = shown if units(shown) <= MOST else piece

        assert (
            units(labelled("Round 12 of 40 · Rebuttal, and some more words that nobody needs to read here", body))
            <= MOST
        )


@given(TEXTS)
@settings(max_examples=300, deadline=None)
def test_rendering_loses_no_words(text: str) -> None:
    """Whatever else happens to them, letters stay in order."""
    letters = [mark for mark in text if mark.isalnum()]
    shown = [mark for mark in rendered(text, NONE) if mark.isalnum()]

    assert shown == letters


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_no_mention_and_no_link_survives(text: str) -> None:
    """Outside of code, where they mean nothing."""
    shown = _without_code(rendered(text, NONE))

    assert "<@1" not in shown
    assert "@everyone" not in shown
    assert "https://" not in shown


def _without_code(text: str) -> str:
    text = re.sub(r"```.*?(?:```|$)", "", text, flags=re.DOTALL)
    return re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", text, flags=re.DOTALL)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("See [this](https://a.test).", "See this (`https://a.test`)."),
        ("See <https://a.test>.", "See `https://a.test`."),
        ("See https://a.test/x).", "See `https://a.test/x`)."),
        ("![chart](https://a.test/c.png)", "chart (`https://a.test/c.png`)"),
        ("[](https://a.test)", "`https://a.test`"),
        ("`https://a.test` stays", "`https://a.test` stays"),
        ("```\nhttps://a.test\n| a | b |\n|---|---|\n```", "```\nhttps://a.test\n| a | b |\n|---|---|\n```"),
        ("| a | b |\n|---|---|\n| 漢字 | 1 |\n| x | 22 |", "```\na    | b\n-----+---\n漢字 | 1\nx    | 22\n```"),
        ("a | b in a sentence", "a | b in a sentence"),
        ("<t:1700000000:R> and <:smile:12>", "<t:1700000000:R> and <:smile:12>"),
        ("nul\x00 and bell\x07", "nul and bell"),
    ],
)
def test_what_discord_can_not_show_is_shown_otherwise(text: str, shown: str) -> None:
    """Tables, links nobody gave, pictures."""
    assert rendered(text, NONE) == shown


def test_a_link_that_stands_in_the_panels_inputs_stays_one_without_a_preview() -> None:
    """Its address is in sight, whatever label a model gave it."""
    links = frozenset({"https://a.test/x"})

    assert (
        rendered("[bank](https://a.test/x), https://a.test/x.", links)
        == "bank (<https://a.test/x>), <https://a.test/x>."
    )
    assert plain(rendered("see https://a.test/x", links)) == plain(rendered("see https://a.test/x", NONE))


@given(st.text(max_size=120), st.text(max_size=3))
@settings(max_examples=300, deadline=None)
def test_any_name_becomes_one_that_discord_takes(name: str, emoji: str) -> None:
    """1 to 80 characters, no forbidden word, the same for the same persona."""
    speaker = Speaker(short_name="ada", name=name, emoji=emoji.strip())
    names = [username(speaker, has_face=face) for face in (True, False)]
    for shown in (*names, careful(names[0])):
        plain_name = shown.casefold()

        assert 1 <= units(shown.strip()) <= 80
        assert not any(word in plain_name for word in ("discord", "clyde", "```"))
        assert plain_name not in ("everyone", "here")
    assert same(names[0], careful(names[0])) or len(name) > 30


def test_a_long_name_keeps_what_tells_it_from_another() -> None:
    """The short name at the end survives the cut."""
    shown = username(Speaker(short_name="ada-two", name=f"{'A' * 90} (ada-two)"), has_face=True)

    assert len(shown) == 80
    assert shown.endswith("… (ada-two)")
