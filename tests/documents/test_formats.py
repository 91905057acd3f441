"""Every format that people attach comes out as text with its structure."""

import pytest

from bot.core.errors import DocumentError
from tests.documents.builders import docx, encrypted_pdf, paragraph, pdf, pptx, zipped
from tests.documents.conftest import Attached


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", "one\ntwo\n"),
        ("a.md", "# Title\n\n- *item*\n"),
        ("a.rst", "Title\n=====\n\n.. note:: x\n"),
        ("a.csv", "a;b\n1;2\n"),
        ("a.json", '{"a": [1, 2]}\n'),
        ("a.yaml", "a: 1\nb:\n  - x\n"),
        ("a.py", "def f() -> None:\n\tpass\n"),
        ("Makefile", "all:\n\techo <html>\n"),
        ("page.txt", "<html><script>x</script></html>\n"),
    ],
)
async def test_text_formats_are_kept_as_they_are(attached: Attached, name: str, content: str) -> None:
    """Markdown, code and data are text already; lines keep their numbers."""
    document = await attached(name, content.encode())

    assert document.text == content
    assert (document.kind, document.title, document.bytes) == ("file", name, len(content.encode()))


@pytest.mark.parametrize("name", ["fix.patch", "fix.diff", "stdin"])
async def test_a_diff_is_known_as_one(attached: Attached, name: str) -> None:
    """By its name, or by how it starts."""
    document = await attached(name, b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n")

    assert document.kind == "diff"


@pytest.mark.parametrize(
    ("name", "media_type"), [("p.html", ""), ("p.HTM", ""), ("p", "text/html; charset=utf-8"), ("p", "")]
)
async def test_html_is_what_a_reader_sees(attached: Attached, name: str, media_type: str) -> None:
    """No script, style, navigation, comment or image address; headings, lists, links and tables stay."""
    page = (
        "<!doctype html><html><head><title>Pricing</title><style>p{color:red}</style></head><body>"
        "<nav><a href='/home'>Home</a></nav><script>steal()</script><!-- a comment -->"
        "<h2>Plans</h2><p>We *must* keep snake_case.</p><ul><li>basic</li><li>pro</li></ul>"
        "<img src='https://track.example/p.gif' alt='a chart'><p><a href='https://x.example/doc'>terms</a></p>"
        "<table><tr><th>Plan</th><th>Price</th></tr><tr><td>basic</td><td>5</td></tr></table></body></html>"
    )

    text = (await attached(name, page.encode(), media_type=media_type)).text

    assert text.startswith("# Pricing\n\n## Plans\n\nWe *must* keep snake_case.\n\n- basic\n- pro\n")
    assert "[image: a chart]" in text
    assert "[terms](https://x.example/doc)" in text
    assert "| basic | 5 |" in text
    for unseen in ("steal", "color", "Home", "a comment", "track.example"):
        assert unseen not in text


async def test_html_says_its_own_encoding(attached: Attached) -> None:
    """A page that is no UTF-8 is read as its meta tag says."""
    page = "<html><head><meta charset='iso-8859-2'></head><body><p>źródło</p></body></html>".encode("iso-8859-2")

    assert (await attached("p.html", page)).text == "źródło\n"


async def test_html_nested_without_end_is_still_read(attached: Attached) -> None:
    """Depth beyond the converter's reach falls back to the bare text."""
    page = "<html><body>" + "<div>" * 20_000 + "deep words" + "</div>" * 20_000

    assert "deep words" in (await attached("p.html", page.encode())).text


async def test_a_pdf_is_read_page_by_page(attached: Attached) -> None:
    """A finding can name the page."""
    document = await attached("a.pdf", pdf(["first line\nsecond line", "next page"]))

    assert document.text == "[Page 1]\nfirst line\nsecond line\n\n[Page 2]\nnext page\n"


async def test_a_pdf_without_its_name_is_known_by_its_content(attached: Attached) -> None:
    """Names prove nothing."""
    assert "words" in (await attached("upload", pdf(["words"]))).text


async def test_a_pdf_that_only_forbids_printing_is_read(attached: Attached) -> None:
    """Its password is empty: anybody may open it."""
    assert "top secret" in (await attached("a.pdf", encrypted_pdf(password=""))).text


async def test_a_scanned_pdf_is_told_from_an_empty_one(attached: Attached) -> None:
    """Without a text layer there is nothing to read, and the error says what to do."""
    with pytest.raises(DocumentError, match=r"^scan\.pdf holds no text on its 2 pages \(scanned\?\)"):
        await attached("scan.pdf", pdf(["", ""]))


async def test_a_word_file_keeps_its_structure(attached: Attached) -> None:
    """Headings, bold and tables become Markdown."""
    cells = "".join(f"<w:tc>{paragraph(word)}</w:tc>" for word in ("Plan", "Price"))
    bold = "<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>Risk</w:t></w:r><w:r><w:t>: double_charge</w:t></w:r></w:p>"
    body = paragraph("Retries", "Heading1") + bold + f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>"

    text = (await attached("plan.docx", docx(body))).text

    assert text.startswith("# Retries\n\n**Risk**: double_charge\n")
    assert "| Plan | Price |" in text


async def test_a_deck_is_read_slide_by_slide(attached: Attached) -> None:
    """Titles, bullets with their level, notes and tables."""
    text = (await attached("deck.pptx", pptx())).text

    assert "## Slide 1: Why now\n\n- Costs doubled\n  - twice since May\n\nNotes: Pause here" in text
    assert "## Slide 2\n\n| Plan | Price |\n| --- | --- |\n| Basic | 5 |" in text
    assert text.count("Why now") == 1


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.pdf", b"", "a.pdf is empty (0 bytes)."),
        ("a.pdf", b"no such thing", "a.pdf is named .pdf but is broken or no PDF file."),
        ("a.docx", b"no such thing", "a.docx is named .docx but is broken or no Word file."),
        ("a.docx", b"PK\x03\x04 broken", "a.docx is broken: its archive does not unpack (BadZipFile)."),
        ("a.zip", zipped({"x.txt": "x"}), "a.zip is an archive; send the files in it one by one."),
        (
            "a.xlsx",
            zipped({"xl/workbook.xml": "x"}),
            "a.xlsx is an Excel workbook; export the sheet as CSV.",
        ),
        ("a.rtf", b"{\\rtf1 x}", "a.rtf is rich text (RTF); save it as docx or as plain text."),
        (
            "a.doc",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 x",
            "a.doc is in an old Office format; save it as docx, pptx or PDF.",
        ),
        ("x.png", b"\x89PNG\r\n\x1a\n\0\0", "x.png is binary, not text; send it as text, PDF, Word or PowerPoint."),
    ],
)
async def test_what_can_not_be_read_says_why(attached: Attached, name: str, data: bytes, words: str) -> None:
    """The file's name, what is wrong, and what to do."""
    with pytest.raises(DocumentError) as caught:
        await attached(name, data)

    assert str(caught.value) == words
