"""Points the real client library at a test server.

The library keeps these addresses in class attributes, for the whole process.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import yarl
from discord.asset import Asset
from discord.gateway import DiscordWebSocket
from discord.http import Route


@contextmanager
def library_at(origin: str) -> Iterator[None]:
    """REST, gateway and pictures of the library at that origin, until the block ends."""
    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY, Asset.BASE
    Route.BASE = f"{origin}/api/v10"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"{origin.replace('http', 'ws', 1)}/gw/")
    Asset.BASE = origin
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY, Asset.BASE = before
