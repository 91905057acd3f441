"""What Slack's surface must reach, against a strict server in a process of its own: `python -m benchmarks slack`."""

import asyncio
import math
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from adapters.slack.surface import SlackSettings
from tests.servers.slack.remote import RemoteSlack
from tests.slack.house import Bot, bot

TURN = 5.0
"""Seconds that a model takes for a turn."""
PANELS = 200
ACK_MOST, STOP_MOST, RATE_LEAST = 0.3, 1.0, 0.95
TWO = "--with engineer-lens,pm-lens"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the bench, and whether it reaches what it must."""

    text: str
    reached: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A server and the program on it."""

    slack: RemoteSlack
    bot: Bot

    async def say(self, user: str, channel: str, text: str, thread: str) -> None:
        await self.slack.do("say", user=user, channel=channel, text=text, thread_ts=thread)

    def posts(self, channel: str = "") -> list[dict[str, Any]]:
        """Everything that was posted, in order of time."""
        rows = [row for row in self.slack.journal() if row["kind"] == "post" and row.get("metadata")]
        return [row for row in rows if not channel or row["channel"] == channel]

    async def until(self, fact: Callable[[], bool], seconds: float) -> None:
        end = time.monotonic() + seconds
        while not fact():
            if time.monotonic() > end:
                raise TimeoutError("the bench got stuck")
            await asyncio.sleep(0.2)


@asynccontextmanager
async def scene(*options: str, delay: float, interval: float = 1.0, catalog: str = "") -> AsyncIterator[Scene]:
    with tempfile.TemporaryDirectory() as folder:
        async with RemoteSlack(log=Path(folder) / "slack.jsonl", options=options) as slack:
            settings = SlackSettings(
                bot_token=slack.facts["bot_token"],
                app_token=slack.facts["app_token"],
                api_url=slack.facts["api_url"],
            )
            async with bot(
                settings, Path(folder), delay=delay, settle=30.0, interval=interval, catalog=catalog
            ) as made:
                await _connected(made)
                yield Scene(slack=slack, bot=made)


async def _connected(made: Bot) -> None:
    for _ in range(400):
        if made.surface.health.connected:
            return
        await asyncio.sleep(0.05)
    raise TimeoutError("the program does not connect")


async def under_load() -> tuple[Line, ...]:
    """Confirmations and stops while two hundred panels run."""
    async with scene("--no-rates", delay=TURN) as it:
        channels = [f"c{number}" for number in range(PANELS)]
        for name in channels:
            await it.slack.do("add_channel", name=name, members=["ada", "ben"])
        starts = [
            it.slack.do("slash", user="ada", channel=name, text=f"discuss Topic {name}? --rounds 60 {TWO}")
            for name in channels
        ]
        for some in range(0, PANELS, 20):
            await asyncio.gather(*starts[some : some + 20])
        await it.until(lambda: len({row["channel"] for row in it.posts() if row["username"]}) >= PANELS, 120)
        cards = {row["channel"]: row for row in it.posts() if not row["thread_ts"]}
        await _gestures(it, list(cards.values()))
        latencies = _latencies(await it.slack.do("acks"))
        silence = await _silence(it, list(cards.values())[:40])
    lines = [
        Line(
            text=f"acks of {kind}: p50 {_part(some, 0.5)}, p99 {_part(some, 0.99)} ms over {len(some)}",
            reached=_part(some, 0.99) <= ACK_MOST * 1000,
        )
        for kind, some in sorted(latencies.items())
    ]
    late = f"stop to silence, 40 panels among {PANELS}: at most {max(silence):.2f} s"
    return (*lines, Line(text=late, reached=max(silence) <= STOP_MOST))


async def _gestures(it: Scene, cards: list[dict[str, Any]]) -> None:
    """Commands, buttons and forms, as people would do them."""
    for number, card in enumerate(cards[:100]):
        where = {"channel": card["channel"], "ts": card["ts"]}
        await it.slack.do("slash", user="ben", channel=card["channel"], text="status")
        await it.slack.do("press", user="ada", where=where, button="Pause")
        await it.slack.do("press", user="ada", where=where, button="Wrap up" if number % 10 == 9 else "Steer…")
        if number % 4 == 0:
            await _form(it, card["channel"])


async def _form(it: Scene, channel: str) -> None:
    await it.slack.do("slash", user="ben", channel=channel, text="")
    for _ in range(40):
        try:
            await it.slack.do("modal", user="ben")
            break
        except RuntimeError:
            await asyncio.sleep(0.05)
    await it.slack.do("submit", user="ben", values={"topic": "x", "option:style": "devil"})
    with suppress(RuntimeError):  # a form whose fault was found too late to stand in it is closed already
        await it.slack.do("close", user="ben")


def _latencies(acks: list[dict[str, Any]]) -> dict[str, list[float]]:
    """Kind → seconds until the answer; one that never came counts as three."""
    found: dict[str, list[float]] = {}
    for ack in acks:
        kind = "forms" if ack["name"] == "panelist:new" else ack["kind"]
        found.setdefault(kind, []).append(ack["latency"] if ack["latency"] is not None else 3.0)
    return found


async def _silence(it: Scene, cards: list[dict[str, Any]]) -> list[float]:
    """Seconds from each stop to the last thing that a persona said in its thread."""
    stopped: dict[str, float] = {}
    for card in cards:
        stopped[card["channel"]] = time.time()
        await it.say("ada", card["channel"], "stop", card["ts"])
    await asyncio.sleep(TURN + 3)
    last = {row["channel"]: row["at"] for row in it.posts() if row["username"]}
    return [max(0.0, last.get(channel, 0.0) - at) for channel, at in stopped.items()]


async def sustained() -> tuple[Line, ...]:
    """Ten panels in one channel of a server that enforces its limits; a throttled channel beside them."""
    async with scene(delay=TURN) as it:
        busy = (await it.slack.do("add_channel", name="busy", members=["ada"]))["id"]
        for number in range(10):
            words = f"discuss Topic {number}? --rounds 20 {TWO}"
            await it.slack.do("slash", user="ada", channel="busy", text=words)
        await it.until(lambda: len(it.posts(busy)) >= 61, 120)
        times = [row["at"] for row in it.posts(busy)][:61]
        limited = await it.slack.do("calls_of", method="chat.postMessage", outcome="ratelimited")
    rate = 60 / (times[-1] - times[0])
    return (
        Line(text=f"one channel, ten panels, 60 posts: {rate:.3f} a second", reached=rate >= RATE_LEAST),
        Line(text=f"429 from the server that enforces its limits: {len(limited)}", reached=not limited),
    )


async def beside_a_throttled_channel() -> tuple[Line, ...]:
    """A panel whose channel is throttled for ten seconds delays no panel of another channel."""
    async with scene(delay=0.5) as it:
        free = (await it.slack.do("add_channel", name="free", members=["ada"]))["id"]
        held = (await it.slack.do("add_channel", name="held", members=["ada"]))["id"]
        how = {"retry_after": 10}
        await it.slack.do("fault", method="chat.postMessage", kind="limited", how=how, channel=held, skip=1)
        for name in ("held", "free"):
            await it.slack.do("slash", user="ada", channel=name, text=f"discuss Topic? --rounds 4 {TWO}")
        await it.until(lambda: len(it.posts(free)) >= 8, 40)
        gaps = [after["at"] - before["at"] for before, after in pairwise(it.posts(free))]
        waiting = len(it.posts(held))
    text = f"beside a channel throttled for 10 s ({waiting} posts there): longest gap {max(gaps):.2f} s"
    return (Line(text=text, reached=max(gaps) < 2.5),)


async def parallel_rounds() -> tuple[Line, ...]:
    """Thirty messages of one parallel round in eight threads at once, each in its own order."""
    with tempfile.TemporaryDirectory() as catalog:
        names = [f"voice-{number:02d}" for number in range(30)]
        for name in names:
            text = f"---\nname: {name}\ndescription: voice {name}\n---\nYou are {name}. You like short sentences.\n"
            (Path(catalog) / f"{name}.md").write_text(text)
        async with scene("--no-rates", delay=0.05, interval=0.0, catalog=catalog) as it:
            words = f"discuss Order? --rounds 1 --final-summary --with {','.join(names)}"
            for _ in range(8):
                await it.slack.do("slash", user="ada", channel="general", text=words)
            await it.until(lambda: len([row for row in it.posts() if row["username"]]) >= 8 * 60, 180)
            threads: dict[str, list[str]] = {}
            for row in it.posts():
                if row["username"]:
                    threads.setdefault(row["thread_ts"], []).append(row["username"].partition(" ")[0])
    ordered = sum(said[30:60] == names for said in threads.values())
    text = f"parallel rounds of 30 in 8 threads: {ordered} of {len(threads)} in order"
    return (Line(text=text, reached=ordered == len(threads) == 8),)


def _part(values: list[float], share: float) -> float:
    """A quantile in milliseconds."""
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)] * 1000, 1)


async def lines() -> tuple[Line, ...]:
    """Every line of the bench, in one run."""
    courses: tuple[Callable[[], Coroutine[Any, Any, tuple[Line, ...]]], ...] = (
        parallel_rounds,
        beside_a_throttled_channel,
        sustained,
        under_load,
    )
    return tuple([line for course in courses for line in await course()])


def main() -> int:
    """Print the figures; 0 where all reach what they must."""
    found = asyncio.run(lines())
    for line in found:
        print(f"{'ok  ' if line.reached else 'LOW '} {line.text}")
    return 0 if all(line.reached for line in found) else 1
