"""Faults a server can be told to commit, each a value; `MessagesServer.fail` says when and how often.

They fit both APIs, streamed or not: in an answer of one piece, a fault of mid-stream strikes half-way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from tests.servers.messages_api.refusals import RefusedError
from tests.servers.messages_api.usage import Json
from tests.servers.messages_api.voices import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorStatus:
    """An HTTP error in the API's own words."""

    type: str
    status: int = 0
    message: str = "made to fail"
    headers: Mapping[str, str] = field(default_factory=dict)

    def refused(self) -> RefusedError:
        return RefusedError(type=self.type, message=self.message, headers=self.headers, status=self.status)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A web page where JSON is due."""

    status: int = 200
    body: str = "<!doctype html><html><body><h1>Welcome</h1></body></html>"


@dataclass(frozen=True, slots=True, kw_only=True)
class HangUp:
    """The connection closes and nothing was answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlowStart:
    """So many seconds pass before the first byte; then all goes well."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """The answer begins, and after so many deltas goes wrong."""

    how: Literal["stall", "cut", "end", "chunk", "error"]
    after: int = 1
    seconds: float | None = None
    """How long a stall lasts; nothing: until the client leaves."""
    type: str = "overloaded_error"
    """The type of an error event."""

    def refused(self) -> RefusedError:
        return RefusedError(type=self.type, message="made to fail")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoil:
    """A complete answer with another content; called with the reply and the request."""

    change: Callable[[Reply, Json], Reply]


Fault = ErrorStatus | Page | HangUp | SlowStart | Break | Spoil


def rate_limited(retry_after: float | None = 1) -> Fault:
    """429 with Retry-After in seconds, or without."""
    headers = {} if retry_after is None else {"retry-after": f"{retry_after:g}"}
    return ErrorStatus(type="rate_limit_error", headers=headers)


def server_error(status: int = 500) -> Fault:
    """500, or any other status above it, of type `api_error`."""
    return ErrorStatus(type="api_error", status=status)


def overloaded() -> Fault:
    """529."""
    return ErrorStatus(type="overloaded_error")


def no_permission() -> Fault:
    """403."""
    return ErrorStatus(type="permission_error")


def html(status: int = 200) -> Fault:
    """A web page, as a wrong base URL gives."""
    return Page(status=status)


def hang_up() -> Fault:
    """The connection closes before any answer. For a refused connection see `MessagesServer.down`."""
    return HangUp()


def slow_first_byte(seconds: float) -> Fault:
    """The answer comes, late."""
    return SlowStart(seconds=seconds)


def stall(*, after: int = 1, seconds: float | None = None) -> Fault:
    """Silence in mid-answer."""
    return Break(how="stall", after=after, seconds=seconds)


def cut(*, after: int = 1) -> Fault:
    """The connection breaks in mid-answer."""
    return Break(how="cut", after=after)


def end_early(*, after: int = 1) -> Fault:
    """The answer ends cleanly and gives no stop reason."""
    return Break(how="end", after=after)


def broken_chunk(*, after: int = 1) -> Fault:
    """One event, or the body, is no JSON."""
    return Break(how="chunk", after=after)


def error_event(type: str = "overloaded_error", *, after: int = 1) -> Fault:  # noqa: A002 - the API's word
    """Status 200, then an error."""
    return Break(how="error", after=after, type=type)


def refusal(category: str | None = "general_harms", *, text: str = "") -> Fault:
    """Stop reason `refusal`, with or without some text."""
    details = {"type": "refusal", "category": category, "explanation": "made to refuse"}
    said = Reply(text=text, stop_reason="refusal", stop_details=details, checked=False)
    return Spoil(change=lambda _reply, _body: said)


def out_of_tokens(*, text: bool = True) -> Fault:
    """Stop reason `max_tokens`: half the text, or thinking alone."""

    def change(reply: Reply, body: Json) -> Reply:
        spent = body.get("max_tokens") or body.get("max_completion_tokens") or 100
        half = reply.said[: len(reply.said) // 2] if text else ""
        thinking = "" if text else "Let me think about this at length."
        kept = replace(reply, text=half, json=None, tools=(), thinking=thinking)
        return replace(kept, stop_reason="max_tokens", output_tokens=spent, checked=False)

    return Spoil(change=change)


def empty_text() -> Fault:
    """A message that ends its turn and says nothing."""
    return Spoil(change=lambda reply, _body: replace(reply, text="", json=None, tools=(), checked=False))


def ignore_schema(text: str = "Sure! Here is what you asked for.") -> Fault:
    """A reply that does not answer the schema the request asks for."""
    return Spoil(change=lambda reply, _body: replace(reply, text=text, json=None, tools=(), checked=False))
