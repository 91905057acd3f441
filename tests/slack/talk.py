"""Small steps that the dialogs share."""

import asyncio
import time
from typing import Any

from tests.servers.slack import Message, SlackServer, View, Whisper
from tests.slack.house import House

TWO = "--with engineer-lens,pm-lens"
LONG = f"discuss Shall we rewrite billing? --rounds 8 {TWO}"
SHORT = f"discuss Shall we rewrite billing? --rounds 1 {TWO}"


async def begun(it: House, words: str = LONG, *, who: str = "ada", channel: str = "general", posts: int = 2) -> Message:
    """A panel that was started by the command and has spoken; its card."""
    slack = it.server
    before = len(slack.posts(channel))
    await slack.slash(who, channel, words)
    await slack.until(lambda: len(slack.posts(channel)) >= before + posts, 10)
    return slack.posts(channel)[before]


def in_thread(slack: SlackServer, card: Message) -> list[Message]:
    """The panel's posts behind the card."""
    return [post for post in slack.posts(card.channel, card.ts) if post.ts != card.ts]


async def status(it: House, wanted: str, seconds: float = 10) -> None:
    """Return when the newest panel is in that state."""
    end = time.monotonic() + seconds
    while (now := [row.status for row in await it.panels()][:1]) != [wanted]:
        assert time.monotonic() < end, f"{now}, not {wanted}; {told_all(it.server)}"
        await asyncio.sleep(0.02)


def told(slack: SlackServer, user: str) -> str:
    """Everything that one person alone was shown."""
    return "\n".join(shown(whisper) for whisper in slack.whispers_to(user))


def shown(whisper: Whisper) -> str:
    return "\n".join(str(b["text"]) for b in whisper.blocks if b["type"] == "markdown") or whisper.text


def buttons(message: Message | Whisper) -> list[str]:
    """The labels of the buttons."""
    rows: list[dict[str, Any]] = [block for block in message.blocks if block["type"] == "actions"]
    return [element["text"]["text"] for row in rows for element in row["elements"]]


def field(view: View, name: str) -> dict[str, Any]:
    """A block of a form."""
    return next(block for block in view.body["blocks"] if block.get("block_id") == name)


def told_all(slack: SlackServer) -> list[str]:
    """What people were told, for whoever wonders why a test failed."""
    return [shown(whisper) for whisper in slack.whispers]


async def human_words(it: House) -> str:
    """What the log and the inbox hold of what people said; personas may have quoted it."""
    panel = (await it.panels())[0].id
    entries = [*(await it.store.load(panel)).entries, *(signal.entry for signal in await it.store.signals(panel))]
    return str([entry for entry in entries if entry.kind in ("human", "revised", "directive")])
