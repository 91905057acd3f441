"""Runs the server as a process of its own, with a guild, two people and a channel in it."""

import argparse
import asyncio
import contextlib
import signal
import sys
from pathlib import Path

from .server import DiscordServer


async def _run(options: argparse.Namespace) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, ended.set)
    async with DiscordServer(port=options.port, log=options.log, token=options.token) as server:
        if options.limits:
            server.limits.as_reported()
        guild = server.guild()
        server.text_channel(guild)
        server.member(guild, "ann")
        server.member(guild, "ben")
        sys.stdout.write(server.origin + "\n")
        sys.stdout.flush()
        await ended.wait()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.servers.discord", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one; the origin goes to stdout")
    parser.add_argument("--log", type=Path, help="append every post to this file, a JSON object a line")
    parser.add_argument("--token", default="bot-token", help="the bot token to accept")
    parser.add_argument("--limits", action="store_true", help="apply the rate limits reported from the field")
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_run(parser.parse_args()))


if __name__ == "__main__":
    main()
