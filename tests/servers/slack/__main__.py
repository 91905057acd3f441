"""`python -m tests.servers.slack --port N --log FILE`: a Slack that outlives the bot under test.

Prints one line of JSON when it listens: addresses, tokens, ids. `POST /control/<verb>` drives it.
"""

import argparse
import asyncio
import json
import signal
from pathlib import Path

from tests.servers.slack.rates import Rates
from tests.servers.slack.server import SlackServer


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.servers.slack", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--log", type=Path, help="append-only journal of everything carried out")
    parser.add_argument("--transport", choices=("socket", "http"), default="socket")
    parser.add_argument("--request-url", help="where signed HTTP deliveries go")
    parser.add_argument("--retry-delays", default="0,1,2,4,8", help="seconds before each redelivery")
    parser.add_argument("--ack-timeout", type=float, default=3.0)
    parser.add_argument("--no-rates", action="store_true", help="no rate limits")
    return parser.parse_args()


async def serve(options: argparse.Namespace) -> None:
    """Run until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    slack = SlackServer(
        port=options.port,
        log=options.log,
        transport=options.transport,
        request_url=options.request_url,
        retry_delays=tuple(float(delay) for delay in options.retry_delays.split(",")),
        ack_timeout=options.ack_timeout,
        rates=Rates.none() if options.no_rates else Rates(),
    )
    async with slack:
        print(json.dumps(described(slack)), flush=True)
        await stop.wait()


def described(slack: SlackServer) -> dict[str, object]:
    """What a test needs to know of a running server."""
    return {
        "url": slack.base_url,
        "api_url": slack.api_url,
        "bot_token": slack.bot_token,
        "app_token": slack.app_token,
        "signing_secret": slack.settings.signing_secret,
        "team": slack.workspace.id,
        "users": {user.name: user.id for user in slack.workspace.users.values()},
        "channels": {channel.name: channel.id for channel in slack.workspace.channels.values()},
    }


if __name__ == "__main__":
    asyncio.run(serve(_options()))
