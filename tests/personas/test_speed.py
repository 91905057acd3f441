"""Loading is linear: ratios, never seconds."""

import json
import time
from pathlib import Path

from personas.loader import load
from tests.personas.catalogs import TODAY, own, written

BODY = "\n\n".join(f"## Part {part}\n\n" + "I count before I trust, and I say so. " * 12 for part in range(6))


def folder_of(folder: Path, count: int) -> Path:
    """That many personas, each with a contract of its own, as a real catalog would have at worst."""
    files: dict[str, str | bytes] = {}
    for number in range(count):
        fields = {f"score_{number}": {"type": "integer"}, "why": {"type": "string", "maxLength": 500}}
        contract = json.dumps({"type": "object", "required": ["verdict"], "properties": fields})
        front = f"output_contract: {contract}\nevaluation_criteria: [Sums add up, Sources are named]"
        files[f"p-{number}.md"] = own(front, BODY).replace("name: Ada", f"name: Person {number}")
    return written(folder, files)


def seconds(folder: Path) -> float:
    """The better of two runs."""
    times: list[float] = []
    for _ in range(2):
        started = time.perf_counter()
        load(folder, today=TODAY)
        times.append(time.perf_counter() - started)
    return min(times)


def test_five_hundred_personas_take_ten_times_as_long_as_fifty(tmp_path: Path) -> None:
    """Twice the ratio of the counts is allowed for noise; quadratic work would be a hundredfold."""
    small = seconds(folder_of(tmp_path / "small", 50))
    large = seconds(folder_of(tmp_path / "large", 500))

    assert large / small < 20


def test_broken_catalog_costs_no_more_than_a_sound_one(tmp_path: Path) -> None:
    """Twenty files of thousands of unknown keys each are told in bounded time and words."""
    keys = "\n".join(f"key_{number}: value" for number in range(3000))
    files: dict[str, str | bytes] = {
        f"p-{number}.md": own(keys).replace("name: Ada", f"name: P{number}") for number in range(20)
    }
    catalog = load(written(tmp_path, files), today=TODAY, strict=False)

    assert len(catalog.faults) == 20 * 21
