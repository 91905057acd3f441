"""The read-only tools over files in memory."""

import fnmatch
import posixpath
import re
from collections.abc import Mapping
from typing import Any

from bot.core.document import Document
from bot.core.targets.tool_calls import TOOLS, GlobCall, GrepCall, ReadCall, checked_call, failed, refused
from bot.core.tools import Toolbox, Toolboxes, ToolResult, ToolSpec


class MemoryToolbox(Toolbox):
    """Files by path; hidden ones and `*.pem` are refused."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = dict(files)
        self.used: list[tuple[str, dict[str, Any]]] = []

    def specs(self) -> tuple[ToolSpec, ...]:
        return TOOLS

    async def run(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        self.used.append((name, dict(arguments)))
        call = checked_call(name, arguments)
        match call:
            case ToolResult():
                return call
            case ReadCall():
                return self._read(call)
            case GrepCall():
                return self._grep(call)
            case GlobCall():
                return self._glob(call)

    def _read(self, call: ReadCall) -> ToolResult:
        path = posixpath.normpath(call.path)
        if path.startswith(("..", "/")):
            return refused(f"Target path escapes the root: {call.path}")
        if _closed(path):
            return refused(f"Target refused: {call.path}")
        if path not in self.files:
            return failed(f"Target file not found: {call.path}")
        lines = self.files[path].splitlines()
        last = min(call.last_line or len(lines), len(lines))
        if call.first_line > last:
            return failed(f"{path} has {len(lines)} lines")
        text = "\n".join(f"{number}\t{lines[number - 1]}" for number in range(call.first_line, last + 1))
        return ToolResult(text=text, outcome=f"lines {call.first_line}-{last} of {path}")

    def _grep(self, call: GrepCall) -> ToolResult:
        try:
            pattern = re.compile(call.pattern, re.IGNORECASE if call.ignore_case else 0)
        except re.error as error:
            return failed(f"{call.pattern!r} is no regular expression: {error}")
        hits = [
            f"{path}:{number}: {line}"
            for path in self._below(call.path)
            if not call.glob or fnmatch.fnmatchcase(path, call.glob)
            for number, line in enumerate(self.files[path].splitlines(), 1)
            if pattern.search(line)
        ]
        return ToolResult(text="\n".join(hits) or "no matches", outcome=f"{len(hits)} matches")

    def _glob(self, call: GlobCall) -> ToolResult:
        if call.pattern.startswith("/") or ".." in call.pattern:
            return refused(f"Target path escapes the root: {call.pattern}")
        deep = call.pattern.replace("**/", "*")
        paths = [
            path
            for path in self._below(call.path)
            if fnmatch.fnmatchcase(path, deep) and ("**" in call.pattern or path.count("/") == deep.count("/"))
        ]
        return ToolResult(text="\n".join(paths) or "no files", outcome=f"{len(paths)} files")

    def _below(self, folder: str) -> list[str]:
        start = f"{folder}/" if folder not in ("", ".") else ""
        return sorted(path for path in self.files if path.startswith(start) and not _closed(path))


class MemoryToolboxes(Toolboxes):
    """One toolbox for every document that lies under a root."""

    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox

    def of(self, documents: tuple[Document, ...]) -> Toolbox | None:
        return self._toolbox if any(document.root for document in documents) else None


def _closed(path: str) -> bool:
    return any(part.startswith(".") for part in path.split("/")) or path.endswith(".pem")
