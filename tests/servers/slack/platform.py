"""The platform's state and what its parts share: workspaces, records, deliveries, one-time tickets."""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.servers.slack.delivery import Courier, Delivery
from tests.servers.slack.faults import Faults
from tests.servers.slack.manifest import Manifest
from tests.servers.slack.payloads import event_body
from tests.servers.slack.rates import Limiter
from tests.servers.slack.records import Ack, Call, Journal
from tests.servers.slack.settings import Settings
from tests.servers.slack.signed import SignedHttp
from tests.servers.slack.sockets import Sockets
from tests.servers.slack.workspace import Installation, Workspace, fresh_id
from tests.servers.slack.world import JSON, Channel, Message, User

SUBSCRIPTIONS = {"public": "message.channels", "private": "message.groups", "im": "message.im"}


@dataclass(slots=True, kw_only=True)
class Trigger:
    """What lets the app open one view for one user, for three seconds."""

    id: str
    user: str
    born: float
    root_view: str | None = None
    """The modal it came from, for views.push."""
    used: bool = False


@dataclass(slots=True, kw_only=True)
class View:
    """A modal or a home tab that the app opened."""

    id: str
    team: str
    user: str
    body: JSON
    hash: str
    root: str
    previous: str | None = None
    open: bool = True
    state: JSON = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class ResponseUrl:
    """A command's or interaction's address for up to five answers in thirty minutes."""

    key: str
    team: str
    channel: str
    user: str
    born: float
    message: Message | None = None
    """The message with the button, which `replace_original` replaces."""
    uses: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Whisper:
    """A message that one person alone sees; the app can not read it back."""

    channel: str
    user: str
    text: str
    thread_ts: str | None
    blocks: list[JSON]
    ts: str
    via: str
    """`chat.postEphemeral`, `response_url` or `ack`."""


class Platform:
    """State and shared machinery; the API writes into it and the people act on it."""

    def __init__(self, manifest: Manifest, settings: Settings, now: Callable[[], float]) -> None:
        self.manifest, self.settings, self.now = manifest, settings, now
        self.workspaces: dict[str, Workspace] = {}
        self.calls: list[Call] = []
        self.whispers: list[Whisper] = []
        self.complaints: list[str] = []
        """Slips of the app that Slack would only show a human, such as an answer it can not read."""
        self.leaked_tokens: list[str] = []
        """Tokens that the app sent to a host that is not Slack's."""
        self.faults = Faults()
        self.limiter = Limiter(settings.rates, now)
        self.sockets = Sockets(settings)
        self.signed = SignedHttp(settings)
        self.courier = Courier(settings, self.sockets if settings.transport == "socket" else self.signed)
        self.journal = Journal(settings.log)
        self.triggers: dict[str, Trigger] = {}
        self.views: dict[str, View] = {}
        self.homes: dict[tuple[str, str], View] = {}
        self.response_urls: dict[str, ResponseUrl] = {}
        self.codes: dict[str, tuple[str, str, frozenset[str], str]] = {}
        """OAuth codes: workspace, user, scopes, redirect address."""
        self.base_url = ""
        """Where the server listens, without a slash at the end."""

    @property
    def acks(self) -> list[Ack]:
        """Every answer to a delivery, in order."""
        return self.courier.acks

    def install(self, ws: Workspace, scopes: frozenset[str] | None = None) -> Installation:
        """Install the app with the manifest's scopes, or these; a new token each time."""
        bot = ws.users.get(ws.bot_user) or ws.add_user(self.manifest.bot_name, "bot")
        ws.installation = Installation(
            token=f"xoxb-{ws.id}-{secrets.token_hex(8)}",
            bot_user=bot.id,
            bot_id=ws.installation.bot_id if ws.installation else fresh_id("B", self.manifest.bot_name),
            scopes=self.manifest.scopes if scopes is None else scopes,
        )
        return ws.installation

    def home_of(self, channel: str | Channel) -> tuple[Workspace, Channel]:
        """The workspace of a channel, and the channel; raises KeyError."""
        for ws in self.workspaces.values():
            try:
                return ws, ws.channel(channel)
            except KeyError:
                continue
        raise KeyError(f"no channel {channel!r}")

    def trigger(self, user: User, root_view: str | None = None) -> str:
        """A fresh trigger id."""
        key = f"{fresh_id('1')}.{fresh_id('2')}.{secrets.token_hex(8)}"
        self.triggers[key] = Trigger(id=key, user=user.id, born=self.now(), root_view=root_view)
        return key

    def response_url(self, ws: Workspace, channel: Channel, user: User, message: Message | None = None) -> str:
        """A fresh response_url."""
        key = secrets.token_hex(12)
        self.response_urls[key] = ResponseUrl(
            key=key, team=ws.id, channel=channel.id, user=user.id, born=self.now(), message=message
        )
        return f"{self.base_url}/actions/{ws.id}/{key}"

    def publish(self, ws: Workspace, event: JSON, channel: Channel | None = None, *, on: str | None = None) -> None:
        """Send an event if the app subscribed to it, is installed, and is in the channel."""
        subscription = on or (SUBSCRIPTIONS[channel.kind] if channel and event["type"] == "message" else event["type"])
        if subscription not in self.manifest.events or ws.installation is None:
            return
        leaving = event["type"] in {"app_uninstalled", "tokens_revoked"}
        if ws.installation.standing != "active" and not leaving:
            return
        if channel is not None and ws.bot_user not in channel.members and event["type"] != "app_home_opened":
            return
        body = event_body(ws, self.settings, event, shared=bool(channel and channel.shared))
        name = ".".join(str(event[key]) for key in ("type", "subtype") if event.get(key))
        self.courier.send(Delivery(kind="events_api", name=name, key=body["event_id"], body=body))

    async def tell(self, kind: str, name: str, body: JSON) -> Ack:
        """Deliver a command or an interaction and wait for the app's answer."""
        assert kind in {"slash_commands", "interactive"}
        delivery = Delivery(kind=kind, name=name, key=body["trigger_id"], body=body)  # type: ignore[arg-type]  # asserted
        task = self.courier.send(delivery)
        assert task is not None
        return await asyncio.shield(task)
