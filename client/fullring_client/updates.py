"""The updates of one table, in the order they came, for one reader."""

import asyncio
import contextlib
from collections import deque
from types import TracebackType
from typing import Protocol, Self

from fullring.wire.reading import read_update
from fullring.wire.server import Update

HELD = 256
"""Frames held for a reader that is slow. The oldest go first, and the next update then says ``lost``."""


class Source(Protocol):
    """Where updates come from: it starts and stops following the table for us."""

    async def follow(self, updates: "Updates") -> None: ...

    async def unfollow(self, updates: "Updates") -> None: ...


class Updates:
    """An async iterator and context manager. Following starts when it is entered, or with the first update asked for.

    Leave it (or close the room) to stop following. After a reconnect the same update may come a second time. The one
    with which the table closes is the last.
    """

    def __init__(self, source: Source, table: str) -> None:
        self.table = table
        self._source = source
        self._frames: deque[bytes] = deque()
        self._arrived = asyncio.Event()
        self._lost = False
        self._following = False
        self._end: Exception | None = None

    @property
    def waiting(self) -> int:
        """How many updates have come and are not read yet."""
        return len(self._frames)

    async def latest(self) -> Update:
        """The newest update; those before it are thrown away."""
        while len(self._frames) > 1:
            self._frames.popleft()
        return await self.__anext__()

    async def arrives(self, *, within: float) -> bool:
        """Whether the next update, or the end, is there within so many seconds."""
        await self._follow()
        if not self._frames and self._end is None:
            self._arrived.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(within):
                    await self._arrived.wait()
        return bool(self._frames) or self._end is not None

    def put(self, frame: bytes) -> None:
        """Called by the room."""
        if len(self._frames) == HELD:
            self._frames.popleft()
            self._lost = True
        self._frames.append(frame)
        self._arrived.set()

    def end(self, reason: Exception) -> None:
        """Called by the room: after what has come, ``reason`` is raised."""
        self._end = self._end or reason
        self._arrived.set()

    async def aclose(self) -> None:
        if self._following:
            self._following = False
            await self._source.unfollow(self)
        self.end(StopAsyncIteration())

    async def __aenter__(self) -> Self:
        await self._follow()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Update:
        await self._follow()
        while not self._frames:
            if self._end is not None:
                raise self._end
            self._arrived.clear()
            await self._arrived.wait()
        update = read_update(self._frames.popleft())
        if self._lost:
            self._lost = False
            update = update.model_copy(update={"lost": True})
        if any(event.type == "table_closed" for event in update.events):
            self.end(StopAsyncIteration())
        return update

    async def _follow(self) -> None:
        if not self._following and self._end is None:
            self._following = True
            try:
                await self._source.follow(self)
            except BaseException:
                self._following = False
                raise
