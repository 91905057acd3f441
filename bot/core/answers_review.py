"""What a review asks its personas and its coordinator for, and how a verdict reads as speech."""

from typing import Any, Literal

from pydantic import Field, field_validator
from pydantic.json_schema import SkipJsonSchema

from bot.core.answer import Answer, Attributed, Claim

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

    def speech(self) -> str:
        parts = [f"**{self.verdict.capitalize()}.** {self.rationale.strip()}"]
        parts.append("\n".join(f"- {where(f.anchor)}, {f.severity}: {_line(f.claim)}" for f in self.findings))
        if self.recommendations:
            parts.append("I would:\n" + "\n".join(f"- {_line(text)}" for text in self.recommendations))
        parts.append(
            "\n".join(f"- Looked up `{_line(s.path)}`: {_line(s.supports_claim)}" for s in self.derived_sources)
        )
        parts.append("\n".join(f"- {_line(key)}: {_line(_shown(value))}" for key, value in self.extra.items()))
        return "\n\n".join(part for part in parts if part)


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


def where(anchor: str) -> str:
    """An anchor as it is said: `line 12`, `lines 12-14`, or the quotation in marks."""
    bare = " ".join(anchor.split()).strip("\"“”'`")
    if bare.isdigit():
        return f"line {bare}"
    if all(part.strip().isdigit() for part in bare.split("-")) and bare.count("-") == 1:
        return f"lines {bare}"
    if bare.casefold().startswith(("line ", "lines ")):
        return bare
    return f"“{bare}”"


def _line(text: str) -> str:
    return " ".join(text.split())


def _shown(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_shown(item) for item in value)
    return str(value)
