"""`kill -9` at any instant: no finished turn is lost, none is said twice, none under another's name."""

import asyncio
import random
from pathlib import Path

import pytest

from adapters.discord.markup import plain, rendered
from bot.core.fold import opened
from bot.core.panel import Panel
from bot.core.store import Query
from storage.opening import open_store
from tests.discord.house import stage
from tests.discord.room import speaks
from tests.discord.victim import killed, serving, started
from tests.servers.discord import DiscordServer


async def _panels(home: Path) -> list[Panel]:
    store = await open_store(f"sqlite:///{home}/panelist.db")
    try:
        rows = await store.summaries(Query(limit=100))
        loaded = [(row.id, await store.load(row.id)) for row in rows]
        return [opened(panel, it.place, it.entries) for panel, it in loaded]
    finally:
        await store.close()


def _check(server: DiscordServer, panel: Panel) -> None:
    """The thread says what the log says: each turn once, in order, in its own name."""
    said = [one for one in server.posts(int(panel.place.thread)) if speaks(one)]
    names = {seat.persona.short_name: seat.persona.name for seat in panel.seats}
    wanted = [turn for turn in panel.turns if turn.text]

    assert len(said) == len(wanted), panel.id
    for post, turn in zip(said, wanted, strict=True):
        assert names.get(turn.persona, server.platform.app.bot.name) in post.author.name
        assert plain(rendered(turn.text, frozenset())) == plain(post.content)


async def _kill_often(home: Path, *, kills: int, channels: int, rounds: int, seed: int) -> list[Panel]:
    """Panels in several channels, and the bot killed so often before they may finish."""
    chance = random.Random(seed)
    async with stage() as server:
        guild = next(iter(server.platform.guilds.values()))
        names = [server.text_channel(guild, f"room-{number}").name for number in range(channels)]
        process = await started(server, home)
        for number, name in enumerate(names):
            await server.slash("ann", name, "panel discuss", {"topic": f"Topic {number}?", "rounds": rounds})
        for _ in range(kills):
            await asyncio.sleep(chance.uniform(0.05, 2.5))
            await killed(process)
            process = await started(server, home)
        await killed(process)
        async with serving(server, home):
            panels = await _finished(home, rounds * 20.0 + 60.0)
        for panel in panels:
            _check(server, panel)
        assert len(panels) == channels
        assert len([one for one in server.platform.created if one.components and not one.visible_to]) == channels
        return panels


async def _finished(home: Path, seconds: float) -> list[Panel]:
    """All panels, once all have finished."""
    for _ in range(int(seconds)):
        panels = await _panels(home)
        if all(panel.status == "finished" for panel in panels):
            return panels
        await asyncio.sleep(1.0)
    raise AssertionError([(panel.id, panel.status, panel.reason, len(panel.turns)) for panel in panels])


async def test_two_kills_lose_and_double_nothing(tmp_path: Path) -> None:
    """The short form of the soak; the process is `panelist run` itself."""
    panels = await _kill_often(tmp_path, kills=2, channels=2, rounds=1, seed=7)

    assert all(panel.status == "finished" for panel in panels)


@pytest.mark.soak
@pytest.mark.timeout(2400)
async def test_a_hundred_kills_lose_and_double_nothing(tmp_path: Path) -> None:
    """In a hundred places, with ten panels under way."""
    panels = await _kill_often(tmp_path, kills=100, channels=10, rounds=30, seed=11)

    assert sum(len(panel.turns) for panel in panels) >= 1200
