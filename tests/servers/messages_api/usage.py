"""Tokens as the server charges them, and what they weigh in money."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one call, or of many added up."""

    input: int = 0
    """Input that touched no cache; a call's whole input is `total_input`."""
    write_5m: int = 0
    write_1h: int = 0
    read: int = 0
    output: int = 0
    thinking: int = 0
    """The part of `output` spent on thinking."""

    @property
    def total_input(self) -> int:
        return self.input + self.write_5m + self.write_1h + self.read

    def __add__(self, other: Usage) -> Usage:
        sums = {f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)}
        return Usage(**sums)

    @classmethod
    def of(cls, reported: object) -> Usage:
        """The same numbers out of an Anthropic `usage`: the SDK's object or its JSON."""
        told = reported if isinstance(reported, Mapping) else vars(reported)
        split = told.get("cache_creation") or {}
        split = split if isinstance(split, Mapping) else vars(split)
        written = told.get("cache_creation_input_tokens") or 0
        one_hour = split.get("ephemeral_1h_input_tokens") or 0
        return cls(
            input=told.get("input_tokens") or 0,
            write_5m=written - one_hour,
            write_1h=one_hour,
            read=told.get("cache_read_input_tokens") or 0,
            output=told.get("output_tokens") or 0,
        )

    def as_message(self) -> Json:
        """The `usage` of a Messages API message, with every field the API names."""
        return {
            **self.as_delta(),
            "cache_creation": {
                "ephemeral_5m_input_tokens": self.write_5m,
                "ephemeral_1h_input_tokens": self.write_1h,
            },
            "service_tier": "standard",
            "inference_geo": None,
        }

    def as_delta(self) -> Json:
        """The cumulative `usage` of a `message_delta` event."""
        return {
            "input_tokens": self.input,
            "cache_creation_input_tokens": self.write_5m + self.write_1h,
            "cache_read_input_tokens": self.read,
            "output_tokens": self.output,
            "output_tokens_details": {"thinking_tokens": self.thinking},
            "server_tool_use": None,
        }

    def as_chat(self) -> Json:
        """The `usage` of a Chat Completions answer, where `prompt_tokens` includes the cached ones."""
        return {
            "prompt_tokens": self.total_input,
            "completion_tokens": self.output,
            "total_tokens": self.total_input + self.output,
            "prompt_tokens_details": {"cached_tokens": self.read, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": self.thinking, "audio_tokens": 0},
        }


def token_equivalents(usage: Usage, *, read: float = 0.1, output: float = 0.0) -> float:
    """Input tokens at full price that would cost the same: a five-minute write weighs 1.25, a one-hour
    write 2, a read `read`; output weighs nothing unless `output` says so."""
    return usage.input + 1.25 * usage.write_5m + 2 * usage.write_1h + read * usage.read + output * usage.output
