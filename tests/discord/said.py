"""Speakers and posts for tests of the platform alone."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from bot.core.errors import Throttled
from bot.core.place import Place
from bot.core.platform import Post, Speaker
from tests.contracts.platform import ADA, card_post, speech
from tests.discord.house import Scene, scene
from tests.servers.discord import Rules
from tests.servers.discord.world import Message


@asynccontextmanager
async def begun(
    *, rules: Rules | None = None, message_content: bool = True, public_url: str = "", where: str = "general"
) -> AsyncIterator[tuple[Scene, Place]]:
    """A panel's thread, with its card."""
    async with scene(rules=rules, message_content=message_content, public_url=public_url) as it:
        card_id = await it.platform.post(it.place(where), card_post())
        yield it, await it.platform.thread(it.place(where), card_id)


async def sent(it: Scene, place: Place, post: Post) -> str:
    """Post it, with the waits that the platform asks for."""
    while True:
        try:
            return await it.platform.post(place, post)
        except Throttled as fault:
            await it.clock.sleep(fault.retry_after)


async def say(it: Scene, place: Place, text: str, *, turn: int = 2, speaker: Speaker = ADA) -> Message:
    """Let a persona say it, and return what stands then."""
    message = await sent(it, place, speech(turn, speaker, text))
    return next(one for one in it.server.platform.created if str(one.id) == message)


def named(name: str, *, short_name: str = "ada", emoji: str = "🦉") -> Speaker:
    return replace(ADA, name=name, short_name=short_name, emoji=emoji)
