"""A panel whose every part has a stated size in tokens, one word being one token and four bytes.

Rules 1,000; persona 500; cue 50; document 20,000; turn 250.
"""

import json
import re
from typing import Any

from bot.core.document import Document, from_text
from bot.core.entries import Opened, Seat
from bot.core.options import FormatName, Options
from bot.core.persona import Persona
from bot.core.place import Person
from bot.core.speech.layout import opening_block
from bot.wiring import templates as house_templates

RULES, PERSONA, CUE, DOCUMENT, TURN = 1_000, 500, 50, 20_000, 250
MODEL = "anthropic:claude-sonnet-5-5"
TOPIC = "yes or no"
NAMES = ("Ada", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus", "Hal")
DELIMITERS = 4
"""Words of a turn's block around its text."""
STARTER = Person(id="u1", name="Mia", role="admin")
_SPEAKER = re.compile(r'<turn n="\d+" speaker="([^"]+)">\n(.*?)\n</turn>', re.DOTALL)


def words(stem: str, count: int) -> str:
    """So many words of three letters, which are so many tokens of four bytes."""
    return " ".join([stem] * count)


def templates() -> dict[str, str]:
    """The house's templates with texts of the stated sizes in place of its own."""
    kept = {name: words("ask", CUE) for name in house_templates()}
    own = {"rules": words("law", RULES), "speaker": "$persona", "host": words("who", PERSONA)}
    return {**kept, **own, "structured": "$schema", "complaint": "$complaint"}


def persona(name: str) -> Persona:
    """500 tokens of a persona's document; the first word says whose."""
    body = f"{name.lower()} {words('own', PERSONA - 1)}"
    return Persona(short_name=name.lower(), name=name, body=body)


def document() -> Document:
    """A document whose block in the prompt has 20,000 words, delimiters and topic included."""
    lines = [words("doc", 18)] * 900
    sized = from_text("\n".join(lines), key="doc", title="doc")
    rest = DOCUMENT - len(opening_block(TOPIC, (sized,)).split())
    last = words("doc", 18 + rest)
    return from_text("\n".join([*lines[:-1], last]), key="doc", title="doc")


def opened(format_name: FormatName, seats: int, rounds: int, **options: Any) -> Opened:
    """The panel, opened."""
    return Opened(
        format=format_name,
        topic=TOPIC,
        starter=STARTER,
        seats=tuple(Seat(persona=persona(name), model=MODEL) for name in NAMES[:seats]),
        documents=(document(),),
        options=Options(rounds=rounds, **options),
        host_model=MODEL,
    )


def reply_to(body: dict[str, Any]) -> str:
    """A turn of 250 tokens, or a sound structured answer where one is asked for in words."""
    texts = [block["text"] for message in body["messages"] for block in _blocks(message["content"])]
    asked = texts[-1].rsplit("\n", 1)[-1].removesuffix("</persona>").strip()
    if asked.startswith("{"):
        own = texts[-1].removeprefix("<persona>\n").split(maxsplit=1)[0]
        return _structured(asked, "\n".join(texts), own)
    return words("say", TURN - DELIMITERS)


def _blocks(content: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"text": content}] if isinstance(content, str) else content


def _structured(asked: str, shared: str, own: str) -> str:
    """An answer that quotes somebody else, or the document where nobody else has spoken."""
    said = (found.groups() for found in _SPEAKER.finditer(shared))
    others = [(name, text) for name, text in said if name.lower() != own]
    name, quote = (others[0][0], " ".join(others[0][1].split()[:8])) if others else (NAMES[0], words("doc", 8))
    filler = _Filler(json.loads(asked), name, quote)
    return json.dumps(filler.value(filler.root, "", depth=0))


class _Filler:
    """Makes a value that fits a schema: quotations verbatim, speakers real, the main text as long as a turn."""

    FULL = ("speakers", "agreements", "challenges", "concedes", "findings")
    """Lists that get one item; others stay empty."""

    def __init__(self, root: dict[str, Any], name: str, quote: str) -> None:
        self.root, self._name, self._quote = root, name, quote

    def value(self, schema: dict[str, Any], key: str, *, depth: int) -> Any:
        if "$ref" in schema:
            schema = self.root["$defs"][schema["$ref"].rsplit("/", 1)[-1]]
        if schema.get("enum"):
            return schema["enum"][0]
        match schema.get("type"):
            case "object":
                fields = schema.get("properties", {}).items()
                return {field: self.value(inner, field, depth=depth + 1) for field, inner in fields}
            case "array":
                return [self.value(schema["items"], key, depth=depth + 1)] if key in self.FULL else []
            case "boolean":
                return False
            case "integer" | "number":
                return 1
        return self._text(key, depth)

    def _text(self, key: str, depth: int) -> str:
        if key == "quote":
            return self._quote
        if key == "anchor":
            return "12-14"
        if key in ("persona", "speakers"):
            return self._name
        if depth == 1 and key in ("text", "statement", "rationale"):
            return f"{self._name} {words('say', 229)}"
        return words("say", 9)
