"""The library's faults as the core's: one table from Discord's error codes to what a person can do about them.

https://docs.discord.com/developers/topics/opcodes-and-status-codes#json
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import discord

from bot.core.errors import PlaceGone, PlatformError, PostRefused, Throttled

UNKNOWN_CHANNEL, UNKNOWN_GUILD, UNKNOWN_MESSAGE, UNKNOWN_WEBHOOK = 10003, 10004, 10008, 10015
PINS_FULL, WEBHOOKS_FULL, OLD_EDITS = 30003, 30007, 30046
MISSING_ACCESS, FOREIGN_MESSAGE, MISSING_PERMISSIONS, BAD_FORM, ARCHIVED = 50001, 50005, 50013, 50035, 50083
THREAD_EXISTS, THREADS_FULL, LOCKED = 160004, 160006, 160005

REST_SECONDS = 20.0
"""How long a call through the library may take that posts nothing."""
UNREACHABLE_SECONDS = 5.0
"""Until the next try where Discord did not answer."""

_GONE = {UNKNOWN_CHANNEL: "the thread or channel was deleted", UNKNOWN_GUILD: "Panelist is no longer in this server"}
_CURES = {
    PINS_FULL: "the channel has as many pins as Discord allows (250): unpin one",
    WEBHOOKS_FULL: "the channel has as many webhooks as Discord allows (15): delete one in its settings, "
    "under Integrations",
    MISSING_ACCESS: "Panelist no longer sees this channel: give it View Channel there, then say `continue`",
    ARCHIVED: "the thread is archived: write a message in it to reopen it, then say `continue`",
    LOCKED: "the thread is locked: unlock it, then say `continue`",
    THREADS_FULL: "the server has as many open threads as Discord allows: close some",
    200000: "the server's AutoMod blocked these words: allow them, or say `skip`",
    240000: "the server's AutoMod blocked a link in it: allow it, or say `skip`",
}


def translated(fault: Exception, doing: str) -> PlatformError:
    """The core's error for a call that posts nothing.

    `doing` says what was tried, for people; a permission that it needs stands in it. What may pass is Throttled.
    """
    match fault:
        case PlatformError():
            return fault
        case discord.RateLimited():
            return Throttled(f"{doing}: too fast for Discord", fault.retry_after)
        case discord.HTTPException() if fault.status >= 500:
            return Throttled(f"{doing}: Discord answered {fault.status}", UNREACHABLE_SECONDS)
        case discord.HTTPException() if fault.code in _GONE:
            return PlaceGone(_GONE[fault.code])
        case discord.HTTPException() if fault.code == MISSING_PERMISSIONS:
            return PostRefused(f"{doing}: Panelist has not the permission; `panelist doctor` names what is missing")
        case discord.HTTPException():
            return PostRefused(f"{doing}: {_CURES.get(fault.code) or fault.text or fault}")
    return Throttled(f"{doing}: no answer from Discord ({type(fault).__name__})", UNREACHABLE_SECONDS)


NETWORK = (discord.DiscordException, aiohttp.ClientError, OSError, asyncio.TimeoutError)
"""What a call through the library may raise."""


@asynccontextmanager
async def told(doing: str, seconds: float = REST_SECONDS) -> AsyncIterator[None]:
    """A call through the library that posts nothing: it ends in time, and its faults are the core's."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except NETWORK as fault:
        raise translated(fault, doing) from fault


def code_of(fault: BaseException | None) -> int:
    """Discord's error code behind one of the core's errors; 0 where there is none."""
    cause = fault.__cause__ if isinstance(fault, PlatformError) else fault
    return cause.code if isinstance(cause, discord.HTTPException) else 0
