"""No address but this machine's. Python imports this module at the start of every child process of a test run."""

import sys
from typing import Any

LOCAL = ("localhost", "127.0.0.1", "::1", "0.0.0.0", "", None)  # the last three are what binding takes
ADDRESSED = ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.bind")
NAMED = ("socket.getaddrinfo", "socket.gethostbyname")


class NetworkBlocked(RuntimeError):
    """A test, or what it runs, wanted to leave this machine."""


def guard(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook: refuses every address of the internet family that is not loopback."""
    if event in ADDRESSED:
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) and address else None
    elif event in NAMED:
        host = arguments[0]
    else:
        return
    name = host.decode() if isinstance(host, bytes) else host
    if name not in LOCAL and not str(name).startswith("127."):
        raise NetworkBlocked(f"tests stay on this machine, and {event} wanted {name!r}")


sys.addaudithook(guard)
