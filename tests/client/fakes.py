"""A room that says what a test tells it to, over a real socket, and lists tables; and a clock that a test moves."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response

from tests.wire.examples import WELCOME


class Peer:
    """The room's end of one connection."""

    def __init__(self, socket: ServerConnection) -> None:
        self._socket = socket

    async def hears(self, type: str | None = None) -> dict[str, Any]:
        """The next message, which has to be of that type."""
        message: dict[str, Any] = json.loads(await self.hears_text())
        assert type in {None, message["type"]}, message
        return message

    async def hears_text(self) -> str:
        """The next frame, whatever it is."""
        return await self._socket.recv(decode=True)

    async def says(self, **message: Any) -> None:
        await self._socket.send(json.dumps(message))

    async def welcomes(self, **changes: Any) -> dict[str, Any]:
        """Answers the hello, and returns it."""
        hello = await self.hears("hello")
        await self.says(**(WELCOME | {"re": hello["id"], "seats": []} | changes))
        return hello

    async def agrees(self, type: str, **returns: Any) -> dict[str, Any]:
        """Answers the next message, of that type, with ok, and returns it."""
        message = await self.hears(type)
        await self.says(type="ok", re=message["id"], **returns)
        return message

    async def refuses(self, type: str, code: str, text: str = "no", **details: Any) -> dict[str, Any]:
        message = await self.hears(type)
        await self.says(type="error", re=message["id"], code=code, message=text, **details)
        return message

    async def closes(self, code: int) -> None:
        await self._socket.close(code)

    def drops(self) -> None:
        """As a cable that is pulled: no close frame."""
        self._socket.transport.abort()

    async def is_left(self) -> None:
        """Until the client has gone."""
        await self._socket.wait_closed()


class FakeRoom:
    def __init__(self, server: Server, peers: asyncio.Queue[Peer]) -> None:
        self.port: int = next(iter(server.sockets)).getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._peers = peers

    async def meets(self) -> Peer:
        """The next connection that somebody opens."""
        return await self._peers.get()

    async def welcomes(self, **changes: Any) -> Peer:
        peer = await self.meets()
        await peer.welcomes(**changes)
        return peer


@asynccontextmanager
async def fake_room(
    port: int = 0, tables: Sequence[dict[str, Any]] = (), *, turns_away: int = 0
) -> AsyncIterator[FakeRoom]:
    """``turns_away``: so many handshakes find the room full."""
    peers: asyncio.Queue[Peer] = asyncio.Queue()
    full = iter(range(turns_away))

    async def meet(socket: ServerConnection) -> None:
        await peers.put(Peer(socket))
        await socket.wait_closed()

    def answer(connection: ServerConnection, request: Request) -> Response | None:
        if request.path.endswith("/tables"):
            return connection.respond(HTTPStatus.OK, json.dumps({"tables": tables}))
        return None if next(full, None) is None else connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "full")

    async with serve(meet, "127.0.0.1", port, process_request=answer, ping_interval=None, close_timeout=1) as server:
        yield FakeRoom(server, peers)


class FakeClock:
    """Stands still until it is moved. ``naps`` are the waits asked for, in order."""

    def __init__(self) -> None:
        self._now = 1000.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []
        self._new: asyncio.Queue[float] = asyncio.Queue()

    def now(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            return
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self._now + seconds, woken))
        self._new.put_nowait(seconds)
        await woken

    async def asked(self) -> float:
        """Until somebody goes to sleep: for how long."""
        return await self._new.get()

    def move(self, seconds: float) -> None:
        self._now += seconds
        due = [sleeper for sleeper in self._sleepers if sleeper[0] <= self._now]
        self._sleepers = [sleeper for sleeper in self._sleepers if sleeper[0] > self._now]
        for _, woken in sorted(due, key=lambda sleeper: sleeper[0]):
            if not woken.done():
                woken.set_result(None)
