"""Whether a panel may start where somebody asks for it, and what the workspace's settings add to what they said."""

from dataclasses import dataclass
from datetime import UTC, datetime

from bot.core.desk.workspace import WorkspaceSettings
from bot.core.errors import BudgetReached, NotAllowed
from bot.core.place import Person, Place
from bot.core.starting.command import PanelCommand
from bot.core.steering.permissions import refusal
from bot.core.steering.told import dollars
from bot.core.store import Query, Store, Summary
from bot.core.targets.port import Reach

LOOKED_AT = 2000
"""The newest panels among which the day's spending and the running ones are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """A panel that may start."""

    command: PanelCommand
    """With the workspace's cap where none was named."""
    reach: Reach
    """The folders that were granted to the workspace or this channel."""
    settings: WorkspaceSettings


async def admitted(
    store: Store, settings: WorkspaceSettings, place: Place, person: Person, command: PanelCommand, now: float
) -> Admitted:
    """What may start. Raises NotAllowed, saying where or who may, and BudgetReached where the day's budget is spent."""
    if why := refusal("start", person, "", settings.rules):
        raise NotAllowed(why)
    if not settings.allows(place):
        raise NotAllowed(
            "panels run only in some channels here, and this is none of them; an admin adds it with `settings channels "
            "+here`"
        )
    if _counts(settings):
        rows = await rows_of(store, place)
        _check_running(settings, rows, person)
        _check_day(settings, rows, person, now)
    options = dict(command.options)
    if settings.max_cost is not None:
        options.setdefault("max-cost", settings.max_cost)
    return Admitted(
        command=PanelCommand(format=command.format, words=command.words, options=options),
        reach=Reach(roots=settings.roots_at(place)),
        settings=settings,
    )


async def rows_of(store: Store, place: Place) -> list[Summary]:
    """The newest panels of the place's workspace."""
    query = Query(platforms=frozenset({place.platform}), workspace=place.workspace, limit=LOOKED_AT)
    return list(await store.summaries(query))


def spent_today(rows: list[Summary], person: Person, now: float) -> tuple[float, float]:
    """US dollars that panels started this UTC day have cost: all of them, and those of that person."""
    day = datetime.fromtimestamp(now, UTC).date()
    today = [row for row in rows if datetime.fromtimestamp(row.created_at, UTC).date() == day]
    return sum(row.spent_usd for row in today), sum(row.spent_usd for row in today if row.starter == person.id)


def _counts(settings: WorkspaceSettings) -> bool:
    limits = (settings.panels_at_once, settings.panels_each, settings.daily_budget, settings.person_budget)
    return any(limit is not None for limit in limits)


def _check_running(settings: WorkspaceSettings, rows: list[Summary], person: Person) -> None:
    running = [row for row in rows if row.status == "running"]
    own = sum(row.starter == person.id for row in running)
    if settings.panels_at_once is not None and len(running) >= settings.panels_at_once:
        raise NotAllowed(
            f"{len(running)} panels run in this workspace, and no more may at once; wait until one has ended"
        )
    if settings.panels_each is not None and own >= settings.panels_each:
        raise NotAllowed(f"{own} of your panels run, and no more may at once; wait until one has ended, or `stop` one")


def _check_day(settings: WorkspaceSettings, rows: list[Summary], person: Person, now: float) -> None:
    spent, own = spent_today(rows, person, now)
    if settings.daily_budget is not None and spent >= settings.daily_budget:
        raise BudgetReached(
            f"today's budget of this workspace, {dollars(settings.daily_budget)}, is spent; it is new at midnight UTC, "
            "or an admin raises `settings daily-budget`"
        )
    if settings.person_budget is not None and own >= settings.person_budget:
        raise BudgetReached(
            f"your budget for today, {dollars(settings.person_budget)}, is spent; it is new at midnight UTC, or an "
            "admin raises `settings person-budget`"
        )
