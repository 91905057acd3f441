"""Which repository a folder belongs to, found without trusting what the folder says.

Whoever can write below a root could put a `.git` there that names somebody else's repository. So a
repository outside the work tree counts only where it names this work tree in turn.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path

_WORKTREE = re.compile(r"^\s*worktree\s*=\s*\"?([^\"\n]+?)\"?\s*$", re.MULTILINE)
_POINTER_BYTES = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """Where git's own files are, and the work tree that they belong to."""

    git_folder: Path
    work_tree: Path


def repository_of(folder: Path) -> Repository | None:
    """The repository of a folder (absolute, links resolved); None for none, or one that is not its own."""
    for base in (folder, *folder.parents):
        mark = base / ".git"
        if os.path.lexists(mark):
            git_folder = _git_folder(base, mark)
            return Repository(git_folder=git_folder, work_tree=base) if git_folder else None
    return None


def _git_folder(base: Path, mark: Path) -> Path | None:
    real = Path(os.path.realpath(mark))
    if real.is_file():
        pointer = _short_text(real)
        if not pointer.startswith("gitdir:"):
            return None
        real = Path(os.path.realpath(base / pointer.removeprefix("gitdir:").strip()))
    if not real.is_dir() or not _common_is_own(real):
        return None
    return real if real.is_relative_to(base) or _names(real, base, mark) else None


def _names(git_folder: Path, base: Path, mark: Path) -> bool:
    """Whether git's folder names this work tree: as a linked one, or as a submodule's."""
    back = _short_text(git_folder / "gitdir").strip()
    if back and os.path.realpath(git_folder / back) == str(mark):
        return True
    tree = _WORKTREE.search(_short_text(git_folder / "config"))
    return tree is not None and os.path.realpath(git_folder / tree[1]) == str(base)


def _common_is_own(git_folder: Path) -> bool:
    """Only a linked work tree shares another's objects, and it then lies within that other one."""
    common = _short_text(git_folder / "commondir").strip()
    if not common:
        return True
    return git_folder.is_relative_to(Path(os.path.realpath(git_folder / common)) / "worktrees")


def _short_text(path: Path) -> str:
    try:
        if not path.is_file():
            return ""
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(_POINTER_BYTES)
    except OSError:
        return ""
