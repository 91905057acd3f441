"""What a workspace has set: one typed value per workspace, with the defaults of the deployment beneath it."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.core.entries import Opened
from bot.core.measured import Forecast
from bot.core.place import Place
from bot.core.steering.permissions import PERMISSIONS, SETTINGS, Permissions, permissions
from bot.core.store import Shelf

WORKSPACE = "workspace"
"""Name of the settings' value on the shelf; the permissions stand beside it under their own name."""


class WorkspaceSettings(BaseModel):
    """Settings of one workspace. Amounts are US dollars; None means no limit."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    rules: Permissions = Permissions()
    channels: tuple[str, ...] = ()
    """Ids of the channels where panels may run; empty: all."""
    bots: tuple[str, ...] = ()
    """Ids of other bots that are heard."""
    roots: tuple[str, ...] = ()
    """Names of the deployment's folders that may be read from everywhere in the workspace."""
    channel_roots: dict[str, tuple[str, ...]] = {}
    """Channel id → names of folders that may be read from there too."""
    max_cost: float | None = None
    """The cap of a panel that names none."""
    daily_budget: float | None = None
    """Of the whole workspace, per UTC day."""
    person_budget: float | None = None
    """Of each person, per UTC day."""
    panels_at_once: int | None = None
    panels_each: int | None = None
    """Running panels at once per person."""
    ai_suffix: bool = True
    """Personas post as `Name (AI)`."""
    keep_pins: int | None = None
    """How many of our newest pins stay in a channel: None all, 0 none are pinned."""
    model: str = ""
    """For personas that name none; empty: the deployment's."""
    go_ahead_over: float | None = 2.0
    """A forecast above it waits for a go-ahead; None: nothing waits."""

    def allows(self, place: Place) -> bool:
        """Whether panels may run in that channel."""
        return not self.channels or place.channel in self.channels

    def roots_at(self, place: Place) -> frozenset[str]:
        """The names of the folders that may be read from that place."""
        return frozenset((*self.roots, *self.channel_roots.get(place.channel, ())))

    def wants_go_ahead(self, forecast: Forecast | None) -> bool:
        """Whether a panel of that forecast waits for a go-ahead."""
        cost = forecast.cost_usd if forecast else None
        return cost is not None and self.go_ahead_over is not None and cost > self.go_ahead_over


def with_default_model(opened: Opened, model: str) -> Opened:
    """The panel where personas that name no model have this one."""
    if not model:
        return opened
    seats = tuple(
        seat
        if seat.persona.model not in ("", "inherit")
        else seat.model_copy(update={"persona": seat.persona.model_copy(update={"model": model})})
        for seat in opened.seats
    )
    return opened.model_copy(update={"seats": seats})


async def settings_at(shelf: Shelf, workspace: str, defaults: WorkspaceSettings | None = None) -> WorkspaceSettings:
    """The settings of that workspace; what it has not set is as in `defaults`. Raises StoreError."""
    rules = permissions(await shelf.take(workspace, SETTINGS, PERMISSIONS))
    kept = overrides(await shelf.take(workspace, SETTINGS, WORKSPACE))
    return applied(defaults or WorkspaceSettings(), {**kept, "rules": rules})


def overrides(value: str | None) -> dict[str, Any]:
    """What the workspace has set, by field; nothing where the value can not be read."""
    try:
        kept = json.loads(value) if value else {}
    except ValueError:
        return {}
    return kept if isinstance(kept, dict) else {}


def applied(defaults: WorkspaceSettings, kept: Mapping[str, Any]) -> WorkspaceSettings:
    """The defaults with the set fields on top; a field whose value does not fit keeps its default."""
    values = {name: getattr(defaults, name) for name in WorkspaceSettings.model_fields}
    try:
        return WorkspaceSettings.model_validate({**values, **kept})
    except ValidationError as fault:
        wrong = {str(error["loc"][0]) for error in fault.errors()}
        return WorkspaceSettings.model_validate(values | {name: v for name, v in kept.items() if name not in wrong})
