"""Model output can not ping, load an image, hide a link's address or drive a terminal, on any platform."""

import re

import pytest

from adapters.discord.markup import rendered
from adapters.slack.markdown import spoken
from adapters.terminal.view import shown
from tests.injection.payloads import EVERYTHING, IMAGES, LINKS, PINGS

LIVE = re.compile(r"<(?:!|@|#|https?:|mailto:)")
PICTURE = re.compile(r"!\[[^\]]*\]\s*[(\[]|<img", re.IGNORECASE)
MARKED_LINK = re.compile(r"\]\(\s*(?:https?:|javascript:)", re.IGNORECASE)
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069]")


@pytest.mark.parametrize("payload", EVERYTHING)
def test_slack_gets_no_live_token_and_no_picture(payload: str) -> None:
    """Slack reads `<…>` in markdown blocks too."""
    text = spoken(payload)

    assert not LIVE.search(text)
    assert not PICTURE.search(text)
    assert not MARKED_LINK.search(text)


@pytest.mark.parametrize("payload", [*IMAGES, *LINKS])
def test_discord_gets_no_picture_and_no_hidden_address(payload: str) -> None:
    """Discord draws no HTML and no reference images; mentions are off and embeds suppressed on each request besides."""
    text = rendered(payload, frozenset())

    assert "](http" not in text
    assert not MARKED_LINK.search(text)
    assert not re.search(r"(?<!`)https?://", text)


@pytest.mark.parametrize("payload", EVERYTHING)
def test_a_terminal_gets_no_control_characters_and_no_hidden_address(payload: str) -> None:
    """A link shows its address; an image is its words."""
    text = shown(payload)

    assert not CONTROL.search(text)
    assert not re.search(r"!\[[^\]]*\]\(", text)


@pytest.mark.parametrize("payload", PINGS)
def test_words_survive_where_tokens_do_not(payload: str) -> None:
    """People must be able to read what a model tried."""
    letters = re.sub(r"[^a-z]", "", payload.casefold())

    assert letters[:4] in re.sub(r"[^a-z]", "", spoken(payload).casefold()) or not letters
