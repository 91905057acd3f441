"""What a debate's turn must keep to: asked again once with the precise complaint, then kept and marked."""

from collections.abc import Callable

import pytest

from bot.core.model import ModelRequest
from bot.core.scene import Scene
from tests.core.formats.debaters import FILL, debate, first_sentence, other, spoiled, thesis, turn
from tests.fakes.model import Said, ScriptedModel, speaker_of
from tests.fakes.stage import Stage

Spoil = Callable[[Scene], Said]


def short(_scene: Scene) -> Said:
    return "It will not work, and I have said so before."


def long(scene: Scene) -> Said:
    return thesis(scene) + FILL * 20


def headed(scene: Scene) -> Said:
    return f"## My view\n{thesis(scene)}"


def bold_title(scene: Scene) -> Said:
    return f"**On retries**\n\n{thesis(scene)}"


def polite(scene: Scene) -> Said:
    return f"Great question! {thesis(scene)}"


def rebuttal(persona: str | None = None, quote: str | None = None, text: str | None = None) -> Spoil:
    def spoil(scene: Scene) -> Said:
        line = other(scene)
        challenge = {"persona": persona or line.speaker, "quote": quote or first_sentence(line)}
        return {"text": text or f"{line.speaker} errs. {thesis(scene)}", "challenges": [challenge]}

    return spoil


def nobody(scene: Scene) -> Said:
    return {"text": thesis(scene), "challenges": []}


def concedes_nothing(scene: Scene) -> Said:
    return {"text": thesis(scene), "concedes": []}


def unnamed(scene: Scene) -> Said:
    line = other(scene)
    text = " ".join(w for w in thesis(scene).split() if w not in line.speaker.split())
    return {"text": text, "challenges": [{"persona": line.speaker, "quote": first_sentence(line)}]}


FAULTS: list[tuple[str, Spoil, str, str]] = [
    ("", short, "debated_length", "10 words; say it in 150 to 300"),
    ("", long, "debated_length", "never under 80 or over 400"),
    ("", headed, "no_heading", "'## My view'"),
    ("", bold_title, "no_heading", "'**On retries**'"),
    ("", polite, "no_preamble", "'great question'"),
    ("rebuttal", nobody, "challenges", "nobody is named; challenge an argument of at least one of Ada Lowell, Cy Tan"),
    ("rebuttal", rebuttal(quote="I never said this at all"), "challenges", "'I never said this at all' was not said"),
    ("rebuttal", rebuttal(persona="Zed"), "challenges", "'Zed' did not speak in this debate"),
    ("rebuttal", rebuttal(persona="Bo Ridge"), "challenges", "you can not answer yourself"),
    ("rebuttal", unnamed, "challenges", "the text does not name"),
    ("closing", concedes_nothing, "concedes", "concede a point of at least one of"),
]


@pytest.mark.parametrize(("answer", "spoil", "check", "complaint"), FAULTS)
async def test_fault_is_asked_again_with_the_precise_complaint(
    answer: str, spoil: Spoil, check: str, complaint: str
) -> None:
    """One re-ask; a sound second answer stands, with nothing marked."""
    stage = Stage(model=spoiled("bo", answer, spoil, times=1))
    await stage.open(debate())

    panel = await stage.run()

    asked_again = [r for r in stage.model.requests if r.scene.complaint]
    assert len(asked_again) == 1
    assert check in asked_again[0].scene.complaint
    assert complaint in asked_again[0].scene.complaint
    assert complaint in asked_again[0].prompt.tail
    assert all(c.result == "passed" for t in panel.turns for c in t.checks)


@pytest.mark.parametrize(("answer", "spoil", "check", "_complaint"), FAULTS)
async def test_second_failure_is_kept_and_marked(answer: str, spoil: Spoil, check: str, _complaint: str) -> None:
    """Asked twice and no more; the turn stands, and its check is marked as failed."""
    stage = Stage(model=spoiled("bo", answer, spoil))
    await stage.open(debate())

    panel = await stage.run()

    kind = {"": "opening", "rebuttal": "rebuttal", "closing": "closing"}[answer]
    given = next(t for t in panel.turns if t.persona == "bo" and t.turn_kind == kind)
    asked = [r for r in stage.model.requests if r.scene.speaker and r.scene.speaker.short_name == "bo"]
    assert [c.name for c in given.checks if c.result == "failed"] == [check]
    assert len([r for r in asked if r.scene.kind == kind]) == 2
    assert not given.deterministic


async def test_challenge_is_not_run_where_nobody_else_has_spoken() -> None:
    """A check that can not run is recorded as such."""

    def lonely(request: ModelRequest) -> Said:
        said = thesis(request.scene)
        if speaker_of(request) != "bo":
            return ""
        return {"text": said, "challenges": [], "concedes": []} if request.scene.answer else said

    stage = Stage(model=ScriptedModel(lonely))
    await stage.open(debate(synthesis=False, rounds=3))

    panel = await stage.run()

    given = next(t for t in panel.turns if t.turn_kind == "rebuttal")
    assert [(c.name, c.result) for c in given.checks if c.name == "challenges"] == [("challenges", "not_run")]


@pytest.mark.parametrize(
    "start",
    [
        "**No.** Waiting costs more",
        "Thankfully, nobody",
        "As the bill shows,",
        "Surely not; and",
        "- First, the",
    ],
)
async def test_plain_beginnings_are_no_preamble_and_no_heading(start: str) -> None:
    """Only the listed phrases count, as whole words; a bold first word is emphasis."""
    stage = Stage(model=spoiled("bo", "", lambda scene: f"{start} {thesis(scene)}"))
    await stage.open(debate(rounds=1))

    panel = await stage.run()

    assert all(c.result == "passed" for t in panel.turns for c in t.checks)


async def test_two_cjk_characters_count_as_one_word() -> None:
    """A turn in Japanese is measured as fairly as one in English."""
    text = "再試行は待つべきだと私は考える。" * 12
    stage = Stage(model=spoiled("bo", "", lambda _scene: text))
    await stage.open(debate(rounds=1))

    panel = await stage.run()

    given = next(t for t in panel.turns if t.persona == "bo")
    assert [c.detail for c in given.checks if c.name == "debated_length"] == ["90 words"]


async def test_part_of_a_name_is_enough() -> None:
    """An unambiguous part of a persona's name names it."""

    def by_first_name(scene: Scene) -> Said:
        said = turn(scene)
        assert isinstance(said, dict)
        line = other(scene)
        return {**said, "challenges": [{"persona": line.speaker.split()[0], "quote": first_sentence(line)}]}

    stage = Stage(model=spoiled("bo", "rebuttal", by_first_name))
    await stage.open(debate(rounds=3))

    panel = await stage.run()

    assert all(c.result == "passed" for t in panel.turns for c in t.checks)
