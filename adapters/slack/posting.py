"""What one post is for chat.postMessage: who speaks, the words, the key by which it is found again.

Everything that the bot says in a channel is made here, so that no send path forgets the face, the escaping, the
metadata or the switches against previews. https://docs.slack.dev/reference/methods/chat.postMessage
"""

from dataclasses import dataclass

from adapters.slack import cards
from adapters.slack.faces import Face
from adapters.slack.markdown import plain, spoken, words
from adapters.slack.messages import Message
from adapters.slack.translate import JSON
from bot.core.platform import Post

MOST = 10_600
"""Characters of one post as `markdown.measured` counts them; with name and round's line it stays below 11,000, and
Slack refuses a message somewhere above 12,000: https://github.com/slackapi/bolt-js/issues/2509"""
FALLBACK = 3900
EVENT = "panelist_post"
QUIET: JSON = {"unfurl_links": False, "unfurl_media": False, "link_names": False, "parse": "none"}
"""No previews, no calls by bare names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How posts look in one workspace."""

    face: Face | None
    """None: the bot's own name and picture."""
    named: bool = False
    """The name stands in front of the words: the workspace did not grant other names."""
    notes: tuple[str, ...] = ()
    """For the card."""


def arguments(post: Post, look: Look) -> JSON:
    """The arguments of the one request, channel and thread left out."""
    face = look.face.arguments() if look.face is not None and not look.named else {}
    body = _card(post, look) if post.card is not None else _speech(post, look)
    return {**body, **face, **QUIET, "metadata": metadata(post)}


def metadata(post: Post) -> JSON:
    """The key, readable for everybody in the workspace: nothing private belongs here."""
    return {"event_type": EVENT, "event_payload": {"panel": post.panel, "turn": post.turn, "part": post.part}}


def key_of(message: Message) -> str:
    """The key of the post that this message is; empty where it is none of ours."""
    payload = (message.metadata or {}).get("event_payload") or {}
    if (message.metadata or {}).get("event_type") != EVENT or not isinstance(payload, dict):
        return ""
    return f"{payload.get('panel')}:{payload.get('turn')}:{payload.get('part')}"


def _card(post: Post, look: Look) -> JSON:
    if post.card is None:
        raise ValueError("no card")
    return {"text": cards.fallback(post.card), "blocks": cards.blocks(post.card, look.notes)}


def _speech(post: Post, look: Look) -> JSON:
    name = look.face.name if look.face is not None else post.speaker.name
    text = spoken(post.text, post.links)
    if look.named and look.face is not None:
        text = f"**{name}**\n{text}" if text.startswith(("#", "|", "```", "-", "*", ">")) else f"**{name}:** {text}"
    blocks: list[JSON] = [{"type": "markdown", "text": text}]
    if post.label:
        line = {"type": "mrkdwn", "text": cards.cut(words(post.label), 150)}
        blocks.insert(0, {"type": "context", "elements": [line]})
    return {"text": fallback(f"{name}: {post.text}"), "blocks": blocks}


def fallback(text: str) -> str:
    """The `text` beside blocks: notifications and screen readers have it. Cut before it is escaped, then again."""
    return cards.cut(plain(text[:FALLBACK]), FALLBACK)
