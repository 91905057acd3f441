"""What Slack's client lets a human do in a form, and the state that it sends."""

from collections.abc import Callable
from typing import Any

from tests.servers.slack.platform import View
from tests.servers.slack.world import JSON

Upload = Callable[[str, bytes], JSON]


class GestureError(AssertionError):
    """No human could do this in Slack's client: the button is not there, the field is empty or too long."""


def find_element(blocks: list[JSON], wanted: str) -> tuple[JSON, JSON]:
    """The block and the element with this label, action_id or (for a field) block_id; raises GestureError."""
    seen = []
    for block in blocks:
        for element in _elements(block):
            label = _label(block, element)
            if wanted in {element.get("action_id"), label, block.get("block_id")}:
                return block, element
            seen.append(label or str(element.get("action_id")))
    raise GestureError(f"nothing called {wanted!r}; there is: {', '.join(seen) or 'nothing to press'}")


def find_option(element: JSON, wanted: str) -> JSON:
    """A menu's option by value or label; raises GestureError."""
    options = element.get("options") or [o for g in element.get("option_groups", []) for o in g["options"]]
    for option in options:
        if wanted in {option["value"], option["text"]["text"]}:
            return dict(option)
    raise GestureError(f"no option {wanted!r}; there are: {', '.join(o['text']['text'] for o in options)}")


def filled(view: View, values: dict[str, Any], upload: Upload) -> JSON:
    """The view's state after a human filled in `values`; raises GestureError for what the client forbids."""
    left = dict(values)
    state: JSON = {}
    for block in view.body["blocks"]:
        for element in _elements(block):
            if element["type"] == "button":
                continue
            keys = (block["block_id"], element["action_id"], _label(block, element))
            given = next((left.pop(key) for key in keys if key in left), None)
            before = view.state.get(block["block_id"], {}).get(element["action_id"])
            entry = before if given is None and before else _entry(element, given, upload)
            if block["type"] == "input" and not block.get("optional") and _empty(entry):
                raise GestureError(f"the field {_label(block, element)!r} is required")
            state.setdefault(block["block_id"], {})[element["action_id"]] = entry
    if left:
        raise GestureError(f"the form has no field {', '.join(left)}")
    return state


def _elements(block: JSON) -> list[JSON]:
    match block["type"]:
        case "input":
            return [block["element"]]
        case "section":
            return [block["accessory"]] if block.get("accessory", {}).get("action_id") else []
        case "actions":
            return list(block["elements"])
    return []


def _label(block: JSON, element: JSON) -> str:
    text = element.get("text") or (block.get("label") if block["type"] == "input" else None) or {}
    return str(text.get("text", ""))


def _empty(entry: JSON) -> bool:
    return not any(value for key, value in entry.items() if key != "type")


def _entry(element: JSON, given: Any, upload: Upload) -> JSON:
    """One field's state; without an input it is what the app preselected."""
    kind = element["type"]
    if kind in {"plain_text_input", "number_input", "email_text_input", "url_text_input"}:
        return {"type": kind, "value": _typed(element, given)}
    if kind in {"static_select", "radio_buttons", "external_select"}:
        option = element.get("initial_option") if given is None else _picked(element, given)
        return {"type": kind, "selected_option": option}
    if kind in {"multi_static_select", "checkboxes", "multi_external_select"}:
        return {"type": kind, "selected_options": _many(element, given)}
    if kind == "file_input":
        return {"type": kind, "files": _files(element, given or [], upload)}
    target = {"datepicker": "selected_date", "timepicker": "selected_time"}.get(kind)
    name = target or kind.replace("multi_", "").replace("_select", "").rstrip("s")
    key = name if target else (f"selected_{name}s" if kind.startswith("multi_") else f"selected_{name}")
    return {"type": kind, key: given if given is not None else element.get(f"initial_{name}")}


def _typed(element: JSON, given: Any) -> str | None:
    value = element.get("initial_value") if given is None else str(given)
    if not value:
        return None
    if element["type"] == "plain_text_input":
        least, most = element.get("min_length", 0), element.get("max_length", 3000)
        if not least <= len(value) <= most:
            raise GestureError(f"{element['action_id']}: {least} to {most} characters, not {len(value)}")
        if "\n" in value and not element.get("multiline"):
            raise GestureError(f"{element['action_id']}: one line")
    if element["type"] == "number_input":
        _numeric(element, value)
    return str(value)


def _numeric(element: JSON, value: str) -> None:
    try:
        number = float(value) if element["is_decimal_allowed"] else int(value)
    except ValueError:
        raise GestureError(f"{element['action_id']}: {value!r} is no number that fits") from None
    if not float(element.get("min_value", "-inf")) <= number <= float(element.get("max_value", "inf")):
        raise GestureError(f"{element['action_id']}: {number} is out of bounds")


def _picked(element: JSON, given: Any) -> JSON:
    if element["type"] == "external_select" and isinstance(given, dict):
        return given
    return find_option(element, str(given))


def _many(element: JSON, given: Any) -> list[JSON]:
    if given is None:
        return list(element.get("initial_options", []))
    if element["type"] == "multi_external_select":
        options = list(given)
    else:
        options = [find_option(element, str(item)) for item in given]
    most = element.get("max_selected_items")
    if most is not None and len(options) > most:
        raise GestureError(f"{element['action_id']}: at most {most}")
    return options


def _files(element: JSON, given: list[tuple[str, bytes]], upload: Upload) -> list[JSON]:
    """Files chosen in a form; `filetypes` only hides others in the chooser, it forbids nothing."""
    if len(given) > element.get("max_files", 10):
        raise GestureError(f"{element['action_id']}: at most {element.get('max_files', 10)} files")
    for name, content in given:
        if len(content) > 10 * 1024 * 1024:
            raise GestureError(f"{name}: over 10 MB")
    return [upload(name, content) for name, content in given]
