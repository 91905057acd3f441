"""Messages on the wire, and what is withheld without the message content intent.

https://docs.discord.com/developers/events/gateway#message-content-intent
"""

from . import payloads
from .state import Platform
from .world import ChannelKind, Json, Message


def message(one: Message, platform: Platform, *, nested: bool = False) -> Json:
    body: Json = {
        "id": str(one.id),
        "channel_id": str(one.channel.id),
        "type": one.kind,
        "author": payloads.user(one.author),
        "content": one.content,
        "timestamp": one.at,
        "edited_timestamp": one.edited_at,
        "tts": False,
        "mention_everyone": one.pings.everyone,
        "mentions": _mentions(one, platform),
        "mention_roles": [str(role) for role in sorted(one.pings.roles)],
        "attachments": [payloads.attachment(a, platform) for a in one.attachments],
        "embeds": one.embeds,
        "components": one.components,
        "pinned": one.pinned_at is not None,
        "flags": one.flags,
        "reactions": _reactions(one, platform),
    }
    _add_origin(body, one)
    if one.thread is not None:
        body["thread"] = payloads.thread(one.thread)
    if one.refers_to is not None and not nested:
        _add_reference(body, one, one.refers_to, platform)
    return body


def _add_origin(body: Json, one: Message) -> None:
    if one.nonce is not None:
        body["nonce"] = one.nonce
    if one.webhook_id is not None:
        body["webhook_id"] = str(one.webhook_id)
    if one.application_id is not None:
        body["application_id"] = str(one.application_id)
    if one.interaction is not None:
        body["interaction_metadata"] = one.interaction


def _mentions(one: Message, platform: Platform) -> list[Json]:
    people = sorted(one.pings.users | ({one.reply_ping} if one.reply_ping else set()))
    return [payloads.user(platform.users[person]) for person in people if person in platform.users]


def _reactions(one: Message, platform: Platform) -> list[Json]:
    bot = platform.app.bot.id
    return [
        {
            "emoji": {"id": None, "name": emoji},
            "count": len(people),
            "count_details": {"normal": len(people), "burst": 0},
            "me": bot in people,
            "me_burst": False,
            "burst_colors": [],
        }
        for emoji, people in one.reactions.items()
        if people
    ]


def _add_reference(body: Json, one: Message, target: Message, platform: Platform) -> None:
    reference = {"type": 0, "channel_id": str(target.channel.id), "message_id": str(target.id)}
    if target.channel.guild is not None:
        reference["guild_id"] = str(target.channel.guild.id)
    body["message_reference"] = reference
    if one.kind in {19, 21}:
        shown = None if target.deleted else message(target, platform, nested=True)
        body["referenced_message"] = shown


def event(one: Message, platform: Platform) -> Json:
    """The same with the guild and the author's membership, which only the gateway adds."""
    body = message(one, platform)
    guild = one.channel.guild
    if guild is None:
        return body
    body["guild_id"] = str(guild.id)
    membership = guild.members.get(one.author.id)
    if one.webhook_id is None and membership is not None:
        body["member"] = payloads.member(membership, with_user=False)
    return body


def readable(one: Message, platform: Platform) -> bool:
    """Whether an app without the message content intent gets this message's content all the same."""
    bot = platform.app.bot.id
    if one.channel.kind is ChannelKind.DM or one.author.id == bot or bot in one.pings.users:
        return True
    answered = one.refers_to
    if one.reply_ping == bot and answered is not None and answered.webhook_id is None:
        return True
    own_webhook = one.application_id == platform.app.id and one.webhook_id is not None
    return own_webhook and platform.rules.own_webhook_content


def withheld(body: Json, one: Message, platform: Platform) -> Json:
    """The payload with content, embeds, attachments and components emptied where they are not readable."""
    shown = dict(body)
    if not readable(one, platform):
        shown |= {"content": "", "embeds": [], "attachments": [], "components": []}
    if shown.get("referenced_message") and one.refers_to is not None:
        shown["referenced_message"] = withheld(shown["referenced_message"], one.refers_to, platform)
    return shown


def for_app(one: Message, platform: Platform) -> Json:
    """The message as a REST answer to the app."""
    body = message(one, platform)
    return body if platform.rules.message_content_granted else withheld(body, one, platform)
