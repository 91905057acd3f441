"""Runs jobs in a child process that ends in time and within its memory, whatever the content does."""

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from adapters.documents.faults import OutOfBounds, Unreadable
from adapters.documents.limits import Limits, size_words

_HOUSE = Path(__file__).parents[2]


class Workshop:
    """Starts one child process a job, a few at a time; the event loop never waits for one."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._turns = asyncio.Semaphore(limits.at_once)

    async def run(
        self, job: str, options: Mapping[str, Any], data: bytes = b"", *, seconds: float | None = None
    ) -> dict[str, Any]:
        """The job's answer. Raises Unreadable for the content's fault, OutOfBounds past a limit."""
        allowed = seconds if seconds is not None else self._limits.seconds
        request = {
            "job": job,
            "options": dict(options),
            "seconds": allowed,
            "memory_bytes": self._limits.memory_bytes,
        }
        async with self._turns:
            raw = await _spoken(json.dumps(request).encode() + b"\n" + data, allowed)
        return self._done(raw)

    def _done(self, raw: bytes) -> dict[str, Any]:
        over = f"needs more memory than it may have ({size_words(self._limits.memory_bytes)}); send a part of it"
        try:
            answer: dict[str, Any] = json.loads(raw)
        except ValueError as error:
            # It was killed, or a C library gave up without memory.
            raise OutOfBounds(over) from error
        if "fault" in answer:
            raise Unreadable(str(answer["fault"]))
        if "over" in answer:
            raise OutOfBounds(over)
        done: dict[str, Any] = answer["done"]
        return done


async def _spoken(request: bytes, seconds: float) -> bytes:
    slow = f"takes longer than {seconds:g} s to read; send a part of it"
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-m",
        "adapters.documents.child",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        # No token of this process is in its reach.
        env={"PYTHONPATH": str(_HOUSE), "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"},
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(seconds):
            raw, _ = await process.communicate(request)
    except TimeoutError as error:
        raise OutOfBounds(slow) from error
    finally:
        await _end(process)
    if process.returncode == -signal.SIGXCPU:
        raise OutOfBounds(slow)
    return raw


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
