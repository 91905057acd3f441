"""What a model said, as Slack may show it: no pings, no pictures, no links that stand in none of the panel's inputs.

Slack reads `<…>` inside markdown blocks too, so angle brackets are escaped there as everywhere; `&` alone is left as it
is, or addresses would break. https://docs.slack.dev/messaging/formatting-message-text
"""

import re
from collections.abc import Iterator

_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]")
_CALL = re.compile(r"@(?=here\b|channel\b|everyone\b)", re.IGNORECASE)
_PAUSE = "\u200b"
"""Nothing to see: it keeps `@channel` from being a call."""

_LABEL = r"(?:[^\[\]\\]|\\.|\[(?:[^\[\]\\]|\\.)*\])*"
_TARGET = r"(?P<{0}><[^<>\n]*>|[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)"
_TITLE = r"(?:\s+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?"
_TOKEN = re.compile(
    "|".join(
        (
            r"(?P<fence>^(?P<lead> {0,3})(?P<mark>`{3,}|~{3,})(?P<info>[^\n`~]*)\n"
            r"(?P<body>(?:(?!```|~~~).)*?)^ {0,3}(?P=mark)[ \t]*$)",
            r"(?P<code>(?<![`\\])(?P<ticks>`+)(?!`)(?:(?!\n[ \t]*\n).)*?(?<!`)(?P=ticks)(?!`))",
            rf"(?P<image>!\[(?P<alt>{_LABEL})\](?:\(\s*{_TARGET.format('picture')}{_TITLE}\s*\)|\[[^\[\]\n]*\])?)",
            rf"(?P<link>\[(?P<label>{_LABEL})\]\(\s*{_TARGET.format('to')}{_TITLE}\s*\))",
            r"(?P<definition>^ {0,3}\[(?P<key>[^\[\]\n]+)\]:)",
            r"(?P<url>(?:[a-z][a-z0-9+.-]*://|www\.)[^\s<>()\[\]\"'`]+)",
        )
    ),
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_URL = re.compile(r"((?:[a-z][a-z0-9+.-]*://|www\.)[^\s<>()\[\]\"'`]+)", re.IGNORECASE)
_FENCE = re.compile(r"^ {0,3}```", re.MULTILINE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://|^(?:mailto|javascript|data|tel):", re.IGNORECASE)
_END = ".,;:!?*_~"
_ALONE = re.compile(r"(?:[)\].,;:!?\"'*_~]*)(?:\s|\Z)")
"""What may stand behind an address that stays a link: nothing that a client would take for a part of it."""


def spoken(text: str, links: frozenset[str] = frozenset()) -> str:
    """The text for a markdown block; `links` are the addresses that may stay links."""
    text = _HIDDEN.sub("", text)
    if len(_FENCE.findall(text)) % 2:
        text += "\n```"
    return _joined(_pieces(text, links))


def measured(text: str) -> int:
    """At least the length of `spoken(text)`, whatever the links; grows with the text."""
    angles = text.count("<") + text.count(">")
    brackets = text.count("[") + text.count("]") + text.count("(")
    addresses = text.count("://") + text.lower().count("www.")
    fence = 4 if "```" in text else 0
    return len(text) + fence + 3 * angles + text.count("@") + 3 * brackets + 4 * text.count("![") + 2 * addresses


def plain(text: str) -> str:
    """The text for a notification or a screen reader: as `spoken`, and escaped as `text` fields want it."""
    ampersands = re.sub(r"&(?!(?:lt|gt);)", "&amp;", spoken(text))
    return ampersands.replace("**", "").replace("`", "")


def words(text: str) -> str:
    """Words of others inside our own mrkdwn: nothing in them is markup, a call or a token."""
    text = _HIDDEN.sub("", text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _CALL.sub(f"@{_PAUSE}", text)


def _pieces(text: str, links: frozenset[str]) -> Iterator[str]:
    end = 0
    for found in _TOKEN.finditer(text):
        yield _bare(text[end : found.start()])
        yield _token(found, links)
        end = found.end()
    yield _bare(text[end:])


def _token(found: re.Match[str], links: frozenset[str]) -> str:
    match found.lastgroup:
        case "image":
            alt = _label(found["alt"]).strip()
            return f"(image: {alt})" if alt else "(image)"
        case "link":
            return _link(found, links)
        case "definition":
            return f"\\[{_safe(found['key'])}]:"
        case "url":
            return _address(found, links)
        case "fence":
            lead = found["lead"]
            return f"{lead}```{_safe(_URL.sub('', found['info']))}\n{_safe(found['body'])}{lead}```"
        case "code":
            return _code(found[0].strip("`"), links)
    return _safe(found[0])


def _code(text: str, links: frozenset[str]) -> str:
    """One tick on either side and none within, in one line: all parsers read that alike. No address is whole in it."""
    text = _URL.sub(lambda url: url[0] if url[0].rstrip(_END) in links else _bared(url[0]), text)
    return f"`{_safe(' '.join(text.replace('`', chr(39)).splitlines()))}`"


def _link(found: re.Match[str], links: frozenset[str]) -> str:
    to = found["to"].strip("<>")
    label = _label(found["label"]).strip()
    if to in links:
        return f"[{label}]({to})"
    shown = _as_code(to)
    return f"{label} ({shown})" if label and label != to else shown


def _label(text: str) -> str:
    """What stands in brackets: words, no link inside a link."""
    return _joined(_pieces(text, frozenset()))


def _address(found: re.Match[str], links: frozenset[str]) -> str:
    bare = found["url"].rstrip(_END)
    rest = found["url"][len(bare) :]
    kept = bare in links and _ALONE.match(found.string, found.end())
    return f"{bare}{rest}" if kept else f"{_as_code(bare)}{rest}"


def _as_code(address: str) -> str:
    """An address as words: without its scheme, and nothing that a client makes a link of."""
    shown = _bared(address).replace("`", "").strip()
    return f"`{_safe(shown)}`" if shown else ""


def _bared(address: str) -> str:
    while (shorter := _SCHEME.sub("", address)) != address:
        address = shorter
    return address


def _bare(text: str) -> str:
    """Text between the tokens: a tick that opens no code, and what only looks like the middle of a link, are none."""
    return _safe(text).replace("`", "'").replace("](", "]\\(").replace("![", "!\\[")


def _safe(text: str) -> str:
    return _CALL.sub(f"@{_PAUSE}", text.replace("<", "&lt;").replace(">", "&gt;"))


def _joined(pieces: Iterator[str]) -> str:
    """The pieces; where two would make a link or a picture together, a backslash keeps them apart."""
    out = ""
    parts: list[str] = []
    for piece in pieces:
        if piece and out and (out, piece[0]) in (("]", "("), ("!", "[")):
            parts.append("\\")
        parts.append(piece)
        out = piece[-1:] or out
    return "".join(parts)
