"""The changes of a git range, read without running anything that the repository configures."""

import asyncio
import contextlib
import os
import shutil
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path

from adapters.documents.faults import OutOfBounds, Unreadable
from adapters.documents.limits import Limits, size_words
from adapters.documents.names import refusal
from adapters.documents.repository import Repository, repository_of
from bot.core.shown import shown

_QUIET = (
    *("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.pager=cat"),
    *(
        "-c",
        "core.quotePath=false",
        "-c",
        "diff.external=",
        "-c",
        "diff.submodule=short",
        "-c",
        "log.showSignature=false",
    ),
    *("-c", "protocol.allow=never", "-c", "core.attributesFile=/dev/null", "-c", "submodule.recurse=false"),
    # The operator allowed the folder, whoever owns it.
    *("-c", "safe.directory=*"),
)
"""A repository's own configuration may name commands; each such key is set here to nothing."""
_DIFF = (
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--relative",
    "--submodule=short",
    "-O/dev/null",
)
_COMMITS = 200


class GitFolder:
    """A folder in a git work tree; only what lies below the folder is shown."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._folder = folder
        self._limits = limits
        self._repository = repository_of(folder)
        self._program = shutil.which("git")

    async def changes(self, revisions: str) -> str:
        """Commits and diff of a range or a commit. Raises Unreadable for no repository, no such revision,
        no change or too much, OutOfBounds for too long."""
        span = await self._span(revisions)
        paths = await self._changed(span)
        secrets = [path for path in paths if refusal(path, hidden_too=False)]
        if not paths:
            raise Unreadable("changes nothing")
        if len(secrets) == len(paths):
            raise Unreadable("changes only files that look like keys or secrets by their names")
        excluded = [f":(exclude,literal){path}" for path in secrets]
        diff = await self._text(*_DIFF, span, "--", ".", *excluded)
        return "\n".join([*await self._commits(span), *_left_out(secrets), "", diff])

    async def _span(self, revisions: str) -> str:
        """The range to compare; one commit stands for what it changed."""
        if ".." not in revisions:
            commit = await self._commit(revisions)
            code, _ = await self._run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^1")
            return f"{commit}^1..{commit}" if code == 0 else f"{_EMPTY_TREE}..{commit}"
        dots = "..." if "..." in revisions else ".."
        first, _, last = revisions.partition(dots)
        ends = [await self._commit(end or "HEAD") for end in (first, last)]
        return dots.join(ends)

    async def _commit(self, revision: str) -> str:
        code, raw = await self._run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        if code != 0:
            raise Unreadable(f"names no commit: {shown(revision, 60)!r} is not known there")
        return raw.decode("ascii", "replace").strip()

    async def _changed(self, span: str) -> list[str]:
        raw = await self._bytes(*_DIFF, "--name-only", "--no-renames", "-z", span, "--", ".")
        return [os.fsdecode(name) for name in raw.split(b"\0") if name]

    async def _commits(self, span: str) -> list[str]:
        if span.startswith(_EMPTY_TREE):
            span = span.partition("..")[2]
        log = await self._text(
            *("log", "--no-color", "--no-ext-diff", "--no-show-signature", f"--max-count={_COMMITS + 1}"),
            *("--format=%h %an: %s", span, "--", "."),
        )
        lines = [shown(line) for line in log.splitlines()]
        more = [f"… and more than {_COMMITS} commits in all"] if len(lines) > _COMMITS else []
        return ["Commits, the newest first:", *lines[:_COMMITS], *more] if lines else []

    async def _text(self, *arguments: str) -> str:
        return (await self._bytes(*arguments)).decode("utf-8", "replace")

    async def _bytes(self, *arguments: str) -> bytes:
        code, raw = await self._run(*arguments)
        if code != 0:
            raise Unreadable("can not be read by git")
        return raw

    async def _run(self, *arguments: str) -> tuple[int, bytes]:
        if self._repository is None:
            raise Unreadable("is in no git repository of its own")
        if self._program is None:
            raise Unreadable("needs git, which is not installed")
        command = (self._program, "-C", str(self._folder), "--no-pager", *_QUIET, *arguments)
        return await _spoken(command, _environment(self._program, self._repository), self._limits)


_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def _left_out(secrets: Sequence[str]) -> list[str]:
    if not secrets:
        return []
    names = ", ".join(shown(path) for path in secrets)
    return [f"Left out, because their names look like keys or secrets: {names}"]


async def _spoken(command: Sequence[str], env: Mapping[str, str], limits: Limits) -> tuple[int, bytes]:
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=env,
        start_new_session=True,
        limit=1024 * 1024,
    )
    try:
        async with asyncio.timeout(limits.seconds):
            raw = await _capped(process, limits.file_bytes)
            return await process.wait(), raw
    except TimeoutError as error:
        raise OutOfBounds(f"takes git longer than {limits.seconds:g} s; name a shorter range") from error
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()


async def _capped(process: asyncio.subprocess.Process, most: int) -> bytes:
    chunks: list[bytes] = []
    size = 0
    while process.stdout and (chunk := await process.stdout.read(256 * 1024)):
        chunks.append(chunk)
        size += len(chunk)
        if size > most:
            raise Unreadable(f"is a diff of more than {size_words(most)}; name a shorter range")
    return b"".join(chunks)


def _environment(program: str, repository: Repository) -> dict[str, str]:
    """No configuration of this machine or user, no prompt, no fetch of missing objects."""
    return {
        "PATH": f"{os.path.dirname(program)}:{os.defpath}",
        "GIT_DIR": str(repository.git_folder),
        "GIT_WORK_TREE": str(repository.work_tree),
        "HOME": "/nonexistent",
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_PAGER": "cat",
    }
