"""What signals ask of a room that runs: SIGUSR1 to drain, SIGTERM and SIGINT to stop; the second time, at once."""

import asyncio
import signal
from collections.abc import Awaitable, Callable


class Stopping:
    """``drain`` plays the hands in play to their ends, for so many seconds or as long as it takes; ``stop`` stops."""

    def __init__(
        self, drain: Callable[[float | None], Awaitable[None]], stop: Callable[[], None], drain_seconds: float
    ) -> None:
        self._drain = drain
        self._stop = stop
        self._seconds = drain_seconds
        self._draining: asyncio.Future[None] | None = None
        self._stopping = False

    def listen(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.add_signal_handler(signal.SIGUSR1, self.drain)
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.stop)

    def drain(self, seconds: float | None = None) -> None:
        """No new hands, and then the end."""
        if self._draining is None:
            self._draining = asyncio.ensure_future(self._drain(seconds))
            self._draining.add_done_callback(self._drained)

    def stop(self) -> None:
        """Drain for as long as the settings say, which is not at all unless they say so; then the end."""
        if self._draining is None and self._seconds:
            self.drain(self._seconds)
        else:
            self._stopping = True
            self._stop()

    def _drained(self, done: asyncio.Future[None]) -> None:
        """A room that stops ends its draining too: that is no second signal."""
        done.result()
        if not self._stopping:
            self._stop()
