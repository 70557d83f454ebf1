"""A port that stays free between one start of a room and the next."""

import contextlib
import random
import socket

# Below 32768, where no system's outgoing connections draw their ports.
PORTS = range(10_000, 15_000)


def free_port() -> int:
    for port in random.sample(PORTS, k=100):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError(f"no free port among a hundred of {PORTS}")
