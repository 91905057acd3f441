"""Small checks on JSON that name the fault and its place the way Slack's answers do."""

from collections.abc import Collection, Sequence
from typing import Any, TypeGuard

from tests.servers.slack.world import JSON


class Check:
    """Collects faults; each ends in a JSON pointer, as in Slack's `response_metadata.messages`."""

    __slots__ = ("faults",)

    def __init__(self) -> None:
        self.faults: list[str] = []

    def fail(self, fault: str, at: str) -> None:
        """Note one fault."""
        self.faults.append(f"{fault} [json-pointer:{at}]")

    def keys(self, value: Any, at: str, required: Collection[str], optional: Collection[str]) -> TypeGuard[JSON]:
        """True when this is an object with these keys and no others."""
        if not isinstance(value, dict):
            self.fail("must provide an object", at)
            return False
        for key in required:
            if key not in value:
                self.fail(f"missing required field: {key}", at)
        for key in value.keys() - set(required) - set(optional):
            self.fail(f"invalid additional property: {key}", at)
        return all(key in value for key in required)

    def string(self, value: Any, at: str, most: int, least: int = 1) -> bool:
        """True for a string of that many characters."""
        if not isinstance(value, str):
            self.fail("must provide a string", at)
            return False
        if len(value) > most:
            self.fail(f"must be less than {most + 1} characters", at)
        if len(value) < least:
            self.fail(f"must be more than {least - 1} characters", at)
        return least <= len(value) <= most

    def number(self, value: Any, at: str, least: int, most: int) -> bool:
        """True for a whole number in these bounds."""
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self.fail(f"must be a whole number from {least} to {most}", at)
            return False
        return True

    def boolean(self, value: Any, at: str) -> None:
        """Anything but true and false is a fault."""
        if not isinstance(value, bool):
            self.fail("must provide a boolean", at)

    def one_of(self, value: Any, at: str, allowed: Collection[str]) -> None:
        """Anything else is a fault."""
        if value not in allowed:
            self.fail(f"value must be one of {sorted(allowed)}", at)

    def array(self, value: Any, at: str, most: int, least: int = 1) -> TypeGuard[Sequence[Any]]:
        """True for a list of that many items."""
        if not isinstance(value, list):
            self.fail("must be an array", at)
            return False
        if len(value) > most:
            self.fail(f"no more than {most} items allowed", at)
        if len(value) < least:
            self.fail(f"no fewer than {least} items allowed", at)
        return least <= len(value) <= most

    def unique(self, values: Sequence[str], what: str, at: str) -> None:
        """A value twice is a fault."""
        for value in sorted({value for value in values if values.count(value) > 1}):
            self.fail(f"`{what}` already exists: {value}", at)

    def text(self, value: Any, at: str, most: int = 3000, *, plain: bool = False, least: int = 1) -> bool:
        """A text object; https://docs.slack.dev/reference/block-kit/composition-objects/text-object"""
        if not self.keys(value, at, ("type", "text"), ("emoji", "verbatim")):
            return False
        self.one_of(value["type"], f"{at}/type", {"plain_text"} if plain else {"plain_text", "mrkdwn"})
        if value["type"] == "mrkdwn" and "emoji" in value:
            self.fail("invalid additional property: emoji", at)
        if value["type"] == "plain_text" and "verbatim" in value:
            self.fail("invalid additional property: verbatim", at)
        return self.string(value["text"], f"{at}/text", most, least)
