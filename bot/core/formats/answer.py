"""What every structured answer is, and the claims that an attributed one is made of."""

from pydantic import BaseModel, ConfigDict, Field


class Answer(BaseModel):
    """A structured answer. Unknown keys are kept out; a persona's contract may add keys of its own."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    def speech(self) -> str:
        """The answer as it is said in the thread, Markdown."""
        raise TypeError(f"{type(self).__name__} is never spoken")


class Claim(Answer):
    """One attributed claim of the host's."""

    text: str = Field(min_length=1, description="The claim in one sentence, with the speakers' names in it.")
    speakers: tuple[str, ...] = Field(min_length=1, description="Names of those who said it.")
    quote: str = Field(description="Words of one of them, copied exactly from the transcript, five words or more.")


class Attributed(Answer):
    """An answer of the host's whose every claim has its speakers and a verbatim quotation."""

    @property
    def claims(self) -> tuple[Claim, ...]:
        """All of them, in order."""
        raise TypeError(f"{type(self).__name__} does not say what it claims")


def lines_of(title: str, lines: tuple[str, ...]) -> str:
    """A bold title with a bullet for each line, each line on one line; empty without lines."""
    if not lines:
        return ""
    return f"**{title}**\n" + "\n".join(f"- {' '.join(line.split())}" for line in lines)
