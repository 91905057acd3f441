"""The border: Slack's JSON, and Slack's refusals in our own tree of errors, each with its remedy."""

from typing import Any, TypeAlias

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError

from bot.core.errors import PlaceGone, PlatformError, PostInDoubt, PostRefused, Throttled

JSON: TypeAlias = dict[str, Any]
"""What Slack sends; its shape is Slack's."""

AGAIN = "then press Resume on the card, or say `continue`"
_REFUSED: dict[str, str] = {
    "not_in_channel": f"the bot is not in this channel; invite it (`/invite @Panel`), {AGAIN}",
    "channel_not_found": "the channel is gone, or it is private and the bot was removed; where it still is, invite "
    f"the bot, {AGAIN}",
    "is_archived": f"the channel is archived; unarchive it and invite the bot, {AGAIN}",
    "restricted_action": f"this workspace does not let the bot post here; ask an admin, {AGAIN}",
    "message_limit_exceeded": "this workspace has reached the message limit of its plan",
    "team_access_not_granted": "the app has no access to this workspace; install it there",
    "msg_too_long": "Slack found the message too long",
    "msg_blocks_too_long": "Slack found the message too long",
}
DEAD = frozenset({"invalid_auth", "account_inactive", "token_revoked", "token_expired", "team_disabled"})
"""Slack's words for a token that will never work again."""
NO_TOKEN = f"the app was removed from this workspace or its token revoked; install it again, {AGAIN}"
_UNSURE = {"internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org"}
"""Slack itself does not know how far it came. https://docs.slack.dev/reference/methods/chat.postMessage"""
_THROTTLED = {"ratelimited", "rate_limited"}


class SlackRefused(PostRefused):
    """Slack said no; `code` is its word for why."""

    def __init__(self, text: str, code: str, needed: str = "") -> None:
        super().__init__(text)
        self.code = code
        self.needed = needed
        """The scope that is missing; empty where that is not the reason."""


def fault(method: str, error: Exception) -> PlatformError:
    """What to raise for what the SDK or the network raised."""
    if isinstance(error, SlackApiError):
        return _of_answer(method, error)
    if isinstance(error, aiohttp.ClientConnectorError):
        return Throttled("Slack can not be reached; trying again", 2.0)
    if isinstance(error, aiohttp.ClientError | TimeoutError | SlackClientError | OSError):
        return PostInDoubt(f"no answer to {method}: {type(error).__name__}")
    raise error


def known(error: BaseException) -> bool:
    """True for what `fault` translates."""
    return isinstance(error, SlackClientError | aiohttp.ClientError | TimeoutError | OSError)


def code_of(error: Exception) -> str:
    """Slack's word for a refusal; empty for any other fault."""
    return error.code if isinstance(error, SlackRefused) else ""


def gone(text: str) -> PlaceGone:
    return PlaceGone(text)


def _of_answer(method: str, error: SlackApiError) -> PlatformError:
    answer = error.response
    status = int(getattr(answer, "status_code", 0) or getattr(answer, "status", 200))
    data = getattr(answer, "data", answer)
    body: JSON = data if isinstance(data, dict) else {}
    code = str(body.get("error", ""))
    if status == 429 or code in _THROTTLED:
        return Throttled(f"Slack limits {method} here", _retry_after(getattr(answer, "headers", {})))
    if status >= 500 or code in _UNSURE or not code:
        return PostInDoubt(f"{method}: Slack answered {status} {code}".strip())
    return SlackRefused(_sentence(method, code, body), code, str(body.get("needed", "")))


def _sentence(method: str, code: str, body: JSON) -> str:
    if code == "missing_scope":
        return scope_missing(str(body.get("needed", "")))
    if code in DEAD or code == "not_authed":
        return NO_TOKEN
    if code.startswith("restricted_action"):
        return _REFUSED["restricted_action"]
    detail = "; ".join(str(m) for m in (body.get("response_metadata") or {}).get("messages", ()))
    return _REFUSED.get(code, f"Slack refused {method}: {code}{f' ({detail})' if detail else ''}")


def scope_missing(scope: str) -> str:
    """The remedy for a scope that was not granted."""
    return (
        f"the app lacks the scope {scope}: add it under OAuth & Permissions on the app's page at Slack, and install "
        "the app again"
    )


def _retry_after(headers: Any) -> float:
    """Whole seconds, as Slack gives them."""
    try:
        return max(1.0, float(headers.get("Retry-After", 1)))
    except (TypeError, ValueError, AttributeError):
        return 1.0
