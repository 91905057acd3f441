"""A persona's Markdown as Discord shows it: tables as code blocks, links that nobody gave as plain text, no mentions.

https://docs.discord.com/developers/reference#message-formatting
"""

import re
import unicodedata
from itertools import groupby

MOST = 2000
"""Characters of one message."""
LABEL_MOST = 100
BREAK = "\u200b"
"""A zero-width space: it breaks a token that Discord would turn into something else."""

_FENCED = re.compile(r"```.*?```", re.DOTALL)
_TILDES = re.compile(r"^ {0,3}~{3,}", re.MULTILINE)
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"!?\[(?P<label>[^\[\]\n]{0,500})\]\(\s*<?(?P<address>[^\s<>()]{1,2000})>?[^)\n]{0,200}\)")
_BARE = re.compile(r"<?(?P<address>[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s<>`]+)>?")
_TOKEN = re.compile(r"<(?=@[!&]?\d|#\d|/[^\s:<>]+:\d|id:|sound:)|@(?=everyone|here)")
_ROW = re.compile(r"^\s*\|.*\S.*$")
_RULE = re.compile(r"^\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*(?::?-{2,}:?\s*)?\|?\s*$")
_EMPHASIS = re.compile(r"(\*\*|__|~~|`)(?=\S)(.+?)(?<=\S)\1")
_LOOSE = re.compile(rf"[\s`<>{BREAK}]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def units(text: str) -> int:
    """The length in UTF-16 units: never less than what Discord counts."""
    return len(text) + sum(1 for mark in text if ord(mark) > 0xFFFF)


def measured(text: str) -> int:
    """The length of a text as it will be posted."""
    return max(units(text), units(rendered(text, frozenset())))


def rendered(text: str, links: frozenset[str]) -> str:
    """The text for Discord. Addresses in `links` stay links, without a preview; others are shown as code."""
    text = _TILDES.sub("```", _CONTROL.sub("", text))
    if text.count("```") % 2:
        text += "\n```"  # Discord shows an open fence as it is, and reads on behind it
    shown, at = "", 0
    for code in _FENCED.finditer(text):
        shown += _prose(text[at : code.start()].split("\n"), links) + code[0]
        at = code.end()
    return shown + _prose(text[at:].split("\n"), links)


def labelled(label: str, text: str) -> str:
    """The text with a round's muted line in front."""
    if not label:
        return text
    line = " ".join(label.split())
    return f"-# {line if len(line) <= LABEL_MOST - 4 else line[: LABEL_MOST - 5] + '…'}\n{text}"


def plain(text: str) -> str:
    """What two posts of the same words have in common.

    Discord trims what is sent; a round's line, and whether an address was a link yet, may differ between two tries.
    """
    if text.startswith("-# "):
        text = text.partition("\n")[2]
    return _LOOSE.sub("", text)


def _prose(lines: list[str], links: frozenset[str]) -> str:
    shown: list[str] = []
    for is_row, run in groupby(lines, key=lambda line: bool(_ROW.match(line))):
        rows = list(run)
        shown.append(_table(rows) if is_row and len(rows) > 1 else _inline("\n".join(rows), links))
    return "\n".join(shown)


def _table(lines: list[str]) -> str:
    rows = [_cells(line) for line in lines if not _RULE.match(line)]
    columns = max((len(row) for row in rows), default=0)
    widths = [max((_width(row[at]) for row in rows if at < len(row)), default=0) for at in range(columns)]
    drawn = [
        " | ".join(cell + " " * (widths[at] - _width(cell)) for at, cell in enumerate(row)).rstrip() for row in rows
    ]
    if len(lines) > 1 and _RULE.match(lines[1]):
        drawn.insert(1, "-+-".join("-" * width for width in widths))
    return "\n".join(["```", *drawn, "```"])


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    cells = [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", inner)]
    return [_EMPHASIS.sub(r"\2", cell).replace("```", "'''") for cell in cells]


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(mark) in "WF" else 1 for mark in text)


def _inline(text: str, links: frozenset[str]) -> str:
    """Everything outside of code spans."""
    shown, at = "", 0
    for span in _CODE.finditer(text):
        shown += _linked(text[at : span.start()], links) + span[0]
        at = span.end()
    return shown + _linked(text[at:], links)


def _linked(text: str, links: frozenset[str]) -> str:
    shown, at = "", 0
    for link in _LINK.finditer(text):
        shown += _bare(text[at : link.start()], links)
        label = _bare(link["label"], links)
        shown += f"{label} ({_address(link['address'], links)})" if label else _address(link["address"], links)
        at = link.end()
    return shown + _bare(text[at:], links)


def _bare(text: str, links: frozenset[str]) -> str:
    shown, at = "", 0
    for found in _BARE.finditer(text):
        address = found["address"].rstrip(".,;:!?)\"'*_")
        shown += _broken(text[at : found.start()]) + _address(address, links)
        at = found.end() if found[0].endswith(">") else found.start("address") + len(address)
    return shown + _broken(text[at:])


def _address(address: str, links: frozenset[str]) -> str:
    """`<…>` keeps a link from being unfolded."""
    if address in links and "://" in address:
        return f"<{address}>"
    return f"`{address.replace('`', '')}`"


def _broken(text: str) -> str:
    """A model's mention is nobody's call."""
    return _TOKEN.sub(lambda mark: mark[0] + BREAK, text)
