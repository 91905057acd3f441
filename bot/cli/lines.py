"""What a person types while a panel runs: from a terminal with a prompt, or from a pipe."""

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, nullcontext

PROMPT = "› "


class Lines:
    """Lines typed or piped in, until the input ends."""

    def __init__(self, interrupted: Callable[[], None], progress: Callable[[], str]) -> None:
        """`interrupted` is called at Ctrl-C in the prompt; `progress` is shown below it."""
        self.interactive = sys.stdin.isatty() and sys.stdout.isatty()
        self._interrupted, self._progress = interrupted, progress

    def screen(self) -> AbstractContextManager[object]:
        """While it is entered, what others print stands above the prompt."""
        if not self.interactive:
            return nullcontext()
        from prompt_toolkit.patch_stdout import patch_stdout

        return patch_stdout(raw=True)

    async def __aiter__(self) -> AsyncIterator[str]:
        source = self._prompted() if self.interactive else self._piped()
        async for line in source:
            if line.strip():
                yield line

    async def _prompted(self) -> AsyncIterator[str]:
        from prompt_toolkit import PromptSession

        session: PromptSession[str] = PromptSession(bottom_toolbar=self._progress, refresh_interval=0.3)
        while True:
            try:
                yield await session.prompt_async(PROMPT)
            except KeyboardInterrupt:
                self._interrupted()
            except EOFError:
                return

    async def _piped(self) -> AsyncIterator[str]:
        """Read in a thread of its own, so that an idle pipe holds nothing up, not even the end of the program."""
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[str | None] = asyncio.Queue()

        def tell(line: str | None) -> None:
            try:
                loop.call_soon_threadsafe(queue.put_nowait, line)
            except RuntimeError:  # the program is over
                return

        threading.Thread(target=_read_into, args=(tell,), daemon=True).start()
        while (line := await queue.get()) is not None:
            yield line


def _read_into(tell: Callable[[str | None], None]) -> None:
    """Hand over each line of standard input, then None. Reads the descriptor itself: a buffered reader that waits
    here would hold the interpreter's end up."""
    rest = b""
    try:
        while chunk := os.read(0, 65536):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                tell(line.decode(errors="replace"))
    except OSError:
        pass
    if rest:
        tell(rest.decode(errors="replace"))
    tell(None)
