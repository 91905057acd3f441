"""Sets the scene: guilds, channels, people, rights, and what administrators do to them."""

from typing import TypeAlias

from . import channels, payloads, threads, webhooks
from .gateway import Gateway
from .permissions import EVERYONE, INVITED, Permission
from .refusals import ImpossibleActError
from .state import Event, Platform
from .world import Channel, ChannelKind, Guild, Json, Member, Overwrite, Role, User, Webhook

Who: TypeAlias = User | str | int
Where: TypeAlias = Channel | str | int


class Stage:
    platform: Platform
    gateway: Gateway

    def person(self, who: Who) -> User:
        """By name or id; raises ImpossibleActError when there is nobody of that name."""
        if isinstance(who, User):
            return who
        for user in self.platform.users.values():
            if who in (user.name, user.id, str(user.id)):
                return user
        raise ImpossibleActError(f"there is nobody called {who!r}")

    def place(self, where: Where) -> Channel:
        """By name or id; raises ImpossibleActError when there is no such channel or thread."""
        if isinstance(where, Channel):
            return where
        for channel in self.platform.channels.values():
            if where in (channel.name, channel.id, str(channel.id)):
                return channel
        raise ImpossibleActError(f"there is no channel {where!r}")

    def guild(
        self,
        name: str = "Acme",
        *,
        owner: str = "olga",
        bot_permissions: Permission | None = INVITED,
        shard: tuple[int, int] | None = None,
    ) -> Guild:
        """A guild with an owner and, unless its permissions are None, the bot under a role of its own."""
        guild_id = self.platform.ids.next_on_shard(*shard) if shard else self.platform.ids.next()
        boss = self.platform.person(owner)
        guild = Guild(id=guild_id, name=name, owner_id=boss.id)
        guild.roles[guild.id] = Role(id=guild.id, name="@everyone", permissions=EVERYONE, position=0)
        self.platform.guilds[guild.id] = guild
        self._enrol(guild, boss, [])
        if bot_permissions is not None:
            self.add_bot(guild, bot_permissions)
        return guild

    def add_bot(self, guild: Guild, permissions: Permission = INVITED) -> None:
        role = self.role(guild, "panelist", permissions)
        role.managed = True
        self._enrol(guild, self.platform.app.bot, [role.id])
        self.gateway.announce_guild(guild)

    def kick_bot(self, guild: Guild) -> None:
        guild.members.pop(self.platform.app.bot.id, None)
        self.platform.emit(Event(name="GUILD_DELETE", data={"id": str(guild.id)}, guild=guild))

    def outage(self, guild: Guild) -> None:
        """The platform loses sight of the guild for a while; the bot has not been removed."""
        guild.unavailable = True
        data = {"id": str(guild.id), "unavailable": True}
        self.platform.emit(Event(name="GUILD_DELETE", data=data, guild=guild))

    def recover(self, guild: Guild) -> None:
        guild.unavailable = False
        self.gateway.announce_guild(guild)

    def role(
        self,
        guild: Guild,
        name: str,
        permissions: Permission = Permission(0),  # noqa: B008  # an IntFlag is immutable
        *,
        mentionable: bool = False,
    ) -> Role:
        role = Role(id=self.platform.ids.next(), name=name, permissions=permissions, mentionable=mentionable)
        guild.roles[role.id] = role
        self._announce_role(guild, role, "GUILD_ROLE_CREATE")
        return role

    def change_role(self, guild: Guild, role: Role, permissions: Permission) -> None:
        role.permissions = permissions
        self._announce_role(guild, role, "GUILD_ROLE_UPDATE")

    def permit_bot(self, guild: Guild, permissions: Permission) -> None:
        """Replaces what the bot's own role grants."""
        role = next(role for role in guild.roles.values() if role.managed)
        self.change_role(guild, role, permissions)

    def _announce_role(self, guild: Guild, role: Role, name: str) -> None:
        data = {"guild_id": str(guild.id), "role": payloads.role(role)}
        self.platform.emit(Event(name=name, data=data, guild=guild))

    def member(
        self,
        guild: Guild,
        name: str,
        *,
        bot: bool = False,
        display: str | None = None,
        roles: tuple[Role, ...] = (),
    ) -> User:
        """A person, or another app, that joins the guild."""
        user = self.platform.person(name, bot=bot, display=display)
        self._enrol(guild, user, [role.id for role in roles])
        return user

    def remove_member(self, guild: Guild, who: Who) -> None:
        user = self.person(who)
        guild.members.pop(user.id, None)
        data = {"guild_id": str(guild.id), "user": payloads.user(user)}
        self.platform.emit(Event(name="GUILD_MEMBER_REMOVE", data=data, guild=guild))

    def _enrol(self, guild: Guild, user: User, roles: list[int]) -> None:
        one = Member(user=user, joined_at=self.platform.clock.iso(), roles=roles)
        guild.members[user.id] = one
        data = payloads.member(one) | {"guild_id": str(guild.id)}
        self.platform.emit(Event(name="GUILD_MEMBER_ADD", data=data, guild=guild))

    def text_channel(self, guild: Guild, name: str = "general") -> Channel:
        return channels.create(self.platform, guild, name, ChannelKind.TEXT)

    def announcement_channel(self, guild: Guild, name: str = "news") -> Channel:
        return channels.create(self.platform, guild, name, ChannelKind.ANNOUNCEMENT)

    def forum(self, guild: Guild, name: str = "ideas", *, tags: tuple[str, ...] = ()) -> Channel:
        forum = channels.create(self.platform, guild, name, ChannelKind.FORUM)
        forum.tags = [self._tag(tag) for tag in tags]
        channels.announce(self.platform, "CHANNEL_UPDATE", forum)
        return forum

    def _tag(self, name: str) -> Json:
        tag_id = str(self.platform.ids.next())
        return {"id": tag_id, "name": name, "moderated": False, "emoji_id": None, "emoji_name": None}

    def direct(self, who: Who) -> Channel:
        return self.platform.direct_channel(self.person(who))

    def permit(
        self,
        where: Where,
        who: Role | Who,
        *,
        allow: Permission = Permission(0),  # noqa: B008  # an IntFlag is immutable
        deny: Permission = Permission(0),  # noqa: B008  # an IntFlag is immutable
    ) -> None:
        """Overwrites a role's or person's rights in one channel."""
        is_role = isinstance(who, Role)
        target = who.id if isinstance(who, Role) else self.person(who).id
        one = Overwrite(id=target, kind=0 if is_role else 1, allow=int(allow), deny=int(deny))
        channels.overwrite(self.platform, self.place(where), one)

    def forbid_bot(self, where: Where, *, deny: Permission) -> None:
        self.permit(where, self.platform.app.bot, deny=deny)

    def delete_channel(self, where: Where) -> None:
        channel = self.place(where)
        if channel.thread is not None:
            threads.remove(self.platform, channel)
        else:
            channels.remove(self.platform, channel)

    def change_thread(self, where: Where, **changes: object) -> None:
        """As a moderator does: name, archived, locked, auto_archive_duration."""
        threads.apply(self.platform, self.place(where), dict(changes))

    def webhook(self, where: Where, name: str, creator: Who) -> Webhook:
        """A webhook that a person made, outside of any app."""
        return webhooks.create(self.platform, self.place(where), name, self.person(creator), None)

    def move_webhook(self, webhook: Webhook, where: Where) -> None:
        webhooks.move(self.platform, webhook, self.place(where))

    def delete_webhook(self, webhook: Webhook) -> None:
        webhooks.delete(self.platform, webhook)

    def webhooks(self, where: Where) -> list[Webhook]:
        return webhooks.in_channel(self.platform, self.place(where))
