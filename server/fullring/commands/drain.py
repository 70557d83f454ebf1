"""``fullring drain``: ask the room that runs here to play its hands to their ends and to stop."""

import os
import signal
import time
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from fullring import pidfile
from fullring.commands.config import chosen_or_exit

PATIENCE_S = 60
STOPS_WITHIN_S = 15
"""A room that was told to stop is given up after so long."""
LOOK_EVERY_S = 0.1


def drain(
    seconds: Annotated[int, typer.Option(min=0, help="Then hands stop where they are, for later.")] = PATIENCE_S,
    data: Annotated[Path | None, typer.Option("--data", help="The room's folder [FULLRING_DATA, ./data].")] = None,
) -> None:
    """Let the room deal no new hand, and stop when none is played. It goes on when it is started again."""
    folder = chosen_or_exit(data=data).data
    pid = _running(folder)
    if pid is None:
        _fail(f"no room runs in {folder}")
    os.kill(pid, signal.SIGUSR1)
    typer.echo("no new hands: the room stops when those in play are over")
    if not _gone(folder, seconds):
        typer.echo(f"hands are still played after {seconds} s: they go on after the next start")
        os.kill(pid, signal.SIGTERM)
        if not _gone(folder, STOPS_WITHIN_S):
            _fail(f"the room has not stopped within {STOPS_WITHIN_S} s")
    typer.echo("the room has stopped")


def _running(folder: Path) -> int | None:
    try:
        return pidfile.running(folder)
    except pidfile.OutOfReach as error:
        _fail(str(error))


def _gone(folder: Path, within_s: float) -> bool:
    until = time.monotonic() + within_s
    while _running(folder) is not None:
        if time.monotonic() >= until:
            return False
        time.sleep(LOOK_EVERY_S)
    return True


def _fail(sentence: str) -> NoReturn:
    typer.echo(f"fullring: {sentence}", err=True)
    raise typer.Exit(1)
