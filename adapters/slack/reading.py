"""Reading a thread or a channel back, page by page: to settle posts in doubt, and for what was missed.

An app that is sold outside Slack's Marketplace gets one page of 15 messages a minute, so nothing here is read without
need. https://docs.slack.dev/reference/methods/conversations.replies
"""

from collections.abc import AsyncIterator

from adapters.slack.messages import Message, message_of
from adapters.slack.web import Account, Web

PAGE = 200
NEWEST = 3
"""Pages of a channel's newest messages in which a card is looked for."""


class Reader:
    """Reads what stands there."""

    def __init__(self, web: Web) -> None:
        self._web = web

    async def thread(
        self, account: Account, channel: str, root: str, *, after: str = "", full: bool = False
    ) -> AsyncIterator[Message]:
        """The root and its replies, oldest first; with `after`, the replies behind that ts. `full`: with metadata.

        Raises SlackRefused (`thread_not_found`), Throttled, PostInDoubt.
        """
        cursor = ""
        while True:
            page = await self._web.call(
                account,
                "conversations.replies",
                channel=channel,
                ts=root,
                oldest=after or None,
                limit=PAGE,
                cursor=cursor or None,
                include_all_metadata=full or None,
            )
            for body in page.get("messages") or ():
                yield message_of(body)
            cursor = str((page.get("response_metadata") or {}).get("next_cursor") or "")
            if not cursor:
                return

    async def channel(
        self, account: Account, channel: str, *, most: int = PAGE * NEWEST, full: bool = False
    ) -> AsyncIterator[Message]:
        """A channel's newest messages, the newest first; without replies in threads."""
        cursor, read = "", 0
        while read < most:
            page = await self._web.call(
                account,
                "conversations.history",
                channel=channel,
                limit=min(PAGE, most - read),
                cursor=cursor or None,
                include_all_metadata=full or None,
            )
            messages = page.get("messages") or ()
            for body in messages:
                yield message_of(body)
            read += len(messages)
            cursor = str((page.get("response_metadata") or {}).get("next_cursor") or "")
            if not cursor or not messages:
                return

    async def one(self, account: Account, channel: str, ts: str) -> Message | None:
        """One message, a reply or a root; None where it is not there. Raises as `thread`."""
        page = await self._web.call(
            account, "conversations.replies", channel=channel, ts=ts, oldest=ts, latest=ts, inclusive=True, limit=1
        )
        messages = [message_of(body) for body in page.get("messages") or ()]
        return next((message for message in messages if message.ts == ts), None)
