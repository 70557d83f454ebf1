"""What a connection may send before our own limits see it: a little at a time, with a head so large, and not for ever.

uvicorn reads a quarter of a megabyte at once and parses all of it before anybody else has a turn; it takes heads
without an end, and waits for the rest of a request as long as its client likes.
"""

import asyncio
import contextlib
import socket
import struct
from asyncio import TimerHandle
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

OURS = "fullring"
"""Our extension of ASGI over HTTP: ``abort`` drops the connection; ``expect_peer`` has it dropped when what is sent has
not been acknowledged or taken for so many milliseconds, as when the machine at the other end is gone. 0: as the kernel
does it.
"""

READ_BYTES = 2_048
"""What is read from one connection before the others have their turn: a few milliseconds' work at worst."""
HELD_BYTES = 16_384
"""The longest address, and the longest field of a head. A longer one is answered with 400."""
FIELDS_MAX = 100
"""The fields of a head. One more is answered with 400."""
REQUEST_S = 20
"""How long a request may take to arrive whole. A later one is dropped."""
TAKEN_MS = 20_000
"""How long a client may take nothing of what it is answered. Then it is dropped, with what waits for it."""

CLOSED = (OSError, ValueError)
"""What a socket raises that is closed already: asyncio's the first, uvloop's the second."""

_BUFFER = bytearray(READ_BYTES)
"""One for all connections: what is read is taken out before anything else is read."""


class Sips(asyncio.BufferedProtocol):
    """Gives a protocol what comes in, ``READ_BYTES`` at most a turn. The rest waits in the kernel."""

    def __init__(self, protocol: Any) -> None:
        self._protocol = protocol

    def get_buffer(self, sizehint: int) -> bytearray:
        return _BUFFER

    def buffer_updated(self, nbytes: int) -> None:
        self._protocol.data_received(bytes(memoryview(_BUFFER)[:nbytes]))

    def eof_received(self) -> None:
        self._protocol.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._protocol.connection_lost(exc)

    def pause_writing(self) -> None:
        self._protocol.pause_writing()

    def resume_writing(self) -> None:
        self._protocol.resume_writing()


class RoomHttp(HttpToolsProtocol):
    """uvicorn's own, with an end to everything."""

    _held = 0
    _late: TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        transport.set_protocol(Sips(self))
        self.expect_peer(TAKEN_MS)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect_nothing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        self._held += len(data)
        if self._held > HELD_BYTES + READ_BYTES:
            self.send_400_response("Request head too large.")
            return
        if self._late is None:
            self._expect()
        super().data_received(data)

    def handle_websocket_upgrade(self) -> None:
        self._expect_nothing()
        self.expect_peer(0)  # A socket is looked after by whoever listens to it.
        super().handle_websocket_upgrade()
        self.transport.set_protocol(Sips(self.transport.get_protocol()))

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.pipeline:  # uvicorn reads on after each answer, and so collects requests without an end.
            self.flow.pause_reading()

    def abort(self) -> None:
        """A reset, so that the kernel forgets what waits there too."""
        peer = self.transport.get_extra_info("socket")
        with contextlib.suppress(*CLOSED):
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()

    def expect_peer(self, within_ms: int) -> None:
        peer = self.transport.get_extra_info("socket")
        with contextlib.suppress(*CLOSED):
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, within_ms)

    # --- the parser's news ---

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["extensions"] = {OURS: {"abort": self.abort, "expect_peer": self.expect_peer}}

    def on_header(self, name: bytes, value: bytes) -> None:
        self._held = 0
        super().on_header(name, value)
        if len(self.headers) > FIELDS_MAX:
            raise ValueError("too many fields")  # The parser passes it on as an invalid request: 400.

    def on_body(self, body: bytes) -> None:
        self._held = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._held = 0
        self._expect_nothing()
        super().on_message_complete()

    # --- time ---

    def _expect(self) -> None:
        """The whole of a request, in time."""
        self._late = self.loop.call_later(REQUEST_S, self.transport.abort)

    def _expect_nothing(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
