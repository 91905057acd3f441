"""A Discord of our own on 127.0.0.1: REST v10, gateway and CDN, for the real client library to talk to."""

from .calls import CALLBACK, CREATE_WEBHOOK, EXECUTE_WEBHOOK, PIN, SEND_MESSAGE, START_THREAD
from .faults import Fault
from .limits import Limit
from .people import file
from .permissions import EVERYONE, INVITED, Permission
from .refusals import ImpossibleActError
from .remote import RemoteDiscord
from .rules import Rules
from .server import DiscordServer

__all__ = [
    "CALLBACK",
    "CREATE_WEBHOOK",
    "EVERYONE",
    "EXECUTE_WEBHOOK",
    "INVITED",
    "PIN",
    "SEND_MESSAGE",
    "START_THREAD",
    "DiscordServer",
    "Fault",
    "ImpossibleActError",
    "Limit",
    "Permission",
    "RemoteDiscord",
    "Rules",
    "file",
]
