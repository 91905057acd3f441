"""One moment of a panel as a speaker meets it: who speaks, what is asked, what may be seen."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.core.document import Document
from bot.core.entries import Directive, TurnKind
from bot.core.persona import Persona


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the transcript as a speaker sees it."""

    seq: int
    round: int
    speaker: str
    """Display name."""
    short_name: str
    """Of a persona, `host`, or empty for a human."""
    kind: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Everything that one speaker may know when it is its turn."""

    format: str
    topic: str
    speaker: Persona | None
    """None: the host speaks."""
    kind: TurnKind
    round: int
    rounds_max: int
    documents: tuple[Document, ...] = ()
    transcript: tuple[Line, ...] = ()
    others: tuple[Persona, ...] = ()
    """The other personas whose words stand in the transcript or who take part."""
    directives: tuple[Directive, ...] = ()
    question: str = ""
    """A human's question to this speaker."""
    asker: str = ""
    style: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    """What the format gave to the prompt's template."""
    answer: str = ""
    """Name of the structured answer that is wanted; empty where text is."""
    complaint: str = ""
    """Why an earlier answer to the same request was not accepted; empty the first time."""
