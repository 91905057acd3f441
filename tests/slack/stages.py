"""Slack as the tests stage it: the real SDK against the server, on the machine's clock."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from adapters.slack.accounts import Accounts, OneToken
from adapters.slack.platform import SLACK, Slack
from adapters.slack.rules import RuleBook
from adapters.slack.web import Web
from bot.core.clock import Clock
from bot.core.place import Place
from bot.core.store import Shelf
from storage.memory import MemoryStore
from tests.contracts.platform import Stage, Standing
from tests.servers.slack import Lost, Message, Rates, SlackServer


class RealClock(Clock):
    """The machine's time."""

    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(0.0, seconds))

    def jitter(self) -> float:
        return 0.5


def slack_platform(server: SlackServer, *, shelf: Shelf | None = None, interval: float = 0.0, **given: Any) -> Slack:
    """The platform on that server, with the token of its first workspace."""
    clock = RealClock()
    web = Web(clock, server.api_url, seconds=2.0)
    rules = RuleBook(shelf or MemoryStore().shelf, clock)
    accounts = Accounts(web, OneToken(server.bot_token))
    return Slack(web=web, accounts=accounts, rules=rules, clock=clock, interval=interval, **given)


@asynccontextmanager
async def server(**knobs: Any) -> AsyncIterator[SlackServer]:
    """A Slack without limits that redelivers quickly."""
    settings: dict[str, Any] = {"rates": Rates.none(), "ack_timeout": 2.0, "retry_delays": (0.0, 0.05, 0.1)} | knobs
    async with SlackServer(**settings) as slack:
        yield slack


@asynccontextmanager
async def platform(server: SlackServer, **given: Any) -> AsyncIterator[Slack]:
    """The platform, closed afterwards."""
    made = slack_platform(server, **given)
    try:
        yield made
    finally:
        await made.close()


def place_of(server: SlackServer, channel: str = "general", thread: str = "") -> Place:
    """A channel, or a thread in it."""
    return Place(platform=SLACK, workspace=server.workspace.id, channel=server.channel(channel).id, thread=thread)


class SlackStage(Stage):
    """One channel of the server."""

    def __init__(self, server: SlackServer, platform: Slack) -> None:
        self.server, self.platform = server, platform
        self.place = place_of(server)

    async def standing(self, place: Place) -> list[Standing]:
        posts = self.server.posts(place.channel, place.thread)
        return [
            Standing(id=post.ts, name=post.username or post.author, text=said(post))
            for post in posts
            if not any(block["type"] == "header" for block in post.blocks)
        ]

    async def shown_card(self, place: Place, card_id: str) -> str:
        return next(post.shown for post in self.server.posts(place.channel) if post.ts == card_id)

    async def lose_the_answer(self) -> None:
        self.server.fault("chat.postMessage", Lost())

    async def says(self, place: Place, text: str) -> str | None:
        return self.server.say("ada", place.channel, text, thread_ts=place.thread or None).ts


def said(post: Message) -> str:
    """The words of a post, without the round's line."""
    return "\n".join(str(block["text"]) for block in post.blocks if block["type"] == "markdown") or post.text
