"""``GET /tables/{id}/stream``: the same updates as on the socket, presence, who ends it, and slow readers."""

import asyncio
import logging
import socket as sockets
from collections.abc import Sized
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import uvloop

from fullring.runtime.accounts import Credentials
from fullring.runtime.outbox import STALLED_MS
from fullring.table.commands import Close
from tests.fake_clock import FakeClock
from tests.server import Running, running
from tests.web.lines import done, stream
from tests.web.test_accounts import code
from tests.web.test_closing import TURNS_MAX, heard_of

LONG = "x" * 290
UNTIL_FULL = 300


async def test_a_stream_says_what_a_socket_says(room: Running) -> None:
    table, anna = await room.table(), await room.guest("Anna")
    async with stream(room, table) as lines, room.socket() as socket, room.http(anna.token) as client:
        await socket.asks("watch", table=table)
        assert await lines.hears() == await socket.hears("update")
        await done(client, table, "sit", buy_in=500)
        await done(client, table, "chat", text="hello")
        for _ in range(2):
            assert await lines.hears() == await socket.hears("update")


async def test_who_sits_has_their_own_part_and_nobody_elses(room: Running) -> None:
    table = await room.table()
    guests = [await room.guest(name) for name in ("Anna", "Bo")]
    async with AsyncExitStack() as stack:
        heard = [await stack.enter_async_context(stream(room, table, guest.token)) for guest in guests]
        spectator = await stack.enter_async_context(stream(room, table))
        for guest in guests:
            async with room.http(guest.token) as client:
                await done(client, table, "sit", buy_in=500)
        own = [(await lines.sees("hole_cards_dealt"))["you"]["cards"] for lines in heard]
        public = await spectator.sees("hole_cards_dealt")

    assert [len(cards) for cards in own] == [2, 2]
    assert not set(own[0]) & set(own[1])
    assert "you" not in public


async def test_what_was_missed_since_then_comes_first(room: Running) -> None:
    table, anna = await room.table(), await room.guest()
    async with stream(room, table) as lines, room.http(anna.token) as client:
        first = await lines.hears()
        for text in ("one", "two"):
            await done(client, table, "chat", text=text)
    async with stream(room, table, epoch=first["epoch"], seq=first["seq"]) as lines:
        again = await lines.hears()
    async with stream(room, table, epoch=first["epoch"] + 1, seq=first["seq"]) as lines:
        other = await lines.hears()

    assert [event["text"] for event in again["events"]] == ["one", "two"]
    assert "lost" not in again
    assert other["lost"] is True


async def test_a_stream_that_is_none_is_refused(room: Running) -> None:
    table, anna = await room.table(), await room.guest()
    async with room.http() as client:
        assert code(await client.get("/tables/t0/stream")) == (404, "not_found")
        assert code(await client.get(f"/tables/{table}/stream?seq=1")) == (422, "bad_message")
        assert code(await client.get(f"/tables/{table}/stream?seq=-1&epoch=1")) == (422, "bad_message")
    async with room.http(anna.token + "x") as client:
        assert code(await client.get(f"/tables/{table}/stream")) == (401, "unauthorized")
    assert len(room.site.connections) == 0


async def test_streams_are_counted_and_let_in_as_sockets_are(tmp_path: Path, clock: FakeClock) -> None:
    async with running(tmp_path, connections_max=1) as room, room.http() as client, stream(room, "lobby"):
        full = await client.get("/tables/lobby/stream")
    async with (
        running(tmp_path, clock=clock, handshakes_per_second=1) as room,
        room.http() as client,
        stream(room, "lobby"),
    ):
        fast = await client.get("/tables/lobby/stream")
        await clock.advance(1_000)
        async with stream(room, "lobby"):
            pass

    assert code(full) == code(fast) == (503, "rate_limited")
    assert full.headers["retry-after"] == fast.headers["retry-after"] == "2"


async def test_the_lobby_is_a_stream_too(room: Running) -> None:
    async with stream(room, "lobby") as lines:
        assert (await lines.hears())["view"] == {"tables": []}
        table = await room.table()
        assert [row["id"] for row in (await lines.hears())["view"]["tables"]] == [table]


async def test_an_empty_line_comes_every_7_seconds(still: Running, clock: FakeClock) -> None:
    table = await still.table()
    async with stream(still, table) as lines:
        assert (await lines.line()).startswith('{"type":"update"')
        for _ in range(3):
            await clock.advance(7_000)
            assert await lines.line() == ""


async def test_an_open_stream_is_a_connection_and_its_end_is_the_end_of_it(room: Running) -> None:
    table, anna = await room.table(), await room.guest("Anna")
    async with stream(room, table) as seen, room.http(anna.token) as client:
        async with stream(room, table, anna.token) as lines:
            await lines.hears()
            await done(client, table, "sit", buy_in=500)
            update = await seen.sees("seated")
            assert update["view"]["seats"][0]["connected"] is True
        update = await seen.sees("connection_changed")
        assert update["events"] == [{"type": "connection_changed", "seat": 1, "connected": False}]
        async with stream(room, table, anna.token):
            assert (await seen.sees("connection_changed"))["view"]["seats"][0]["connected"] is True
        await heard_of(room, 1)


async def test_the_newest_stream_of_a_table_takes_over_and_those_of_others_stay(room: Running) -> None:
    one, other, anna = await room.table(), await room.table(), await room.guest()
    async with (
        stream(room, one, anna.token) as first,
        stream(room, other, anna.token) as aside,
        stream(room, one, anna.token) as second,
    ):
        assert (await first.rest())[-1]["kind"] == "replaced"
        async with room.http(anna.token) as client:
            for table in (one, other):
                await done(client, table, "chat", text="still here")
        await second.sees("chatted")
        await aside.sees("chatted")


async def test_a_socket_and_a_stream_take_over_from_each_other(room: Running) -> None:
    table, anna = await room.table(), await room.guest()
    async with room.socket(anna.token) as older, stream(room, table, anna.token) as lines:
        assert await older.closed() == 4003
        await lines.hears()
        async with room.socket(anna.token) as newest:
            assert (await lines.rest())[-1]["kind"] == "replaced"
            assert (await newest.asks("ping"))["type"] == "pong"


async def test_a_revoked_token_ends_its_streams(room: Running) -> None:
    table, anna = await room.table(), await room.guest()
    async with room.http(anna.token) as client:
        made = (await client.post("/me/tokens", json={"name": "bot", "scopes": ["read", "play"]})).json()
        async with stream(room, table, made["token"]) as lines:
            await lines.hears()
            await client.delete(f"/me/tokens/{made['id']}")
            assert [line["kind"] for line in await lines.rest()] == ["bad_credentials"]


async def test_a_closed_table_ends_its_streams(still: Running, clock: FakeClock) -> None:
    table = await still.table()
    async with stream(still, table) as lines:
        await lines.hears()
        await still.site.room.ask(table, Close("enough"))
        await lines.sees("table_closed")
        await clock.advance(2_000)
        assert [line["kind"] for line in await lines.rest()] == ["table_closed"]


async def test_the_rooms_end_is_the_streams_end_and_it_says_so(room: Running) -> None:
    table, anna = await room.table(), await room.guest()
    async with stream(room, table, anna.token) as lines:
        await lines.hears()
        room.server.stop()
        kinds = [line.get("kind") for line in await lines.rest()]

    assert kinds[0] == "restart"
    assert kinds[-1] == "going_away"


async def test_who_does_not_read_is_dropped_after_5_seconds_and_holds_nobody_up(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with running(tmp_path, clock=clock) as room, AsyncExitStack() as stack:
        table, anna = await room.table(), await room.guest()
        narrow = stack.enter_context(sockets.socket())
        narrow.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4_096)
        address = urlsplit(room.url)
        narrow.connect((address.hostname, address.port))
        narrow.sendall(f"GET /api/v1/tables/{table}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        socket = await stack.enter_async_context(room.socket(anna.token))
        await heard_of(room, 2)
        for _ in range(UNTIL_FULL):
            assert (await socket.asks("chat", table=table, text=LONG))["type"] == "ok"
        await clock.advance(STALLED_MS - 1_000)
        assert len(room.site.connections) == 2
        await clock.advance(2_000)
        await heard_of(room, 1)
        assert (await socket.asks("ping"))["type"] == "pong"


async def test_whose_machine_is_gone_is_noticed_by_what_is_not_acknowledged(room: Running) -> None:
    """A machine without power says nothing: the empty lines that it does not acknowledge end its stream."""
    table = await room.table()
    async with stream(room, table) as lines:
        await lines.hears()
        (ours,) = room.server.server_state.connections
        peer = ours.transport.get_extra_info("socket")
        assert peer.getsockopt(sockets.IPPROTO_TCP, sockets.TCP_USER_TIMEOUT) == 25_000


async def test_who_is_gone_leaves_no_connection(room: Running) -> None:
    table = await room.table()
    async with AsyncExitStack() as stack:
        for _ in range(10):
            await stack.enter_async_context(stream(room, table))
        assert len(room.site.connections) == 10
    await heard_of(room, 0)


async def until_empty(some: Sized) -> None:
    for _ in range(TURNS_MAX):
        if not some:
            return
        await asyncio.sleep(0)
    raise AssertionError(f"there are {len(some)}")


def test_who_is_gone_before_the_first_line_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def come_and_go() -> None:
        async with running(tmp_path) as room:
            table, anna = await room.table(), await room.guest()
            asked, gone = asyncio.Event(), asyncio.Event()
            authenticate = room.site.accounts.authenticate

            async def late(token: str) -> Credentials:
                asked.set()
                await gone.wait()
                return await authenticate(token)

            monkeypatch.setattr(room.site.accounts, "authenticate", late)
            _, writer = await asyncio.open_connection(urlsplit(room.url).hostname, urlsplit(room.url).port)
            head = f"GET /api/v1/tables/{table}/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {anna.token}"
            writer.write(f"{head}\r\n\r\n".encode())
            await asked.wait()
            writer.transport.abort()
            await until_empty(room.server.server_state.connections)
            gone.set()
            await until_empty(room.server.server_state.tasks)
            assert len(room.site.connections) == 0

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(come_and_go())
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_an_account_has_only_so_many_streams(room: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fullring.web.stream.WATCHED_MAX", 2)
    anna = await room.guest()
    async with AsyncExitStack() as stack:
        for _ in range(2):
            await stack.enter_async_context(stream(room, await room.table(), anna.token))
        async with room.http(anna.token) as client:
            assert code(await client.get(f"/tables/{await room.table()}/stream")) == (403, "forbidden")
