"""Socket Mode: delivery, acks, redelivery, and every way in which a socket ends."""

import asyncio
import logging
from contextlib import AsyncExitStack
from typing import Any

import aiohttp
import pytest
from slack_bolt.app.async_app import AsyncApp

from tests.servers.slack import Rates, SlackServer
from tests.servers.slack_app import bolt, connected

Body = dict[str, Any]


def listening(slack: SlackServer) -> tuple[AsyncApp, list[Body]]:
    """An app that keeps every event it hears."""
    app, heard = bolt(slack), []

    @app.event("message")
    async def on_message(body: Body) -> None:
        heard.append(body)

    @app.event("app_mention")
    async def on_mention(body: Body) -> None:
        heard.append(body)

    return app, heard


async def test_a_mention_is_two_events(slack: SlackServer) -> None:
    """Same ts, different event ids: `message` and `app_mention`."""
    app, heard = listening(slack)
    async with connected(slack, app):
        message = slack.say("ada", "general", "@Panel debate tabs & spaces")
        await slack.settled()

    assert [body["event"]["type"] for body in heard] == ["message", "app_mention"]
    assert {body["event"]["ts"] for body in heard} == {message.ts}
    assert len({body["event_id"] for body in heard}) == 2
    assert heard[0]["event"]["text"] == f"<@{slack.installation.bot_user}> debate tabs &amp; spaces"


async def test_acks_are_kept_with_their_latency(slack: SlackServer) -> None:
    """One for each delivery."""
    app, _ = listening(slack)
    async with connected(slack, app):
        slack.say("ada", "general", "hello")
        await slack.settled()

    [ack] = slack.acks
    assert (ack.kind, ack.name, ack.attempt, ack.state) == ("events_api", "message", 0, "acked")
    assert ack.latency is not None
    assert 0 < ack.latency < 0.3


async def test_an_event_without_a_listener_is_delivered_four_times(slack: SlackServer) -> None:
    """Bolt sends no ack for it; the redeliveries say so."""
    async with connected(slack, bolt(slack)):
        slack.say("ada", "general", "hello")
        await slack.settled()

    assert [(ack.attempt, ack.state) for ack in slack.acks] == [(n, "timeout") for n in range(4)]


async def test_without_any_socket_events_wait_for_one(slack: SlackServer) -> None:
    """The bot was down when it was said; a redelivery reaches it."""
    app, heard = listening(slack)
    slack.say("ada", "general", "hello")
    async with connected(slack, app):
        await slack.settled()

    assert [body["event"]["text"] for body in heard] == ["hello"]
    assert slack.acks[0].state == "unreachable"


async def test_only_subscribed_channels_of_the_bot_are_heard(slack: SlackServer) -> None:
    """Not #board, where the bot is not; not after it was removed."""
    app, heard = listening(slack)
    async with connected(slack, app):
        slack.say("iris", "board", "secret")
        slack.say("iris", "lab", "known")
        slack.kick_bot("general")
        slack.say("ada", "general", "gone")
        await slack.settled()

    assert [body["event"]["text"] for body in heard] == ["known"]
    assert heard[0]["event"]["channel_type"] == "group"


async def test_bolt_filters_own_posts_but_not_edits_of_customised_ones(slack: SlackServer) -> None:
    """message_changed has no user and no bot_id at the top; only a plain post has its user inside."""
    app, heard = listening(slack)
    general = slack.channel("general").id
    async with connected(slack, app):
        for name, text in (("Ada (AI)", "card 2"), (None, "plain 2")):
            sent = await app.client.chat_postMessage(channel=general, text="card", username=name)
            await app.client.chat_update(channel=general, ts=sent["ts"], text=text)
        await slack.settled()

    [body] = heard
    assert body["event"]["subtype"] == "message_changed"
    assert "user" not in body["event"]
    assert "bot_id" not in body["event"]
    assert body["event"]["message"]["text"] == "card 2"


async def test_a_strangers_message_names_their_team(slack: SlackServer) -> None:
    """In a shared channel: user_team differs from the event's team."""
    app, heard = listening(slack)
    async with connected(slack, app):
        slack.say("zoe", "partners", "hello")
        await slack.settled()

    [body] = heard
    assert body["event"]["user_team"] == slack.user("zoe").team_id != body["team_id"]
    assert body["is_ext_shared_channel"]


async def test_edits_and_deletions_of_people_are_events(slack: SlackServer) -> None:
    """With the earlier message in each."""
    app, heard = listening(slack)
    async with connected(slack, app):
        message = slack.say("ada", "general", "steer: short")
        slack.edit("ada", message, "steer: long")
        slack.delete(message)
        await slack.settled()

    subtypes = [body["event"].get("subtype") for body in heard]
    assert subtypes == [None, "message_changed", "message_deleted"]
    assert heard[2]["event"]["previous_message"]["text"] == "steer: long"


async def test_duplicates_and_other_orders(slack: SlackServer) -> None:
    """A replay keeps its event id; held events go out in any order."""
    app, heard = listening(slack)
    async with connected(slack, app):
        first = slack.say("ada", "general", "first")
        await slack.settled()
        slack.replay(first)
        slack.hold_events()
        slack.say("ada", "general", "second")
        slack.say("ada", "general", "third")
        assert slack.release_events([1, 0]) == 2
        await slack.settled()

    assert [body["event"]["text"] for body in heard] == ["first", "first", "third", "second"]
    assert heard[0]["event_id"] == heard[1]["event_id"]


async def test_a_refresh_brings_a_new_socket(slack: SlackServer) -> None:
    """The old one takes no new envelope."""
    app, heard = listening(slack)
    async with connected(slack, app):
        await slack.sockets.disconnect("refresh_requested")
        await slack.sockets.has_connected(2)
        slack.say("ada", "general", "hello")
        await slack.settled()

    assert [body["event"]["text"] for body in heard] == ["hello"]
    assert slack.sockets.opened == 2


async def test_a_cut_connection_comes_back(slack: SlackServer) -> None:
    """The client notices within its ping interval."""
    app, heard = listening(slack)
    async with connected(slack, app, ping=0.1):
        slack.sockets.cut()
        await slack.sockets.has_connected(2)
        slack.say("ada", "general", "hello")
        await slack.settled()

    assert [body["event"]["text"] for body in heard] == ["hello"]


async def test_a_silent_death_is_seen_by_pings_alone(slack: SlackServer) -> None:
    """Without answers to its pings the client looks for a new socket; what was lost is delivered again."""
    app, heard = listening(slack)
    async with connected(slack, app, ping=0.2):
        slack.sockets.fall_silent(answers_pings=False)
        slack.say("ada", "general", "hello")
        await slack.sockets.has_connected(2)
        await slack.settled()

    assert [body["event"]["text"] for body in heard] == ["hello"]


async def test_a_deaf_socket_that_answers_pings_fools_the_client() -> None:
    """Only a watchdog on arriving frames could tell: no envelope comes, and no ping of the server."""
    async with SlackServer(rates=Rates.none(), ack_timeout=0.05, retry_delays=(), server_ping=0.05) as slack:
        app, heard = listening(slack)
        async with connected(slack, app, ping=0.1) as handler:
            await slack.until(lambda: slack.sockets.links[0].pongs > 1)
            slack.sockets.fall_silent(answers_pings=True)
            slack.say("ada", "general", "hello")
            await slack.settled()

            assert await handler.client.is_connected()
    assert heard == []
    assert [ack.state for ack in slack.acks] == ["timeout"]


async def test_a_refused_socket_is_tried_again_and_again_with_the_same_ticket(slack: SlackServer) -> None:
    """Nothing asks for a new address unless someone forgets the old one."""
    app, heard = listening(slack)
    async with connected(slack, app, ping=0.05):
        slack.sockets.refusals = 3
        await slack.sockets.disconnect("refresh_requested")
        await slack.until(lambda: slack.sockets.refusals == 0)
        await slack.sockets.has_connected(2)
        assert slack.sockets.opened == 2
        slack.say("ada", "general", "hello")
        await slack.settled()

    assert [body["event"]["text"] for body in heard] == ["hello"]


async def test_a_disabled_link_lets_nobody_in(slack: SlackServer) -> None:
    """apps.connections.open is refused from then on."""
    logging.getLogger("tests.bolt").setLevel(logging.CRITICAL)
    app, _ = listening(slack)
    async with connected(slack, app, ping=0.05):
        await slack.sockets.disconnect("link_disabled")
        await slack.until(lambda: slack.calls_of("apps.connections.open", "forbidden_team"))

    assert slack.sockets.links == []


async def test_a_slow_listener_is_acked_at_once(slack: SlackServer) -> None:
    """Bolt acks an event before its listener ends: one delivery only."""
    app = bolt(slack)
    done = asyncio.Event()

    @app.event("message")
    async def slow(body: Body) -> None:
        await asyncio.sleep(0.4)
        done.set()

    async with connected(slack, app):
        slack.say("ada", "general", "hello")
        await asyncio.wait_for(done.wait(), 2)

    assert [(ack.attempt, ack.state) for ack in slack.acks] == [(0, "acked")]


async def test_another_bots_post_carries_its_bot_id(slack: SlackServer) -> None:
    """So an app can tell it from people and from itself."""
    slack.add_user("robo", "bot")
    app, heard = listening(slack)
    async with connected(slack, app):
        slack.bot_says("robo", "general", "beep")
        await slack.settled()

    [body] = heard
    assert body["event"]["subtype"] == "bot_message"
    assert body["event"]["bot_id"] != slack.installation.bot_id


async def test_a_ticket_is_good_once_and_ten_sockets_are_the_most(slack: SlackServer) -> None:
    """The eleventh is told to go; a used address is refused."""
    bot = bolt(slack).client
    urls = [(await bot.apps_connections_open(app_token=slack.app_token))["url"] for _ in range(11)]
    async with aiohttp.ClientSession() as session, AsyncExitStack() as stack:
        hellos = []
        for url in urls:
            link = await stack.enter_async_context(session.ws_connect(url))
            hellos.append((await link.receive_json())["type"])
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect(urls[0])

    assert hellos == [*["hello"] * 10, "disconnect"]
