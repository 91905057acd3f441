"""`python -m tests.servers.chat --log FILE --seed N`: the platform as a process; it prints its port."""

import argparse
import asyncio
from pathlib import Path

from tests.servers.chat.server import ChatServer


async def main() -> None:
    """Serve until killed."""
    parser = argparse.ArgumentParser(prog="python -m tests.servers.chat", description=__doc__)
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--calm", action="store_true", help="every post succeeds")
    options = parser.parse_args()
    server = ChatServer(options.log, seed=options.seed, calm=options.calm)
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, backlog=1000)
    print(listening.sockets[0].getsockname()[1], flush=True)
    async with listening:
        await listening.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
