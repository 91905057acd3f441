"""Hostile texts cost their sender a sentence, and nobody else any time."""

import asyncio
import time
from typing import Any

import pytest

from bot.core.desk.answer import AttachedText
from bot.core.errors import PanelistError, PersonaFileError
from personas.contract_rules import canonical
from tests.core.desk.room import ADA, ADMIN, HERE, Workspace
from tests.personas.test_contracts import SLOW_TO_COMPILE

HOSTILE = ADA.replace("tier: custom", f"tier: custom\noutput_contract: {canonical(SLOW_TO_COMPILE)}")


async def longest_pause(until: "asyncio.Task[Any]") -> float:
    """Seconds that the event loop was held up at most, while that went on."""
    longest, before = 0.0, time.monotonic()
    while not until.done():
        await asyncio.sleep(0.01)
        now = time.monotonic()
        longest, before = max(longest, now - before), now
    return longest


async def test_a_hostile_contract_is_refused_and_the_loop_runs_on() -> None:
    """Within its two seconds; others are answered meanwhile."""
    workspace = Workspace()
    await workspace.ask("personas")
    adding = asyncio.ensure_future(workspace.ask("persona add", attached=(AttachedText(name="ada.md", text=HOSTILE),)))
    others = asyncio.ensure_future(workspace.ask("persona show sam"))
    paused = await longest_pause(adding)

    assert paused < 0.5
    assert "Cranky Old Sam" in (await others).text
    with pytest.raises(PersonaFileError, match="did not compile within 2 s"):
        await adding


async def test_a_hostile_contract_on_the_shelf_is_paid_for_once() -> None:
    """However it came there: the personas beside it stay, and the next look costs nothing."""
    workspace = Workspace()
    await workspace.shelf.put("W", "persona", "ada.md", HOSTILE, ADMIN, 1.0)
    await workspace.shelf.put("W", "persona", "bo.md", ADA.replace("Ada", "Bo"), ADMIN, 1.0)
    loading = asyncio.ensure_future(workspace.catalogs.of(HERE))
    paused = await longest_pause(loading)
    began = time.monotonic()
    again = await workspace.catalogs.of(HERE)

    assert time.monotonic() - began < 0.5
    assert paused < 0.5
    assert again.persona("bo") is not None
    assert [failed.file for failed in again.failed] == ["ada.md"]


@pytest.mark.parametrize(
    "text",
    [
        "---\nname: Ada\nx: &a [1]\n" + "".join(f"y{n}: *a\n" for n in range(9000)) + "---\n\nx",
        "---\nname: Ada\n" + "".join(f"{'  ' * n}a:\n" for n in range(200)) + "---\n\nx",
        "---\n" + "- x\n" * 30_000 + "---\n\nx",
        "---\nname: Ada\ntags: [" + "x," * 20_000 + "]\n---\n\nx",
        "---\nname: Ada\ntier: custom\n",
        "---\n" + "\0" + "\n---\n\nx",
        "---\nname: " + "A" * 70_000 + "\n---\n\nx",
        "x" * 600_000,
        "\ud800",
        "---\nname: !!python/object:os.system x\n---\n\nx",
    ],
    ids=["aliases", "depth", "list", "tags", "no end", "nul", "long name", "long", "half", "tag"],
)
async def test_texts_that_mean_harm_are_one_refusal(text: str) -> None:
    """Quickly, and nothing is kept."""
    workspace = Workspace()
    began = time.monotonic()
    with pytest.raises(PanelistError):
        await workspace.ask("persona add Ada", attached=(AttachedText(name="../../etc/ada.md", text=text),))

    assert time.monotonic() - began < 2
    assert await workspace.shelf.names("W", "persona") == ()


@pytest.mark.parametrize("name", ["../../etc/passwd.md", "C:\\x.md", "\u202edm.ada", "a" * 300 + ".md", "", "…"])
async def test_a_files_name_is_only_a_hint(name: str) -> None:
    """What is kept has a short name of ours."""
    workspace = Workspace()
    await workspace.ask("persona add", attached=(AttachedText(name=name, text=ADA),))
    (kept,) = await workspace.shelf.names("W", "persona")

    assert kept.removesuffix(".md").replace("-", "").isalnum()
    assert len(kept) <= 43
