"""What every implementation of `Targets` keeps to."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

import pytest

from bot.core.document import Document
from bot.core.errors import DocumentError, NotFound, UsageError
from bot.core.targets.port import GivenBytes, GivenText, LineRange, Reach, RootPath, Source, TargetRef, Targets

FILES = {"guide.md": "# Guide\n\nOne.\nTwo.\n", "notes/plan.txt": "first\nsecond\nthird\n"}
DOCS = Reach(roots=frozenset({"docs"}))


async def one(targets: Targets, source: Source, *, lines: LineRange | None = None, name: str = "") -> Document:
    """The one document of one source, read with the root `docs` granted."""
    (document,) = await targets.read(TargetRef(sources=(source,), lines=lines, name=name, reach=DOCS))
    return document


def guide(path: str = "guide.md", root: str = "docs") -> RootPath:
    """A path below the root of these tests."""
    return RootPath(root=root, path=path)


class TargetsContract(ABC):
    """Subclass it, and say how to make targets whose root `docs` holds some files."""

    @abstractmethod
    def make(self, files: Mapping[str, str], most_chars: int) -> Targets:
        """Targets with one root, `docs`, that holds these files; `most_chars` fit."""

    @pytest.fixture
    def targets(self) -> Targets:
        return self.make(FILES, 200)

    async def test_given_text_comes_back_whole(self, targets: Targets) -> None:
        """Text that somebody typed is the document; its title is its first words."""
        document = await one(targets, GivenText(text="Ship it\r\non Friday"))

        assert (document.text, document.kind, document.title) == ("Ship it\non Friday", "text", "Ship it")
        assert document.root == ""

    async def test_a_message_keeps_its_permalink_as_key(self, targets: Targets) -> None:
        """An edited message is a revision of the same target."""
        first = await one(targets, GivenText(text="v1", kind="message", key="https://chat/p1"))
        second = await one(targets, GivenText(text="v2", kind="message", key="https://chat/p1"))

        assert first.key == second.key == "https://chat/p1"
        assert first.kind == "message"

    async def test_a_file_says_where_it_lies(self, targets: Targets) -> None:
        """Root and relative path stand in the document, never an absolute path."""
        document = await one(targets, guide("./notes/../guide.md"))

        assert document.text == FILES["guide.md"]
        assert (document.key, document.root, document.path) == ("docs:guide.md", "docs", "guide.md")
        assert document.kind == "file"

    async def test_a_key_stays_when_the_content_changes(self) -> None:
        """v2 can be compared with v1; only the hash differs."""
        first = await one(self.make({"guide.md": "v1"}, 200), guide())
        second = await one(self.make({"guide.md": "v2"}, 200), guide())

        assert first.key == second.key
        assert first.sha256 != second.sha256

    async def test_a_folder_is_a_map(self, targets: Targets) -> None:
        """A directory target lists the files below it."""
        document = await one(targets, guide("."))

        assert document.kind == "directory"
        assert "guide.md" in document.text
        assert "notes/plan.txt" in document.text

    async def test_a_missing_file_is_named_in_the_exact_words(self, targets: Targets) -> None:
        """The words are part of the contract."""
        with pytest.raises(NotFound) as caught:
            await one(targets, guide("nope.md"))

        assert str(caught.value) == "Target file not found: nope.md"

    @pytest.mark.parametrize("path", ["../secret.md", "notes/../../secret.md", "/etc/passwd", ".."])
    async def test_an_escape_is_refused_in_the_exact_words(self, targets: Targets, path: str) -> None:
        """As written, a path stays inside, whether or not its end exists."""
        with pytest.raises(DocumentError) as caught:
            await one(targets, guide(path))

        assert str(caught.value) == f"Target path escapes the root: {path}"

    async def test_a_root_that_is_not_granted_is_not_there(self, targets: Targets) -> None:
        """A reference reaches only the roots that its asker was granted."""
        with pytest.raises(NotFound):
            await targets.read(TargetRef(sources=(guide(),)))
        with pytest.raises(NotFound):
            await targets.read(TargetRef(sources=(guide(root="other"),), reach=DOCS))

    async def test_lines_narrow_and_keep_their_numbers(self, targets: Targets) -> None:
        """Findings point at the lines of the whole file."""
        document = await one(targets, guide("notes/plan.txt"), lines=LineRange(first=2, last=3))

        assert (document.text, document.first_line) == ("second\nthird", 2)

    async def test_lines_beyond_the_end_are_an_error(self, targets: Targets) -> None:
        """Never a silent cut: the error says how many lines there are."""
        with pytest.raises(DocumentError, match="has 3 lines; lines 3-4 go beyond its end"):
            await one(targets, guide("notes/plan.txt"), lines=LineRange(first=3, last=4))

    async def test_several_sources_keep_their_order(self, targets: Targets) -> None:
        """One document a source."""
        reference = TargetRef(sources=(guide("notes/plan.txt"), guide()), reach=DOCS)

        documents = await targets.read(reference)

        assert [document.path for document in documents] == ["notes/plan.txt", "guide.md"]

    async def test_lines_and_a_name_are_for_one_source(self, targets: Targets) -> None:
        """With several sources, neither has a meaning."""
        both = (guide(), guide("notes/plan.txt"))

        with pytest.raises(UsageError):
            await targets.read(TargetRef(sources=both, lines=LineRange(first=1, last=1), reach=DOCS))
        with pytest.raises(UsageError):
            await targets.read(TargetRef(sources=both, name="the plan", reach=DOCS))

    async def test_no_source_is_an_error(self, targets: Targets) -> None:
        """There is nothing to look at."""
        with pytest.raises(UsageError):
            await targets.read(TargetRef(sources=()))

    async def test_a_given_name_is_the_key(self, targets: Targets) -> None:
        """Whoever names a target can compare it with its next version under that name."""
        document = await one(targets, GivenText(text="v1 of it"), name=" launch  plan ")

        assert (document.key, document.title) == ("launch plan", "launch plan")

    async def test_an_attachment_is_read(self, targets: Targets) -> None:
        """Attachments of one name are revisions of one document."""
        document = await one(targets, GivenBytes(name="a.md", data=b"hello", media_type="text/markdown"))

        assert (document.text, document.key, document.title) == ("hello", "attachment:a.md", "a.md")

    async def test_binary_content_is_named(self, targets: Targets) -> None:
        """The error has the file's name."""
        with pytest.raises(DocumentError, match=r"a\.bin is binary"):
            await one(targets, GivenBytes(name="a.bin", data=b"\x01\x00\x02"))

    @pytest.mark.parametrize("text", ["", " \n\t\n"])
    async def test_no_text_is_an_error(self, targets: Targets, text: str) -> None:
        """There is nothing to look at."""
        with pytest.raises(DocumentError, match="holds no text"):
            await one(targets, GivenText(text=text, title="the form"))

    async def test_too_much_text_says_how_much_and_what_would_fit(self, targets: Targets) -> None:
        """Never a silent cut."""
        text = "\n".join(["x" * 49] * 10)

        with pytest.raises(DocumentError, match=r"499 characters in 10 lines, and at most 200.*lines 1-4 would fit"):
            await one(targets, GivenText(text=text))
        document = await one(targets, GivenText(text=text), lines=LineRange(first=1, last=4))

        assert len(document.text) == 199

    async def test_several_documents_share_the_limit(self, targets: Targets) -> None:
        """Each would fit alone; together they do not."""
        sources = (GivenText(text="a" * 150, title="A"), GivenText(text="b" * 150, title="B"))

        with pytest.raises(DocumentError, match="2 documents have 300 characters together; at most 200 fit"):
            await targets.read(TargetRef(sources=sources))
