"""What a WebSocket may do beside whole messages of text: parts, pings in between, odd sizes, and what is forbidden."""

import json
import os
import struct
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fullring.web.limits import FRAME_BYTES
from tests.databases import SqliteDatabases
from tests.server import Running
from tests.sockets import Json, Socket

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
FIN = 0x80


def frame(payload: bytes, opcode: int = TEXT, *, fin: bool = True, reserved: int = 0, masked: bool = True) -> bytes:
    """One frame as a client sends it, with whatever is wrong about it."""
    size, mask = len(payload), os.urandom(4) if masked else b""
    head = bytes([(FIN if fin else 0) | reserved | opcode])
    bit = 0x80 if masked else 0
    if size < 126:
        head += bytes([bit | size])
    elif size < 2**16:
        head += bytes([bit | 126]) + struct.pack(">H", size)
    else:
        head += bytes([bit | 127]) + struct.pack(">Q", size)
    body = bytes(byte ^ mask[n % 4] for n, byte in enumerate(payload)) if masked else payload
    return head + mask + body


def ping(id: str, size: int = 0) -> bytes:
    return json.dumps({"type": "ping", "id": id, "x": "é" * (size // 2)}, ensure_ascii=False).encode()


@pytest.fixture
def database_url(sqlite: SqliteDatabases, tmp_path: Path) -> str:
    """The database has no part in it."""
    return sqlite.migrated(tmp_path)


@pytest.fixture
async def socket(room: Running) -> AsyncIterator[Socket]:
    async with room.socket() as opened:
        yield opened


def write(socket: Socket, *frames: bytes) -> None:
    """Bytes as they are, past the client's own idea of what may be sent."""
    socket.socket.transport.write(b"".join(frames))


async def answered(socket: Socket, *ids: str) -> None:
    """Each once and in order."""
    heard: list[Json] = [await socket.hears() for _ in ids]
    assert [(answer["type"], answer["re"]) for answer in heard] == [("pong", id) for id in ids]


@pytest.mark.parametrize("size", [0, 20, 80, 125, 126, 127, 1_000, 4_000, FRAME_BYTES - 100])
async def test_messages_of_every_size_are_heard(socket: Socket, size: int) -> None:
    write(socket, frame(ping("a", size)), frame(ping("b", size)))
    await answered(socket, "a", "b")


async def test_a_message_may_come_byte_by_byte(socket: Socket) -> None:
    for byte in frame(ping("a", 300)) + frame(ping("b")):
        write(socket, bytes([byte]))

    await answered(socket, "a", "b")


async def test_many_messages_may_come_at_once_and_broken_anywhere(socket: Socket) -> None:
    ids = [f"{number}" for number in range(60)]
    sent = b"".join(frame(ping(id, 7 * number)) for number, id in enumerate(ids))
    for at in range(0, len(sent), 997):
        write(socket, sent[at : at + 997])
    await answered(socket, *ids)


async def test_a_message_may_come_in_parts_with_pings_between_them(socket: Socket) -> None:
    whole = ping("a", 400)
    write(
        socket,
        frame(whole[:100], TEXT, fin=False),
        frame(b"are you there", PING),
        frame(whole[100:101], CONTINUATION, fin=False),
        frame(b"", CONTINUATION, fin=False),
        frame(b"", PONG),
        frame(whole[101:], CONTINUATION),
        frame(ping("b")),
    )
    await answered(socket, "a", "b")


async def test_a_character_may_be_broken_between_parts(socket: Socket) -> None:
    whole = ping("a", 40)
    middle = whole.index("é".encode()) + 1
    write(socket, frame(whole[:middle], TEXT, fin=False), frame(whole[middle:], CONTINUATION))
    await answered(socket, "a")


async def test_binary_messages_are_refused_whole_or_in_parts(socket: Socket) -> None:
    write(socket, frame(ping("a"), BINARY), frame(b"\x00", BINARY, fin=False), frame(b"\xff", CONTINUATION))
    for _ in range(2):
        refused = await socket.hears()
        assert (refused["type"], refused["code"], "re" in refused) == ("error", "bad_message", False)
    write(socket, frame(ping("b")))
    await answered(socket, "b")


FORBIDDEN = {
    "not masked": (frame(ping("a"), masked=False), 1002),
    "a reserved bit": (frame(ping("a"), reserved=0x40), 1002),
    "an opcode that is none": (frame(ping("a"), 0x3), 1002),
    "a continuation of nothing": (frame(ping("a"), CONTINUATION), 1002),
    "a text inside a text": (frame(b"{", TEXT, fin=False) + frame(ping("a"), TEXT), 1002),
    "a ping in parts": (frame(b"", PING, fin=False), 1002),
    "a long ping": (frame(b"x" * 126, PING), 1002),
    "no text": (frame(b"\xff\xfe"), 1007),
    "half a character": (frame(b'{"type":"ping","id":"\xc3"}'), 1007),
    "no text in parts": (frame(b"\xff", TEXT, fin=False) + frame(b"\xfe", CONTINUATION), 1007),
    "too large": (frame(b"x" * 70_000), 1009),
    "too large in parts": (frame(b"x" * 30_000, TEXT, fin=False) + frame(b"x" * 40_000, CONTINUATION) * 2, 1009),
    "a size beyond all numbers": (b"\x81\xff" + b"\x7f" + b"\xff" * 7 + b"mask", 1009),
}


@pytest.mark.parametrize("what", FORBIDDEN)
async def test_what_is_forbidden_ends_that_connection_alone(room: Running, socket: Socket, what: str) -> None:
    sent, code = FORBIDDEN[what]
    async with room.socket() as other:
        write(socket, frame(ping("before")), sent)
        assert await socket.closed() == code
        assert (await socket.heard())["re"] == "before"
        assert (await other.asks("ping"))["type"] == "pong"


@pytest.mark.parametrize("payload", [b"", struct.pack(">H", 1000), struct.pack(">H", 3000) + b"bye"])
async def test_a_client_may_say_goodbye(room: Running, socket: Socket, payload: bytes) -> None:
    write(socket, frame(payload, CLOSE))
    await socket.closed()
    async with room.socket() as other:
        assert (await other.asks("ping"))["type"] == "pong"
