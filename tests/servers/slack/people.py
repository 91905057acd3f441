"""What people do in channels: they write, edit, delete, react, share files."""

import uuid
from collections.abc import Sequence

from tests.servers.slack.api_files import new_file
from tests.servers.slack.delivery import Delivery
from tests.servers.slack.forms import GestureError
from tests.servers.slack.payloads import changed_event, human_blocks, message_body, message_event
from tests.servers.slack.platform import Platform
from tests.servers.slack.text import typed
from tests.servers.slack.workspace import Workspace
from tests.servers.slack.world import JSON, Channel, Message, UploadedFile, User

Who = User | str
Where = Channel | str
FileLike = UploadedFile | tuple[str, bytes]


class People(Platform):
    """The driver's first part. People, channels and files may be given as objects, ids or names."""

    def say(
        self,
        user: Who,
        channel: Where,
        text: str,
        *,
        thread_ts: str | None = None,
        files: Sequence[FileLike] = (),
        raw: bool = False,
        broadcast: bool = False,
    ) -> Message:
        """A human writes; `@names` and `#channels` become tokens as in Slack's composer.

        A mention of the bot goes out as two events, `message` and `app_mention`. With `raw` the text is
        already in Slack's form; a `broadcast` reply shows in the channel, too. Raises KeyError for people and
        channels that do not exist, GestureError for a private channel that the author is not in.
        """
        ws, place = self.home_of(channel)
        author = ws.user(user)
        if author.id not in place.members:
            enter(author, place)
        wire = text if raw else typed(text, ws.names())
        message = Message(
            ts=ws.next_ts(),
            channel=place.id,
            text=wire,
            user=author.id,
            thread_ts=thread_ts,
            blocks=human_blocks(wire) if wire else [],
            client_msg_id=str(uuid.uuid4()),
            files=[self.add_file(file, place, author, ws) for file in files],
            subtype="file_share" if files else "thread_broadcast" if broadcast else None,
            broadcast=broadcast,
        )
        ws.put(place, message)
        self._announce(ws, place, message)
        return message

    def bot_says(self, bot: Who, channel: Where, text: str, *, thread_ts: str | None = None) -> Message:
        """Another app's bot posts; its text may hold live tokens."""
        ws, place = self.home_of(channel)
        author = ws.user(bot)
        message = Message(
            ts=ws.next_ts(),
            channel=place.id,
            text=text,
            user=author.id,
            bot_id=f"B{author.id[1:]}",
            subtype="bot_message",
            username=author.name,
            thread_ts=thread_ts,
            app_id="A0OTHER",
        )
        ws.put(place, message)
        self._announce(ws, place, message)
        return message

    def edit(self, user: Who, message: Message, text: str) -> None:
        """A human edits their message."""
        ws, place = self.home_of(message.channel)
        previous = message_body(ws, place, message, self.base_url)
        message.edits.append(message.text)
        message.text = typed(text, ws.names())
        message.blocks, message.edited_by = human_blocks(message.text), ws.user(user).id
        self.publish(ws, changed_event(ws, place, message, previous, "message_changed", self.base_url), place)

    def delete(self, message: Message) -> None:
        """A human (an admin, for another's) deletes a message; a root with replies leaves a gravestone."""
        ws, place = self.home_of(message.channel)
        previous = message_body(ws, place, message, self.base_url)
        gone = ws.erase(place, message)
        subtype = "message_deleted" if gone else "message_changed"
        self.publish(ws, changed_event(ws, place, message, previous, subtype, self.base_url), place)

    def react(self, user: Who, message: Message, emoji: str) -> None:
        """A human reacts with an emoji, named without colons."""
        ws, place = self.home_of(message.channel)
        person = ws.user(user)
        message.reactions.setdefault(emoji, []).append(person.id)
        item = {"type": "message", "channel": place.id, "ts": message.ts}
        event = {
            "type": "reaction_added",
            "user": person.id,
            "reaction": emoji,
            "item": item,
            "event_ts": ws.next_ts(),
        }
        self.publish(ws, event, place)

    def system_message(self, channel: Where, subtype: str = "channel_join") -> Message:
        """A line that Slack itself writes, such as somebody's joining; it takes no replies and no pins."""
        ws, place = self.home_of(channel)
        message = Message(ts=ws.next_ts(), channel=place.id, text="joined", user="USLACKBOT", subtype=subtype)
        ws.put(place, message)
        self._announce(ws, place, message)
        return message

    def add_file(self, file: FileLike, channel: Where, owner: Who, ws: Workspace | None = None) -> UploadedFile:
        """A file in that channel, from an object that a test made or from a name and bytes."""
        ws = ws or self.home_of(channel)[0]
        place, person = ws.channel(channel), ws.user(owner)
        made = file if isinstance(file, UploadedFile) else new_file(person.id, *file)
        ws.files[made.id] = made
        if place.id not in made.shares:
            made.shares.append(place.id)
        return made

    def new_file(self, owner: Who, name: str, content: bytes) -> UploadedFile:
        """A file that a test can falsify (size, type, mode) before somebody shares it."""
        for ws in self.workspaces.values():
            try:
                return new_file(ws.user(owner).id, name, content)
            except KeyError:
                continue
        raise KeyError(f"no user {owner!r}")

    def replay(self, message: Message) -> int:
        """Deliver all events about a message again, as after a lost ack; how many there were."""
        again = [delivery for delivery in self.courier.events if _about(delivery, message)]
        for delivery in again:
            self.courier.replay(delivery)
        return len(again)

    def hold_events(self) -> None:
        """Keep new events back until `release_events`."""
        self.courier.hold()

    def release_events(self, order: Sequence[int] | None = None) -> int:
        """Let held events go, in this order of their indices; how many there were."""
        return self.courier.release(order)

    async def settled(self) -> None:
        """Wait until every delivery was acked or given up."""
        await self.courier.settled()

    def _announce(self, ws: Workspace, place: Channel, message: Message) -> None:
        event = message_event(ws, place, message, self.base_url)
        self.publish(ws, event, place)
        if f"<@{ws.bot_user}>" in message.text and place.kind != "im" and ws.bot_user:
            self.publish(ws, _mention(event), place)


def enter(person: User, place: Channel) -> None:
    """Walk into a public channel; raises GestureError at a private or archived one."""
    if place.kind != "public" or place.archived:
        raise GestureError(f"{person.name} can not enter #{place.name}")
    place.members.append(person.id)


def _mention(event: JSON) -> JSON:
    """The second event of a mention: no channel_type and no subtype, but its own type."""
    kept = {key: value for key, value in event.items() if key not in {"channel_type", "subtype"}}
    return kept | {"type": "app_mention"}


def _about(delivery: Delivery, message: Message) -> bool:
    event = delivery.body["event"]
    return message.ts in {event.get("ts"), event.get("message", {}).get("ts"), event.get("deleted_ts")}
