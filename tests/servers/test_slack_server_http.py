"""Signed HTTP: signatures, retries, and answers."""

from typing import Any

import pytest
from slack_bolt import BoltResponse
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.context.ack.async_ack import AsyncAck

from tests.servers.slack import Rates, SlackServer
from tests.servers.slack_app import bolt, served

Body = dict[str, Any]


def server(**knobs: Any) -> SlackServer:
    """A server that delivers over HTTP and redelivers quickly."""
    return SlackServer(
        transport="http", rates=Rates.none(), **{"ack_timeout": 0.5, "retry_delays": (0.0, 0.02, 0.02), **knobs}
    )


def listening(slack: SlackServer) -> tuple[AsyncApp, list[tuple[Body, dict[str, str]]]]:
    app, heard = bolt(slack), []

    @app.event("message")
    async def on_message(body: Body, request: Any) -> None:
        heard.append((body, {name: values[0] for name, values in request.headers.items()}))

    return app, heard


async def test_events_arrive_signed() -> None:
    """Bolt verifies the signature by itself."""
    async with server() as slack:
        app, heard = listening(slack)
        async with served(slack, app):
            slack.say("ada", "general", "hello")
            await slack.settled()

    assert [body["event"]["text"] for body, _ in heard] == ["hello"]
    assert slack.acks[0].ok


@pytest.mark.parametrize(("forged", "skew"), [(True, 0.0), (False, -301.0), (False, 301.0)])
async def test_wrong_and_stale_signatures_are_the_apps_to_refuse(forged: bool, skew: float) -> None:
    """401, and no listener runs."""
    async with server(retry_delays=()) as slack:
        app, heard = listening(slack)
        slack.signed.forged, slack.signed.skew = forged, skew
        async with served(slack, app):
            slack.say("ada", "general", "hello")
            await slack.settled()

    assert heard == []
    assert [ack.state for ack in slack.acks] == ["refused"]


async def test_redeliveries_carry_their_number_and_reason() -> None:
    """Three after the first, while the app answers with errors."""
    async with server() as slack:
        app, numbers = bolt(slack), []

        @app.middleware
        async def broken(request: Any) -> BoltResponse:
            names = ("x-slack-retry-num", "x-slack-retry-reason")
            numbers.append(tuple(request.headers.get(name, [""])[0] for name in names))
            return BoltResponse(status=500)

        async with served(slack, app):
            slack.say("ada", "general", "hello")
            await slack.settled()

    assert numbers == [("", ""), ("1", "http_error"), ("2", "http_error"), ("3", "http_error")]


async def test_an_app_can_decline_redelivery() -> None:
    """x-slack-no-retry: 1 with an error ends it."""
    async with server() as slack:
        app = bolt(slack)

        @app.middleware
        async def broken() -> BoltResponse:
            return BoltResponse(status=500, headers={"x-slack-no-retry": "1"})

        async with served(slack, app):
            slack.say("ada", "general", "hello")
            await slack.settled()

    assert len(slack.acks) == 1


async def test_the_request_url_is_verified() -> None:
    """Bolt answers the challenge."""
    async with server() as slack, served(slack, bolt(slack)):
        assert await slack.signed.verify() == "c" * 32


async def test_commands_and_buttons_come_as_forms() -> None:
    """A command's answer is shown to the asker; a button's payload is JSON inside a form."""
    async with server() as slack:
        app, pressed = bolt(slack), []

        @app.command("/panel")
        async def panel(ack: AsyncAck, body: Body) -> None:
            await ack(f"heard: {body['text']}")

        @app.action("stop")
        async def stop(ack: AsyncAck, body: Body) -> None:
            await ack()
            pressed.append(body["actions"][0]["value"])

        async with served(slack, app):
            await slack.slash("ada", "general", "debate tabs")
            button = {"type": "button", "action_id": "stop", "value": "7"}
            button["text"] = {"type": "plain_text", "text": "Stop"}  # type: ignore[assignment]  # JSON
            blocks = [{"type": "actions", "elements": [button]}]
            await app.client.chat_postMessage(channel=slack.channel("general").id, text="card", blocks=blocks)
            await slack.press("ada", slack.posts("general")[0], "Stop")

    assert [whisper.text for whisper in slack.whispers_to("ada")] == ["heard: debate tabs"]
    assert pressed == ["7"]


async def test_no_endpoint_is_unreachable() -> None:
    """Nothing listens there."""
    async with server(retry_delays=(), request_url="http://127.0.0.1:9/slack/events") as slack:
        slack.say("ada", "general", "hello")
        ack = await slack.slash("ada", "general", "status")
        await slack.settled()

    assert {a.state for a in slack.acks} == {"unreachable"}
    assert not ack.ok
