"""``GET /api/v1/ws``: lets sockets in, and carries messages between each and its ``Connection``."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import urlsplit

from fastapi import WebSocket, WebSocketDisconnect
from starlette.types import Message

from fullring.web.connection import Connection
from fullring.web.fast_socket import OURS, FastSocket
from fullring.web.problems import problem
from fullring.web.site import Site, address
from fullring.wire.codec import unframed
from fullring.wire.errors import ErrorCode

REASON_BYTES = 123
"""What a close frame has room for."""
ANSWERS_FIRST = 64
"""While so many answers wait to be sent, nothing more is read from that client."""
QUEUE_FRAMES = 256
"""Frames that wait for a socket that takes them one by one; then updates are dropped, until all are sent."""
_CLOSED = (OSError, RuntimeError, WebSocketDisconnect)
"""What sending to a socket that has just closed may raise. It ends that connection alone."""


async def endpoint(socket: WebSocket) -> None:
    site = socket.app.state.site
    assert isinstance(site, Site)
    if not await _let_in(socket, site):
        return
    await socket.accept()
    ours = socket.scope["extensions"][OURS]
    line = ours.get("line")
    await (_Carrier(socket, site, ours["abort"]) if line is None else _Direct(socket, site, line)).run()


async def _let_in(socket: WebSocket, site: Site) -> bool:
    """Whether this handshake is answered with a socket; else it is answered with a problem."""
    if not _same_site(socket, site):
        text = "pages of that origin may not open sockets here"
        await socket.send_denial_response(problem(HTTPStatus.FORBIDDEN, ErrorCode.FORBIDDEN, text))
        return False
    blocked = site.standing.wall(address(socket), site.clock.now())
    if blocked is not None:
        more = {"details": dict(blocked.details)}
        await socket.send_denial_response(problem(HTTPStatus.FORBIDDEN, ErrorCode.FORBIDDEN, blocked.text, more=more))
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
    try:
        page = urlsplit(origin).netloc.lower()
    except ValueError:
        return False
    return page != "" and page == socket.headers.get("host", "").lower()


class _Direct:
    """One socket whose protocol is a line itself: what comes is heard at once, and what is said is written at once."""

    def __init__(self, socket: WebSocket, site: Site, line: FastSocket) -> None:
        self._socket = socket
        self._line = line
        self._connection = Connection(site, address(socket), line, self._close, line.abort)
        self._received = site.around(self._connection.received)
        self._closing: asyncio.Task[None] | None = None

    async def run(self) -> None:
        self._line.listen(self._hear, self._connection.outbox.flush)
        try:
            while (await self._socket.receive())["type"] != "websocket.disconnect":
                pass
        finally:
            self._connection.gone()

    def _hear(self, message: str | bytes) -> None:
        self._received(message)
        if len(self._connection.outbox) >= ANSWERS_FIRST:
            self._line.hold()

    def _close(self) -> None:
        self._closing = asyncio.ensure_future(_close(self._socket, self._connection))


class _Carrier:
    """One socket at any server: this task reads, another writes. Whichever ends first ends both."""

    def __init__(self, socket: WebSocket, site: Site, abort: Callable[[], None]) -> None:
        self._socket = socket
        self._line = _Queue()
        self._connection = Connection(site, address(socket), self._line, self._line.waiting.set, abort)
        self._received = site.around(self._connection.received)
        self._sent = asyncio.Event()

    async def run(self) -> None:
        writer = asyncio.create_task(self._write())
        try:
            while (message := await self._socket.receive())["type"] == "websocket.receive":
                self._received(_heard(message))
                waiting = len(self._line.frames) + len(self._connection.outbox)
                if waiting >= ANSWERS_FIRST and not writer.done():
                    self._sent.clear()
                    await self._sent.wait()
        finally:
            self._connection.gone()
            writer.cancel()
            await asyncio.wait([writer])

    async def _write(self) -> None:
        try:
            with contextlib.suppress(*_CLOSED):
                while self._connection.closing is None:
                    await self._line.waiting.wait()
                    self._line.waiting.clear()
                    await self._send_all()
                await self._send_all()
            await _close(self._socket, self._connection)
        finally:
            self._sent.set()

    async def _send_all(self) -> None:
        line, frames = self._line, self._line.frames
        while frames:
            line.full = True  # Nobody sees it, unless the frame has to wait: then nothing more should be written.
            await self._socket.send({"type": "websocket.send", "text": unframed(frames.popleft()).decode()})
            if not frames:
                line.full = False
                self._connection.outbox.flush()
        self._sent.set()


class _Queue:
    """A line whose frames wait for a task that sends them.

    It is full from so many on, or while one of them can't be sent, until all are.
    """

    def __init__(self) -> None:
        self.full = False
        self.frames: deque[bytes] = deque()
        self.waiting = asyncio.Event()

    def write(self, frame: bytes) -> None:
        self.frames.append(frame)
        self.full = self.full or len(self.frames) >= QUEUE_FRAMES
        self.waiting.set()


async def _close(socket: WebSocket, connection: Connection) -> None:
    assert connection.closing is not None
    code, reason = connection.closing
    with contextlib.suppress(*_CLOSED):
        await socket.close(code, reason.encode()[:REASON_BYTES].decode(errors="ignore"))


def _heard(message: Message) -> str | bytes:
    frame = message.get("text")
    if frame is None:
        frame = message["bytes"]
    assert isinstance(frame, str | bytes)
    return frame
