"""The structured answers that models are asked for, and how each reads as speech."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from bot.core.formats.answer import Answer, Attributed, Claim, lines_of
from bot.core.formats.answers_council import BenchChoice, CouncilSynthesis, LensAnswer
from bot.core.formats.answers_debate import Choice, ClosingSpeech, Rebuttal
from bot.core.formats.answers_review import Coordinated, Verdict
from bot.core.persona import Persona


class Moderation(Answer):
    """A moderator's interjection where the moderator decides when the panel ends."""

    statement: str = Field(min_length=1, description="What you say now.")
    done: bool = Field(description="True only when the discussion has run its course and should end now.")

    def speech(self) -> str:
        return self.statement


class Interjection(Answer):
    """A loose moderator speaks only when it must."""

    speaks: bool = Field(description="True only on serious drift, a conflict that needs help, or a quiet participant.")
    statement: str = Field(default="", description="What you say, briefly; empty when you do not speak.")

    def speech(self) -> str:
        return self.statement if self.speaks else ""


class Synthesis(Attributed):
    """The host's synthesis: every claim with its speakers and a verbatim quotation."""

    agreements: tuple[Claim, ...] = ()
    disagreements: tuple[Claim, ...] = ()
    changes_of_view: tuple[Claim, ...] = Field(default=(), description="Who changed their view, on what.")
    conditional_paths: tuple[Claim, ...] = Field(
        default=(), description="Only what somebody said, as: if you are in X, lean to Y."
    )
    open_questions: tuple[str, ...] = ()
    recommendations: tuple[Claim, ...] = Field(default=(), description="Each with the one who made it.")
    next_steps: tuple[str, ...] = ()
    declares_winner: bool = Field(default=False, description="Always false: a panel has no winner.")

    @property
    def claims(self) -> tuple[Claim, ...]:
        return (
            self.agreements + self.disagreements + self.changes_of_view + self.conditional_paths + self.recommendations
        )

    def speech(self) -> str:
        sections: tuple[tuple[str, tuple[str, ...]], ...] = (
            ("Agreements", tuple(claim.text for claim in self.agreements)),
            ("Disagreements", tuple(claim.text for claim in self.disagreements)),
            ("Changed views", tuple(claim.text for claim in self.changes_of_view)),
            ("Paths", tuple(claim.text for claim in self.conditional_paths)),
            ("Open questions", self.open_questions),
            ("Recommendations", tuple(claim.text for claim in self.recommendations)),
            ("Next steps", self.next_steps),
        )
        return "\n\n".join(part for title, lines in sections if (part := lines_of(title, lines)))


ANSWERS: Mapping[str, type[Answer]] = {
    "moderation": Moderation,
    "interjection": Interjection,
    "synthesis": Synthesis,
    "rebuttal": Rebuttal,
    "closing": ClosingSpeech,
    "choice": Choice,
    "verdict": Verdict,
    "coordinator": Coordinated,
    "lens": LensAnswer,
    "bench": BenchChoice,
    "council_synthesis": CouncilSynthesis,
}
"""Name in a cue → answer."""


def schema_of(name: str, persona: Persona | None = None) -> dict[str, Any]:
    """The JSON Schema that a model is given for the answer of that name.

    With a persona, its `output_contract` adds the fields that are not ours.
    """
    schema = ANSWERS[name].model_json_schema()
    added = contract_fields(name, persona)
    if persona is None or persona.output_contract is None or not added:
        return schema
    required = [key for key in persona.output_contract.get("required", ()) if key in added]
    return {
        **schema,
        "properties": {**schema["properties"], **added},
        "required": [*schema.get("required", ()), *required],
    }


def contract_fields(name: str, persona: Persona | None) -> dict[str, Any]:
    """The fields that the persona's contract adds to the answer of that name: name → schema."""
    contract = persona.output_contract if persona else None
    properties = contract.get("properties") if contract else None
    if not isinstance(properties, dict):
        return {}
    own = ANSWERS[name].model_fields
    return {key: value for key, value in properties.items() if key not in own}
