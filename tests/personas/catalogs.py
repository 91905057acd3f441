"""Catalog folders written for a test."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path

from bot.core.errors import Fault
from bot.core.persona import Persona
from bot.core.starting.catalog import Catalog
from personas.loader import load

TODAY = date(2026, 5, 20)

OWN = """\
---
name: Ada
tier: domain-expert
tags: [security, cost]
---

I count before I trust.
"""


def written(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """The folder with these files in it, parents made."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def loaded(folder: Path, files: Mapping[str, str | bytes], *, strict: bool = True) -> Catalog:
    """The catalog that these files make."""
    return load(written(folder, files), today=TODAY, strict=strict)


def one(folder: Path, file: str, content: str | bytes) -> Persona:
    """The only persona of a catalog of one file."""
    (persona,) = loaded(folder, {file: content}).personas
    return persona


def faults(folder: Path, files: Mapping[str, str | bytes]) -> tuple[Fault, ...]:
    """Every fault of these files."""
    return loaded(folder, files, strict=False).faults


def own(front: str, body: str = "I count before I trust.") -> str:
    """A file in our own form with these further lines of front matter."""
    return f"---\nname: Ada\ntier: custom\n{front}\n---\n{body}\n"
