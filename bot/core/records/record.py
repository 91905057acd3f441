"""The record: a panel as one JSON document, for programs and auditors. One shape for all four formats."""

from datetime import UTC, datetime
from typing import Any

from bot.core.entries import Control, Directive, Event, Human, Skipped, StatusChanged, Turn
from bot.core.formats.verdicts import MISSING, errors_in, missing, standing
from bot.core.measured import Usage
from bot.core.panel import Panel
from bot.core.persona import HOST
from bot.core.records.consolidation_record import consolidation_of
from bot.core.store import Delivery
from bot.core.words import words

EVENTS = {"paused": "paused", "running": "resumed", "stopped": "stopped", "failed": "failed", "waiting": "waiting"}


def record(
    panel: Panel, deliveries: tuple[Delivery, ...], *, transcript_path: str = "", record_path: str = ""
) -> dict[str, Any]:
    """The panel's record; paths are relative to the home folder."""
    opened = panel.opened
    return {
        "run_id": panel.id,
        "panel_id": panel.id,
        "format": panel.format,
        "topic": panel.topic,
        "status": panel.status,
        "reason": panel.reason if panel.status != "finished" else None,
        "started": stamp(opened.at),
        "ended": stamp(panel.entries[-1].at) if panel.status in ("finished", "stopped", "failed") else None,
        "rounds_done": rounds_done(panel),
        "rounds_max": panel.rounds_max,
        "target": _target(panel),
        "roster": _roster(panel),
        "personas_invoked": _invoked(panel),
        "outputs": _outputs(panel),
        "turns": _turns(panel, deliveries),
        "humans": _humans(panel),
        "directives": _directives(panel),
        "synthesis": _synthesis(panel),
        "consolidation": consolidation_of(panel),
        "steering": [
            {"seq": c.seq, "at": stamp(c.at), "author": c.author.name, "word": c.word, "text": c.text}
            for c in panel.controls
        ],
        "decision": _decision(panel),
        "budget": {"max_cost": panel.max_cost, "spent_usd": round(panel.spent_usd, 6), "unpriced": panel.unpriced},
        "forecast": _forecast(panel),
        "tool_calls": [
            {"seq": turn.seq, "persona": turn.persona, **call.model_dump()}
            for turn in panel.turns
            for call in turn.tool_calls
        ],
        "usage": panel.usage.model_dump(),
        "cost_usd": round(panel.spent_usd, 6),
        "model_is_ai": opened.model_is_ai,
        "transcript_path": transcript_path or panel.artifacts.get("transcript"),
        "record_path": record_path or panel.artifacts.get("record"),
        "events": _events(panel),
        "options": opened.options.model_dump(),
    }


def stamp(at: float) -> str:
    """ISO 8601, UTC, to the millisecond."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def file_stem(panel: Panel) -> str:
    """`YYYY-MM-DDTHH-MM-SSZ-<run id>`, from the panel's start."""
    return f"{datetime.fromtimestamp(panel.opened.at, UTC):%Y-%m-%dT%H-%M-%SZ}-{panel.id}"


def rounds_done(panel: Panel) -> int:
    """How many rounds are complete: the newest one counts once something came after it or everybody spoke."""
    if panel.round == 0:
        return 0
    spoke = {turn.persona for turn in panel.turns_in(panel.round)}
    spoke |= {skip.persona for skip in panel.skipped_in(panel.round)}
    everybody = {seat.persona.short_name for seat in panel.speakers(panel.round)}
    return panel.round if everybody <= spoke or panel.closing else panel.round - 1


def _forecast(panel: Panel) -> dict[str, Any] | None:
    """What was expected, and how far it was off: 0.1 where the panel cost a tenth more than that."""
    expected = panel.opened.forecast
    if expected is None:
        return None
    known = expected.cost_usd and not panel.unpriced
    off = round(panel.spent_usd / expected.cost_usd - 1, 4) if known and expected.cost_usd else None
    return {**expected.model_dump(), "cost_off_by": off, "turns_off_by": len(panel.turns) - expected.turns}


def _target(panel: Panel) -> dict[str, Any] | None:
    if not panel.opened.documents:
        return None
    document = panel.opened.documents[0]
    return {
        "key": document.key,
        "kind": document.kind,
        "title": document.title,
        "bytes": document.bytes,
        "sha256": document.sha256,
    }


def _roster(panel: Panel) -> list[dict[str, Any]]:
    errored = errors_in(panel)
    rows = []
    for seat in panel.seats:
        short = seat.persona.short_name
        state = panel.state_of(short, panel.round + 1)
        if state == "ok" and short in errored:
            state = "errored"
        rows.append(
            {
                "name": seat.persona.name,
                "short_name": short,
                "included": seat.included,
                "reason": seat.reason,
                "state": "ok" if state == "excluded" else state,
                "moderates": seat.moderates,
                "tier": seat.persona.tier,
            }
        )
    return rows


def _invoked(panel: Panel) -> list[dict[str, Any]]:
    rows = []
    for seat in panel.seats:
        spoken = [t for t in panel.turns if t.persona == seat.persona.short_name]
        tried = [s for s in panel.skipped if s.persona == seat.persona.short_name and s.model]
        if not spoken and not tried:
            continue
        usage = sum([t.usage for t in spoken] + [s.usage for s in tried], Usage())
        model = (spoken or tried)[-1].model or seat.model
        starts = [t.at - t.latency_ms / 1000 for t in spoken] or [tried[0].at]
        rows.append(
            {
                "name": seat.persona.short_name,
                "version": seat.persona.version,
                "model": model,
                "prompt_hash": seat.persona.prompt_hash(model),
                "timestamp_start": stamp(min(starts)),
                "timestamp_end": stamp(max(entry.at for entry in (*spoken, *tried))),
                "token_usage": usage.model_dump(),
            }
        )
    return rows


def _outputs(panel: Panel) -> list[dict[str, Any]]:
    """Each persona's last verdict, in a review or council, and in a review those that count as fails; else empty."""
    if panel.format not in ("review", "council"):
        return []
    rows = {name: _output(name, turn.data or {}) for name, turn in standing(panel, panel.round).items()}
    if panel.format == "review" and panel.closing:
        for name, why in missing(panel, 1).items():
            rows[name] = _output(name, {"verdict": "fail", "rationale": f"{MISSING}: {why}"})
    return list(rows.values())


def _output(name: str, data: dict[str, Any]) -> dict[str, Any]:
    empty: dict[str, Any] = {
        "verdict": None,
        "rationale": "",
        "recommendations": [],
        "findings": [],
        "evidence": [],
        "derived_sources": [],
        "extra": {},
    }
    return {"persona_name": name, **{key: data.get(key, default) for key, default in empty.items()}}


def _turns(panel: Panel, deliveries: tuple[Delivery, ...]) -> list[dict[str, Any]]:
    posts: dict[int, list[Delivery]] = {}
    for delivery in deliveries:
        posts.setdefault(delivery.turn, []).append(delivery)
    rows = [_turn(turn, posts.get(turn.seq, [])) for turn in panel.turns]
    rows += [_skip(skip) for skip in panel.skipped]
    return sorted(rows, key=lambda row: int(row["seq"]))


def _turn(turn: Turn, posts: list[Delivery]) -> dict[str, Any]:
    posts = sorted(posts, key=lambda post: post.part)
    if posts and all(post.ext_id for post in posts):
        status = "posted"
    elif any(post.withdrawn for post in posts):
        status = "withdrawn"
    else:
        status = "pending"
    return {
        "seq": turn.seq,
        "round": turn.round,
        "kind": turn.turn_kind,
        "persona": turn.persona,
        "text": turn.text,
        "status": status,
        "post_id": next((post.ext_id for post in posts if post.ext_id), None),
        "words": words(turn.text),
        "usage": turn.usage.model_dump(),
        "cost_usd": turn.cost_usd,
        "model": turn.model,
        "latency_ms": turn.latency_ms,
        "checks": [check.model_dump() for check in turn.checks],
        "reason": None,
    }


def _skip(skip: Skipped) -> dict[str, Any]:
    return {
        "seq": skip.seq,
        "round": skip.round,
        "kind": skip.turn_kind,
        "persona": skip.persona,
        "text": "",
        "status": "skipped",
        "post_id": None,
        "words": 0,
        "usage": skip.usage.model_dump(),
        "cost_usd": skip.cost_usd,
        "model": skip.model,
        "latency_ms": 0,
        "checks": [],
        "reason": skip.reason,
    }


def _humans(panel: Panel) -> list[dict[str, Any]]:
    kinds = {"human": "contribution", "directive": "directive", "control": "control"}
    current = {human.seq: human.text for human in panel.humans}
    rows = []
    for entry in panel.entries:
        if isinstance(entry, Human | Directive | Control):
            text = current.get(entry.seq, "") if isinstance(entry, Human) else entry.text
            rows.append({"seq": entry.seq, "author": entry.author.name, "text": text, "taken_as": kinds[entry.kind]})
    return rows


def _directives(panel: Panel) -> list[dict[str, Any]]:
    return [
        {"text": d.text, "author": d.author.name, "since_seq": d.seq, "withdrawn": d.seq in panel.withdrawn}
        for d in panel.directives
    ]


def _synthesis(panel: Panel) -> dict[str, Any] | None:
    turn = next((t for t in reversed(panel.turns) if t.turn_kind == "synthesis" and t.persona == HOST), None)
    if turn is None:
        return None
    checks = [check.model_dump() for check in turn.checks]
    return {"text": turn.text, "deterministic": turn.deterministic, "checks": checks}


def _decision(panel: Panel) -> dict[str, Any] | None:
    if not panel.decisions:
        return None
    rows = [
        {"choice": d.choice, "reason": d.reason, "author": d.author.name, "at": stamp(d.at)} for d in panel.decisions
    ]
    return {**rows[-1], "history": rows}


def _events(panel: Panel) -> list[dict[str, Any]]:
    rows = []
    for entry in panel.entries:
        if isinstance(entry, StatusChanged) and entry.status in EVENTS:
            rows.append({"at": stamp(entry.at), "name": EVENTS[entry.status], "reason": entry.reason})
        elif isinstance(entry, Event):
            rows.append({"at": stamp(entry.at), "name": entry.name, "reason": entry.reason})
        elif isinstance(entry, Skipped):
            name = "cancelled" if entry.withdrawn else "skipped"
            rows.append({"at": stamp(entry.at), "name": name, "reason": f"{entry.persona}: {entry.reason}"})
    return rows
