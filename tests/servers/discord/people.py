"""What people and other bots do in channels, held to what their client would let them do."""

from collections.abc import Sequence

from . import channels, messages, pins, threads
from .drafts import MAX_CONTENT, Draft, Upload
from .messages import Sender
from .permissions import Permission, in_channel, sees
from .refusals import ImpossibleActError
from .stage import Stage, Where, Who
from .world import Channel, ChannelKind, Json, Message, User, Webhook


def file(
    name: str, content: bytes | str, *, content_type: str | None = "guess", description: str | None = None
) -> Upload:
    """A file to send; content_type None is a client that names none."""
    raw = content.encode() if isinstance(content, str) else content
    kind = messages.guessed_type(name) if content_type == "guess" else content_type
    return Upload(filename=name, content=raw, content_type=kind, description=description)


class People(Stage):
    def say(
        self,
        who: Who,
        where: Where,
        text: str = "",
        *,
        files: Sequence[Upload] = (),
        embeds: Sequence[Json] = (),
        reply_to: Message | None = None,
        ping: bool = True,
    ) -> Message:
        """A message; text over the limit goes out as message.txt, as from a client.

        https://github.com/moazbuilds/claudeclaw/pull/123
        """
        user, channel = self.person(who), self.place(where)
        self._require_speech(user, channel)
        uploads = list(files)
        if len(text) > MAX_CONTENT:
            uploads, text = [*uploads, file("message.txt", text)], ""
        allowed = {"parse": ["users", "roles", "everyone"], "replied_user": ping}
        draft = Draft(
            content=text.strip(),
            uploads=uploads,
            embeds=list(embeds),
            answers=reply_to.id if reply_to else None,
            allowed_mentions=allowed,
        )
        return messages.post(self.platform, channel, draft, Sender(author=user))

    def say_by_webhook(
        self, webhook: Webhook, text: str, *, name: str | None = None, where: Where | None = None
    ) -> Message:
        """Another app's or a proxy's post."""
        author = User(id=webhook.id, name=name or webhook.name, bot=True)
        place = webhook.channel if where is None else self.place(where)
        sender = Sender(author=author, webhook_id=webhook.id, application_id=webhook.application_id)
        return messages.post(self.platform, place, Draft(content=text), sender)

    def edit(self, message: Message, text: str) -> Message:
        draft = Draft(content=text, given=frozenset({"content"}))
        return messages.edit(self.platform, message, draft, messages.BOT_PINGS)

    def delete(self, message: Message) -> None:
        messages.delete(self.platform, message)

    def react(self, who: Who, message: Message, emoji: str) -> None:
        pins.react(self.platform, message, emoji, self.person(who))

    def unreact(self, who: Who, message: Message, emoji: str) -> None:
        pins.unreact(self.platform, message, emoji, self.person(who))

    def pin(self, who: Who, message: Message) -> None:
        pins.pin(self.platform, message, self.person(who))

    def unpin(self, message: Message) -> None:
        pins.unpin(self.platform, message)

    def start_thread(
        self, who: Who, where: Where, name: str, *, under: Message | None = None, private: bool = False
    ) -> Channel:
        user, channel = self.person(who), self.place(where)
        needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
        if needed not in in_channel(channel, user.id):
            raise ImpossibleActError(f"{user.name} may not start threads in {channel.name}")
        if under is not None:
            return threads.from_message(self.platform, under, user, {"name": name})
        kind = ChannelKind.PRIVATE_THREAD if private else ChannelKind.PUBLIC_THREAD
        return threads.without_message(self.platform, channel, user, {"name": name, "type": kind})

    def start_post(self, who: Who, forum: Where, name: str, text: str) -> tuple[Channel, Message]:
        """A forum post and its opener."""
        sender = Sender(author=self.person(who))
        return threads.forum_post(self.platform, self.place(forum), {"name": name}, Draft(content=text), sender)

    def join(self, who: Who, thread: Where) -> None:
        channels.join(self.platform, self.place(thread), self.person(who).id)

    def mention(self, who: Who | None = None) -> str:
        """The text that mentions somebody; the bot when nobody is named."""
        return f"<@{self.person(who).id if who is not None else self.platform.app.bot.id}>"

    # What is to be seen

    def messages(self, where: Where) -> list[Message]:
        """Everything in a channel or thread, oldest first, without ephemeral and deleted ones."""
        return sorted(self.place(where).messages.values(), key=lambda one: one.id)

    def posts(self, where: Where) -> list[Message]:
        """What the app said there in any name: as the bot, through its webhooks, in answer to commands."""
        return [one for one in self.messages(where) if self.by_app(one)]

    def by_app(self, message: Message) -> bool:
        app = self.platform.app
        return app.id in (message.author.id, message.application_id)

    def pinned(self, where: Where) -> list[Message]:
        return pins.pinned(self.place(where))

    @property
    def pinging(self) -> list[Message]:
        """Every message of the app that notified somebody by a mention."""
        return [one for one in self.platform.created if self.by_app(one) and one.pings]

    def _require_speech(self, user: User, channel: Channel) -> None:
        granted = in_channel(channel, user.id)
        speaking = Permission.SEND_MESSAGES_IN_THREADS if channel.thread else Permission.SEND_MESSAGES
        if not sees(channel, user.id) or speaking not in granted:
            raise ImpossibleActError(f"{user.name} may not write in {channel.name or channel.id}")
        state = channel.thread
        if state is not None and state.locked and Permission.MANAGE_THREADS not in granted:
            raise ImpossibleActError(f"{channel.name} is locked for {user.name}")
