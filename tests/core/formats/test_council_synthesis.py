"""Guardrails of a council's synthesis, each broken by a model: asked once more, then code's own, which says so."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.core.formats.council_report import NOTE
from bot.core.scene import Scene
from tests.core.formats.lenses import found, held, synthesis, word
from tests.fakes.model import Said

SPLIT: dict[str, list[Any]] = {"ada": ["PASS"], "bo": ["FAIL"], "cy": ["N/A"]}
AGREED: dict[str, list[Any]] = {"ada": ["PASS"], "bo": ["CONCERN"], "cy": ["N/A"]}


def claim(speaker: str, quote: str, text: str = "holds this:") -> dict[str, Any]:
    return {"text": text, "speakers": [speaker], "quote": quote}


def without(key: str, speaker: str) -> Callable[[Scene], Said]:
    """A synthesis that leaves one lens out of one part."""

    def host(scene: Scene) -> Said:
        whole = synthesis(scene)
        return {**whole, key: [one for one in whole[key] if one["speakers"] != [speaker]]}

    return host


def changed(**fields: Any) -> Callable[[Scene], Said]:
    return lambda scene: synthesis(scene, **fields)


def position(speaker: str, **fields: Any) -> Callable[[Scene], Said]:
    """A synthesis in which one lens's position is another."""

    def host(scene: Scene) -> Said:
        whole = synthesis(scene)
        kept = [{**one, **fields} if one["speakers"] == [speaker] else one for one in whole["positions"]]
        return {**whole, "positions": kept}

    return host


BREAKS: list[tuple[str, Callable[[Scene], Said]]] = [
    ("fails_all_named", without("blockers", "Bo Ridge")),
    ("fails_all_named", changed(blockers=[claim("Ada Lowell", "Nothing in my lens stands against this")])),
    ("fails_all_named", changed(blockers=[claim("Bo Ridge", "charges people")])),
    ("lenses_quoted", without("positions", "Cy Tan")),
    ("lenses_quoted", position("Ada Lowell", quote="my lens")),
    ("quotes_verbatim", position("Ada Lowell", quote="I love this plan with all my heart")),
    ("speakers_exist", position("Ada Lowell", speakers=["Zed"])),
    ("headline_stands", changed(headline=None)),
    ("headline_stands", changed(headline=claim("Bo Ridge", "This charges people twice and must not go on."))),
    ("verdict_kept", changed(verdict="CONCERN")),
    ("verdict_words", position("Cy Tan", text="votes FAIL:")),
    ("verdict_words", position("Bo Ridge", text="only has a CONCERN:")),
    ("verdict_words", position("Ada Lowell", text="says N/A:")),
]


@pytest.mark.parametrize(("check", "host"), BREAKS)
async def test_broken_twice_the_deterministic_synthesis_stands(check: str, host: Callable[[Scene], Said]) -> None:
    """A FAIL left out or softened, an invented quotation, an unknown speaker, a hidden headline, a wrong verdict."""
    panel, stage = await held(SPLIT, host=host)

    last = panel.turns[-1]
    assert last.deterministic
    assert last.text.endswith(NOTE)
    assert check in [c.name for c in last.checks if c.result == "failed"]
    assert len([r for r in stage.model.requests if r.scene.kind == "synthesis"]) == 2
    assert "- Bo Ridge (FAIL): “This charges people twice and must not go on.”" in last.text
    assert panel.verdict == "FAIL"


async def test_mended_at_the_second_try_it_stands() -> None:
    """The complaint names the FAIL that is missing."""
    tries = iter((without("blockers", "Bo Ridge"), synthesis))

    def host(scene: Scene) -> Said:
        return next(tries)(scene)

    panel, stage = await held(SPLIT, host=host)

    assert not panel.turns[-1].deterministic
    assert "the FAIL of Bo Ridge is left out of `blockers`" in stage.model.requests[-1].scene.complaint


async def test_no_model_for_the_host_gives_the_deterministic_synthesis() -> None:
    """An answer that is no JSON is as good as none."""
    panel, _stage = await held(SPLIT, host=lambda _scene: "It went well.")

    assert panel.turns[-1].deterministic
    assert panel.turns[-1].text.endswith(NOTE)


@pytest.mark.parametrize("host", [synthesis, lambda _scene: "no JSON"], ids=["model", "code"])
async def test_parts_stand_in_their_fixed_order(host: Callable[[Scene], Said]) -> None:
    """Roster, blockers, headline, positions, verdict, trade-off, whoever wrote them."""
    panel, _stage = await held(SPLIT, host=host)

    text = panel.turns[-1].text
    parts = (
        "- **Consulted:** Ada Lowell, Bo Ridge, Cy Tan",
        "**Unresolved blockers**\n- Bo Ridge (FAIL): “This charges people twice and must not go on.”",
        "**Headline disagreement:** ",
        "**What each lens holds**\n- Ada Lowell (PASS): ",
        "- Cy Tan (N/A): ",
        "**Verdict: FAIL**",
        "**To decide:** ",
    )
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


async def test_headline_is_the_conflict_that_still_stands() -> None:
    """Named on both sides with the place; never averaged away."""
    keep, remove = word("PASS", findings=[found("4", "keep")]), word("FAIL", findings=[found("3-4", "remove")])

    panel, _stage = await held({"ada": [keep], "bo": [remove]}, host=lambda _scene: "no JSON")

    assert "**Headline disagreement:** Ada Lowell would keep what Bo Ridge would remove: line 4" in panel.turns[-1].text


async def test_no_headline_where_no_disagreement_stands() -> None:
    """An invented one breaks the rule."""
    invented = changed(headline=claim("Ada Lowell", "Nothing in my lens stands against this"))

    panel, _stage = await held(AGREED, host=invented)

    assert panel.turns[-1].deterministic
    assert "Headline" not in panel.turns[-1].text


async def test_lens_of_few_words_is_quoted_with_all_of_them() -> None:
    """An abstention of two words can not be quoted with five."""
    panel, _stage = await held({"ada": ["PASS"], "bo": [word("N/A", rationale="Not mine.")]})

    assert not panel.turns[-1].deterministic
    assert "- Bo Ridge (N/A): holds this: “Not mine.”" in panel.turns[-1].text
