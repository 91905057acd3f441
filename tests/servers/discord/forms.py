"""Forms as a client sends them in.

https://docs.discord.com/developers/components/reference
"""

from collections.abc import Iterator, Mapping

from . import messages, payloads
from .component_checks import (
    CHECKBOX,
    CHECKBOX_GROUP,
    FILE_UPLOAD,
    LABEL,
    RADIO_GROUP,
    ROW,
    SELECTS,
    STRING_SELECT,
    TEXT_DISPLAY,
    TEXT_INPUT,
)
from .drafts import Upload
from .refusals import ImpossibleActError
from .state import Platform
from .world import Interaction, Json


def submitted(platform: Platform, opened: Interaction, fields: Mapping[str, object]) -> Json:
    """The `data` of the form's interaction; raises ImpossibleActError for what the client would refuse."""
    modal = opened.modal or {}
    names = list(_names(modal["components"]))
    unknown = [name for name in fields if not any(name in pair for pair in names)]
    if unknown:
        raise ImpossibleActError(f"the form has no {unknown}; it has {names}")
    resolved: Json = {}
    components = [_component(platform, opened, one, fields, resolved) for one in modal["components"]]
    data: Json = {"custom_id": modal["custom_id"], "components": components}
    return data | ({"resolved": resolved} if resolved else {})


def _names(components: list[Json]) -> Iterator[tuple[str, str]]:
    """Each field's custom id and label."""
    for one in components:
        if one["type"] == LABEL:
            yield one["component"]["custom_id"], one["label"]
        elif one["type"] == ROW:
            for field in one["components"]:
                yield field["custom_id"], field.get("label") or ""


def _component(
    platform: Platform, opened: Interaction, one: Json, fields: Mapping[str, object], resolved: Json
) -> Json:
    if one["type"] == TEXT_DISPLAY:
        return {"type": TEXT_DISPLAY, "id": one["id"]}
    if one["type"] == LABEL:
        field, label = one["component"], one["label"]
        value = _field(platform, opened, field, _given(field, label, fields), resolved)
        return {"type": LABEL, "id": one["id"], "component": value}
    inner = [
        _field(platform, opened, field, _given(field, field.get("label") or "", fields), resolved)
        for field in one["components"]
    ]
    return {"type": ROW, "id": one["id"], "components": inner}


def _given(field: Json, label: str, fields: Mapping[str, object]) -> object:
    return fields.get(field["custom_id"], fields.get(label))


def _field(platform: Platform, opened: Interaction, field: Json, value: object, resolved: Json) -> Json:
    kind = field["type"]
    body: Json = {"type": kind, "id": field["id"], "custom_id": field["custom_id"]}
    if kind == TEXT_INPUT:
        return body | {"value": _text(field, value)}
    if kind == CHECKBOX:
        return body | {"value": bool(field.get("default") if value is None else value)}
    if kind == RADIO_GROUP:
        chosen = _chosen(field, [] if value is None else [str(value)])
        return body | {"value": chosen[0] if chosen else None}
    if kind == FILE_UPLOAD:
        return body | {"values": _files(platform, opened, field, value, resolved)}
    if kind in SELECTS or kind == CHECKBOX_GROUP:
        return body | {"values": _chosen(field, _listed(value))}
    raise ImpossibleActError(f"the form has a field of an unknown kind {kind}")


def _text(field: Json, value: object) -> str:
    text = str(field.get("value") or "") if value is None else str(value)
    least, most = int(field.get("min_length") or 0), int(field.get("max_length") or 4000)
    if not text and not field.get("required", True):
        return ""
    if not max(1, least) <= len(text) <= most:
        raise ImpossibleActError(f"{field['custom_id']!r} takes {least} to {most} characters, not {len(text)}")
    return text


def _listed(value: object) -> list[str]:
    if value is None:
        return []
    return [str(one) for one in value] if isinstance(value, list | tuple) else [str(value)]


def _chosen(field: Json, values: list[str]) -> list[str]:
    if not values:
        values = [one["value"] for one in field.get("options") or [] if one.get("default")]
    known = [one["value"] for one in field.get("options") or []]
    needs_known = field["type"] in {STRING_SELECT, RADIO_GROUP, CHECKBOX_GROUP}
    if needs_known and not set(values) <= set(known):
        raise ImpossibleActError(f"{field['custom_id']!r} has no {values}; it has {known}")
    if not values and field.get("required", True):
        raise ImpossibleActError(f"{field['custom_id']!r} is required")
    if len(values) > int(field.get("max_values") or 1 if field["type"] != CHECKBOX_GROUP else 10):
        raise ImpossibleActError(f"{field['custom_id']!r} takes fewer values than {len(values)}")
    return values


def _files(platform: Platform, opened: Interaction, field: Json, value: object, resolved: Json) -> list[str]:
    uploads = [] if value is None else list(value) if isinstance(value, list | tuple) else [value]
    if not uploads and field.get("required", True):
        raise ImpossibleActError(f"{field['custom_id']!r} needs a file")
    if len(uploads) > int(field.get("max_values") or 1):
        raise ImpossibleActError(f"{field['custom_id']!r} takes fewer files than {len(uploads)}")
    ids = []
    for upload in uploads:
        if not isinstance(upload, Upload):
            raise ImpossibleActError(f"{upload!r} is no file")
        attachment = messages.attach(platform, opened.channel, upload)
        platform.uploads[attachment.id] = attachment
        shown = payloads.attachment(attachment, platform)
        resolved.setdefault("attachments", {})[str(attachment.id)] = shown
        ids.append(str(attachment.id))
    return ids
