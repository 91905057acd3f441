"""Who may do what in a workspace: one value per workspace, with the defaults of a fresh one."""

import json
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.core.place import Person

SETTINGS, PERMISSIONS = "settings", "permissions"
"""Kind and name of the workspace's permissions on the shelf."""

Right = Literal["start", "steer", "stop", "budget", "personas", "settings", "read"]
Circle = Literal["members", "starter", "admins"]
"""Everyone but guests; the panel's starter and the admins; the admins alone."""

_WHO: dict[Circle, str] = {
    "members": "members of this workspace",
    "starter": "the one who started it and admins",
    "admins": "admins",
}
_DOES: dict[Right, str] = {
    "start": "start panels",
    "steer": "steer a panel",
    "stop": "stop a panel",
    "budget": "change a budget",
    "personas": "edit personas",
    "settings": "change settings",
    "read": "read",
}


class Permissions(BaseModel):
    """The circle that has each right. Guests and people of other organisations contribute and read, never more."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    start: Circle = "members"
    steer: Circle = "members"
    stop: Circle = "starter"
    budget: Circle = "admins"
    personas: Circle = "admins"


DEFAULTS = Permissions()


def permissions(value: str | None) -> Permissions:
    """The stored setting of a workspace (JSON), or the defaults where there is none or it can not be read."""
    try:
        return Permissions.model_validate(json.loads(value)) if value else DEFAULTS
    except (ValueError, ValidationError):
        return DEFAULTS


def refusal(right: Right, person: Person, starter: str, rules: Permissions = DEFAULTS) -> str:
    """Empty where the person has the right; otherwise one sentence for them that says who has it.

    `starter` is the person id of the one who started the panel; empty where there is no panel yet.
    """
    if right == "read":
        return ""
    circle: Circle = "admins" if right == "settings" else getattr(rules, right)
    if person.role == "guest":
        return f"Guests can contribute, but not {_DOES[right]}; here {_WHO[circle]} can."
    if person.role == "admin" or circle == "members" or (circle == "starter" and person.id == starter):
        return ""
    return f"Only {_WHO[circle]} can {_DOES[right]} here."
