"""A room's process that starts at once: the program is loaded one time, and every start is a fork of that.

Run as a program, it reads settings from its standard input, a line of JSON for each start, and tells on its standard
output which process serves, what that says, and how it ended. When the input closes, it goes, and so does the room.
"""

import asyncio
import contextlib
import json
import os
import select
import signal
import socket
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NoReturn

from fullring.cli import main as fullring
from tests.loaded import Started
from tests.server import START_S, UNHURRIED, Address, program


class Warm:
    """Starts rooms one after another, all with the same settings."""

    def __init__(self, program: Started, settings: Mapping[str, str]) -> None:
        self._program = program
        self._settings = settings
        self._pid = 0
        self._over = True

    async def begin(self) -> None:
        """Another process. It is not up yet."""
        self._over = False
        self._program.stdin.write(json.dumps(dict(self._settings)).encode() + b"\n")
        self._pid = int(await self._says("pid"))

    async def opened(self) -> Address:
        """The room, once it takes connections. ConnectionError if it was killed before."""
        return Address((await self._says("Fullring")).split()[-1])

    def kill(self) -> None:
        """As if the machine had lost its power."""
        os.kill(self._pid, signal.SIGKILL)

    async def ended(self) -> None:
        """Until the process is no more."""
        if not self._over:
            await self._says("ended")

    async def _says(self, wanted: str) -> str:
        async with asyncio.timeout(START_S):
            while True:
                word, _, rest = (await self._program.stdout.readline()).decode().strip().partition(" ")
                self._over = word in {"ended", ""}
                if word == wanted:
                    return rest
                if self._over:
                    raise ConnectionError("the room has ended")


@asynccontextmanager
async def warm(folder: Path, port: int, **chosen: Any) -> AsyncIterator[Warm]:
    """``chosen`` are settings. What the rooms log is in ``room.log`` there."""
    settings = {**UNHURRIED, "data": folder, "port": port, **chosen}
    async with program(folder, "tests.room.warm") as loaded:
        yield Warm(loaded, {f"FULLRING_{name.upper()}": str(value) for name, value in settings.items()})


def main() -> None:
    woken, wakes = socket.socketpair()
    wakes.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes.fileno())
    child = 0
    while True:
        ready, _, _ = select.select([sys.stdin, woken], [], [])
        if woken in ready:
            woken.recv(1)
            os.waitpid(child, 0)
            child = 0
            _say("ended")
        elif not (line := sys.stdin.readline()):
            break
        else:
            child = os.fork()
            if not child:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                _serve(json.loads(line))
    if child:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)


def _serve(settings: Mapping[str, str]) -> NoReturn:
    _say(f"pid {os.getpid()}")
    os.environ.update(settings)
    try:
        fullring(["serve"], standalone_mode=False)
    finally:
        os._exit(1)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
