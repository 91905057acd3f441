"""Slack as a chat platform: one request a post, everything else best effort."""

import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping

from adapters.slack import cards
from adapters.slack.accounts import Accounts
from adapters.slack.card_edits import CardEdits
from adapters.slack.channels import Channels
from adapters.slack.emoji import name_of
from adapters.slack.errands import Errands
from adapters.slack.faces import face
from adapters.slack.files_out import Uploads
from adapters.slack.heard import Ears
from adapters.slack.lanes import Lanes
from adapters.slack.markdown import measured, spoken
from adapters.slack.people import People
from adapters.slack.pins import Pins
from adapters.slack.posting import MOST, Look, arguments, fallback, key_of
from adapters.slack.reading import Reader
from adapters.slack.rules import RuleBook
from adapters.slack.translate import JSON, code_of, gone, scope_missing
from adapters.slack.web import Account, Web
from bot.core.card import Card
from bot.core.clock import Clock
from bot.core.errors import PlatformError, Throttled
from bot.core.place import Person, Place
from bot.core.platform import Attachment, Capabilities, ChatPlatform, Heard, Post, Speaker

log = logging.getLogger("panelist.slack")

SLACK = "slack"
CUSTOMIZE = "chat:write.customize"
REMEMBERED = 500
"""Cards that were posted lately."""


class Slack(ChatPlatform):
    """Posts panels into Slack's threads."""

    name = SLACK

    def __init__(
        self,
        *,
        web: Web,
        accounts: Accounts,
        rules: RuleBook,
        clock: Clock,
        public_url: str = "",
        interval: float = 1.0,
    ) -> None:
        """`public_url`: where avatars are served (`https://…`). `interval`: seconds between the posts of a channel."""
        self.web, self.accounts, self.rules = web, accounts, rules
        self.people, self.channels = People(web, clock), Channels(web, clock)
        self.errands = Errands()
        self.reader = Reader(web)
        self.ears = Ears(self.people)
        self._lanes = Lanes(clock, interval)
        self._cards = CardEdits(self._edit, clock, self.errands)
        self._pins = Pins(web)
        self._uploads = Uploads(web, self.reader, clock)
        self._fresh: OrderedDict[tuple[str, str, str], str] = OrderedDict()
        self._public_url = public_url.rstrip("/") if public_url.startswith("https://") else ""

    async def capabilities(self, place: Place) -> Capabilities:
        account = await self.accounts.of(place.workspace)
        granted = self.web.scopes(account)
        missing = tuple(scope for scope in _NOTED if granted and scope not in granted)
        return Capabilities(
            max_chars=MOST,
            own_names=CUSTOMIZE not in missing,
            edits_card=True,
            pins="pins:write" not in missing and (await self.rules.of(place.workspace)).keep_pins != 0,
            files="files:write" not in missing,
            reactions="reactions:write" not in missing,
            whispers=True,
            buttons=True,
            notes=tuple(f"{_NOTED[scope]}: {scope_missing(scope)}" for scope in missing),
        )

    def measure(self, text: str) -> int:
        return measured(text)

    async def post(self, place: Place, post: Post) -> str:
        account = await self.accounts.of(place.workspace)
        lane = (account.key, place.channel)
        await self._lanes.turn(lane, post.key)
        look = await self._look(account, place, post)
        try:
            message = await self._send(account, place, arguments(post, look))
        except Throttled as limit:
            self._lanes.hold(lane, limit.retry_after)
            raise
        except PlatformError as fault:
            if code_of(fault) != "missing_scope" or look.face is None or look.named:
                raise self._told(account, place, fault) from fault
            message = await self._without_face(account, place, post)
        else:
            if look.face is not None and not look.named and not message.get("username"):
                message = await self._shown_without_face(account, place, post, message)
        ts = await self._in_its_thread(account, place, message)
        if post.card is not None and not place.thread:
            self._fresh[(account.key, place.channel, ts)] = post.panel
            while len(self._fresh) > REMEMBERED:
                self._fresh.popitem(last=False)
        return ts

    def panel_of_card(self, workspace: str, channel: str, ts: str) -> str:
        """The panel whose card was just posted there: somebody may answer before its thread is written down."""
        return self._fresh.get((workspace, channel, ts), "")

    async def find(self, place: Place, posts: tuple[Post, ...]) -> Mapping[str, str]:
        account = await self.accounts.of(place.workspace)
        wanted = {post.key for post in posts}
        found: dict[str, str] = {}
        if place.thread:
            messages = self.reader.thread(account, place.channel, place.thread, full=True)
        else:
            messages = self.reader.channel(account, place.channel, full=True)
        try:
            async for message in messages:
                if message.bot == account.bot_id and (key := key_of(message)) in wanted:
                    found.setdefault(key, message.ts)
                if len(found) == len(wanted):
                    break
        except PlatformError as fault:
            raise self._told(account, place, fault) from fault
        return found

    async def edit_card(self, place: Place, card_id: str, card: Card) -> None:
        await self._cards.want(place, card_id, card)

    async def take_back(self, place: Place, message_id: str) -> None:
        try:
            account = await self.accounts.of(place.workspace)
            await self.web.call(account, "chat.delete", channel=place.channel, ts=message_id)
        except PlatformError as fault:
            log.info("a message can not be taken back: %s", fault, extra={"channel": place.channel})

    async def pin(self, place: Place, message_id: str) -> str:
        keep = (await self.rules.of(place.workspace)).keep_pins
        if keep == 0:
            return "this workspace has turned pinning off"
        account = await self.accounts.of(place.workspace)
        return await self._pins.pin(account, place.channel, message_id, keep=keep or 0)

    async def unpin(self, place: Place, message_id: str) -> None:
        await self._pins.unpin(await self.accounts.of(place.workspace), place.channel, message_id)

    async def attach(self, place: Place, key: str, files: tuple[Attachment, ...]) -> str:
        account = await self.accounts.of(place.workspace)
        return await self._uploads.attach(account, place, key, files)

    async def react(self, place: Place, message_id: str, sign: str) -> None:
        self.errands.run(self._react(place, message_id, sign), "reaction")

    async def whisper(self, place: Place, person: Person, text: str) -> None:
        self.errands.run(self.tell(place, person.id, text), "whisper")

    async def tell(self, place: Place, user: str, text: str, blocks: tuple[JSON, ...] = ()) -> None:
        """Show one person something, in the thread where there is one; `text` is Markdown. Raises PlatformError."""
        account = await self.accounts.of(place.workspace)
        await self.web.call(
            account,
            "chat.postEphemeral",
            channel=place.channel,
            user=user,
            thread_ts=place.thread or None,
            text=fallback(text),
            blocks=[{"type": "markdown", "text": spoken(text)[:MOST]}, *blocks],
        )

    async def missed(self, place: Place, after: str) -> AsyncIterator[Heard]:
        if not place.thread:
            return
        account = await self.accounts.of(place.workspace)
        async for message in self.reader.thread(account, place.channel, place.thread, after=after):
            new = message.human and message.ts != place.thread and (not after or message.at > float(after))
            if new and not await self.ears.commands(account, message):
                yield await self.ears.heard(account, place, message)

    async def permalink(self, place: Place, message_id: str) -> str:
        try:
            account = await self.accounts.of(place.workspace)
            answer = await self.web.call(account, "chat.getPermalink", channel=place.channel, message_ts=message_id)
        except PlatformError:
            return ""
        return str(answer.get("permalink", ""))

    def forget(self, workspace: str) -> None:
        """The app was removed there."""
        self.people.forget(workspace)
        self.rules.changed(workspace)

    async def close(self) -> None:
        """Give up what nobody waits for, and let go of the connections."""
        await self.errands.stop()
        await self.accounts.tokens.close()
        await self.web.close()

    async def _look(self, account: Account, place: Place, post: Post) -> Look:
        if post.speaker.is_host:
            notes = (await self.capabilities(place)).notes if post.card is not None else ()
            return Look(face=None, notes=notes)
        suffix = (await self.rules.of(account.key)).ai_suffix
        members = frozenset[str]() if suffix else await self.people.taken_names(account)
        image = f"{self._public_url}/avatars/{post.speaker.short_name}.png" if self._public_url else ""
        granted = self.web.scopes(account)
        return Look(
            face=face(post.speaker, suffix=suffix, members=members, image_url=image),
            named=bool(granted) and CUSTOMIZE not in granted,
        )

    async def _send(self, account: Account, place: Place, body: JSON) -> JSON:
        """The one request; returns the message as it stands."""
        answer = await self.web.call(
            account, "chat.postMessage", channel=place.channel, thread_ts=place.thread or None, **body
        )
        return {**(answer.get("message") or {}), "ts": str(answer.get("ts", ""))}

    async def _without_face(self, account: Account, place: Place, post: Post) -> JSON:
        """The post once more, the name in front of its words; known not to be there before."""
        self.web.lost_scope(account, CUSTOMIZE)
        return await self._send(account, place, arguments(post, await self._look(account, place, post)))

    async def _shown_without_face(self, account: Account, place: Place, post: Post, message: JSON) -> JSON:
        """Slack ignored the name: nobody could tell who speaks, so the post is replaced before anybody builds on it."""
        self.web.lost_scope(account, CUSTOMIZE)
        try:
            await self.web.call(account, "chat.delete", channel=place.channel, ts=message["ts"])
        except PlatformError as fault:
            log.warning("a post stands without its name: %s", fault, extra={"panel": post.panel})
            return message
        return await self._without_face(account, place, post)

    async def _in_its_thread(self, account: Account, place: Place, message: JSON) -> str:
        """A reply to a root that is gone becomes a message of the channel: it is taken back.

        https://github.com/slack-go/slack/issues/1571
        """
        ts = str(message["ts"])
        if place.thread and not message.get("thread_ts"):
            await self.take_back(place, ts)
            raise gone("the message that the thread hung on was deleted")
        return ts

    def _told(self, account: Account, place: Place, fault: PlatformError) -> PlatformError:
        """A channel that was public and is not found any more is gone for good, and so is a thread without a root."""
        code = code_of(fault)
        if code == "channel_not_found" and self.channels.was_public(account, place.channel):
            return gone("the channel was deleted")
        if code in ("thread_not_found", "cannot_reply_to_message"):
            return gone("the message that the thread hung on was deleted")
        return fault

    async def _edit(self, place: Place, card_id: str, card: Card) -> None:
        account = await self.accounts.of(place.workspace)
        notes = (await self.capabilities(place)).notes
        await self.web.call(
            account,
            "chat.update",
            channel=place.channel,
            ts=card_id,
            text=cards.fallback(card),
            blocks=cards.blocks(card, notes),
            parse="none",
            link_names=False,
        )

    async def _react(self, place: Place, message_id: str, sign: str) -> None:
        if name := name_of(sign):
            account = await self.accounts.of(place.workspace)
            await self.web.call(account, "reactions.add", channel=place.channel, timestamp=message_id, name=name)

    async def thinking(self, place: Place, speaker: Speaker) -> None:
        """Slack has no sign for this that is not noise; the card's bar says how far the panel is."""


_NOTED = {
    CUSTOMIZE: "Personas post under the app's name",
    "pins:write": "The synthesis is not pinned",
    "files:write": "Transcript and record are not attached",
    "reactions:write": "Messages get no receipt",
}
"""Scope → what is missing without it."""
