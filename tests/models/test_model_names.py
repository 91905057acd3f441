"""What the names of models mean."""

import pytest

from bot.core.errors import NoModel
from bot.core.model import ModelId
from bot.core.persona import Persona
from bot.core.speech.model_names import DEFAULT_TIERS, TIERS, Naming, checked, model_of, near, tiers_of

NAMING = Naming(providers=("anthropic",), tiers=DEFAULT_TIERS)
LISTED = ("claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5")


def persona(model: str = "", tier: str = "reviewer") -> Persona:
    return Persona(short_name="ada", name="Ada", body="x", model=model, tier=tier)


@pytest.mark.parametrize(
    ("name", "means"),
    [
        ("strongest", "claude-opus-5-5"),
        ("opus", "claude-opus-5-5"),
        ("balanced", "claude-sonnet-5-5"),
        ("sonnet", "claude-sonnet-5-5"),
        ("fast", "claude-haiku-5-5"),
        ("haiku", "claude-haiku-5-5"),
        ("inherit", "claude-sonnet-5-5"),
        ("", "claude-sonnet-5-5"),
        ("claude-opus-4-8", "claude-opus-4-8"),
        ("anthropic:claude-opus-4-8", "claude-opus-4-8"),
        ("llama3:8b", "llama3:8b"),
    ],
)
def test_aliases_and_ids(name: str, means: str) -> None:
    """The vendor's words mean the tiers; a colon is a provider's only after the name of one."""
    assert NAMING.id_of(name) == ModelId(provider="anthropic", name=means)


def test_a_default_stands_for_those_who_name_none() -> None:
    """`--model` is only that."""
    naming = Naming(providers=("anthropic",), tiers=DEFAULT_TIERS, default="opus")

    assert naming.id_of("").name == "claude-opus-5-5"
    assert naming.id_of("haiku").name == "claude-haiku-5-5"


def test_a_tier_may_name_a_provider() -> None:
    """`PANELIST_FAST=openai:llama3:8b`."""
    naming = Naming(providers=("anthropic", "openai"), tiers={"fast": "openai:llama3:8b"})

    assert naming.id_of("fast") == ModelId(provider="openai", name="llama3:8b")


def test_what_a_server_lists_is_taken_as_it_is() -> None:
    """Local servers list paths of files."""
    naming = Naming(providers=("openai",), tiers=dict.fromkeys(TIERS, "/models/smol.gguf"))

    assert naming.id_of("").name == "/models/smol.gguf"


def test_a_provider_that_is_not_configured_is_told_with_the_remedy() -> None:
    """It names what to set."""
    with pytest.raises(NoModel, match="PANELIST_OPENAI_BASE_URL"):
        NAMING.id_of("openai:gpt")


def test_nothing_configured_names_the_two_ways_on() -> None:
    """A key, or the rehearsal."""
    with pytest.raises(NoModel, match=r"ANTHROPIC_API_KEY.*--model rehearsal"):
        Naming(providers=(), tiers={}).id_of("opus")


@pytest.mark.parametrize("name", ["two words", "-x", "a" * 129, "naïve"])
def test_what_is_no_id_is_refused(name: str) -> None:
    """By the pattern of the persona files."""
    with pytest.raises(NoModel, match="is no model"):
        NAMING.id_of(name)


def test_a_custom_server_gives_its_first_model_for_every_tier() -> None:
    """The settings' own ids still win; a server without a list is not asked."""
    assert tiers_of({}, custom_base_url=True, listed=("a", "b")) == dict.fromkeys(TIERS, "a")
    assert tiers_of({"fast": "b"}, custom_base_url=True, listed=("a", "b"))["fast"] == "b"
    assert tiers_of({}, custom_base_url=True, listed=()) == DEFAULT_TIERS
    assert tiers_of({}, custom_base_url=False, listed=("a", "b")) == DEFAULT_TIERS


@pytest.mark.parametrize(
    ("model", "tier", "format_name", "means"),
    [
        ("", "domain-expert", "review", "claude-opus-5-5"),
        ("opus", "domain-expert", "review", "claude-opus-5-5"),
        ("haiku", "domain-expert", "review", "claude-haiku-5-5"),
        ("claude-opus-4-8", "domain-expert", "review", "claude-opus-4-8"),
        ("", "domain-expert", "discussion", "claude-sonnet-5-5"),
        ("", "reviewer", "review", "claude-sonnet-5-5"),
        ("fast", "auditor", "review", "claude-haiku-5-5"),
    ],
)
def test_a_domain_expert_reviews_with_the_strongest(model: str, tier: str, format_name: str, means: str) -> None:
    """Where it names no model, or the strongest tier's alias; nobody else does."""
    assert model_of(persona(model, tier), NAMING, format_name=format_name).name == means


def test_the_rehearsal_replaces_every_model_once_it_is_named() -> None:
    """A persona's own model too."""
    chosen = model_of(persona("opus"), NAMING, format_name="review", forced="rehearsal")

    assert str(chosen) == "rehearsal:rehearsal"


def test_an_unlisted_model_is_told_with_the_near_ones() -> None:
    """An empty list checks nothing."""
    wrong = ModelId(provider="anthropic", name="claude-opus-55")

    with pytest.raises(NoModel, match="no model 'claude-opus-55'; near it: claude-opus-5-5"):
        checked(wrong, LISTED)
    assert checked(wrong, ()) == wrong
    assert checked(ModelId(provider="anthropic", name=LISTED[0]), LISTED).name == LISTED[0]


def test_where_nothing_is_near_the_first_are_named() -> None:
    """So that one sees what kind of names they are."""
    assert near("zzz", ("alpha", "beta")) == "it lists: alpha, beta"
