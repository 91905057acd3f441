"""A bot to be killed: `python -m tests.servers.slack_victim API_URL BOT_TOKEN APP_TOKEN answer|hang`.

`answer` replies in the thread of each message; `hang` hears and never acks.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from slack_bolt import BoltResponse
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient


async def main(api_url: str, bot_token: str, app_token: str, mode: str) -> None:
    """Serve until killed."""
    app = AsyncApp(client=AsyncWebClient(token=bot_token, base_url=api_url, retry_handlers=[]))

    @app.middleware
    async def gate(next: Callable[[], Awaitable[BoltResponse]]) -> BoltResponse:  # noqa: A002  # Bolt's name
        if mode == "hang":
            print("heard", flush=True)
            await asyncio.Event().wait()
        return await next()

    @app.event("message")
    async def answer(event: dict[str, Any]) -> None:
        await app.client.chat_postMessage(channel=event["channel"], thread_ts=event["ts"], text="answer")

    handler = AsyncSocketModeHandler(app, app_token)
    await handler.connect_async()  # type: ignore[no-untyped-call]  # Bolt's
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
