"""The changes of a git range, whatever the repository's own configuration says."""

import os
import subprocess
from pathlib import Path

import pytest

from adapters.documents.limits import Limits
from adapters.documents.reading import LocalTargets
from bot.core.document import Document
from bot.core.errors import DocumentError, NotFound
from bot.core.targets.port import GitRange, Reach, TargetRef
from tests.documents.trees import written

ENVIRONMENT = {
    "PATH": os.defpath,
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    **{f"GIT_{who}_{what}": "Ada <b>" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


def git(folder: Path, *arguments: str) -> str:
    """Run git for the test's own set-up."""
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, env=ENVIRONMENT, check=True, capture_output=True, text=True).stdout


def commit(folder: Path, files: dict[str, str | bytes], message: str) -> None:
    """Write the files and commit them all."""
    written(folder, files)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", message)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Three commits."""
    folder = tmp_path / "app"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    commit(folder, {"a.md": "one\n", "sub/b.md": "b\n"}, "First words")
    commit(folder, {"a.md": "two\n"}, "Second thoughts")
    commit(folder, {"sub/b.md": "c\n", ".env": "TOKEN=hunter2\n"}, "Below, and a secret")
    return folder


async def changes(folder: Path, revisions: str, limits: Limits | None = None) -> Document:
    """The document of a range."""
    reference = TargetRef(sources=(GitRange(root="app", revisions=revisions),), reach=Reach(roots=frozenset({"app"})))
    (document,) = await LocalTargets({"app": folder}, limits).read(reference)
    return document


async def refused(folder: Path, revisions: str, limits: Limits | None = None) -> str:
    """The words of the refusal."""
    with pytest.raises(DocumentError) as caught:
        await changes(folder, revisions, limits)
    return str(caught.value)


async def test_a_range_is_a_diff_with_its_commits(repository: Path) -> None:
    """Newest first; the key is the range as written."""
    document = await changes(repository, "HEAD~2..HEAD~1")

    assert (document.key, document.kind, document.root) == ("app@HEAD~2..HEAD~1", "diff", "app")
    assert "Ada" in document.text
    assert ": Second thoughts\n" in document.text
    assert "-one\n+two\n" in document.text
    assert "First words" not in document.text


async def test_one_commit_is_what_it_changed(repository: Path) -> None:
    """The first commit is compared with nothing."""
    second = await changes(repository, "HEAD~1")
    first = await changes(repository, "HEAD~2")

    assert "-one\n+two\n" in second.text
    assert "+one\n" in first.text
    assert "First words" in first.text


async def test_an_open_range_ends_at_head(repository: Path) -> None:
    """As git reads it."""
    assert "+two" in (await changes(repository, "HEAD~2..")).text
    assert "+two" in (await changes(repository, "HEAD~2...HEAD")).text


async def test_secrets_are_left_out_and_named(repository: Path) -> None:
    """Never silently."""
    text = (await changes(repository, "HEAD~1..HEAD")).text

    assert "hunter2" not in text
    assert "Left out, because their names look like keys or secrets: .env" in text
    assert "+c" in text


async def test_only_secrets_are_an_error(repository: Path) -> None:
    """Nothing is left to review."""
    commit(repository, {".env": "TOKEN=other\n"}, "Turn the key")

    assert "only files that look like keys or secrets" in await refused(repository, "HEAD~1..HEAD")


async def test_a_root_within_a_repository_shows_only_what_is_below_it(repository: Path) -> None:
    """Commits and files outside the root stay outside."""
    document = await changes(repository / "sub", "HEAD~2..HEAD")

    assert "+c" in document.text
    assert "two" not in document.text
    assert "Second thoughts" not in document.text
    assert "--- a/b.md" in document.text


async def test_what_git_does_not_know_is_told(tmp_path: Path, repository: Path) -> None:
    """The revision is named."""
    assert await refused(repository, "nope..HEAD") == "app@nope..HEAD names no commit: 'nope' is not known there."
    assert await refused(repository, "HEAD..HEAD") == "app@HEAD..HEAD changes nothing."
    assert "is in no git repository of its own" in await refused(written(tmp_path / "plain", {"a": "b"}), "HEAD")


async def test_a_root_that_is_not_granted_has_no_history(repository: Path) -> None:
    """As for files."""
    with pytest.raises(NotFound):
        await LocalTargets({"app": repository}).read(TargetRef(sources=(GitRange(root="app", revisions="HEAD"),)))


async def test_nothing_that_the_repository_configures_is_run(repository: Path, tmp_path: Path) -> None:
    """External diff, textconv, pager, monitor, filters, hooks, signature programs: each would leave a mark."""
    mark = tmp_path / "mark"
    script = tmp_path / "evil.sh"
    script.write_text(f"#!/bin/sh\necho run >> {mark}\ncat\n")
    script.chmod(0o755)
    commit(repository, {".gitattributes": "* diff=evil filter=evil\n", "a.md": "three\n"}, "Attributes")
    for key in (
        *("diff.external", "diff.evil.command", "diff.evil.textconv", "core.pager", "core.fsmonitor", "pager.diff"),
        *("filter.evil.clean", "filter.evil.smudge", "gpg.program", "core.sshCommand", "core.editor"),
    ):
        git(repository, "config", key, str(script))
    git(repository, "config", "log.showSignature", "true")
    git(repository, "config", "core.hooksPath", str(tmp_path))

    text = (await changes(repository, "HEAD~1..HEAD")).text

    assert "+three" in text
    assert not mark.exists()


async def test_a_pointer_to_somebody_else_s_repository_is_not_followed(repository: Path, tmp_path: Path) -> None:
    """A `.git` file, link or shared folder that anybody could write names a repository that does not name it back."""
    pointer = written(tmp_path / "pointer", {".git": f"gitdir: {repository / '.git'}\n", "a.md": "x"})
    link = written(tmp_path / "link", {"a.md": "x"})
    (link / ".git").symlink_to(repository / ".git")
    shared = written(
        tmp_path / "shared",
        {".git/HEAD": "ref: refs/heads/main\n", ".git/commondir": f"{repository / '.git'}\n", "a.md": "x"},
    )

    for folder in (pointer, link, shared):
        assert "is in no git repository of its own" in await refused(folder, "HEAD")


async def test_a_linked_work_tree_is_its_own(repository: Path, tmp_path: Path) -> None:
    """git made it, and both sides name each other."""
    tree = tmp_path / "tree"
    git(repository, "worktree", "add", "-q", str(tree), "HEAD")

    assert "+two" in (await changes(tree, "HEAD~2..HEAD")).text


async def test_a_submodule_is_its_own(repository: Path, tmp_path: Path) -> None:
    """Its files lie in the outer repository, which names it."""
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repository), "inner")

    assert "+two" in (await changes(outer / "inner", "HEAD~2..HEAD")).text


async def test_a_huge_diff_is_an_error_with_sizes(repository: Path) -> None:
    """Never a silent cut."""
    commit(repository, {"big.md": "many words\n" * 5_000}, "Much")

    assert "is a diff of more than 10 KiB; name a shorter range" in await refused(
        repository, "HEAD~1..HEAD", Limits(file_bytes=10 * 1024)
    )


async def test_binary_changes_are_named_not_shown(repository: Path) -> None:
    """One line says that they differ."""
    commit(repository, {"logo.png": b"\x89PNG\0\1\2"}, "A picture")

    assert "Binary files /dev/null and b/logo.png differ" in (await changes(repository, "HEAD~1..HEAD")).text
