"""A real room for tests: uvicorn on a free port, the store on SQLite; in this process, or in one that may be killed."""

import asyncio
import os
import signal
import ssl
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from fullring import app
from fullring.app import House, RoomServer
from fullring.runtime.chance import Shuffle, shuffled
from fullring.runtime.clock import Clock
from fullring.settings import Settings, load
from fullring.table.ids import AccountId, TableId
from fullring.table.settings import TableSettings
from fullring.web.site import Site
from tests.loaded import Started, started
from tests.sockets import Socket, connect

START_S = 60
NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""No room of the tests speaks TLS; to read whose certificates are good takes longer than most of what is asked."""
SERVE = ("fullring", "serve")
UNHURRIED: Mapping[str, Any] = {
    "tables": 0,
    "house_bots": 0,
    "bot_think_min_ms": 0,
    "bot_think_max_ms": 0,
    "hand_pause_ms": 0,
    "guests_per_minute": 100_000,
    "logins_per_minute": 100_000,
    "frames_per_second": 10_000,
    "frames_burst": 10_000,
    "handshakes_per_second": 10_000,
}
"""No tables, no bots, and no rate that a test would meet by chance."""


@dataclass(frozen=True, slots=True)
class Guest:
    id: str
    name: str
    token: str


@dataclass(frozen=True, slots=True)
class Address:
    """A room somewhere, as its clients know it."""

    url: str

    def http(self, token: str | None = None) -> httpx.AsyncClient:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx.AsyncClient(base_url=f"{self.url}/api/v1", headers=headers, timeout=START_S, verify=NOBODY)

    def socket(self, token: str | None = None, **hello: Any) -> AbstractAsyncContextManager[Socket]:
        return connect(self.url, token, **hello)

    async def guest(self, name: str | None = None) -> Guest:
        async with self.http() as client:
            answer = await client.post("/guests", json={"name": name} if name else {})
        assert answer.status_code == 201, answer.text
        told = answer.json()
        return Guest(told["account"]["id"], told["account"]["name"], told["token"])


@dataclass(frozen=True, slots=True)
class Running(Address):
    """A room that runs in this process, so that a test may look behind the socket."""

    house: House
    settings: Settings
    server: RoomServer

    @property
    def site(self) -> Site:
        return self.house.site

    async def table(self, owner: str | None = None, **settings: Any) -> TableId:
        chosen: dict[str, Any] = {"name": "Magnolia", "hand_pause_ms": 0} | settings
        return await self.site.room.open_table(TableSettings(**chosen), None if owner is None else AccountId(owner))


@asynccontextmanager
async def running(
    folder: Path, *, clock: Clock | None = None, shuffle: Shuffle = shuffled, **chosen: Any
) -> AsyncIterator[Running]:
    """A room in this process, stopped at the end. ``chosen`` are settings."""
    settings = load(**{**UNHURRIED, "data": folder, **chosen})
    listener = app.listen("127.0.0.1", 0)
    try:
        async with app.open_house(settings, clock=clock, shuffle=shuffle) as house:
            started = asyncio.Event()
            server = RoomServer(house, settings, started.set)
            serving = asyncio.create_task(server.serve([listener]))
            await started.wait()
            try:
                yield Running(app.address(listener), house, settings, server)
            finally:
                server.stop()
                await serving
    finally:
        listener.close()


@dataclass(frozen=True, slots=True)
class Process(Address):
    """A room in a process of its own: ``fullring serve``."""

    process: asyncio.subprocess.Process | Started

    async def kill(self) -> None:
        """As if the machine had lost its power."""
        self.process.kill()
        await self.process.wait()

    async def terminate(self) -> int:
        """SIGTERM; the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return await self.process.wait()


@asynccontextmanager
async def process(folder: Path, words: Sequence[str] = SERVE, /, **chosen: Any) -> AsyncIterator[Process]:
    """The room in a process that begins in a moment, on a free port unless ``port`` says which.

    What it logs is in ``room.log`` there.
    """
    with (folder / "room.log").open("ab") as log:
        async with started(words, log, **_environment(folder, chosen)) as server:
            yield await _opened(server, folder)


@asynccontextmanager
async def command(folder: Path, **chosen: Any) -> AsyncIterator[Process]:
    """As `process`, but as the command itself, which has to load everything."""
    with (folder / "room.log").open("ab") as log:
        server = await asyncio.create_subprocess_exec(
            *(sys.executable, "-W", "error", "-m", *SERVE),
            env=os.environ | _environment(folder, chosen),
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
        )
    try:
        yield await _opened(server, folder)
    finally:
        if server.returncode is None:
            server.kill()
            await server.wait()


def _environment(folder: Path, chosen: Mapping[str, Any]) -> dict[str, str]:
    settings = {"port": 0, **UNHURRIED, "data": folder, **chosen}
    return {f"FULLRING_{name.upper()}": str(value) for name, value in settings.items()}


async def _opened(server: asyncio.subprocess.Process | Started, folder: Path) -> Process:
    assert server.stdout is not None
    async with asyncio.timeout(START_S):
        said = (await server.stdout.readline()).decode()
    assert "http://" in said, (folder / "room.log").read_text("utf-8")
    return Process(said.split()[-1], server)


@asynccontextmanager
async def program(folder: Path, module: str) -> AsyncIterator[Started]:
    """One of the tests' own, which ends when its input does. What it logs is in ``room.log`` there."""
    with (folder / "room.log").open("ab") as log:
        async with started([module], log) as it:
            yield it
            it.stdin.close()
            await it.wait()
