"""The adapter to the chat server: every request is a connection of its own, and every broken one leaves a doubt."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from bot.core.errors import PostInDoubt, Throttled
from bot.core.place import Place
from bot.core.platform import Attachment, Capabilities, ChatPlatform, Post


class Chat(ChatPlatform):
    """The chat at that port of this machine."""

    name = "chat"

    def __init__(self, port: int, *, max_chars: int = 120) -> None:
        self._port = port
        self._able = Capabilities(max_chars=max_chars, edits_card=True, pins=True, files=True)

    async def capabilities(self, place: Place) -> Capabilities:
        return self._able

    def measure(self, text: str) -> int:
        return len(text)

    async def post(self, place: Place, post: Post) -> str:
        answer = await self._ask({"op": "post", "key": post.key, "text": post.text})
        if "retry_after" in answer:
            raise Throttled("slower", float(answer["retry_after"]))
        return str(answer["id"])

    async def find(self, place: Place, posts: tuple[Post, ...]) -> Mapping[str, str]:
        found: dict[str, str] = (await self._ask({"op": "find", "keys": [post.key for post in posts]}))["found"]
        return found

    async def take_back(self, place: Place, message_id: str) -> None:
        await self._ask({"op": "remove", "id": message_id})

    async def pin(self, place: Place, message_id: str) -> str:
        await self._ask({"op": "pin", "id": message_id})
        return ""

    async def unpin(self, place: Place, message_id: str) -> None:
        await self._ask({"op": "unpin", "id": message_id})

    async def attach(self, place: Place, key: str, files: tuple[Attachment, ...]) -> str:
        return str((await self._ask({"op": "files", "key": key}))["id"])

    async def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """One request and its answer. Raises PostInDoubt where none comes."""
        writer: asyncio.StreamWriter | None = None
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
            writer.write(json.dumps(request).encode() + b"\n")
            await writer.drain()
            line = await reader.readline()
        except OSError as fault:
            raise PostInDoubt(f"the chat broke off: {fault}") from fault
        finally:
            if writer is not None:
                writer.close()
        if not line:
            raise PostInDoubt("the chat closed the connection without an answer")
        answer: dict[str, Any] = json.loads(line)
        return answer
