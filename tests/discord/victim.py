"""The bot as a process of its own, for tests that kill it."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.servers.discord import DiscordServer

ROOT = Path(__file__).parents[2]


def environment(server: DiscordServer, home: Path) -> dict[str, str]:
    """What the process finds: nothing of ours, and short times."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "DISCORD_TOKEN": server.token,
        "DISCORD_API_URL": server.api,
        "PANELIST_HOME": str(home),
        "PANELIST_MODEL": "rehearsal",
        "PANELIST_REHEARSAL_DELAY": "0.05",
        "PANELIST_SETTLE": "1.5",
        "PANELIST_POLL": "0.1",
        "PANELIST_BEAT": "0.2",
        "PANELIST_STALE": "1",
    }


async def started(server: DiscordServer, home: Path) -> asyncio.subprocess.Process:
    """`panelist run`, on the gateway."""
    before = server.gateway.greetings.count("identify")
    errors = (home / "stderr.txt").open("ab")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "run", cwd=home, env=environment(server, home), stdin=asyncio.subprocess.DEVNULL,
        stdout=errors, stderr=errors,
    )  # fmt: skip
    errors.close()
    await server.until(lambda: server.gateway.greetings.count("identify") > before, timeout=30.0)
    return process


async def killed(process: asyncio.subprocess.Process) -> None:
    """Dead at once, wherever it was."""
    if process.returncode is None:
        process.send_signal(signal.SIGKILL)
        await process.wait()


@asynccontextmanager
async def serving(server: DiscordServer, home: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """The process, ended politely at the end of the block."""
    process = await started(server, home)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
            try:
                await asyncio.wait_for(process.wait(), 10.0)
            finally:
                await killed(process)
