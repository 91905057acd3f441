"""Channels: what kind they are, whether the bot is inside, and who can read what stands there."""

from dataclasses import dataclass

from adapters.slack.translate import SlackRefused
from adapters.slack.web import Account, Web
from bot.core.clock import Clock
from bot.core.desk.answer import Reads
from bot.core.place import Person, Place

KEPT = 120.0
"""Seconds after which a channel is asked for again."""
MOST_PAGES = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """One channel."""

    id: str
    name: str
    public: bool
    inside: bool
    """The bot is a member."""
    archived: bool
    shared: bool
    """With other organisations."""


class Channels:
    """Channels of all workspaces, kept for a short while."""

    def __init__(self, web: Web, clock: Clock) -> None:
        self._web, self._clock = web, clock
        self._known: dict[tuple[str, str], tuple[float, Channel]] = {}
        self._members: dict[tuple[str, str], tuple[float, frozenset[str]]] = {}

    async def channel(self, account: Account, channel: str, *, fresh: bool = False) -> Channel:
        """The channel. Raises SlackRefused (`channel_not_found` also for a private one without the bot), Throttled,
        PostInDoubt."""
        at, known = self._known.get((account.key, channel), (0.0, None))
        if known is not None and not fresh and self._clock.monotonic() - at < KEPT:
            return known
        body = (await self._web.call(account, "conversations.info", channel=channel)).get("channel") or {}
        found = Channel(
            id=channel,
            name=str(body.get("name") or channel),
            public=bool(body.get("is_channel")) and not body.get("is_private"),
            inside=bool(body.get("is_member")) or bool(body.get("is_im")),
            archived=bool(body.get("is_archived")),
            shared=bool(body.get("is_ext_shared") or body.get("is_shared")),
        )
        self._known[(account.key, channel)] = (self._clock.monotonic(), found)
        return found

    def was_public(self, account: Account, channel: str) -> bool:
        """True where it was seen to be public at any time."""
        _, known = self._known.get((account.key, channel), (0.0, None))
        return known is not None and known.public

    async def reads(self, account: Account, channel: str, person: Person) -> bool:
        """Whether that person can read the channel: it is public and they no guest, or they are a member of it."""
        try:
            found = await self.channel(account, channel)
            if found.public and person.role != "guest":
                return True
            return person.id in await self._inside(account, channel)
        except SlackRefused:
            return False

    async def _inside(self, account: Account, channel: str) -> frozenset[str]:
        key = (account.key, channel)
        at, known = self._members.get(key, (0.0, None))
        if known is not None and self._clock.monotonic() - at < KEPT:
            return known
        members: set[str] = set()
        cursor = ""
        for _ in range(MOST_PAGES):
            page = await self._web.call(
                account, "conversations.members", channel=channel, limit=1000, cursor=cursor or None
            )
            members |= {str(member) for member in page.get("members") or ()}
            cursor = str((page.get("response_metadata") or {}).get("next_cursor") or "")
            if not cursor:
                break
        self._members[key] = (self._clock.monotonic(), frozenset(members))
        return self._members[key][1]


def reads_of(channels: Channels, account: Account, person: Person) -> Reads:
    """Which places that person can read; those of other workspaces are none."""

    async def reads(place: Place) -> bool:
        return place.workspace == account.key and await channels.reads(account, place.channel, person)

    return reads
