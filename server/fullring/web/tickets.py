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
        """The oldest first."""
        self._own: dict[AccountId, dict[str, None]] = {}
        """Each account's, the oldest first."""

    def issue(self, credentials: Credentials, now: Millis) -> str:
        self._forget_old(now)
        account = credentials.account.id
        if len(own := self._own.get(account, {})) >= TICKETS_EACH:
            self._take(next(iter(own)))
        ticket = secrets.token_urlsafe(32)
        self._waiting[ticket] = (now + TICKET_SECONDS * 1000, credentials)
        self._own.setdefault(account, {})[ticket] = None
        if len(self._waiting) > TICKETS_MAX:
            self._take(next(iter(self._waiting)))
        return ticket

    def redeem(self, ticket: str, now: Millis) -> Credentials | None:
        """Who it was issued to; None when it is unknown, used or too old."""
        if ticket not in self._waiting:
            return None
        until, credentials = self._take(ticket)
        return credentials if now <= until else None

    def revoked(self, token: str) -> None:
        """A token is good no longer: neither are the tickets that were asked for with it."""
        for ticket in [ticket for ticket, (_, credentials) in self._waiting.items() if credentials.token == token]:
            self._take(ticket)

    def ended(self, account: AccountId) -> None:
        """All tickets of the account are good no longer."""
        for ticket in list(self._own.get(account, ())):
            self._take(ticket)

    def _forget_old(self, now: Millis) -> None:
        while self._waiting and next(iter(self._waiting.values()))[0] < now:
            self._take(next(iter(self._waiting)))

    def _take(self, ticket: str) -> tuple[Millis, Credentials]:
        until, credentials = self._waiting.pop(ticket)
        own = self._own[credentials.account.id]
        del own[ticket]
        if not own:
            del self._own[credentials.account.id]
        return until, credentials
