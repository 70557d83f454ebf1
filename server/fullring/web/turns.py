"""Work that takes a while: so much of it at a time, and whoever comes when many wait is told to come again."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from fullring.table.ids import Millis
from fullring.web.problems import rate_limited

AGAIN_MS: Millis = 2_000


class Turns:
    """``at_once`` are under way together, ``waiting`` more wait at most."""

    def __init__(self, *, at_once: int, waiting: int) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._left = at_once + waiting

    @contextlib.asynccontextmanager
    async def one(self, detail: str) -> AsyncIterator[None]:
        """When it is its turn. Raises Declined where too many wait; ``detail`` says for what."""
        if not self._left:
            raise rate_limited(detail, AGAIN_MS)
        self._left -= 1
        try:
            async with self._free:
                yield
        finally:
            self._left += 1
