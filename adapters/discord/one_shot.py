"""One post, one request. The library's own webhook adapter sends again on every 5xx, also where the post stands, and
holds a lock per webhook through rate-limit sleeps; this one tells the outcome at once and leaves it to the core.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import aiohttp
from discord import Forbidden, HTTPException, NotFound
from discord.http import Route
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from adapters.discord.faults import UNREACHABLE_SECONDS
from bot.core.errors import PostInDoubt, Throttled

Json = dict[str, Any]
Learn = Callable[[Mapping[str, str]], None]

BANNED_SECONDS = 300.0
"""Until the next try where the page in front of Discord has shut us out."""


class OneShot(AsyncWebhookAdapter):
    """Sends each request once. Raises PostInDoubt where it may have had its effect, Throttled where it had none.

    Other refusals are the library's exceptions, with Discord's code.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # the library's is

    async def request(
        self,
        route: Route,
        session: aiohttp.ClientSession,
        *,
        payload: Json | None = None,
        multipart: Sequence[Json] | None = None,
        auth_token: str | None = None,
        params: Mapping[str, Any] | None = None,
        learn: Learn | None = None,
        **_unused: Any,
    ) -> Any:
        """The answer's JSON. `learn` is given the headers of any answer."""
        headers = {"Authorization": f"Bot {auth_token}"} if auth_token else {}
        body: aiohttp.FormData | None = None
        if multipart:
            body = aiohttp.FormData(quote_fields=False)
            for part in multipart:
                body.add_field(**part)
        try:
            async with session.request(
                route.method, route.url, data=body, json=payload, headers=headers, params=params
            ) as answer:
                return await _outcome(answer, learn)
        except aiohttp.ClientConnectorError as fault:
            raise Throttled("Discord can not be reached", UNREACHABLE_SECONDS) from fault
        except (aiohttp.ClientError, OSError) as fault:
            raise PostInDoubt(f"the connection to Discord broke: {type(fault).__name__}") from fault


async def _outcome(answer: aiohttp.ClientResponse, learn: Learn | None) -> Any:
    if learn:
        learn(answer.headers)
    if answer.status >= 500:
        raise PostInDoubt(f"Discord answered {answer.status}")
    try:
        data = await answer.json()
    except (aiohttp.ContentTypeError, ValueError):
        data = None
    if answer.status < 300:
        if answer.status != 204 and not isinstance(data, dict | list):
            raise PostInDoubt("Discord's answer can not be read")
        return data
    if answer.status == 429:
        raise _throttled(answer, data)
    kind = {403: Forbidden, 404: NotFound}.get(answer.status, HTTPException)
    raise kind(answer, data if isinstance(data, dict) else f"HTTP {answer.status}")


def _throttled(answer: aiohttp.ClientResponse, data: Any) -> Throttled:
    """A 429 without a `Via` header does not come from Discord but from what stands in front of it."""
    if not isinstance(data, dict) or "Via" not in answer.headers:
        return Throttled("Discord's front door shuts us out for a while", BANNED_SECONDS)
    where = "everywhere" if data.get("global") else "here"
    return Throttled(f"too fast for Discord {where}", float(data.get("retry_after", 1.0)))


def wire(own: OneShot) -> AsyncWebhookAdapter:
    """Ours, unless somebody (a simulator) has put another in the place of the library's."""
    current = async_context.get()
    return own if type(current) is AsyncWebhookAdapter else current
