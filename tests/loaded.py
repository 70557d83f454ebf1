"""``python -W error -m MODULE``, begun in a moment: a fork of a program that has loaded the room once for all tests.

To load it takes two seconds of a core. Run as a program, this is the one that forks: what to run, and the files that
it is to have, come over the socket that is its standard input. When that closes, whatever still runs is killed.
"""

import asyncio
import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, BinaryIO

ROOT = Path(__file__).resolve().parents[1]
LOADED = ("fullring.cli", "tests.server")
ASKED_MAX = 200_000
FILES = 4
"""Standard input, output and errors, and where it is told which process that is and how it ended."""


class Started:
    """As `asyncio.subprocess.Process` is: ``returncode`` is None until `wait` has returned."""

    def __init__(
        self, pid: int, stdin: asyncio.StreamWriter, stdout: asyncio.StreamReader, told: asyncio.StreamReader
    ) -> None:
        self.pid, self.stdin, self.stdout = pid, stdin, stdout
        self.returncode: int | None = None
        self._ended = asyncio.ensure_future(told.readline())

    async def wait(self) -> int:
        self.returncode = int(await asyncio.shield(self._ended))
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


@asynccontextmanager
async def started(words: Sequence[str], errors: BinaryIO | None = None, **environment: str) -> AsyncIterator[Started]:
    """A module and its arguments, here and with the environment of now and what is given. It is killed at the end.

    What goes to standard error is written to ``errors``, or where the output goes.
    """
    asked = {"words": words, "environment": {**os.environ, **environment}, "folder": str(Path.cwd())}
    async with AsyncExitStack() as stack:
        ends = [socket.socketpair() for _ in ("input", "output", "told")]
        for ours, _ in ends:
            stack.callback(ours.close)
        theirs = [end.fileno() for _, end in ends]
        theirs.insert(2, theirs[1] if errors is None else errors.fileno())
        socket.send_fds(_loaded(), [json.dumps(asked).encode()], theirs)
        for _, end in ends:
            end.close()
        (_, stdin), (stdout, _), (told, _) = [await stack.enter_async_context(_connected(ours)) for ours, _ in ends]
        it = Started(int(await told.readline()), stdin, stdout, told)
        try:
            yield it
        finally:
            it.kill()
            await it.wait()


@asynccontextmanager
async def _connected(end: socket.socket) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_unix_connection(sock=end)
    try:
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


@functools.cache
def _loaded() -> socket.socket:
    """The line to the program that forks, which goes when this process does."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, ASKED_MAX)
    with theirs:
        program = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "tests.loaded"], cwd=ROOT, stdin=theirs.fileno()
        )
    atexit.register(program.wait)
    atexit.register(ours.close)
    return ours


# --- the program that forks ---


def main() -> None:
    for module in LOADED:
        importlib.import_module(module)
    gc.collect()
    gc.freeze()
    asked = _fork_until_asked()
    if asked is not None:
        _run(**asked)


def _fork_until_asked() -> Mapping[str, Any] | None:
    """In each fork, what it is asked to do; here None, when nobody asks any more."""
    line = socket.socket(fileno=os.dup(sys.stdin.fileno()))
    woken, wakes = socket.socketpair()
    wakes.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes.fileno())
    running: dict[int, int] = {}
    with line, woken, wakes:
        while True:
            ready, _, _ = select.select([line, woken], [], [])
            if woken in ready:
                woken.recv(100)
                _bury(running, os.WNOHANG)
            if line in ready:
                asked, files, _, _ = socket.recv_fds(line, ASKED_MAX, FILES)
                if not asked:
                    break
                pid = os.fork()
                if not pid:
                    signal.set_wakeup_fd(-1)
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                    _take(files, list(running.values()))
                    found: Mapping[str, Any] = json.loads(asked)
                    return found
                running[pid] = files.pop()
                _tell(running[pid], pid)
                for file in files:
                    os.close(file)
        for pid in running:
            os.kill(pid, signal.SIGKILL)
        _bury(running, 0)
        signal.set_wakeup_fd(-1)
    return None


def _bury(running: dict[int, int], options: int) -> None:
    """Say how those have ended that have."""
    while running:
        pid, status = os.waitpid(-1, options)
        if not pid:
            return
        told = running.pop(pid)
        _tell(told, os.waitstatus_to_exitcode(status))
        os.close(told)


def _tell(told: int, number: int) -> None:
    with contextlib.suppress(BrokenPipeError):
        os.write(told, f"{number}\n".encode())


def _take(files: Sequence[int], others: Sequence[int]) -> None:
    """Put the files in the place of one's own, and let go of what is not one's own."""
    for number, file in enumerate(files[:-1]):
        os.dup2(file, number)
    for file in (*files, *others):
        os.close(file)


def _run(words: Sequence[str], environment: Mapping[str, str], folder: str) -> None:
    """As if it had been started so. It ends as any program does."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv[:] = words
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
