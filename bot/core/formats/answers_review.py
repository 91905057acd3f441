"""What a review asks its personas and its coordinator for, and how a verdict reads as speech."""

from typing import Any, Literal

from pydantic import Field, field_validator
from pydantic.json_schema import SkipJsonSchema

from bot.core.formats.answer import Answer, Attributed, Claim

ReviewVerdict = Literal["pass", "warn", "fail"]
Severity = Literal["low", "medium", "high", "critical"]


class Finding(Answer):
    """One thing that a persona found in the target."""

    anchor: str = Field(min_length=1, description="Where: `12` or `12-14` (line numbers), or words copied exactly.")
    claim: str = Field(min_length=1, description="What is wrong or right there, in one or two sentences.")
    severity: Severity

    @field_validator("severity", mode="before")
    @classmethod
    def _folded(cls, value: object) -> object:
        return value.strip().casefold() if isinstance(value, str) else value


class DerivedSource(Answer):
    """A source that a persona looked up itself."""

    path: str = Field(min_length=1, description="Path of the file, as the tools name it.")
    supports_claim: str = Field(min_length=1, description="The claim of the target that it bears out, or does not.")


class Verdict(Answer):
    """A persona's verdict on the target."""

    verdict: ReviewVerdict
    rationale: str = Field(min_length=1, description="Why, in your own voice, in two to five sentences.")
    recommendations: tuple[str, ...] = Field(default=(), description="What should be done, one sentence each.")
    findings: tuple[Finding, ...] = ()
    derived_sources: tuple[DerivedSource, ...] = Field(default=(), description="Only what you looked up yourself.")
    extra: SkipJsonSchema[dict[str, Any]] = Field(default_factory=dict)
    """What the persona's own contract adds."""

    @field_validator("verdict", mode="before")
    @classmethod
    def _folded(cls, value: object) -> object:
        return value.strip().casefold() if isinstance(value, str) else value


class Coordinated(Attributed):
    """The coordinator's verdict over all verdicts."""

    verdict: ReviewVerdict
    reason: str = Field(
        min_length=1, description="Why, in at most 120 words, weighing the personas against each other."
    )
    points: tuple[Claim, ...] = Field(
        default=(), description="What you build on: each persona that failed it, at least."
    )

    @field_validator("verdict", mode="before")
    @classmethod
    def _folded(cls, value: object) -> object:
        return value.strip().casefold() if isinstance(value, str) else value

    @property
    def claims(self) -> tuple[Claim, ...]:
        return self.points
