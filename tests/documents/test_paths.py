"""A path is checked as written and after resolving links, and only regular files are opened."""

import errno
import os
import socket
import tempfile
from pathlib import Path

import pytest

from adapters.documents.limits import Limits
from adapters.documents.names import refusal, secret
from adapters.documents.opening import content, opened
from adapters.documents.paths import fault
from adapters.documents.reading import LocalTargets
from bot.core.document import Document
from bot.core.errors import DocumentError, NotFound, PanelistError
from bot.core.targets.port import AnyFile, Reach, RootPath, Source, TargetRef
from tests.documents.trees import written

ALL = Reach(roots=frozenset({".", "docs"}), any_file=True)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A working folder and a root `docs` beside it, with a secret outside of both."""
    written(tmp_path, {"secret.md": "outside\n"})
    written(tmp_path / "docs", {"a.md": "in docs\n", "sub/b.md": "below\n"})
    written(tmp_path / "work", {"plan.md": "the plan\n", ".github/ci.yml": "on: push\n", "my notes.md": "x\n"})
    return tmp_path


@pytest.fixture
def targets(place: Path) -> LocalTargets:
    """Targets over both."""
    return LocalTargets({".": place / "work", "docs": place / "docs"}, Limits(file_bytes=1000))


async def one(targets: LocalTargets, source: Source, reach: Reach = ALL) -> Document:
    """The one document of one source."""
    (document,) = await targets.read(TargetRef(sources=(source,), reach=reach))
    return document


async def refused(targets: LocalTargets, source: Source, reach: Reach = ALL) -> str:
    """The words of the refusal."""
    with pytest.raises((DocumentError, NotFound)) as caught:
        await one(targets, source, reach)
    return str(caught.value)


async def test_the_working_folder_has_plain_keys(targets: LocalTargets) -> None:
    """In the command line a path is its own key; hidden folders that are no secret may be named."""
    plan = await one(targets, RootPath(root=".", path="./plan.md"))
    workflow = await one(targets, RootPath(root=".", path=".github/ci.yml"))

    assert (plan.key, plan.root, plan.path, plan.title) == ("plan.md", ".", "plan.md", "plan.md")
    assert workflow.key == ".github/ci.yml"


async def test_an_absolute_path_below_the_root_is_the_same_document(targets: LocalTargets, place: Path) -> None:
    """However it is written, the key is the relative path."""
    document = await one(targets, RootPath(root=".", path=str(place / "work" / "plan.md")))

    assert document.key == "plan.md"


async def test_any_file_is_for_the_command_line(targets: LocalTargets, place: Path) -> None:
    """`--file` may name a file outside; its key is stable, and never its absolute path."""
    source = AnyFile(path=str(place / "secret.md"))

    first, second = await one(targets, source), await one(targets, source)

    assert first.key == second.key
    assert first.key.startswith("file:secret.md#")
    assert str(place) not in first.model_dump_json()
    assert (first.root, first.path) == ("", "")
    assert "command line only" in await refused(targets, source, Reach(roots=frozenset({"docs"})))


async def test_any_file_below_a_root_is_the_root_s(targets: LocalTargets, place: Path) -> None:
    """So that `--file docs/a.md` and `docs:a.md` are one document, and tools go with it."""
    document = await one(targets, AnyFile(path=str(place / "docs" / "a.md")))

    assert (document.key, document.root, document.path) == ("docs:a.md", "docs", "a.md")


async def test_a_link_out_of_the_root_is_refused(targets: LocalTargets, place: Path) -> None:
    """As written it lies inside; resolved, it does not. A folder that is a link is no way out, either."""
    (place / "docs" / "innocent.md").symlink_to(place / "secret.md")
    (place / "docs" / "up").symlink_to(place)

    for path in ("innocent.md", "up/secret.md", "up"):
        words = await refused(targets, RootPath(root="docs", path=path))
        assert words == f"Target path escapes the root: {path}"


async def test_a_link_within_the_root_is_followed(targets: LocalTargets, place: Path) -> None:
    """Its key is the path as written: `latest.md` stays the same document."""
    (place / "docs" / "latest.md").symlink_to("sub/b.md")

    document = await one(targets, RootPath(root="docs", path="latest.md"))

    assert (document.text, document.key) == ("below\n", "docs:latest.md")


async def test_dots_after_a_link_do_not_escape(targets: LocalTargets, place: Path) -> None:
    """`way/../secret.md` is inside as written; the system would go up from where the link leads."""
    written(place / "elsewhere" / "deep", {"x.md": "x"})
    written(place / "elsewhere", {"secret.md": "outside\n"})
    (place / "docs" / "way").symlink_to(place / "elsewhere" / "deep")

    words = await refused(targets, RootPath(root="docs", path="way/../secret.md"))

    assert words == "Target path escapes the root: way/../secret.md"


async def test_a_loop_of_links_is_named(targets: LocalTargets, place: Path) -> None:
    """It never ends in a stack trace."""
    (place / "docs" / "a").symlink_to("b")
    (place / "docs" / "b").symlink_to("a")

    assert await refused(targets, RootPath(root="docs", path="a")) == "a is a loop of links."


async def test_a_link_to_nothing_is_not_there(targets: LocalTargets, place: Path) -> None:
    """In the exact words."""
    (place / "docs" / "gone.md").symlink_to("never.md")

    assert await refused(targets, RootPath(root="docs", path="gone.md")) == "Target file not found: gone.md"


@pytest.mark.parametrize("path", ["a.md/x", "x" * 300 + ".md", "nul\0.md"])
async def test_impossible_names_are_not_there(targets: LocalTargets, path: str) -> None:
    """A file as a folder, a name too long, a NUL."""
    assert (await refused(targets, RootPath(root="docs", path=path))).startswith("Target file not found: ")


async def test_a_pipe_a_socket_and_a_device_are_refused_at_once(targets: LocalTargets, place: Path) -> None:
    """Opening a pipe that nobody writes to must not wait."""
    os.mkfifo(place / "docs" / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        # Through a link with a short name: a socket's path may have about 100 bytes.
        with tempfile.TemporaryDirectory(dir="/tmp") as short:
            (Path(short) / "d").symlink_to(place / "docs")
            server.bind(f"{short}/d/s")

        assert await refused(targets, RootPath(root="docs", path="s")) == "s is a socket, not a file that can be read."
    assert await refused(targets, RootPath(root="docs", path="pipe")) == "pipe is a pipe, not a file that can be read."
    words = await refused(targets, AnyFile(path="/dev/zero"))
    assert words == "/dev/zero is a device, not a file that can be read."


async def test_any_file_is_no_folder(targets: LocalTargets, place: Path) -> None:
    """A folder is a target below a root only."""
    words = await refused(targets, AnyFile(path=str(place)))

    assert words.endswith("is a folder, not a file that can be read.")


async def test_a_large_file_says_how_large(targets: LocalTargets, place: Path) -> None:
    """And what would fit."""
    written(place / "docs", {"big.md": "x" * 2048})

    words = await refused(targets, RootPath(root="docs", path="big.md"))

    assert words.startswith("big.md is too large: 2 KiB, and at most 1000 bytes is read.")


async def test_an_empty_file_is_named(targets: LocalTargets, place: Path) -> None:
    """0 bytes are nothing to review."""
    written(place / "docs", {"empty.md": ""})

    assert await refused(targets, RootPath(root="docs", path="empty.md")) == "empty.md is empty (0 bytes)."


@pytest.mark.parametrize("path", [".env", "sub/.ENV.production", "id_rsa", ".git/config", "tls/server.key"])
async def test_secrets_are_no_targets(targets: LocalTargets, path: str) -> None:
    """Refused by name, whether or not they are there, in the working folder as well."""
    for root in ("docs", "."):
        assert (await refused(targets, RootPath(root=root, path=path))).startswith(f"Target refused: {path} ")


async def test_a_link_with_a_harmless_name_to_a_secret_is_refused(targets: LocalTargets, place: Path) -> None:
    """Both names count."""
    written(place / "docs", {".env": "TOKEN=x"})
    (place / "docs" / "notes.md").symlink_to(".env")

    assert "looks like a key or a secret" in await refused(targets, RootPath(root="docs", path="notes.md"))


async def test_hidden_files_of_a_named_root_are_no_targets(targets: LocalTargets, place: Path) -> None:
    """In chat nobody needs them."""
    written(place / "docs", {".draft.md": "x"})

    assert await refused(targets, RootPath(root="docs", path=".draft.md")) == "Target refused: .draft.md is hidden."


@pytest.mark.parametrize(
    "name",
    [
        *(".env", ".env.local", "prod.env", ".envrc", "server.pem", "tls.KEY", "id_rsa", "id_ed25519.pub"),
        *("deploy_id_rsa", "cert.p12", "store.jks", "vault.kdbx", ".netrc", ".npmrc", ".pypirc", ".htpasswd"),
        *("credentials", "credentials.json", "aws-credentials.yml", "secrets.yaml", "client_secret.json"),
        *("passwords.txt", "service-account.json", "api_keys.json", "apikey.txt", "api_key", "private-key"),
        *("prod.tfvars", "terraform.tfstate", "auth_token.json"),
    ],
)
def test_names_that_look_like_secrets(name: str) -> None:
    """Upper and lower case alike."""
    assert secret(name)


@pytest.mark.parametrize(
    "name",
    [
        *("keyboard.md", "monkey.py", "idempotency-key.md", "keys.md", "environment.py", "secrets.md", "secret.py"),
        *("token.go", "password_reset.py", "credentials.rst", "environment.yml", "README.md", "Makefile", "key"),
    ],
)
def test_names_that_are_no_secrets(name: str) -> None:
    """People write about keys, too."""
    assert not secret(name)


def test_a_refusal_names_its_reason() -> None:
    """git's own folder is refused even where hidden files are not."""
    assert refusal("a/.git/config", hidden_too=False) == "is part of git's own folder"
    assert refusal(".github/x.yml", hidden_too=False) == ""
    assert refusal(".github/x.yml", hidden_too=True) == "is hidden"


async def test_a_root_whose_folder_is_gone(tmp_path: Path) -> None:
    """The message has no absolute path: it may stand in a thread."""
    targets = LocalTargets({"docs": tmp_path / "gone"})

    words = await refused(targets, RootPath(root="docs", path="a.md"))

    assert words == "The folder of root 'docs' is not there; see `roots` in the settings."


def test_a_folder_swapped_for_a_link_is_not_followed(place: Path) -> None:
    """Each part is opened within the one before, so a swap after the check gains nothing."""
    (place / "docs" / "swap").symlink_to(place)

    with pytest.raises(OSError, match=r"Not a directory|symbolic links"):
        opened(place / "docs", ("swap", "secret.md"))
    assert content(place / "docs", "swap/secret.md", 100) == b""
    assert content(place / "docs", "sub", 100) == b""
    assert content(place / "docs", "sub/b.md", 3) == b"bel"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (errno.ENOENT, "Target file not found: a.md"),
        (errno.EACCES, "a.md may not be read: permission denied. Change its mode or its owner."),
        (errno.ELOOP, "a.md is a loop of links."),
        (errno.EIO, "a.md can not be read: Input/output error."),
    ],
)
def test_the_system_s_refusals_in_words(code: int, words: str) -> None:
    """One table; the cause is kept by the caller."""
    error: PanelistError = fault(OSError(code, os.strerror(code)), "a.md")

    assert str(error) == words
