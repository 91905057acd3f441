"""Dated notes: `context/<short-name>.json`, and the part of a portable file that carries them."""

from datetime import date, datetime, timedelta
from pathlib import Path

from bot.core.desk.dated import MAX_NOTE, MAX_NOTES
from bot.core.persona import Note
from personas.document import BadDocument
from personas.findings import Findings, shown
from personas.forms import SHORT_NAME
from personas.json_config import line_of, parsed_json
from personas.reading import Unreadable, text_of

MAX_NOTES_FILE = 256 * 1024


def notes_from(text: str, today: date, findings: Findings, first_line: int = 1) -> tuple[Note, ...]:
    """The notes that the JSON holds, in its order; each one that is wrong is a fault and left out."""
    try:
        items = parsed_json(text)
    except BadDocument as error:
        findings.fault(first_line - 1 + error.line, f"notes: {error}")
        return ()
    if not isinstance(items, list):
        findings.fault(first_line, 'notes must be a list of {"id": …, "text": …, "added": "YYYY-MM-DD"}')
        return ()
    if len(items) > MAX_NOTES:
        findings.fault(first_line, f"{len(items)} notes; at most {MAX_NOTES} are read, remove the oldest")
    kept: dict[str, Note] = {}
    for number, item in enumerate(items[:MAX_NOTES], 1):
        problem = _problem(item, today)
        note = None if problem else _note(item)
        if note is not None and note.id in kept:
            problem = "its id stands here twice; give it another"
        line = line_of(text, str(item["id"])) if isinstance(item, dict) and "id" in item else 1
        if problem:
            findings.fault(first_line - 1 + line, f"note {number}: {problem}")
        elif note is not None:
            kept[note.id] = note
    return tuple(kept.values())


def notes_in(
    folder: Path, label: str, known: set[str], today: date
) -> tuple[dict[str, tuple[Note, ...]], list[Findings]]:
    """The notes of a `context` folder by short name. Files of no known persona are read, but never at fault."""
    notes: dict[str, tuple[Note, ...]] = {}
    found: list[Findings] = []
    for path in sorted(folder.glob("*.json")):
        short_name = path.name.removesuffix(".json")
        if not SHORT_NAME.fullmatch(short_name):
            continue
        findings = Findings(f"{label}/{path.name}")
        try:
            kept = notes_from(text_of(path, folder, MAX_NOTES_FILE), today, findings)
        except Unreadable as error:
            findings.fault(0, str(error))
            kept = ()
        if short_name in known or not findings.faults:
            found.append(findings)
            notes[short_name] = kept
    return notes, found


def _note(item: object) -> Note | None:
    if not isinstance(item, dict):
        return None
    return Note(id=str(item["id"]).strip(), text=item["text"].strip(), added=item["added"].strip())


def _problem(item: object, today: date) -> str:
    if not isinstance(item, dict):
        return 'must be {"id": …, "text": …, "added": "YYYY-MM-DD"}'
    identity, text, added = item.get("id"), item.get("text"), item.get("added")
    if not isinstance(identity, str | int) or isinstance(identity, bool) or not str(identity).strip():
        return "has no 'id'; give it one"
    if not isinstance(text, str) or not text.strip():
        return "has no 'text'; write what is to be known"
    if len(text) > MAX_NOTE:
        return f"is {len(text)} characters long; at most {MAX_NOTE} fit, shorten it"
    if not isinstance(added, str):
        return "has no 'added'; write the date as YYYY-MM-DD"
    return _date_problem(added.strip(), today)


def _date_problem(added: str, today: date) -> str:
    try:
        day = datetime.fromisoformat(added).date()
    except ValueError:
        return f"'{shown(added)}' is no date; write YYYY-MM-DD"
    if day > today + timedelta(days=1):  # somewhere it is tomorrow already
        return f"is dated {day.isoformat()}, after today ({today.isoformat()}); correct 'added'"
    return ""
