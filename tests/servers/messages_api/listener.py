"""A uvicorn server inside a running loop, whose port stays ours while it refuses connections."""

from __future__ import annotations

import asyncio
import socket

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

HOST = "127.0.0.1"
STOP_TIMEOUT = 5.0


class Listener:
    """One address on this machine; `start` and `stop` may follow each other any number of times."""

    def __init__(self, app: ASGIApp, port: int = 0) -> None:
        self._app = app
        _assert_free(port)
        # Bound, never listening: connections are refused, and nobody else gets the port in the meantime.
        self._claim = _bound(port)
        self.port: int = self._claim.getsockname()[1]
        self._server: uvicorn.Server | None = None
        self._socket: socket.socket | None = None

    async def start(self) -> None:
        """Returns when connections are accepted."""
        config = uvicorn.Config(
            self._app,
            http=H11Protocol,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            proxy_headers=False,
            timeout_keep_alive=60,
        )
        config.load()
        server = uvicorn.Server(config)
        server.lifespan = config.lifespan_class(config)
        self._socket = _bound(self.port)
        # Not serve(): it would take over the signal handlers of the process it is a guest in.
        await server.startup(sockets=[self._socket])
        self._server = server

    async def stop(self) -> None:
        """Closes the socket and every connection, and waits for the requests that were running."""
        server, self._server = self._server, None
        if server is None or self._socket is None:
            return
        for listening in server.servers:
            listening.close()
        self._socket.close()
        for connection in list(server.server_state.connections):
            _transport(connection).abort()
        async with asyncio.timeout(STOP_TIMEOUT):
            await asyncio.gather(*server.server_state.tasks, return_exceptions=True)

    def close(self) -> None:
        """Gives the port back."""
        self._claim.close()

    def drop(self, client: tuple[str, int]) -> None:
        """Closes a client's connection once what was written has left."""
        for connection in list(self._server.server_state.connections if self._server else ()):
            if _transport(connection).get_extra_info("peername") == client:
                _transport(connection).close()


def _transport(connection: object) -> asyncio.Transport:
    assert isinstance(connection, H11Protocol)
    return connection.transport


def _assert_free(port: int) -> None:
    """Raises OSError where another server listens: a shared port would take turns between the two."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((HOST, port))


def _bound(port: int) -> socket.socket:
    # The protocol is named because asyncio switches Nagle's delay off only where it is.
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    bound.bind((HOST, port))
    bound.setblocking(False)
    return bound
