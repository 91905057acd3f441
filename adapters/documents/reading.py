"""The `Targets` of this machine: given text and bytes, files, folders and git ranges under allowed roots."""

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from adapters.documents.bounded import Workshop
from adapters.documents.extraction import plain_text
from adapters.documents.faults import Unreadable
from adapters.documents.git import GitFolder
from adapters.documents.limits import Limits
from adapters.documents.paths import Located, anywhere, file_bytes, located, too_large
from bot.core.document import Document, from_text
from bot.core.errors import DocumentError, NotFound
from bot.core.shown import shown
from bot.core.targets.fitting import fitted
from bot.core.targets.port import (
    WORKING_FOLDER,
    AnyFile,
    GitRange,
    GivenBytes,
    GivenText,
    Reach,
    RootPath,
    Source,
    TargetRef,
    Targets,
)

_DIFF_NAMES: Final = (".diff", ".patch")
_CEILING: Final = 20
"""A text is extracted up to this many times what fits: `lines A-B` may narrow it, and its size be told."""


class LocalTargets(Targets):
    """Reads below the roots it is given (name → folder; `.` is the working folder)."""

    def __init__(self, roots: Mapping[str, Path], limits: Limits | None = None) -> None:
        self._roots = dict(roots)
        self._limits = limits or Limits()
        self._workshop = Workshop(self._limits)

    async def read(self, reference: TargetRef) -> tuple[Document, ...]:
        documents = tuple([await self._source(source, reference.reach) for source in reference.sources])
        return fitted(documents, reference, self._limits.text_chars)

    async def _source(self, source: Source, reach: Reach) -> Document:
        match source:
            case GivenText():
                return _given(source)
            case GivenBytes():
                return await self._bytes(source)
            case AnyFile():
                return await self._any_file(source, reach)
            case RootPath():
                return await self._below(source, reach)
            case GitRange():
                return await self._git(source, reach)

    async def _bytes(self, source: GivenBytes) -> Document:
        name = shown(source.name.replace("\\", "/").rpartition("/")[2]) or "attachment"
        if len(source.data) > self._limits.file_bytes:
            raise too_large(name, len(source.data), self._limits.file_bytes)
        text = await self._text(source.data, name, source.media_type)
        digest = hashlib.sha256(source.data).hexdigest()
        piped = name == "stdin"
        key = source.key or (f"text:{digest[:16]}" if piped else f"attachment:{name}")
        kind = "diff" if _is_diff(name, text) else "text" if piped else "file"
        return Document(key=key, kind=kind, title=name, text=text, bytes=len(source.data), sha256=digest)

    async def _any_file(self, source: AnyFile, reach: Reach) -> Document:
        if not reach.any_file:
            raise DocumentError("A file outside the roots can be named in the command line only.")
        place = await asyncio.to_thread(anywhere, source.path)
        for root in sorted(reach.roots & self._roots.keys()):
            folder = await asyncio.to_thread(self._roots[root].resolve)
            if place.real.is_relative_to(folder):
                below = place.real.relative_to(folder).as_posix()
                return await self._file(replace(place, base=folder, relative=below), root)
        return await self._file(place, "")

    async def _below(self, source: RootPath, reach: Reach) -> Document:
        folder = self._granted(source.root, reach)
        if not await asyncio.to_thread(folder.is_dir):
            raise DocumentError(f"The folder of root {shown(source.root)} is not there; mend PANELIST_ROOTS.")
        hidden_too = source.root != WORKING_FOLDER
        place = await asyncio.to_thread(located, folder, source.path, hidden_too=hidden_too)
        if await asyncio.to_thread(place.real.is_dir):
            return await self._folder(place, source.root)
        return await self._file(place, source.root)

    async def _file(self, place: Located, root: str) -> Document:
        data = await asyncio.to_thread(file_bytes, place, self._limits.file_bytes)
        title = shown(place.relative or place.real.name)
        text = await self._text(data, title, "")
        outside = f"file:{title}#{hashlib.sha256(bytes(place.real)).hexdigest()[:12]}"
        return Document(
            key=_key(root, title) if root else outside,
            kind="diff" if _is_diff(title, text) else "file",
            title=title,
            text=text,
            bytes=len(data),
            sha256=hashlib.sha256(data).hexdigest(),
            root=root,
            path=title if root else "",
        )

    async def _folder(self, place: Located, root: str) -> Document:
        title = shown(place.relative) or ("." if root == WORKING_FOLDER else root)
        options = {"root": str(place.base), "start": place.behind, "title": title}
        try:
            done = await self._workshop.run("survey", options)
        except Unreadable as error:
            raise DocumentError(f"{title} {error}.") from error
        return Document(
            key=_key(root, shown(place.relative)),
            kind="directory",
            title=title,
            text=done["text"],
            bytes=done["bytes"],
            sha256=done["sha256"],
            root=root,
            path=shown(place.relative),
        )

    async def _git(self, source: GitRange, reach: Reach) -> Document:
        folder = await asyncio.to_thread(self._granted(source.root, reach).resolve)
        try:
            git = await asyncio.to_thread(GitFolder, folder, self._limits)
            text = await git.changes(source.revisions)
        except Unreadable as error:
            raise DocumentError(f"{shown(str(source))} {error}.") from error
        document = from_text(text.replace("\0", "\ufffd"), key=str(source), kind="diff", title=str(source))
        return document.model_copy(update={"root": source.root})

    def _granted(self, root: str, reach: Reach) -> Path:
        folder = self._roots.get(root)
        if folder is None or root not in reach.roots:
            raise NotFound(f"There is no root {shown(root)!r} here.")
        if not folder.is_dir():
            raise NotFound(f"The folder of root {shown(root)!r} is not there; see `roots` in the settings.")
        return folder

    async def _text(self, data: bytes, name: str, media_type: str) -> str:
        try:
            text = await asyncio.to_thread(plain_text, data, name, media_type)
            if text is None:
                options = {
                    "name": name,
                    "media_type": media_type,
                    "most_chars": _CEILING * self._limits.text_chars,
                    "unpacked_bytes": self._limits.unpacked_bytes,
                }
                text = str((await self._workshop.run("extract", options, data))["text"])
        except Unreadable as error:
            raise DocumentError(f"{name} {error}.") from error
        return text


def _given(source: GivenText) -> Document:
    text = source.text.replace("\0", "\ufffd")
    return from_text(text, key=source.key, kind=source.kind, title=shown(source.title))


def _key(root: str, path: str) -> str:
    return (path or ".") if root == WORKING_FOLDER else f"{root}:{path}"


def _is_diff(name: str, text: str) -> bool:
    return name.lower().endswith(_DIFF_NAMES) or text.startswith(("diff --git ", "--- a/"))
