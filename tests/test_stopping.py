"""Signals: what drains a room, what stops it, and what the second one does."""

import asyncio
import fcntl
import os
import signal
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fullring import pidfile
from fullring.cli import main
from fullring.stopping import Stopping


class Room:
    """Drains when a test says so."""

    def __init__(self, drain_seconds: float = 0) -> None:
        self.drained = asyncio.Event()
        self.limits: list[float | None] = []
        self.stops = 0
        self.stopping = Stopping(self._drain, self._stop, drain_seconds)

    async def _drain(self, within_s: float | None) -> None:
        self.limits.append(within_s)
        await self.drained.wait()

    def _stop(self) -> None:
        self.stops += 1

    async def drains(self) -> None:
        self.drained.set()
        for _ in range(3):
            await asyncio.sleep(0)


async def test_a_room_is_stopped_at_once_unless_its_settings_say_otherwise() -> None:
    room = Room()
    room.stopping.stop()

    assert (room.stops, room.limits) == (1, [])


async def test_with_a_time_to_drain_it_drains_first_and_the_second_signal_stops_it() -> None:
    room = Room(drain_seconds=25)
    room.stopping.stop()
    await asyncio.sleep(0)
    assert (room.stops, room.limits) == (0, [25])

    room.stopping.stop()
    assert room.stops == 1

    await room.drains()
    assert room.stops == 1, "another would say not to wait for anybody"


async def test_a_room_that_was_asked_to_drain_stops_when_it_has() -> None:
    room = Room()
    room.stopping.drain()
    room.stopping.drain()
    await asyncio.sleep(0)
    assert (room.stops, room.limits) == (0, [None])

    await room.drains()
    assert room.stops == 1


async def test_while_it_drains_for_as_long_as_it_takes_one_signal_stops_it() -> None:
    room = Room(drain_seconds=25)
    room.stopping.drain()
    room.stopping.stop()

    assert room.stops == 1


def drain(folder: Path) -> str:
    done = CliRunner().invoke(main, ["drain", "--data", str(folder)])
    assert done.exit_code == 1
    return done.output


async def test_where_no_room_runs_there_is_none_to_drain(tmp_path: Path) -> None:
    assert drain(tmp_path) == f"fullring: no room runs in {tmp_path}\n"

    async with pidfile.held(tmp_path):
        assert pidfile.running(tmp_path) == os.getpid()
    assert pidfile.running(tmp_path) is None, "what it has written is still there, and means nothing"
    assert drain(tmp_path) == f"fullring: no room runs in {tmp_path}\n"


def test_the_number_of_a_process_in_another_container_is_not_believed(tmp_path: Path) -> None:
    with (tmp_path / pidfile.NAME).open("w+", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write("1 4026531836000\n")
        file.flush()

        with pytest.raises(pidfile.OutOfReach):
            pidfile.running(tmp_path)
        assert drain(tmp_path) == "fullring: the room runs in another container: ask there\n"


async def test_a_second_room_in_the_same_folder_leaves_the_first_its_file(tmp_path: Path) -> None:
    async with pidfile.held(tmp_path):
        before = (tmp_path / pidfile.NAME).read_bytes()
        (tmp_path / pidfile.NAME).write_bytes(before.replace(b" ", b"0 ", 1))
        async with pidfile.held(tmp_path):
            assert pidfile.running(tmp_path) == os.getpid() * 10


async def test_a_room_that_takes_over_has_the_file_once_the_one_before_lets_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pidfile, "AGAIN_S", 0)
    before = AsyncExitStack()
    await before.enter_async_context(pidfile.held(tmp_path))
    async with pidfile.held(tmp_path):
        (tmp_path / pidfile.NAME).write_bytes(b"")
        assert pidfile.running(tmp_path) is None, "one that has only just begun has not said its number yet"
        await before.aclose()
        for _ in range(3):
            await asyncio.sleep(0)
        assert pidfile.running(tmp_path) == os.getpid()
    assert pidfile.running(tmp_path) is None


@pytest.mark.parametrize("ended", [False, True])
async def test_a_room_that_another_has_taken_over_from_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ended: bool
) -> None:
    """The lock is another's before anybody has seen it free."""
    path = tmp_path / pidfile.NAME
    asked: list[tuple[int, int]] = []

    def kill(pid: int, number: int) -> None:
        asked.append((pid, number))
        path.write_bytes(path.read_bytes().replace(b" ", b"0 ", 1))
        if ended:
            raise ProcessLookupError

    async with pidfile.held(tmp_path):
        monkeypatch.setattr(os, "kill", kill)
        done = CliRunner().invoke(main, ["drain", "--data", str(tmp_path), "--seconds", "0"])

    assert (done.exit_code, done.output.splitlines()[1:]) == (0, ["the room has stopped"])
    assert asked == [(os.getpid(), signal.SIGUSR1)]
