"""uvicorn's protocol for sockets, with what the room needs of it: to drop one, and to write and hear without a detour.

Handshakes, pings, closing, binary and fragmented messages stay uvicorn's and websockets' business. This leans on their
insides, so both are pinned, and tests hold what is assumed here.
"""

import contextlib
import socket
import struct
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from fullring.table.ids import Millis
from fullring.web.intake import CLOSED
from fullring.web.rates import Bucket

try:
    from websockets.speedups import apply_mask
except ImportError:  # Where websockets was built without a compiler.
    from websockets.utils import apply_mask

OURS = "fullring"
"""Our extension of ASGI: ``abort`` drops the socket; ``line``, where there is one, is the socket itself."""
LINGER_S = 5
"""How long a socket that was closed may still take what was sent."""
ASIDES_MAX, ASIDES_PER_SECOND = 200, 20
"""WebSocket's own pings and pongs, parts of messages sent in parts, and what comes after the room has closed. Beyond
that the socket is dropped.
"""
HIGH_WATER = 65_536
"""Bytes that wait in a socket's own buffer before it says that it is full."""

_TEXT = 0x81
"""The first byte of a whole message of text, neither compressed nor fragmented."""
_MASKED = 0x80
_MASK_BYTES = 4
_TWO_BYTES, _EIGHT_BYTES = 126, 127
"""Sizes that say how many bytes the real size has."""


class RoomSocket(WebSocketsSansIOProtocol):
    """uvicorn's own, and a way to drop a socket: of one who does not read, or who sends a lot that no rate counts."""

    _refused = False

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._asides = Bucket(burst=ASIDES_MAX, per_second=ASIDES_PER_SECOND, now=self._now())

    async def run_asgi(self) -> None:
        extensions: dict[str, Any] = self.scope["extensions"]
        extensions[OURS] = self.extension()
        try:
            await super().run_asgi()
        finally:
            self.loop.call_later(LINGER_S, self.abort)

    def extension(self) -> dict[str, object]:
        return {"abort": self.abort}

    def abort(self) -> None:
        """A reset, so that the kernel forgets what waits there too."""
        if self in self.connections:
            peer = self.transport.get_extra_info("socket")
            with contextlib.suppress(*CLOSED):
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.transport.abort()

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True  # It was answered, if not with a socket: uvicorn logs an error else.

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self._refuse_handshake()

    def _refuse_handshake(self) -> None:
        """A head that websockets can't read starts no task: nobody else would answer it, or ever close the socket."""
        text = "Failed to open a WebSocket connection: the request has a body, or is none.\n"
        answer = b"".join(self.conn.data_to_send()) or self.conn.reject(HTTPStatus.BAD_REQUEST, text).serialize()
        self._refused = self.handshake_complete = self.close_sent = True
        self.transport.write(answer)
        self.transport.close()
        self.loop.call_later(LINGER_S, self.abort)

    def handle_parser_exception(self) -> None:
        """Say why, and close when the client has: closed with bytes unread, the socket takes the reason with it."""
        close = self.conn.close_sent
        assert close is not None
        self._refused = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": close.code, "reason": close.reason})
        self.transport.write(b"".join(self.conn.data_to_send()))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.close_sent = True
        self.close_timer = self.loop.call_later(LINGER_S, self.abort)

    def handle_ping(self) -> None:
        if self._bears_it():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._bears_it():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._bears_it():
            super().handle_cont(event)

    def _bears_it(self) -> bool:
        """Whether one more frame that our own rates don't see may come."""
        if not self.transport.is_closing() and not self._asides.take(self._now()):
            self.abort()
        return not self.transport.is_closing()

    def _now(self) -> Millis:
        return round(self.loop.time() * 1000)


class Unsent:
    """The sockets of one server that were written to in this turn of the event loop.

    An answer and the update that shows it go to one player at the same time: they cost one call of the system.
    """

    def __init__(self) -> None:
        self._sockets: list[FastSocket] = []

    def add(self, fast: "FastSocket") -> None:
        if not self._sockets:
            fast.loop.call_soon(self._send)
        self._sockets.append(fast)

    def _send(self) -> None:
        sockets, self._sockets = self._sockets, []
        for fast in sockets:
            fast.send_unsent()


class FastConfig(uvicorn.Config):
    """What a server of ``FastSocket`` has besides."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.unsent = Unsent()


class FastSocket(RoomSocket):
    """Also a line: what is written goes to the transport in the same turn, and what comes is heard at once, in order.

    From the handshake on, the parser gets whole frames only, so that it is always at the beginning of one.
    """

    config: FastConfig
    full = False
    """While it is, nothing more should be written."""
    _hear: Callable[[str | bytes], None] | None = None
    _held = False
    _rest = b""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._emptied: Callable[[], None] = _nothing
        self._frames: list[bytes] = []
        transport.set_write_buffer_limits(high=HIGH_WATER)

    def extension(self) -> dict[str, object]:
        return {"abort": self.abort, "line": self}

    def connection_lost(self, exc: Exception | None) -> None:
        self.full = self._held = True
        self._hear, self._emptied, self._rest = _ignore, _nothing, b""  # Whoever listened is let go.
        super().connection_lost(exc)

    # --- out ---

    def write(self, frame: bytes) -> None:
        """Takes a whole frame."""
        if not self._frames:
            self.config.unsent.add(self)
        self._frames.append(frame)

    def send_unsent(self) -> None:
        """Never raises: there are others to be sent to. What a socket that closes had still to be sent is lost."""
        frames = self._frames
        try:
            if not self.transport.is_closing():
                self.transport.write(frames[0] if len(frames) == 1 else b"".join(frames))
        except (OSError, RuntimeError):  # Closed in this very moment.
            self.abort()
        frames.clear()

    def handle_parser_exception(self) -> None:
        """What was answered before goes first."""
        self.send_unsent()
        super().handle_parser_exception()

    def pause_writing(self) -> None:
        self.full = True
        super().pause_writing()

    def resume_writing(self) -> None:
        self.full = False
        super().resume_writing()
        self.loop.call_soon(self._go_on)  # Not in here: this may be called while something is being written.

    def _go_on(self) -> None:
        if self.full:
            return
        self._emptied()
        if self._held and not self.full:
            self._held = False
            self.transport.resume_reading()
            self._split(b"")

    # --- in ---

    def listen(self, hear: Callable[[str | bytes], None], emptied: Callable[[], None]) -> None:
        """From now on: ``hear`` is called with each message, ``emptied`` when the line is no longer full."""
        self._hear, self._emptied = hear, emptied
        self._split(b"")

    def hold(self) -> None:
        """Hear nothing more, until the line is no longer full."""
        if not self._held:
            self._held = True
            self.transport.pause_reading()

    def data_received(self, data: bytes) -> None:
        if self.close_sent and not self._bears_it():
            return
        if self._refused:
            return
        if self._hear is not None:
            self._split(data)
        elif self.handshake_initiated:
            self._rest += data  # It came before the answer to the handshake.
        else:
            super().data_received(data)

    def _split(self, data: bytes) -> None:
        if self._rest:
            data, self._rest = self._rest + data, b""
        at, end = 0, len(data)
        while end - at >= 2 and not self._held:
            length, start = data[at + 1] & ~_MASKED, at + 2
            if length == _TWO_BYTES:
                length, start = int.from_bytes(data[start : start + 2]), start + 2
            elif length == _EIGHT_BYTES:
                length, start = int.from_bytes(data[start : start + 8]), start + 8
            if start <= end and (length > self.config.ws_max_size or data[at + 1] < _MASKED):
                super().data_received(data[at:])  # The parser refuses it, and closes the socket.
                return
            start += _MASK_BYTES
            after = start + length
            if after > end:
                break
            if data[at] != _TEXT or self.conn.current_size is not None or not self._text(data, start, after):
                super().data_received(data[at:after])
                if self._refused or self.transport.is_closing():
                    return
            at = after
        self._rest = data[at:]

    def _text(self, data: bytes, start: int, end: int) -> bool:
        """A whole message of text; False where it is none."""
        assert self._hear is not None
        try:
            text = apply_mask(data[start:end], data[start - _MASK_BYTES : start]).decode()
        except UnicodeDecodeError:
            return False
        self._hear(text)
        return True

    def send_receive_event_to_app(self) -> None:
        """What the parser made of binary and fragmented messages. They too are heard in order."""
        if self._hear is None:
            super().send_receive_event_to_app()
            return
        message, self.frames = b"".join(self.frames), []
        if self.curr_msg_data_type != "text":
            self._hear(message)
            return
        try:
            text = message.decode()
        except UnicodeDecodeError:
            self.conn.send_close(1007)
            self.handle_parser_exception()
            return
        self._hear(text)


def _ignore(message: str | bytes) -> None:
    pass


def _nothing() -> None:
    pass
