"""What a council asks its lenses and its host for."""

from typing import Literal

from pydantic import Field, field_validator

from bot.core.formats.answer import Answer, Attributed, Claim

LensVerdict = Literal["PASS", "CONCERN", "FAIL", "N/A"]
Stance = Literal["keep", "change", "remove"]
Position = Literal["first", "hold", "revise", "concede"]


class LensFinding(Answer):
    """One thing that a lens found in the target."""

    anchor: str = Field(min_length=1, description="Where: `12` or `12-14` (line numbers), or words copied exactly.")
    claim: str = Field(min_length=1, description="What is so there, and why it matters, in one or two sentences.")
    stance: Stance = Field(description="What should become of it.")

    @field_validator("stance", mode="before")
    @classmethod
    def _folded(cls, value: object) -> object:
        return value.strip().casefold() if isinstance(value, str) else value


class MovedBy(Answer):
    """Another lens's finding or claim that changed a mind."""

    lens: str = Field(min_length=1, description="Name of the lens who made it.")
    claim: str = Field(min_length=1, description="Its finding or claim, in its own words.")


class LensAnswer(Answer):
    """One lens's word on the target."""

    lens: str = Field(default="", description="Your own short name.")
    verdict: LensVerdict
    rationale: str = Field(min_length=1, description="Why, in your own voice; for N/A one line why it is not yours.")
    findings: tuple[LensFinding, ...] = ()
    evidence: tuple[str, ...] = Field(default=(), description="What you looked at or ran into, one line each.")
    position: Position = Field(default="first", description="first in the first round; then hold, revise or concede.")
    moved_by: tuple[MovedBy, ...] = Field(default=(), description="Whatever changed your verdict; empty when you hold.")

    @field_validator("verdict", mode="before")
    @classmethod
    def _raised(cls, value: object) -> object:
        said = value.strip().upper() if isinstance(value, str) else value
        return "N/A" if said == "NA" else said

    @field_validator("position", mode="before")
    @classmethod
    def _folded(cls, value: object) -> object:
        return value.strip().casefold() if isinstance(value, str) else value


class CouncilSynthesis(Attributed):
    """The host's account of a council; code puts its parts in order and adds the roster."""

    blockers: tuple[Claim, ...] = Field(default=(), description="Every lens that stands at FAIL, in its own words.")
    headline: Claim | None = Field(default=None, description="The disagreement that still stands, else null.")
    positions: tuple[Claim, ...] = Field(default=(), description="Each lens that spoke: what it holds, quoted.")
    verdict: str = Field(description="The verdict that you were given, unchanged.")
    trade_off: str = Field(min_length=1, description="The trade-off that people must decide, plainly.")

    @property
    def claims(self) -> tuple[Claim, ...]:
        return (*self.blockers, *((self.headline,) if self.headline else ()), *self.positions)


class Applies(Answer):
    """Whether one conditional lens applies to the target."""

    lens: str = Field(min_length=1, description="Its short name.")
    applies: bool = Field(description="False only where it clearly does not apply.")
    reason: str = Field(min_length=1, max_length=300, description="Why, in one short line.")


class BenchChoice(Answer):
    """Which of the conditional lenses apply."""

    lenses: tuple[Applies, ...]
