"""A WebSocket client that sends exactly the bytes it is told to."""

import asyncio
import base64
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
FINAL, MASKED = 0x80, 0x80
PATIENCE_S = 10
NARROW_BYTES = 32_768


def sent(payload: str | bytes, opcode: int = TEXT, *, final: bool = True, masked: bool = True, bits: int = 0) -> bytes:
    """A frame as a client sends it, or as it should not; ``bits`` are the reserved ones."""
    data = payload.encode() if isinstance(payload, str) else payload
    mask_bit, size = MASKED if masked else 0, len(data)
    if size < 126:
        length = bytes((mask_bit | size,))
    elif size < 1 << 16:
        length = bytes((mask_bit | 126,)) + size.to_bytes(2)
    else:
        length = bytes((mask_bit | 127,)) + size.to_bytes(8)
    head = bytes(((FINAL if final else 0) | bits | opcode,)) + length
    if not masked:
        return head + data
    mask = os.urandom(4)
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))


def in_parts(payload: str, *cuts: int) -> bytes:
    """A message of text in several frames."""
    ends = [*cuts, len(payload)]
    begins = [0, *cuts]
    return b"".join(
        sent(payload[begin:end], CONTINUATION if begin else TEXT, final=end == len(payload))
        for begin, end in zip(begins, ends, strict=True)
    )


@dataclass(frozen=True, slots=True)
class Frame:
    opcode: int
    payload: bytes

    @property
    def code(self) -> int:
        """Why it closes."""
        assert self.opcode == CLOSE, self
        return int.from_bytes(self.payload[:2])


class RawSocket:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    def send(self, data: bytes) -> None:
        self._writer.write(data)

    def narrow(self) -> None:
        """Let the kernel keep little of what comes, until it is read."""
        self._writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, NARROW_BYTES)

    async def drip(self, data: bytes) -> None:
        """One byte after the other, each in a segment of its own."""
        for byte in data:
            self._writer.write(bytes((byte,)))
            await self._writer.drain()
            await asyncio.sleep(0)

    async def frame(self) -> Frame:
        """The next frame. The server's are whole, and never masked."""
        async with asyncio.timeout(PATIENCE_S):
            first, second = await self._reader.readexactly(2)
            assert first & FINAL
            assert not second & MASKED
            size = second
            if size == 126:
                size = int.from_bytes(await self._reader.readexactly(2))
            elif size == 127:
                size = int.from_bytes(await self._reader.readexactly(8))
            return Frame(first & 0xF, await self._reader.readexactly(size))

    async def ended(self) -> bool:
        """The server closes the connection, and sends nothing more before it does."""
        async with asyncio.timeout(PATIENCE_S):
            try:
                return await self._reader.read() == b""
            except ConnectionResetError:
                return True


@asynccontextmanager
async def raw_socket(url: str, pipelined: bytes = b"") -> AsyncIterator[RawSocket]:
    """Connected and upgraded. ``pipelined`` is sent behind the request, before its answer."""
    address = urlsplit(url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    key = base64.b64encode(os.urandom(16)).decode()
    request = (
        f"GET /api/v1/ws HTTP/1.1\r\nHost: {address.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    writer.write(request.encode())
    if pipelined:
        await writer.drain()
        writer.write(pipelined)
    try:
        async with asyncio.timeout(PATIENCE_S):
            head = await reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in head.split(b"\r\n")[0], head
        yield RawSocket(reader, writer)
    finally:
        writer.transport.abort()
