"""Which tables are followed, by whom, and where each stands: what has to be watched again after a drop."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from fullring.wire.codec import encode
from fullring.wire.reading import Glance
from fullring_client.errors import Refused
from fullring_client.updates import Updates


@dataclass(slots=True)
class _Table:
    """``ready`` is the room's first answer to watching it; ``last`` the newest frame."""

    ready: asyncio.Future[None]
    readers: list[Updates] = field(default_factory=list)
    last: bytes | None = None
    since: dict[str, int] | None = None


class Following:
    """Several readers of one table share one watch at the room."""

    def __init__(self, send: Callable[[bytes], Awaitable[None]], new_id: Callable[[], str]) -> None:
        self._send = send
        self._new_id = new_id
        self._tables: dict[str, _Table] = {}
        self._watches: dict[str, str] = {}
        self._over: Exception | None = None

    async def follow(self, updates: Updates) -> None:
        """Until the room has said yes. Raises Refused, or what ended everything."""
        if self._over is not None:
            raise self._over
        table = self._tables.get(updates.table)
        try:
            if table is None:
                table = self._tables[updates.table] = _Table(asyncio.get_running_loop().create_future(), [updates])
                await self._watch(updates.table)
            else:
                table.readers.append(updates)
                if table.last is not None:
                    updates.put(table.last)
            await asyncio.shield(table.ready)
        except BaseException:
            self._forget(updates)
            raise

    async def unfollow(self, updates: Updates) -> None:
        if self._forget(updates):
            await self._send(encode({"type": "unwatch", "id": self._new_id(), "table": updates.table}))

    async def again(self) -> None:
        """On a new connection: watch every table from where it was."""
        self._watches.clear()
        for name in list(self._tables):
            await self._watch(name)

    def answer(self, seen: Glance, frame: bytes) -> bool:
        """Takes the answer to a watch. False if it answers something else."""
        name = self._watches.pop(seen.re, None)
        if name is None:
            return False
        table = self._tables.get(name)
        if table is not None and seen.type == "ok":
            if not table.ready.done():
                table.ready.set_result(None)
        elif table is not None:
            self._end(name, Refused.read(frame))
        return True

    def update(self, seen: Glance, frame: bytes) -> None:
        table = self._tables.get(seen.table)
        if table is None:
            return
        table.last = frame
        table.since = {"epoch": seen.epoch, "seq": seen.seq}
        for reader in table.readers:
            reader.put(frame)

    def end(self, reason: Exception) -> None:
        self._over = reason
        for name in list(self._tables):
            self._end(name, reason)

    async def _watch(self, name: str) -> None:
        """Under a new id each time: an id sent again would get its old answer, and no watch on the new connection."""
        id, table = self._new_id(), self._tables[name]
        self._watches[id] = name
        since = {} if table.since is None else {"since": table.since}
        await self._send(encode({"type": "watch", "id": id, "table": name, **since}))

    def _forget(self, updates: Updates) -> bool:
        """True if that was the table's last reader."""
        table = self._tables.get(updates.table)
        if table is None or updates not in table.readers:
            return False
        table.readers.remove(updates)
        if not table.readers:
            del self._tables[updates.table]
        return not table.readers

    def _end(self, name: str, reason: Exception) -> None:
        table = self._tables.pop(name)
        if not table.ready.done():
            table.ready.set_exception(reason)
            table.ready.exception()  # Seen: whoever waited may have gone.
        for reader in table.readers:
            reader.end(reason)
