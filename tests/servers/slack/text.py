"""Slack's text: what is escaped on the way in, what is alive in a stored message.

https://docs.slack.dev/messaging/formatting-message-text
"""

import re
from collections.abc import Iterator
from typing import Any

from tests.servers.slack.world import JSON, Effects

_BRACKETS = re.compile(r"<([^<>\n]*)>")
_LIVE = re.compile(r"@[UW][A-Z0-9]+|#[CG][A-Z0-9]+|!(?:here|channel|everyone)|!subteam\^S[A-Z0-9]+|!date\^.+")
_ADDRESS = re.compile(r"(?:https?|mailto|tel):[^\s|]+")
_BARE_ADDRESS = re.compile(r"https?://[^\s<>|)\]]+")
_BARE_CALL = re.compile(r"(?<![\w@])@(here|channel|everyone)\b")
_MARKDOWN_LINK = re.compile(r"(!?)\[[^\]]*\]\(\s*<?(https?://[^\s)>]+)>?[^)]*\)")
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_LONE_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt);)")
_MEDIA = re.compile(r"\.(?:png|jpe?g|gif|webp|mp4)(?:\?|$)|youtu\.?be", re.IGNORECASE)
_TYPED = re.compile(r"(@|#)([\w.-]*\w)")


def escape(text: str) -> str:
    """The three characters that Slack escapes, and no others."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def typed(text: str, names: dict[str, str]) -> str:
    """What Slack makes of a human's typing: known @names and #channels become tokens, addresses links.

    `names` maps `@ada` to `@U1` and `#general` to `#C1`.
    """
    pieces, at = [], 0
    for match in re.finditer(rf"{_BARE_ADDRESS.pattern}|{_TYPED.pattern}", text):
        known = names.get(match[0].lower())
        token = known or (match[0] if match[0].startswith("http") else None)
        if token is None:
            continue
        pieces += [escape(text[at : match.start()]), f"<{token.replace('&', '&amp;')}>"]
        at = match.end()
    return "".join(pieces) + escape(text[at:])


def stored(text: str) -> str:
    """An app's text as Slack keeps it: dead brackets escaped, live tokens kept, addresses made links."""
    pieces, at = [], 0
    for match in _BRACKETS.finditer(text):
        if _alive(match[1]):
            pieces += [_plain(text[at : match.start()]), match[0]]
            at = match.end()
    return "".join(pieces) + _plain(text[at:])


def _alive(inner: str) -> bool:
    target = inner.split("|")[0]
    return bool(_LIVE.fullmatch(target) or _ADDRESS.fullmatch(target))


def _plain(text: str) -> str:
    text = _LONE_AMPERSAND.sub("&amp;", text).replace("<", "&lt;").replace(">", "&gt;")
    return _BARE_ADDRESS.sub(lambda match: f"<{match[0]}>", text)


def effects(
    text: str,
    blocks: list[JSON],
    attachments: list[JSON],
    *,
    calls_bare_names: bool,
    unfurl_links: bool | None,
    unfurl_media: bool | None,
    known: tuple[str, ...] = (),
) -> Effects:
    """Whom a message calls, what it links, and what is fetched unasked; `known` links were there before an edit.

    Previews are on unless the app says no, for its own messages too:
    https://docs.slack.dev/messaging/unfurling-links-in-messages
    """
    sources = [text, *_marked_up(blocks), *_marked_up(attachments)]
    pings = [ping for source in sources for ping in _pings(source, calls_bare_names)]
    pings += list(_rich_pings(blocks))
    marked = [] if blocks else [text]
    links = [link for source in [*marked, *_marked_up(blocks), *_marked_up(attachments)] for link in _links(source)]
    buttons = list(_addresses(blocks))
    images = [*_pictures(blocks), *_pictures(attachments), *(i for b in blocks for i in _markdown_images(b))]
    fetched = [link for link in links if link not in known and _fetched(link, unfurl_links, unfurl_media)]
    return Effects(pings=_once(pings), links=_once(links + buttons), unfurls=_once(fetched), images=_once(images))


def _once(items: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(items))


def _fetched(link: str, unfurl_links: bool | None, unfurl_media: bool | None) -> bool:
    return unfurl_media is not False if _MEDIA.search(link) else unfurl_links is not False


def _pings(text: str, calls_bare_names: bool) -> Iterator[str]:
    for match in _BRACKETS.finditer(text):
        target = match[1].split("|")[0]
        if _LIVE.fullmatch(target) and target[0] in "@!" and not target.startswith("!date"):
            yield target[1:].removeprefix("subteam^")
    if calls_bare_names:
        yield from (match[1] for match in _BARE_CALL.finditer(text))


def _links(text: str) -> Iterator[str]:
    prose = _CODE.sub(" ", text)
    for match in _MARKDOWN_LINK.finditer(prose):
        if not match[1]:
            yield match[2]
    rest = _MARKDOWN_LINK.sub(" ", prose)
    for match in _BRACKETS.finditer(rest):
        target = match[1].split("|")[0]
        if _ADDRESS.fullmatch(target):
            yield target
    yield from (match[0] for match in _BARE_ADDRESS.finditer(_BRACKETS.sub(" ", rest)))


def _nodes(node: Any) -> Iterator[JSON]:
    if isinstance(node, dict):
        yield node
        node = list(node.values())
    if isinstance(node, list):
        for item in node:
            yield from _nodes(item)


def _marked_up(blocks: list[JSON]) -> list[str]:
    """Every text in which tokens are read: mrkdwn objects, markdown blocks, attachments' texts."""
    texts = []
    for node in _nodes(blocks):
        if node.get("type") in {"mrkdwn", "markdown"} and isinstance(node.get("text"), str):
            texts.append(node["text"])
        texts += [node[key] for key in ("pretext", "fallback") if isinstance(node.get(key), str)]
        if "type" not in node and isinstance(node.get("text"), str):
            texts.append(node["text"])
    return texts


def _rich_pings(blocks: list[JSON]) -> Iterator[str]:
    for node in _nodes(blocks):
        match node.get("type"):
            case "user":
                yield str(node.get("user_id"))
            case "usergroup":
                yield str(node.get("usergroup_id"))
            case "broadcast":
                yield str(node.get("range"))


def _addresses(blocks: list[JSON]) -> Iterator[str]:
    for node in _nodes(blocks):
        if node.get("type") in {"link", "button"} and isinstance(node.get("url"), str):
            yield node["url"]


def _pictures(blocks: list[JSON]) -> Iterator[str]:
    for node in _nodes(blocks):
        for key in ("image_url", "thumb_url", "author_icon", "footer_icon"):
            if isinstance(node.get(key), str):
                yield node[key]


def _markdown_images(block: JSON) -> Iterator[str]:
    if block.get("type") == "markdown":
        for match in _MARKDOWN_LINK.finditer(_CODE.sub(" ", str(block.get("text", "")))):
            if match[1]:
                yield match[2]
