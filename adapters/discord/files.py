"""Files in threads: ours, attached once; people's, read within the size limit and never by a stored address."""

import io

import discord

from adapters.discord.faults import told
from adapters.discord.posting import nonce
from bot.core.errors import DocumentError, PlatformError
from bot.core.platform import Attachment
from bot.core.targets.port import GivenBytes

FILE_SECONDS = 60.0
LARGEST = 10 * 1024 * 1024
"""Bytes of one attachment, in both directions: Discord's limit without boosts is the core's, too."""
LOOKED_BACK = 30
TEXTS = (".txt", ".md", ".rst", ".csv", ".json", ".yaml", ".yml", ".log")
PASTED_MOST = 64 * 1024
"""Bytes of a text file that is read as part of a message: clients turn long pastes into `message.txt`."""


async def attached(client: discord.Client, channel: int, key: str, files: tuple[Attachment, ...]) -> str:
    """Attach the files by the bot, unless they stand there already; returns the message id.

    Those over Discord's limit are left out; empty where none is left.
    """
    fitting = [file for file in files if len(file.content) <= LARGEST]
    if not fitting:
        return ""
    source = client.get_partial_messageable(channel)
    wanted = {(file.name, len(file.content)) for file in fitting}
    async with told("attaching files (Attach Files)", FILE_SECONDS):
        async for message in source.history(limit=LOOKED_BACK):
            mine = client.user is not None and message.author.id == client.user.id
            if mine and {(one.filename, one.size) for one in message.attachments} == wanted:
                return str(message.id)
        sizes = ",".join(f"{name}:{size}" for name, size in sorted(wanted))
        sent = await source.send(
            files=[discord.File(io.BytesIO(file.content), filename=file.name) for file in fitting],
            nonce=nonce(f"{key}:{sizes}"),
            allowed_mentions=discord.AllowedMentions.none(),
        )
    return str(sent.id)


async def given(attachment: discord.Attachment, message: discord.Message | None = None) -> GivenBytes:
    """A person's file. Its address expires, so that of an older message is asked for anew.

    Raises DocumentError for one that is too large or gone.
    """
    if attachment.size > LARGEST:
        mib = attachment.size / 1024 / 1024
        raise DocumentError(f"{attachment.filename} is {mib:.1f} MiB; files of up to 10 MiB can be read")
    try:
        data = await _read(attachment, message)
    except PlatformError as fault:
        raise DocumentError(f"{attachment.filename} is no longer there: attach it again") from fault
    return GivenBytes(name=attachment.filename, data=data, media_type=attachment.content_type or "")


async def _read(attachment: discord.Attachment, message: discord.Message | None) -> bytes:
    async with told(f"reading {attachment.filename}", FILE_SECONDS):
        try:
            return await attachment.read()
        except discord.HTTPException:
            if message is None:
                raise
        again = await message.channel.fetch_message(message.id)
        for one in again.attachments:
            if one.id == attachment.id:
                return await one.read()
    raise DocumentError(f"{attachment.filename} is no longer there: attach it again")


async def words(message: discord.Message) -> str:
    """What a message says: its content, the text of pasted text files, the names of its other files."""
    parts = [message.content, *(embed.description for embed in message.embeds if not message.content)]
    for one in message.attachments:
        if one.filename.casefold().endswith(TEXTS) and one.size <= PASTED_MOST:
            parts.append(await _text(one))
        else:
            parts.append(f"(attached: {one.filename})")
    return "\n\n".join(part.strip() for part in parts if part and part.strip())


async def _text(attachment: discord.Attachment) -> str:
    try:
        async with told(f"reading {attachment.filename}", FILE_SECONDS):
            return (await attachment.read()).decode("utf-8", errors="replace")
    except Exception:  # noqa: BLE001  # the message counts, whatever became of its file
        return f"(attached: {attachment.filename}, which could not be read)"
