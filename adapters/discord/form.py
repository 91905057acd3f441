"""The form for a new panel: a document does not fit into a slash command, whose text has no line breaks.

https://github.com/discord/discord-api-docs/issues/2381
"""

import discord

from adapters.discord.client import Pressed
from bot.core.errors import UsageError
from bot.core.options import COMMANDS, FormatName, options_of
from bot.core.starting.catalog import Catalog
from bot.core.starting.command import PanelCommand, split_options
from bot.core.steering.told import TITLES

SECONDS = 900.0
SHOWN_MOST = 25
"""Entries of one select."""
TOPIC_MOST, OPTIONS_MOST, FILES_MOST = 4000, 400, 10


class PanelForm(discord.ui.Modal):
    """Format, topic or text, documents, personas, and any other option as it is typed."""

    def __init__(self, catalog: Catalog, format_name: FormatName = "discussion") -> None:
        super().__init__(title="New panel", timeout=SECONDS)
        self._formats: discord.ui.Select[PanelForm] = discord.ui.Select(
            custom_id="format",
            options=[
                discord.SelectOption(label=TITLES[name], value=name, default=name == format_name)
                for name in COMMANDS.values()
            ],
        )
        self._topic: discord.ui.TextInput[PanelForm] = discord.ui.TextInput(
            custom_id="topic", style=discord.TextStyle.paragraph, required=False, max_length=TOPIC_MOST
        )
        self._files: discord.ui.FileUpload[PanelForm] = discord.ui.FileUpload(
            custom_id="files", required=False, max_values=FILES_MOST
        )
        self._options: discord.ui.TextInput[PanelForm] = discord.ui.TextInput(
            custom_id="options", required=False, max_length=OPTIONS_MOST, placeholder="--rounds 3 --max-cost 1"
        )
        self._personas = _personas(catalog)
        self._label("Format", "", self._formats)
        self._label("Topic, or the text to judge", "Left empty in a thread: the thread itself.", self._topic)
        self._label("Documents", "Everyone on the panel sees them.", self._files)
        if self._personas:
            self._label("Who takes part", "Left empty: chosen for you. A council has its own lenses.", self._personas)
        self._label("Options", "As in `/panel help`.", self._options)

    async def on_submit(self, interaction: Pressed, /) -> None:  # type: ignore[override]
        if interaction.client.surface:
            await interaction.client.surface.form(interaction, self)

    def command(self) -> PanelCommand:
        """What was filled in. Raises UsageError."""
        format_name = next(name for name in COMMANDS.values() if name in self._formats.values)
        extra, options = split_options(format_name, self._options.value.strip())
        if extra:
            raise UsageError(f"options start with `--`; {extra[:60]!r} does not")
        return PanelCommand(
            format=format_name,
            words=self._topic.value.strip() or None,
            options={**self._chosen(format_name), **options},
        )

    def files(self) -> tuple[discord.Attachment, ...]:
        """What was attached."""
        return tuple(self._files.values)

    def _chosen(self, format_name: FormatName) -> dict[str, tuple[str, ...]]:
        names = tuple(self._personas.values) if self._personas else ()
        if not names:
            return {}
        taking = next((option.name for option in options_of(format_name) if option.kind == "names"), "")
        if not taking:
            raise UsageError(f"a {format_name} chooses its own voices: leave “Who takes part” empty")
        return {taking: names}

    def _label(self, text: str, description: str, component: discord.ui.Item["PanelForm"]) -> None:
        self.add_item(discord.ui.Label(text=text, description=description or None, component=component))


def _personas(catalog: Catalog) -> "discord.ui.Select[PanelForm] | None":
    """A select of the first personas; the options field takes any name."""
    shown = catalog.personas[:SHOWN_MOST]
    if not shown:
        return None
    return discord.ui.Select(
        custom_id="personas",
        required=False,
        min_values=0,
        max_values=len(shown),
        options=[
            discord.SelectOption(
                label=one.name[:100], value=one.short_name[:100], description=one.description[:100] or None
            )
            for one in shown
        ],
    )
