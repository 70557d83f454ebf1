"""Who sends without an end, below the messages that have a rate, stalls nobody and fills no memory."""

import asyncio
import contextlib
import logging
from asyncio import StreamReader
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from fullring.web import intake
from fullring.web.intake import FIELDS_MAX, HELD_BYTES, READ_BYTES
from tests.security.floods import BINARY, CONTINUED, PING, PONG, TEXT, bare_socket, frame, line, pour
from tests.server import Process, process, running

HEAD = b"GET /healthz HTTP/1.1\r\nHost: room\r\n"
POST = b"POST /api/v1/guests HTTP/1.1\r\nHost: room\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
ENDLESS = 20_000_000
AT_ONCE = 60_000
MEMORY_KIB = 30_000
"""What a flood may cost: garbage that is not collected yet, buffers of the kernel's size, no more."""
PATIENCE_S = 60

FRAMES = {
    "messages": frame(TEXT, b"{}"),
    "binary": frame(BINARY, b"x"),
    "pings": frame(PING),
    "long pings": frame(PING, b"x" * 125),
    "pongs": frame(PONG),
    "a message in parts without an end": frame(CONTINUED, last=False),
}
REQUESTS = {
    "an address without an end": (b"GET /", b"a"),
    "a field without an end": (HEAD + b"X: ", b"a"),
    "fields without an end": (HEAD, b"X: y\r\n"),
    "a field behind the body": (POST + b"\r\n2\r\n{}\r\n0\r\nX: ", b"a"),
    "requests without waiting": (b"", HEAD + b"\r\n"),
}


async def memory_kib(room: Process) -> int:
    status = await asyncio.to_thread(Path(f"/proc/{room.process.pid}/status").read_text, "ascii")
    return int(status.split("VmRSS:")[1].split()[0])


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Process]:
    """A room as it is run, with the rates that it has unless told otherwise."""
    async with process(tmp_path, frames_per_second=10, frames_burst=40) as opened:
        yield opened


async def test_frames_without_an_end_are_cut_off_and_fill_no_memory(room: Process) -> None:
    before = await memory_kib(room)
    for name, what in FRAMES.items():
        first = frame(TEXT, b"x", last=False) if "parts" in name else b""
        async with asyncio.timeout(PATIENCE_S), bare_socket(room.url) as (_, writer):
            writer.write(first)
            assert await pour(writer, what, ENDLESS) < ENDLESS, name

    async with room.socket() as socket:
        assert (await socket.asks("ping"))["type"] == "pong"
    assert await memory_kib(room) - before < MEMORY_KIB


async def test_requests_without_an_end_are_cut_off_or_held_up_and_fill_no_memory(room: Process) -> None:
    before = await memory_kib(room)
    for name, (first, what) in REQUESTS.items():
        async with asyncio.timeout(PATIENCE_S), line(room.url) as (reader, writer):
            writer.write(first)
            reading = asyncio.create_task(all_of(reader))
            poured = await pour(writer, what, 2_000_000 if "waiting" in name else ENDLESS)
            assert poured < ENDLESS, name
            writer.transport.abort()
            await reading

    async with room.socket() as socket:
        assert (await socket.asks("ping"))["type"] == "pong"
    assert await memory_kib(room) - before < MEMORY_KIB


async def all_of(reader: StreamReader) -> bytes:
    read = b""
    with contextlib.suppress(ConnectionError):
        while some := await reader.read(65_536):
            read += some
    return read


@asynccontextmanager
async def turns() -> AsyncIterator[list[None]]:
    """Grows by one with each turn of the loop."""
    counted: list[None] = []

    async def count() -> None:
        while True:
            counted.append(None)
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    yield counted
    counting.cancel()


async def test_what_comes_at_once_is_read_a_little_each_turn(tmp_path: Path) -> None:
    """The others have theirs in between: in this process, so the turns of the loop can be counted."""
    async with running(tmp_path) as room, bare_socket(room.url) as (reader, writer), turns() as taken:
        writer.write(frame(BINARY, bytes(AT_ONCE)) + frame(PING, b"here"))
        before = len(taken)
        await reader.readuntil(bytes([0x80 | PONG, 4]) + b"here")
        assert len(taken) - before >= AT_ONCE // READ_BYTES


@pytest.mark.parametrize("part", [b"", b"GET /healthz HT", HEAD, POST + b"\r\n1\r\n{\r\n"])
async def test_a_request_that_does_not_arrive_whole_is_dropped_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, part: bytes
) -> None:
    monkeypatch.setattr(intake, "REQUEST_S", 0.1)
    async with running(tmp_path) as room, asyncio.timeout(PATIENCE_S), line(room.url) as (reader, writer):
        writer.write(part)
        assert await all_of(reader) == b""

    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_who_takes_nothing_of_the_answers_is_dropped_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the connection is kept for ever, with all that waits for it: the kernel asks again and again."""
    monkeypatch.setattr(intake, "TAKEN_MS", 100)
    asked = b"GET /openapi.json HTTP/1.1\r\nHost: room\r\n\r\n"
    async with running(tmp_path) as room, asyncio.timeout(PATIENCE_S), line(room.url) as (_, writer):
        assert await pour(writer, asked, ENDLESS) < ENDLESS


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (HEAD + b"X: " + b"a" * (HELD_BYTES - 100) + b"\r\n", 200),
        (HEAD + b"X: " + b"a" * (HELD_BYTES + 2 * READ_BYTES) + b"\r\n", 400),
        (HEAD + b"X: y\r\n" * (FIELDS_MAX - 1), 200),
        (HEAD + b"X: y\r\n" * FIELDS_MAX, 400),
    ],
)
async def test_a_head_has_a_size_and_so_many_fields(tmp_path: Path, head: bytes, status: int) -> None:
    async with running(tmp_path) as room, line(room.url) as (reader, writer):
        writer.write(head + b"\r\n")
        answer = await reader.readuntil(b"\r\n")

    assert int(answer.split()[1]) == status


UPGRADE = (
    b"GET /api/v1/ws HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)


@pytest.mark.parametrize("fast_sockets", [True, False])
@pytest.mark.parametrize(
    ("head", "status"),
    [
        (UPGRADE + b"Host: room\r\nContent-Length: 5\r\n\r\nhello", 400),
        (UPGRADE + b"Host: room\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (UPGRADE + b"Host: room\r\nX: " + b"a" * 9_000 + b"\r\n\r\n", 431),
        (UPGRADE.replace(b"/ws", b"/ws?" + b"a" * 9_000) + b"Host: room\r\n\r\n", 414),
        (UPGRADE + b"Host: room\r\nOrigin: http://[\r\n\r\n", 403),
        (UPGRADE + b"Host: room\r\nOrigin: null\r\n\r\n", 403),
        (UPGRADE + b"Origin: null\r\n\r\n", 403),
        (UPGRADE + b"Host:\r\nOrigin: null\r\n\r\n", 403),
    ],
)
async def test_a_handshake_that_comes_to_nothing_is_answered_and_ended_and_is_no_fault_of_the_room(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, head: bytes, status: int, fast_sockets: bool
) -> None:
    async with (
        running(tmp_path, fast_sockets=fast_sockets) as room,
        asyncio.timeout(PATIENCE_S),
        line(room.url) as (reader, writer),
    ):
        writer.write(head)
        answer = await all_of(reader)

    assert int(answer.split()[1]) == status
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_a_connection_that_is_kept_takes_one_request_after_the_other(tmp_path: Path) -> None:
    async with running(tmp_path) as room, room.http() as client:
        for _ in range(3):
            assert (await client.post("/guests", json={"name": 7})).status_code == 422
            assert (await client.get("/tables")).status_code == 200
