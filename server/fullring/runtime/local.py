"""The bus inside one process: a dictionary of handlers. What it carries can be had again from the log."""

import asyncio
from collections import defaultdict

from fullring.runtime.ports import BusTimeout, Handler, NoOwner, Subscription


class LocalBus:
    """Handlers run in the loop, after the call that published to them, each in a task of its own."""

    def __init__(self) -> None:
        self._handlers: defaultdict[str, list[Handler]] = defaultdict(list)
        self._running: set[asyncio.Task[bytes | None]] = set()

    async def request(self, subject: str, data: bytes, timeout: float) -> bytes:
        handlers = self._handlers.get(subject)
        if not handlers:
            raise NoOwner(subject)
        try:
            async with asyncio.timeout(timeout):
                answer = await handlers[0](data)
        except TimeoutError as error:
            raise BusTimeout(subject) from error
        assert answer is not None, f"the handler of {subject} answers requests"
        return answer

    def publish(self, subject: str, data: bytes) -> None:
        for handler in self._handlers.get(subject, ()):
            task = asyncio.ensure_future(handler(data))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    def subscribe(self, subject: str, handler: Handler) -> Subscription:
        self._handlers[subject].append(handler)
        return _Subscribed(self._handlers, subject, handler)


class _Subscribed:
    def __init__(self, handlers: dict[str, list[Handler]], subject: str, handler: Handler) -> None:
        self._handlers, self._subject, self._handler = handlers, subject, handler

    def cancel(self) -> None:
        """No more calls. Nothing is left behind when it was the subject's last."""
        handlers = self._handlers.get(self._subject, [])
        if self._handler in handlers:
            handlers.remove(self._handler)
        if not handlers:
            self._handlers.pop(self._subject, None)
