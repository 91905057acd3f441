"""A persona's document cut at its headings, and as prompts carry it."""

from hypothesis import given
from hypothesis import strategies as st

from bot.core.persona import Note, Persona
from bot.core.speech.persona_text import persona_text, section, sections, without_section

DOCUMENT = """\
I count.

## Beliefs

Sums add up.

### Why

They did.

## Cues

- ! cost → Who pays?

### More cues

- ! price → Who?

## How I talk

```
## Cues
not a heading
```
"""


def test_section_reaches_to_the_next_heading_of_its_depth() -> None:
    """Deeper headings belong to it; any case finds it."""
    assert section(DOCUMENT, "beliefs") == "Sums add up.\n\n### Why\n\nThey did."
    assert section(DOCUMENT, "nowhere") is None


def test_cues_never_reach_a_prompt() -> None:
    """The section goes, whatever is nested in it; the rest stays as it is, code fences too."""
    text = persona_text(Persona(short_name="ada", name="Ada", body=DOCUMENT))

    assert "Who" not in text
    assert "not a heading" in text
    assert text.startswith("I count.\n\n## Beliefs")


def test_notes_follow_with_their_dates_oldest_first() -> None:
    """Each note on its line, further lines below it; criteria before them."""
    notes = (
        Note(id="b", text="We hired.\nTwo people.", added="2026-05-03T08:00:00Z"),
        Note(id="a", text="We moved.", added="2026-05-02"),
    )
    text = persona_text(
        Persona(short_name="ada", name="Ada", body="I count.", notes=notes, evaluation_criteria=("Sums add up",))
    )

    assert text.endswith("- 2026-05-02: We moved.\n- 2026-05-03: We hired.\n  Two people.")
    assert text.index("Sums add up") < text.index("We moved")


@given(st.lists(st.sampled_from(["# A", "## Cues", "### B", "text", "", "```", "~~~~", "- x"]), max_size=12))
def test_parts_put_together_are_the_document(lines: list[str]) -> None:
    """Cutting loses nothing; taking out a section that is not there changes nothing."""
    document = "\n".join(lines)
    whole = "\n".join(part.whole for part in sections(document))

    assert whole.strip() == document.strip()
    assert without_section(document, "elsewhere").strip() == document.strip()
