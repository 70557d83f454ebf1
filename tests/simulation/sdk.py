"""Players that use the bot SDK as it is: its commands, its heartbeat and its way back, over a line for a socket."""

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from math import ceil
from random import Random
from types import TracebackType
from typing import Self
from unittest.mock import patch

from websockets.exceptions import ConnectionClosedError
from websockets.frames import Close

from fullring_client import link
from fullring_client.bot import play
from fullring_client.bots.dice import RandomBot
from fullring_client.clock import Backoff
from fullring_client.connection import Room
from fullring_client.errors import Closed, Refused, Unreachable
from tests.simulation.network import ABNORMAL, Line, Network

ACCOUNT: ContextVar[str] = ContextVar("account")
"""Whose socket is opened."""
URL = "http://room.example"


class Socket:
    """As much of a websocket as the SDK uses."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._line: Line | None = None
        self._frames: deque[bytes] = deque()
        self._arrived = asyncio.Event()
        self._code: int | None = None

    async def __aenter__(self) -> Self:
        self._line = self._network.connect(self, ACCOUNT.get())
        if self._line is None:
            raise ConnectionRefusedError("nobody listens")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def send(self, message: bytes, *, text: bool) -> None:
        assert text, "the room speaks text"
        if self._line is None or self._code is not None:
            raise self._closed()
        self._line.say(message.decode())

    async def recv(self, *, decode: bool) -> bytes:
        assert not decode, "frames are read as bytes"
        while not self._frames:
            if self._code is not None:
                raise self._closed()
            self._arrived.clear()
            await self._arrived.wait()
        return self._frames.popleft()

    async def close(self, code: int = 1_000) -> None:
        if self._line is not None and self._code is None:
            self._line.hang_up()
            self._code = code
            self._arrived.set()

    def heard(self, line: Line, frame: str) -> None:
        self._frames.append(frame.encode())
        self._arrived.set()

    def closed(self, line: Line, code: int) -> None:
        self._code = code
        self._arrived.set()

    def _closed(self) -> ConnectionClosedError:
        known = self._code is not None and self._code != ABNORMAL
        return ConnectionClosedError(Close(self._code or ABNORMAL, "") if known else None, None)


class WorldClock:
    """The world's time, for the SDK. Nobody sleeps for less than a millisecond: time would not pass."""

    def __init__(self, network: Network) -> None:
        self._world = network.world

    def now(self) -> float:
        return self._world.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(ceil(seconds * 1000) / 1000)


@contextmanager
def connected_by(network: Network) -> Iterator[None]:
    """The SDK's sockets are lines of that network."""
    with patch.object(link, "connect", lambda *_, **__: Socket(network)):
        yield


def sit_down(network: Network, table: str, account: str, token: str, dice: Random) -> "asyncio.Task[None]":
    """A bot that plays at that table as long as there is a room."""
    context = copy_context()
    context.run(ACCOUNT.set, account)
    return network.world.create_task(_play(network, table, token, dice), context=context)


async def _play(network: Network, table: str, token: str, dice: Random) -> None:
    buy_in = 1_000
    while True:
        room = Room(URL, token, clock=WorldClock(network), backoff=Backoff(dice=dice))
        try:
            async with room:
                await play(room, table, RandomBot(dice), buy_in=buy_in, rebuys=None)
        except Refused as refused:
            least = refused.details.get("min")
            buy_in = least if isinstance(least, int) and least > 0 else buy_in
        except (Closed, Unreachable, TimeoutError):
            pass
        await asyncio.sleep(1 + 2 * dice.random())
