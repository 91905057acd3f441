"""One call from a valid key to its last byte: checks, faults, charge, reply, delivery."""

from __future__ import annotations

import json
from dataclasses import replace

from tests.servers.messages_api.answers import Answer, answer_of
from tests.servers.messages_api.catalogue import Model
from tests.servers.messages_api.checks import check_size, find_model
from tests.servers.messages_api.dialect import Dialect
from tests.servers.messages_api.faults import Break, ErrorStatus, Fault, HangUp, Page, SlowStart, Spoil
from tests.servers.messages_api.frames import Frame
from tests.servers.messages_api.received import Received
from tests.servers.messages_api.refusals import invalid, rate_limited
from tests.servers.messages_api.service import Service
from tests.servers.messages_api.usage import Json
from tests.servers.messages_api.voices import Reply
from tests.servers.messages_api.wire import Wire, pause


async def commit_before(fault: Fault | None, received: Received, wire: Wire) -> bool:
    """Commits a fault that strikes before the answer; says whether that was the end of the request."""
    if isinstance(fault, ErrorStatus):
        raise fault.refused()
    if isinstance(fault, Page):
        received.outcome = "broken"
        await wire.whole(fault.status, fault.body.encode(), {}, "text/html; charset=utf-8")
    elif isinstance(fault, HangUp):
        await wire.cut()
    elif isinstance(fault, SlowStart):
        await pause(fault.seconds)
    return isinstance(fault, Page | HangUp)


async def generate(service: Service, dialect: Dialect, received: Received, wire: Wire) -> None:
    """Answers one call; raises `RefusedError` where it is turned down, and what the voice raises."""
    body = received.body
    model = find_model(service.models, body.get("model"))
    received.model = model.id
    _check(dialect, body, model)
    received.blocks = dialect.blocks(body, service.tokens)
    check_size(sum(block.tokens for block in received.blocks), model)
    fault = service.take_fault(received)
    if await commit_before(fault, received, wire):
        return
    charge = dialect.charge(service.cache, received.blocks, model)
    wait = service.limiter.seconds_over(model.id, charge.usage, service.limits)
    if wait:
        raise rate_limited(wait, dialect.rate_headers(service.limiter, model.id, service.limits))
    reply = await service.reply_to(body)
    reply = fault.change(reply, body) if isinstance(fault, Spoil) else reply
    answer = answer_of(reply, body, charge.usage, service.tokens)
    await pause(service.first_token_delay if reply.first_token_delay is None else reply.first_token_delay)
    service.cache.begin(charge)
    received.reply, received.usage = answer.text, charge.usage
    received.message_id = f"msg_{received.number:024d}"
    delivery = _Delivery(service, dialect, received, wire, reply, fault if isinstance(fault, Break) else None)
    await (delivery.stream(answer) if received.stream else delivery.whole(answer))


def _check(dialect: Dialect, body: Json, model: Model) -> None:
    try:
        dialect.check(body, model)
    except (AttributeError, KeyError, TypeError) as error:
        raise invalid(f"malformed request: {error!r}") from error


class _Delivery:
    def __init__(
        self,
        service: Service,
        dialect: Dialect,
        received: Received,
        wire: Wire,
        reply: Reply,
        fault: Break | None,
    ) -> None:
        self._service = service
        self._dialect = dialect
        self._received = received
        self._wire = wire
        self._fault = fault
        self._token_delay = service.token_delay if reply.token_delay is None else reply.token_delay
        told = dialect.rate_headers(service.limiter, str(received.model), service.limits)
        self._headers = {**told, **reply.headers}

    async def stream(self, answer: Answer) -> None:
        frames = list(self._dialect.frames(answer, self._received))
        strike = _strike_at(frames, self._fault.after) if self._fault else -1
        await self._wire.start(200, "text/event-stream; charset=utf-8", self._headers, None)
        for n, frame in enumerate(frames):
            if n == strike and await self._strike():
                return
            await pause(frame.tokens * self._token_delay)
            await self._wire.write(frame.data)
            self._count(frame.tokens)
        self._settle(answer)
        await self._wire.finish()

    async def whole(self, answer: Answer) -> None:
        await pause(answer.usage.output * self._token_delay)
        how = self._fault.how if self._fault else None
        payload = self._whole_payload(answer, how)
        data = json.dumps(payload, ensure_ascii=False).encode()
        half = len(data) // 2
        if how == "chunk":
            data = data[:half]
        await self._wire.start(200, "application/json", self._headers, len(data))
        await self._wire.write(data[:half])
        self._settle(answer)
        if self._fault and how in ("cut", "stall") and await self._strike():
            return
        if how in ("end", "chunk", "error"):
            self._received.outcome = "broken"
        await self._wire.finish(data[half:])

    def _whole_payload(self, answer: Answer, how: str | None) -> Json:
        if self._fault and how == "error":
            return self._dialect.error(self._fault.refused(), self._received.request_id)
        return self._dialect.whole(answer.without_stop() if how == "end" else answer, self._received)

    async def _strike(self) -> bool:
        """Commits the fault; says whether the answer ends here."""
        assert self._fault is not None
        if self._fault.how == "stall":
            await pause(self._fault.seconds)
            return False
        if self._fault.how == "cut":
            await self._wire.cut()
            return True
        self._received.outcome = "broken"
        if self._fault.how == "chunk":
            await self._wire.write(self._dialect.broken_frame().data)
            return False
        if self._fault.how == "error":
            failed = self._dialect.error_frame(self._fault.refused(), self._received.request_id)
            await self._wire.write(failed.data)
        await self._wire.finish()
        return True

    def _count(self, tokens: int) -> None:
        usage = self._received.usage
        if usage is not None and tokens:
            self._received.usage = replace(usage, output=usage.output + tokens)
            self._service.limiter.add_output(str(self._received.model), tokens)

    def _settle(self, answer: Answer) -> None:
        """The bill of a complete answer."""
        counted = self._received.usage.output if self._received.usage else 0
        self._count(answer.usage.output - counted)
        self._received.usage = answer.usage


def _strike_at(frames: list[Frame], after: int) -> int:
    """The frame before which a fault strikes: after so many deltas, or after the last where there are fewer;
    never before the first event."""
    deltas = [n for n, frame in enumerate(frames) if frame.delta]
    if after == 0 or not deltas:
        return deltas[0] if deltas else min(2, len(frames) - 1)
    return deltas[min(after, len(deltas)) - 1] + 1
