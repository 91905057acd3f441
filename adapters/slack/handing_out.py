"""Transcript and record on request: where they hang in the thread, or attached anew."""

import json

from adapters.slack.services import Services
from bot.core.fold import opened
from bot.core.panel import Panel
from bot.core.platform import Attachment
from bot.core.records.record import record
from bot.core.records.transcript import transcript
from bot.core.store import Loaded


class HandingOut:
    """Says where a panel's papers are."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def told(self, panel: str, what: str) -> str:
        """One line for the asker. Raises NotFound, StoreError, PlatformError."""
        loaded = await self._services.store.load(panel)
        state = opened(panel, loaded.place, loaded.entries)
        platform = self._services.platform
        attached = state.artifacts.get("attached", "")
        link = await platform.permalink(state.place, attached) if "." in attached else ""
        if not link:
            message = await platform.attach(state.place, f"{panel}:{what}", (_paper(state, loaded, what),))
            link = await platform.permalink(state.place, message) if "." in message else ""
            if not message:
                return f"The {what} can not be attached here; `panelist show {panel}` prints it."
        return f"The {what} is in the thread: [open it]({link})" if link else f"The {what} is attached in the thread."


def _paper(state: Panel, loaded: Loaded, what: str) -> Attachment:
    if what == "record":
        text = json.dumps(record(state, loaded.deliveries), ensure_ascii=False, indent=2)
        return Attachment(
            name=f"{state.id}-{state.last_seq}.json", media_type="application/json", content=text.encode()
        )
    withdrawn = frozenset(post.turn for post in loaded.deliveries if post.withdrawn)
    text = transcript(state, undelivered=withdrawn)
    return Attachment(name=f"{state.id}-{state.last_seq}.md", media_type="text/markdown", content=text.encode())
