"""Slack keeps the port's promises, over the real SDK."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.contracts.platform import PlatformContract, Stage
from tests.slack.stages import SlackStage, platform, server


class TestSlack(PlatformContract):
    """Against the server that refuses what Slack refuses."""

    @asynccontextmanager
    async def staged(self) -> AsyncIterator[Stage]:
        async with server() as slack, platform(slack) as made:
            yield SlackStage(slack, made)
            assert slack.complaints == []
            assert slack.pings() == []
            assert slack.fetched() == []
