"""kill -9 and SIGSTOP at random instants: no turn is lost, none is posted twice, none out of order.

`make soak` runs the long form; SOAK_SEED and SOAK_KILLS choose another chance and another length.
"""

import os
from pathlib import Path

import pytest

from tests.survival.soak import Soak, Stroke, Tally, soaked

SEED = int(os.environ.get("SOAK_SEED", "20261130"))
KILLS = int(os.environ.get("SOAK_KILLS", "100"))


async def _sound(folder: Path, stroke: Stroke, *, strokes: int, workers: int, seed: int = SEED) -> Tally:
    tally = await soaked(folder, seed=seed, strokes=strokes, workers=workers, stroke=stroke)
    print(f"\nseed {seed}, {stroke.__name__}: {tally}")
    assert (tally.lost, tally.doubled, tally.disordered, tally.unfinished) == ([], [], [], []), str(tally)
    assert tally.posts > tally.panels
    return tally


async def test_a_few_kills_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    """The short form: one worker, killed again and again."""
    await _sound(tmp_path, Soak.kill, strokes=8, workers=1)


async def test_a_few_zombies_double_nothing(tmp_path: Path) -> None:
    """The short form: of two workers, one is frozen, loses its panels, and wakes up."""
    await _sound(tmp_path, Soak.freeze, strokes=3, workers=2)


@pytest.mark.soak
@pytest.mark.timeout(1500)
async def test_a_hundred_kills_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    """The long form: one worker, killed again and again while panels run."""
    await _sound(tmp_path, Soak.kill, strokes=KILLS, workers=1)


@pytest.mark.soak
@pytest.mark.timeout(1500)
async def test_a_hundred_kills_among_two_workers(tmp_path: Path) -> None:
    """Two workers share the panels; the survivor takes over what the killed one had."""
    await _sound(tmp_path, Soak.kill, strokes=KILLS, workers=2, seed=SEED + 1)


@pytest.mark.soak
@pytest.mark.timeout(1500)
async def test_a_hundred_zombies_double_nothing(tmp_path: Path) -> None:
    """The long form: frozen for longer than a process may be silent, then woken up."""
    await _sound(tmp_path, Soak.freeze, strokes=KILLS, workers=2, seed=SEED + 2)
