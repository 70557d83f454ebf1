"""A fuzzer at the socket of a room that runs as it is run: nothing breaks, nobody else waits, no memory is lost.

``FUZZ_FRAMES`` frames, from ``FUZZ_SEED``. A long run: ``FUZZ_FRAMES=1000000 pytest tests/security/test_fuzz.py``.
"""

import asyncio
import contextlib
import json
import os
from asyncio import StreamReader
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from fullring.wire.client import PROTOCOL
from fullring.wire.server import SERVER_MESSAGE
from tests.security.floods import bare_socket
from tests.security.odd_frames import World, bare, has_id, message, unreadable
from tests.security.test_floods import memory_kib
from tests.server import Process, process
from tests.sockets import dial

FRAMES = int(os.environ.get("FUZZ_FRAMES", "20000"))
SEED = int(os.environ.get("FUZZ_SEED", "1"))
FUZZERS = 3
BATCH = 50
BARE_EVERY = 40
"""Every so many batches a socket is opened for frames that are none."""
ANSWER_S = 30
PING_HANDS = 50
"""So many hands after its last ping a watcher says again that it is there: a long run is longer than any silence."""
STALL_S = 5
"""Two bots of the other table never wait so long for each other, even on a busy machine."""
MEMORY_KIB = 80_000
"""Answers that are remembered, and garbage that waits for its collection; not a byte a frame."""


class Fuzzer:
    """One client. It is closed often, and comes back; as a guest or as a spectator."""

    def __init__(self, room: Process, seed: int, token: str | None, tables: list[str]) -> None:
        self._room, self._token = room, token
        self._chance = Random(seed)
        self._world = World(tables)
        self._answers: Counter[str] = Counter()
        self._heard = asyncio.Event()
        self._sent = 0
        self.seed = seed

    async def run(self, frames: int) -> None:
        while self._sent < frames:
            with contextlib.suppress(ConnectionClosed):
                async with dial(self._room.url) as socket:
                    await self._stay(socket.socket, frames)

    async def _stay(self, socket: ClientConnection, frames: int) -> None:
        hello = {"type": "hello", "id": "hello", "protocol": PROTOCOL} | ({"token": self._token} if self._token else {})
        await socket.send(json.dumps(hello))
        hearing = asyncio.create_task(self._hear(socket))
        try:
            while self._sent < frames:
                await self._batch(socket, hearing)
        finally:
            hearing.cancel()
            with contextlib.suppress(asyncio.CancelledError, ConnectionClosed):
                await hearing

    async def _batch(self, socket: ClientConnection, hearing: asyncio.Task[None]) -> None:
        """Some frames, then a ping: when it is answered, each frame that has an id was answered once."""
        ids = []
        for _ in range(BATCH):
            self._sent += 1
            if self._chance.random() < 0.02:
                await socket.send(unreadable(self._chance))
            else:
                id = f"f{self.seed}-{self._sent}"
                text = message(self._chance, id, self._world)
                ids += [id] if has_id(text, id) else []
                await socket.send(text)
        async with asyncio.timeout(ANSWER_S):
            while any(not self._answers[id] for id in ids):
                if hearing.done():
                    await hearing
                self._heard.clear()
                await self._heard.wait()
        assert {self._answers[id] for id in ids} == {1}, f"seed {self.seed}: one answer each"
        self._answers.clear()

    async def _hear(self, socket: ClientConnection) -> None:
        try:
            while True:
                heard = await socket.recv(decode=False)
                if self._chance.random() < 0.05:
                    SERVER_MESSAGE.validate_json(heard)
                told = json.loads(heard)
                if told["type"] == "update" and told["table"] != "lobby":
                    self._world.saw(told)
                self._answers[told.get("re")] += 1
                self._heard.set()
        finally:
            self._heard.set()


async def throw_bytes(room: Process, seed: int, times: int) -> None:
    """At a socket each, before hello and after."""
    chance = Random(seed)
    for _ in range(times):
        async with bare_socket(room.url) as (reader, writer):
            writer.write(bare(chance))
            with suppress(OSError):  # The server may have hung up first.
                writer.write_eof()
            async with asyncio.timeout(ANSWER_S):
                await end_of(reader)


async def end_of(reader: StreamReader) -> None:
    with contextlib.suppress(ConnectionError):
        while await reader.read(65_536):
            pass


class Pace:
    """Watches bots play at a table that nobody troubles, and how long they were without an event at most."""

    def __init__(self) -> None:
        self.longest, self.hands = 0.0, 0
        self._last = monotonic()

    async def watch(self, room: Process, table: str) -> None:
        async with room.socket() as socket:
            await socket.asks("watch", table=table)
            while True:
                update = await socket.hears("update")
                now = monotonic()
                self.longest, self._last = max(self.longest, now - self._last), now
                if any(event["type"] == "hand_ended" for event in update["events"]):
                    self.hands += 1
                    if self.hands % PING_HANDS == 0:
                        await socket.says("ping")


@asynccontextmanager
async def pace(room: Process, table: str) -> AsyncIterator[Pace]:
    found = Pace()
    watching = asyncio.create_task(found.watch(room, table))
    try:
        yield found
    finally:
        assert not watching.done(), "the bots' table was watched to the end"
        watching.cancel()


async def test_whatever_comes_in_nothing_breaks_and_nobody_waits(tmp_path: Path) -> None:
    chosen: dict[str, Any] = {
        "tables": 2,
        "house_bots": 3,
        "bot_think_min_ms": 20,
        "bot_think_max_ms": 40,
        "turn_seconds": 1,
        "time_bank_seconds": 0,
        "guest_chips": 10**9,
        "silent_seconds": 900,
    }
    async with process(tmp_path, **chosen) as room:
        async with room.http() as client:
            quiet, noisy = [table["id"] for table in (await client.get("/tables")).json()["tables"]]
        guests = [(await room.guest()).token for _ in range(FUZZERS - 1)]
        before = await memory_kib(room)
        async with pace(room, quiet) as bots:
            fuzzers = [
                Fuzzer(room, SEED * 1_000 + number, token, [noisy]) for number, token in enumerate([*guests, None])
            ]
            throwing = throw_bytes(room, SEED, FRAMES // (BATCH * BARE_EVERY) * 10 + 20)
            await asyncio.gather(*(fuzzer.run(FRAMES // FUZZERS) for fuzzer in fuzzers), throwing)
        grown = await memory_kib(room) - before
        assert await room.terminate() == 0
    log = (tmp_path / "room.log").read_text("utf-8")

    assert [line for line in log.splitlines() if " ERROR " in line or "Traceback" in line] == [], f"seed {SEED}"
    assert bots.hands > 0
    assert bots.longest < STALL_S, f"seed {SEED}"
    assert grown < MEMORY_KIB, f"seed {SEED}"
