"""Tickets for the socket."""

from fullring.runtime.ports import Account, Credentials
from fullring.table.ids import AccountId
from fullring.web.limits import TICKETS_MAX
from fullring.web.tickets import Tickets

ANNA = Credentials(Account(AccountId("a7"), "Anna", "guest", "player", 10_000, 0), "k1", frozenset({"play"}))


def test_a_ticket_is_good_once() -> None:
    tickets = Tickets()
    ticket = tickets.issue(ANNA, 0)

    assert tickets.redeem(ticket, 0) is ANNA
    assert tickets.redeem(ticket, 0) is None


def test_a_ticket_is_good_for_30_seconds() -> None:
    tickets = Tickets()
    first, second = tickets.issue(ANNA, 0), tickets.issue(ANNA, 0)

    assert tickets.redeem(first, 30_000) is ANNA
    assert tickets.redeem(second, 30_001) is None


def test_an_unknown_ticket_is_nobodys() -> None:
    assert Tickets().redeem("", 0) is None


def test_tickets_that_nobody_uses_are_forgotten() -> None:
    tickets = Tickets()
    first = tickets.issue(ANNA, 0)
    for _ in range(TICKETS_MAX):
        tickets.issue(ANNA, 0)

    assert tickets.redeem(first, 0) is None
