"""Discord, on a loopback stand-in with the real library: `python -m benchmarks discord`."""

import asyncio
import statistics
import time
from dataclasses import dataclass

from adapters.discord.markup import plain, rendered
from adapters.discord.pacing import Limits, Window
from bot.core.fold import opened
from bot.core.panel import Panel
from bot.core.store import Query
from bot.core.timing import Timing
from tests.discord.house import RealClock, stage
from tests.discord.room import Room, build, lives, room
from tests.servers.discord import EXECUTE_WEBHOOK, SEND_MESSAGE, Limit

PANELS = 200
TURN_SECONDS = 5.0
FIRST_MS, STOP_SECONDS = 300.0, 1.0
UNPACED = Limits(webhook=(Window(count=10_000, seconds=1.0),), bot=(Window(count=10_000, seconds=1.0),))
"""For benches of something else: with the real pace 200 panels of one server would need an hour."""
TIMING = Timing(settle=6.0, poll=0.2, beat=1.0, stale=5.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the bench, and whether it reaches what it must."""

    text: str
    reached: bool


def main() -> int:
    """Print every line; 0 where all reach what they must."""
    found = asyncio.run(lines())
    for line in found:
        print(f"{'ok  ' if line.reached else 'MISS'} {line.text}")
    return 0 if all(line.reached for line in found) else 1


async def lines() -> list[Line]:
    """Every line of the bench."""
    return [*await responses(), await doubts(), await pacing(), await missed()]


async def responses() -> list[Line]:
    """First responses to interactions, and stop to silence, while 200 panels run whose model takes 5 s a turn."""
    async with room(clock=RealClock(), delay=TURN_SECONDS, limits=UNPACED, timing=TIMING) as it:
        guild = next(iter(it.server.platform.guilds.values()))
        names = [it.server.text_channel(guild, f"room-{number}").name for number in range(PANELS)]
        firsts = [await _asked(it, name) for name in names]
        rows = await _running(it)
        for number in range(200):
            card = next(one for one in it.server.platform.created if rows[number % len(rows)].id in str(one.components))
            pressed = await it.server.press("ann", card, "Pause" if number % 2 else "Steer…")
            firsts.append(_ms(pressed.answered_after))
            suggested = time.monotonic()
            await it.server.autocomplete("ann", names[number % PANELS], "panel discuss", "with", "eng")
            firsts.append((time.monotonic() - suggested) * 1000)
        silence = [await _silence(it, panel) for panel in rows[:20]]
    worst = statistics.quantiles(firsts, n=100)[98]
    text = (
        f"first response, {len(firsts)} interactions, {PANELS} panels running: p50 {statistics.median(firsts):.0f} ms"
    )
    return [
        Line(text=f"{text}, p99 {worst:.0f} ms (must: {FIRST_MS:.0f})", reached=worst <= FIRST_MS),
        Line(
            text=f"stop to silence: worst of {len(silence)} {max(silence):.2f} s (must: {STOP_SECONDS:.0f})",
            reached=max(silence) <= STOP_SECONDS,
        ),
    ]


async def doubts() -> Line:
    """A 5xx after the commit at every post of a 48-turn panel."""
    async with room() as it:
        it.server.faults.server_error(503, on=EXECUTE_WEBHOOK, times=None)
        it.server.faults.server_error(500, on=SEND_MESSAGE, times=None)
        await it.server.slash("ann", "general", "panel discuss", {"topic": "Shall we?", "rounds": 12})
        await it.until(lambda panel: len(panel.turns) >= 48, 120.0)
        it.server.faults.clear()
        panel = await it.ended(60.0)
        lost, doubled = _differences(it, panel)
    text = f"5xx after commit at every post of {len(panel.turns)} turns: {lost} lost, {doubled} doubled (must: 0, 0)"
    return Line(text=text, reached=not lost and not doubled)


async def pacing() -> Line:
    """Two panels in one channel under Discord's own limits, in real time."""
    async with stage() as server:
        server.limits.channel_webhooks = Limit(count=30, seconds=60)
        server.limits.routes[EXECUTE_WEBHOOK] = Limit(count=5, seconds=2)
        server.limits.routes[SEND_MESSAGE] = Limit(count=5, seconds=5)
        it = build(server, clock=RealClock(), timing=TIMING)
        async with lives(it):
            began = time.monotonic()
            for number in range(2):
                await server.slash("ann", "general", "panel discuss", {"topic": f"Topic {number}?", "rounds": 5})
            await server.until(lambda: sum(bool(one.pinned_at) for one in server.platform.created) == 2, 180.0)
            took = time.monotonic() - began
            refused = len(server.ledger.refused(429))
            wrong = [_differences(it, panel) for panel in await _panels(it)]
    posts = len(server.ledger.to(EXECUTE_WEBHOOK))
    text = f"pacing: {posts} webhook posts of 2 panels in one channel in {took:.0f} s, {refused} times 429 (must: 0)"
    return Line(text=text, reached=not refused and not any(any(pair) for pair in wrong))


async def missed() -> Line:
    """500 messages while nobody listened."""
    async with room(delay=0.02) as it:
        await it.server.slash("ann", "general", "panel discuss", {"topic": "Shall we?", "rounds": 12})
        panel = await it.until(lambda state: state.turns and state.place.thread)
        thread = int(panel.place.thread)
        it.server.say("ann", thread, "pause")
        await it.until(lambda state: state.status == "paused")
        it.server.gateway.forget()
        it.server.gateway.drop()
        for number in range(500):
            it.server.say("ann" if number % 2 else "ben", thread, f"Missed {number}.")
        began = time.monotonic()
        state = await it.until(lambda state: len(state.humans) >= 500, 120.0)
        took = time.monotonic() - began
        right = [human.text for human in state.humans] == [f"Missed {n}." for n in range(500)]
    return Line(text=f"catch-up over 500 missed messages: {took:.1f} s, each once and in order: {right}", reached=right)


async def _asked(it: Room, channel: str) -> float:
    asked = await it.server.slash("ann", channel, "panel discuss", {"topic": f"In {channel}?", "rounds": 40})
    return _ms(asked.answered_after)


async def _running(it: Room) -> list[Panel]:
    """All panels, once each has its card and speaks."""
    for _ in range(120):
        panels = [panel for panel in await _panels(it) if panel.turns]
        if len(panels) == PANELS:
            return panels
        await asyncio.sleep(0.5)
    raise TimeoutError(f"only {len(panels)} of {PANELS} panels speak")


async def _panels(it: Room) -> list[Panel]:
    panels = []
    for row in await it.store.summaries(Query(limit=1000)):
        loaded = await it.store.load(row.id)
        panels.append(opened(row.id, loaded.place, loaded.entries))
    return panels


async def _silence(it: Room, panel: Panel) -> float:
    """Seconds from the word to the last thing that is posted in the thread, or else to the cancelled calls."""
    began, said_at = time.monotonic(), it.server.platform.clock.now()
    it.server.say("ann", int(panel.place.thread), "stop")
    while (await it.store.summaries(Query(place=panel.place, limit=1)))[0].status == "running":  # noqa: ASYNC110
        await asyncio.sleep(0.005)
    stopped = time.monotonic() - began
    await it.driver.settled(panel.id)
    posts = [one for one in it.server.ledger.to(EXECUTE_WEBHOOK) if one.query["thread_id"] == panel.place.thread]
    return max([stopped, *(one.at - said_at for one in posts)])


def _differences(it: Room, panel: Panel) -> tuple[int, int]:
    """Turns that are not in the thread, and posts beyond one a turn."""
    posted = [plain(text) for _, text in it.said(panel)]
    wanted = [plain(rendered(turn.text, frozenset())) for turn in panel.turns if turn.text]
    lost = sum(max(0, wanted.count(text) - posted.count(text)) for text in set(wanted))
    doubled = sum(max(0, posted.count(text) - wanted.count(text)) for text in set(posted))
    return lost, doubled


def _ms(seconds: float | None) -> float:
    return float("inf") if seconds is None else seconds * 1000
