"""conversations.* and users.conversations: https://docs.slack.dev/reference/methods?family=conversations"""

from tests.servers.slack.errors import SlackError
from tests.servers.slack.payloads import message_body
from tests.servers.slack.request import HISTORY, READ, Request
from tests.servers.slack.world import JSON, Channel, Message

_KINDS = {"public_channel": "public", "private_channel": "private", "im": "im", "mpim": "mpim"}


def history(call: Request) -> JSON:
    """Roots and broadcasts, newest first; full metadata only when asked for."""
    channel = _readable(call)
    roots = [m for m in channel.messages.values() if m.thread_ts in {None, m.ts} or m.broadcast]
    return _messages(call, channel, sorted(_within(call, roots), key=lambda m: m.ts, reverse=True), default=100)


def replies(call: Request) -> JSON:
    """A thread, oldest first, the root always in front; `ts` may be the root's or a reply's."""
    channel = _readable(call)
    message = channel.messages.get(call.text("ts"))
    if message is None:
        raise SlackError("thread_not_found")
    root, *rest = channel.thread(message.thread_ts or message.ts) or [message]
    chosen = _within(call, [root, *rest]) if _pinpoint(call) else [root, *_within(call, rest)]
    return _messages(call, channel, chosen, default=1000)


def info(call: Request) -> JSON:
    """conversations.info."""
    channel = call.channel()
    call.require(READ[channel.kind])
    body = channel.public(call.installation.bot_user)
    if call.arguments.get("include_num_members"):
        body["num_members"] = len(channel.members)
    return {"ok": True, "channel": body}


def members(call: Request) -> JSON:
    """conversations.members."""
    channel = call.channel()
    call.require(READ[channel.kind])
    page = call.page([{"id": member} for member in channel.members], "members")
    return page | {"members": [member["id"] for member in page["members"]]}


def listing(call: Request) -> JSON:
    """conversations.list: private channels and DMs only where the bot is inside."""
    return _listed(call, mine=False)


def mine(call: Request) -> JSON:
    """users.conversations: the channels that the bot (or `user`) is in."""
    return _listed(call, mine=True)


def opened(call: Request) -> JSON:
    """conversations.open: the direct message with one person."""
    people = [key for key in call.text("users").split(",") if key]
    if not people:
        raise SlackError("users_list_not_supplied")
    if len(people) > 1:
        raise SlackError("method_not_supported_for_channel_type")
    user = call.ws.users.get(people[0])
    if user is None:
        raise SlackError("user_not_found")
    if user.deleted:
        raise SlackError("user_disabled")
    return {"ok": True, "channel": {"id": call.ws.direct(user).id}}


def join(call: Request) -> JSON:
    """conversations.join: public channels alone."""
    channel = call.ws.channels.get(call.text("channel"))
    if channel is None:
        raise SlackError("channel_not_found")
    if channel.kind != "public":
        raise SlackError("method_not_supported_for_channel_type")
    if channel.archived:
        raise SlackError("is_archived")
    if call.installation.bot_user not in channel.members:
        channel.members.append(call.installation.bot_user)
    return {"ok": True, "channel": channel.public(call.installation.bot_user)}


def _readable(call: Request) -> Channel:
    channel = call.channel(member=True)
    call.require(HISTORY[channel.kind])
    return channel


def _within(call: Request, messages: list[Message]) -> list[Message]:
    """The messages between `oldest` and `latest`; their own moments only with `inclusive`."""
    oldest, latest = call.text("oldest", "0"), call.text("latest", "now")
    inclusive = bool(call.arguments.get("inclusive"))
    low = float(oldest)
    high = float("inf") if latest == "now" else float(latest)
    return [m for m in messages if low < float(m.ts) < high or (inclusive and float(m.ts) in (low, high))]


def _pinpoint(call: Request) -> bool:
    """True for the documented way to fetch one reply: oldest and latest at its ts, inclusive."""
    return call.arguments.get("oldest") == call.arguments.get("latest") is not None


def _messages(call: Request, channel: Channel, messages: list[Message], default: int) -> JSON:
    most = call.platform.limiter.rates.history_page
    if most is not None:
        limit = min(int(call.arguments.get("limit", most)), most)
        call.arguments["limit"] = limit
        default = most
    full = bool(call.arguments.get("include_all_metadata"))
    bodies = [message_body(call.ws, channel, m, call.platform.base_url, metadata=full) for m in messages]
    page = call.page(bodies, "messages", most=1000, default=default)
    page["has_more"] = bool(page["response_metadata"]["next_cursor"])
    return page if page["has_more"] else {k: v for k, v in page.items() if k != "response_metadata"}


def _listed(call: Request, *, mine: bool) -> JSON:
    kinds = call.text("types", "public_channel").replace(" ", "").split(",")
    if not set(kinds) <= _KINDS.keys():
        raise SlackError("invalid_types")
    wanted = {_KINDS[kind] for kind in kinds}
    for kind in sorted(wanted & READ.keys()):
        call.require(READ[kind])
    person = call.text("user", call.installation.bot_user)
    bot = call.installation.bot_user
    shown = [
        channel.public(bot)
        for channel in call.ws.channels.values()
        if channel.kind in wanted
        and (channel.kind == "public" or bot in channel.members)
        and (not mine or person in channel.members)
        and not (channel.archived and call.arguments.get("exclude_archived"))
    ]
    return call.page(shown, "channels")
