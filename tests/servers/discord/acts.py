"""Commands, buttons, forms: what people do that the app must answer within three seconds."""

from collections.abc import Mapping, Sequence

from . import commands, forms, interaction_payloads
from .answers import AUTOCOMPLETE, COMMAND, COMPONENT, FORM
from .commands import CHAT_INPUT, MESSAGE_MENU
from .component_checks import BUTTON, SELECTS, flat
from .options import filled, path_of
from .people import People
from .permissions import Permission, in_channel, sees
from .refusals import ImpossibleActError
from .stage import Where, Who
from .state import Event
from .world import Channel, ChannelKind, Interaction, Json, Message, User

_PATIENCE = 0.3


class Acts(People):
    async def slash(
        self,
        who: Who,
        where: Where,
        command: str,
        options: Mapping[str, object] | None = None,
        *,
        user_install: bool = False,
    ) -> Interaction:
        """Sends `/command` with its options, and waits for the first answer or the deadline.

        Raises ImpossibleActError for a command that is not synced or options it would not take.
        """
        user, channel = self.person(who), self.place(where)
        data = self._command_data(user, channel, command, options or {})
        return await self._ask(COMMAND, user, channel, data, user_install=user_install)

    async def autocomplete(
        self,
        who: Who,
        where: Where,
        command: str,
        option: str,
        typed: str,
        options: Mapping[str, object] | None = None,
    ) -> list[Json]:
        """The choices that the app offers for what was typed so far."""
        user, channel = self.person(who), self.place(where)
        given = {**(options or {}), option: typed}
        data = self._command_data(user, channel, command, given, focused=option)
        interaction = await self._ask(AUTOCOMPLETE, user, channel, data)
        return interaction.choices or []

    async def context_menu(self, who: Who, message: Message, name: str) -> Interaction:
        """Applies a message command: the app gets the message with its content, whatever its intents."""
        user, channel = self.person(who), message.channel
        command = self._command(channel, name, MESSAGE_MENU)
        data = interaction_payloads.message_menu(command, message, self.platform)
        return await self._ask(COMMAND, user, channel, data)

    async def press(self, who: Who, message: Message, button: str) -> Interaction:
        """Presses a button, named by its custom id or its label."""
        component = self._component(who, message, button, {BUTTON})
        data = {"component_type": BUTTON, "custom_id": component["custom_id"], "id": component["id"]}
        return await self._ask(COMPONENT, self.person(who), message.channel, data, message=message)

    async def select(self, who: Who, message: Message, custom_id: str, values: Sequence[str]) -> Interaction:
        component = self._component(who, message, custom_id, set(SELECTS))
        data = {
            "component_type": component["type"],
            "custom_id": component["custom_id"],
            "id": component["id"],
            "values": list(values),
        }
        return await self._ask(COMPONENT, self.person(who), message.channel, data, message=message)

    async def submit_modal(self, opened: Interaction, fields: Mapping[str, object]) -> Interaction:
        """Sends in the form that an interaction opened; fields go by custom id or label.

        Raises ImpossibleActError for a value that the client would not let through.
        """
        if opened.modal is None:
            raise ImpossibleActError("no form was opened by that")
        data = forms.submitted(self.platform, opened, fields)
        return await self._ask(FORM, opened.user, opened.channel, data, message=opened.message, opened_by=opened)

    async def _ask(
        self,
        kind: int,
        user: User,
        channel: Channel,
        data: Json,
        *,
        message: Message | None = None,
        opened_by: Interaction | None = None,
        user_install: bool = False,
    ) -> Interaction:
        interaction = Interaction(
            id=self.platform.ids.next(),
            kind=kind,
            token=self.platform.secret(),
            user=user,
            channel=channel,
            data=data,
            at=self.platform.clock.now(),
            message=message,
            opened_by=opened_by,
            by_user_install=user_install,
        )
        self.platform.interactions[interaction.token] = interaction
        body = interaction_payloads.interaction(interaction, self.platform)
        self.platform.emit(
            Event(name="INTERACTION_CREATE", data=body, guild=channel.guild, channel=channel, private=True)
        )
        await self._wait_for_answer(interaction)
        return interaction

    async def _wait_for_answer(self, interaction: Interaction) -> None:
        patience = self.platform.rules.response_deadline + _PATIENCE
        try:
            await self.platform.changed.until(lambda: interaction.answered_after is not None, patience)
        except TimeoutError:
            return

    def _command(self, channel: Channel, name: str, kind: int) -> Json:
        guild_id = channel.guild.id if channel.guild else None
        command = commands.find(self.platform, guild_id, name, kind)
        if command is None:
            raise ImpossibleActError(f"the command {name!r} is not synced")
        contexts = command.get("contexts")
        if contexts is not None and _context(channel) not in contexts:
            raise ImpossibleActError(f"the command {name!r} is not offered here")
        return command

    def _command_data(
        self,
        user: User,
        channel: Channel,
        line: str,
        options: Mapping[str, object],
        *,
        focused: str | None = None,
    ) -> Json:
        name, *path = line.removeprefix("/").split()
        command = self._command(channel, name, CHAT_INPUT)
        self._require_command_right(user, channel, command)
        known = path_of(command, path)
        data: Json = {"id": command["id"], "name": name, "type": CHAT_INPUT}
        values = filled(self, channel, known, options, focused=focused)
        data["options"] = values.nested(command, path)
        if values.resolved:
            data["resolved"] = values.resolved
        return data

    def _require_command_right(self, user: User, channel: Channel, command: Json) -> None:
        granted = in_channel(channel, user.id)
        if not sees(channel, user.id) or (channel.guild and Permission.USE_APPLICATION_COMMANDS not in granted):
            raise ImpossibleActError(f"{user.name} may not use commands in {channel.name}")
        needed = command.get("default_member_permissions")
        if needed is not None and channel.guild and Permission(int(needed)) & granted != int(needed):
            raise ImpossibleActError(f"{user.name} is not offered {command['name']!r}")

    def _component(self, who: Who, message: Message, name: str, kinds: set[int]) -> Json:
        """Raises ImpossibleActError for one that is not there, not in sight, or disabled."""
        user = self.person(who)
        if message.deleted or message.visible_to not in (None, user.id) or not sees(message.channel, user.id):
            raise ImpossibleActError(f"{user.name} does not see that message")
        for component in flat(message.components):
            if component["type"] in kinds and name in (component.get("custom_id"), component.get("label")):
                if component.get("disabled"):
                    raise ImpossibleActError(f"{name!r} is disabled")
                return component
        shown = [one.get("label") or one.get("custom_id") for one in flat(message.components)]
        raise ImpossibleActError(f"there is no {name!r} under that message, only {shown}")


def _context(channel: Channel) -> int:
    """0 in a guild, 1 in the direct channel with the bot.

    https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object
    """
    return 1 if channel.kind is ChannelKind.DM else 0
