"""How late the event loop is: a timer that is due a few times a second, and by how much it was missed."""

import asyncio

from fullring.runtime.meter import Spread

EVERY_S = 0.25


class Pulse:
    """``lag`` gets every delay, in seconds. A loop that is stuck is seen when it no longer is."""

    def __init__(self, lag: Spread) -> None:
        self._lag = lag
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0

    def start(self) -> None:
        loop = asyncio.get_running_loop()
        self._due = loop.time() + EVERY_S
        self._timer = loop.call_at(self._due, self._beat, loop)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _beat(self, loop: asyncio.AbstractEventLoop) -> None:
        self._lag.add(max(0.0, loop.time() - self._due))
        self.start()
