"""One panel, live in this terminal: shown as it runs, steered by typed lines, paused by Ctrl-C."""

import asyncio
import json
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import click

from adapters.terminal.view import Live, Silent, View
from bot.cli.ending import exit_code, last_line
from bot.cli.lines import Lines
from bot.cli.questions import interrupted, moderated, resumes
from bot.core.errors import PanelistError
from bot.core.fold import opened as folded
from bot.core.formats.council_state import errored
from bot.core.options import FormatName
from bot.core.panel import Panel
from bot.core.place import Person, Place
from bot.core.platform import Heard
from bot.core.records.record import record
from bot.core.starting.debate_start import LONG
from bot.core.store import Loaded, Summary
from bot.core.targets.port import GivenBytes, Source
from bot.settings import Settings, read_settings
from bot.wiring import House, command_reach, house

INTERRUPTED = 130
HERE = Place(platform="terminal", channel="terminal")
"""Each panel of the terminal is a thread of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """The options that every command which runs a panel has."""

    catalog: str | None = None
    model: str | None = None
    as_json: bool = False
    quiet: bool = False
    yes: bool = False
    or_rehearsal: bool = False

    @property
    def asks(self) -> bool:
        """A person is there to answer questions."""
        return not (self.yes or self.as_json or self.quiet) and sys.stdin.isatty() and sys.stdout.isatty()

    def settings(self) -> Settings:
        """The settings with this command's options on top."""
        settings = read_settings(catalog=self.catalog, model=self.model)
        if self.or_rehearsal and not settings.has_provider:
            click.echo("No model is configured: the rehearsal voices speak. rehearsal: no AI.", err=True)
            settings = settings.model_copy(update={"model": "rehearsal"})
        if settings.rehearsal_delay is None:
            settings = settings.model_copy(update={"rehearsal_delay": 0.0 if self.as_json or self.quiet else 0.6})
        return settings

    def view(self) -> View:
        return Silent() if self.as_json else Live(quiet=self.quiet)


def person(settings: Settings) -> Person:
    """The one at the terminal: may do everything."""
    return Person(id=settings.user, name=settings.user, role="admin")


Said = str | tuple[str, ...] | None
"""The words of a command: one text, several arguments, or nothing."""


async def run_new(command: Command, format_name: FormatName, words: Said, options: Mapping[str, Any]) -> int:
    """Open a panel and run it to its end; returns the exit code."""
    settings = command.settings()
    if command.asks:
        options = moderated(format_name, options)
    async with house(settings, view=command.view(), strict=True, drives=False) as it:
        if command.asks and (earlier := await _wanted_again(it, format_name)):
            return await _go_on(it, command, earlier.id)
        reach = command_reach(settings)
        words, sources = standard_input(words)
        me = person(settings)
        opened = await it.starts.opened(
            format_name, words, options, me, HERE, reach, sources=sources, asks=command.asks
        )
        for note in opened.notes:
            if note.startswith("Warning: "):
                click.echo(note, err=True)
        panel = await it.starts.open(opened, HERE, named=True)
        return await LivePanel(it, command, panel).run()


def standard_input(words: Said) -> tuple[Said, tuple[Source, ...]]:
    """The words without a `-`, and what it stands for: everything on standard input."""
    if words != ("-",):
        return words, ()
    return None, (GivenBytes(name="stdin", data=sys.stdin.buffer.read()),)


async def _wanted_again(it: House, format_name: FormatName) -> Summary | None:
    """The interrupted panel that the person wants to go on with instead of a fresh one."""
    stale_before = it.clock.now() - it.settings.stale
    earlier = await interrupted(it.store, format_name, stale_before=stale_before)
    return earlier if earlier is not None and await asyncio.to_thread(resumes, earlier) else None


async def run_again(command: Command, panel: str) -> int:
    """Go on with a panel that rests, or whose process died; returns the exit code."""
    settings = command.settings()
    async with house(settings, view=command.view(), strict=True, drives=False) as it:
        return await _go_on(it, command, panel)


async def _go_on(it: House, command: Command, panel: str) -> int:
    live = LivePanel(it, command, panel)
    await live.recall()
    return await live.run()


class LivePanel:
    """A panel's run in this process, and the person beside it."""

    def __init__(self, it: House, command: Command, panel: str) -> None:
        self._it, self._command, self._panel = it, command, panel
        self._interrupts = 0
        self._asked = 0
        self._heard = asyncio.Event()
        self._input_over = False
        self._lines = Lines(self._interrupt, it.view.progress)
        self._work: asyncio.Task[None] | None = None

    async def recall(self) -> None:
        """Show the thread so far, and let the panel run where it rests."""
        loaded = await self._it.store.load(self._panel)
        state = folded(self._panel, loaded.place, loaded.entries)
        self._it.view.say(f"Going on with {self._panel}: {state.topic}")
        if state.status in ("paused", "waiting"):
            await self._hear("continue")

    async def run(self) -> int:
        """Run until it ends, rests for good, or is interrupted; returns the exit code."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, self._interrupt)
        loop.add_signal_handler(signal.SIGTERM, self._interrupt)
        with self._lines.screen():
            listening = asyncio.create_task(self._listen())
            try:
                state = await self._until_rest()
            except asyncio.CancelledError:
                state = (await self._state())[0]
            finally:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)
        return await self._end(state)

    async def _until_rest(self) -> Panel:
        while True:
            self._heard.clear()
            self._work = asyncio.create_task(self._it.orchestrator.run(self._panel))
            await self._work
            state = (await self._state())[0]
            if state.status == "waiting" and state.reason.startswith("go-ahead") and await self._goes_ahead(state):
                await self._hear("go ahead")
                continue
            if state.status not in ("paused", "waiting") or self._interrupts or not await self._hears_more():
                return state

    async def _hears_more(self) -> bool:
        """A resting panel waits for the person at the prompt; a pipe that has ended has no more to say."""
        if self._heard.is_set():
            return True
        if self._input_over or (not self._lines.interactive and self._command.as_json):
            return False
        self._it.view.say("The panel waits. `continue` goes on; Ctrl-C leaves it as it is.")
        await self._heard.wait()
        return not self._interrupts and not self._input_over

    async def _goes_ahead(self, state: Panel) -> bool:
        if not self._command.asks:
            return True
        forecast = state.opened.forecast
        cost = "an unknown sum" if forecast is None or forecast.cost_usd is None else f"${forecast.cost_usd:.2f}"
        long = "".join(f"{note} " for note in state.opened.notes if note.startswith(LONG))
        return await asyncio.to_thread(click.confirm, f"{long}This panel may cost {cost}. Go ahead?", True)

    async def _listen(self) -> None:
        async for line in self._lines:
            try:
                await self._hear(line)
            except PanelistError as fault:
                self._it.view.say(f"Not heard: {fault}")
        self._input_over = True
        self._heard.set()

    async def _hear(self, text: str) -> None:
        self._asked += 1
        now = self._it.clock.now()
        place = Place(platform="terminal", channel="terminal", thread=self._panel)
        message = f"{self._it.owner}-{self._asked}"
        author = person(self._it.settings)
        await self._it.hearing.hear(Heard(place=place, message_id=message, author=author, text=text, at=now))
        self._heard.set()

    def _interrupt(self) -> None:
        """Ctrl-C: once, the running turn finishes and the panel pauses; twice, this process lets go at once."""
        self._interrupts += 1
        if self._interrupts == 1:
            self._it.view.say("Pausing after the running turn; Ctrl-C again quits at once.")
            self._pausing = asyncio.get_running_loop().create_task(self._hear("pause"))
        elif self._work:
            self._work.cancel()

    async def _state(self) -> tuple[Panel, Loaded]:
        loaded = await self._it.store.load(self._panel)
        return folded(self._panel, loaded.place, loaded.entries), loaded

    async def _end(self, state: Panel) -> int:
        state, loaded = await self._state()
        if self._command.as_json:
            click.echo(json.dumps(record(state, loaded.deliveries), ensure_ascii=False, indent=2))
        else:
            click.echo(last_line(state, self._it.settings.home))
        for warning in warnings_of(state):
            click.echo(warning, err=True)
        if state.status == "running" and not self._interrupts:
            click.echo("Another process has taken the panel over and runs it now.", err=True)
        over = state.status in ("finished", "stopped", "failed")
        return INTERRUPTED if self._interrupts and not over else exit_code(state)


def warnings_of(state: Panel) -> list[str]:
    """What a person should know although the exit code is 0."""
    warnings = ["Warning: the verdict is a warn; see the report."] if state.verdict == "warn" else []
    lost = [state.name_of(lens) for lens in errored(state)] if state.format == "council" and state.closing else []
    return [*warnings, f"Warning: the council is incomplete; ERRORED: {', '.join(lost)}."] if lost else warnings
