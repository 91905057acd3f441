"""Small pieces of Block Kit for the tests of the Slack server."""

from typing import Any

Body = dict[str, Any]


def words(text: str, kind: str = "plain_text") -> Body:
    """A text object."""
    return {"type": kind, "text": text}


def field(name: str, element: Body, **more: Any) -> Body:
    """An input block whose block and action have the same id."""
    element = {"action_id": name, **element}
    return {"type": "input", "block_id": name, "label": words(name.title()), "element": element, **more}


def form(*blocks: Body, **more: Any) -> Body:
    """A modal with a submit button; without blocks, with the one field `topic`."""
    return {
        "type": "modal",
        "callback_id": "form",
        "title": words("New panel"),
        "submit": words("Start"),
        "blocks": list(blocks) or [field("topic", {"type": "plain_text_input", "max_length": 10})],
        **more,
    }


def options(*names: str) -> list[Body]:
    """Options whose value is the name and whose label is the name in title case."""
    return [{"text": words(name.title()), "value": name} for name in names]
