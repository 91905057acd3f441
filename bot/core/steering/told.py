"""What the asker alone is told: `status` and `cost` in words, and amounts as people write them."""

from bot.core.entries import Skipped, Turn
from bot.core.measured import Usage
from bot.core.panel import Panel

TITLES = {"discussion": "Panel discussion", "debate": "Debate", "review": "Review", "council": "Council"}


def dollars(amount: float) -> str:
    """US dollars; cents, or four places below one cent."""
    return f"${amount:.4f}" if 0 < amount < 0.01 else f"${amount:,.2f}"


def rounds(count: int) -> str:
    """`1 round`, `2 rounds`."""
    return "1 round" if count == 1 else f"{count} rounds"


def spend(panel: Panel) -> str:
    """What was spent, against the cap where there is one."""
    cap = f" of {dollars(panel.max_cost)}" if panel.max_cost is not None else ""
    rest = "; some turns have no known price" if panel.unpriced else ""
    return f"{dollars(panel.spent_usd)}{cap} spent{rest}"


def state(panel: Panel) -> str:
    """The panel's state in words, with the reason where it is not running."""
    where = f"round {panel.round} of {panel.rounds_max}" if panel.round else "before the first round"
    if panel.status == "running":
        return f"Closing, after {where}" if panel.closing else f"Running: {where}"
    reason = panel.reason.removeprefix("human").strip(" :")
    because = f" ({reason})" if reason else ""
    match panel.status:
        case "waiting":
            if panel.reason.startswith("go-ahead"):
                return "Waiting for a go-ahead"
            return f"Waiting{because}: {where}"
        case "paused":
            return f"Paused{because}: {where}"
        case "finished":
            return f"Finished after {rounds(panel.round)}"
        case "stopped":
            return f"Stopped in {where}" if panel.round else "Stopped before it began"
    return f"Failed{because}"


def status_text(panel: Panel) -> str:
    """Where the panel stands, for `status`."""
    coming = panel.round + 1
    by_state: dict[str, list[str]] = {}
    for seat in panel.seats:
        by_state.setdefault(panel.state_of(seat.persona.short_name, coming), []).append(seat.persona.name)
    lines = [f"**{TITLES[panel.format]}**: {panel.topic}", f"{state(panel)}. {spend(panel)}."]
    lines += [
        f"{title}: {'; '.join(by_state[key])}."
        for key, title in (
            ("ok", "Speaking"),
            ("muted", "Muted"),
            ("dropped", "Dropped"),
            ("unavailable", "Not loaded"),
        )
        if key in by_state
    ]
    lines += [
        f"Directive {number}: {d.text} ({d.author.name})"
        for number, d in enumerate(panel.directives, 1)
        if d.seq not in panel.withdrawn
    ]
    if panel.asks:
        lines.append("To be answered: " + "; ".join(panel.name_of(ask.persona) for ask in panel.asks) + ".")
    return "\n".join(lines)


def cost_text(panel: Panel) -> str:
    """What the panel has cost so far, by model, for `cost`."""
    spent: dict[str, tuple[Usage, float]] = {}
    paid: list[Turn | Skipped] = [*panel.turns, *panel.skipped]
    for entry in paid:
        if entry.model:
            usage, cost = spent.get(entry.model, (Usage(), 0.0))
            spent[entry.model] = (usage + entry.usage, cost + (entry.cost_usd or 0.0))
    lines = [f"{spend(panel)}."]
    lines += [f"{model}: {_tokens(usage)}, {dollars(cost)}" for model, (usage, cost) in sorted(spent.items())]
    return "\n".join(lines)


def _tokens(usage: Usage) -> str:
    read = usage.input + usage.cache_read + usage.cache_creation
    return f"{read:,} tokens in ({usage.cache_read:,} from the cache), {usage.output:,} out"
