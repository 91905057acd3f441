"""The platform: one JSON object a line over TCP, one request a connection; the seed draws what becomes of a post."""

import asyncio
import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.servers.chat.journal import Journal, Line

LATE = 0.6
"""Seconds by which a request may take effect after its sender gave up, at most."""
LAG = 0.1
"""Seconds until a post can be read back."""
FATES: Mapping[str, int] = {"ok": 80, "slow": 8, "unconfirmed": 4, "lost": 2, "late": 3, "throttled": 3}
"""What becomes of a post, and how often, in percent."""


class ChatServer:
    """Takes posts in; `seed` decides what becomes of each, `calm` lets all of them succeed."""

    def __init__(self, path: Path, *, seed: int, calm: bool = False) -> None:
        self.journal = Journal(path)
        self._random = random.Random(seed)
        self._calm = calm
        self._posts: list[tuple[float, Line]] = []
        self._removed: set[str] = set()
        self._late: set[asyncio.Task[str]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request: its answer, or a connection that just closes."""
        try:
            request = json.loads(await reader.readline() or b"{}")
            answer = await self._answer(request) if request else None
            if answer is not None:
                writer.write(json.dumps(answer).encode() + b"\n")
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()

    async def _answer(self, request: dict[str, Any]) -> dict[str, Any] | None:
        match request["op"]:
            case "post":
                return await self._post(request)
            case "find":
                return {"found": self._found(request["keys"])}
            case "files":
                self._append(Line(what="files", id=request["key"], key=request["key"]))
                return {"id": request["key"]}
            case what:
                self._append(Line(what=what, id=request["id"]))
                return {"id": request["id"]}

    async def _post(self, request: dict[str, Any]) -> dict[str, Any] | None:
        fate = "ok" if self._calm else self._random.choices(list(FATES), list(FATES.values()))[0]
        pause = self._random.random()
        match fate:
            case "lost":
                return None
            case "throttled":
                return {"retry_after": pause * 0.05}
            case "late":
                late = asyncio.ensure_future(self._keep(request, after=pause * LATE))
                self._late.add(late)
                late.add_done_callback(self._late.discard)
                return None
            case "unconfirmed":
                await self._keep(request, after=pause * 0.01)
                return None
            case "slow":
                kept = await self._keep(request, after=pause * 0.01)
                await asyncio.sleep(pause * 0.1)
                return {"id": kept}
        return {"id": await self._keep(request, after=pause * 0.005)}

    async def _keep(self, request: dict[str, Any], *, after: float) -> str:
        await asyncio.sleep(after)
        line = Line(what="post", id=f"m{len(self._posts) + 1}", key=request["key"], text=request["text"])
        self._posts.append((asyncio.get_running_loop().time(), line))
        self._append(line)
        return line.id

    def _append(self, line: Line) -> None:
        self.journal.append(line)
        if line.what == "remove":
            self._removed.add(line.id)

    def _found(self, keys: list[str]) -> dict[str, str]:
        readable = asyncio.get_running_loop().time() - LAG
        wanted = set(keys)
        return {
            line.key: line.id
            for at, line in self._posts
            if line.key in wanted and line.id not in self._removed and at <= readable
        }
