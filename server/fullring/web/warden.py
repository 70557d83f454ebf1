"""Sees to it that who may not be here is not: sockets are closed, tickets forgotten, seats given up.

What another process has changed, such as a command beside the running room, is seen within a second.
"""

import asyncio
import logging

from fullring.runtime.clock import Alarm
from fullring.runtime.ports import Answer, LogUnavailable
from fullring.table.commands import Kick
from fullring.table.ids import Millis
from fullring.web.site import Site
from fullring.wire.errors import CloseCode

LOOK_EVERY_MS = 1_000

_log = logging.getLogger(__name__)


class Warden:
    """Started before the room takes connections, and stopped with it."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._alarm = Alarm(site.clock, self._ring)
        self._round: asyncio.Task[None] | None = None
        self._stopped = False

    async def start(self) -> None:
        """Raises LogUnavailable."""
        await enforce(self._site)
        self._arm()

    async def stop(self) -> None:
        """Returns when a look that was under way is over."""
        self._stopped = True
        self._alarm.cancel()
        if self._round is not None:
            await asyncio.wait([self._round])

    def _arm(self) -> None:
        if not self._stopped:
            self._alarm.set(self._site.clock.now() + LOOK_EVERY_MS)

    def _ring(self) -> None:
        self._arm()
        if self._round is None or self._round.done():
            self._round = asyncio.get_running_loop().create_task(self._look())

    async def _look(self) -> None:
        try:
            await enforce(self._site)
        except LogUnavailable:
            _log.debug("who may come in is as it was: the database can't be reached")


async def enforce(site: Site) -> None:
    """Look at what was decided, and act on it. Raises LogUnavailable."""
    now = site.clock.now()
    changed = await site.standing.refresh(now)
    for account in site.standing.outcasts(now):
        why = site.standing.outcast(account, now)
        assert why is not None
        site.tickets.ended(account)
        site.connections.ended(account, CloseCode.KICKED, why.text)
        for table, _ in site.room.seats_of(account):
            site.room.tell(table, Kick(account, "banned"), None, _heard)
    if changed:
        _close_walled(site, now)


def _close_walled(site: Site, now: Millis) -> None:
    for _, session in site.connections.all():
        why = site.standing.wall(session.caller().address, now)
        if why is not None:
            session.close(CloseCode.KICKED, why.text)


def _heard(answer: Answer | Exception) -> None:
    """A seat that can't be given up now is asked for again with the next look."""
