"""The HTTP side: key check, faults, limits, service, record."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import BodyPartReader, web

from .calls import Call, Route
from .faults import Fault, Faults
from .ledger import Ledger, Request
from .limits import Limits
from .refusals import RefusalError
from .state import Platform
from .world import Json

PREFIX = "/api/v10"
_UNAUTHORISED: Json = {"message": "401: Unauthorized", "code": 0}


class FrontDoor:
    def __init__(self, platform: Platform, ledger: Ledger, limits: Limits, faults: Faults) -> None:
        self._platform = platform
        self._ledger = ledger
        self._limits = limits
        self._faults = faults

    def mount(self, app: web.Application, routes: list[Route]) -> None:
        for one in routes:
            app.router.add_route(one.method, PREFIX + one.template, self._handler(one))
        app.router.add_route("*", PREFIX + "/{rest:.*}", self._unserved)

    def _handler(self, route: Route) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def handle(request: web.Request) -> web.StreamResponse:
            call = await self._read(request, route)
            fault = self._faults.take(call)
            if fault is not None and fault.delay_before:
                await asyncio.sleep(fault.delay_before)
            if fault is not None and fault.false_answer and not fault.commits:
                return self._answer_falsely(request, call, fault, committed=False)
            response, code = self._respond(call, route)
            committed = response.status < 400
            if fault is not None:
                await self._wait(call, fault, committed=committed)
                if fault.false_answer:
                    return self._answer_falsely(request, call, fault, committed=committed)
            self._record(call, response.status, code, committed=committed)
            return response

        return handle

    async def _wait(self, call: Call, fault: Fault, *, committed: bool) -> None:
        """Holds the answer back; a caller that goes away meanwhile is recorded as unanswered."""
        try:
            await asyncio.sleep(fault.delay_after)
            if fault.gate is not None:
                await fault.gate.wait()
        except asyncio.CancelledError:
            self._record(call, 0, None, committed=committed)
            raise

    async def _read(self, request: web.Request, route: Route) -> Call:
        body, files = await _content(request)
        return Call(
            platform=self._platform,
            route=route.name,
            path=request.path.removeprefix(PREFIX),
            params=dict(request.match_info),
            query=dict(request.query),
            body=body,
            files=files,
            by_bot=request.headers.get("Authorization") == f"Bot {self._platform.app.token}",
        )

    def _respond(self, call: Call, route: Route) -> tuple[web.Response, int | None]:
        if route.needs_bot and not call.by_bot:
            return _json(_UNAUTHORISED, 401), 0
        refused, headers = self._limits.take(call)
        if refused is not None:
            return _json(refused.payload(), 429, {**headers, **refused.headers()}), 0
        try:
            answer = route.serve(call)
        except RefusalError as refusal:
            return _json(refusal.payload(), refusal.status, headers), refusal.code
        except Exception as error:  # a fault of this server must not pass for the platform's
            self._ledger.broken.append(error)
            return _json({"message": f"test server: {error!r}", "code": -1}, 501), -1
        if answer is None:
            return web.Response(status=204, headers=headers), None
        return _json(answer, 200, headers), None

    def _answer_falsely(self, request: web.Request, call: Call, fault: Fault, *, committed: bool) -> web.Response:
        if fault.cut:
            self._record(call, 0, None, committed=committed)
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=500)
        response, code = _false_answer(fault)
        self._record(call, response.status, code, committed=committed)
        return response

    def _record(self, call: Call, status: int, code: int | None, *, committed: bool) -> None:
        self._ledger.requests.append(
            Request(
                number=len(self._ledger.requests),
                at=self._platform.clock.now(),
                route=call.route,
                path=call.path,
                params=call.params,
                query=call.query,
                body=call.body,
                files=tuple(name for name, _, _ in call.files),
                by_bot=call.by_bot,
                status=status,
                code=code,
                committed=committed,
            )
        )
        self._platform.changed.notify()

    async def _unserved(self, request: web.Request) -> web.Response:
        self._ledger.unserved.append(f"{request.method} {request.path}")
        return _json(RefusalError(0).payload(), 404)


def _false_answer(fault: Fault) -> tuple[web.Response, int | None]:
    if fault.refusal is not None:
        return _json(fault.refusal.payload(), fault.refusal.status), fault.refusal.code
    if fault.limited is not None:
        return _json(fault.limited.payload(), 429, fault.limited.headers()), 0
    if fault.html:
        return web.Response(status=429, text="<html>error 1015</html>", content_type="text/html"), 0
    return _json({"message": "Internal Server Error", "code": 0}, fault.status or 500), 0


def _json(body: Any, status: int, headers: dict[str, str] | None = None) -> web.Response:
    """A JSON answer whose type has no charset: the library takes any other for text."""
    return web.Response(body=json.dumps(body).encode(), status=status, headers=headers, content_type="application/json")


async def _content(request: web.Request) -> tuple[Any, list[tuple[str, bytes, str | None]]]:
    if request.content_type == "multipart/form-data":
        return await _multipart(request)
    raw = await request.read()
    if not raw:
        return None, []
    try:
        return json.loads(raw), []
    except ValueError:
        return None, []


async def _multipart(request: web.Request) -> tuple[Any, list[tuple[str, bytes, str | None]]]:
    body: Any = None
    files: list[tuple[str, bytes, str | None]] = []
    reader = await request.multipart()
    async for part in reader:
        if not isinstance(part, BodyPartReader):
            continue
        raw = bytes(await part.read(decode=False))
        if part.name == "payload_json":
            body = json.loads(raw)
        else:
            files.append((part.filename or "file", raw, part.headers.get("Content-Type")))
    return body, files
