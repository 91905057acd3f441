"""What a debate asks its speakers for: the speech, and whom it answers with which of their words."""

from pydantic import Field

from bot.core.formats.answer import Answer


class Addressed(Answer):
    """Another persona's words that this turn answers."""

    persona: str = Field(min_length=1, description="Name of the persona who said it; never yourself.")
    quote: str = Field(min_length=1, description="Their words, copied exactly from one of their turns.")


class Rebuttal(Answer):
    """A rebuttal, and the arguments it challenges."""

    text: str = Field(min_length=1, description="What you say, 150 to 300 words, with their names in it.")
    challenges: tuple[Addressed, ...] = Field(
        default=(), description="At least one argument of another persona that you challenge."
    )

    def speech(self) -> str:
        return self.text.strip()


class ClosingSpeech(Answer):
    """A closing, and the points it concedes."""

    text: str = Field(min_length=1, description="What you say, 150 to 300 words, with their names in it.")
    concedes: tuple[Addressed, ...] = Field(
        default=(), description="At least one point that another persona got right and you concede."
    )

    def speech(self) -> str:
        return self.text.strip()


class Chosen(Answer):
    """One persona that should take part."""

    persona: str = Field(min_length=1, description="Its short name, exactly as the list gives it.")
    reason: str = Field(min_length=1, max_length=300, description="Why, in one short line.")


class Choice(Answer):
    """Who should take part."""

    perspectives: tuple[str, ...] = Field(default=(), description="The two or three perspectives the topic calls for.")
    personas: tuple[Chosen, ...] = Field(description="The smallest strong set that disagrees for real.")
