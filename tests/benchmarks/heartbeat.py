"""``fullring serve`` with a heart: a callback every 10 ms that notes how long the event loop kept it waiting.

On SIGUSR2 it prints, as JSON, the longest since the last time: ``wall_ms`` as clocks have it, other processes' time
included, and ``cpu_ms``, what the loop's own thread ran without letting anybody else have a turn.
"""

import asyncio
import json
import logging
import signal
import sys
import time

import uvloop

from fullring import app, settings

BEAT_S = 0.01


class Heart:
    def __init__(self) -> None:
        self._wall = self._cpu = 0.0
        self._at, self._ran = time.perf_counter(), time.thread_time()

    def beat(self) -> None:
        at, ran = time.perf_counter(), time.thread_time()
        self._wall = max(self._wall, at - self._at - BEAT_S)
        self._cpu = max(self._cpu, ran - self._ran)
        self._at, self._ran = at, ran
        asyncio.get_running_loop().call_later(BEAT_S, self.beat)

    def tell(self) -> None:
        print(json.dumps({"wall_ms": self._wall * 1000, "cpu_ms": self._cpu * 1000}), flush=True)
        self._wall = self._cpu = 0.0


async def main() -> None:
    heart = Heart()
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR2, heart.tell)

    def ready(address: str) -> None:
        print(f"Fullring is open on {address}", flush=True)
        heart.beat()

    await app.serve(settings.load(), ready)


if __name__ == "__main__":
    logging.basicConfig(level="INFO", stream=sys.stderr)
    uvloop.run(main())
