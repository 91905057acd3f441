"""Block Kit's elements and their limits.

https://docs.slack.dev/reference/block-kit/block-elements and …/composition-objects
"""

from collections.abc import Callable, Collection
from typing import Any

from tests.servers.slack.check import Check
from tests.servers.slack.world import JSON

ID = 255
Rule = Callable[[Check, JSON, str], None]

SELECTS = {
    f"{many}{kind}_select"
    for many in ("", "multi_")
    for kind in ("static", "external", "users", "conversations", "channels")
}
SINGLE_SELECTS = {name for name in SELECTS if not name.startswith("multi_")}
CHOICES = {"checkboxes", "radio_buttons"}
PICKERS = {"datepicker", "timepicker", "datetimepicker"}
TYPED = {"plain_text_input", "number_input", "email_text_input", "url_text_input", "rich_text_input"}
IN_ACTIONS = {"button", "overflow", *SINGLE_SELECTS, *CHOICES, *PICKERS}
IN_SECTION = {"button", "overflow", "image", "datepicker", "timepicker", *SELECTS, *CHOICES}
IN_INPUT = {"file_input", *SELECTS, *CHOICES, *PICKERS, *TYPED}


def element(check: Check, value: Any, at: str, allowed: Collection[str]) -> None:
    """Faults of one element that stands where only the `allowed` types may."""
    kind = value.get("type") if isinstance(value, dict) else None
    if kind not in allowed or kind not in _RULES:
        check.fail(f"unsupported type: {kind}", f"{at}/type")
        return
    _RULES[kind](check, value, at)
    if "action_id" in value:
        check.string(value["action_id"], f"{at}/action_id", ID)


def confirm(check: Check, value: Any, at: str) -> None:
    """A confirmation dialog."""
    if check.keys(value, at, ("title", "text", "confirm", "deny"), ("style",)):
        check.text(value["title"], f"{at}/title", 100, plain=True)
        check.text(value["text"], f"{at}/text", 300)
        check.text(value["confirm"], f"{at}/confirm", 30, plain=True)
        check.text(value["deny"], f"{at}/deny", 30, plain=True)
        if "style" in value:
            check.one_of(value["style"], f"{at}/style", {"primary", "danger"})


def _button(check: Check, value: JSON, at: str) -> None:
    optional = ("action_id", "url", "value", "style", "confirm", "accessibility_label")
    if check.keys(value, at, ("type", "text"), optional):
        check.text(value["text"], f"{at}/text", 75, plain=True)
    for key, most in (("value", 2000), ("url", 3000), ("accessibility_label", 75)):
        if key in value:
            check.string(value[key], f"{at}/{key}", most)
    if "style" in value:
        check.one_of(value["style"], f"{at}/style", {"primary", "danger"})
    if "confirm" in value:
        confirm(check, value["confirm"], f"{at}/confirm")


def _image(check: Check, value: JSON, at: str) -> None:
    if check.keys(value, at, ("type", "image_url", "alt_text"), ()):
        check.string(value["image_url"], f"{at}/image_url", 3000)
        check.string(value["alt_text"], f"{at}/alt_text", 2000)


def _option(check: Check, value: Any, at: str, *, plain: bool, url: bool = False) -> None:
    if not check.keys(value, at, ("text", "value"), ("description", *(("url",) if url else ()))):
        return
    check.text(value["text"], f"{at}/text", 75, plain=plain)
    check.string(value["value"], f"{at}/value", 150)
    if "description" in value:
        check.text(value["description"], f"{at}/description", 75, plain=plain)


def _options(check: Check, value: JSON, at: str, most: int, *, plain: bool) -> list[JSON]:
    """The options, grouped ones too."""
    if "option_groups" in value and "options" in value:
        check.fail("only one of options and option_groups is allowed", at)
    groups = value.get("option_groups")
    if groups is not None:
        found: list[JSON] = []
        if check.array(groups, f"{at}/option_groups", 100):
            for index, group in enumerate(groups):
                place = f"{at}/option_groups/{index}"
                if check.keys(group, place, ("label", "options"), ()):
                    check.text(group["label"], f"{place}/label", 75, plain=True)
                    found += _options(check, {"options": group["options"]}, place, most, plain=plain)
        return found
    options = value.get("options")
    if not check.array(options, f"{at}/options", most):
        return []
    for index, option in enumerate(options):
        _option(check, option, f"{at}/options/{index}", plain=plain)
    values = [str(option.get("value")) for option in options if isinstance(option, dict)]
    check.unique(values, "value", f"{at}/options")
    return [option for option in options if isinstance(option, dict)]


def _menu(check: Check, value: JSON, at: str, extra: Collection[str]) -> None:
    """What every select menu shares."""
    common = {"action_id", "placeholder", "confirm", "focus_on_load", *extra}
    if value["type"].startswith("multi_"):
        common.add("max_selected_items")
    check.keys(value, at, ("type",), common)
    if "placeholder" in value:
        check.text(value["placeholder"], f"{at}/placeholder", 150, plain=True)
    if "max_selected_items" in value:
        check.number(value["max_selected_items"], f"{at}/max_selected_items", 1, 1000)
    if "confirm" in value:
        confirm(check, value["confirm"], f"{at}/confirm")


def _static_select(check: Check, value: JSON, at: str) -> None:
    many = value["type"].startswith("multi_")
    initial = "initial_options" if many else "initial_option"
    _menu(check, value, at, ("options", "option_groups", initial))
    _initials(check, value, at, _options(check, value, at, 100, plain=True), initial)


def _initials(check: Check, value: JSON, at: str, options: list[JSON], key: str) -> None:
    """Preselected options must be among the options, word for word."""
    if key not in value:
        return
    chosen = value[key] if key == "initial_options" else [value[key]]
    if not check.array(chosen, f"{at}/{key}", int(value.get("max_selected_items", 100))):
        return
    for index, option in enumerate(chosen):
        if option not in options:
            check.fail(f"{key} must match an option", f"{at}/{key}/{index}")


def _choice(check: Check, value: JSON, at: str) -> None:
    initial = "initial_options" if value["type"] == "checkboxes" else "initial_option"
    check.keys(value, at, ("type", "options"), ("action_id", "confirm", "focus_on_load", initial))
    _initials(check, value, at, _options(check, value, at, 10, plain=False), initial)


def _dynamic_select(check: Check, value: JSON, at: str) -> None:
    kind = value["type"].removeprefix("multi_").removesuffix("_select").removesuffix("s")
    many = value["type"].startswith("multi_")
    initial = f"initial_{kind}{'s' if many else ''}" if kind != "external" else "initial_option" + "s" * many
    _menu(check, value, at, (initial, "min_query_length", "default_to_current_conversation", "filter"))


def _overflow(check: Check, value: JSON, at: str) -> None:
    check.keys(value, at, ("type", "options"), ("action_id", "confirm"))
    if check.array(value.get("options"), f"{at}/options", 5):
        for index, option in enumerate(value["options"]):
            _option(check, option, f"{at}/options/{index}", plain=True, url=True)


def _picker(check: Check, value: JSON, at: str) -> None:
    kind = {"datepicker": "date", "timepicker": "time", "datetimepicker": "date_time"}[value["type"]]
    check.keys(
        value,
        at,
        ("type",),
        ("action_id", "placeholder", "confirm", "focus_on_load", "timezone", f"initial_{kind}"),
    )
    if "placeholder" in value:
        check.text(value["placeholder"], f"{at}/placeholder", 150, plain=True)


def _typed(check: Check, value: JSON, at: str) -> None:
    extra = {
        "plain_text_input": {"multiline", "min_length", "max_length"},
        "number_input": {"is_decimal_allowed", "min_value", "max_value"},
    }.get(value["type"], set())
    required = ("type", "is_decimal_allowed") if value["type"] == "number_input" else ("type",)
    shared = {"action_id", "placeholder", "initial_value", "dispatch_action_config", "focus_on_load"}
    check.keys(value, at, required, shared | extra)
    if "placeholder" in value:
        check.text(value["placeholder"], f"{at}/placeholder", 150, plain=True)
    if "min_length" in value:
        check.number(value["min_length"], f"{at}/min_length", 0, 3000)
    if "max_length" in value:
        check.number(value["max_length"], f"{at}/max_length", 1, 3000)
    if "initial_value" in value and value["type"] == "plain_text_input":
        check.string(value["initial_value"], f"{at}/initial_value", int(value.get("max_length", 3000)), 0)
    for key in ("min_value", "max_value", "initial_value"):
        if value["type"] == "number_input" and key in value and not isinstance(value[key], str):
            check.fail("must provide a string", f"{at}/{key}")


def _file_input(check: Check, value: JSON, at: str) -> None:
    check.keys(value, at, ("type",), ("action_id", "filetypes", "max_files"))
    if "max_files" in value:
        check.number(value["max_files"], f"{at}/max_files", 1, 10)
    if "filetypes" in value and check.array(value["filetypes"], f"{at}/filetypes", 100):
        for index, filetype in enumerate(value["filetypes"]):
            check.string(filetype, f"{at}/filetypes/{index}", 20)


_RULES: dict[str, Rule] = {
    "button": _button,
    "image": _image,
    "overflow": _overflow,
    "file_input": _file_input,
    **dict.fromkeys(CHOICES, _choice),
    **dict.fromkeys(PICKERS, _picker),
    **dict.fromkeys(TYPED, _typed),
    **dict.fromkeys(SELECTS, _dynamic_select),
    "static_select": _static_select,
    "multi_static_select": _static_select,
}
