"""Connections that are no use to anybody: those that say hello and no more, or not even that, and those whose peer has
gone without a word. What they cost, and when they are gone.
"""

import asyncio
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from fullring.wire.client import PROTOCOL
from tests.benchmarks.load import Client
from tests.faults.nursery import Room, nursery, settings_of
from tests.faults.scenes import playing
from tests.faults.wire import wire
from tests.room.ports import free_port
from tests.server import Address
from tests.sockets import Socket

SILENT_S, HEARTBEAT_S = 4, 1
BUY_IN = 500
SOME = 50
"""So many connections come before any is counted: what is made once is made by then."""
HELLO = b'{"type":"hello","id":"h","protocol":%d}' % PROTOCOL


@dataclass(frozen=True, slots=True)
class Crowded:
    """``kib`` is the memory of each connection; ``plays_on_s`` how long an action took while all were there."""

    connections: int
    kib: float
    plays_on_s: float

    def __str__(self) -> str:
        return f"| {self.connections:,} | {self.kib:.1f} KiB each | an action takes {1000 * self.plays_on_s:.0f} ms |"


async def only_hello(folder: Path, url: str, count: int, *, hello: bool) -> Crowded:
    """So many connections beside a game, which goes on; afterwards all that they had is free again.

    Without ``hello`` the room sends them away by itself.
    """
    loop = asyncio.get_running_loop()
    async with playing(folder, url, seed=1) as there:
        room, crowd = there.room, there.crowd
        staying = crowd.stay(there.address)
        await crowd.plays_on(loop.time())
        some = await asyncio.to_thread(_come, there.address, SOME, hello)
        sockets, before = open_sockets(room), rss_kib(room)
        others = await asyncio.to_thread(_come, there.address, count, hello)
        here = open_sockets(room) - sockets
        assert here == count or not hello, "without hello the first have gone when the last come"
        kib = (rss_kib(room) - before) / here
        plays_on_s = await crowd.plays_on(loop.time())
        if not hello:
            for client in [*some, *others]:
                await asyncio.to_thread(_until_sent_away, client)
        for client in [*some, *others]:
            client.socket.close()
        while open_sockets(room) > sockets - SOME:
            await crowd.plays_on(loop.time())
        crowd.evening.over = True
        await staying
        assert await room.terminate() == 0
    return Crowded(count, kib, plays_on_s)


async def half_open(folder: Path, url: str, count: int) -> float:
    """Peers that go without a word, one of them with a seat; after how many seconds the table knows."""
    chosen = settings_of(
        folder, database_url=url, tables=1, port=free_port(), silent_seconds=SILENT_S, heartbeat_seconds=HEARTBEAT_S
    )
    loop = asyncio.get_running_loop()
    async with nursery(folder) as rooms, AsyncExitStack() as stack:
        room = await rooms.start(**chosen)
        address = await room.opened()
        split = urlsplit(address.url)
        assert split.hostname is not None
        assert split.port is not None
        between, port = await stack.enter_async_context(wire(split.hostname, split.port))
        far = Address(f"http://127.0.0.1:{port}")
        async with address.http() as client:
            table = (await client.get("/tables")).json()["tables"][0]["id"]
        guests = [await address.guest() for _ in range(count)]
        near = await stack.enter_async_context(address.socket())
        assert (await near.asks("watch", table=table))["type"] == "ok"
        sockets = open_sockets(room)
        lost = [await stack.enter_async_context(far.socket(guest.token)) for guest in guests]
        assert (await lost[0].asks("sit", table=table, buy_in=BUY_IN))["type"] == "ok"
        for socket in [*lost, near]:
            assert (await socket.asks("ping"))["type"] == "pong"
        between.silent = True
        began = loop.time()
        await _sees_who_has_gone(near)
        took = loop.time() - began
        while open_sockets(room) > sockets:
            assert (await near.asks("ping"))["type"] == "pong"
        between.cut()
        room.address = None
        await room.kill()
    return took


def open_sockets(room: Room) -> int:
    links = []
    for entry in Path(f"/proc/{room.pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            links.append(str(entry.readlink()))
    return sum(link.startswith("socket:") for link in links)


def rss_kib(room: Room) -> int:
    return int(Path(f"/proc/{room.pid}/status").read_text("utf-8").split("VmRSS:")[1].split()[0])


async def _sees_who_has_gone(near: Socket) -> None:
    while True:
        try:
            async with asyncio.timeout(HEARTBEAT_S):
                while True:
                    update = await near.hears("update")
                    for event in update["events"]:
                        if event["type"] == "connection_changed" and not event["connected"]:
                            return
        except TimeoutError:
            assert (await near.asks("ping"))["type"] == "pong"


def _come(address: Address, count: int, hello: bool) -> list[Client]:
    split = urlsplit(address.url)
    assert split.hostname is not None
    assert split.port is not None
    clients = []
    for _ in range(count):
        client = Client((split.hostname, split.port), 0, 0)
        client.upgrade("/api/v1/ws")
        if hello:
            client.say(HELLO)
            client.hear()
        clients.append(client)
    return clients


def _until_sent_away(client: Client) -> None:
    try:
        while True:
            client.hear()
    except ConnectionError:
        pass
