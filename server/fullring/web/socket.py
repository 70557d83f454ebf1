"""``GET /api/v1/ws``: lets sockets in, and carries frames between each and its ``Connection``."""

import asyncio
import contextlib
from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import urlsplit

from fastapi import WebSocket, WebSocketDisconnect
from starlette.types import Message

from fullring.web.connection import Connection
from fullring.web.problems import problem
from fullring.web.site import Site
from fullring.wire.errors import ErrorCode

OURS = "fullring"
"""Our server's own extension of ASGI: ``abort`` drops a socket whose reader does not read."""
REASON_BYTES = 123
"""What a close frame has room for."""
ANSWERS_FIRST = 64
"""While so many frames wait to be sent, nothing more is read from that client."""
_CLOSED = (OSError, RuntimeError, WebSocketDisconnect)
"""What sending to a socket that has just closed may raise. It ends that connection alone."""


async def endpoint(socket: WebSocket) -> None:
    site = socket.app.state.site
    assert isinstance(site, Site)
    if not await _let_in(socket, site):
        return
    await socket.accept()
    await _Carrier(socket, site).run()


async def _let_in(socket: WebSocket, site: Site) -> bool:
    """Whether this handshake is answered with a socket; else it is answered with a problem."""
    if not _same_site(socket, site):
        text = "pages of that origin may not open sockets here"
        await socket.send_denial_response(problem(HTTPStatus.FORBIDDEN, ErrorCode.FORBIDDEN, text))
        return False
    full = len(site.connections) >= site.limits.connections_max
    if full or not site.handshakes.take(site.clock.now()):
        text = "too many connections at once: try again, after a random wait"
        busy = problem(HTTPStatus.SERVICE_UNAVAILABLE, ErrorCode.RATE_LIMITED, text, {"Retry-After": "2"})
        await socket.send_denial_response(busy)
        return False
    return True


def _same_site(socket: WebSocket, site: Site) -> bool:
    """A browser says which page opens the socket: one of ours, or of a site that the operator named. Programs don't."""
    origin = socket.headers.get("origin")
    if origin is None or "*" in site.limits.origins or origin in site.limits.origins:
        return True
    return urlsplit(origin).netloc.lower() == socket.headers.get("host", "").lower()


class _Carrier:
    """One socket: this task reads, another writes. Whichever ends first ends both."""

    def __init__(self, socket: WebSocket, site: Site) -> None:
        self._socket = socket
        self._waiting = asyncio.Event()
        self._sent = asyncio.Event()
        abort: Callable[[], None] = socket.scope["extensions"][OURS]["abort"]
        self._connection = Connection(site, self._waiting.set, abort)
        self._writer: asyncio.Task[None] | None = None

    async def run(self) -> None:
        self._writer = asyncio.create_task(self._write())
        try:
            while (message := await self._socket.receive())["type"] == "websocket.receive":
                self._connection.received(_frame(message))
                if len(self._connection.outbox) >= ANSWERS_FIRST:
                    self._sent.clear()
                    await self._sent.wait()
        finally:
            self._connection.gone()
            self._writer.cancel()
            await asyncio.wait([self._writer])

    async def _write(self) -> None:
        try:
            with contextlib.suppress(*_CLOSED):
                await self._write_until_closed(self._connection)
        finally:
            self._sent.set()

    async def _write_until_closed(self, connection: Connection) -> None:
        while connection.closing is None:
            await self._waiting.wait()
            self._waiting.clear()
            await self._send_all()
        await self._send_all()
        code, reason = connection.closing
        await self._socket.close(code, reason.encode()[:REASON_BYTES].decode(errors="ignore"))

    async def _send_all(self) -> None:
        for frame in self._connection.frames():
            await self._socket.send({"type": "websocket.send", "text": frame.decode()})
        self._sent.set()


def _frame(message: Message) -> str | bytes:
    frame = message.get("text")
    if frame is None:
        frame = message["bytes"]
    assert isinstance(frame, str | bytes)
    return frame
