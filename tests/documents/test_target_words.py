"""What a person's words point at."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.errors import DocumentError, NotFound, UsageError
from bot.core.targets.guard import conversation_focus
from bot.core.targets.port import GitRange, GivenText, LineRange, Reach, RootPath, Source, TargetRef
from bot.core.targets.words import (
    Conversation,
    bare_url,
    parse_arguments,
    parse_lines,
    parse_target,
    path_like,
)

TERMINAL = Reach(roots=frozenset({".", "docs", "app"}), any_file=True)
CHAT = Reach(roots=frozenset({"docs"}))


def only(words: str, reach: Reach = TERMINAL) -> Source:
    """The one source that the words mean."""
    target = parse_target(words, reach)
    assert isinstance(target, TargetRef)
    (source,) = target.sources
    return source


@pytest.mark.parametrize(
    "word",
    ["design.md", "a/b", "./x", "../x", "/etc/passwd", "Node.js", ".env", ".", "..", "c\\d", "x.tar.gz", "ü.md"],
)
def test_a_single_word_with_a_slash_or_an_extension_is_a_path(word: str) -> None:
    """Never idea text."""
    assert path_like(word)
    assert only(word) == RootPath(root=".", path=word)


@pytest.mark.parametrize("words", ["Retries", "e.g.", "v2.0", "3.11", "Should we move to Node.js?", "yes/no or maybe"])
def test_other_words_are_the_text_itself(words: str) -> None:
    """Numbers after a dot are no extension, and several words are no path."""
    assert only(words) == GivenText(text=words)


def test_a_quoted_path_may_have_spaces() -> None:
    """Quotation marks or backticks hold it together."""
    assert only("`my notes.md`") == only('"my notes.md"') == RootPath(root=".", path="my notes.md")


def test_a_root_and_a_path() -> None:
    """`docs:design/auth.md`, and `docs:` for the root itself."""
    assert only("docs:design/auth.md", CHAT) == RootPath(root="docs", path="design/auth.md")
    assert only("docs:", CHAT) == RootPath(root="docs", path=".")


def test_several_root_paths() -> None:
    """Each is a source."""
    target = parse_target("docs:a.md docs:b.md", CHAT)

    assert isinstance(target, TargetRef)
    assert target.sources == (RootPath(root="docs", path="a.md"), RootPath(root="docs", path="b.md"))


@pytest.mark.parametrize(
    ("words", "root", "revisions"),
    [
        ("app@HEAD~3..HEAD", "app", "HEAD~3..HEAD"),
        ("app@v1.2...main", "app", "v1.2...main"),
        ("app@3f2c1d0", "app", "3f2c1d0"),
        ("@main..HEAD", ".", "main..HEAD"),
        ("app@HEAD@{1}..feature/x", "app", "HEAD@{1}..feature/x"),
    ],
)
def test_git_ranges(words: str, root: str, revisions: str) -> None:
    """With no root before the @, the working folder's."""
    assert only(words) == GitRange(root=root, revisions=revisions)


@pytest.mark.parametrize("words", ["app@--output=x..HEAD", "app@a;b..c", "app@$(id)..x", "app@..|x"])
def test_a_range_is_no_place_for_options_or_commands(words: str) -> None:
    """Only what revisions are made of."""
    with pytest.raises(DocumentError, match="is no git range"):
        parse_target(words, TERMINAL)


def test_an_unknown_root_lists_the_granted_ones() -> None:
    """A root that exists elsewhere is as unknown as any."""
    for words in ("app:x.md", "app@a..b"):
        with pytest.raises(NotFound, match=r"There is no root 'app' here\. Roots granted here: docs;"):
            parse_target(words, CHAT)


def test_a_path_without_a_root_says_which_roots_there_are() -> None:
    """In chat there is no working folder."""
    with pytest.raises(NotFound, match=r"^Target file not found: a/b\.md\nRoots granted here: docs"):
        parse_target("a/b.md", CHAT)
    with pytest.raises(NotFound, match="No root is granted here: paste the text or attach the file"):
        parse_target("a/b.md", Reach())


@pytest.mark.parametrize(
    "words",
    ["https://example.org/a.md", "<https://example.org|the doc>", "www.example.org", "http://a.b http://c.d"],
)
def test_a_bare_web_address_is_refused(words: str) -> None:
    """Nothing is fetched from the web."""
    with pytest.raises(DocumentError, match="paste the text or attach the file"):
        parse_target(words.replace("the doc", "doc"), TERMINAL)


def test_a_web_address_within_a_text_is_text() -> None:
    """Only a bare one is refused."""
    assert only("See https://example.org for the plan") == GivenText(text="See https://example.org for the plan")
    assert not bare_url("")


@pytest.mark.parametrize("words", ["", "  ", "\n\t"])
def test_nothing_is_no_target(words: str) -> None:
    """The error says what to give."""
    with pytest.raises(UsageError, match="name a path, paste the text or attach the file"):
        parse_target(words, TERMINAL)


@pytest.mark.parametrize(("words", "first", "last"), [("1-1", 1, 1), ("10-40", 10, 40), (" 2 – 3 ", 2, 3)])
def test_lines(words: str, first: int, last: int) -> None:
    """A phone's dash counts."""
    assert parse_lines(words) == LineRange(first=first, last=last)


@pytest.mark.parametrize("words", ["", "5", "0-3", "4-2", "-1-3", "a-b", "1-2-3", "1,5", "1-9999999999"])
def test_wrong_lines_are_a_usage_error(words: str) -> None:
    """Both positive, A not above B."""
    with pytest.raises(UsageError, match="lines wants A-B"):
        parse_lines(words)


def test_lines_after_a_place_narrow_it() -> None:
    """After a path, a range, a root's path or the conversation."""
    for words in ("a.md lines 2-5", "docs:x lines 2-5", "app@abc LINES 2-5", "this plan lines 2-5"):
        assert parse_target(words, TERMINAL).lines == LineRange(first=2, last=5)
    with pytest.raises(UsageError):
        parse_target("a.md lines 5-2", TERMINAL)


def test_lines_at_the_end_of_a_text_belong_to_it() -> None:
    """A pasted text may end in any words."""
    words = "Delete these lines 10-20"

    assert parse_target(words, TERMINAL) == TargetRef(sources=(GivenText(text=words),), reach=TERMINAL)


def test_several_arguments_that_are_paths_are_several_files() -> None:
    """Otherwise they are the words of one text."""
    files = parse_arguments(["a.md", "src/b.py"], TERMINAL)
    text = parse_arguments(["Use", "Node.js"], TERMINAL)
    narrowed = parse_arguments(["a.md", "lines", "1-2"], TERMINAL)

    assert isinstance(files, TargetRef)
    assert [source.path for source in files.sources if isinstance(source, RootPath)] == ["a.md", "src/b.py"]
    assert text == TargetRef(sources=(GivenText(text="Use Node.js"),), reach=TERMINAL)
    assert narrowed.lines == LineRange(first=1, last=2)


@pytest.mark.parametrize(
    "words",
    [
        "this",
        "This plan.",
        "the above",
        "above",
        "what we discussed",
        "what we've just decided on",
        "everything we discussed so far",
        "our design",
        "our new design, please",
        "`this thread`",
        "here",
        "Here!",
        "the plan above",
    ],
)
def test_words_that_point_at_the_conversation(words: str) -> None:
    """They are no idea to judge."""
    assert conversation_focus(words) == ""
    assert parse_target(words, CHAT) == Conversation()


@pytest.mark.parametrize(
    ("words", "focus"),
    [
        ("here on the costs", "the costs"),
        ("here: roll-out and rollback", "roll-out and rollback"),
        ("here focus on security", "security"),
        ("here focusing on who pays", "who pays"),
        ("Here, about naming", "naming"),
        ("here online sales", "online sales"),
    ],
)
def test_here_may_have_a_focus(words: str, focus: str) -> None:
    """What to look at in the conversation."""
    assert conversation_focus(words) == focus


@pytest.mark.parametrize(
    "words",
    [
        "here is my idea: charge per seat",
        "this plan charges per seat and refunds nobody",
        "our design uses two queues",
        "thisplan",
        "the above average price",
        "we should discuss it",
        "hereafter",
        "design.md",
        "this " * 100,
    ],
)
def test_an_idea_is_no_pointer(words: str) -> None:
    """It stands alone."""
    assert conversation_focus(words) is None


@given(st.text(max_size=300))
def test_any_words_are_read_or_refused_in_words(words: str) -> None:
    """No input breaks the parser with another error, and a text is kept to the letter."""
    with contextlib.suppress(UsageError, NotFound, DocumentError):
        target = parse_target(words, TERMINAL)
        if isinstance(target, TargetRef) and isinstance(target.sources[0], GivenText):
            assert target.sources[0].text == words.strip()
