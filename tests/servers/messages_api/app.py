"""The routes, and what every request passes through: record, body, key, answer, and the client's leaving."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.routing import Route as Path
from starlette.types import Receive, Scope, Send

from tests.servers.messages_api.catalogue import Model
from tests.servers.messages_api.chat import Chat
from tests.servers.messages_api.checks import check_count, check_size, find_model, parsed
from tests.servers.messages_api.dialect import Dialect, Messages
from tests.servers.messages_api.generation import commit_before, generate
from tests.servers.messages_api.prompt import prompt_of
from tests.servers.messages_api.received import Received, Route
from tests.servers.messages_api.refusals import RefusedError, invalid
from tests.servers.messages_api.service import Service
from tests.servers.messages_api.usage import Json
from tests.servers.messages_api.wire import Wire

Handler = Callable[[Service, Dialect, Received, Wire, Request], Awaitable[None]]
Drop = Callable[[tuple[str, int]], None]
"""Closes the connection of a client's address."""


def app_of(service: Service, drop: Drop) -> Starlette:
    """The ASGI application of a service."""

    def path(at: str, method: str, route: Route, handler: Handler) -> Path:
        return Path(at, _Endpoint(service, drop, route, handler), methods=[method])

    return Starlette(
        routes=[
            path("/v1/messages", "POST", "messages", _generate),
            path("/v1/messages/count_tokens", "POST", "count_tokens", _count_tokens),
            path("/v1/chat/completions", "POST", "chat", _generate),
            path("/v1/models", "GET", "models", _list_models),
            path("/v1/models/{id}", "GET", "models", _one_model),
        ]
    )


class _Endpoint:
    """One route as an ASGI application."""

    def __init__(self, service: Service, drop: Drop, route: Route, handler: Handler) -> None:
        self._service = service
        self._drop = drop
        self._route = route
        self._handler = handler

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        headers = dict(request.headers)
        received = self._service.record(self._route, request.method, request.url.path, headers)
        address = tuple(scope["client"])
        wire = Wire(received=received, send=send, drop=lambda: self._drop(address), now=self._service.now)
        try:
            received.raw = await request.body()
        except ClientDisconnect:
            received.outcome = "cancelled"
        else:
            await self._race(received, wire, request)
        received.ended = self._service.now()
        self._service.news.set()

    async def _race(self, received: Received, wire: Wire, request: Request) -> None:
        """Answers until done or until the client leaves, whichever is first."""
        work = asyncio.create_task(self._answer(received, wire, request))
        leaving = asyncio.create_task(_note_leaving(request, wire, received, work))
        try:
            await asyncio.wait({work})
        finally:
            work.cancel()
            leaving.cancel()
            await asyncio.gather(work, leaving, return_exceptions=True)

    async def _answer(self, received: Received, wire: Wire, request: Request) -> None:
        dialect: Dialect = Messages() if _speaks_anthropic(received) else Chat()
        try:
            self._check(received, request)
            await self._handler(self._service, dialect, received, wire, request)
        except RefusedError as refused:
            received.outcome = "refused"
            await wire.json(refused.code, dialect.error(refused, received.request_id), refused.headers)
        except Exception as error:
            # A test's own script is at fault: answer 500, and let the server raise it again when it closes.
            self._service.script_errors.append(error)
            failed = RefusedError(type="api_error", message=f"test script: {error!r}")
            received.outcome = "broken"
            if wire.started:
                await wire.cut()
            else:
                await wire.json(failed.code, dialect.error(failed, received.request_id), {})

    def _check(self, received: Received, request: Request) -> None:
        if len(received.raw) > self._service.max_body_bytes:
            raise RefusedError(type="request_too_large", message="Request exceeds the maximum size")
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        if self._service.key not in (bearer, request.headers.get("x-api-key")):
            raise RefusedError(type="authentication_error", message="invalid x-api-key")
        if self._route in ("messages", "count_tokens") and "anthropic-version" not in request.headers:
            raise invalid("anthropic-version: header is required")
        if request.method == "POST":
            received.body = parsed(received.raw)


async def _note_leaving(request: Request, wire: Wire, received: Received, work: asyncio.Task[None]) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
    wire.left.set()
    if received.outcome == "open":
        received.outcome = "cancelled"
        work.cancel()


def _speaks_anthropic(received: Received) -> bool:
    """The list of models has one address for both SDKs; only Anthropic's names a version of its API."""
    if received.route == "models":
        return "anthropic-version" in received.headers
    return received.route != "chat"


async def _generate(service: Service, dialect: Dialect, received: Received, wire: Wire, request: Request) -> None:
    await generate(service, dialect, received, wire)


async def _count_tokens(service: Service, dialect: Dialect, received: Received, wire: Wire, request: Request) -> None:
    model = find_model(service.models, received.body.get("model"))
    received.model = model.id
    check_count(received.body, model)
    received.blocks = prompt_of(received.body, service.tokens)
    total = sum(block.tokens for block in received.blocks)
    check_size(total, model)
    if not await commit_before(service.take_fault(received), received, wire):
        await wire.json(200, {"input_tokens": total}, {})


async def _list_models(service: Service, dialect: Dialect, received: Received, wire: Wire, request: Request) -> None:
    if await commit_before(service.take_fault(received), received, wire):
        return
    models = list(service.models.values())
    if not _speaks_anthropic(received):
        await wire.json(200, {"object": "list", "data": [model.as_openai() for model in models]}, {})
        return
    await wire.json(200, _page(models, request), {})


def _page(models: list[Model], request: Request) -> Json:
    ids = [model.id for model in models]
    after = request.query_params.get("after_id")
    start = ids.index(after) + 1 if after in ids else 0
    shown = models[start : start + int(request.query_params.get("limit", 20))]
    return {
        "data": [model.as_anthropic() for model in shown],
        "has_more": start + len(shown) < len(models),
        "first_id": shown[0].id if shown else None,
        "last_id": shown[-1].id if shown else None,
    }


async def _one_model(service: Service, dialect: Dialect, received: Received, wire: Wire, request: Request) -> None:
    if await commit_before(service.take_fault(received), received, wire):
        return
    name = request.path_params["id"]
    model = service.models.get(name)
    if model is None:
        raise RefusedError(type="not_found_error", message=f"model: {name}")
    await wire.json(200, model.as_anthropic() if _speaks_anthropic(received) else model.as_openai(), {})
