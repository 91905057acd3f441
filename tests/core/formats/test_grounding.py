"""Which sources of an author were found again, and which are new."""

import pytest

from bot.core.document import from_text
from bot.core.formats.grounding import author_sources, grounding_diff, normal, same


def named(text: str) -> tuple[str, ...]:
    return author_sources((from_text(text),))


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("See `src/app.py` and [the notes](docs/notes.md#L10).", ("src/app.py", "docs/notes.md")),
        ("It is in src/app.py:12-14, they say.", ("src/app.py",)),
        ("README.md says so; e.g. version 1.2 of asyncio.run does not.", ("README.md",)),
        ("Look at https://example.org/x.md for more.", ()),
        (
            "## Sources\n- docs/a.md\n- https://example.org/b\n\n## Next\nsrc/c.py",
            ("docs/a.md", "https://example.org/b"),
        ),
        ("**References:**\n1. docs/adr/0007\n2. `x.csv`", ("docs/adr/0007", "x.csv")),
        ("Nothing is cited here.", ()),
    ],
)
def test_author_sources_are_paths_or_those_of_the_list(text: str, sources: tuple[str, ...]) -> None:
    """A section of sources counts alone where there is one, with its addresses; else paths of files anywhere."""
    assert named(text) == sources


def test_diff_tells_unconfirmed_from_newly_derived() -> None:
    """And how many personas reported any source at all."""
    target = from_text("Sources:\n- docs/a.md\n- docs/b.md\n")

    diff = grounding_diff((target,), [["docs/a.md", "./src/new.py"], [], ["repo/docs/a.md:3"]])

    assert diff == {
        "unconfirmed_author_sources": ["docs/b.md"],
        "newly_derived": ["src/new.py"],
        "personas_reporting": 2,
    }


@pytest.mark.parametrize(
    ("path", "expected"),
    [("./a/b.py", "a/b.py"), ("a\\b.py", "a/b.py"), ("`a.py:3-9`", "a.py"), ("a.py#L3", "a.py"), (".", ""), ("", "")],
)
def test_paths_are_compared_in_one_form(path: str, expected: str) -> None:
    """No marks, no line numbers, forward slashes."""
    assert normal(path) == expected


def test_paths_match_at_a_slash_only() -> None:
    """`b.md` is the end of `a/b.md`, not of `ab.md`."""
    assert same("a/b.md", "b.md")
    assert not same("ab.md", "b.md")
