"""Links to messages: what they point at, and whether the one who sends one may have it read.

The bot may sit in private channels that the asker can not see, so a link is followed only into this channel, a public
one, or one that the asker is a member of: https://github.com/getsentry/sentry/pull/114442
"""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from adapters.slack.channels import Channels
from adapters.slack.web import Account
from bot.core.errors import DocumentError, NotAllowed
from bot.core.place import Person, Place

_PATH = re.compile(r"/archives/(?P<channel>[A-Z0-9]{3,})/p(?P<seconds>\d{10})(?P<rest>\d{6})/?")


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageLink:
    """A message by its address."""

    host: str
    channel: str
    ts: str


def message_link(words: str) -> MessageLink | None:
    """The message that these words are the link of; None where they are anything else."""
    text = words.strip().strip("<>")
    if not text.lower().startswith("https://") or text.split() != [text]:
        return None
    parts = urlsplit(text)
    found = _PATH.fullmatch(parts.path)
    host = parts.hostname or ""
    if found is None or not (host == "slack.com" or host.endswith(".slack.com")):
        return None
    return MessageLink(host=host, channel=found["channel"], ts=f"{found['seconds']}.{found['rest']}")


async def check(link: MessageLink, account: Account, place: Place, person: Person, channels: Channels) -> None:
    """Raises DocumentError for another workspace's link, NotAllowed where the person may not have it read."""
    if link.host != (urlsplit(account.url).hostname or ""):
        raise DocumentError("that link is of another workspace; paste the text instead")
    if link.channel == place.channel:
        return
    if not await channels.reads(account, link.channel, person):
        raise NotAllowed(
            "that message is read for you only where it stands in this channel, in a public one, or in a channel that "
            "you are a member of and the bot is in; paste the text instead"
        )
