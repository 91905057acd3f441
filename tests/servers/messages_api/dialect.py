"""What differs between the two APIs: the port behind which `generation` does the same for both."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from tests.servers.messages_api.answers import Answer
from tests.servers.messages_api.cache import Charge, PromptCache
from tests.servers.messages_api.catalogue import Model
from tests.servers.messages_api.checks import check_message
from tests.servers.messages_api.frames import Frame, event, message_of, stream_of
from tests.servers.messages_api.limits import RateLimiter, RateLimits
from tests.servers.messages_api.prompt import Block, Tokens, prompt_of
from tests.servers.messages_api.received import Received
from tests.servers.messages_api.refusals import RefusedError
from tests.servers.messages_api.usage import Json

BROKEN_JSON = '{"type": "content_block_delta", "index": 0, "del'


class Dialect(Protocol):
    """One API's way to ask and to answer."""

    def check(self, body: Json, model: Model) -> None:
        """Raises `RefusedError` where the request breaks a rule."""

    def blocks(self, body: Json, count: Tokens) -> tuple[Block, ...]:
        """The prompt of a valid request."""

    def charge(self, cache: PromptCache, blocks: tuple[Block, ...], model: Model) -> Charge:
        """What its input costs."""

    def frames(self, answer: Answer, received: Received) -> Iterable[Frame]:
        """The answer as a stream."""

    def whole(self, answer: Answer, received: Received) -> Json:
        """The answer in one piece."""

    def error(self, refused: RefusedError, request_id: str) -> Json:
        """The body of an error."""

    def error_frame(self, refused: RefusedError, request_id: str) -> Frame:
        """An error in mid-stream."""

    def broken_frame(self) -> Frame:
        """An event that is no JSON."""

    def rate_headers(self, limiter: RateLimiter, model: str, limits: RateLimits) -> dict[str, str]:
        """What is left of the rate limits."""


class Messages:
    """The Anthropic Messages API."""

    def check(self, body: Json, model: Model) -> None:
        check_message(body, model)

    def blocks(self, body: Json, count: Tokens) -> tuple[Block, ...]:
        return prompt_of(body, count)

    def charge(self, cache: PromptCache, blocks: tuple[Block, ...], model: Model) -> Charge:
        return cache.charge(blocks, minimum=model.min_cacheable)

    def frames(self, answer: Answer, received: Received) -> Iterable[Frame]:
        return stream_of(answer, message_id=str(received.message_id), model=str(received.model))

    def whole(self, answer: Answer, received: Received) -> Json:
        return message_of(answer, message_id=str(received.message_id), model=str(received.model))

    def error(self, refused: RefusedError, request_id: str) -> Json:
        return refused.as_anthropic(request_id)

    def error_frame(self, refused: RefusedError, request_id: str) -> Frame:
        return event("error", refused.as_anthropic(request_id))

    def broken_frame(self) -> Frame:
        return Frame(data=f"event: content_block_delta\ndata: {BROKEN_JSON}\n\n".encode())

    def rate_headers(self, limiter: RateLimiter, model: str, limits: RateLimits) -> dict[str, str]:
        return limiter.anthropic_headers(model, limits)
