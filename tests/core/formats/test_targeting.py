"""What words point a review or council at: paths, text, what is at hand, the conversation."""

from typing import Any

import pytest

from bot.core.document import Document, from_text
from bot.core.errors import DocumentError, UsageError
from bot.core.starting.targeting import HERE_NOTE, Asked, Target, target_of
from bot.core.targets.port import WORKING_FOLDER, GivenBytes, Reach
from tests.fakes.targets import MemoryTargets

FILES = {"a.md": "one\ntwo\nthree\n", "b.md": "other\n", "src/x.py": "x = 1\n"}
THREAD = from_text("Maria: shall we?\nJo: yes", kind="thread", title="#payments", key="https://chat.example/1")
ATTACHED = from_text("attached text", kind="file", title="plan.md")


async def read_thread() -> Document:
    return THREAD


async def target(*words: str, **given: Any) -> Target:
    options = given.pop("options", {})
    asked = Asked(words=words, options=options, reach=Reach(roots=frozenset({WORKING_FOLDER})), **given)
    return await target_of(asked, MemoryTargets({WORKING_FOLDER: FILES}))


def titles(found: Target) -> list[str]:
    return [document.title for document in found.documents]


@pytest.mark.parametrize("words", ["a.md", "./a.md", '"a.md"'])
async def test_path_is_read(words: str) -> None:
    """Below the working folder."""
    assert titles(await target(words)) == ["a.md"]


async def test_several_paths_are_one_target_together() -> None:
    """As a command line gives them."""
    assert titles(await target("a.md", "src/x.py")) == ["a.md", "src/x.py"]


async def test_text_is_its_own_target() -> None:
    """An idea that stands alone."""
    found = await target("Should we retry payments twice a day?")

    assert found.documents[0].text == "Should we retry payments twice a day?"


@pytest.mark.parametrize(
    ("words", "options"), [("a.md lines 2-3", {}), ("a.md", {"lines": "2-3"}), ("./a.md lines 2–3", {})]
)
async def test_lines_narrow_the_target(words: str, options: dict[str, str]) -> None:
    """1-based, both ends kept; the numbers stay the source's."""
    found = await target(words, options=options)

    assert (found.documents[0].text, found.documents[0].first_line, found.lines) == ("two\nthree", 2, "2-3")


@pytest.mark.parametrize("lines", ["0-2", "3-2", "2", "a-b", "-1-2"])
async def test_wrong_lines_are_usage(lines: str) -> None:
    """Both positive, A ≤ B."""
    with pytest.raises(UsageError, match="lines wants A-B"):
        await target("a.md", options={"lines": lines})


async def test_lines_beyond_the_end_say_where_it_ends() -> None:
    """A document error, not a silent cut."""
    with pytest.raises(DocumentError, match="a.md has 3 lines; lines 2-9 go beyond its end"):
        await target("a.md lines 2-9")


@pytest.mark.parametrize("words", [(), ("",), ("  ",), ("", " ")])
async def test_empty_target_is_usage(words: tuple[str, ...]) -> None:
    """And nothing is started."""
    with pytest.raises(UsageError, match="There is no target"):
        await target(*words)


@pytest.mark.parametrize("words", ["this", "the above", "this plan", "what we discussed", "our design", "here"])
async def test_words_about_the_conversation_take_the_thread(words: str) -> None:
    """It says so, and how to get an isolated review instead."""
    found = await target(words, conversation=read_thread)

    assert (titles(found), found.note) == (["#payments"], HERE_NOTE)


async def test_here_with_a_focus_keeps_the_focus() -> None:
    """`here [focus]`."""
    assert (await target("here on the costs", conversation=read_thread)).focus == "the costs"


async def test_conversation_that_can_not_be_read_is_said() -> None:
    """A terminal has none."""
    with pytest.raises(UsageError, match="There is no conversation here"):
        await target("this plan")


async def test_what_is_at_hand_is_the_target_where_no_words_name_one() -> None:
    """Attachments, standard input; the shared files come after it."""
    found = await target(documents=(ATTACHED,), sources=(GivenBytes(name="stdin", data=b"piped"),))

    assert titles(found) == ["plan.md", "stdin"]


@pytest.mark.parametrize(("words", "focus"), [("this", ""), ("look at the costs", "look at the costs")])
async def test_words_beside_an_attachment_are_its_focus(words: str, focus: str) -> None:
    """They say what to look at in it."""
    found = await target(words, documents=(ATTACHED,), conversation=read_thread)

    assert (titles(found), found.focus) == (["plan.md"], focus)


async def test_path_beside_an_attachment_is_the_target() -> None:
    """The attachment is shared with everyone."""
    assert titles(await target("a.md", documents=(ATTACHED,))) == ["a.md", "plan.md"]
