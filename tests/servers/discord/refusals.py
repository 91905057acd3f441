"""The platform's error answers.

https://docs.discord.com/developers/topics/opcodes-and-status-codes#json
"""

from typing import Any

_CATALOGUE: dict[int, tuple[int, str]] = {
    0: (404, "404: Not Found"),
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10013: (404, "Unknown User"),
    10014: (400, "Unknown Emoji"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    10063: (404, "Unknown application command"),
    30003: (400, "Maximum number of pins reached for the channel (250)"),
    30007: (400, "Maximum number of webhooks reached (15)"),
    30010: (400, "Maximum number of reactions reached (20)"),
    30058: (400, "Maximum number of webhooks per guild reached (1000)"),
    40005: (413, "Request entity too large"),
    40060: (400, "Interaction has already been acknowledged."),
    40062: (429, "Service resource is being rate limited."),
    40094: (400, "Maximum number of follow up messages reached for this interaction"),
    50001: (403, "Missing Access"),
    50003: (403, "Cannot execute action on a DM channel"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50007: (403, "Cannot send messages to this user"),
    50008: (400, "Cannot send messages in a non-text channel"),
    50013: (403, "Missing Permissions"),
    50019: (400, "A message can only be pinned to the channel in which it was sent"),
    50021: (403, "Cannot execute action on a system message"),
    50024: (400, "Cannot execute action on this channel type"),
    50027: (401, "Invalid Webhook Token"),
    50083: (400, "Thread is archived"),
    50109: (400, "The request body contains invalid JSON."),
    160002: (400, "Cannot reply without permission to read message history"),
    160004: (400, "A thread has already been created for this message"),
    160005: (400, "Thread is locked"),
    220001: (400, "Webhooks posted to forum channels must have a thread_name or thread_id"),
    220002: (400, "Webhooks posted to forum channels cannot have both a thread_name and thread_id"),
    220003: (400, "Webhooks can only create threads in forum channels"),
}


class RefusalError(Exception):
    """An error answer: HTTP status, the platform's code, its text, and per-field errors."""

    def __init__(self, code: int, *, status: int = 0, text: str = "", errors: dict[str, Any] | None = None):
        known_status, known_text = _CATALOGUE.get(code, (400, "Bad Request"))
        self.code = code
        self.status = status or known_status
        self.text = text or known_text
        self.errors = errors
        super().__init__(f"{self.status} {code}: {self.text}")

    def payload(self) -> dict[str, Any]:
        body: dict[str, Any] = {"message": self.text, "code": self.code}
        if self.errors is not None:
            body["errors"] = self.errors
        return body


class ImpossibleActError(Exception):
    """A test told a person to do what their client would not let them do."""


def invalid(path: str, code: str, text: str) -> RefusalError:
    """50035 for one field; the path is dotted, as in `embeds.0.title`."""
    errors: dict[str, Any] = {"_errors": [{"code": code, "message": text}]}
    for key in reversed(path.split(".")):
        errors = {key: errors}
    return RefusalError(50035, status=400, text="Invalid Form Body", errors=errors)


def too_long(path: str, most: int) -> RefusalError:
    return invalid(path, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")


def bad_length(path: str, least: int, most: int) -> RefusalError:
    return invalid(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")
