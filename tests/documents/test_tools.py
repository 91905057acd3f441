"""The read-only tools on a disk: caps, links, binary files, patterns without end."""

import asyncio
import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.documents.bounded import Workshop
from adapters.documents.faults import Unreadable
from adapters.documents.limits import Limits
from adapters.documents.search import matches
from adapters.documents.toolbox import ConfinedToolbox
from tests.documents.builders import pdf
from tests.documents.trees import written


def toolbox(root: Path, limits: Limits | None = None) -> ConfinedToolbox:
    """The tools over a folder."""
    bounds = limits or Limits()
    return ConfinedToolbox(root, bounds, Workshop(bounds))


async def test_long_files_are_capped_and_say_so(tmp_path: Path) -> None:
    """The next call can ask for the rest."""
    tools = toolbox(written(tmp_path, {"long.md": "".join(f"line {number}\n" for number in range(1, 3001))}))

    first = await tools.run("Read", {"path": "long.md"})
    rest = await tools.run("Read", {"path": "long.md", "first_line": 2001})

    assert first.text.endswith(
        "2000\tline 2000\n[lines 2001 to 3000 of 3000 did not fit; ask for them with first_line]"
    )
    assert first.outcome == "lines 1-2000 of long.md"
    assert rest.text.endswith("3000\tline 3000")


async def test_one_endless_line_is_cut_and_says_so(tmp_path: Path) -> None:
    """A minified file is one line."""
    result = await toolbox(written(tmp_path, {"min.js": "x" * 200_000})).run("Read", {"path": "min.js"})

    assert len(result.text) < 61_000
    assert result.text.endswith("[the line goes on]")


async def test_read_gives_the_text_of_a_pdf(tmp_path: Path) -> None:
    """As a target would be read."""
    result = await toolbox(written(tmp_path, {"a.pdf": pdf(["in the pdf"])})).run("Read", {"path": "a.pdf"})

    assert result.text == "1\t[Page 1]\n2\tin the pdf"


async def test_what_is_no_text_is_told(tmp_path: Path) -> None:
    """A folder, a picture, nothing."""
    tools = toolbox(written(tmp_path, {"logo.png": b"\x89PNG\0", "sub/a.md": "a", "empty.md": ""}))

    texts = [(await tools.run("Read", {"path": path})).text for path in ("logo.png", "sub", "empty.md")]

    assert texts[0].startswith("logo.png is binary")
    assert texts[1] == "sub is a folder, not a file that can be read."
    assert texts[2] == "empty.md is empty (0 bytes)."


async def test_links_out_lead_nowhere(tmp_path: Path) -> None:
    """Not by reading, searching or listing; nothing absolute comes back."""
    written(tmp_path, {"outside/secret.md": "force outside\n"})
    root = written(tmp_path / "root", {"a.md": "force\n"})
    (root / "link.md").symlink_to(tmp_path / "outside" / "secret.md")
    (root / "way").symlink_to(tmp_path / "outside")
    (root / "round").symlink_to(root)
    os.mkfifo(root / "pipe")
    tools = toolbox(root)

    assert (await tools.run("Read", {"path": "link.md"})).outcome.startswith("refused: ")
    assert (await tools.run("Read", {"path": "way/secret.md"})).outcome.startswith("refused: ")
    assert (await tools.run("Grep", {"pattern": "force", "path": "way"})).outcome.startswith("refused: ")
    assert (await tools.run("Grep", {"pattern": "force"})).text == "a.md:1: force"
    assert (await tools.run("Glob", {"pattern": "**/*"})).text == "a.md"
    for call in (("Read", {"path": str(root / "a.md")}), ("Read", {"path": "nope"}), ("Glob", {"pattern": "*"})):
        result = await tools.run(*call)
        assert str(tmp_path) not in result.text.replace(str(call[1].get("path")), "")


async def test_a_pattern_without_end_is_stopped(tmp_path: Path) -> None:
    """The model is told; nobody else waits."""
    tools = toolbox(written(tmp_path, {"a.txt": "a" * 60 + "!\n"}), Limits(tool_seconds=1))
    started = time.monotonic()

    slow, fast = await asyncio.gather(tools.run("Grep", {"pattern": "(a|a)*$"}), tools.run("Grep", {"pattern": "!"}))

    assert time.monotonic() - started < 5
    assert (slow.text, slow.refused) == ("'(a|a)*$' needs more than 1 s or too much memory; ask for less.", True)
    assert fast.text.startswith("a.txt:1: ")


async def test_hits_are_capped_and_say_so(tmp_path: Path) -> None:
    """Both of Grep and Glob."""
    files: dict[str, str | bytes] = {f"{number:03}.md": "x\n" for number in range(600)}
    tools = toolbox(written(tmp_path, files))

    grep = await tools.run("Grep", {"pattern": "x"})
    glob = await tools.run("Glob", {"pattern": "*"})

    assert grep.text.endswith("[only the first 200 matches are shown; narrow the pattern or the path]")
    assert len(grep.text.splitlines()) == 201
    assert glob.text.endswith("[only the first 500 files are shown; narrow the pattern]")


async def test_long_lines_are_shown_around_the_match(tmp_path: Path) -> None:
    """With marks where they go on."""
    tools = toolbox(written(tmp_path, {"a.md": "a" * 5000 + "needle" + "b" * 5000}))

    text = (await tools.run("Grep", {"pattern": "needle"})).text

    assert len(text) < 400
    assert text.startswith("a.md:1: …aaa")
    assert "needle" in text
    assert text.endswith("bbb…")


async def test_large_files_are_counted_not_searched(tmp_path: Path) -> None:
    """Never silently."""
    tools = toolbox(written(tmp_path, {"big.log": "x\n" * 1_100_000, "a.md": "x\n"}))

    text = (await tools.run("Grep", {"pattern": "^x$"})).text

    assert text == "a.md:1: x\n[1 files were too large to search]"


async def test_other_encodings_are_searched(tmp_path: Path) -> None:
    """As they are read."""
    tools = toolbox(written(tmp_path, {"a.txt": "Gebühr".encode("utf-16"), "b.txt": "Gebühr".encode("cp1252")}))

    assert (await tools.run("Grep", {"pattern": "ü"})).text == "a.txt:1: Gebühr\nb.txt:1: Gebühr"


async def test_a_grep_in_one_file(tmp_path: Path) -> None:
    """A path may be a file."""
    tools = toolbox(written(tmp_path, {"a.md": "x\n", "b.md": "x\n"}))

    assert (await tools.run("Grep", {"pattern": "x", "path": "b.md"})).text == "b.md:1: x"


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("*.md", "a.md", True),
        ("*.md", "x/a.md", False),
        ("**/*.md", "a.md", True),
        ("**/*.md", "x/y/a.md", True),
        ("x/**", "x/y/a.md", True),
        ("x/**", "x", False),
        ("x/**/a.md", "x/a.md", True),
        ("**", "a", True),
        ("./a.md", "a.md", True),
        ("*.{md,txt}", "a.txt", True),
        ("{src,lib}/**/*.{ts,js}", "lib/x/a.js", True),
        ("a?c.[ch]", "abc.h", True),
        ("A.md", "a.md", False),
        ("x/**/y/**/z", "x/1/y/2/3/z", True),
        ("x/**/y/**/z", "x/1/2/3/z", False),
    ],
)
def test_patterns(pattern: str, path: str, fits: bool) -> None:
    """As in a shell with `**`."""
    assert matches(pattern, path) is fits


def test_too_many_alternatives_are_refused() -> None:
    """They multiply."""
    with pytest.raises(Unreadable, match="more than 64 patterns"):
        matches("{a,b}" * 7, "a")


@given(
    st.lists(st.sampled_from(["a", "b", "*", "**"]), min_size=1, max_size=6),
    st.lists(st.sampled_from(["a", "b"]), min_size=1, max_size=6),
)
def test_matching_agrees_with_its_definition(pattern: list[str], path: list[str]) -> None:
    """`**` is any number of folders, and at the end at least one part."""

    def fits(pieces: list[str], parts: list[str]) -> bool:
        if not pieces:
            return not parts
        if pieces[0] == "**":
            least = 1 if len(pieces) == 1 else 0
            return any(fits(pieces[1:], parts[count:]) for count in range(least, len(parts) + 1))
        return bool(parts) and pieces[0] in ("*", parts[0]) and fits(pieces[1:], parts[1:])

    assert matches("/".join(pattern), "/".join(path)) is fits(pattern, path)
