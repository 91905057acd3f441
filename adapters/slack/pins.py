"""Pins: an already pinned message is pinned; too many pins are said, never an error.

https://docs.slack.dev/reference/methods/pins.add
"""

import logging

from adapters.slack.messages import message_of
from adapters.slack.translate import SlackRefused, code_of, scope_missing
from adapters.slack.web import Account, Web
from bot.core.errors import PlatformError

log = logging.getLogger("panelist.slack.pins")

_WHY = {
    "too_many_pins": "this channel has as many pins as Slack allows",
    "not_pinnable": "Slack does not let this message be pinned",
    "restricted_action": "this workspace does not let the bot pin",
    "message_not_found": "the message is gone",
    "not_in_channel": "the bot is not in this channel",
    "is_archived": "the channel is archived",
}


class Pins:
    """Pins and unpins our messages."""

    def __init__(self, web: Web) -> None:
        self._web = web

    async def pin(self, account: Account, channel: str, ts: str, *, keep: int = 0) -> str:
        """An empty text, or why it is not pinned. With `keep`, older pins of ours beyond that number are taken off."""
        try:
            if keep:
                await self._make_room(account, channel, keep - 1)
            await self._web.call(account, "pins.add", channel=channel, timestamp=ts)
        except SlackRefused as fault:
            if fault.code == "already_pinned":
                return ""
            return scope_missing("pins:write") if fault.code == "missing_scope" else _WHY.get(fault.code, str(fault))
        except PlatformError as fault:
            return str(fault)
        return ""

    async def unpin(self, account: Account, channel: str, ts: str) -> None:
        """Best effort."""
        try:
            await self._web.call(account, "pins.remove", channel=channel, timestamp=ts)
        except PlatformError as fault:
            if code_of(fault) != "no_pin":
                log.info("not unpinned: %s", fault, extra={"channel": channel})

    async def _make_room(self, account: Account, channel: str, most: int) -> None:
        items = (await self._web.call(account, "pins.list", channel=channel)).get("items") or ()
        ours = [
            message.ts
            for message in (message_of(item.get("message") or {}) for item in items)
            if message.bot == account.bot_id and message.metadata is not None
        ]
        for ts in sorted(ours, reverse=True)[most:]:
            await self.unpin(account, channel, ts)
