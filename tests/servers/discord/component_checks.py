"""Limits on buttons, selects, layouts and forms.

https://docs.discord.com/developers/components/reference
"""

from collections import Counter
from collections.abc import Iterator

from .refusals import bad_length, invalid, too_long
from .world import Json

ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
TEXT_DISPLAY, LABEL, FILE_UPLOAD = 10, 18, 19
RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX = 21, 22, 23
SELECTS = frozenset({3, 5, 6, 7, 8})
_LEGACY = frozenset({ROW, BUTTON}) | SELECTS
_IN_LABEL = SELECTS | {TEXT_INPUT, FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX}
_LINK_STYLE = 5


def flat(components: list[Json]) -> Iterator[Json]:
    """Each component with everything nested in it."""
    for component in components:
        yield component
        yield from flat(component.get("components") or [])
        for key in ("component", "accessory"):
            if isinstance(component.get(key), dict):
                yield from flat([component[key]])


def check_components(components: list[Json], *, v2: bool) -> None:
    """Raises 50035 for a message's components that the platform would refuse."""
    everything = list(flat(components))
    if not v2 and any(one["type"] not in _LEGACY for one in everything):
        raise invalid("components", "UNION_TYPE_CHOICES", "Needs the components V2 flag.")
    if not v2 and len(components) > 5:
        raise bad_length("components", 1, 5)
    if len(everything) > 40:
        raise bad_length("components", 1, 40)
    shown = sum(len(str(one.get("content", ""))) for one in everything if one["type"] == TEXT_DISPLAY)
    if shown > 4000:
        raise invalid("components", "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", "Over 4000 characters.")
    for one in everything:
        _check_one(one)
    _check_ids(everything)


def _check_one(one: Json) -> None:
    if one["type"] == ROW:
        children = one.get("components") or []
        if not 1 <= len(children) <= 5:
            raise bad_length("components", 1, 5)
    elif one["type"] == BUTTON:
        _check_button(one)
    elif one["type"] == STRING_SELECT and not 1 <= len(one.get("options") or []) <= 25:
        raise bad_length("components.options", 1, 25)
    if one["type"] in SELECTS and len(str(one.get("placeholder") or "")) > 150:
        raise too_long("components.placeholder", 150)


def _check_button(one: Json) -> None:
    if len(str(one.get("label") or "")) > 80:
        raise too_long("components.label", 80)
    if not one.get("label") and not one.get("emoji"):
        raise invalid("components", "BUTTON_COMPONENT_EMPTY", "A button must have a label or an emoji.")
    needed = "url" if one.get("style") == _LINK_STYLE else "custom_id"
    if not one.get(needed):
        raise invalid(f"components.{needed}", "BASE_TYPE_REQUIRED", "This field is required")


def _check_ids(everything: list[Json]) -> None:
    ids = [str(one["custom_id"]) for one in everything if one.get("custom_id")]
    if any(len(one) > 100 for one in ids):
        raise too_long("components.custom_id", 100)
    if any(count > 1 for count in Counter(ids).values()):
        raise invalid("components", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")


def check_modal(modal: Json) -> None:
    """Raises 50035 for a form that the platform would refuse.

    https://docs.discord.com/developers/interactions/receiving-and-responding#modal
    """
    if not 1 <= len(str(modal.get("title") or "")) <= 45:
        raise bad_length("data.title", 1, 45)
    if not 1 <= len(str(modal.get("custom_id") or "")) <= 100:
        raise bad_length("data.custom_id", 1, 100)
    components = modal.get("components") or []
    if not 1 <= len(components) <= 5:
        raise bad_length("data.components", 1, 5)
    for one in components:
        _check_modal_part(one)
    _check_ids(list(flat(components)))


def _check_modal_part(one: Json) -> None:
    if one["type"] not in {ROW, LABEL, TEXT_DISPLAY}:
        raise invalid("data.components", "UNION_TYPE_CHOICES", "Not a component of a form.")
    if one["type"] == LABEL:
        if not 1 <= len(str(one.get("label") or "")) <= 45:
            raise bad_length("data.components.label", 1, 45)
        if len(str(one.get("description") or "")) > 100:
            raise too_long("data.components.description", 100)
        if one["component"]["type"] not in _IN_LABEL:
            raise invalid("data.components.component", "UNION_TYPE_CHOICES", "Not allowed in a label.")
    for field in flat([one]):
        _check_field(field)


def _check_field(field: Json) -> None:
    if field.get("disabled"):
        raise invalid("data.components", "COMPONENT_DISABLED_IN_MODAL", "Disabled is not allowed in a form.")
    if field["type"] == TEXT_INPUT:
        for key in ("value", "placeholder"):
            most = 4000 if key == "value" else 100
            if len(str(field.get(key) or "")) > most:
                raise too_long(f"data.components.{key}", most)
        if int(field.get("max_length") or 4000) > 4000:
            raise invalid("data.components.max_length", "NUMBER_TYPE_MAX", "int value should be <= 4000.")
    if field["type"] == FILE_UPLOAD and int(field.get("max_values") or 1) > 10:
        raise invalid("data.components.max_values", "NUMBER_TYPE_MAX", "int value should be <= 10.")
    if field["type"] == STRING_SELECT and not 1 <= len(field.get("options") or []) <= 25:
        raise bad_length("data.components.options", 1, 25)
