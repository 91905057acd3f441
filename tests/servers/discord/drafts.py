"""A message body, checked against the platform's limits.

https://docs.discord.com/developers/resources/message#create-message
"""

from dataclasses import dataclass, field

from .component_checks import check_components
from .refusals import RefusalError, invalid, too_long
from .rules import Rules
from .world import Json

MAX_CONTENT = 2000
SUPPRESS_EMBEDS = 1 << 2
EPHEMERAL = 1 << 6
SUPPRESS_NOTIFICATIONS = 1 << 12
COMPONENTS_V2 = 1 << 15
_EMBED_TEXTS = {"title": 256, "description": 4096}


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    filename: str
    content: bytes
    content_type: str | None = None
    description: str | None = None


@dataclass(slots=True, kw_only=True)
class Draft:
    """What a request asked to be said; `given` holds the keys that were present."""

    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    flags: int = 0
    allowed_mentions: Json | None = None
    uploads: list[Upload] = field(default_factory=list)
    # Ids of attachments that an edit keeps; None keeps all.
    kept: set[int] | None = None
    nonce: str | None = None
    enforce_nonce: bool = False
    answers: int | None = None
    given: frozenset[str] = frozenset()


def draft(body: Json, uploads: list[Upload], rules: Rules, *, flags_allowed: int) -> Draft:
    """Raises 50035 for a field over its limit, 40005 for files over theirs."""
    made = Draft(
        content=_text(body.get("content")),
        embeds=[dict(embed) for embed in body.get("embeds") or []],
        components=list(body.get("components") or []),
        flags=int(body.get("flags") or 0),
        allowed_mentions=body.get("allowed_mentions"),
        uploads=_described(uploads, body),
        kept=_kept(body),
        nonce=_nonce(body.get("nonce")),
        enforce_nonce=bool(body.get("enforce_nonce")),
        answers=_reference(body.get("message_reference")),
        given=frozenset(body),
    )
    if made.flags & ~flags_allowed:
        raise invalid("flags", "MESSAGE_INVALID_FLAGS", "These flags cannot be set here.")
    _check_embeds(made.embeds)
    check_components(made.components, v2=bool(made.flags & COMPONENTS_V2))
    _check_files(made.uploads, rules)
    if made.flags & COMPONENTS_V2 and (made.content or made.embeds):
        raise invalid("content", "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", "Not with components V2.")
    return made


def require_something(made: Draft) -> None:
    """Raises 50006 for a message without anything in it."""
    if not (made.content.strip() or made.embeds or made.components or made.uploads):
        raise RefusalError(50006)


def _text(content: object) -> str:
    text = "" if content is None else str(content)
    if len(text) > MAX_CONTENT:
        raise too_long("content", MAX_CONTENT)
    return text.strip()


def _nonce(nonce: object) -> str | None:
    if nonce is not None and len(str(nonce)) > 25:
        raise too_long("nonce", 25)
    return None if nonce is None else str(nonce)


def _reference(reference: Json | None) -> int | None:
    return int(reference["message_id"]) if reference else None


def _kept(body: Json) -> set[int] | None:
    if "attachments" not in body:
        return None
    return {int(one["id"]) for one in body["attachments"] or []}


def _described(uploads: list[Upload], body: Json) -> list[Upload]:
    notes = {int(one["id"]): one for one in body.get("attachments") or []}
    return [
        Upload(
            filename=str(notes.get(index, {}).get("filename") or one.filename),
            content=one.content,
            content_type=one.content_type,
            description=notes.get(index, {}).get("description"),
        )
        for index, one in enumerate(uploads)
    ]


def _check_files(uploads: list[Upload], rules: Rules) -> None:
    if len(uploads) > 10:
        raise invalid("attachments", "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")
    sizes = [len(one.content) for one in uploads]
    if any(size > rules.file_bytes for size in sizes) or sum(sizes) > rules.request_bytes:
        raise RefusalError(40005)


def _check_embeds(embeds: list[Json]) -> None:
    if len(embeds) > 10:
        raise too_long("embeds", 10)
    for index, embed in enumerate(embeds):
        _check_embed(embed, f"embeds.{index}")
    if sum(_embed_length(embed) for embed in embeds) > 6000:
        raise invalid("embeds", "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")


def _check_embed(embed: Json, path: str) -> None:
    for key, most in _EMBED_TEXTS.items():
        if len(str(embed.get(key) or "").strip()) > most:
            raise too_long(f"{path}.{key}", most)
    fields = embed.get("fields") or []
    if len(fields) > 25:
        raise too_long(f"{path}.fields", 25)
    for index, one in enumerate(fields):
        for key, most in (("name", 256), ("value", 1024)):
            text = str(one.get(key) or "").strip()
            if not text:
                raise invalid(f"{path}.fields.{index}.{key}", "BASE_TYPE_REQUIRED", "This field is required")
            if len(text) > most:
                raise too_long(f"{path}.fields.{index}.{key}", most)
    if len(str((embed.get("footer") or {}).get("text") or "")) > 2048:
        raise too_long(f"{path}.footer.text", 2048)
    if len(str((embed.get("author") or {}).get("name") or "")) > 256:
        raise too_long(f"{path}.author.name", 256)


def _embed_length(embed: Json) -> int:
    texts = [embed.get("title"), embed.get("description")]
    texts += [(embed.get("footer") or {}).get("text"), (embed.get("author") or {}).get("name")]
    for one in embed.get("fields") or []:
        texts += [one.get("name"), one.get("value")]
    return sum(len(str(text).strip()) for text in texts if text)
