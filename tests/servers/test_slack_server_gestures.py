"""Commands, shortcuts, buttons, the home tab, and response_url."""

import json

import aiohttp
import pytest
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_sdk.web.async_client import AsyncWebClient

from tests.servers.slack import GestureError, SlackServer
from tests.servers.slack_app import bolt, connected
from tests.servers.slack_views import Body, options, words


async def test_a_command_arrives_with_escaped_names(slack: SlackServer) -> None:
    """should_escape makes tokens of names; there is no thread in the payload, and a private name is hidden."""
    app, heard = bolt(slack), []

    @app.command("/panel")
    async def panel(ack: AsyncAck, body: Body) -> None:
        await ack()
        heard.append(body)

    async with connected(slack, app):
        ack = await slack.slash("ada", "lab", "debate @iris & co")

    assert ack.ok
    assert heard[0]["text"] == f"debate <@{slack.user('iris').id}> &amp; co"
    assert heard[0]["channel_name"] == "privategroup"
    assert "thread_ts" not in heard[0]


async def test_a_command_that_is_not_acked_times_out(slack: SlackServer) -> None:
    """It is not delivered again."""
    async with connected(slack, bolt(slack)):
        ack = await slack.slash("ada", "general", "status")

    assert (ack.state, len(slack.acks)) == ("timeout", 1)


async def test_shortcuts(slack: SlackServer) -> None:
    """A global one knows no channel; a message's one has the message and a response_url."""
    app, heard = bolt(slack), []

    @app.shortcut("new_panel")
    @app.shortcut("review_message")
    async def shortcut(ack: AsyncAck, body: Body) -> None:
        await ack()
        heard.append(body)

    message = slack.say("ada", "general", "please review")
    async with connected(slack, app):
        await slack.shortcut("ben")
        await slack.message_shortcut("ben", message)

    assert ("channel" in heard[0], "response_url" in heard[0]) == (False, False)
    assert heard[1]["message"]["text"] == "please review"
    assert heard[1]["type"] == "message_action"
    with pytest.raises(GestureError):
        await slack.shortcut("ben", "other")


async def test_buttons_and_menus_in_a_message(slack: SlackServer) -> None:
    """By label; with value, thread and message; a menu by option. What is not there can not be pressed."""
    app, heard = bolt(slack), []

    @app.action("stop")
    @app.action("speed")
    async def action(ack: AsyncAck, body: Body) -> None:
        await ack()
        heard.append(body)

    root = slack.say("ada", "general", "root")
    blocks: list[Body] = [
        {
            "type": "actions",
            "elements": [
                {"type": "button", "action_id": "stop", "value": "p1", "text": words("Stop")},
                {"type": "static_select", "action_id": "speed", "options": options("slow", "fast")},
            ],
        }
    ]
    async with connected(slack, app):
        await app.client.chat_postMessage(channel=root.channel, thread_ts=root.ts, text="card", blocks=blocks)
        [card] = slack.posts("general", root.ts)
        await slack.press("ben", card, "Stop")
        await slack.press("ben", card, "speed", choice="Fast")
        with pytest.raises(GestureError, match="Stop"):
            await slack.press("ben", card, "Pause")

    assert heard[0]["actions"][0]["value"] == "p1"
    assert heard[0]["container"]["thread_ts"] == root.ts
    assert heard[0]["message"]["ts"] == card.ts
    assert heard[1]["actions"][0]["selected_option"]["value"] == "fast"


async def test_the_home_tab(slack: SlackServer) -> None:
    """Opened, published, pressed in; without the manifest's home tab it is refused elsewhere."""
    app, pressed = bolt(slack), []

    @app.event("app_home_opened")
    async def opened(body: Body, client: AsyncWebClient) -> None:
        button = {"type": "button", "action_id": "new", "text": words("New panel")}
        view = {"type": "home", "blocks": [{"type": "actions", "elements": [button]}]}
        await client.views_publish(user_id=body["event"]["user"], view=view)

    @app.action("new")
    async def new(ack: AsyncAck, body: Body) -> None:
        await ack()
        pressed.append(body["container"]["type"])

    async with connected(slack, app):
        slack.open_home("ada")
        await slack.until(lambda: slack.homes)
        await slack.press("ada", slack.home("ada"), "New panel")

    assert pressed == ["view"]


async def test_response_url_is_good_five_times_in_half_an_hour() -> None:
    """Ephemeral by default, in the channel on demand; then 404."""
    clock = [0.0]
    async with SlackServer(now=lambda: clock[0]) as slack, aiohttp.ClientSession() as session:
        ws, channel, ada = slack.workspace, slack.channel("general"), slack.user("ada")
        url = slack.response_url(ws, channel, ada)

        async def answer(address: str, body: Body) -> int:
            async with session.post(address, data=json.dumps(body)) as reply:
                return reply.status

        statuses = [await answer(url, {"text": "x"}) for _ in range(4)]
        statuses.append(await answer(url, {"text": "all", "response_type": "in_channel"}))
        sixth = await answer(url, {"text": "x"})
        late = slack.response_url(ws, channel, ada)
        bad = await answer(slack.response_url(ws, channel, ada), {"text": "x", "colour": "red"})
        clock[0] = 30 * 60 + 1
        expired = await answer(late, {"text": "x"})

    assert statuses == [200] * 5
    assert (sixth, bad, expired) == (404, 400, 404)
    assert len(slack.whispers_to("ada")) == 4
    assert [post.text for post in slack.posts("general")] == ["all"]


async def test_where_people_can_not_act(slack: SlackServer) -> None:
    """A private channel is closed to outsiders; another organisation's people have no commands of ours."""
    with pytest.raises(GestureError, match="can not enter"):
        slack.say("ben", "lab", "let me in")
    with pytest.raises(GestureError, match="has no /panel"):
        await slack.slash("zoe", "partners", "debate x")
    with pytest.raises(GestureError, match="has no /panel"):
        await slack.slash("ben", "lab", "debate x")
