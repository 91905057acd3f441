"""How the server says no."""

from tests.servers.slack.world import JSON


class SlackError(Exception):
    """A refusal in the words of the Web API: `{"ok": false, "error": code, …}`."""

    def __init__(self, code: str, **fields: object) -> None:
        super().__init__(code)
        self.code = code
        self.fields = fields

    def body(self) -> JSON:
        """The answer's JSON."""
        return {"ok": False, "error": self.code, **self.fields}


def invalid_arguments(*messages: str) -> SlackError:
    """A call whose arguments the documentation does not allow."""
    return SlackError("invalid_arguments", response_metadata={"messages": [f"[ERROR] {m}" for m in messages]})


def missing_scope(needed: str, provided: frozenset[str]) -> SlackError:
    """A call that needs a scope which was not granted."""
    return SlackError("missing_scope", needed=needed, provided=",".join(sorted(provided)))
