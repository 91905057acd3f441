"""The report of a review, and the values behind it: what became of the verdicts, who dissents, where the record is."""

from typing import Any, cast

from bot.core.formats.answer import Attributed, lines_of
from bot.core.formats.answers_review import Coordinated, ReviewVerdict
from bot.core.formats.consolidation import COORDINATOR, GATE, QUORUM, Consolidated, consolidated, majority, tally
from bot.core.formats.format import Written
from bot.core.formats.grounding import grounding_diff
from bot.core.formats.verdicts import MISSING, missing, verdict_of, verdicts_in
from bot.core.panel import Panel
from bot.core.records.record import file_stem
from bot.core.words import shortened

EXTRA_CALL = "coordinator-summary takes one more model call than the other modes."
NO_COORDINATOR = "_Consolidated by rule: no coordinator's verdict could be used._"
EXCERPT = 24
"""Words of a rationale in the table."""


def verdicts_of(panel: Panel) -> dict[str, ReviewVerdict]:
    """The verdict that counts for each persona, in roster order; a missing one counts as a fail."""
    spoken = verdicts_in(panel, 1)
    names = [seat.persona.short_name for seat in panel.speakers(1)]
    return {name: cast(ReviewVerdict, verdict_of(spoken[name])) if name in spoken else "fail" for name in names}


def reported(panel: Panel, coordinator: Coordinated | None = None) -> Written:
    """The report with its values, which are the record's `consolidation`."""
    options = panel.opened.options
    final = consolidated(
        options.mode,
        list(verdicts_of(panel).values()),
        quorum=options.quorum,
        threshold=options.threshold,
        coordinator=coordinator.verdict if coordinator else None,
    )
    values = _values(panel, final)
    return Written(text=_text(panel, values, coordinator), data=values)


def _values(panel: Panel, final: Consolidated) -> dict[str, Any]:
    options, verdicts = panel.opened.options, verdicts_of(panel)
    count = tally(list(verdicts.values()))
    return {
        "mode": options.mode,
        "quorum": (options.quorum or majority(len(verdicts))) if options.mode == QUORUM else None,
        "threshold": (options.threshold or len(verdicts)) if options.mode == GATE else None,
        "final_verdict": final.verdict,
        "pass_count": count.passes,
        "fail_count": count.fails,
        "warn_count": count.warns,
        "dissenting_personas": _dissent(panel, final.verdict),
        "audit_reason": final.why,
        "aggregator_warning": EXTRA_CALL if options.mode == COORDINATOR else None,
        "grounding_diff": _grounding(panel) if options.grounding == "re-derive" else None,
    }


def _dissent(panel: Panel, final: str) -> list[dict[str, str]]:
    """Everybody who differs from the final verdict, with the reason; those without a verdict always."""
    spoken, lost = verdicts_in(panel, 1), missing(panel, 1)
    rows = []
    for name, verdict in verdicts_of(panel).items():
        if name in lost:
            rows.append({"name": name, "verdict": verdict, "reason": MISSING})
        elif verdict != final:
            rows.append({"name": name, "verdict": verdict, "reason": _rationale(spoken[name].data)})
    return rows


def _grounding(panel: Panel) -> dict[str, Any]:
    reports = [
        [str(source.get("path", "")) for source in (turn.data or {}).get("derived_sources", [])]
        for turn in verdicts_in(panel, 1).values()
    ]
    return grounding_diff(panel.opened.documents, reports)


def _rationale(data: dict[str, Any] | None) -> str:
    return " ".join(str((data or {}).get("rationale", "")).split())


def _text(panel: Panel, values: dict[str, Any], coordinator: Attributed | None) -> str:
    parts = [
        _head(panel, values),
        _counts(values),
        _table(panel),
        _dissent_lines(panel, values),
        _grounding_lines(values["grounding_diff"]),
        f"Record: `{file_stem(panel)}.json`, kept with the panel and attached where files can be.",
    ]
    if isinstance(coordinator, Coordinated):
        parts.insert(2, f"**Coordinator:** {' '.join(coordinator.reason.split())}")
    elif values["mode"] == COORDINATOR:
        parts.insert(2, NO_COORDINATOR)
    return "\n\n".join(part for part in parts if part)


def _head(panel: Panel, values: dict[str, Any]) -> str:
    target = panel.opened.documents[0].title if panel.opened.documents else panel.topic
    lines = f", lines {panel.opened.options.lines}" if panel.opened.options.lines else ""
    names = ", ".join(seat.persona.name for seat in panel.speakers(1))
    need = values["quorum"] or values["threshold"]
    mode = f"{values['mode']}{f' ({need} passes needed)' if need else ''}"
    return f"- **Target:** {_one_line(target)}{lines}\n- **Personas:** {names}\n- **Mode:** {mode}"


def _counts(values: dict[str, Any]) -> str:
    counts = f"{values['pass_count']} pass / {values['fail_count']} fail / {values['warn_count']} warn"
    line = f"Consolidation ({values['mode']}): {counts} — Final: **{values['final_verdict']}**"
    return f"{line}\n\n{values['audit_reason'][:1].upper()}{values['audit_reason'][1:]}."


def _table(panel: Panel) -> str:
    spoken, lost = verdicts_in(panel, 1), missing(panel, 1)
    rows = ["| persona | tier | verdict | rationale |", "|---|---|---|---|"]
    for seat in panel.speakers(1):
        name = seat.persona.short_name
        verdict = "fail" if name in lost else verdict_of(spoken[name])
        why = f"{MISSING}: {lost[name]}" if name in lost else _rationale(spoken[name].data)
        cells = (seat.persona.name, seat.persona.tier, verdict, shortened(why, EXCERPT))
        rows.append(f"| {' | '.join(_cell(cell) for cell in cells)} |")
    return "\n".join(rows)


def _dissent_lines(panel: Panel, values: dict[str, Any]) -> str:
    rows = values["dissenting_personas"]
    if not rows:
        return "**Dissent:** none"
    lines = (f"{panel.name_of(row['name'])} ({row['verdict']}): {shortened(row['reason'], 60)}" for row in rows)
    return lines_of("Dissent", tuple(lines))


def _grounding_lines(diff: dict[str, Any] | None) -> str:
    if diff is None:
        return ""
    return lines_of(
        "Grounding (it moves no verdict)",
        (
            f"Not confirmed: {', '.join(diff['unconfirmed_author_sources']) or 'none'}",
            f"Newly found: {', '.join(diff['newly_derived']) or 'none'}",
            f"Personas that reported: {diff['personas_reporting']}",
        ),
    )


def _cell(text: str) -> str:
    return _one_line(text).replace("|", "\\|")


def _one_line(text: str) -> str:
    return " ".join(text.split())
