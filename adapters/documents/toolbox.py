"""The personas' read-only tools over one root: Read, Grep, Glob."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from adapters.documents.bounded import Workshop
from adapters.documents.extraction import plain_text
from adapters.documents.faults import OutOfBounds, Refused, Unreadable
from adapters.documents.limits import Limits
from adapters.documents.paths import Located, file_bytes, located
from bot.core.errors import DocumentError, NotFound
from bot.core.shown import shown
from bot.core.targets.tool_calls import TOOLS, AnyCall, GlobCall, GrepCall, ReadCall, checked_call, failed, refused
from bot.core.tools import Toolbox, ToolResult, ToolSpec

_READ_LINES = 2_000
_READ_CHARS = 60_000


class ConfinedToolbox(Toolbox):
    """Reads below one folder: nothing hidden, no secrets, no links out, and paths are relative to it."""

    def __init__(self, folder: Path, limits: Limits, workshop: Workshop) -> None:
        self._folder = folder
        self._limits = limits
        self._workshop = workshop

    def specs(self) -> tuple[ToolSpec, ...]:
        return TOOLS

    async def run(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        call = checked_call(name, arguments)
        if isinstance(call, ToolResult):
            return call
        try:
            return await self._answer(call)
        except Refused as error:
            return refused(str(error))
        except (DocumentError, NotFound) as error:
            return failed(str(error))
        except OutOfBounds:
            limit = f"{self._limits.tool_seconds:g} s"
            return failed(f"{_subject(call)} needs more than {limit} or too much memory; ask for less.")
        except Unreadable as error:
            return failed(f"{_subject(call)} {error}.")

    async def _answer(self, call: AnyCall) -> ToolResult:
        match call:
            case ReadCall():
                return await self._read(call)
            case GrepCall():
                return await self._grep(call)
            case GlobCall():
                return await self._glob(call)

    async def _located(self, path: str) -> Located:
        try:
            return await asyncio.to_thread(located, self._folder, path or ".", hidden_too=True)
        except DocumentError as error:
            raise Refused(str(error)) from error

    async def _read(self, call: ReadCall) -> ToolResult:
        place = await self._located(call.path)
        data = await asyncio.to_thread(file_bytes, place, self._limits.file_bytes)
        text = await asyncio.to_thread(plain_text, data, place.real.name)
        if text is None:
            options = {
                "name": place.real.name,
                "media_type": "",
                "most_chars": 20 * self._limits.text_chars,
                "unpacked_bytes": self._limits.unpacked_bytes,
            }
            text = str((await self._run("extract", options, data))["text"])
        return _numbered(shown(place.relative), text, call)

    async def _grep(self, call: GrepCall) -> ToolResult:
        place = await self._located(call.path)
        single = await asyncio.to_thread(place.real.is_file)
        options = {
            **_start(place),
            "single": single,
            "pattern": call.pattern,
            "only": call.glob,
            "ignore_case": call.ignore_case,
        }
        done = await self._run("grep", options)
        lines = [f"{shown(path)}:{number}: {line}" for path, number, line in done["hits"]]
        found = f"{len(lines)} matches in {done['searched']} files searched"
        if done["more"]:
            lines.append(f"[only the first {len(done['hits'])} matches are shown; narrow the pattern or the path]")
        if done["large"]:
            lines.append(f"[{done['large']} files were too large to search]")
        return ToolResult(text="\n".join(lines) or "no matches", outcome=found)

    async def _glob(self, call: GlobCall) -> ToolResult:
        if call.pattern.startswith("/") or ".." in call.pattern.split("/"):
            raise Refused(f"Target path escapes the root: {shown(call.pattern)}")
        place = await self._located(call.path)
        if not await asyncio.to_thread(place.real.is_dir):
            raise Unreadable("starts from no folder")
        done = await self._run("glob", {**_start(place), "pattern": call.pattern})
        lines = [shown(path) for path in done["paths"]]
        found = f"{len(lines)} files"
        if done["more"]:
            lines.append(f"[only the first {len(done['paths'])} files are shown; narrow the pattern]")
        return ToolResult(text="\n".join(lines) or "no files", outcome=found)

    async def _run(self, job: str, options: Mapping[str, object], data: bytes = b"") -> dict[str, Any]:
        return await self._workshop.run(job, options, data, seconds=self._limits.tool_seconds)


def _start(place: Located) -> dict[str, object]:
    return {"root": str(place.base), "start": place.behind}


def _subject(call: AnyCall) -> str:
    return shown(call.path) if isinstance(call, ReadCall) else shown(repr(call.pattern))


def _numbered(name: str, text: str, call: ReadCall) -> ToolResult:
    lines = text.split("\n")
    count = len(lines) - (lines[-1] == "")
    if call.first_line > count:
        raise Unreadable(f"has {count} lines; line {call.first_line} is beyond its end")
    wanted = min(call.last_line or count, count)
    if wanted < call.first_line:
        raise Unreadable(f"can not be read from line {call.first_line} to {wanted}")
    kept: list[str] = []
    chars = 0
    for number in range(call.first_line, min(wanted, call.first_line + _READ_LINES - 1) + 1):
        line = f"{number}\t{lines[number - 1]}"
        chars += len(line) + 1
        if chars > _READ_CHARS and kept:
            break
        kept.append(line if len(line) <= _READ_CHARS else f"{line[:_READ_CHARS]} [the line goes on]")
    last = call.first_line + len(kept) - 1
    if last < wanted:
        kept.append(f"[lines {last + 1} to {wanted} of {count} did not fit; ask for them with first_line]")
    return ToolResult(text="\n".join(kept), outcome=f"lines {call.first_line}-{last} of {name}")
