"""Servers in processes of their own, each held to one core, and what they use of it."""

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

CORES = sorted(os.sched_getaffinity(0))
SERVER_CORE, LOAD_CORE = CORES[0], CORES[-1]
"""The server has one core, everything else the other; on a machine with one they share it."""
STOP_S = 10


@dataclass(frozen=True, slots=True)
class Server:
    pid: int
    address: tuple[str, int]
    said: IO[str] = field(repr=False)

    def cpu_ns(self) -> int:
        """What all of its threads have run so far."""
        return sum(int(task.read_text().split()[0]) for task in Path(f"/proc/{self.pid}/task").glob("*/schedstat"))

    def rss_kib(self) -> int:
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0])

    def longest_stop(self) -> dict[str, float]:
        """Of a server with a heart, since it was asked last."""
        told: dict[str, float] = self.told()
        return told

    def told(self) -> Any:
        """What a server that was made for it has measured since it was asked last."""
        os.kill(self.pid, signal.SIGUSR2)
        return json.loads(self.said.readline())


@contextmanager
def serving(*command: str, environment: Mapping[str, str] | None = None, log: Path | None = None) -> Iterator[Server]:
    """Run a module that prints its address once it takes connections. It goes when the block does."""
    with subprocess.Popen(
        (sys.executable, "-m", *command),
        env=os.environ | dict(environment or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL if log is None else log.open("ab"),
        text=True,
    ) as process:
        os.sched_setaffinity(process.pid, {SERVER_CORE})
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            if "http://" not in said:
                raise RuntimeError(f"{' '.join(command)} did not start")
            address = urlsplit(said.split()[-1])
            assert address.hostname is not None
            assert address.port is not None
            yield Server(process.pid, (address.hostname, address.port), process.stdout)
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                process.kill()


def more_files() -> None:
    """As many open files as the system lets us have; servers started afterwards may have as many."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
