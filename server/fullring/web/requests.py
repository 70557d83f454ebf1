"""Each HTTP request by its id: said in the answer, and in every line that is logged meanwhile. And what it took.

A client may choose the id (X-Request-ID), so that what it logs and what the room logs can be laid side by side.
"""

import logging
import re
import secrets
from contextvars import ContextVar
from time import perf_counter

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fullring.runtime.meter import Meter

HEADER = "x-request-id"
_FITTING = re.compile(r"[A-Za-z0-9._-]{1,64}\Z")
_OTHER = "other"
"""Methods and addresses that are none of ours, which anybody may make up, are counted together."""

_METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})

_log = logging.getLogger(__name__)


class _Request:
    """A task that a request starts inherits it, and may live on: then the id is gone."""

    __slots__ = ("id",)

    def __init__(self, id: str) -> None:
        self.id: str | None = id


_current: ContextVar[_Request | None] = ContextVar("request", default=None)


def request_id() -> str | None:
    """Of the request that is being answered here; None anywhere else."""
    current = _current.get()
    return None if current is None else current.id


class Requests:
    """Around everything else: what fails is counted too."""

    def __init__(self, app: ASGIApp, meter: Meter) -> None:
        self._app = app
        self._meter = meter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(HEADER, "")
        id = given if _FITTING.match(given) else secrets.token_hex(8)
        began = perf_counter()

        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[HEADER] = id
                self._answered(scope, message["status"], perf_counter() - began)
            await send(message)

        request = _Request(id)
        _current.set(request)
        await self._app(scope, receive, send_named)
        request.id = None  # But not where it failed: the server has still to log that.

    def _answered(self, scope: Scope, status: int, seconds: float) -> None:
        method = scope["method"] if scope["method"] in _METHODS else _OTHER
        route = getattr(scope.get("route"), "path", _OTHER)
        self._meter.answered(method, route, status, seconds)
        _log.debug("%s %s answered with %d in %.1f ms", method, route, status, seconds * 1000)
