"""Everything that Discord calls an interaction: commands, forms, buttons. Each is answered at once, then done."""

import asyncio
import logging
from dataclasses import replace

import discord

from adapters.discord.asking import Asking, Choice, Reply, sentence
from adapters.discord.buttons import NEW_ID, modal_for
from adapters.discord.client import Pressed
from adapters.discord.faults import told
from adapters.discord.form import PanelForm
from adapters.discord.kept import kept_files
from adapters.discord.opening import NO_SERVER, placed
from adapters.discord.receipts import answering
from adapters.discord.replying import acknowledged, answer, first, opened
from adapters.discord.services import Ask, Services
from adapters.discord.translate import person, place_in, place_of
from bot.core.desk.form import submitted
from bot.core.errors import PanelistError, PlatformError
from bot.core.options import FormatName
from bot.core.place import Place
from bot.core.platform import Heard
from bot.core.starting.command import Command, DeskCommand, PanelCommand

log = logging.getLogger("panelist.discord")

AT_ONCE = 1.0
"""Seconds that an answer may take which opens a form: that must come first, and within three."""


class Surface:
    """What people choose, fill in and press."""

    def __init__(self, services: Services, asking: Asking) -> None:
        self._services, self.asking = services, asking

    async def command(
        self,
        interaction: Pressed,
        command: Command,
        files: tuple[discord.Attachment, ...] = (),
        elsewhere: discord.TextChannel | discord.ForumChannel | None = None,
    ) -> None:
        """A chosen command. One of the desk may open a form."""
        ask = replace(_ask(interaction), command=_panel(command), files=files, elsewhere=elsewhere)
        if not _in_server(interaction):
            return await self._told(interaction, Reply(text=NO_SERVER))
        if isinstance(command, DeskCommand):
            return await self._maybe_form(interaction, asyncio.create_task(self.asking.answer(command, ask)))
        if await acknowledged(interaction):
            await answer(interaction, await self.asking.answer(command, ask))
        return None

    async def refuse(self, interaction: Pressed, fault: PanelistError) -> None:
        """What was chosen can not be."""
        await self._told(interaction, Reply(text=sentence(fault)))

    async def line(self, interaction: Pressed, text: str) -> None:
        """A command as it would be typed."""
        try:
            command = await self.asking.meant(interaction.channel, text)
        except PanelistError as fault:
            return await self._told(interaction, Reply(text=sentence(fault)))
        if isinstance(command, PanelCommand | DeskCommand):
            return await self.command(interaction, command)
        return await self.open_form(interaction)

    async def about(self, interaction: Pressed, message: discord.Message, format_name: FormatName) -> None:
        """A panel on a message that somebody pointed at."""
        if not _in_server(interaction):
            return await self._told(interaction, Reply(text=NO_SERVER))
        if not await acknowledged(interaction):
            return None
        command = PanelCommand(format=format_name, words=None)
        ask = replace(_ask(interaction), command=command, message=message, about=True)
        return await answer(interaction, await self.asking.answer(command, ask))

    async def open_form(self, interaction: Pressed, format_name: FormatName = "discussion") -> None:
        """The form for a new panel: it must be the first response."""
        if not _in_server(interaction):
            return await self._told(interaction, Reply(text=NO_SERVER))
        try:
            place = placed(interaction.channel)
            form = PanelForm(await self._services.catalogs.of(place), format_name)
        except PanelistError as fault:
            return await self._told(interaction, Reply(text=sentence(fault)))
        await first(interaction.response.send_modal(form))
        return None

    async def form(self, interaction: Pressed, form: PanelForm) -> None:
        """The form was sent in."""
        if not await acknowledged(interaction):
            return
        try:
            command = form.command()
        except PanelistError as fault:
            await answer(
                interaction, Reply(text=sentence(fault), choices=(Choice(label="Open the form", custom_id=NEW_ID),))
            )
            return
        ask = replace(_ask(interaction), command=command, files=form.files())
        await answer(interaction, await self.asking.answer(command, ask))

    async def desk_form(self, interaction: Pressed, key: str, values: dict[str, str]) -> None:
        """A form of the desk was sent in."""
        try:
            await self.command(interaction, submitted(key, values))
        except PanelistError as fault:
            await self._told(interaction, Reply(text=sentence(fault)))

    async def choose(self, interaction: Pressed, what: str, key: str, names: tuple[str, ...] = ()) -> None:
        """Resume, start afresh, or who takes part."""
        if await acknowledged(interaction):
            await answer(interaction, await self.asking.chosen(what, key, _ask(interaction), names))

    async def press(self, interaction: Pressed, word: str, panel: str) -> None:
        """A button of a card."""
        form = modal_for(word, panel)
        if form is not None:
            await first(interaction.response.send_modal(form))
        elif word in ("transcript", "record", "run again"):
            await self._request(interaction, word, panel)
        else:
            await self.said(interaction, word, panel, "")

    async def said(self, interaction: Pressed, word: str, panel: str, text: str) -> None:
        """A button's word, with what was written in its form. It is obeyed even where Discord was too slow to ask."""
        place = _place(interaction)
        await first(interaction.response.defer())
        if place is None:
            return await self._told(interaction, Reply(text=NO_SERVER))
        words = f"{word.rstrip(':')}: {text}" if text else word
        heard = Heard(
            place=place,
            message_id=f"press:{interaction.id}",
            author=person(interaction.user),
            text=words,
            at=self._services.clock.now(),
            pressed=True,
            panel=panel,
        )
        token = answering.set(interaction)
        try:
            taken = await self._services.hearing.hear(heard)
        except PanelistError as fault:
            return await self._told(interaction, Reply(text=sentence(fault)))
        finally:
            answering.reset(token)
        if taken.kind in ("directive", "decision") and not taken.answer:
            await self._told(interaction, Reply(text="Noted."))
        return None

    async def _request(self, interaction: Pressed, word: str, panel: str) -> None:
        if not await acknowledged(interaction):
            return
        try:
            if word == "run again":
                place = placed(interaction.channel)
                await self.asking.opening.again(panel, interaction.user, place, _cause(interaction))
                await answer(interaction, Reply(text=f"It begins anew in <#{place.thread or place.channel}>."))
            else:
                files = await kept_files(self._services.store, panel, word)
                await answer(interaction, Reply(text=f"The {word}.", files=files))
        except PanelistError as fault:
            await answer(interaction, Reply(text=sentence(fault)))

    async def _maybe_form(self, interaction: Pressed, asked: "asyncio.Task[Reply]") -> None:
        await asyncio.wait((asked,), timeout=AT_ONCE)
        if asked.done() and await opened(interaction, asked.result()):
            return
        if await acknowledged(interaction):
            await answer(interaction, await asked)

    async def _told(self, interaction: Pressed, reply: Reply) -> None:
        """A short answer, as the first response or as a later one."""
        try:
            async with told("answering"):
                if interaction.response.is_done():
                    await interaction.followup.send(reply.text, ephemeral=True)
                else:
                    await interaction.response.send_message(reply.text, ephemeral=True)
        except PlatformError as fault:
            log.info("answer not shown: %s", fault)


def _in_server(interaction: Pressed) -> bool:
    """False in direct messages, and where only the person has installed the bot."""
    for_user_only = interaction.is_user_integration() and not interaction.is_guild_integration()
    return interaction.guild is not None and not for_user_only


def _ask(interaction: Pressed) -> Ask:
    """Who asks where; what for comes with the command."""
    nothing = PanelCommand(format="discussion", words=None)
    cause = _cause(interaction)
    return Ask(command=nothing, author=interaction.user, channel=interaction.channel, cause=cause)


def _cause(interaction: Pressed) -> str:
    return f"discord:{interaction.id}"


def _panel(command: Command) -> PanelCommand:
    return command if isinstance(command, PanelCommand) else PanelCommand(format="discussion", words=None)


def _place(interaction: Pressed) -> Place | None:
    """The panel's place by the card that was pressed: a thread has the id of its card's message."""
    if isinstance(interaction.channel, discord.Thread):
        return place_in(interaction.channel)
    place = place_of(interaction.channel)
    if place is None or interaction.message is None:
        return None
    return place.model_copy(update={"thread": str(interaction.message.id)})
