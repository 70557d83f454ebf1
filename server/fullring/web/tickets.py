"""Tickets for the socket: good once, for 30 seconds, so that a browser need not put its token into a page's script."""

import secrets
from collections import OrderedDict

from fullring.runtime.ports import Credentials
from fullring.table.ids import Millis
from fullring.web.limits import TICKET_SECONDS, TICKETS_MAX


class Tickets:
    """Kept in memory alone: a restart forgets them, and the client asks for another."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, tuple[Millis, Credentials]] = OrderedDict()

    def issue(self, credentials: Credentials, now: Millis) -> str:
        self._forget_old(now)
        ticket = secrets.token_urlsafe(32)
        self._waiting[ticket] = (now + TICKET_SECONDS * 1000, credentials)
        if len(self._waiting) > TICKETS_MAX:
            self._waiting.popitem(last=False)
        return ticket

    def redeem(self, ticket: str, now: Millis) -> Credentials | None:
        """Who it was issued to; None when it is unknown, used or too old."""
        until, credentials = self._waiting.pop(ticket, (-1, None))
        return credentials if now <= until else None

    def _forget_old(self, now: Millis) -> None:
        while self._waiting and next(iter(self._waiting.values()))[0] < now:
            self._waiting.popitem(last=False)
