"""What a model said never pings, links or loads anything by itself."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.slack.markdown import measured, plain, spoken, words
from bot.core.engine.splitting import split
from tests.servers.slack.text import effects

GOOD = "https://intra.example/design"
LINKS = frozenset({GOOD})
BITS = (
    *("<!channel>", "<@U123>", "<!subteam^S1>", "@channel", "@here", "<", ">", "&", "&lt;", "@"),
    *("`", "``", "```", "\n```\n", "~~~", "\n", "\n\n", "    ", "\\", "!", "[", "]", "(", ")", "](", "!["),
    *("https://evil.example/x?q=1", "http://e.example", "www.evil.example", GOOD, "javascript:", "[1]: ", "[a][1]"),
    *("![p](https://evil.example/p.png)", "[t](https://evil.example)", f"[ok]({GOOD})", "word", "**b**", " ", '"t"'),
)
texts = st.lists(st.sampled_from(BITS), max_size=14).map("".join)


def done(text: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Whom the block calls, what it links, which pictures it loads."""
    seen = effects(
        plain(text),
        [{"type": "markdown", "text": spoken(text, LINKS)}],
        [],
        calls_bare_names=True,
        unfurl_links=False,
        unfurl_media=False,
    )
    return seen.pings, seen.links, seen.images


@given(texts)
def test_nothing_calls_links_or_loads(text: str) -> None:
    """Whatever stands beside what: no ping, no picture, no link but those of the panel's inputs."""
    pings, links, images = done(text)

    assert pings == ()
    assert images == ()
    assert set(links) <= LINKS


@given(texts)
def test_no_unknown_address_is_whole_outside_a_code_block(text: str) -> None:
    """A client that links what stands in code spans finds nothing to link either."""
    shown = spoken(text, LINKS)
    prose = re.sub(r"^ {0,3}(`{3,}|~{3,})[^\n`]*\n.*?(?:^ {0,3}\1|\Z)", "", shown, flags=re.DOTALL | re.MULTILINE)

    assert "://evil" not in prose.replace(GOOD, "") or "```" in shown or "~~~" in shown


@given(texts)
def test_what_is_measured_is_never_less_than_what_is_sent(text: str) -> None:
    """A text that fits by measure fits at Slack, with links kept and with links taken."""
    assert len(spoken(text)) <= measured(text)
    assert len(spoken(text, LINKS)) <= measured(text)


@given(texts, st.integers(0, 200))
def test_what_is_measured_grows(text: str, end: int) -> None:
    """Cutting searches for the longest head."""
    assert measured(text[:end]) <= measured(text)


@given(st.lists(texts, max_size=6).map("\n\n".join))
def test_every_piece_of_a_cut_speech_fits(text: str) -> None:
    """Each is shown for itself."""
    for piece in split(text, 80, measured):
        assert len(spoken(piece, LINKS)) <= 80


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("**bold** and *it*", "**bold** and *it*"),
        ("a < b & c > d", "a &lt; b & c &gt; d"),
        (f"[the design]({GOOD}) and {GOOD}.", f"[the design]({GOOD}) and {GOOD}."),
        ("[click](https://evil.example/?q=SECRET)", "click (`evil.example/?q=SECRET`)"),
        ("https://evil.example, then", "`evil.example`, then"),
        ("![chart](https://evil.example/c.png)", "(image: chart)"),
        ("[![a](https://i.example)](https://l.example)", "(image: a) (`l.example`)"),
        ("[1]: https://evil.example", "\\[1]: `evil.example`"),
        ("```sh\ncurl https://api.example < in\n```", "```sh\ncurl https://api.example &lt; in\n```"),
        ("[x](javascript:alert)", "x (`alert`)"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "| a | b |\n|---|---|\n| 1 | 2 |"),
    ],
)
def test_what_readers_see(said: str, shown: str) -> None:
    """Standard Markdown stays as it is; only what is dangerous becomes words."""
    assert spoken(said, LINKS) == shown


def test_direction_marks_and_control_characters_are_left_out() -> None:
    """They turn a line round, or hide a part of it."""
    assert spoken("a\u202eb\x07c\u2066d") == "abcd"


def test_calls_are_broken_and_stay_readable() -> None:
    """`@channel` is still read as that."""
    assert spoken("@channel and @Here and @hereafter") == "@\u200bchannel and @\u200bHere and @hereafter"


def test_words_in_our_own_markup_are_words() -> None:
    """A topic on the card."""
    assert words("<!here> & <@U1> @everyone") == "&lt;!here&gt; &amp; &lt;@U1&gt; @\u200beveryone"
