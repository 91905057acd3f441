"""The root command: what `panelist` knows, how errors end, and which exit code each has."""

import importlib
import json
import os
import sys
import tempfile
import traceback
from typing import Any

import click

from bot.core.errors import PanelistError

COMMANDS = {
    "run": ("bot.cli.serve", "run", "Every configured platform and the room; nothing configured: the room alone."),
    "discuss": ("bot.cli.start", "discuss", "Let personas discuss a topic."),
    "debate": ("bot.cli.start", "debate", "Let two or three personas debate a question."),
    "review": ("bot.cli.start", "review", "Let personas review a target, each on its own."),
    "council": ("bot.cli.start", "council", "Put a target before the council's lenses."),
    "resume": ("bot.cli.panels", "resume", "Go on with a panel; without an ID, the newest."),
    "list": ("bot.cli.panels", "list_", "List the panels."),
    "show": ("bot.cli.panels", "show", "Show one panel: its transcript, or its record."),
    "export": ("bot.cli.panels", "export", "Write a panel's transcript and record into a folder."),
    "trends": ("bot.cli.trends", "trends_", "Show verdicts per persona and target over time."),
    "compare": ("bot.cli.trends", "compare_", "Compare two records of one target: findings fixed, open, new."),
    "personas": ("bot.cli.personas", "personas", "List, show and check personas."),
    "forecast": ("bot.cli.forecast", "forecast", "What a panel would take, before it is started."),
    "doctor": ("bot.cli.doctor", "doctor", "Check settings, database, catalog, models and platforms."),
    "db": ("bot.cli.database", "database", "Look after the database."),
}
"""Command → (module, attribute, the line in the help). Modules are imported when their command is used."""

INTERRUPTED = 130
FAULT = 70
"""A fault of the program's own (EX_SOFTWARE)."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _line = COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_module, _attribute, line) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="panelist", message="%(prog)s %(version)s")
@click.option(
    "--or-rehearsal", is_flag=True, hidden=True, help="Use the rehearsal voices where no model is configured."
)
@click.pass_context
def panelist(ctx: click.Context, or_rehearsal: bool) -> None:
    """A panel of AI personas in your team's thread: discussion, debate, review and council, on the record."""
    ctx.obj = {"or_rehearsal": or_rehearsal}


def run(arguments: list[str]) -> int:
    """Run one command line; returns its exit code. A user's error is one sentence on stderr, never a traceback."""
    try:
        result = panelist.main(args=arguments, prog_name="panelist", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Abort:
        click.echo("Interrupted.", err=True)
        return INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as fault:
        click.echo(fault.format_message())
        return fault.exit_code
    except click.ClickException as fault:
        return _ended(arguments, fault.format_message(), fault.exit_code, _usage(fault))
    except PanelistError as fault:
        return _ended(arguments, str(fault), fault.exit_code)
    except BrokenPipeError:
        sys.stderr.close()  # nobody reads on; Python would complain at exit
        return 0
    except KeyboardInterrupt:
        click.echo("Interrupted.", err=True)
        return INTERRUPTED
    except Exception as fault:  # noqa: BLE001 - the last resort: a fault of ours is said in a line, its trace is kept
        path = os.path.join(tempfile.gettempdir(), f"panelist-fault-{os.getpid()}.txt")
        with open(path, "w", encoding="utf-8") as file:
            traceback.print_exc(file=file)
        return _ended(arguments, f"a fault in Panelist itself ({type(fault).__name__}: {fault}); see {path}", FAULT)


def _usage(fault: click.ClickException) -> str:
    ctx: Any = getattr(fault, "ctx", None)
    return f" (`{ctx.command_path} --help` lists what it takes)" if ctx else ""


def _ended(arguments: list[str], text: str, code: int, hint: str = "") -> int:
    click.echo(f"Error: {text}{hint}", err=True)
    if "--json" in arguments:
        click.echo(json.dumps({"error": {"message": text, "exit_code": code}}, ensure_ascii=False))
    return code
