"""Webhook routes; interaction tokens take the same addresses with the app's id."""

from tests.servers.discord import answers, message_payloads, messages, payloads, webhooks
from tests.servers.discord.calls import Call, Route, route
from tests.servers.discord.messages import WEBHOOK_PINGS
from tests.servers.discord.permissions import Permission
from tests.servers.discord.refusals import RefusalError
from tests.servers.discord.state import Platform
from tests.servers.discord.world import Json, Message, Webhook


def _create(call: Call) -> Json:
    channel = call.channel()
    call.platform.require(channel, Permission.MANAGE_WEBHOOKS)
    app = call.platform.app
    return _shown(call.platform, webhooks.create(call.platform, channel, call.fields.get("name"), app.bot, app.id))


def _list(call: Call) -> list[Json]:
    channel = call.channel()
    call.platform.require(channel, Permission.MANAGE_WEBHOOKS)
    return [_shown(call.platform, one) for one in webhooks.in_channel(call.platform, channel)]


def _list_guild(call: Call) -> list[Json]:
    guild = call.guild()
    return [
        _shown(call.platform, one)
        for one in call.platform.webhooks.values()
        if one.channel.guild is guild and _may_manage(call, one)
    ]


def _may_manage(call: Call, webhook: Webhook) -> bool:
    try:
        call.platform.require(webhook.channel, Permission.MANAGE_WEBHOOKS)
    except RefusalError:
        return False
    return True


def _show(call: Call) -> Json:
    webhook = call.platform.webhook(call.id("webhook"))
    call.platform.require(webhook.channel, Permission.MANAGE_WEBHOOKS)
    return _shown(call.platform, webhook)


def _show_by_token(call: Call) -> Json:
    body = _shown(call.platform, _by_token(call))
    body.pop("user")
    return body


def _change(call: Call) -> Json:
    webhook = call.platform.webhook(call.id("webhook"))
    call.platform.require(webhook.channel, Permission.MANAGE_WEBHOOKS)
    fields = call.fields
    if "name" in fields:
        webhook.name = webhooks.checked_name(fields["name"], "name")
    if fields.get("channel_id"):
        webhooks.move(call.platform, webhook, call.platform.channel(int(fields["channel_id"])))
    return _shown(call.platform, webhook)


def _delete(call: Call) -> None:
    webhook = call.platform.webhook(call.id("webhook"))
    call.platform.require(webhook.channel, Permission.MANAGE_WEBHOOKS)
    webhooks.delete(call.platform, webhook)


def _delete_by_token(call: Call) -> None:
    webhooks.delete(call.platform, _by_token(call))


def _execute(call: Call) -> Json | None:
    if answers.is_followup(call):
        return answers.follow_up(call)
    webhook = _by_token(call)
    draft = call.draft(flags_allowed=webhooks.FLAGS_ALLOWED)
    message = webhooks.execute(call.platform, webhook, call.fields, draft, call.asked("thread_id"))
    return message_payloads.message(message, call.platform) if call.flag("wait") else None


def _show_message(call: Call) -> Json:
    return message_payloads.message(_target(call), call.platform)


def _edit_message(call: Call) -> Json:
    if answers.is_followup(call):
        return answers.edit(call)
    message = _target(call)
    draft = call.draft(flags_allowed=webhooks.FLAGS_ALLOWED)
    messages.edit(call.platform, message, draft, WEBHOOK_PINGS)
    return message_payloads.message(message, call.platform)


def _delete_message(call: Call) -> None:
    messages.delete(call.platform, _target(call))


def _target(call: Call) -> Message:
    if answers.is_followup(call):
        return answers.answer_message(call)
    webhook = _by_token(call)
    return webhooks.own_message(call.platform, webhook, call.id("message"), call.asked("thread_id"))


def _by_token(call: Call) -> Webhook:
    return call.platform.webhook(call.id("webhook"), call.params["token"])


def _shown(platform: Platform, webhook: Webhook) -> Json:
    return payloads.webhook(webhook, token_for_app=platform.app.id)


_BY_TOKEN = "/webhooks/{webhook}/{token}"
_MESSAGE = _BY_TOKEN + "/messages/{message}"

ROUTES: list[Route] = [
    route("POST", "/channels/{channel}/webhooks", _create),
    route("GET", "/channels/{channel}/webhooks", _list),
    route("GET", "/guilds/{guild}/webhooks", _list_guild),
    route("GET", "/webhooks/{webhook}", _show),
    route("PATCH", "/webhooks/{webhook}", _change),
    route("DELETE", "/webhooks/{webhook}", _delete),
    route("GET", _BY_TOKEN, _show_by_token, needs_bot=False),
    route("DELETE", _BY_TOKEN, _delete_by_token, needs_bot=False),
    route("POST", _BY_TOKEN, _execute, needs_bot=False),
    route("GET", _MESSAGE, _show_message, needs_bot=False),
    route("PATCH", _MESSAGE, _edit_message, needs_bot=False),
    route("DELETE", _MESSAGE, _delete_message, needs_bot=False),
]
