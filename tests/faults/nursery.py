"""``fullring serve`` many times and at once, each a fork of a program that is loaded: a room is up in a moment.

Run as a program, it reads what to start from its standard input, a line of JSON each, and tells on its standard output
which process that is, what it says, and how it ended. When the input closes, it goes, and so do all rooms.
"""

import asyncio
import io
import json
import os
import select
import signal
import socket
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

from fullring.cli import main as fullring
from tests.loaded import Started
from tests.server import START_S, UNHURRIED, Address, program


class Room:
    """A process. ``status`` is there when it has ended, negative where a signal ended it."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.address: Address | None = None
        self.heard = asyncio.Event()
        """Set when it takes connections, or has ended."""
        self.status: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def opened(self) -> Address:
        """The room, once it takes connections."""
        async with asyncio.timeout(START_S):
            await self.heard.wait()
        assert self.address is not None, "it has ended"
        return self.address

    async def ended(self) -> int:
        async with asyncio.timeout(START_S):
            return await asyncio.shield(self.status)

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    async def kill(self) -> None:
        """As if the machine had lost its power."""
        self.signal(signal.SIGKILL)
        await self.ended()

    async def terminate(self) -> int:
        self.signal(signal.SIGTERM)
        return await self.ended()


class Nursery:
    """Starts rooms. What they log is in ``room.log`` of the folder."""

    def __init__(self, program: Started) -> None:
        self._program = program
        self._rooms: dict[int, Room] = {}
        self._begun: asyncio.Future[Room] | None = None

    async def start(self, *words: str, **settings: Any) -> Room:
        """Another process; it is not up yet. ``words`` follow ``serve``."""
        named = {f"FULLRING_{name.upper()}": str(value) for name, value in settings.items()}
        self._begun = asyncio.get_running_loop().create_future()
        self._program.stdin.write(json.dumps([words, named]).encode() + b"\n")
        return await self._begun

    async def listen(self) -> None:
        while line := (await self._program.stdout.readline()).decode():
            pid, what, rest = line.rstrip("\n").split(" ", 2)
            if what == "begins":
                room = self._rooms[int(pid)] = Room(int(pid))
                assert self._begun is not None
                self._begun.set_result(room)
            elif what == "ended":
                room = self._rooms.pop(int(pid))
                room.status.set_result(int(rest))
                room.heard.set()
            elif "http://" in rest:
                room = self._rooms[int(pid)]
                room.address = Address(rest.split()[-1])
                room.heard.set()


@asynccontextmanager
async def nursery(folder: Path) -> AsyncIterator[Nursery]:
    async with program(folder, "tests.faults.nursery") as loaded:
        it = Nursery(loaded)
        listening = asyncio.create_task(it.listen())
        try:
            yield it
        finally:
            loaded.stdin.close()
            await listening


def main() -> None:
    woken, wakes = socket.socketpair()
    with woken, wakes:
        _tend(woken, wakes)


def _tend(woken: socket.socket, wakes: socket.socket) -> None:
    wakes.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes.fileno())
    children: set[int] = set()
    going = True
    while going:
        ready, _, _ = select.select([sys.stdin, woken], [], [])
        if woken in ready:
            woken.recv(100)
            _bury(children)
        if sys.stdin in ready:
            line = sys.stdin.readline()
            going = bool(line)
            if going:
                children.add(_begin(*json.loads(line)))
    for child in children:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)


def _bury(children: set[int]) -> None:
    while children:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        children.discard(pid)
        _say(pid, "ended", str(os.waitstatus_to_exitcode(status)))


def _begin(words: Sequence[str], settings: Mapping[str, str]) -> int:
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(write)
        os.read(read, 1)  # It says nothing before it has been named.
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _serve(words, settings)
    os.close(read)
    _say(child, "begins", "")
    os.close(write)
    return child


def _serve(words: Sequence[str], settings: Mapping[str, str]) -> NoReturn:
    os.environ.update(settings)
    sys.stdout = _Named()
    status = 1
    try:
        fullring(["serve", *words])
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 1
    finally:
        os._exit(status)


class _Named(io.StringIO):
    """What a room says, with its number before it."""

    def write(self, text: str) -> int:
        if text.strip():
            os.write(1, f"{os.getpid()} says {text.strip()}\n".encode())
        return super().write(text)


def _say(pid: int, what: str, rest: str) -> None:
    os.write(1, f"{pid} {what} {rest}\n".encode())


def settings_of(folder: Path, **chosen: Any) -> dict[str, Any]:
    """For a room that takes what a test asks of it."""
    return {**UNHURRIED, "data": folder, **chosen}


if __name__ == "__main__":
    main()
