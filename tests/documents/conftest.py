"""What the document tests share."""

from collections.abc import Awaitable, Callable

import pytest

from adapters.documents.limits import Limits
from adapters.documents.reading import LocalTargets
from bot.core.document import Document
from bot.core.targets.port import GivenBytes, TargetRef

Attached = Callable[..., Awaitable[Document]]


@pytest.fixture
def attached() -> Attached:
    """Reads one attachment: `await attached(name, data, limits=...)`."""

    async def read(name: str, data: bytes, *, media_type: str = "", limits: Limits | None = None) -> Document:
        source = GivenBytes(name=name, data=data, media_type=media_type)
        (document,) = await LocalTargets({}, limits).read(TargetRef(sources=(source,)))
        return document

    return read
