"""`python -m tests.servers.messages_api --port 8900`: the server as a process of its own."""

from __future__ import annotations

import argparse
import asyncio
import contextlib

from tests.servers.messages_api import faults
from tests.servers.messages_api.server import MessagesServer
from tests.servers.messages_api.service import KEY

FAULTS = {
    "429": faults.rate_limited(),
    "500": faults.server_error(),
    "529": faults.overloaded(),
    "403": faults.no_permission(),
    "html": faults.html(),
    "hang-up": faults.hang_up(),
    "stall": faults.stall(),
    "cut": faults.cut(),
    "end": faults.end_early(),
    "chunk": faults.broken_chunk(),
    "error": faults.error_event(),
    "refusal": faults.refusal(),
    "max-tokens": faults.out_of_tokens(),
    "empty": faults.empty_text(),
    "ignore-schema": faults.ignore_schema(),
}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.servers.messages_api", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0: a free one, printed")
    parser.add_argument("--key", default=KEY, help="the one key it accepts (default: %(default)s)")
    parser.add_argument("--output-tokens", type=int, default=40, help="length of its sentences")
    parser.add_argument("--first-token-delay", type=float, default=0.0, help="seconds")
    parser.add_argument("--token-delay", type=float, default=0.0, help="seconds")
    parser.add_argument("--fault", choices=FAULTS, action="append", default=[], help="in this order, once each")
    return parser.parse_args()


async def _serve(options: argparse.Namespace) -> None:
    async with MessagesServer(
        port=options.port,
        key=options.key,
        output_tokens=options.output_tokens,
        first_token_delay=options.first_token_delay,
        token_delay=options.token_delay,
    ) as server:
        for name in options.fault:
            server.fail(FAULTS[name])
        print(
            f"Messages API test server on {server.url} (OpenAI: {server.openai_url}), key {server.key}",
            flush=True,
        )
        await asyncio.Event().wait()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(_options()))
