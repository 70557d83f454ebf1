"""Who reads slowly, or not at all, or goes in the middle of a broadcast: the others hear everything, in time."""

import asyncio
import json
import logging
import socket as sockets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from urllib.parse import urlsplit

import pytest

from fullring.runtime.outbox import STALLED_MS
from fullring.wire.errors import CloseCode
from tests.fake_clock import FakeClock
from tests.room.seats import Party, party
from tests.server import Running
from tests.sockets import Socket, dial

LONG = "x" * 290
UNTIL_FULL = 300
"""So many updates are more than all buffers on the way hold."""
BROADCASTS = 500

sqlite_alone = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
"""Where the database has no part in it."""


@asynccontextmanager
async def small(room: Running, table: str, token: str | None = None) -> AsyncIterator[Socket]:
    """A connection that watches the table, reads only when it is asked to, and has little room for what waits."""
    address = urlsplit(room.url)
    with sockets.socket() as narrow:
        narrow.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4_096)
        narrow.connect((address.hostname, address.port))
        async with dial(room.url, sock=narrow, max_queue=1) as socket:
            assert (await socket.asks("hello", protocol=1, **({"token": token} if token else {})))["type"] == "welcome"
            assert (await socket.asks("watch", table=table))["type"] == "ok"
            yield socket


async def fill(there: Party, updates: int) -> None:
    for number in range(updates):
        assert (await there[1].asks("chat", text=f"{number} {LONG}"))["type"] == "ok"
        await there.hears()


@sqlite_alone
async def test_who_reads_slowly_loses_events_and_is_told_so_and_then_hears_all_again(
    still: Running, clock: FakeClock
) -> None:
    async with party(still, 1, 2) as there, small(still, there.table) as slow:
        await fill(there, UNTIL_FULL)
        heard = [await slow.hears("update")]
        while not heard[-1].get("lost"):
            heard.append(await slow.hears("update"))

        seqs = [update["seq"] for update in heard]
        assert seqs[:-1] == list(range(seqs[0], seqs[0] + len(seqs) - 1)), "whole until it was too slow"
        assert seqs[-1] > seqs[-2] + 1
        assert heard[-1]["view"] == there.told[seqs[-1]]["view"]
        while seqs[-1] < there.latest["seq"]:
            seqs.append((await slow.hears("update"))["seq"])
        for _ in range(3):
            await fill(there, 1)
            update = await slow.hears("update")
            assert update == there.latest
        assert (await slow.asks("ping"))["type"] == "pong"


@sqlite_alone
async def test_a_player_who_reads_nothing_is_dropped_and_counts_as_away(
    still: Running, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "fullring.web")
    async with party(still, 1, 2) as there, small(still, there.table, there[2].guest.token):
        assert await there[2].socket.closed() == CloseCode.REPLACED
        await there[2].close()
        await fill(there, UNTIL_FULL)
        await clock.advance(STALLED_MS + 2_000)
        await there.until("connection_changed", seat=2, connected=False)
        assert "closed: 4007" in caplog.text
        await there[2].connect()
        await there.until("connection_changed", seat=2, connected=True)


@sqlite_alone
async def test_one_socket_that_closes_during_a_broadcast_takes_nothing_from_the_others(
    room: Running, caplog: pytest.LogCaptureFixture
) -> None:
    """PR-H2: the first, one in the middle and the last of those who watch, five hundred times."""
    caplog.set_level(logging.WARNING)
    table, guest = await room.table(), await room.guest()
    async with room.socket(guest.token) as talker, AsyncExitStack() as stack:
        await talker.asks("sit", table=table, buy_in=500)
        watchers = [await watching(stack, room, table) for _ in range(6)]
        for number in range(BROADCASTS):
            closing = watchers.pop((0, 3, 5)[number % 3])
            said = await talker.says("chat", table=table, text=f"{number}")
            closing.socket.transport.abort()
            assert (await talker.answer(said))["type"] == "ok"
            # The new one takes the place of the one that went: in the list of the room it is the last.
            watchers.append(await watching(stack, room, table))
        for place, watcher in enumerate(watchers):
            assert (await watcher.asks("ping"))["type"] == "pong"
            updates = [json.loads(frame) for frame in watcher.frames if b'"type":"update"' in frame]
            seqs = [update["seq"] for update in updates]
            assert seqs == list(range(seqs[0], seqs[0] + len(seqs))), place
            texts = [event["text"] for update in updates[1:] for event in update["events"]]
            assert texts == [f"{number}" for number in range(BROADCASTS - len(texts), BROADCASTS)], place
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    for _ in range(1_000_000):
        if not len(room.site.connections):
            break
        await asyncio.sleep(0)
    assert not len(room.site.room.audience(table)), "each that closed is gone from the list"


async def watching(stack: AsyncExitStack, room: Running, table: str) -> Socket:
    socket = await stack.enter_async_context(room.socket())
    assert (await socket.asks("watch", table=table))["type"] == "ok"
    await socket.hears("update")
    return socket
