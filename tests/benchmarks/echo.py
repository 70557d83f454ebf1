"""The bare stack, to measure the room against: an action of some 80 bytes comes in, an event of 241 goes to the table.

``floor`` is TCP with a length before each message, ``stock`` FastAPI on uvicorn as everybody writes it, ``fast`` the
same application with a protocol that writes one frame, made once, to all. ``durable`` is what no room on SQLite can do
without: ``fast``, where each action is a row that is durable before anybody hears of it, and what is heard is as long
as the room's updates and ends for each viewer in another way; nothing is judged, and what is sent is not encoded.

Prints its address and serves until killed.
"""

import asyncio
import socket
import sqlite3
import sys
import tempfile
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, cast

import msgspec
import uvicorn
import uvloop
from fastapi import FastAPI, WebSocket, WebSocketDisconnect
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import OPEN
from websockets.speedups import apply_mask

HOST = "127.0.0.1"
BACKLOG = 4_096
PATH = "/ws/{table}/{seat}"
DIRECT = "direct"
TEXT, FINAL_BIT, MASKED_BIT, CONTROL_BIT = 0x81, 0x80, 0x80, 0x08
SHORT, LONG = 126, 127
FRAME_BYTES = 4_096

_decode = msgspec.json.Decoder(dict).decode
_encode = msgspec.json.Encoder().encode


class Table:
    """What every variant does for an action; ``viewers`` are whatever it sends through."""

    def __init__(self) -> None:
        self.viewers: list[Any] = []
        self.seq = 0

    def event(self, action: str | bytes) -> bytes:
        asked = _decode(action)
        self.seq += 1
        return _encode(
            {
                "t": "ev", "id": asked["id"], "table": 1, "hand": asked["hand"], "seq": self.seq, "seat": asked["seat"],
                "a": asked["a"], "amt": asked["amt"], "stack": 18450, "bet": 1200,
                "pots": [{"amt": 3450, "el": [0, 2, 3, 5]}], "to_act": 3, "min": 2400, "max": 18450,
                "dl": 1764437000.123, "st": "turn", "board": "AsKd7h2c",
            }
        )  # fmt: skip


TABLES: defaultdict[int, Table] = defaultdict(Table)


def framed(text: bytes) -> bytes:
    size = len(text)
    return (bytes((TEXT, size)) if size < SHORT else b"\x81\x7e" + size.to_bytes(2)) + text


# --- the floor -------------------------------------------------------------------------------------------------------


class Floor(asyncio.Protocol):
    """Four bytes of length, then the message; the first names the table."""

    def __init__(self) -> None:
        self._table: Table | None = None
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        data, at = self._rest + data, 0
        while (end := at + 4 + int.from_bytes(data[at : at + 4])) <= len(data) and len(data) - at >= 4:
            self._message(data[at + 4 : end])
            at = end
        self._rest = data[at:]

    def _message(self, message: bytes) -> None:
        if self._table is None:
            self._table = TABLES[int(message)]
            self._table.viewers.append(self._transport)
            return
        event = self._table.event(message)
        event = len(event).to_bytes(4) + event
        for viewer in self._table.viewers:
            viewer.write(event)


async def floor(listener: socket.socket) -> None:
    server = await asyncio.get_running_loop().create_server(Floor, sock=listener, backlog=BACKLOG)
    await server.serve_forever()


# --- FastAPI on uvicorn ----------------------------------------------------------------------------------------------


async def stock(websocket: WebSocket, table: int, seat: int) -> None:
    await websocket.accept()
    viewers = TABLES[table].viewers
    viewers.append(websocket)
    try:
        while True:
            event = TABLES[table].event(await websocket.receive_text()).decode()
            for viewer in viewers:
                await viewer.send_text(event)
    except WebSocketDisconnect:
        viewers.remove(websocket)


async def fast(websocket: WebSocket, table: int, seat: int) -> None:
    await websocket.accept()
    here = TABLES[table]
    protocol: Direct = websocket.scope["extensions"][DIRECT]
    here.viewers.append(protocol.transport.write)

    def hear(action: bytes) -> None:
        frame = framed(here.event(action))
        for write in here.viewers:
            write(frame)

    protocol.hear = hear
    while (await websocket.receive())["type"] == "websocket.receive":
        pass
    here.viewers.remove(protocol.transport.write)


class Direct(WebSocketsSansIOProtocol):
    """Hands whole small text frames to ``hear`` as they come; everything else is uvicorn's business."""

    hear: Callable[[bytes], None] | None = None
    _rest = b""

    async def run_asgi(self) -> None:
        extensions: dict[str, Any] = self.scope["extensions"]
        extensions[DIRECT] = self
        await super().run_asgi()

    def data_received(self, data: bytes) -> None:
        if self.conn.state is not OPEN:
            super().data_received(data)
            return
        if self._rest:
            data = self._rest + data
        at, size = 0, len(data)
        while size - at >= 2:
            length, head = data[at + 1] & ~MASKED_BIT, 6
            if length == SHORT:
                length, head = int.from_bytes(data[at + 2 : at + 4]), 8
            assert length < FRAME_BYTES, "the load generator sends small frames"
            end = at + head + length
            if end > size:
                break
            if data[at] == TEXT and self.hear is not None:
                self.hear(apply_mask(data[at + head : end], data[at + head - 4 : at + head]))
            else:
                super().data_received(data[at:end])
            at = end
        self._rest = data[at:]


async def web(listener: socket.socket, endpoint: Callable[..., Awaitable[None]], protocol: Any) -> None:
    app = FastAPI()
    app.add_api_websocket_route(PATH, endpoint)
    config = uvicorn.Config(
        app, loop="none", http="httptools", ws=protocol, lifespan="off", ws_per_message_deflate=False,
        ws_ping_interval=None, access_log=False, log_level="warning", backlog=BACKLOG,
    )  # fmt: skip
    await uvicorn.Server(config).serve([listener])


# --- the same, durable -----------------------------------------------------------------------------------------------


UPDATE_BYTES, OWN_BYTES, ROW_BYTES = 1_820, 140, 246
"""Of what the room's updates have besides the event, of a seat's own part and of a row's payload, at six seats."""
GATHER_S = 0.005
"""As the room's committer waits for a group."""
OWNS = [b',"you":' + b"%d" % seat * OWN_BYTES for seat in range(10)]
REST = b"v" * UPDATE_BYTES
PAYLOAD = "p" * ROW_BYTES
SCHEMA = """
    PRAGMA journal_mode = wal;
    PRAGMA synchronous = full;
    CREATE TABLE heads (id TEXT PRIMARY KEY, last_seq INTEGER NOT NULL);
    CREATE TABLE journal (
        table_id TEXT, seq INTEGER, account TEXT, command TEXT, answer TEXT, payload TEXT, PRIMARY KEY (table_id, seq)
    );
    CREATE UNIQUE INDEX commands ON journal (table_id, account, command);
"""
INSERT = "INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?)"
ADVANCE = "INSERT INTO heads VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET last_seq = excluded.last_seq"

Row = tuple[str, int, str, str, str, str]


class Rows:
    """Rows of many tables, in group commits in a thread; then whoever waits is called."""

    def __init__(self, path: Path) -> None:
        self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._file.executescript(SCHEMA)
        self._thread = ThreadPoolExecutor(1)
        self._waiting: list[tuple[Row, Callable[[], None]]] = []
        self._writing: asyncio.Task[None] | None = None

    def write(self, row: Row, done: Callable[[], None]) -> None:
        self._waiting.append((row, done))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            group, self._waiting = self._waiting, []
            await loop.run_in_executor(self._thread, self._commit, [row for row, _ in group])
            for _, done in group:
                done()
            if len(self._waiting) < len(group):
                await asyncio.sleep(GATHER_S)
        self._writing = None

    def _commit(self, rows: Sequence[Row]) -> None:
        self._file.execute("BEGIN IMMEDIATE")
        self._file.executemany(INSERT, rows)
        self._file.executemany(ADVANCE, [row[:2] for row in rows])
        self._file.execute("COMMIT")


async def durable(listener: socket.socket) -> None:
    with tempfile.TemporaryDirectory() as folder:
        rows = Rows(Path(folder) / "rows.db")

        async def endpoint(websocket: WebSocket, table: int, seat: int) -> None:
            await websocket.accept()
            here = TABLES[table]
            protocol: Direct = websocket.scope["extensions"][DIRECT]
            here.viewers.append(protocol.transport.write)

            def hear(action: bytes) -> None:
                event = here.event(action)
                row = (f"table{table:08}", here.seq, f"account{seat:013}", f"{here.seq}", '{"seq":1}', PAYLOAD)
                rows.write(row, partial(show, event + REST))

            def show(update: bytes) -> None:
                for write, own in zip(here.viewers, OWNS, strict=False):
                    write(framed(update + own))

            protocol.hear = hear
            while (await websocket.receive())["type"] == "websocket.receive":
                pass
            here.viewers.remove(protocol.transport.write)

        await web(listener, endpoint, Direct)


VARIANTS: dict[str, Callable[[socket.socket], Awaitable[None]]] = {
    "floor": floor,
    "stock": lambda listener: web(listener, stock, "websockets-sansio"),
    "fast": lambda listener: web(listener, fast, Direct),
    "durable": durable,
}


async def main(variant: str) -> None:
    listener = socket.create_server((HOST, 0), backlog=BACKLOG)
    print(f"echo is open on http://{HOST}:{listener.getsockname()[1]}", flush=True)
    await VARIANTS[variant](listener)


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1]))
