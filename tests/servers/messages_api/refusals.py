"""The one way a request is turned down: a status, a type, a message, in either API's words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.servers.messages_api.usage import Json

STATUSES = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""Each error type of the Messages API and its HTTP status."""


@dataclass(eq=False, kw_only=True)
class RefusedError(Exception):
    """A request the server answers with an error."""

    type: str
    message: str
    headers: Mapping[str, str] = field(default_factory=dict)
    status: int = 0
    """Zero: the status that belongs to the type."""

    @property
    def code(self) -> int:
        return self.status or STATUSES.get(self.type, 500)

    def as_anthropic(self, request_id: str) -> Json:
        error = {"type": self.type, "message": self.message}
        return {"type": "error", "error": error, "request_id": request_id}

    def as_openai(self) -> Json:
        code = {"not_found_error": "model_not_found", "authentication_error": "invalid_api_key"}.get(self.type)
        return {"error": {"message": self.message, "type": self.type, "param": None, "code": code}}


def invalid(message: str) -> RefusedError:
    """A 400 of type `invalid_request_error`."""
    return RefusedError(type="invalid_request_error", message=message)


def rate_limited(wait: int, headers: Mapping[str, str]) -> RefusedError:
    """A 429 with Retry-After in seconds."""
    told = {"retry-after": str(wait), **headers}
    return RefusedError(type="rate_limit_error", message="rate limit of the minute reached", headers=told)
