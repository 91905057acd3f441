"""What the rehearsal reads out of a persona's document."""

import pytest

from bot.core.persona import Persona
from bot.core.speech.cues import Cue, cues_of, read_cues


def persona(body: str, *criteria: str, description: str = "") -> Persona:
    return Persona(short_name="ada", name="Ada", body=body, evaluation_criteria=criteria, description=description)


@pytest.mark.parametrize(
    ("line", "sign", "phrases"),
    [
        ("- ! no rollback, by hand → How do we get back?", "!", ("no rollback", "by hand")),
        ("- [?] For Now → How do we get back?", "?", ("for now",)),
        ("* + “fewer”, `less` -> How do we get back?", "+", ("fewer", "less")),
        ("- worker, stage => How do we get back?", "", ("worker", "stage")),
    ],
)
def test_cue_line_is_sign_phrases_and_remark(line: str, sign: str, phrases: tuple[str, ...]) -> None:
    """The sign may be missing or in brackets; phrases are compared in lower case."""
    ((cue,), strange) = read_cues(line)

    assert (cue.sign, cue.phrases, cue.remark, strange) == (sign, phrases, "How do we get back?", ())


def test_lines_that_are_no_cues_are_counted() -> None:
    """For whoever wrote them."""
    assert read_cues("- ! a → b\n\nsome prose\n- , → x") == (
        (Cue(sign="!", phrases=("a",), remark="b"),),
        (2, 3),
    )


def test_stated_questions_come_from_their_section() -> None:
    """Not from anywhere else in the document."""
    body = (
        "Who else?\n\n## Three questions I always ask\n\n1. **Who** pays?\n2. For how long?\n\n## Cues\n\n- ! a → Why?"
    )

    assert cues_of(persona(body)).questions == ("Who pays?", "For how long?")


def test_document_without_the_section_lends_its_own_questions() -> None:
    """At most three, each once, in any writing."""
    body = "# Wer zahlt?\nErst zählen. Wie lange? Und dann?\n- Wie lange?\n谁付钱？"

    assert cues_of(persona(body)).questions == ("Wer zahlt?", "Wie lange?", "Und dann?")
    assert cues_of(persona("我先数。谁付钱？")).questions == ("谁付钱？",)


def test_persona_without_cues_hears_the_words_of_its_criteria() -> None:
    """Neutral cues of telling words; small words are no cue; without criteria the description serves."""
    (cue,) = cues_of(persona("x", "The price is understood without calling sales")).cues
    (other,) = cues_of(persona("x", description="从成本出发审查方案")).cues

    assert (cue.sign, cue.phrases) == ("", ("price", "understood", "calling", "sales"))
    assert other.phrases == ("从成本出发审查方案",)
    assert cues_of(persona("x")).cues == ()
