"""Guardrails of the syntheses of discussion and debate: broken twice, the deterministic one stands and says so."""

from typing import Any, Literal

import pytest

from bot.core.formats.synthesis import NOTE
from bot.core.scene import Scene
from bot.core.words import words
from tests.core.formats.debaters import debate, spoiled, synthesis
from tests.fakes.model import Said
from tests.fakes.stage import Stage, opening

INVENTED = {"text": "Ada would ship it today.", "speakers": ["Ada Lowell"], "quote": "ship it today, all of it"}
UNKNOWN = {"text": "Zed agrees.", "speakers": ["Zed"], "quote": "I agree with every word"}
WINNER = "Ada has won the debate, and everybody knows it. "
BROKEN: list[tuple[str, dict[str, Any]]] = [
    ("quotes_verbatim", {"disagreements": [INVENTED]}),
    ("speakers_exist", {"disagreements": [UNKNOWN]}),
    ("speakers_exist", {"disagreements": []}),
    ("length", {"next_steps": ["Wait and see. " * 150]}),
]
ONLY_DEBATE: list[tuple[str, dict[str, Any]]] = [
    ("no_winner", {"declares_winner": True}),
    ("no_winner", {"open_questions": [WINNER]}),
    ("length", {"next_steps": ["Wait and see. " * 65]}),
]


def broken(changed: dict[str, Any]) -> Any:
    def spoil(scene: Scene) -> Said:
        return synthesis(scene, **changed)

    return spoil


@pytest.mark.parametrize(
    ("format_", "check", "changed"),
    [
        *(("debate", *one) for one in (*BROKEN, *ONLY_DEBATE)),
        *(("discussion", *one) for one in BROKEN),
    ],
)
async def test_broken_twice_the_deterministic_synthesis_stands(
    format_: Literal["debate", "discussion"], check: str, changed: dict[str, Any]
) -> None:
    """Asked again once; then code's own synthesis is posted, says so, and keeps the limit."""
    stage = Stage(model=spoiled("host", "synthesis", broken(changed)))
    await stage.open(debate(rounds=1) if format_ == "debate" else opening(rounds=1))

    panel = await stage.run()

    last = panel.turns[-1]
    assert last.deterministic
    assert last.text.startswith(NOTE)
    assert check in [c.name for c in last.checks if c.result == "failed"]
    assert len([r for r in stage.model.requests if r.scene.kind == "synthesis"]) == 2
    assert words(last.text) < (200 if format_ == "debate" else 351)
    assert WINNER not in last.text


async def test_mended_at_the_second_try_it_stands() -> None:
    """The complaint names what is wrong; a sound second answer is the model's own."""
    stage = Stage(model=spoiled("host", "synthesis", broken({"disagreements": [INVENTED]}), times=1))
    await stage.open(debate(rounds=1))

    panel = await stage.run()

    assert not panel.turns[-1].deterministic
    assert "was not said by Ada Lowell" in stage.model.requests[-1].scene.complaint


async def test_talk_of_winners_in_a_market_declares_none() -> None:
    """Only a winner of the debate is refused."""
    harmless = {"open_questions": ["Does the winner take all in this market?"]}
    stage = Stage(model=spoiled("host", "synthesis", broken(harmless)))
    await stage.open(debate(rounds=1))

    panel = await stage.run()

    assert not panel.turns[-1].deterministic
