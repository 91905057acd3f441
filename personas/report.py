"""What `personas check` says about a catalog folder."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from bot.core.starting.catalog import Catalog, summary
from personas.loader import load


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The report's lines, ready to print."""

    lines: tuple[str, ...]
    sound: bool
    """False where any file has a fault."""
    catalog: Catalog


def check(folder: str | Path, *, today: date) -> Report:
    """All faults of all files, then what was left out, kept or read liberally, then the summary.

    Raises CatalogError for a folder that is missing or holds no personas.
    """
    catalog = load(folder, today=today, strict=False)
    faults = [str(fault) for fault in catalog.faults]
    remarks = [f"{remark} (no fault)" for remark in catalog.remarks]
    return Report(lines=(*faults, *remarks, summary(catalog)), sound=not faults, catalog=catalog)
