"""How a verdict is said in the thread: the verdict, the reason, the findings with their lines."""

from bot.core.document import Document
from bot.core.formats.anchors import where
from bot.core.formats.answers_review import Verdict


def verdict_speech(answer: Verdict, documents: tuple[Document, ...]) -> str:
    """Markdown without headings."""
    parts = [f"**{answer.verdict.capitalize()}.** {answer.rationale.strip()}"]
    found = (f"- {where(f.anchor, documents)}, {f.severity}: {_line(f.claim)}" for f in answer.findings)
    parts.append("\n".join(found))
    if answer.recommendations:
        parts.append("I would:\n" + "\n".join(f"- {_line(text)}" for text in answer.recommendations))
    looked_up = (f"- Looked up `{_line(s.path)}`: {_line(s.supports_claim)}" for s in answer.derived_sources)
    parts.append("\n".join(looked_up))
    parts.append("\n".join(f"- {_line(key)}: {_line(_shown(value))}" for key, value in answer.extra.items()))
    return "\n\n".join(part for part in parts if part)


def _line(text: str) -> str:
    return " ".join(text.split())


def _shown(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_shown(item) for item in value)
    return str(value)
