"""A folder that can be full: a small file system of its own, or, where none may be mounted, a limit on files."""

import contextlib
import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

MIB = 1 << 20
LIMIT_BYTES = 40 * 1024
"""Enough for what SQLite maps into memory; less than any journal."""


class Disk(Protocol):
    """``kind`` says what it is, for the record."""

    kind: str

    def fill(self, pid: int) -> None:
        """From now on nothing more can be written there by that process."""

    def empty(self, pid: int) -> None:
        """There is room again."""


class Tmpfs:
    """The error is the kernel's own: no space left on device."""

    def __init__(self, folder: Path, size: int) -> None:
        self._ballast = folder / "ballast"
        self.kind = f"a full file system of {size} MiB"

    def fill(self, pid: int) -> None:
        with self._ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4_096))

    def empty(self, pid: int) -> None:
        self._ballast.unlink()


class Limit:
    """No file of the process may be written behind its first bytes; the kernel refuses to."""

    kind = "a limit on the size of files"

    def __init__(self) -> None:
        self._before: tuple[int, int] = (0, 0)

    def fill(self, pid: int) -> None:
        self._before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (LIMIT_BYTES, self._before[1]))

    def empty(self, pid: int) -> None:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, self._before)


@contextlib.contextmanager
def small_disk(folder: Path, size: int = 8) -> Iterator[tuple[Disk, Path]]:
    """The disk, and a folder on it."""
    place = folder / "disk"
    place.mkdir()
    mount = shutil.which("mount")
    options = f"size={size}m,mode=700"
    if mount is None or os.geteuid() or subprocess.call([mount, "-t", "tmpfs", "-o", options, "tmpfs", str(place)]):
        yield Limit(), place
        return
    try:
        yield Tmpfs(place, size), place
    finally:
        subprocess.check_call(["umount", "--lazy", str(place)])
