"""Names that could be taken for a person's, emoji that Slack knows, words as they were typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.slack import cards
from adapters.slack.emoji import icon, name_of
from adapters.slack.faces import LONGEST, SUFFIX, face, folded, tidy
from adapters.slack.messages import message_of, typed
from bot.core.platform import Speaker
from bot.core.steering.grammar import SIGNS
from personas.loader import load_bundled
from tests.contracts.platform import a_card
from tests.servers.slack.blocks import block_faults
from tests.servers.slack.emoji import exists
from tests.servers.slack.emoji import icon as shown


def speaker(name: str) -> Speaker:
    return Speaker(short_name="ada", name=name, emoji="🦉")


@pytest.mark.parametrize("name", ["Ada", "ADA ", "Аdа", "Ádа", "A\u200bda", "a d a"])
def test_a_persona_named_like_a_member_is_always_marked(name: str) -> None:
    """However it is written: other case, other alphabets, accents, blanks, hidden characters."""
    one = face(speaker(name), suffix=False, members=frozenset({folded("ada")}))

    assert one.name.endswith(SUFFIX)


def test_the_mark_can_be_turned_off_for_other_names() -> None:
    """Never for Slack's own."""
    plain = face(speaker("Yuki"), suffix=False, members=frozenset({"ada"}))
    slackbot = face(speaker("SIackbot"), suffix=False, members=frozenset())

    assert plain.name == "Yuki"
    assert slackbot.name.endswith(SUFFIX)


@given(st.text(max_size=200))
def test_a_name_is_one_line_without_markup(name: str) -> None:
    """Whatever a persona file says."""
    one = tidy(name)

    assert len(one) <= LONGEST
    assert not set(one) & set("<>&*_~`|@#\n\u202e\u200b")


def test_every_sign_and_every_bundled_face_has_a_name_at_slack() -> None:
    """A reaction under an unknown name is refused, an icon ignored."""
    for sign in SIGNS:
        assert exists(name_of(sign)), sign
    for persona in load_bundled().personas:
        assert name_of(persona.emoji), persona.short_name
        assert shown(icon(persona.emoji))
    assert shown(icon("no emoji"))
    assert icon("👋🏽") == ":wave::skin-tone-4:"


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ("see <http://design.md|design.md>", "see design.md"),
        ("<mailto:app@HEAD~3|app@HEAD~3>", "app@HEAD~3"),
        ("<https://example.com/a?b=1&amp;c=2>", "https://example.com/a?b=1&c=2"),
        ("<https://example.com|click here>", "click here (https://example.com)"),
        ("<https://example.com/|example.com>", "example.com"),
        ("<@U1> and <@U2|ben> in <#C1|general>", "@Ada and @ben in #general"),
        ("<!here> <!subteam^S1|@devs> <!channel|channel>", "@here @devs @channel"),
        ("<!date^1392734382^{date}|Feb 18>", "Feb 18"),
        ("a &lt; b &amp;&amp; c &gt; d &amp;lt;", "a < b && c > d &lt;"),
        ("plain", "plain"),
    ],
)
def test_what_slack_made_of_it_becomes_what_was_typed(sent: str, meant: str) -> None:
    """Tokens become words, entities signs, `&` last."""
    assert typed(sent, {"U1": "Ada"}) == meant


def test_a_message_without_half_of_its_fields_is_read() -> None:
    """Customised posts have no user; files may have an id alone."""
    message = message_of({"ts": "1.2", "bot_id": "B1", "username": "Ada (AI)", "files": [{"id": "F1"}, "junk"]})

    assert (message.human, message.reply, message.files[0].id) == (False, False, "F1")
    assert message_of({}).ts == ""


@given(st.text(max_size=3000), st.text(max_size=300), st.integers(0, 40))
def test_slack_takes_every_card(topic: str, name: str, size: int) -> None:
    """Whatever people and personas are called."""
    seats = tuple(
        a_card().seats[0].__class__(short_name=f"p{n}", name=name, emoji=name[:2], reason=topic[:200], state="muted")
        for n in range(size)
    )
    card = a_card(topic=topic, seats=seats, decision=topic[:100], directives=((1, topic, name),), notes=(topic,))

    assert block_faults(cards.blocks(card, (topic,)), "message") == []
    assert len(cards.fallback(card)) <= 4000
