"""Parts that commands and servers both need: texts, formats, folders, catalogs."""

from importlib.resources import files
from pathlib import Path

from bot.core.archive import Archive
from bot.core.clock import Clock
from bot.core.formats.council import Council
from bot.core.formats.debate import Debate
from bot.core.formats.discussion import Discussion
from bot.core.formats.format import Format
from bot.core.formats.review import Review
from bot.core.records.trends import Line
from bot.core.store import Shelf
from bot.core.targets.port import WORKING_FOLDER, Reach
from bot.core.timing import Timing
from bot.settings import Settings
from personas.book import Book, default_folder
from storage.archive import FileArchive


def templates() -> dict[str, str]:
    """The prompt texts, by name."""
    folder = files("bot.prompts")
    return {
        path.name.removesuffix(".md"): path.read_text(encoding="utf-8").strip()
        for path in folder.iterdir()
        if path.name.endswith(".md")
    }


def formats() -> dict[str, Format]:
    """Every format, by name."""
    return {format_.name: format_ for format_ in (Discussion(), Debate(), Review(), Council())}


def drawn(lines: tuple[Line, ...]) -> bytes:
    """The chart of trends, as a PNG."""
    from adapters.terminal.chart import trends_chart  # pillow takes its time to import

    return trends_chart(lines)


def timing(settings: Settings) -> Timing:
    """The time constants of this deployment."""
    return Timing(settle=settings.settle, poll=settings.poll, beat=settings.beat, stale=settings.stale)


def command_reach(settings: Settings) -> Reach:
    """What a command may read: below the working folder, below every root, and any file that `--file` names."""
    return Reach(roots=frozenset({WORKING_FOLDER, *settings.roots}), any_file=True)


def folders(settings: Settings) -> dict[str, Path]:
    """The allowed roots by name, the working folder among them."""
    return {WORKING_FOLDER: Path.cwd(), **{name: Path(folder) for name, folder in settings.roots.items()}}


def book(settings: Settings, shelf: Shelf, clock: Clock, strict: bool) -> Book:
    """The catalogs of this deployment."""
    folder = default_folder(settings.catalog, settings.home)
    return Book(shelf=shelf, clock=clock, folder=folder, strict=strict, home=settings.home)


def archive(folder: Path) -> Archive:
    """Transcripts and records below that folder."""
    return FileArchive(folder)
