"""Which process serves from a data folder: its number in a file that it keeps locked while it lives.

The lock says that it lives, so a number that is left behind after a crash is nobody's.
"""

import asyncio
import contextlib
import fcntl
import os
from collections.abc import AsyncIterator
from pathlib import Path

NAME = "room.pid"
AGAIN_S = 0.1
"""How often a room looks whether the one before it has let go: that may still be ending when it takes over."""


class OutOfReach(Exception):
    """The room runs, but among other processes: in a container of its own."""


@contextlib.asynccontextmanager
async def held(folder: Path) -> AsyncIterator[None]:
    """This process is the one; where another still is, as soon as that is no more."""
    descriptor = os.open(folder / NAME, os.O_CREAT | os.O_RDWR, 0o600)
    claiming = None if _claimed(descriptor) else asyncio.create_task(_claim(descriptor))
    try:
        yield
    finally:
        if claiming is not None:
            claiming.cancel()
        os.close(descriptor)


async def _claim(descriptor: int) -> None:
    while True:
        await asyncio.sleep(AGAIN_S)
        if _claimed(descriptor):
            return


def _claimed(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()} {_among()}\n".encode(), 0)
    return True


def running(folder: Path) -> int | None:
    """The number of the process that serves now; None where none does. Raises OutOfReach."""
    try:
        descriptor = os.open(folder / NAME, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        said = os.read(descriptor, 100).decode().split()
        if not said:  # It begins in this very moment, and has not said its number yet.
            return None
        pid, among = said
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
