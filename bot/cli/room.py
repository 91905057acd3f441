"""The room in the terminal: a prompt that takes `/panel …` lines, shows panels live, and takes replies."""

import asyncio
import signal

from bot.cli.desk import TerminalDesk
from bot.cli.lines import Lines
from bot.cli.live import HERE, person
from bot.core.desk.help import DESK_LINES
from bot.core.document import Document, from_text
from bot.core.entries import Human, Opened, Turn
from bot.core.errors import PanelistError
from bot.core.fold import opened as folded
from bot.core.options import COMMANDS, OPTIONS
from bot.core.panel import OPEN, Panel
from bot.core.place import Place
from bot.core.platform import Heard
from bot.core.starting.command import Command as Words
from bot.core.starting.command import DeskCommand, FormCommand, PanelCommand
from bot.core.starting.starts import TARGETED
from bot.core.steering.grammar import help_text
from bot.core.store import Query
from bot.wiring import House, command_reach

WELCOME = (
    "The panel room. Start with: /panel discuss Should we rewrite the billing service? --rounds 2\n"
    "Other lines reply to the running panel. /panel help lists what there is; /quit leaves."
)

HERE_LINES = (
    ("persona add NAME file PATH", "a persona from a file; `persona edit NAME file PATH` changes one"),
    ("persona add NAME: TEXT", "a persona in one line; \\n in it is a new line"),
)
"""What the desk takes in a terminal only."""


class Room:
    """One person, one prompt, one panel at a time in sight; others run on."""

    def __init__(self, it: House) -> None:
        self._it = it
        self._panel = ""
        self._desk = TerminalDesk(it)
        self._said = 0
        self._over = asyncio.Event()
        self._lines = Lines(self._interrupt, it.view.progress)

    async def run(self) -> None:
        """Take lines until the input ends and the panels rest, or until somebody leaves."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, self._interrupt)
        loop.add_signal_handler(signal.SIGTERM, self._over.set)
        with self._lines.screen():
            self._it.view.say(WELCOME)
            await self._take_up()
            reading: asyncio.Task[object] = asyncio.create_task(self._read())
            leaving: asyncio.Task[object] = asyncio.create_task(self._over.wait())
            await asyncio.wait({reading, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not self._over.is_set():
                await self._rest(leaving)
            for task in (reading, leaving):
                task.cancel()
            await asyncio.gather(reading, leaving, return_exceptions=True)

    async def _rest(self, leaving: asyncio.Task[object]) -> None:
        """The input has ended: let what runs come to rest."""
        resting: asyncio.Future[object] = asyncio.ensure_future(self._it.driver.all_settled())
        await asyncio.wait({resting, leaving}, return_when=asyncio.FIRST_COMPLETED)

    async def _take_up(self) -> None:
        """Go on with the panels of this terminal that a crash left running."""
        stale = self._it.clock.now() - self._it.settings.stale
        for panel in await self._it.store.ownerless(frozenset({"terminal"}), stale_before=stale):
            self._it.view.say(f"Going on with {panel}, which was interrupted.")
            self._panel = panel
            await self._it.driver.kick(panel)
        if not self._panel:
            paused = await self._it.store.summaries(Query(statuses=OPEN, platforms=frozenset({"terminal"}), limit=1))
            for row in paused:
                self._panel = row.id
                self._it.view.say(f"{row.id} is {row.status} ({row.topic[:60]}). `continue` goes on with it.")

    async def _read(self) -> None:
        async for line in self._lines:
            if line.strip() in ("/quit", "/exit"):
                self._over.set()
                return
            try:
                await self._take(line.strip())
            except PanelistError as fault:
                self._it.view.say(str(fault))

    async def _take(self, line: str) -> None:
        head, _, rest = line.partition(" ")
        if head.casefold() == "/panel":
            await self._command(await self._desk.command(rest))
        elif line.startswith("/") and not line.startswith("//"):
            self._it.view.say("Lines that start with / are commands: /panel …, /panel help, /quit.")
        elif not self._panel:
            self._it.view.say("No panel runs here yet. Start one: /panel discuss TOPIC")
        else:
            await self._reply(line)

    async def _command(self, words: Words) -> None:
        match words:
            case PanelCommand():
                await self._start(words)
            case FormCommand():
                self._it.view.say(room_help())
            case DeskCommand(word="help"):
                self._it.view.say(room_help())
            case DeskCommand():
                answer = await self._desk.ask(words, self._panel)
                self._panel = answer.panel or self._panel
                if answer.start:
                    await self._start(answer.start)

    async def _start(self, words: PanelCommand) -> None:
        reach = command_reach(self._it.settings)
        me = person(self._it.settings)
        admitted = await self._desk.admitted(words)
        format_name, topic, options = words.format, words.words, admitted.command.options
        opened = await self._it.starts.opened(
            format_name,
            topic,
            options,
            me,
            HERE,
            reach,
            conversation=self._conversation if self._panel and words.format in TARGETED else None,
            settings=admitted.settings,
        )
        await self._open(opened)

    async def _conversation(self) -> Document | None:
        """The panel in sight as a thread, for targets like `here`."""
        state = await self._state()
        said: list[Turn | Human] = sorted((*state.turns, *state.humans), key=lambda entry: entry.seq)
        names = [state.name_of(one.persona) if isinstance(one, Turn) else one.author.name for one in said]
        text = "\n\n".join(f"{name}: {one.text}" for name, one in zip(names, said, strict=True))
        return from_text(text, key=f"panel:{state.id}", kind="thread", title=state.topic[:80])

    async def _open(self, opened: Opened) -> None:
        self._panel = await self._it.starts.open(opened, HERE, named=True)
        await self._it.driver.kick(self._panel)

    async def _state(self) -> Panel:
        loaded = await self._it.store.load(self._panel)
        return folded(self._panel, loaded.place, loaded.entries)

    async def _reply(self, text: str) -> None:
        self._said += 1
        heard = Heard(
            place=Place(platform="terminal", channel="terminal", thread=self._panel),
            message_id=f"{self._it.owner}-{self._said}",
            author=person(self._it.settings),
            text=text,
            at=self._it.clock.now(),
        )
        taken = await self._it.hearing.hear(heard)
        if taken.kind == "request":
            await self._do(taken.word)

    async def _do(self, word: str) -> None:
        """What the card's buttons ask for and steering does not do."""
        state = await self._state()
        if word == "run again":
            await self._open(state.opened)
        else:
            path = state.artifacts.get(word)
            self._it.view.say(str(self._it.settings.home / path) if path else f"There is no {word} yet.")

    def _interrupt(self) -> None:
        """Ctrl-C leaves the room; running panels are written down and go on at the next start."""
        self._it.view.say("Leaving; what runs goes on when the room opens again.")
        self._over.set()


def room_help() -> str:
    """What can be said in the room."""
    starts = "\n".join(f"  /panel {word} …" for word in COMMANDS)
    options = "\n".join(f"  --{o.name:<14} {', '.join(o.formats)}: {o.help}" for o in OPTIONS)
    desk = "\n".join(f"  /panel {say}: {does}" for say, does in (*DESK_LINES, *HERE_LINES))
    parts = (
        f"Start a panel:\n{starts}",
        f"Options:\n{options}",
        f"Ask the desk:\n{desk}",
        f"In a panel's thread:\n{help_text()}",
    )
    return "\n\n".join(parts)
