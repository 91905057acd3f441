"""Answers to interactions: the first within the deadline, the rest while the token lives.

https://docs.discord.com/developers/interactions/receiving-and-responding
"""

from . import message_payloads, messages, payloads, threads
from .calls import Call
from .component_checks import check_modal
from .drafts import (
    COMPONENTS_V2,
    EPHEMERAL,
    SUPPRESS_EMBEDS,
    SUPPRESS_NOTIFICATIONS,
    Draft,
    require_something,
)
from .messages import WEBHOOK_PINGS, Sender
from .permissions import Permission
from .refusals import RefusalError, invalid
from .state import Platform
from .world import Interaction, Json, Message

REPLY, DEFER, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
COMMAND, COMPONENT, AUTOCOMPLETE, FORM = 2, 3, 4, 5
LOADING = 1 << 7
FLAGS_ALLOWED = EPHEMERAL | SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS | COMPONENTS_V2 | LOADING
_MESSAGE_KINDS = {1: 20, 2: 23, 3: 23}
_ALLOWED = {
    COMMAND: {REPLY, DEFER, MODAL},
    COMPONENT: {REPLY, DEFER, DEFER_UPDATE, UPDATE, MODAL},
    AUTOCOMPLETE: {CHOICES},
    FORM: {REPLY, DEFER, DEFER_UPDATE, UPDATE},
}


def first_answer(call: Call) -> Json | None:
    """Raises 10062 after the deadline, 40060 for a second one."""
    interaction = _open(call.platform, call.params["token"], call.id("interaction"))
    kind = int(call.fields["type"])
    if kind not in _ALLOWED[interaction.kind]:
        raise invalid("type", "INTERACTION_RESPONSE_TYPE_INVALID", "Not an answer to this kind.")
    data = call.fields.get("data") or {}
    _ACTIONS[kind](call, interaction, data)
    interaction.answered_after = call.platform.clock.now() - interaction.at
    interaction.answer_kind = kind
    call.platform.changed.notify()
    return _receipt(call.platform, interaction) if call.flag("with_response") else None


def _open(platform: Platform, token: str, interaction_id: int) -> Interaction:
    interaction = platform.interactions.get(token)
    if interaction is None or interaction.id != interaction_id:
        raise RefusalError(10062)
    if interaction.answered_after is not None:
        raise RefusalError(40060)
    if platform.clock.now() - interaction.at > platform.rules.response_deadline:
        raise RefusalError(10062)
    return interaction


def _reply(call: Call, interaction: Interaction, data: Json) -> None:
    draft = call.draft(flags_allowed=FLAGS_ALLOWED, body=data)
    require_something(draft)
    interaction.original = _say(call.platform, interaction, draft)


def _defer(call: Call, interaction: Interaction, data: Json) -> None:
    flags = int(data.get("flags") or 0)
    if flags & ~EPHEMERAL:
        raise invalid("data.flags", "MESSAGE_INVALID_FLAGS", "Only EPHEMERAL can be set on a deferral.")
    interaction.ephemeral = bool(flags & EPHEMERAL)
    placeholder = Draft(flags=flags | LOADING)
    interaction.original = _say(call.platform, interaction, placeholder)


def _defer_update(call: Call, interaction: Interaction, data: Json) -> None:
    interaction.original = interaction.message


def _update(call: Call, interaction: Interaction, data: Json) -> None:
    if interaction.message is None:
        raise invalid("type", "INTERACTION_RESPONSE_TYPE_INVALID", "There is no message to update.")
    draft = call.draft(flags_allowed=FLAGS_ALLOWED, body=data)
    threads.require_active(interaction.message.channel)
    interaction.original = messages.edit(call.platform, interaction.message, draft, WEBHOOK_PINGS)


def _choices(call: Call, interaction: Interaction, data: Json) -> None:
    choices = list(data.get("choices") or [])
    if len(choices) > 25:
        raise invalid("data.choices", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
    for one in choices:
        if not 1 <= len(str(one["name"])) <= 100 or len(str(one["value"])) > 100:
            raise invalid("data.choices", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
    interaction.choices = choices


def _modal(call: Call, interaction: Interaction, data: Json) -> None:
    check_modal(data)
    interaction.modal = {**data, "components": messages.numbered(data["components"])}


_ACTIONS = {
    REPLY: _reply,
    DEFER: _defer,
    DEFER_UPDATE: _defer_update,
    UPDATE: _update,
    CHOICES: _choices,
    MODAL: _modal,
}


def _say(platform: Platform, interaction: Interaction, draft: Draft) -> Message:
    ephemeral = bool(draft.flags & EPHEMERAL) or _forced_ephemeral(platform, interaction)
    if ephemeral:
        draft.flags |= EPHEMERAL
    else:
        threads.require_open(interaction.channel, platform.granted(interaction.channel, platform.app.bot.id))
    sender = Sender(
        author=platform.app.bot,
        default_pings=WEBHOOK_PINGS,
        webhook_id=platform.app.id,
        application_id=platform.app.id,
        interaction=_metadata(interaction),
        kind=_MESSAGE_KINDS.get(int(interaction.data.get("type", 0)), 0) if interaction.kind == COMMAND else 0,
        visible_to=interaction.user.id if ephemeral else None,
    )
    return messages.post(platform, interaction.channel, draft, sender)


def _forced_ephemeral(platform: Platform, interaction: Interaction) -> bool:
    """An app that only the user installed answers in public where external apps may.

    https://docs.discord.com/developers/resources/application#user-context
    """
    if not interaction.by_user_install or interaction.channel.guild is None:
        return False
    granted = platform.granted(interaction.channel, interaction.user.id)
    return Permission.USE_EXTERNAL_APPS not in granted


def _metadata(interaction: Interaction) -> Json:
    return {
        "id": str(interaction.id),
        "type": interaction.kind if interaction.kind != AUTOCOMPLETE else COMMAND,
        "user": payloads.user(interaction.user),
        "authorizing_integration_owners": {},
    }


def _receipt(platform: Platform, interaction: Interaction) -> Json:
    body: Json = {"interaction": {"id": str(interaction.id), "type": interaction.kind}}
    if interaction.answer_kind in {REPLY, DEFER, UPDATE} and interaction.original is not None:
        original = interaction.original
        body["interaction"] |= {
            "response_message_id": str(original.id),
            "response_message_loading": payloads.loading(original),
            "response_message_ephemeral": original.visible_to is not None,
        }
        shown = message_payloads.message(original, platform)
        body["resource"] = {"type": interaction.answer_kind, "message": shown}
    return body


def is_followup(call: Call) -> bool:
    return call.id("webhook") == call.platform.app.id


def follow_up(call: Call) -> Json:
    """Another message; the first after a deferral takes the placeholder's place and visibility."""
    interaction = _living(call)
    draft = call.draft(flags_allowed=FLAGS_ALLOWED)
    require_something(draft)
    original = interaction.original
    if original is not None and payloads.loading(original):
        return _fill(call, original, draft)
    if interaction.by_user_install and len(interaction.followups) >= 5:
        raise RefusalError(40094)
    message = _say(call.platform, interaction, draft)
    interaction.followups.append(message)
    return message_payloads.message(message, call.platform)


def edit(call: Call) -> Json:
    message = answer_message(call)
    draft = call.draft(flags_allowed=FLAGS_ALLOWED)
    if payloads.loading(message):
        return _fill(call, message, draft)
    threads.require_active(message.channel)
    messages.edit(call.platform, message, draft, WEBHOOK_PINGS)
    return message_payloads.message(message, call.platform)


def _fill(call: Call, placeholder: Message, draft: Draft) -> Json:
    placeholder.flags &= ~LOADING
    draft.flags = placeholder.flags | (draft.flags & ~EPHEMERAL)
    messages.edit(call.platform, placeholder, draft, WEBHOOK_PINGS)
    placeholder.edited_at = None
    return message_payloads.message(placeholder, call.platform)


def answer_message(call: Call) -> Message:
    """The first answer or a follow-up; raises 10008 when there is none of that id."""
    interaction = _living(call)
    asked = call.params["message"]
    known = [*interaction.followups, *([interaction.original] if interaction.original else [])]
    if asked == "@original":
        known = [interaction.original] if interaction.original else []
    for message in known:
        if not message.deleted and asked in {"@original", str(message.id)}:
            return message
    raise RefusalError(10008)


def _living(call: Call) -> Interaction:
    """Raises 50027 once the token's time is over, 10015 before the first answer."""
    interaction = call.platform.interactions.get(call.params["token"])
    if interaction is None:
        raise RefusalError(50027)
    if call.platform.clock.now() - interaction.at > call.platform.rules.token_life:
        raise RefusalError(50027)
    if interaction.answered_after is None:
        raise RefusalError(10015)
    return interaction
