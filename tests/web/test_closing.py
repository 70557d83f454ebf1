"""Why a connection is closed, by a clock that the test moves: late, silent, too fast, too slow, the room stops."""

import asyncio
import socket as sockets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from fullring.wire.errors import CloseCode
from tests.fake_clock import FakeClock
from tests.server import Running, running
from tests.sockets import dial

TURNS_MAX = 1_000_000


async def heard_of(room: Running, connections: int) -> None:
    """Until the room has so many connections: what a socket does takes its time to arrive."""
    for _ in range(TURNS_MAX):
        if len(room.site.connections) == connections:
            return
        await asyncio.sleep(0)
    raise AssertionError(f"there are {len(room.site.connections)} connections")


async def test_a_hello_must_come_within_5_seconds(still: Running, clock: FakeClock) -> None:
    async with dial(still.url) as socket:
        await heard_of(still, 1)
        await clock.advance(4_999)
        assert len(still.site.connections) == 1
        await clock.advance(1_001)

        assert await socket.closed() == CloseCode.NO_HELLO


async def test_a_connection_silent_for_25_seconds_is_closed_and_its_player_disconnected(
    still: Running, clock: FakeClock
) -> None:
    anna = await still.guest()
    table = await still.table()
    async with still.socket(anna.token) as socket, still.socket() as watcher:
        await socket.asks("sit", table=table, buy_in=500)
        await watcher.asks("watch", table=table)
        await watcher.hears("update")
        await clock.advance(24_000)
        assert (await watcher.asks("ping"))["type"] == "pong"
        await clock.advance(1_000)

        assert await socket.closed() == CloseCode.NO_HEARTBEAT
        update = await watcher.hears("update")
        assert update["events"] == [{"type": "connection_changed", "seat": 1, "connected": False}]


async def test_a_client_that_pings_stays(still: Running, clock: FakeClock) -> None:
    async with still.socket() as socket:
        for _ in range(10):
            await clock.advance(10_000)
            assert (await socket.asks("ping"))["type"] == "pong"


async def test_messages_beyond_the_rate_are_refused_and_answered_each(still: Running, clock: FakeClock) -> None:
    async with still.socket() as socket:
        ids = [await socket.says("ping") for _ in range(45)]
        answers = [await socket.answer(id) for id in ids]

        # Hello was the first of the 40.
        assert [answer["type"] for answer in answers] == ["pong"] * 39 + ["error"] * 6
        assert {answer["code"] for answer in answers[39:]} == {"rate_limited"}
        await clock.advance(1_000)
        assert [(await socket.asks("ping"))["type"] for _ in range(11)] == ["pong"] * 10 + ["error"]


async def test_a_refused_message_may_be_sent_again_under_its_id(still: Running, clock: FakeClock) -> None:
    anna = await still.guest()
    table = await still.table()
    async with still.socket(anna.token) as socket:
        for _ in range(39):
            await socket.asks("ping")
        assert (await socket.asks("sit", id="s", table=table, buy_in=500))["code"] == "rate_limited"
        await clock.advance(1_000)
        assert (await socket.asks("sit", id="s", table=table, buy_in=500))["seat"] == 1


async def test_who_goes_on_too_fast_is_closed(still: Running) -> None:
    async with still.socket() as socket:
        for _ in range(39 + 40 + 1):
            await socket.says("ping")

        assert await socket.closed() == CloseCode.TOO_FAST
        heard = [(await socket.heard())["type"] for _ in range(79)]
        assert heard == ["pong"] * 39 + ["error"] * 40


async def test_a_reader_that_stops_reading_is_dropped_and_nobody_waits_for_it(
    tmp_path: Path, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "fullring.web")
    async with running(tmp_path, clock=clock) as room:
        anna = await room.guest()
        table = await room.table()
        async with room.socket(anna.token) as talker, unread(room, table):
            await talker.asks("sit", table=table, buy_in=500)
            for _ in range(500):
                assert (await talker.asks("chat", table=table, text="x" * 300))["type"] == "ok"
            for _ in range(6):
                assert len(room.site.connections) == 2
                await clock.advance(1_000)
            await heard_of(room, 1)

            assert (await talker.asks("ping"))["type"] == "pong"
    assert "closed: 4007" in caplog.text


@asynccontextmanager
async def unread(room: Running, table: str) -> AsyncIterator[None]:
    """A spectator who watches and then reads nothing more, with buffers that are soon full."""
    address = urlsplit(room.url)
    with sockets.socket() as small:
        small.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4_096)
        small.connect((address.hostname, address.port))
        async with dial(room.url, sock=small, max_queue=1) as spectator:
            await spectator.asks("hello", protocol=1)
            await spectator.asks("watch", table=table)
            yield


async def test_when_the_room_stops_everybody_is_told_and_sent_away(room: Running) -> None:
    anna = await room.guest()
    table = await room.table()
    async with room.socket(anna.token) as player, room.socket() as spectator, dial(room.url) as stranger:
        await player.asks("sit", table=table, buy_in=500)
        room.server.stop()

        assert [await client.closed() for client in (player, spectator, stranger)] == [CloseCode.GOING_AWAY] * 3
        for client in (player, spectator):
            notice = await client.heard()
            assert (notice["type"], notice["kind"]) == ("notice", "restart")
