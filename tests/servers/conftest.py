"""What the tests of the Slack server share."""

from collections.abc import AsyncIterator

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from tests.servers.slack import Rates, SlackServer
from tests.servers.slack_app import client


@pytest.fixture
async def slack() -> AsyncIterator[SlackServer]:
    """A server without rate limits that gives up waiting and redelivers quickly."""
    async with SlackServer(rates=Rates.none(), ack_timeout=0.3, retry_delays=(0.0, 0.05, 0.1)) as server:
        yield server


@pytest.fixture
def bot(slack: SlackServer) -> AsyncWebClient:
    """The SDK's client with the bot's token."""
    return client(slack)
