"""What was spent today, and what may still be: for the workspace and for the asker."""

from bot.core.clock import Clock
from bot.core.desk.answer import DeskAnswer
from bot.core.desk.asked import Asked
from bot.core.starting.admission import rows_of, spent_today
from bot.core.steering.told import dollars
from bot.core.store import Store


async def budget_answer(store: Store, clock: Clock, asked: Asked) -> DeskAnswer:
    """`budget`: the day's spending against the limits, and the cap of a panel that names none."""
    rows = await rows_of(store, asked.place)
    spent, own = spent_today(rows, asked.person, clock.now())
    settings = asked.settings
    running = sum(row.status == "running" for row in rows)
    cap = "none" if settings.max_cost is None else dollars(settings.max_cost)
    lines = [
        f"- Today in this workspace: {_against(spent, settings.daily_budget)}",
        f"- Today by you: {_against(own, settings.person_budget)}",
        f"- A panel that names no cap: {cap}",
        f"- Running now: {running}" + (f" of {settings.panels_at_once}" if settings.panels_at_once else ""),
        "",
        "In a panel's thread, `budget $N` sets that panel's cap; `settings daily-budget N` and the like set these.",
    ]
    return DeskAnswer(title="Budget", text="\n".join(lines))


def _against(spent: float, limit: float | None) -> str:
    return f"{dollars(spent)} of {dollars(limit)}" if limit is not None else f"{dollars(spent)}, no limit"
