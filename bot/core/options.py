"""What a panel can be told, as data: the command line, the chat grammar and the forms are all made from this table."""

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from bot.core.errors import UsageError

FormatName = Literal["discussion", "debate", "review", "council"]
COMMANDS: dict[str, FormatName] = {
    "discuss": "discussion",
    "debate": "debate",
    "review": "review",
    "council": "council",
}
"""The word that starts a panel → its format."""

DEFAULT_TOPIC = "Share your perspectives on the current state of AI and software development."
DURATIONS = {"quick": 5, "standard": 12, "deep": 30, "until-done": 40}
"""Duration → rounds; with `until-done` the moderator may end earlier."""
STYLES = ("structured", "loose", "devil")
MODES = ("isolated", "inline")
ALSO = {"fast": "inline", "fast mode": "inline", "single-context": "inline"}
"""Other words for a debate's mode."""
CONSOLIDATIONS = ("voting-quorum", "hard-gate-threshold", "coordinator-summary")
MAX_ROUNDS = 200
MAX_COUNCIL_ROUNDS = 20


class Options(BaseModel):
    """The options of one panel, already checked. Keys that a format does not have stay at their defaults."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rounds: int = 12
    """For a council: its `max-rounds`."""
    moderator: str = ""
    """Short name, or empty."""
    style: str = ""
    """`structured`, `loose`, `devil`, or free text; empty without a moderator."""
    duration: str = "standard"
    max_cost: float | None = None
    """US dollars."""
    final_summary: bool = False
    context: bool = False
    verbose: bool = False
    variant: str = ""
    mode: str = ""
    """Debate: `isolated` or `inline`. Review: the consolidation."""
    synthesis: bool = True
    lines: str = ""
    quorum: int | None = None
    threshold: int | None = None
    grounding: str = "off"
    everyone: bool = False

    @property
    def until_done(self) -> bool:
        return self.duration == "until-done"


Kind = Literal["text", "names", "name", "choice", "count", "money", "flag", "lines", "files"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option, as every surface shows it."""

    name: str
    """With dashes, without the leading ones."""
    kind: Kind
    formats: tuple[FormatName, ...]
    help: str
    choices: tuple[str, ...] = ()
    low: int = 1
    high: int = MAX_ROUNDS


_ALL: tuple[FormatName, ...] = ("discussion", "debate", "review", "council")
OPTIONS: tuple[Option, ...] = (
    Option(name="with", kind="names", formats=("discussion",), help="Who takes part: names, or all."),
    Option(name="personas", kind="names", formats=("debate", "review"), help="Who takes part: names."),
    Option(name="file", kind="files", formats=_ALL, help="A document that everyone sees; may be given again."),
    Option(name="moderator", kind="name", formats=("discussion",), help="A persona that moderates."),
    Option(name="style", kind="text", formats=("discussion",), help="structured, loose, devil, or your own words."),
    Option(
        name="duration",
        kind="choice",
        formats=("discussion",),
        choices=tuple(DURATIONS),
        help="quick 5 rounds, standard 12, deep 30, until-done (needs a moderator).",
    ),
    Option(name="rounds", kind="count", formats=("discussion", "debate"), help="How many rounds, 1 to 200."),
    Option(
        name="mode",
        kind="choice",
        formats=("debate",),
        choices=MODES,
        help="isolated: parallel, no peeking; inline: one after the other.",
    ),
    Option(name="no-synthesis", kind="flag", formats=("debate",), help="End without a synthesis."),
    Option(name="lines", kind="lines", formats=("review", "council"), help="Only lines A-B of the target."),
    Option(
        name="mode",
        kind="choice",
        formats=("review",),
        choices=CONSOLIDATIONS,
        help="How verdicts become one.",
    ),
    Option(name="quorum", kind="count", formats=("review",), high=20, help="Passes needed in a vote."),
    Option(name="threshold", kind="count", formats=("review",), high=20, help="Passes needed behind the hard gate."),
    Option(
        name="grounding",
        kind="choice",
        formats=("review",),
        choices=("off", "re-derive"),
        help="re-derive: personas look the sources up themselves.",
    ),
    Option(name="everyone", kind="flag", formats=("council",), help="Run all six lenses."),
    Option(
        name="max-rounds",
        kind="count",
        formats=("council",),
        high=MAX_COUNCIL_ROUNDS,
        help="Rounds at most; 1 is a single pass.",
    ),
    Option(name="max-cost", kind="money", formats=_ALL, help="US dollars that the panel may cost."),
    Option(name="final-summary", kind="flag", formats=("discussion",), help="Each participant sums up at the end."),
    Option(name="context", kind="flag", formats=("discussion", "debate"), help="Add the metadata to the transcript."),
    Option(name="verbose", kind="flag", formats=_ALL, help="Add prompts and figures to the transcript."),
    Option(name="variant", kind="text", formats=_ALL, help="Use the personas' variant of this name."),
)


def options_of(format_name: FormatName) -> tuple[Option, ...]:
    """The options of one format, in the order in which surfaces show them."""
    return tuple(option for option in OPTIONS if format_name in option.formats)


def value_of(option: Option, words: str) -> Any:
    """The option's value from the words given for it.

    Raises UsageError, naming the option, what was given and what it takes.
    """
    text = words.strip()
    match option.kind:
        case "flag":
            return True
        case "count":
            return _count(option, text)
        case "money":
            return _money(option, text)
        case "choice":
            return _choice(option, text)
        case "names":
            return tuple(name.strip() for name in text.split(",") if name.strip())
        case "files":
            return (text,)
    if not text:
        raise UsageError(f"--{option.name} needs a value: {option.help}")
    return text


def _count(option: Option, text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = option.low - 1
    if not option.low <= number <= option.high:
        raise UsageError(f"--{option.name} takes a whole number from {option.low} to {option.high}, not {text!r}")
    return number


def _money(option: Option, text: str) -> float:
    try:
        amount = float(text.lstrip("$"))
    except ValueError:
        amount = -1.0
    if not 0 < amount < 1e6:
        raise UsageError(f"--{option.name} takes US dollars above 0, for example 2.50, not {text!r}")
    return amount


def _choice(option: Option, text: str) -> str:
    text = ALSO.get(text.casefold(), text) if option.choices == MODES else text
    if text.casefold() not in option.choices:
        raise UsageError(f"--{option.name} takes one of {', '.join(option.choices)}, not {text!r}")
    return text.casefold()
