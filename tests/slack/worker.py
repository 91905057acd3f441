"""The program in a process of its own, to be killed; it starts in a moment because its imports are done."""

import asyncio
import logging
import multiprocessing
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from adapters.slack.surface import SlackSettings
from tests.slack.house import bot

_workers = multiprocessing.get_context("forkserver")
_workers.set_forkserver_preload(["tests.slack.worker"])


class Worker:
    """A process that serves Slack; it starts with the object."""

    def __init__(self, folder: Path, settings: dict[str, Any]) -> None:
        self._process: ForkServerProcess = _workers.Process(target=work, args=(str(folder), settings), daemon=True)
        self._process.start()

    def kill(self) -> None:
        """As `kill -9` does."""
        self._process.kill()
        self._process.join()


def work(folder: str, settings: dict[str, Any]) -> None:
    """Serve until killed."""
    logging.disable(logging.CRITICAL)
    asyncio.run(_serve(Path(folder), SlackSettings(**settings)))


async def _serve(folder: Path, settings: SlackSettings) -> None:
    async with bot(settings, folder, delay=0.02) as made, asyncio.TaskGroup() as tasks:
        await made.watch.beat()
        for watch in (made.watch.live, made.watch.listen, made.watch.patrol):
            tasks.create_task(watch())
