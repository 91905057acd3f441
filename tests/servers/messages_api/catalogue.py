"""The models a server offers: limits, abilities, and how they read in both APIs' lists."""

from __future__ import annotations

from dataclasses import dataclass

from tests.servers.messages_api.usage import Json

EFFORTS = ("low", "medium", "high", "xhigh", "max")
CREATED = "2026-06-01T00:00:00Z"


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """One model; every field can be set to what a test needs."""

    id: str
    line: str | None = None
    max_input_tokens: int = 1_000_000
    max_tokens: int = 128_000
    min_cacheable: int = 1024
    """Tokens a prefix needs to be cached at all."""
    system_tail: bool = True
    """Whether a `system` message may follow a user message."""
    prefill: bool = False
    """Whether the last message may be the assistant's."""
    forced_tools: bool = False
    """Whether `tool_choice` may be `any` or `tool`."""
    sampling: bool = False
    """Whether temperature, top_p and top_k are accepted."""
    structured_outputs: bool = True
    thinking: tuple[str, ...] = ("adaptive",)
    """The accepted values of `thinking.type`."""
    efforts: tuple[str, ...] = EFFORTS
    lifecycle: str = "active"
    """`active`, `deprecated`, or `retired`: listed, but calls get 404."""
    retires_at: str | None = None
    permitted: bool = True
    """Whether the key may use it; calls get 403 where not."""

    def as_anthropic(self) -> Json:
        """The entry of `GET /v1/models`."""
        gone = self.lifecycle != "active"
        return {
            "type": "model",
            "id": self.id,
            "display_name": self.id.replace("-", " ").title(),
            "created_at": CREATED,
            "deprecated_at": CREATED if gone else None,
            "retires_at": self.retires_at,
            "lifecycle": self.lifecycle,
            "line": self.line,
            "max_input_tokens": self.max_input_tokens,
            "max_tokens": self.max_tokens,
            "capabilities": self._capabilities(),
        }

    def as_openai(self) -> Json:
        """The entry of `GET /v1/models` in OpenAI's form."""
        return {"id": self.id, "object": "model", "created": 1_780_272_000, "owned_by": "test"}

    def _capabilities(self) -> Json:
        kinds = ("adaptive", "between_tools", "disabled", "enabled")
        plain = ("batch", "citations", "code_execution", "image_input", "pdf_input")
        return {
            **{name: _supported(True) for name in plain},
            "context_management": _supported(False),
            "effort": _supported(bool(self.efforts)) | {e: _supported(e in self.efforts) for e in EFFORTS},
            "server_tools": _supported(False) | {name: _supported(False) for name in ("code_execution", "web_search")},
            "structured_outputs": _supported(self.structured_outputs),
            "thinking": _supported(bool(self.thinking))
            | {"types": {kind: _supported(kind in self.thinking) for kind in kinds}},
        }


def _supported(supported: bool) -> Json:
    return {"supported": supported}


CATALOGUE = (
    Model(id="claude-opus-5-5", line="opus"),
    Model(id="claude-sonnet-5-5", line="sonnet", thinking=("adaptive", "between_tools")),
    Model(id="claude-haiku-5-5", line="haiku", thinking=("adaptive", "disabled")),
    Model(
        id="claude-opus-5",
        line="opus",
        min_cacheable=512,
        forced_tools=True,
        thinking=("adaptive", "disabled"),
    ),
    Model(
        id="claude-haiku-4-5",
        line="haiku",
        max_input_tokens=200_000,
        max_tokens=64_000,
        min_cacheable=4096,
        system_tail=False,
        prefill=True,
        forced_tools=True,
        sampling=True,
        thinking=("enabled", "disabled"),
        efforts=(),
    ),
)
"""Five current models with their published limits, the oldest without a system message at the end."""
