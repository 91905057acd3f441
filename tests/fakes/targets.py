"""Targets from memory: roots, files and diffs that a test writes down."""

import hashlib
import posixpath
from collections.abc import Mapping

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


class MemoryTargets(Targets):
    """Reads UTF-8 text from `files` (root → path → text); a folder is the list of what is below it."""

    def __init__(self, files: Mapping[str, Mapping[str, str]], most_chars: int = 400_000) -> None:
        self.files = {root: dict(paths) for root, paths in files.items()}
        self.diffs: dict[str, str] = {}
        self._most_chars = most_chars

    async def read(self, reference: TargetRef) -> tuple[Document, ...]:
        documents = tuple(self._source(source, reference.reach) for source in reference.sources)
        return fitted(documents, reference, self._most_chars)

    def _source(self, source: Source, reach: Reach) -> Document:
        match source:
            case GivenText():
                return from_text(source.text, key=source.key, kind=source.kind, title=source.title)
            case GivenBytes():
                return _bytes(source)
            case RootPath():
                return self._below(source, reach)
            case GitRange() if str(source) in self.diffs:
                return from_text(self.diffs[str(source)], key=str(source), kind="diff", title=str(source))
            case GitRange():
                raise DocumentError(f"{source} names no commit.")
            case AnyFile():
                raise NotFound(f"Target file not found: {shown(source.path)}")

    def _below(self, source: RootPath, reach: Reach) -> Document:
        if source.root not in self.files or source.root not in reach.roots:
            raise NotFound(f"There is no root {source.root!r} here.")
        path = posixpath.normpath(source.path)
        if path.startswith(("../", "/")) or path == "..":
            raise DocumentError(f"Target path escapes the root: {shown(source.path)}")
        files = self.files[source.root]
        below = sorted(name for name in files if path == "." or name.startswith(f"{path}/"))
        if path not in files and not below:
            raise NotFound(f"Target file not found: {shown(source.path)}")
        text = files[path] if path in files else "\n".join(below)
        key = path if source.root == WORKING_FOLDER else f"{source.root}:{path}"
        document = from_text(text, key=key, kind="file" if path in files else "directory", title=path)
        return document.model_copy(update={"root": source.root, "path": path})


def _bytes(source: GivenBytes) -> Document:
    if b"\0" in source.data:
        raise DocumentError(f"{source.name} is binary, not text.")
    document = from_text(source.data.decode(), key=source.key or f"attachment:{source.name}", kind="file")
    digest = hashlib.sha256(source.data).hexdigest()
    return document.model_copy(update={"title": source.name, "sha256": digest})
