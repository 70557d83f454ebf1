"""A socket without a library: whatever bytes a test wants, as fast as the other side takes them."""

import asyncio
import base64
import contextlib
import os
import struct
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

TEXT, BINARY, CONTINUED, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
_LAST, _MASKED = 0x80, 0x80


def frame(opcode: int, payload: bytes = b"", *, last: bool = True) -> bytes:
    """As a client sends it; masked with zeros, which is a mask too."""
    size = len(payload)
    first = (_LAST if last else 0) | opcode
    if size < 126:
        head = struct.pack("!BB", first, _MASKED | size)
    elif size < 65_536:
        head = struct.pack("!BBH", first, _MASKED | 126, size)
    else:
        head = struct.pack("!BBQ", first, _MASKED | 127, size)
    return head + bytes(4) + payload


@asynccontextmanager
async def line(url: str) -> AsyncIterator[tuple[StreamReader, StreamWriter]]:
    """A connection on which nothing was said yet."""
    where = urlsplit(url)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


@asynccontextmanager
async def bare_socket(url: str) -> AsyncIterator[tuple[StreamReader, StreamWriter]]:
    """A connection that has become a WebSocket."""
    async with line(url) as (reader, writer):
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write(
            f"GET /api/v1/ws HTTP/1.1\r\nHost: {urlsplit(url).netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        answer = await reader.readuntil(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 101 "), answer
        yield reader, writer


async def pour(writer: StreamWriter, what: bytes, bytes_max: int) -> int:
    """Sends it over and over, until so much is sent or the other side has dropped the connection; how much it took."""
    block = what * max(1, 65_536 // len(what))
    poured = 0
    with contextlib.suppress(ConnectionError):
        while poured < bytes_max:
            writer.write(block)
            await writer.drain()
            poured += len(block)
    return poured
