"""The connection: it mends itself, and where it has gone deaf a fresh one takes its place."""

import asyncio
from pathlib import Path

from adapters.slack.socket import Watch
from tests.slack.house import House, house
from tests.slack.stages import server
from tests.slack.talk import SHORT, begun

KEEN = Watch(ping=5.0, tick=0.05, connect=1.0, grace=0.4, deaf=0.8, quiet=60.0, rest=0.05)
"""Notices within a second."""


async def works(it: House, seconds: float = 10) -> None:
    """A command arrives and is answered."""
    slack = it.server
    before = len(slack.whispers)
    end = asyncio.get_running_loop().time() + seconds
    while len(slack.whispers) == before:
        assert asyncio.get_running_loop().time() < end, "deaf"
        await slack.slash("ada", "general", "help")
        await asyncio.sleep(0.1)


async def test_a_refresh_is_followed(tmp_path: Path) -> None:
    """Slack renews sockets every few hours."""
    async with server() as slack, house(slack, tmp_path) as it:
        await slack.sockets.disconnect("refresh_requested")
        await slack.sockets.has_connected(2)
        await works(it)

    assert it.surface.health.connected


async def test_a_cut_connection_is_made_again(tmp_path: Path) -> None:
    """No closing frame comes."""
    async with server() as slack, house(slack, tmp_path, watch=KEEN) as it:
        slack.sockets.cut()
        await slack.sockets.has_connected(2)
        await works(it)

    assert it.surface.health.connected


async def test_a_deaf_connection_is_replaced_and_health_says_so(tmp_path: Path) -> None:
    """It stands, but neither messages nor answers to pings come."""
    async with server() as slack, house(slack, tmp_path, watch=KEEN) as it:
        slack.sockets.fall_silent(answers_pings=False)
        await slack.sockets.has_connected(2)
        await works(it)
        health = it.surface.health

    assert health.connections >= 2
    assert "nothing heard" in health.why


async def test_a_connection_that_answers_pings_and_brings_nothing_is_renewed(tmp_path: Path) -> None:
    """After a long quiet a fresh one costs nothing."""
    watch = Watch(ping=0.5, tick=0.05, connect=1.0, grace=5.0, deaf=30.0, quiet=0.7, rest=0.05)
    async with server() as slack, house(slack, tmp_path, watch=watch) as it:
        slack.sockets.fall_silent(answers_pings=True)
        await slack.sockets.has_connected(2)
        await works(it)

    assert "no message" in it.surface.health.why


async def test_refused_addresses_are_not_tried_for_ever(tmp_path: Path) -> None:
    """A fresh client asks for a fresh address."""
    async with server() as slack, house(slack, tmp_path, watch=KEEN) as it:
        slack.sockets.refusals = 3
        slack.sockets.cut()
        await slack.until(lambda: slack.sockets.refusals == 0, 10)
        await works(it)


async def test_slack_out_of_reach_at_the_start_is_waited_for(tmp_path: Path) -> None:
    """The house starts; Slack comes later."""
    from tests.servers.slack import Broken

    async with server() as slack:
        slack.fault("auth.test", Broken(status=503), times=1)
        async with house(slack, tmp_path) as it:
            await begun(it, SHORT)


async def test_what_was_said_in_a_gap_is_heard_behind_it(tmp_path: Path) -> None:
    """Slack gave up redelivering; the thread is read once the connection is back."""
    async with server(retry_delays=(), ack_timeout=0.3) as slack, house(slack, tmp_path, delay=0.2, watch=KEEN) as it:
        card = await begun(it, "discuss Shall we? --rounds 30 --with engineer-lens,pm-lens")
        slack.sockets.fall_silent(answers_pings=False)
        lost = slack.say("ben", "general", "Mind the seasons.", thread_ts=card.ts)
        await slack.sockets.has_connected(2)
        await slack.until(lambda: lost.reactions, 10)

    assert [ack.state for ack in slack.acks if ack.name == "message"][-1] == "timeout"
