"""Which process this is, in a text that another one on the same host can check: a dead owner is not waited for."""

import os
import socket
from pathlib import Path

_PROC = Path("/proc")
_START_TIME = 19
"""Where ``/proc/PID/stat`` has the instant of the start, counted from behind the name."""


def this_process() -> str:
    """What `is_dead` understands; nothing that could be checked where the system has no ``/proc``."""
    pid = os.getpid()
    try:
        return f"{_host()} {pid} {_standing(pid)[_START_TIME]}"
    except OSError:
        return ""


def in_words() -> str:
    return f"process {os.getpid()} on {socket.gethostname()}"


def is_dead(process: str) -> bool:
    """Whether that process is known to be no more. Of other hosts and containers nothing is known."""
    host, _, rest = process.rpartition(" ")[0].rpartition(" ")
    try:
        if not host or host != _host():
            return False
        state = _standing(int(rest))
    except (FileNotFoundError, ProcessLookupError):
        return True
    except OSError:
        return False
    # A zombie has only its parent to wait for; another start is another process with the number of the dead one.
    return state[0] in "ZX" or state[_START_TIME] != process.rpartition(" ")[2]


def _host() -> str:
    """The host since it was booted, and the numbers of processes that are seen from here."""
    boot = (_PROC / "sys/kernel/random/boot_id").read_text("ascii").strip()
    return f"{boot} {(_PROC / 'self/ns/pid').stat().st_ino}"


def _standing(pid: int) -> list[str]:
    """What the system says of a process, from its state on. The name before that may hold anything."""
    return (_PROC / str(pid) / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
