"""Forms: opened, filled in, answered, and refused over the limits."""

import pytest
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_sdk.web.async_client import AsyncWebClient

from tests.servers.slack import GestureError, SlackServer
from tests.servers.slack_app import bolt, connected, refused
from tests.servers.slack_views import Body, field, form, options, words


def with_form(slack: SlackServer, view: Body, answer: Body | None = None) -> tuple[AsyncApp, list[Body]]:
    """An app whose /panel opens this view, and which keeps and answers submissions."""
    app, submitted = bolt(slack), []

    @app.command("/panel")
    async def panel(ack: AsyncAck, body: Body, client: AsyncWebClient) -> None:
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=view)

    @app.view("form")
    async def submit(ack: AsyncAck, body: Body) -> None:
        await ack(**(answer or {}))
        submitted.append(body)

    return app, submitted


async def test_a_form_goes_out_and_comes_back(slack: SlackServer) -> None:
    """Every kind of field that a panel's form has, by label, block or action."""
    view = form(
        field("topic", {"type": "plain_text_input"}),
        field("format", {"type": "static_select", "options": options("debate", "review")}),
        field("people", {"type": "multi_static_select", "options": options("ada", "bob", "eve")}),
        field("rounds", {"type": "number_input", "is_decimal_allowed": False}, optional=True),
        field("paper", {"type": "file_input", "max_files": 2}, optional=True),
        field("extras", {"type": "checkboxes", "options": options("pin")}, optional=True),
    )
    app, submitted = with_form(slack, view)
    values = {"Topic": "tabs", "format": "debate", "people": ["ada", "Eve"], "paper": [("a.txt", b"x")]}
    async with connected(slack, app):
        await slack.slash("ada", "general", "")
        await slack.until(lambda: slack.views)
        done = await slack.submit("ada", values)

    state = submitted[0]["view"]["state"]["values"]
    assert state["topic"]["topic"]["value"] == "tabs"
    assert state["format"]["format"]["selected_option"]["value"] == "debate"
    assert [option["value"] for option in state["people"]["people"]["selected_options"]] == ["ada", "eve"]
    assert state["rounds"]["rounds"]["value"] is None
    assert state["paper"]["paper"]["files"][0]["name"] == "a.txt"
    assert state["extras"]["extras"]["selected_options"] == []
    assert done.on_top is None


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({}, "required"),
        ({"topic": "a" * 11}, "10 characters"),
        ({"topic": "a\nb"}, "one line"),
        ({"x": "y"}, "required"),
    ],
)
async def test_what_slacks_client_forbids(slack: SlackServer, values: dict[str, str], reason: str) -> None:
    """An empty, too long or unknown field never reaches the app."""
    app, submitted = with_form(slack, form())
    async with connected(slack, app):
        await slack.slash("ada", "general", "")
        await slack.until(lambda: slack.views)
        with pytest.raises(GestureError, match=reason):
            await slack.submit("ada", values)

    assert submitted == []


async def test_errors_stand_at_their_fields(slack: SlackServer) -> None:
    """The form stays open."""
    app, _ = with_form(slack, form(), {"response_action": "errors", "errors": {"topic": "too dull"}})
    async with connected(slack, app):
        await slack.slash("ada", "general", "")
        await slack.until(lambda: slack.views)
        done = await slack.submit("ada", {"topic": "tabs"})

    assert done.errors == {"topic": "too dull"}
    assert done.on_top is slack.modal("ada")


@pytest.mark.parametrize(
    "answer",
    [
        {"response_action": "errors", "errors": {"nowhere": "x"}},
        {"response_action": "update", "view": {"type": "modal", "title": words("a" * 25), "blocks": []}},
        {"response_action": "explode"},
    ],
)
async def test_answers_that_slack_can_not_use_are_complaints(slack: SlackServer, answer: Body) -> None:
    """A human sees "we had some trouble connecting"; the test sees why."""
    app, _ = with_form(slack, form(), answer)
    async with connected(slack, app):
        await slack.slash("ada", "general", "")
        await slack.until(lambda: slack.views)
        await slack.submit("ada", {"topic": "tabs"})

    assert len(slack.complaints) == 1


@pytest.mark.parametrize(("action", "open_now"), [("update", 1), ("push", 2), ("clear", 0)])
async def test_a_submission_can_change_the_stack(slack: SlackServer, action: str, open_now: int) -> None:
    """update, push, clear."""
    second = {"type": "modal", "title": words("Sure?"), "blocks": [{"type": "divider"}]}
    answer = {"response_action": action, **({"view": second} if action != "clear" else {})}
    app, _ = with_form(slack, form(), answer)
    async with connected(slack, app):
        await slack.slash("ada", "general", "")
        await slack.until(lambda: slack.views)
        done = await slack.submit("ada", {"topic": "tabs"})

    assert sum(view.open for view in slack.views.values()) == open_now
    assert (done.on_top is not None and done.on_top.body["title"]["text"] == "Sure?") == (action != "clear")


async def test_a_trigger_is_good_once_for_three_seconds() -> None:
    """Then it was exchanged, or has expired."""
    clock = [0.0]
    async with SlackServer(now=lambda: clock[0]) as slack:
        bot = bolt(slack).client
        first, late = slack.trigger(slack.user("ada")), slack.trigger(slack.user("ada"))
        await bot.views_open(trigger_id=first, view=form())
        again = await refused(bot.views_open(trigger_id=first, view=form()))
        clock[0] = 3.1
        expired = await refused(bot.views_open(trigger_id=late, view=form()))
        unknown = await refused(bot.views_open(trigger_id="1.2.3", view=form()))

    assert (again, expired, unknown) == ("exchanged_trigger_id", "expired_trigger_id", "invalid_trigger_id")


async def test_views_are_updated_and_pushed(slack: SlackServer, bot: AsyncWebClient) -> None:
    """A stale hash conflicts; three views are the most; a closed one is not found."""
    ada = slack.user("ada")
    opened = (await bot.views_open(trigger_id=slack.trigger(ada), view=form()))["view"]
    updated = (await bot.views_update(view_id=opened["id"], hash=opened["hash"], view=form()))["view"]
    conflict = await refused(bot.views_update(view_id=opened["id"], hash=opened["hash"], view=form()))
    for _ in range(2):
        await bot.views_push(trigger_id=slack.trigger(ada, opened["id"]), view=form())
    deep = await refused(bot.views_push(trigger_id=slack.trigger(ada, opened["id"]), view=form()))
    top = slack.modal("ada")
    await slack.close("ada")
    gone = await refused(bot.views_update(view_id=top.id, view=form()))

    assert updated["hash"] != opened["hash"]
    assert (conflict, deep, gone) == ("hash_conflict", "push_limit_reached", "not_found")
    assert top.previous is not None


@pytest.mark.parametrize(
    "view",
    [
        form(title=words("a" * 25)),
        form(submit=None),
        form(private_metadata="a" * 3001),
        form(callback_id="a" * 256),
        form(*[{"type": "divider"}] * 101),
        form({"type": "markdown", "text": "x"}),
        form(field("a", {"type": "plain_text_input", "max_length": 3001})),
        form(field("a", {"type": "plain_text_input", "initial_value": "a" * 3001})),
        form(field("a", {"type": "multi_static_select", "options": options(*map(str, range(101)))})),
        form(field("a", {"type": "static_select", "options": options("a" * 76)})),
        form(field("a", {"type": "static_select", "options": []})),
        form(field("a", {"type": "static_select", "options": options("a", "a")})),
        form(field("a", {"type": "static_select", "options": options("a"), "initial_option": options("b")[0]})),
        form(field("a", {"type": "checkboxes", "options": options(*map(str, range(11)))})),
        form(field("a", {"type": "file_input", "max_files": 11})),
        form(field("a", {"type": "number_input"})),
        form(field("a", {"type": "button", "text": words("x")})),
        form(field("a", {"type": "plain_text_input"}, label=words("x", "mrkdwn"))),
        {"type": "home", "blocks": []},
    ],
)
async def test_views_over_the_limits_are_refused(slack: SlackServer, bot: AsyncWebClient, view: Body) -> None:
    """invalid_arguments with the place of each fault."""
    view = {key: value for key, value in view.items() if value is not None}

    assert await refused(bot.views_open(trigger_id=slack.trigger(slack.user("ada")), view=view)) == (
        "invalid_arguments"
    )
