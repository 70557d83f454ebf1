"""``fullring drain``: ask the room that runs here to play its hands to their ends and to stop."""

import contextlib
import os
import signal
import time
from pathlib import Path
from typing import Annotated

import typer

from fullring import pidfile
from fullring.commands.config import chosen_or_exit
from fullring.commands.room_database import fail

PATIENCE_S = 60
STOPS_WITHIN_S = 15
"""A room that was told to stop is given up after so long."""
LOOK_EVERY_S = 0.1
"""It is looked again and again: nobody can wait for a lock for so long and no longer, and whoever waits for this one
stands in the way of the room that is to take over.
"""


def drain(
    seconds: Annotated[int, typer.Option(min=0, help="Then hands stop where they are, for later.")] = PATIENCE_S,
    data: Annotated[Path | None, typer.Option("--data", help="The room's folder [FULLRING_DATA, ./data].")] = None,
) -> None:
    """Let the room deal no new hand, and stop when none is played. It goes on when it is started again."""
    folder = chosen_or_exit(data=data).data
    pid = _running(folder)
    if pid is None:
        fail(f"no room runs in {folder}")
    _signal(pid, signal.SIGUSR1)
    typer.echo("no new hands: the room stops when those in play are over")
    if not _gone(folder, pid, seconds):
        typer.echo(f"hands are still played after {seconds} s: they go on after the next start")
        _signal(pid, signal.SIGTERM)
        if not _gone(folder, pid, STOPS_WITHIN_S):
            fail(f"the room has not stopped within {STOPS_WITHIN_S} s")
    typer.echo("the room has stopped")


def _running(folder: Path) -> int | None:
    try:
        return pidfile.running(folder)
    except pidfile.OutOfReach as error:
        fail(str(error))
    except PermissionError:
        fail(f"the room in {folder} is another user's: ask as the user that it runs as")


def _signal(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):  # It has ended in this very moment.
        os.kill(pid, number)


def _gone(folder: Path, pid: int, within_s: float) -> bool:
    """Whether that process runs no more; another may, that has taken over."""
    until = time.monotonic() + within_s
    with contextlib.suppress(pidfile.OutOfReach):  # Then another has, in a container of its own.
        while pidfile.running(folder) == pid:
            if time.monotonic() >= until:
                return False
            time.sleep(LOOK_EVERY_S)  # A command without a loop, which has nothing else to do meanwhile.
    return True
