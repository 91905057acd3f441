"""Discord keeps the platform's contract: in a channel, in a thread that was there, in a forum, and without webhooks."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from bot.core.place import Place
from tests.contracts.platform import PlatformContract, Stage, Standing
from tests.discord.house import Scene, scene
from tests.servers.discord import EXECUTE_WEBHOOK, INVITED, SEND_MESSAGE, Permission
from tests.servers.discord.world import Message


class DiscordStage(Stage):
    """A channel of the test server."""

    def __init__(self, it: Scene, place: Place) -> None:
        self.it, self.platform, self.place = it, it.platform, place

    async def standing(self, place: Place) -> list[Standing]:
        shown = [one for one in self.it.server.posts(int(place.thread)) if not one.components and one.kind == 0]
        return [_standing(one) for one in shown]

    async def shown_card(self, place: Place, card_id: str) -> str:
        message = next(one for one in self.it.server.platform.created if str(one.id) == card_id)
        return f"{message.content} {message.embeds}"

    async def lose_the_answer(self) -> None:
        self.it.server.faults.cut(on=EXECUTE_WEBHOOK)
        self.it.server.faults.cut(on=SEND_MESSAGE)

    async def wait(self, seconds: float) -> None:
        await self.it.clock.sleep(seconds)

    async def says(self, place: Place, text: str) -> str | None:
        return str(self.it.server.say("ann", int(place.thread), text).id)


def _standing(message: Message) -> Standing:
    """The bot's own posts start with the bold name of whom they speak for, or they are the host's."""
    text = message.content
    if text.startswith("-# "):
        text = text.partition("\n")[2]
    name = message.author.name
    if message.webhook_id is None and text.startswith("**") and "**\n" in text:
        name, _, text = text.partition("\n")
    return Standing(id=str(message.id), name=name, text=text)


class TestChannel(PlatformContract):
    """The card in a text channel, its thread below it."""

    def staged(self) -> AbstractAsyncContextManager[Stage]:
        return self._staged()

    @asynccontextmanager
    async def _staged(self) -> AsyncIterator[Stage]:
        async with scene() as it:
            yield DiscordStage(it, it.place())


class TestThread(PlatformContract):
    """A panel in a thread that people had begun."""

    def staged(self) -> AbstractAsyncContextManager[Stage]:
        return self._staged()

    @asynccontextmanager
    async def _staged(self) -> AsyncIterator[Stage]:
        async with scene() as it:
            thread = it.server.start_thread("ann", "general", "Shall we?")
            yield DiscordStage(it, it.place().model_copy(update={"thread": str(thread.id)}))


class TestForum(PlatformContract):
    """A panel as a forum post of its own."""

    def staged(self) -> AbstractAsyncContextManager[Stage]:
        return self._staged()

    @asynccontextmanager
    async def _staged(self) -> AsyncIterator[Stage]:
        async with scene() as it:
            yield DiscordStage(it, it.place("ideas"))


class TestWithoutWebhooks(PlatformContract):
    """Without Manage Webhooks the bot speaks for the personas."""

    def staged(self) -> AbstractAsyncContextManager[Stage]:
        return self._staged()

    @asynccontextmanager
    async def _staged(self) -> AsyncIterator[Stage]:
        async with scene() as it:
            guild = next(iter(it.server.platform.guilds.values()))
            it.server.permit_bot(guild, INVITED & ~Permission.MANAGE_WEBHOOKS)
            await it.server.settle()
            yield DiscordStage(it, it.place())


class TestWithoutMessageContent(PlatformContract):
    """Without the privileged intent the bot reads its personas' posts through their webhook."""

    def staged(self) -> AbstractAsyncContextManager[Stage]:
        return self._staged()

    @asynccontextmanager
    async def _staged(self) -> AsyncIterator[Stage]:
        async with scene(message_content=False) as it:
            yield DiscordStage(it, it.place())
