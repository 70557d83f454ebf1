"""A client that says exactly what a test wants, and keeps everything it hears."""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import ConnectionClosed

from fullring.wire.client import PROTOCOL
from fullring.wire.server import SERVER_MESSAGE

PATIENCE_S = 10
"""A frame that does not come fails the test."""
Json = dict[str, Any]
_IDS = count(1)


class Socket:
    """``frames`` are all that came, as bytes, in order. Every message is held against the protocol's models."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[bytes] = []
        self.welcome: Json = {}
        self._waiting: deque[Json] = deque()

    def new_id(self) -> str:
        """One that no socket has used before: an account's ids are its own on all of its connections."""
        return f"m{next(_IDS)}"

    async def sends(self, frame: str | bytes) -> None:
        """A frame as it is."""
        await self.socket.send(frame)

    async def says(self, type: str, **fields: Any) -> str:
        """A message; its id, a new one unless it is given."""
        id = fields.pop("id", None) or self.new_id()
        await self.sends(json.dumps({"type": type, "id": id} | fields))
        return str(id)

    async def asks(self, type: str, **fields: Any) -> Json:
        """A message's answer. What comes before it waits for ``hears``."""
        return await self.answer(await self.says(type, **fields))

    async def answer(self, id: str) -> Json:
        passed = []
        while (message := await self._next()).get("re") != id:
            passed.append(message)
        self._waiting.extendleft(reversed(passed))
        return message

    async def hears(self, type: str | None = None) -> Json:
        """The next message; of that type, passing over others."""
        while True:
            message = await self._next()
            if type is None or message["type"] == type:
                return message

    async def sees(self, event: str) -> Json:
        """The next update in which that happened."""
        while True:
            update = await self.hears("update")
            if any(told["type"] == event for told in update["events"]):
                return update

    async def closed(self) -> int:
        """The code that the server closes with; what comes before waits for ``hears``."""
        passed = []
        try:
            while True:
                passed.append(await self._next())
        except ConnectionClosed as closed:
            self._waiting.extend(passed)
            return closed.rcvd.code if closed.rcvd else 1006

    async def heard(self) -> Json:
        """The next of what came before the socket was closed."""
        return self._waiting.popleft()

    async def _next(self) -> Json:
        if self._waiting:
            return self._waiting.popleft()
        async with asyncio.timeout(PATIENCE_S):
            frame = await self.socket.recv(decode=False)
        self.frames.append(frame)
        SERVER_MESSAGE.validate_json(frame)
        message: Json = json.loads(frame)
        return message


@asynccontextmanager
async def dial(url: str, **options: Any) -> AsyncIterator[Socket]:
    """A socket on which nothing was said yet."""
    address = url.replace("http", "ws", 1) + "/api/v1/ws"
    async with open_socket(address, compression=None, ping_interval=None, close_timeout=1, **options) as socket:
        yield Socket(socket)


@asynccontextmanager
async def connect(url: str, token: str | None = None, **hello: Any) -> AsyncIterator[Socket]:
    """A socket that has said hello and was welcomed."""
    async with dial(url) as socket:
        fields = {"protocol": PROTOCOL} | ({"token": token} if token else {}) | hello
        socket.welcome = await socket.asks("hello", **fields)
        assert socket.welcome["type"] == "welcome", socket.welcome
        yield socket
