"""The commands that start a panel, made from the option table."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.core.errors import UsageError
from bot.core.options import FormatName, Option, options_of, value_of

if TYPE_CHECKING:
    from bot.cli.live import Command

MOST_PATH = 1000
COMMON = (
    click.Option(["--catalog"], metavar="DIR", help="A folder with personas."),
    click.Option(["--model"], metavar="M", help="The default model: an alias, an id, provider:id, or rehearsal."),
    click.Option(["--json", "as_json"], is_flag=True, help="Print the record, one JSON document, and nothing else."),
    click.Option(["--quiet"], is_flag=True, help="Only what is said: no progress, no figures."),
    click.Option(["--yes"], is_flag=True, help="Ask no questions."),
)
"""Options of every command that runs a panel."""


class OptionValue(click.ParamType[Any]):
    """Turns the words given for an option into its value, or says what it takes."""

    name = "value"

    def __init__(self, option: Option) -> None:
        self.option = option
        self.name = {"count": "N", "money": "$", "names": "a,b", "choice": "|".join(option.choices)}.get(
            option.kind, option.name
        )

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return value_of(self.option, value)
        except UsageError as fault:
            raise click.UsageError(str(fault), ctx) from fault


def click_option(option: Option) -> click.Option:
    """One row of the option table as an option of a command."""
    flag = f"--{option.name}"
    if option.kind == "flag":
        return click.Option([flag], is_flag=True, help=option.help)
    return click.Option([flag], type=OptionValue(option), multiple=option.kind == "files", help=option.help)


Runs = Callable[["Command", FormatName, str | None, dict[str, Any]], Coroutine[Any, Any, int]]
"""What a command does with what it was given; returns the exit code."""


def starter(format_name: FormatName, word: str, argument: str, line: str) -> click.Command:
    """The command that starts a panel of that format."""

    def run(command: "Command", *given: Any) -> Coroutine[Any, Any, int]:
        from bot.cli.live import run_new  # imports the house

        return run_new(command, *given)

    return about_to_start(format_name, word, argument, line, run)


def about_to_start(format_name: FormatName, word: str, argument: str, line: str, run: Runs) -> click.Command:
    """A command with the arguments of one that starts a panel of that format."""
    several = -1 if format_name in ("review", "council") else 1
    parameters: list[click.Parameter] = [click.Argument([argument], required=False, nargs=several)]
    parameters += [click_option(option) for option in options_of(format_name)]
    callback = _callback(format_name, argument, run)
    return click.Command(word, callback=callback, params=[*parameters, *COMMON], help=line)


def _callback(format_name: FormatName, argument: str, run: Runs) -> Callable[..., int]:
    @click.pass_context
    def start(ctx: click.Context, /, **given: Any) -> int:
        from bot.cli.live import Command  # imports the house

        words = None if given[argument] == () else _as_paths(given[argument])
        del given[argument]
        common = {name: given.pop(name) for name in ("catalog", "model", "as_json", "quiet", "yes")}
        options = {
            name.replace("_", "-"): _flat(value) for name, value in given.items() if value not in (None, False, ())
        }
        command = Command(or_rehearsal=bool((ctx.obj or {}).get("or_rehearsal")), **common)
        return asyncio.run(run(command, format_name, words, options))

    return start


def _as_paths(words: Any) -> Any:
    """A target that is one word and stands in the working folder is that file or folder, not text."""
    if isinstance(words, tuple) and len(words) == 1 and words[0] != "-" and words[0].isprintable():
        word = words[0].strip()
        if word and not word.startswith(("/", ".", "~")) and len(word) < MOST_PATH and Path(word).exists():
            return (f"./{word}",)
    return words


def _flat(value: Any) -> Any:
    """An option that may be given again comes as a tuple of tuples."""
    if isinstance(value, tuple) and value and all(isinstance(part, tuple) for part in value):
        return tuple(item for part in value for item in part)
    return value


discuss = starter(
    "discussion",
    "discuss",
    "topic",
    "Let personas discuss a topic, round after round; type to join in, Ctrl-C pauses.",
)
debate = starter(
    "debate",
    "debate",
    "topic",
    "Two or three who disagree for real: opening, rebuttal, closing; no winner.",
)
review = starter(
    "review",
    "review",
    "target",
    "Every persona judges one target at the same time: a path, several files, a git range (@A..B), text, or - for "
    "standard input. Exit 1 on fail, 0 on warn and pass.",
)
council = starter(
    "council",
    "council",
    "target",
    "A fixed bench of lenses judges an idea, a document, a diff or a folder, until its positions are stable. "
    "Exit 1 on FAIL, 3 without a verdict.",
)
