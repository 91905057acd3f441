"""What somebody asks for becomes a debate, or a refusal in words."""

from typing import Any

import pytest

from bot.core.document import from_text
from bot.core.entries import Opened
from bot.core.errors import NotFound, Undecided, UsageError
from bot.core.options import options_of, value_of
from bot.core.persona import Persona
from bot.core.starting.catalog import Catalog
from bot.core.starting.debate_start import started_debate
from bot.core.starting.discussion_start import Start
from personas.loader import load_bundled
from tests.fakes.stage import MARIA

BUNDLED = load_bundled()
TOPIC = "Should we move our monolith to microservices?"


def asked(topic: str | None = TOPIC, catalog: Catalog = BUNDLED, **given: Any) -> Opened:
    options = {name.replace("_", "-"): value for name, value in given.items() if name not in ("documents", "asks")}
    start = Start(
        format="debate",
        topic=topic,
        starter=MARIA,
        options=options,
        documents=given.get("documents", ()),
        asks=given.get("asks", False),
    )
    return started_debate(start, catalog)


def named(opened: Opened) -> list[str]:
    return [seat.persona.short_name for seat in opened.seats]


def odd(count: int) -> Catalog:
    """A catalog with nothing to say on any topic of these tests."""
    people = tuple(Persona(short_name=f"p{n}", name=f"Person {n}", description="knits", body="x") for n in range(count))
    return Catalog(personas=people)


def test_named_personas_always_win() -> None:
    """However little they fit; in the order given, by any unambiguous part of their names."""
    opened = asked(personas=("jinx", "Ambrose", "educator"))

    assert named(opened) == ["tester-breaker", "technology-historian", "educator"]
    assert {seat.reason for seat in opened.seats} == {"named"}


def test_one_persona_alone_is_refused_in_words() -> None:
    """A debate needs two."""
    with pytest.raises(UsageError, match="a debate needs two voices, and only Paloma, Teacher was named"):
        asked(personas=("paloma",))


def test_unknown_name_lists_the_known() -> None:
    """None is ever invented."""
    with pytest.raises(NotFound, match=r"No persona is called 'gandalf'.*Known: capital-allocator"):
        asked(personas=("gandalf", "jinx"))


def test_two_or_three_are_chosen_with_a_reason_each() -> None:
    """Where nobody is named; the card shows who and why."""
    opened = asked()

    assert 2 <= len(opened.seats) <= 3
    assert all(seat.reason.startswith("chosen: ") for seat in opened.seats)


@pytest.mark.parametrize("topic", ["", "   ", "\n"])
def test_blank_topic_is_refused(topic: str) -> None:
    """An omitted one is too, unless there is a thread or document."""
    with pytest.raises(UsageError, match="needs a question"):
        asked(topic)
    with pytest.raises(UsageError, match="needs a question"):
        asked(None)


def test_without_a_topic_the_thread_is_the_topic_and_it_says_so() -> None:
    """The same for a document."""
    thread = from_text("Maria: shall we retry payments?", kind="thread", title="#payments")

    opened = asked(None, documents=(thread,))

    assert (opened.topic, opened.topic_note) == (
        "What should we make of “#payments”?",
        "no topic was given, so the thread is the topic",
    )


@pytest.mark.parametrize(
    "topic",
    [
        f"{TOPIC} (fast mode)",
        f"{TOPIC} in fast mode",
        f"fast mode: {TOPIC}",
        f"inline: {TOPIC}",
        f"{TOPIC}, inline",
        f"{TOPIC} (inline)",
        f"{TOPIC} - single-context",
        f"{TOPIC} in inline mode",
    ],
)
def test_words_choose_the_inline_mode(topic: str) -> None:
    """ "inline", "fast mode" and "single-context"; they are no part of the question."""
    opened = asked(topic)

    assert (opened.options.mode, opened.topic) == ("inline", TOPIC)


@pytest.mark.parametrize("topic", ["Should styles be inline?", "Is an inline cache worth it?"])
def test_the_word_inline_inside_a_question_is_part_of_it(topic: str) -> None:
    """A question about inlining is debated as any other."""
    opened = asked(topic)

    assert (opened.options.mode, opened.topic) == ("isolated", topic)


def test_an_option_wins_over_the_words() -> None:
    """What is said twice is taken from the option."""
    assert asked(f"{TOPIC}, inline", mode="isolated").options.mode == "isolated"


@pytest.mark.parametrize("topic", [f"{TOPIC}, no synthesis", f"{TOPIC} (no synthesis)", f"{TOPIC} with no synthesis"])
def test_no_synthesis_turns_it_off(topic: str) -> None:
    """Said at the end of the question."""
    opened = asked(topic)

    assert (opened.options.synthesis, opened.topic) == (False, TOPIC)


def test_long_debate_waits_for_a_go_ahead() -> None:
    """More than 3,500 words expected: personas times rounds times 250."""
    cast = ("jinx", "ambrose", "paloma")

    assert not asked(personas=cast, rounds=4).approval
    opened = asked(personas=cast, rounds=5)

    assert opened.approval
    assert opened.notes == ("This is a long debate: about 3,750 words are expected (3 personas, 5 rounds).",)


def test_fewer_than_two_plausible_is_asked_once_with_the_candidates() -> None:
    """Whoever can ask gets the candidates for its buttons."""
    with pytest.raises(Undecided) as fault:
        asked(catalog=odd(3), asks=True)

    assert fault.value.candidates == (("p0", "Person 0"), ("p1", "Person 1"), ("p2", "Person 2"))


def test_where_nobody_can_be_asked_the_assumption_is_stated() -> None:
    """The most different ones are taken, and the card says so."""
    opened = asked(catalog=odd(3))

    assert len(opened.seats) >= 2
    assert opened.notes == ("Nobody in the catalog clearly fits the question; the most different ones were taken.",)


def test_no_catalog_says_so_and_stops() -> None:
    """None configured and none bundled at hand."""
    with pytest.raises(UsageError, match="there is no catalog"):
        asked(catalog=Catalog())
    with pytest.raises(UsageError, match="the catalog holds only Person 0"):
        asked(catalog=odd(1))


@pytest.mark.parametrize("words", ["inline", "fast mode", "single-context", "FAST"])
def test_the_mode_has_other_names(words: str) -> None:
    """As an option, too."""
    mode = next(option for option in options_of("debate") if option.name == "mode")

    assert value_of(mode, words) == "inline"
