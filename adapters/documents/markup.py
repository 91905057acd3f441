"""HTML to Markdown text, without what a reader would not see."""

import re

from bs4 import BeautifulSoup, Comment, Tag
from markdownify import MarkdownConverter

_DROPPED = (
    "script",
    "style",
    "nav",
    "template",
    "noscript",
    "iframe",
    "object",
    "embed",
    "svg",
    "canvas",
    "head",
)
_BLANKS = re.compile(r"\n{3,}")
_TRAILING = re.compile(r"[ \t]+$", re.MULTILINE)


def html_text(source: str | bytes) -> str:
    """Headings, lists, tables and links as Markdown; images as words; no script, style or navigation."""
    soup = BeautifulSoup(source, "html.parser")
    title = soup.title.get_text(" ", strip=True) if soup.title else ""
    for part in soup.find_all(_DROPPED):
        part.decompose()
    for comment in soup.find_all(string=lambda text: isinstance(text, Comment)):
        comment.extract()
    for image in soup.find_all("img"):
        _word_image(image)
    text = _markdown(soup)
    if title and soup.find("h1") is None:
        text = f"# {title}\n\n{text}"
    return _BLANKS.sub("\n\n", _TRAILING.sub("", text)).strip() + "\n"


def _word_image(image: Tag) -> None:
    words = " ".join(str(image.get("alt") or "").split())
    image.replace_with(f"[image: {words}]" if words else "")


def _markdown(soup: BeautifulSoup) -> str:
    # No escapes: a finding quotes the text as it reads, and a prompt is no renderer.
    converter = MarkdownConverter(
        heading_style="ATX", bullets="-", escape_asterisks=False, escape_underscores=False, escape_misc=False
    )
    try:
        return str(converter.convert_soup(soup))
    except RecursionError:
        return soup.get_text("\n", strip=True)
