"""The structured answers that models are asked for, and how each reads as speech."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Answer(BaseModel):
    """A structured answer. Unknown keys are kept out; a persona's contract may add keys of its own."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    def speech(self) -> str:
        """The answer as it is said in the thread, Markdown."""
        raise TypeError(f"{type(self).__name__} is never spoken")


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


class Claim(Answer):
    """One attributed claim of a synthesis."""

    text: str = Field(min_length=1, description="The claim in one sentence, with the speakers' names in it.")
    speakers: tuple[str, ...] = Field(min_length=1, description="Names of those who said it.")
    quote: str = Field(description="Words of one of them, copied exactly from the transcript, five words or more.")


class Synthesis(Answer):
    """The host's synthesis: every claim with its speakers and a verbatim quotation."""

    agreements: tuple[Claim, ...] = ()
    disagreements: tuple[Claim, ...] = ()
    changes_of_view: tuple[Claim, ...] = Field(default=(), description="Who changed their view, on what.")
    open_questions: tuple[str, ...] = ()
    recommendations: tuple[Claim, ...] = Field(default=(), description="Each with the one who made it.")
    next_steps: tuple[str, ...] = ()
    declares_winner: bool = Field(default=False, description="Always false: a panel has no winner.")

    @property
    def claims(self) -> tuple[Claim, ...]:
        return self.agreements + self.disagreements + self.changes_of_view + self.recommendations

    def speech(self) -> str:
        sections: tuple[tuple[str, tuple[str, ...]], ...] = (
            ("Agreements", tuple(claim.text for claim in self.agreements)),
            ("Disagreements", tuple(claim.text for claim in self.disagreements)),
            ("Changed views", tuple(claim.text for claim in self.changes_of_view)),
            ("Open questions", self.open_questions),
            ("Recommendations", tuple(claim.text for claim in self.recommendations)),
            ("Next steps", self.next_steps),
        )
        return "\n\n".join(
            f"**{title}**\n" + "\n".join(f"- {' '.join(line.split())}" for line in lines)
            for title, lines in sections
            if lines
        )


ANSWERS: Mapping[str, type[Answer]] = {
    "moderation": Moderation,
    "interjection": Interjection,
    "synthesis": Synthesis,
}
"""Name in a cue → answer."""


def schema_of(name: str) -> dict[str, Any]:
    """The JSON Schema that a model is given for the answer of that name."""
    return ANSWERS[name].model_json_schema()
