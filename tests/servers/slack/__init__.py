"""A strict Slack of our own for tests: Web API, Socket Mode, signed HTTP, and people who use them."""

from tests.servers.slack.faults import Broken, Delayed, Limited, Lost, Refused, Slow
from tests.servers.slack.forms import GestureError
from tests.servers.slack.gestures import Submitted
from tests.servers.slack.manifest import InvalidManifestError, Manifest
from tests.servers.slack.platform import View, Whisper
from tests.servers.slack.rates import Rates
from tests.servers.slack.records import Ack, Call
from tests.servers.slack.server import SlackServer
from tests.servers.slack.settings import Settings
from tests.servers.slack.world import Channel, Message, UploadedFile, User

__all__ = [
    "Ack",
    "Broken",
    "Call",
    "Channel",
    "Delayed",
    "GestureError",
    "InvalidManifestError",
    "Limited",
    "Lost",
    "Manifest",
    "Message",
    "Rates",
    "Refused",
    "Settings",
    "SlackServer",
    "Slow",
    "Submitted",
    "UploadedFile",
    "User",
    "View",
    "Whisper",
]
