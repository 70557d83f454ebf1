"""Which process serves from a data folder: its number in a file that it keeps locked while it lives.

The lock says that it lives, so a number that is left behind after a crash is nobody's.
"""

import contextlib
import fcntl
import os
from collections.abc import AsyncIterator
from pathlib import Path

NAME = "room.pid"


class OutOfReach(Exception):
    """The room runs, but among other processes: in a container of its own."""


@contextlib.asynccontextmanager
async def held(folder: Path) -> AsyncIterator[None]:
    """This process is the one. Where another is already, nothing is written."""
    descriptor = os.open(folder / NAME, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(descriptor, 0)
            os.write(descriptor, f"{os.getpid()} {_among()}\n".encode())
        yield
    finally:
        os.close(descriptor)


def running(folder: Path) -> int | None:
    """The number of the process that serves now; None where none does. Raises OutOfReach."""
    try:
        descriptor = os.open(folder / NAME, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        pid, among = os.read(descriptor, 100).decode().split()
        if among != _among():
            raise OutOfReach("the room runs in another container: ask there") from None
        return int(pid)
    finally:
        os.close(descriptor)
    return None


def _among() -> str:
    """The namespace in which process numbers mean something; every machine without namespaces is one."""
    try:
        return str(Path("/proc/self/ns/pid").stat().st_ino)
    except OSError:
        return "-"
