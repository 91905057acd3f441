"""The transcript: a panel as a Markdown document that reads from top to bottom."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from bot.core.entries import AnyEntry, Control, Decision, Directive, Event, Human, Opened, Recap, Seat, Skipped, Turn
from bot.core.measured import Usage
from bot.core.panel import Panel
from bot.core.persona import HOST
from bot.core.spoken_order import as_spoken

TITLES = {"discussion": "Panel discussion", "debate": "Debate", "review": "Review", "council": "Council"}
KIND_TITLES = {
    "opening": "Opening",
    "rebuttal": "Rebuttal",
    "closing": "Closing",
    "verdict": "Verdicts",
    "cross_examination": "Cross-examination",
    "summary": "Final summaries",
    "digest": "Digest",
    "synthesis": "Synthesis",
}
IN_CLOSING = ("summary", "synthesis")


def transcript(panel: Panel, *, undelivered: frozenset[int] = frozenset()) -> str:
    """The whole panel as Markdown. `undelivered`: turns that were never posted because a stop came first."""
    parts = [f"# {TITLES[panel.format]}: {_one_line(panel.topic)}", _head(panel)]
    if panel.opened.options.context:
        parts.append(_context(panel))
    parts += _body(panel, undelivered)
    parts.append(_costs(panel))
    return "\n\n".join(part for part in parts if part) + "\n"


def day(at: float) -> str:
    """The UTC day and minute."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _head(panel: Panel) -> str:
    opened = panel.opened
    moderator = panel.moderator
    names = [s.persona.name for s in panel.seats if s.included and not s.moderates]
    lines = [
        f"- **Date:** {day(opened.at)}",
        f"- **Participants:** {', '.join(names)}",
        f"- **Topic:** {_one_line(panel.topic)}",
        f"- **Moderator:** {moderator.persona.name} ({opened.options.style})" if moderator else "- **Moderator:** none",
        f"- **Documents:** {', '.join(d.title for d in opened.documents) or 'none'}",
        f"- **Started by:** {opened.starter.name}",
    ]
    if not opened.model_is_ai:
        lines.append("- **Voices:** rehearsal: no AI")
    lines += [f"- **Note:** {note}" for note in (opened.topic_note, *opened.notes) if note]
    lines += [f"- **Left out:** {s.persona.name} ({s.reason})" for s in panel.seats if not s.included]
    return "\n".join(lines)


def _context(panel: Panel) -> str:
    options = panel.opened.options
    seconds = (panel.entries[-1].at - panel.opened.at) if panel.entries else 0.0
    rows = "\n".join(_participant(seat) for seat in panel.seats if seat.included)
    settings = (
        ", ".join(f"{key}: {value}" for key, value in options.model_dump(exclude_defaults=True).items()) or "defaults"
    )
    return (
        "## Context\n\n"
        f"- **Duration:** {seconds / 60:.1f} min\n- **Rounds:** {panel.round} of {panel.rounds_max}\n"
        f"- **Settings:** {settings}\n\n"
        "| name | provider | model | description |\n|---|---|---|---|\n" + rows
    )


def _participant(seat: Seat) -> str:
    provider, _, model = seat.model.partition(":")
    return f"| {seat.persona.name} | {provider} | {model} | {_cell(seat.persona.description)} |"


def _cell(text: str) -> str:
    return _one_line(text).replace("|", "\\|")


def _body(panel: Panel, undelivered: frozenset[int]) -> list[str]:
    parts: list[str] = []
    heading = ""
    humans = {human.seq: human for human in panel.humans}
    for entry in as_spoken(panel.entries):
        if isinstance(entry, Turn | Skipped) and (wanted := _heading(entry)):
            if wanted != heading:
                parts.append(wanted)
            heading = wanted
        if text := _entry(panel, entry, undelivered, humans):
            parts.append(text)
    return parts


def _heading(entry: Turn | Skipped) -> str:
    kind = entry.turn_kind
    if kind == "answer":
        return ""
    if kind in IN_CLOSING or entry.round == 0:
        return f"## {KIND_TITLES.get(kind, kind.title())}"
    title = KIND_TITLES.get(kind, "") if kind not in ("statement", "moderation") else ""
    return f"## Round {entry.round}" + (f": {title}" if title else "")


def _entry(panel: Panel, entry: AnyEntry, undelivered: frozenset[int], humans: Mapping[int, Human]) -> str:
    match entry:
        case Turn():
            return _turn(panel, entry, entry.seq in undelivered)
        case Skipped(withdrawn=False):
            return f"### {panel.name_of(entry.persona)}\n\n_Skipped: {_one_line(entry.reason)}_"
        case Human():
            current = humans.get(entry.seq)
            if current is None:
                return "### (a message that its author deleted)"
            edited = " (edited)" if current.edited else ""
            return f"### {current.author.name}{edited}\n\n{_demoted(current.text)}"
        case Directive():
            gone = " (withdrawn)" if entry.seq in panel.withdrawn else ""
            return f"> **Directive{gone}** from {entry.author.name}: {_one_line(entry.text)}"
        case Control():
            vain = " _(no effect)_" if entry.refused else ""
            return f"> **{entry.author.name}**: {_one_line(entry.text)}{vain}"
        case Event(name=name) if name not in ("ended",):
            return f"> _{name}: {_one_line(entry.reason)}_" if entry.reason else f"> _{name}_"
        case Decision():
            return f"> **Decision** by {entry.author.name}: {entry.choice}" + (
                f" ({entry.reason})" if entry.reason else ""
            )
    return ""


def _turn(panel: Panel, turn: Turn, withdrawn: bool) -> str:
    if not turn.text.strip():
        return ""
    if turn.persona == HOST and turn.turn_kind in ("synthesis", "digest"):
        head = ""
    else:
        head = f"### {panel.name_of(turn.persona)}\n\n"
    note = "\n\n_Withdrawn before it was posted._" if withdrawn else ""
    return f"{head}{_demoted(turn.text)}{note}{_marks(turn)}{_verbose(panel, turn)}"


def _marks(turn: Turn) -> str:
    failed = [check for check in turn.checks if check.result == "failed"]
    return "".join(f"\n\n_Check failed: {check.name}: {_one_line(check.detail)}_" for check in failed)


def _verbose(panel: Panel, turn: Turn) -> str:
    if not panel.opened.options.verbose:
        return ""
    cost = "n/a" if turn.cost_usd is None else f"${turn.cost_usd:.4f}"
    fence = "`" * max(3, _longest_fence(turn.prompt_head + turn.message) + 1)
    return (
        "\n\n<details><summary>Figures and prompt</summary>\n\n"
        f"{turn.model} · {turn.latency_ms} ms · {_tokens(turn.usage)} · {cost}\n\n"
        f"System prompt ({turn.prompt_chars} characters):\n\n{fence}text\n{turn.prompt_head}\n{fence}\n\n"
        f"Message:\n\n{fence}text\n{turn.message}\n{fence}\n\n</details>"
    )


def _longest_fence(text: str) -> int:
    longest = run = 0
    for character in text:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    return longest


def _demoted(text: str) -> str:
    """Speech in which no line is a heading of the document's own levels."""
    lines, fenced = [], False
    for line in text.strip().split("\n"):
        fenced = not fenced if line.lstrip().startswith("```") else fenced
        lines.append("\\" + line if not fenced and line.startswith("#") else line)
    return "\n".join(lines)


def _tokens(usage: Usage) -> str:
    return f"{usage.input + usage.cache_creation} in, {usage.cache_read} cached, {usage.output} out"


def _costs(panel: Panel) -> str:
    rows = [f"| {model} | {_row(usage, cost)} |" for model, usage, cost in per_model(panel)]
    total = _row(panel.usage, None if panel.unpriced and not panel.spent_usd else panel.spent_usd)
    note = "\n\nSome turns have no known price and count as zero." if panel.unpriced else ""
    head = "## Tokens and cost\n\n| model | input | cached input | output | cost |\n|---|---:|---:|---:|---:|\n"
    return head + "\n".join([*rows, f"| **total** | {total} |"]) + note


def _row(usage: Usage, cost: float | None) -> str:
    dollars = "n/a" if cost is None else f"${cost:.4f}"
    return f"{usage.input + usage.cache_creation} | {usage.cache_read} | {usage.output} | {dollars}"


def per_model(panel: Panel) -> Iterable[tuple[str, Usage, float | None]]:
    """(model, tokens, US dollars or None) of each model that spoke, sorted by name."""
    usage: dict[str, Usage] = {}
    cost: dict[str, float | None] = {}
    for entry in panel.entries:
        if not isinstance(entry, Opened | Turn | Skipped | Recap):
            continue
        if isinstance(entry, Opened):
            model = panel.opened.host_model if entry.usage != Usage() else ""
        else:
            model = entry.model
        if not model:
            continue
        usage[model] = usage.get(model, Usage()) + entry.usage
        before = cost.get(model, 0.0)
        cost[model] = None if before is None or entry.cost_usd is None else before + entry.cost_usd
    return [(model, usage[model], cost[model]) for model in sorted(usage)]
