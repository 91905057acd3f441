"""`/panel …` and the message menu, made from the option table. Registered again only when they changed."""

import hashlib
import inspect
import json
from collections.abc import Callable, Coroutine
from typing import Any, Literal, Optional

import discord
from discord import app_commands

from adapters.discord.client import Client, Pressed
from adapters.discord.manner import SELF
from adapters.discord.services import Services
from adapters.discord.surface import Surface
from adapters.discord.translate import place_of
from bot.core.desk.help import DESK_LINES
from bot.core.desk.presets_kept import PRESET
from bot.core.errors import PanelistError, UsageError
from bot.core.options import COMMANDS, FormatName, Option, options_of, value_of
from bot.core.starting.command import DeskCommand, PanelCommand

GROUP = "panel"
FILES = 3
"""Attachment options of one command; the form takes ten."""
ELSEWHERE = "elsewhere"
WORDS_MOST = 6000
CHOICES_MOST = 25
TOPICS: dict[FormatName, tuple[str, str]] = {
    "discussion": ("topic", "What to talk about. In a thread, left out: the thread itself."),
    "debate": ("topic", "What to debate. In a thread, left out: the thread itself."),
    "review": ("target", "Text, root:path, a message link, or “this” thread."),
    "council": ("target", "An idea, root:path, a message link, or “this” thread."),
}
LINES: dict[FormatName, str] = {
    "discussion": "Personas discuss a topic, round after round",
    "debate": "Personas debate a topic: openings, rebuttals, closings",
    "review": "Personas review a document, each alone, and vote",
    "council": "Six lenses judge an idea until they agree or the rounds are over",
}
MENUS: dict[str, FormatName] = {"Review with the panel": "review", "Council on this": "council"}
KIND, NAME = "discord commands", "digest"

Suggest = Callable[[Pressed, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]


def register(tree: app_commands.CommandTree[Client], surface: Surface, services: Services) -> None:
    """Put all commands into the tree; they are not yet sent to Discord."""
    everywhere = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True)
    installs = app_commands.AppInstallationType(guild=True, user=True)
    group = app_commands.Group(
        name=GROUP,
        description="Panels of AI personas in this server",
        allowed_contexts=everywhere,
        allowed_installs=installs,
    )
    names = _names(services)
    for word, format_name in COMMANDS.items():
        group.add_command(_starter(word, format_name, surface, names))
    group.add_command(_new(surface))
    group.add_command(_line(surface, _presets(services)))
    for say, does in DESK_LINES:
        group.add_command(_desk(say, does, surface))
    group.add_command(_desk("help", "What can be said, here and in a panel's thread", surface))
    tree.add_command(group)
    for title, format_name in MENUS.items():
        tree.add_command(_menu(title, format_name, surface, everywhere, installs))


async def synced(tree: app_commands.CommandTree[Client], services: Services, api: str) -> bool:
    """Send the commands to Discord where they are not the ones sent last; true where they were sent.

    https://docs.discord.com/developers/interactions/application-commands (200 creates a day)
    """
    payload = json.dumps([command.to_dict(tree) for command in tree.get_commands()], sort_keys=True)
    application = tree.client.application_id
    digest = hashlib.sha256(f"{api} {application} {payload}".encode()).hexdigest()
    if await services.shelf.take("", KIND, NAME) == digest:
        return False
    await tree.sync()
    await services.shelf.put("", KIND, NAME, digest, SELF, services.clock.now())
    return True


def _starter(
    word: str, format_name: FormatName, surface: Surface, names: Suggest
) -> app_commands.Command[Any, ..., None]:
    topic, line = TOPICS[format_name]
    options = {_python(option.name): option for option in options_of(format_name) if option.kind != "files"}

    async def callback(interaction: Pressed, **given: Any) -> None:
        files = tuple(file for n in range(1, FILES + 1) if (file := given.get(f"file_{n}")))
        try:
            values = {
                options[k].name: _value(options[k], v) for k, v in given.items() if k in options and v is not None
            }
        except UsageError as fault:
            await surface.refuse(interaction, fault)
            return
        chosen = {name: value for name, value in values.items() if value is not False}
        command = PanelCommand(format=format_name, words=given.get(topic), options=chosen)
        await surface.command(interaction, command, files, given.get(ELSEWHERE))

    parameters = {topic: _parameter(topic, app_commands.Range[str, 1, WORDS_MOST])}
    parameters |= {name: _parameter(name, _annotation(option)) for name, option in options.items()}
    parameters |= {f"file_{n}": _parameter(f"file_{n}", discord.Attachment) for n in range(1, FILES + 1)}
    parameters[ELSEWHERE] = _parameter(ELSEWHERE, discord.TextChannel | discord.ForumChannel)
    _signed(callback, parameters)
    described = {topic: line} | {name: option.help[:100] for name, option in options.items()}
    described |= {f"file_{n}": "A document that everyone sees." for n in range(1, FILES + 1)}
    described[ELSEWHERE] = "Another channel for it; in a forum it gets a post of its own."
    renamed = {ELSEWHERE: "in"} | {name: option.name for name, option in options.items()}
    renamed |= {f"file_{n}": "file" if n == 1 else f"file-{n}" for n in range(1, FILES + 1)}
    made = app_commands.describe(**described)(app_commands.rename(**renamed)(callback))
    suggested = {name: names for name, option in options.items() if option.kind in ("names", "name")}
    if suggested:
        made = app_commands.autocomplete(**suggested)(made)
    return app_commands.Command(name=word, description=LINES[format_name], callback=made)


def _annotation(option: Option) -> Any:
    match option.kind:
        case "flag":
            return bool
        case "count":
            return app_commands.Range[int, option.low, option.high]
        case "money":
            return app_commands.Range[float, 0.01, 1_000_000.0]
        case "choice":
            return app_commands.Range[str, 1, 100] if len(option.choices) > CHOICES_MOST else _literal(option.choices)
    return app_commands.Range[str, 1, 1000]


def _literal(choices: tuple[str, ...]) -> Any:
    return Literal[choices]


def _value(option: Option, given: Any) -> Any:
    """The option's value; text goes through the grammar's own checks. Raises UsageError."""
    return value_of(option, given) if isinstance(given, str) else given


def _parameter(name: str, annotation: Any) -> inspect.Parameter:
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Optional[annotation],  # noqa: UP045
    )


def _signed(callback: Any, parameters: dict[str, inspect.Parameter]) -> None:
    """The library reads a command's options off its callback's signature."""
    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=discord.Interaction)
    callback.__signature__ = inspect.Signature([first, *parameters.values()])


def _python(name: str) -> str:
    """A parameter's name: `with` and `max-cost` are none."""
    return f"option_{name.replace('-', '_')}"


def _new(surface: Surface) -> app_commands.Command[Any, ..., None]:
    async def callback(interaction: Pressed) -> None:
        await surface.open_form(interaction)

    return app_commands.Command(
        name="new", description="Open the form: long texts, up to ten documents", callback=callback
    )


def _line(surface: Surface, presets: Suggest) -> app_commands.Command[Any, ..., None]:
    async def callback(interaction: Pressed, words: app_commands.Range[str, 1, WORDS_MOST]) -> None:
        await surface.line(interaction, words)

    described = app_commands.describe(words="A preset, or any command as you would type it.")(callback)
    return app_commands.Command(
        name="run",
        description="A preset, or any command as you would type it",
        callback=app_commands.autocomplete(words=presets)(described),
    )


def _desk(say: str, does: str, surface: Surface) -> app_commands.Command[Any, ..., None]:
    word = say.split()[0]

    async def plain(interaction: Pressed) -> None:
        await surface.command(interaction, DeskCommand(word=word, rest=""))

    async def with_words(
        interaction: Pressed,
        words: app_commands.Range[str, 1, WORDS_MOST] | None = None,
        file: discord.Attachment | None = None,
    ) -> None:
        files = (file,) if file else ()
        await surface.command(interaction, DeskCommand(word=word, rest=(words or "").strip()), files)

    description = (does[:1].upper() + does[1:])[:100]
    if say == word:
        return app_commands.Command(name=word, description=description, callback=plain)
    described = app_commands.describe(words=say.removeprefix(word).strip()[:100], file="A text file.")(with_words)
    return app_commands.Command(name=word, description=description, callback=described)


def _menu(
    title: str,
    format_name: FormatName,
    surface: Surface,
    contexts: app_commands.AppCommandContext,
    installs: app_commands.AppInstallationType,
) -> app_commands.ContextMenu:
    async def callback(interaction: Pressed, message: discord.Message) -> None:
        await surface.about(interaction, message, format_name)

    return app_commands.ContextMenu(name=title, callback=callback, allowed_contexts=contexts, allowed_installs=installs)


def _names(services: Services) -> Suggest:
    """Names of personas; in a list, for the one being typed."""

    async def suggest(interaction: Pressed, current: str) -> list[app_commands.Choice[str]]:
        place = place_of(interaction.channel)
        if place is None:
            return []
        try:
            catalog = await services.catalogs.of(place)
        except PanelistError:
            return []
        before, comma, typed = current.rpartition(",")
        taken = {name.strip().casefold() for name in before.split(",")}
        wanted, head = typed.strip().casefold(), f"{before}{comma}"
        found = [
            one
            for one in catalog.personas
            if one.short_name not in taken and (wanted in one.short_name or wanted in one.name.casefold())
        ]
        found.sort(key=lambda one: not (one.short_name.startswith(wanted) or one.name.casefold().startswith(wanted)))
        return [
            app_commands.Choice(name=f"{head}{one.name}"[-100:], value=f"{head}{one.short_name}")
            for one in found
            if len(f"{head}{one.short_name}") <= 100
        ][:CHOICES_MOST]

    return suggest


def _presets(services: Services) -> Suggest:
    async def suggest(interaction: Pressed, current: str) -> list[app_commands.Choice[str]]:
        workspace = str(interaction.guild_id or "")
        names = await services.shelf.names(workspace, PRESET)
        return [app_commands.Choice(name=name, value=name) for name in names if current.casefold() in name][
            :CHOICES_MOST
        ]

    return suggest
