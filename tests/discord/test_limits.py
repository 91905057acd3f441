"""Rate limits: kept to without a 429, heeded where one comes all the same, and one channel's stall is its own."""

import time
from dataclasses import replace

import aiohttp
import pytest
from discord.http import Route

from adapters.discord.client import addressed
from adapters.discord.one_shot import OneShot
from adapters.discord.pacing import Limits, Pacing, Queue, Window
from bot.core.errors import Throttled
from bot.core.fold import opened
from bot.core.panel import Panel
from bot.core.store import Query
from tests.contracts.platform import ADA, speech
from tests.discord.house import RealClock
from tests.discord.household import TIMING
from tests.discord.room import Room, room
from tests.discord.said import begun, named
from tests.fakes.clock import FakeClock
from tests.servers.discord import EXECUTE_WEBHOOK, SEND_MESSAGE, Fault, Limit

FASTER = 10
"""The limits of these tests are so many times as fast as Discord's."""
QUICK = Limits(
    webhook=(Window(count=5, seconds=2.0 / FASTER + 0.25), Window(count=30, seconds=60.0 / FASTER + 1.0)),
    bot=(Window(count=5, seconds=5.0 / FASTER + 0.25),),
)
"""With margins that are not as many times as small: this machine is not faster."""


def _limited(it: Room) -> None:
    limits = it.server.limits
    limits.channel_webhooks = Limit(count=30, seconds=60.0 / FASTER)
    limits.routes[EXECUTE_WEBHOOK] = Limit(count=5, seconds=2.0 / FASTER)
    limits.routes[SEND_MESSAGE] = Limit(count=5, seconds=5.0 / FASTER)


async def test_two_panels_of_one_channel_share_its_limits_without_a_429() -> None:
    """40 posts of two threads: 30 a minute in the hidden limit, 5 in two seconds in the told one."""
    async with room(clock=RealClock(), limits=QUICK, timing=replace(TIMING, settle=9.0)) as it:
        _limited(it)
        for number in range(2):
            options = {"topic": f"Topic {number}?", "rounds": 5}
            await it.server.slash("ann", "general", "panel discuss", options)
        await it.server.until(lambda: sum(bool(one.pinned_at) for one in it.server.platform.created) == 2, 60.0)
        posts = it.server.ledger.to(EXECUTE_WEBHOOK)

        assert sum(one.committed for one in posts) == 40
        assert it.server.ledger.refused(429) == []
        for panel in await _all(it):
            assert len(it.said(panel)) == len(panel.turns)


async def _all(it: Room) -> list[Panel]:
    panels = []
    for row in await it.store.summaries(Query(limit=10)):
        loaded = await it.store.load(row.id)
        panels.append(opened(row.id, loaded.place, loaded.entries))
    return panels


async def test_a_channel_whose_answers_hang_stalls_no_other() -> None:
    """The library would hold a lock per webhook, and sleep inside it."""
    async with room(clock=RealClock(), limits=QUICK) as it:
        guild = next(iter(it.server.platform.guilds.values()))
        it.server.text_channel(guild, "slow")
        await it.server.slash("ann", "slow", "panel discuss", {"topic": "Slow?", "rounds": 1})
        await it.server.until(lambda: it.server.webhooks("slow"))
        slow = it.server.webhooks("slow")[0].id
        it.server.faults.add(_hung(slow))
        began = time.monotonic()
        await it.server.slash("ann", "general", "panel discuss", {"topic": "Quick?", "rounds": 2})
        await it.until(lambda panel: panel.topic == "Quick?" and panel.status == "finished")

        assert time.monotonic() - began < 8.0


def _hung(webhook: int) -> Fault:
    return Fault(on=EXECUTE_WEBHOOK, times=None, delay_after=30.0, where=lambda call: call.id("webhook") == webhook)


async def test_a_429_that_came_all_the_same_is_waited_out_by_the_whole_channel() -> None:
    """The hidden limit says 40 seconds although posts remain; nothing was posted, and nothing is tried meanwhile."""
    async with begun() as (it, place):
        it.server.faults.limit(42.0)
        with pytest.raises(Throttled) as first:
            await it.platform.post(place, speech(2, ADA, "one"))
        with pytest.raises(Throttled) as second:
            await it.platform.post(place, speech(3, named("Bo", short_name="bo"), "two"))
        await it.clock.sleep(42.1)
        await it.platform.post(place, speech(2, ADA, "one"))

        assert first.value.retry_after == 42.0
        assert 40 < second.value.retry_after <= 42.0
        assert len(it.server.ledger.to(EXECUTE_WEBHOOK)) == 2


async def test_the_page_in_front_of_discord_is_not_hammered() -> None:
    """A 429 without `Via` is a ban; requests in it prolong it."""
    async with begun() as (it, place):
        it.server.faults.ban()
        for turn in (2, 3, 4):
            with pytest.raises(Throttled) as fault:
                await it.platform.post(place, speech(turn, ADA, f"turn {turn}"))
            assert fault.value.retry_after > 200

        assert len(it.server.ledger.to(EXECUTE_WEBHOOK)) == 1


async def test_without_a_connection_nothing_was_posted() -> None:
    """It may be tried again at once, so it is no post in doubt."""
    with addressed("http://127.0.0.1:1/api/v10"):
        async with aiohttp.ClientSession() as session:
            with pytest.raises(Throttled, match="can not be reached"):
                await OneShot().request(Route("POST", "/webhooks/1/token"), session, payload={"content": "hi"})


async def test_what_discord_says_of_its_window_counts_more_than_our_own_count() -> None:
    """Another process may have used it up."""
    clock = FakeClock()
    pacing, windows = Pacing(clock), (Window(count=5, seconds=2.0),)
    pacing.learn("hook", windows, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "7.5"})
    with pytest.raises(Throttled) as fault:
        await pacing.turn("hook", "a", windows)

    assert fault.value.retry_after == 7.5


def test_a_queue_gives_moments_first_come_first_served() -> None:
    """Whoever was told to wait keeps the moment until then, whoever else comes."""
    queue = Queue((Window(count=2, seconds=10.0),))
    now = 100.0

    assert [queue.wait(key, now) for key in "ab"] == [0.0, 0.0]
    assert [queue.wait(key, now) for key in "cde"] == [10.0, 10.0, 20.0]
    assert queue.wait("e", now + 10.0) == 10.0
    assert queue.wait("c", now + 10.0) == 0.0
    assert queue.wait("f", now + 10.0) == 10.0


def test_no_window_ever_holds_more_than_its_count() -> None:
    """Over a thousand posts that come as they like."""
    windows = (Window(count=5, seconds=2.3), Window(count=30, seconds=61.0))
    queue, now, sent = Queue(windows), 0.0, list[float]()
    for number in range(1000):
        now += 0.1 if number % 7 else 3.0
        key, wait = str(number), 0.0
        while (wait := queue.wait(key, now)) > 0:
            now += wait
        sent.append(now)

    for window in windows:
        for first, last in zip(sent, sent[window.count :], strict=False):
            assert last - first >= window.seconds - 1e-9
