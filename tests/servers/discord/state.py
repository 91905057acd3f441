"""The state of the whole platform with its clock, ids, rules and outlets."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from .clock import ServerClock, Signal, Snowflakes
from .journal import Journal
from .permissions import Permission, in_channel, sees
from .refusals import RefusalError
from .rules import Rules
from .world import (
    Application,
    Attachment,
    Channel,
    ChannelKind,
    Guild,
    Interaction,
    Json,
    Message,
    User,
    Webhook,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One gateway event before it is fitted to a session's intents and sight."""

    name: str
    data: Json
    guild: Guild | None = None
    channel: Channel | None = None
    # The message inside, so that its content can be withheld.
    message: Message | None = None
    # An interaction's event, which every session of the shard gets.
    private: bool = False


class Platform:
    def __init__(self, rules: Rules, journal: Journal, *, token: str) -> None:
        self.rules = rules
        self.journal = journal
        self.clock = ServerClock()
        self.ids = Snowflakes(self.clock)
        self.changed = Signal()
        self.origin = ""
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.webhooks: dict[int, Webhook] = {}
        self.interactions: dict[str, Interaction] = {}
        # Files that came with a command or a form, outside of any message.
        self.uploads: dict[int, Attachment] = {}
        # Keyed by guild id, None for the global ones.
        self.commands: dict[int | None, list[Json]] = {None: []}
        # Every message ever made, deleted ones too.
        self.created: list[Message] = []
        self.publish: Callable[[Event], None] = lambda event: None
        self.app = self._application(token)

    def _application(self, token: str) -> Application:
        owner = self.person("developer")
        bot = self.person("panelist", bot=True)
        return Application(id=bot.id, bot=bot, owner=owner, token=token)

    def person(self, name: str, *, bot: bool = False, display: str | None = None) -> User:
        user = User(id=self.ids.next(), name=name, bot=bot, display=display)
        self.users[user.id] = user
        return user

    def emit(self, event: Event) -> None:
        self.publish(event)
        self.changed.notify()

    def channel(self, channel_id: int) -> Channel:
        """Raises 10003 when there is none."""
        if channel_id not in self.channels:
            raise RefusalError(10003)
        return self.channels[channel_id]

    def message(self, channel: Channel, message_id: int) -> Message:
        """Raises 10008 when it is not in that channel, or is ephemeral."""
        message = channel.messages.get(message_id)
        if message is None or message.visible_to is not None:
            raise RefusalError(10008)
        return message

    def webhook(self, webhook_id: int, token: str | None = None) -> Webhook:
        """Raises 10015 for an unknown id, 50027 for a wrong token."""
        webhook = self.webhooks.get(webhook_id)
        if webhook is None:
            raise RefusalError(10015)
        if token is not None and token != webhook.token:
            raise RefusalError(50027)
        return webhook

    def require(self, channel: Channel, *needed: Permission) -> Permission:
        """What the bot may do there; raises 50001 out of sight, 50013 when something needed is missing."""
        bot = self.app.bot.id
        if not sees(channel, bot):
            raise RefusalError(50001)
        granted = in_channel(channel, bot)
        if any(permission not in granted for permission in needed):
            raise RefusalError(50013)
        return granted

    def granted(self, channel: Channel, user_id: int) -> Permission:
        return in_channel(channel, user_id)

    def direct_channel(self, user: User) -> Channel:
        """The channel between the bot and that person, made on first use."""
        for channel in self.channels.values():
            if channel.kind is ChannelKind.DM and user in channel.recipients:
                return channel
        channel = Channel(id=self.ids.next(), kind=ChannelKind.DM, recipients=[self.app.bot, user])
        self.channels[channel.id] = channel
        return channel

    def secret(self) -> str:
        return secrets.token_urlsafe(48)
