"""One socket after another to the same room: hello, heartbeat, pace, and coming back after a drop. Knows no tables."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, NoReturn

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from fullring.wire.client import PROTOCOL
from fullring.wire.codec import encode
from fullring.wire.errors import CloseCode, ErrorCode
from fullring.wire.reading import Glance, glance
from fullring.wire.server import Welcome
from fullring_client.clock import Backoff, Clock, Pace
from fullring_client.errors import Closed, Refused, Replaced, Unreachable

_LOG = logging.getLogger(__name__)

FRAME_BYTES = 2**22
GREETING_SECONDS = 10.0
SILENT_BEATS = 2.5
"""A room that has said nothing for so many heartbeats, our pings included, is taken for gone."""
LATER_TRIES = 8
"""So often a room that lets nobody in just now is asked again; with the waits, for about half a minute."""

_ABNORMAL = 1006
_FINAL = {CloseCode.BAD_CREDENTIALS, CloseCode.VERSION, CloseCode.REPLACED, CloseCode.KICKED}
_OUR_FAULT = {CloseCode.NO_HELLO, CloseCode.TOO_FAST, CloseCode.BAD_FRAMES, CloseCode.TOO_SLOW}
_FINAL_ERRORS = {ErrorCode.UNAUTHORIZED, ErrorCode.FORBIDDEN, ErrorCode.VERSION, ErrorCode.BAD_MESSAGE}


class Link:
    """``opened`` runs after each welcome and sends what must be sent again; ``received`` gets every frame after it."""

    def __init__(
        self,
        url: str,
        hello: dict[str, Any],
        *,
        new_id: Callable[[], str],
        opened: Callable[[Welcome], Awaitable[None]],
        received: Callable[[Glance, bytes], None],
        dropped: Callable[[], None],
        clock: Clock,
        backoff: Backoff,
    ) -> None:
        self._url = url
        self._hello = hello
        self._new_id = new_id
        self._opened = opened
        self._received = received
        self._dropped = dropped
        self._clock = clock
        self._backoff = backoff
        self._socket: ClientConnection | None = None
        self._pace: Pace | None = None
        self._in_order = asyncio.Lock()
        self._sent_at = self._heard_at = 0.0

    @property
    def connected(self) -> bool:
        return self._socket is not None

    async def run(self) -> NoReturn:
        """Connects, and connects again. Ends by raising: Closed or Refused; Unreachable if it never connected."""
        met, attempt = False, 0
        while True:
            code = _ABNORMAL
            try:
                async with connect(
                    self._url, compression=None, ping_interval=None, close_timeout=1, max_size=FRAME_BYTES
                ) as socket:
                    welcome = await self._greet(socket)
                    met = True
                    code = await self._serve(socket, welcome)
                    attempt = attempt if code in _OUR_FAULT else 0
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd else _ABNORMAL
            except (OSError, InvalidHandshake) as error:  # TimeoutError is an OSError.
                if isinstance(error, InvalidStatus):
                    _judge_handshake(Refused.over_http(error.response.body, error.response.status_code))
                if not met and (_later(error) is None or attempt >= LATER_TRIES):
                    raise Unreachable(_unmet(self._url, error)) from error
            except ValueError as error:
                raise Unreachable(f"what answers at {self._url} is not a room") from error
            if code in _FINAL:
                raise Replaced(code) if code == CloseCode.REPLACED else Closed(code)
            await self._clock.sleep(self._backoff.wait(attempt, restarting=code == CloseCode.GOING_AWAY))
            attempt += 1

    async def send(self, text: bytes) -> None:
        """In the order asked, at the room's pace. Without a connection it does nothing: ``opened`` sends again."""
        async with self._in_order:
            socket, pace = self._socket, self._pace
            if socket is None or pace is None:
                return
            if wait := pace.wait(self._clock.now()):
                await self._clock.sleep(wait)
            try:
                await socket.send(text, text=True)
            except ConnectionClosed:
                return
            self._sent_at = self._clock.now()

    async def _greet(self, socket: ClientConnection) -> Welcome:
        id = self._new_id()
        await socket.send(encode({"type": "hello", "id": id, "protocol": PROTOCOL, **self._hello}), text=True)
        async with asyncio.timeout(GREETING_SECONDS):
            while True:
                frame = await socket.recv(decode=False)
                seen = glance(frame)
                if seen.type == "welcome":
                    return Welcome.model_validate_json(frame)
                if seen.type == "error" and seen.re in {"", id}:
                    _judge_greeting(Refused.read(frame))

    async def _serve(self, socket: ClientConnection, welcome: Welcome) -> int:
        """The life of one connection, to its close code."""
        self._pace = Pace(welcome.limits)
        self._sent_at = self._heard_at = self._clock.now()
        self._socket = socket
        try:
            async with asyncio.TaskGroup() as tasks:
                beside = [
                    tasks.create_task(self._beat(socket, welcome.heartbeat_seconds)),
                    tasks.create_task(_run(self._opened, welcome)),
                ]
                code = await self._read(socket)
                for task in beside:
                    task.cancel()
        finally:
            self._socket = None
            self._dropped()
        return code

    async def _read(self, socket: ClientConnection) -> int:
        while True:
            try:
                frame = await socket.recv(decode=False)
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd else _ABNORMAL
            self._heard_at = self._clock.now()
            try:
                self._received(glance(frame), frame)
            except ValueError:
                _LOG.warning("a frame of %d bytes that is not a message of ours", len(frame))

    async def _beat(self, socket: ClientConnection, every: float) -> None:
        while True:
            now = self._clock.now()
            if now - self._heard_at > every * SILENT_BEATS:
                await socket.close(1001)
                return
            if (quiet := now - self._sent_at) < every:
                await self._clock.sleep(every - quiet)
            else:
                await self.send(encode({"type": "ping", "id": self._new_id()}))


class _NotNow(ConnectionError):
    """A hello that is refused for the moment."""


def _later(error: Exception) -> str | None:
    """Why a room that is there wants us to come back after a wait; None where there is none, as far as is known."""
    if isinstance(error, InvalidStatus) and error.response.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
        return "too many connections at once"
    return str(error) if isinstance(error, _NotNow) else None


def _unmet(url: str, error: Exception) -> str:
    later = _later(error)
    return f"no room answers at {url}" if later is None else f"the room at {url} lets nobody in: {later}"


async def _run(opened: Callable[[Welcome], Awaitable[None]], welcome: Welcome) -> None:
    await opened(welcome)


def _judge_handshake(refused: Refused) -> None:
    """The room lets nobody in from here, and says why. When it is only full, the next attempt may do."""
    if refused.code == ErrorCode.FORBIDDEN:
        raise refused


def _judge_greeting(refused: Refused) -> NoReturn:
    if refused.code in _FINAL_ERRORS:
        raise refused
    raise _NotNow(refused.message)
