"""The rehearsal: whole panels without a model, that keep every check, quote exactly and never repeat themselves."""

import re
import time
from typing import Any

import pytest

from adapters.models.rehearsal import Rehearsal
from adapters.models.rehearsal.answers import WRITERS
from adapters.models.rehearsal.filling import least
from adapters.models.rehearsal.passages import passages
from bot.core.document import Document, from_text
from bot.core.entries import Opened, Seat
from bot.core.formats.answers import ANSWERS
from bot.core.options import FormatName
from bot.core.panel import Panel
from bot.core.persona import HOST, Persona
from bot.core.words import plain, sentences, words
from personas.loader import load_bundled
from tests.fakes.clock import FakeClock
from tests.fakes.stage import Stage, opening
from tests.models.design import DESIGN

CAST = {persona.short_name: persona for persona in load_bundled().personas}
FOUR = ("cranky-old-sam", "crusty-old-engineer", "user-advocate", "technology-historian")
BENCH = ("intent-keeper", "cranky-old-sam", "crusty-old-engineer", "restless-old-brian", "user-advocate")
CHAIR = "decision-philosopher"
MODEL = "rehearsal:rehearsal"
QUOTED = re.compile(r"“([^“”]+)”")


def long_document() -> Document:
    """Prose of some twelve thousand words: the design, again and again with other figures."""
    return from_text("\n\n".join(DESIGN.replace("Nine", f"{n} and nine") for n in range(60)), title="design.md")


def asked(
    names: tuple[str, ...], format_name: FormatName = "discussion", document: Document | None = None, **options: Any
) -> Opened:
    moderator = options.get("moderator", "")
    seats = tuple(Seat(persona=CAST[name], model=MODEL, moderates=name == moderator) for name in names)
    opened = opening(*seats, format_=format_name, topic="Should we collect late fees by night?", **options)
    documents = (document or from_text(DESIGN, title="fees.md"),)
    return opened.model_copy(update={"documents": documents, "host_model": MODEL, "model_is_ai": False})


async def rehearsed(opened: Opened) -> Panel:
    clock = FakeClock()
    stage = Stage(models={"rehearsal": Rehearsal(clock)}, clock=clock)  # type: ignore[dict-item]  # any model
    await stage.open(opened)
    return await stage.run()


async def test_a_whole_discussion_keeps_every_check() -> None:
    """The synthesis quotes real speakers verbatim, within its length; nothing is replaced by rule."""
    panel = await rehearsed(asked(FOUR, rounds=12, final_summary=True))

    assert panel.status == "finished"
    assert panel.skipped == ()
    assert len(panel.turns) == 48 + 4 + 1
    assert not any(turn.deterministic for turn in panel.turns)
    assert all(check.result == "passed" for turn in panel.turns for check in turn.checks)
    assert panel.spent_usd == 0.0


async def test_nobody_repeats_a_turn() -> None:
    """Each round brings another passage, question, or answer."""
    panel = await rehearsed(asked(FOUR, rounds=12))

    said = [turn.text for turn in panel.turns]
    assert len(set(said)) == len(said)
    assert min(words(text) for text in said) >= 3


async def test_passages_of_the_target_are_quoted_word_for_word() -> None:
    """Each persona quotes the document; and what stands in quotation marks was written or said by somebody."""
    panel = await rehearsed(asked(FOUR, rounds=4))

    written = plain(" ".join(re.sub(r"^\s*(-|\d+\.)\s+", "", line) for line in DESIGN.splitlines()))
    for turn in panel.turns[:-1]:
        before = plain("\n".join(other.text for other in panel.turns if other.seq < turn.seq))
        for quote in QUOTED.findall(turn.text):
            assert plain(quote) in written or plain(quote) in before, quote
    for name in FOUR:
        own = [quote for turn in panel.turns if turn.persona == name for quote in QUOTED.findall(turn.text)]
        assert any(plain(quote) in written for quote in own), name


async def test_lines_are_named_where_the_passage_stands() -> None:
    """A reader finds the place."""
    document = from_text(DESIGN)

    for passage in passages(document):
        standing = plain(" ".join(document.lines[passage.line - 1 : passage.last_line]))
        assert plain(passage.text) in standing


async def test_earlier_speakers_are_answered_by_name() -> None:
    """From the second turn on, most turns name somebody who spoke before."""
    panel = await rehearsed(asked(FOUR, rounds=6))

    later = [turn for turn in panel.turns[1:] if turn.persona != HOST]
    names = {name: CAST[name].name for name in FOUR}
    answering = [turn for turn in later if any(n in turn.text for s, n in names.items() if s != turn.persona)]
    assert len(answering) >= 0.6 * len(later)


async def test_every_persona_asks_its_own_questions() -> None:
    """All three, within a panel of the usual length."""
    panel = await rehearsed(asked(FOUR, rounds=12))

    for name in FOUR:
        said = "\n".join(turn.text for turn in panel.turns if turn.persona == name)
        own = [s for s in sentences(CAST[name].body) if s.endswith("?")]
        assert sum(question in said for question in own) >= 3, name


async def test_the_last_round_concedes() -> None:
    """To somebody, by name, in their words."""
    panel = await rehearsed(asked(FOUR, rounds=5))

    last = [turn for turn in panel.turns if turn.round == 5 and turn.persona != HOST]
    assert all("I concede this to" in turn.text for turn in last)


async def test_the_same_panel_is_the_same_every_time() -> None:
    """No chance, no clock, no order of a set."""
    one, other = await rehearsed(asked(FOUR, rounds=3)), await rehearsed(asked(FOUR, rounds=3))

    assert [turn.text for turn in one.turns] == [turn.text for turn in other.turns]


@pytest.mark.parametrize("style", ["structured", "loose", "devil", "like a judge"])
async def test_a_moderator_opens_interjects_and_closes(style: str) -> None:
    """In each style; a loose one may hold its tongue."""
    panel = await rehearsed(asked((*FOUR, CHAIR), rounds=5, moderator=CHAIR, style=style))

    moderations = [turn for turn in panel.turns if turn.persona == CHAIR]
    assert panel.status == "finished"
    assert moderations[0].turn_kind == "opening"
    assert any("Where it stands after round 5" in turn.text for turn in moderations)
    texts = [turn.text for turn in moderations]
    assert len(set(texts)) == len(texts)


async def test_a_moderator_that_may_end_the_talk_does_so_at_a_sensible_round() -> None:
    """Not at once, and long before the fortieth."""
    opened = asked((*FOUR[:2], CHAIR), rounds=40, duration="until-done", moderator=CHAIR, style="structured")

    panel = await rehearsed(opened)

    assert panel.closing == "done"
    assert 3 <= panel.round <= 8


@pytest.mark.parametrize(
    ("format_name", "names", "options"),
    [
        ("debate", FOUR[:3], {"rounds": 3, "mode": "isolated"}),
        ("debate", FOUR[:2], {"rounds": 4, "mode": "inline"}),
        ("review", ("pm-lens", "designer-lens", "engineer-lens"), {"mode": "voting-quorum"}),
        ("review", ("pm-lens", "designer-lens", "engineer-lens"), {"mode": "coordinator-summary"}),
        ("council", BENCH, {"rounds": 3}),
    ],
)
async def test_every_format_runs_to_its_end(format_name: FormatName, names: tuple[str, ...], options: Any) -> None:
    """With well-formed answers: nobody is skipped, and no check fails."""
    panel = await rehearsed(asked(names, format_name, **options))

    failed = [(turn.persona, check) for turn in panel.turns for check in turn.checks if check.result == "failed"]
    assert panel.status == "finished"
    assert panel.skipped == ()
    assert failed == []


async def test_a_faulty_design_does_not_pass() -> None:
    """A charge without an idempotency key and logged card numbers: the engineer fails it, with the lines."""
    panel = await rehearsed(asked(("pm-lens", "designer-lens", "engineer-lens"), "review", mode="voting-quorum"))

    verdict = next(turn.data for turn in panel.turns if turn.persona == "engineer-lens")
    assert verdict is not None
    assert verdict["verdict"] == "fail"
    assert verdict["findings"]
    assert panel.verdict == "fail"


async def test_time_grows_with_the_turns_and_no_faster() -> None:
    """Four personas on a long document: thirty-six more rounds take about three times what twelve take."""
    document = long_document()
    rehearsal = Rehearsal(FakeClock())
    _ = rehearsal
    spent = []
    for rounds in (12, 48):
        opened = asked(FOUR, document=document, rounds=rounds)
        began = time.process_time()
        await rehearsed(opened)
        spent.append(time.process_time() - began)

    assert spent[1] < 12 * spent[0]


def test_every_structured_answer_can_be_rehearsed() -> None:
    """One writer for each name."""
    assert set(WRITERS) == set(ANSWERS)


def test_fields_of_a_personas_contract_are_filled_in() -> None:
    """With the least that the schema allows."""
    schema = {
        "type": "object",
        "required": ["risk", "score", "owner", "tags"],
        "properties": {
            "risk": {"enum": ["low", "high"]},
            "score": {"type": "integer", "minimum": 3},
            "owner": {"type": "string", "minLength": 30},
            "tags": {"type": "array", "minItems": 2, "items": {"type": "string"}},
        },
    }

    made = least(schema)

    assert (made["risk"], made["score"], len(made["owner"]), len(made["tags"])) == ("low", 3, 30, 2)


async def test_a_persona_without_cues_judges_by_its_criteria() -> None:
    """What the target is silent on is a doubt."""
    plain_persona = Persona(
        short_name="auditor",
        name="Auditor",
        body="## Mission\n\nCheck the plan.\n",
        evaluation_criteria=("Late invoices are followed up with care", "Encryption keys rotate quarterly"),
    )
    document = from_text(
        "Late invoices are followed up by a letter.\n\nThe letter is polite.\n\nIt is posted at noon.\n"
    )
    opened = asked(("pm-lens",), "review", document, mode="voting-quorum")
    seats = (*opened.seats, Seat(persona=plain_persona, model=MODEL))
    panel = await rehearsed(opened.model_copy(update={"seats": seats}))

    verdict = next(turn.data for turn in panel.turns if turn.persona == "auditor")
    assert verdict is not None
    assert verdict["verdict"] == "warn"


async def test_a_topic_without_a_document_is_named_once_by_each() -> None:
    """In a speaker's first turn, where there is nothing else to point at."""
    panel = await rehearsed(asked(FOUR, rounds=3).model_copy(update={"documents": ()}))

    for name in FOUR:
        own = [turn.text for turn in panel.turns if turn.persona == name]
        assert [text.startswith("On “Should we collect late fees by night?”") for text in own] == [True, False, False]


@pytest.mark.parametrize("style", ["structured", "like a judge"])
async def test_nobody_answers_or_concedes_to_a_moderators_agenda(style: str) -> None:
    """An order of speakers is no claim."""
    panel = await rehearsed(asked((*FOUR, CHAIR), rounds=4, moderator=CHAIR, style=style))

    said = [turn.text for turn in panel.turns if turn.persona in FOUR]
    assert said
    assert not any("You speak in this order" in text or "Our agenda" in text for text in said)
    assert not any(f"I concede this to **{CAST[CHAIR].name}**" in text for text in said)


async def test_a_question_is_answered_to_the_one_who_asked() -> None:
    """By name, from the persona's own matter."""
    clock = FakeClock()
    stage = Stage(models={"rehearsal": Rehearsal(clock)}, clock=clock)  # type: ignore[dict-item]  # any model
    await stage.open(asked(FOUR[:2], rounds=2))
    await stage.say("ask sam: who clears the rows?")

    panel = await stage.run()

    answer = next(turn for turn in panel.turns if turn.turn_kind == "answer")
    assert answer.persona == "cranky-old-sam"
    assert "Maria" in answer.text
    assert "who clears the rows?" in answer.text


async def test_a_turn_takes_as_long_as_it_is_told() -> None:
    """On the clock."""
    clock = FakeClock()
    stage = Stage(models={"rehearsal": Rehearsal(clock, delay=0.6)}, clock=clock)  # type: ignore[dict-item]  # any model
    await stage.open(asked(FOUR[:2], rounds=1))

    await stage.run()

    assert clock.slept.count(0.6) == 3
