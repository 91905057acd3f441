"""The processes of a soak: the chat platform, and workers that start in a moment because their imports are done."""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from tests.survival.small_house import work

_workers = multiprocessing.get_context("forkserver")
_workers.set_forkserver_preload(["tests.survival.small_house"])


@contextmanager
def chat(log: Path, *options: str) -> Iterator[int]:
    """The chat platform, running; its port."""
    command = [sys.executable, "-m", "tests.servers.chat", "--log", str(log), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.communicate()


class Worker:
    """A process that runs panels; it starts with the object."""

    def __init__(self, folder: Path, port: int) -> None:
        self._process: ForkServerProcess = _workers.Process(target=work, args=(str(folder), port), daemon=True)
        self._process.start()

    @property
    def lives(self) -> bool:
        return self._process.is_alive()

    def kill(self) -> None:
        """As `kill -9` does."""
        self._process.kill()
        self._process.join()

    def freeze(self) -> None:
        """As a suspended machine does."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        assert self._process.pid is not None
        os.kill(self._process.pid, number)
