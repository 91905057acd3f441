"""The rule that chooses who takes part: diverse sets that fit the topic, the same ones every time."""

from itertools import combinations

import pytest

from bot.core.persona import Persona
from bot.core.starting.choosing import PERSPECTIVES, choose, perspectives, plausible
from personas.loader import load_bundled

CAST = load_bundled().personas
TOPICS = (
    "Should our startup hire a co-founder or stay solo?",
    "Should we migrate our monolith to microservices on Kubernetes?",
    "Should we add a dark mode to the app?",
    "Is a four-day week a good idea?",
    "Should lazy imports come to Python?",
    "Should we raise the price of the basic plan?",
    "Should we log card numbers for debugging?",
    "Is it ethical to use dark patterns to retain customers?",
    "Should schools ban smartphones?",
    "Should we open source our core product?",
    "Should we build our own database?",
    "Should I quit my job to found a company?",
    "Should governments regulate AI models?",
    "Rewrite in Rust?",
    "Should support be done by chatbots?",
    "Should we acquire our competitor?",
    "Remote or office?",
    "Should we ship the beta now or wait?",
    "Should we retry failed card payments automatically?",
    "What is a good life?",
)


@pytest.mark.parametrize("topic", TOPICS)
def test_chosen_set_is_small_and_differs_for_real(topic: str) -> None:
    """Two or three, of whom no two share half of their tags, and each of whom has a reason."""
    chosen = choose(topic, CAST, 3, fewest=2)

    assert 2 <= len(chosen) <= 3
    for one, other in combinations([c.persona for c in chosen], 2):
        shared = set(one.tags) & set(other.tags)
        assert len(shared) / len(set(one.tags) | set(other.tags)) < 0.34, (one.short_name, other.short_name)
    assert all(c.reason for c in chosen)


@pytest.mark.parametrize("topic", TOPICS)
def test_wanted_perspectives_are_covered(topic: str) -> None:
    """Each of the first two perspectives that the topic calls for is held by somebody."""
    chosen = choose(topic, CAST, 3, fewest=2)

    for name in perspectives(topic)[:2]:
        assert any(set(c.persona.tags) & set(PERSPECTIVES[name][1]) for c in chosen), name


def test_twenty_topics_do_not_get_the_same_few() -> None:
    """Over twenty topics at least half of the bundled general cast has its say."""
    chosen = {c.persona.short_name for topic in TOPICS for c in choose(topic, CAST, 3, fewest=2)}

    assert len(chosen) >= 10


def test_same_topic_gives_the_same_set_whatever_the_catalogs_order() -> None:
    """No randomness, and no dependence on the order of files."""
    for topic in TOPICS:
        first = {c.persona.short_name for c in choose(topic, CAST, 3, fewest=2)}
        assert first == {c.persona.short_name for c in choose(topic, tuple(reversed(CAST)), 3, fewest=2)}


@pytest.mark.parametrize(
    ("topic", "perspective"),
    [
        ("Should founders take a salary?", "start-ups, careers and incentives"),
        ("Is the onboarding of our app good?", "product, taste and consumer experience"),
        ("What does this architecture cost to run?", "engineering, systems and cost"),
        ("How do people decide without regret?", "philosophy and decisions"),
        ("Which competitor has the power in this market?", "markets, power and competition"),
    ],
)
def test_topic_calls_for_its_perspective(topic: str, perspective: str) -> None:
    """The five perspectives that are always looked for, by the topic's own words."""
    assert perspectives(topic)[0] == perspective


def test_most_diverse_set_wins_a_tie() -> None:
    """Of equally relevant personas, those that are least alike are taken."""
    builders = tuple(
        Persona(short_name=name, name=name, description=text, tags=("engineering",), body="x")
        for name, text in (
            ("a", "counts every brick of the wall"),
            ("b", "counts every brick of the wall"),
            ("c", "sings to old machines at night"),
        )
    )

    chosen = {c.persona.short_name for c in choose("Rewrite the database?", builders, 2)}

    assert "c" in chosen


def test_catalog_without_tags_is_chosen_from_by_description() -> None:
    """Other people's catalogs often have none."""
    people = (
        Persona(short_name="x", name="X", description="An investor who prices risk", body="x"),
        Persona(short_name="y", name="Y", description="A gardener", body="x"),
        Persona(short_name="z", name="Z", description="Knows the history of trades", body="x"),
    )

    assert {p.short_name for p in plausible("Who has the power in this market?", people)} == {"x", "z"}
    assert {c.persona.short_name for c in choose("Who has the power in this market?", people, 2)} == {"x", "z"}


def test_large_catalog_is_chosen_from_in_no_time() -> None:
    """Three hundred personas are no reason to wait."""
    crowd = tuple(
        Persona(short_name=f"p{n}", name=f"P{n}", description=f"thinks about {n}", tags=(f"t{n % 7}",), body="x")
        for n in range(300)
    )

    assert len(choose("Should we migrate the database?", crowd, 4)) == 4
