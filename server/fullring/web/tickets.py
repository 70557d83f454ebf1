"""Tickets for the socket: good once, for 30 seconds, so that a browser need not put its token into a page's script."""

import secrets
from collections import OrderedDict

from fullring.runtime.accounts import Credentials
from fullring.table.ids import AccountId, Millis
from fullring.web.limits import TICKET_SECONDS, TICKETS_EACH, TICKETS_MAX


class Tickets:
    """Kept in memory alone: a restart forgets them, and the client asks for another."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, tuple[Millis, Credentials]] = OrderedDict()

    def issue(self, credentials: Credentials, now: Millis) -> str:
        self._forget_old(now)
        own = [ticket for ticket, (_, other) in self._waiting.items() if other.account.id == credentials.account.id]
        if len(own) >= TICKETS_EACH:
            del self._waiting[own[0]]
        ticket = secrets.token_urlsafe(32)
        self._waiting[ticket] = (now + TICKET_SECONDS * 1000, credentials)
        if len(self._waiting) > TICKETS_MAX:
            self._waiting.popitem(last=False)
        return ticket

    def redeem(self, ticket: str, now: Millis) -> Credentials | None:
        """Who it was issued to; None when it is unknown, used or too old."""
        until, credentials = self._waiting.pop(ticket, (-1, None))
        return credentials if now <= until else None

    def revoked(self, token: str) -> None:
        """A token is good no longer: neither are the tickets that were asked for with it."""
        for ticket in [ticket for ticket, (_, credentials) in self._waiting.items() if credentials.token == token]:
            del self._waiting[ticket]

    def ended(self, account: AccountId) -> None:
        """All tickets of the account are good no longer."""
        for ticket in [ticket for ticket, (_, known) in self._waiting.items() if known.account.id == account]:
            del self._waiting[ticket]

    def _forget_old(self, now: Millis) -> None:
        while self._waiting and next(iter(self._waiting.values()))[0] < now:
            self._waiting.popitem(last=False)
