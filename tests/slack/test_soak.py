"""kill -9 at random instants while Slack delivers again: nothing lost, nothing doubled, nobody under a wrong name.

`make soak` runs the long form; SOAK_SEED and SOAK_KILLS choose another chance and another length.
"""

import asyncio
import os
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bot.core.entries import Human, Turn
from bot.core.fold import opened
from bot.core.persona import HOST
from bot.core.store import Query
from storage.opening import open_store
from tests.servers.slack.remote import RemoteSlack
from tests.slack.worker import Worker

SEED = int(os.environ.get("SOAK_SEED", "20261130"))
KILLS = int(os.environ.get("SOAK_KILLS", "100"))
CHANNELS = 6
WORDS = "discuss Topic {n}? --rounds 3 --with engineer-lens,pm-lens,user-advocate"


@dataclass(slots=True)
class Tally:
    """What became of everything."""

    panels: int = 0
    posts: int = 0
    kills: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    misnamed: list[str] = field(default_factory=list)
    unfinished: list[str] = field(default_factory=list)


class Soak:
    """People who start panels and talk, and somebody who kills the program."""

    def __init__(self, slack: RemoteSlack, folder: Path, seed: int) -> None:
        self._slack, self._folder = slack, folder
        self._chance = random.Random(seed)
        self._said: dict[str, str] = {}
        """Text of a human's message → channel."""
        self._channels: list[str] = []
        self._settings = {
            "bot_token": slack.facts["bot_token"],
            "app_token": slack.facts["app_token"],
            "api_url": slack.facts["api_url"],
        }

    async def run(self, kills: int) -> Tally:
        for number in range(CHANNELS):
            made = await self._slack.do("add_channel", name=f"c{number}", members=["ada", "ben"])
            self._channels.append(made["id"])
        started = 0
        for number in range(kills):
            worker = Worker(self._folder, self._settings)
            if number % max(1, kills // (2 * CHANNELS)) == 0:
                await self._start(started)
                started += 1
            await asyncio.sleep(self._chance.uniform(0.15, 0.9))
            await self._talk(number)
            await asyncio.sleep(self._chance.uniform(0.0, 0.4))
            worker.kill()
        worker = Worker(self._folder, self._settings)
        try:
            return await self._tallied(started, kills)
        finally:
            worker.kill()

    async def _start(self, number: int) -> None:
        channel = self._channels[number % CHANNELS]
        await self._slack.do("say", user="ada", channel=channel, text=f"@panel {WORDS.format(n=number)}")

    async def _talk(self, number: int) -> None:
        """A contribution in some thread that there is."""
        roots = [row for row in self._slack.journal() if row["kind"] == "post" and not row["thread_ts"]]
        if not roots:
            return
        root = self._chance.choice(roots[-4:])
        text = f"Remark number {number}: mind the seasons."
        await self._slack.do("say", user="ben", channel=root["channel"], text=text, thread_ts=root["ts"])
        self._said[text] = root["channel"]

    async def _tallied(self, started: int, kills: int) -> Tally:
        store = await open_store(f"sqlite:///{self._folder / 'panelist.db'}")
        try:
            await self._finished(store, started)
            tally = Tally(kills=kills)
            for channel in self._channels:
                self._count(await self._slack.do("posts", channel=channel), tally)
            rows = await store.summaries(Query(limit=1000))
            tally.panels = len(rows)
            if len(rows) != started:
                tally.lost.append(f"{started} panels asked for, {len(rows)} there")
            standing = {post["ts"]: post for channel in self._channels for post in await self._posts(channel)}
            log = ""
            for row in rows:
                loaded = await store.load(row.id)
                state = opened(row.id, loaded.place, loaded.entries)
                inbox = [signal.entry for signal in await store.signals(row.id)]
                log += str([entry.text for entry in (*state.humans, *inbox) if isinstance(entry, Human)])
                turns = {turn.seq: turn for turn in state.turns}
                for post in loaded.deliveries:
                    found = standing.get(post.ext_id or "")
                    if not post.withdrawn and found is None:
                        tally.lost.append(f"{row.id}:{post.turn}:{post.part}")
                    elif found is not None and post.turn in turns:
                        self._check_name(turns[post.turn], state.name_of(turns[post.turn].persona), found, tally)
            tally.unfinished = [row.id for row in rows if row.status != "finished"]
            for text in self._said:
                if log.count(text) != 1:
                    (tally.lost if text not in log else tally.doubled).append(text)
            return tally
        finally:
            await store.close()

    async def _finished(self, store: Any, started: int) -> None:
        end = time.monotonic() + 90
        while time.monotonic() < end:
            rows = await store.summaries(Query(limit=1000))
            if len(rows) >= started and all(row.status == "finished" for row in rows):
                await asyncio.sleep(2.0)
                return
            await asyncio.sleep(0.3)

    async def _posts(self, channel: str) -> list[dict[str, Any]]:
        return list(await self._slack.do("posts", channel=channel))

    def _count(self, posts: list[dict[str, Any]], tally: Tally) -> None:
        keys = [
            ":".join(str(post["metadata"]["event_payload"][part]) for part in ("panel", "turn", "part"))
            for post in posts
            if post["metadata"]
        ]
        tally.posts += len(keys)
        tally.doubled += [key for key, count in Counter(keys).items() if count > 1]
        files = Counter(file["name"] for post in posts for file in post["files"])
        tally.doubled += [name for name, count in files.items() if count > 1]

    def _check_name(self, turn: Turn, name: str, post: dict[str, Any], tally: Tally) -> None:
        wanted = None if turn.persona == HOST else f"{name} (AI)"
        if post["username"] != wanted:
            tally.misnamed.append(f"{turn.seq}: {post['username']!r}, not {wanted!r}")


async def soaked(folder: Path, kills: int, seed: int = SEED) -> Tally:
    """The whole story. People may say things that a dead program is told again."""
    options = ("--no-rates", "--retry-delays", "0.2,0.5,1,1,2,2,4", "--ack-timeout", "1.0")
    async with RemoteSlack(log=folder / "slack.jsonl", options=options) as slack:
        tally = await Soak(slack, folder, seed).run(kills)
    print(f"\nseed {seed}: {tally}")
    return tally


def sound(tally: Tally) -> None:
    assert (tally.lost, tally.doubled, tally.misnamed, tally.unfinished) == ([], [], [], []), str(tally)
    assert tally.posts > tally.panels > 0


async def test_a_few_kills_lose_double_and_misname_nothing(tmp_path: Path) -> None:
    """The short form."""
    sound(await soaked(tmp_path, 6))


@pytest.mark.soak
@pytest.mark.timeout(1500)
async def test_a_hundred_kills_lose_double_and_misname_nothing(tmp_path: Path) -> None:
    """The long form."""
    sound(await soaked(tmp_path, KILLS))
