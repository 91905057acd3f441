"""Apps on the real Bolt for the tests of the Slack server: over Socket Mode and over signed HTTP."""

import logging
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from tests.servers.slack import SlackServer


def client(slack: SlackServer, token: str | None = None) -> AsyncWebClient:
    """The SDK's client without any retries of its own."""
    return AsyncWebClient(
        token=slack.bot_token if token is None else token, base_url=slack.api_url, retry_handlers=[], timeout=5
    )


async def refused(call: Awaitable[object]) -> str:
    """The error's code of a call that must fail."""
    with pytest.raises(SlackApiError) as caught:
        await call
    return str(caught.value.response["error"])


def bolt(slack: SlackServer) -> AsyncApp:
    """An app without listeners."""
    logger = logging.getLogger("tests.bolt")
    logger.setLevel(logging.CRITICAL)
    web_client = client(slack)
    return AsyncApp(client=web_client, signing_secret=slack.settings.signing_secret, logger=logger)


@asynccontextmanager
async def connected(slack: SlackServer, app: AsyncApp, ping: float = 5) -> AsyncIterator[AsyncSocketModeHandler]:
    """The app with one socket open."""
    handler = AsyncSocketModeHandler(app, slack.app_token, ping_interval=ping)
    before = slack.sockets.connected
    await handler.connect_async()  # type: ignore[no-untyped-call]  # Bolt's
    await slack.sockets.has_connected(before + 1)
    try:
        yield handler
    finally:
        await handler.close_async()  # type: ignore[no-untyped-call]  # Bolt's


@asynccontextmanager
async def served(slack: SlackServer, app: AsyncApp) -> AsyncIterator[str]:
    """The app's HTTP endpoint, known to Slack; yields its address."""
    runner = web.AppRunner(app.web_app("/slack/events"))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}/slack/events"
    slack.deliver_to(url)
    try:
        yield url
    finally:
        await runner.cleanup()
