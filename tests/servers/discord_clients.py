"""Real discord.py bots against the test server, for the server's own tests."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord
from discord import app_commands
from discord.ext import commands

from .discord import DiscordServer, Rules
from .discord.library import library_at


class Asking(discord.ui.Modal, title="New panel"):
    """A form with a text, a choice and files."""

    topic: discord.ui.Label["Asking"] = discord.ui.Label(
        text="Topic", component=discord.ui.TextInput(custom_id="topic", max_length=4000)
    )
    format: discord.ui.Label["Asking"] = discord.ui.Label(
        text="Format",
        component=discord.ui.Select(
            custom_id="format",
            options=[discord.SelectOption(label="Debate", value="debate"), discord.SelectOption(label="Review")],
        ),
    )
    files: discord.ui.Label["Asking"] = discord.ui.Label(
        text="Documents",
        component=discord.ui.FileUpload(custom_id="files", required=False, max_values=3),
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        topic, choice, files = self.topic.component, self.format.component, self.files.component
        assert isinstance(topic, discord.ui.TextInput)
        assert isinstance(choice, discord.ui.Select)
        assert isinstance(files, discord.ui.FileUpload)
        read = [(await one.read()).decode() for one in files.values]
        text = f"{topic.value} / {choice.values} / {read}"
        await interaction.response.send_message(text, ephemeral=True)


class Buttons(discord.ui.View):
    """A card's buttons, which survive a restart."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @discord.ui.button(label="Pause", custom_id="card:pause")
    async def pause(self, interaction: discord.Interaction, button: discord.ui.Button["Buttons"]) -> None:
        await interaction.response.edit_message(content="paused")


class Bot(commands.AutoShardedBot):
    """Remembers what it heard, and answers a few commands."""

    def __init__(self, *, message_content: bool = True, shard_count: int | None = 1) -> None:
        intents = discord.Intents.none()
        intents.guilds = intents.guild_messages = intents.dm_messages = intents.webhooks = True
        intents.guild_reactions = True
        intents.message_content = message_content
        super().__init__(
            commands.when_mentioned,
            intents=intents,
            shard_count=shard_count,
            allowed_mentions=discord.AllowedMentions.none(),
            help_command=None,
            guild_ready_timeout=0.05,
        )
        self.heard: list[discord.Message] = []
        self.log: list[str] = []
        self.seconds_before_answer = 0.0

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """No five seconds between identifies here."""

    async def setup_hook(self) -> None:
        self.add_view(Buttons())
        self.tree.add_command(_panel_group(self))
        self.tree.add_command(app_commands.ContextMenu(name="Council on this", callback=_council))
        await self.tree.sync()

    async def on_message(self, message: discord.Message) -> None:
        self.heard.append(message)

    async def on_ready(self) -> None:
        self.log.append("ready")

    async def on_resumed(self) -> None:
        self.log.append("resumed")

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        self.log.append(f"thread {payload.thread_id} deleted")

    async def on_webhooks_update(self, channel: discord.abc.GuildChannel) -> None:
        self.log.append(f"webhooks of {channel.name}")


def _panel_group(bot: Bot) -> app_commands.Group:
    group = app_commands.Group(name="panel", description="A panel of personas")

    @group.command(name="discuss", description="Discuss a topic")
    async def discuss(
        interaction: discord.Interaction,
        topic: str,
        rounds: app_commands.Range[int, 1, 9] = 3,
        file: discord.Attachment | None = None,
    ) -> None:
        await asyncio.sleep(bot.seconds_before_answer)
        read = (await file.read()).decode() if file else ""
        await interaction.response.defer(ephemeral=True)
        await interaction.followup.send(f"{topic} {rounds} {read}".strip())

    @discuss.autocomplete("topic")
    async def topics(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=f"{typed} or not", value=typed)]

    @group.command(name="new", description="Open the form")
    async def new(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Asking())

    @group.command(name="card", description="Show a card")
    async def card(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("running", view=Buttons())

    return group


async def _council(interaction: discord.Interaction, message: discord.Message) -> None:
    await interaction.response.send_message(f"council on: {message.content}")


@asynccontextmanager
async def running(bot: commands.Bot | commands.AutoShardedBot, token: str = "bot-token") -> AsyncIterator[None]:
    """The bot logged in and ready, until the block ends."""
    task = asyncio.create_task(bot.start(token))
    try:
        await _ready(bot, task)
        yield
    finally:
        await bot.close()
        await asyncio.gather(task, return_exceptions=True)


async def _ready(bot: commands.Bot | commands.AutoShardedBot, task: "asyncio.Task[None]") -> None:
    async with asyncio.timeout(20):
        while not bot.is_ready():
            if task.done():
                task.result()
            await asyncio.sleep(0.01)


@asynccontextmanager
async def platform(*, rules: Rules | None = None) -> AsyncIterator[DiscordServer]:
    """A server that the library is pointed at, with a guild, a channel and two people in it."""
    async with DiscordServer(rules=rules) as server:
        guild = server.guild()
        server.text_channel(guild)
        server.member(guild, "ann")
        server.member(guild, "ben")
        with library_at(server.origin):
            yield server


@asynccontextmanager
async def platform_and_bot(*, rules: Rules | None = None) -> AsyncIterator[tuple[DiscordServer, Bot]]:
    async with platform(rules=rules) as server:
        bot = Bot()
        async with running(bot):
            yield server, bot
