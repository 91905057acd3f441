"""Processes that die or freeze at a chosen act: every act on store, platform and archive passes through a fate."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

Port = TypeVar("Port")


EFFECTS = frozenset(
    {"claim", "release", "commit", "confirm", "rearm", "post", "thread", "pin", "unpin", "attach", "take_back", "keep"}
)
"""The acts that change something; a process that dies at another one dies, for the world, before the next of these."""


class Killed(BaseException):
    """The process is gone; nothing that it still wants to do happens."""


class Fate:
    """Nothing befalls the process; its effective acts are counted."""

    def __init__(self) -> None:
        self.acts = 0

    async def act(self, name: str, do: Callable[[], Awaitable[Any]]) -> Any:
        self.acts += name in EFFECTS
        return await do()


class Death(Fate):
    """The process dies at its effective act number `at`: before it takes effect, or right after."""

    def __init__(self, at: int, *, after: bool) -> None:
        super().__init__()
        self._at, self._after, self.dead = at, after, False

    async def act(self, name: str, do: Callable[[], Awaitable[Any]]) -> Any:
        if self.dead:
            raise Killed
        self.acts += name in EFFECTS
        dies = name in EFFECTS and self.acts == self._at
        if dies and not self._after:
            self.dead = True
            raise Killed
        try:
            return await do()
        finally:
            if dies or self.dead:
                self.dead = True
                raise Killed


class Frost(Fate):
    """The process freezes at its effective act number `at`, before or after its effect, until `thaw` is set."""

    def __init__(self, at: int, *, after: bool) -> None:
        super().__init__()
        self._at, self._after = at, after
        self.frozen, self.thaw = asyncio.Event(), asyncio.Event()

    async def act(self, name: str, do: Callable[[], Awaitable[Any]]) -> Any:
        self.acts += name in EFFECTS
        if self.frozen.is_set():
            await self.thaw.wait()  # the whole process stands still
        freezes = name in EFFECTS and self.acts == self._at
        if freezes and not self._after:
            await self._freeze()
        try:
            return await do()
        finally:
            if freezes and self._after:
                await self._freeze()

    async def _freeze(self) -> None:
        self.frozen.set()
        await self.thaw.wait()


def under(fate: Fate, inner: Port) -> Port:
    """The same port, with every asynchronous act passing through the fate."""
    port = next(base for base in reversed(type(inner).__mro__) if inspect.isabstract(base))

    def passed(name: str) -> Callable[..., Awaitable[Any]]:
        async def act(_self: object, *args: Any, **kwargs: Any) -> Any:
            return await fate.act(name, lambda: getattr(inner, name)(*args, **kwargs))

        return act

    names = {name for name, member in inspect.getmembers(port) if inspect.iscoroutinefunction(member)}
    members: dict[str, Any] = {name: passed(name) for name in names}
    plain = {name for name in getattr(port, "__abstractmethods__", ()) if name not in names}
    members |= {name: staticmethod(getattr(inner, name)) for name in plain}
    made: Port = type(f"Fated{port.__name__}", (port,), members)()
    return made
