"""Tickets for the socket."""

from fullring.runtime.accounts import Account, Credentials
from fullring.table.ids import AccountId
from fullring.web.limits import TICKETS_EACH, TICKETS_MAX
from fullring.web.tickets import Tickets

ANNA = Credentials(Account(AccountId("a7"), "Anna", "guest", "player", 10_000, 0), "k1", frozenset({"play"}))


def somebody(number: int) -> Credentials:
    account = Account(AccountId(f"b{number}"), "Bo", "guest", "player", 10_000, 0)
    return Credentials(account, f"kb{number}", frozenset({"play"}))


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
    for number in range(TICKETS_MAX):
        tickets.issue(somebody(number), 0)

    assert tickets.redeem(first, 0) is None


def test_an_account_that_asks_for_many_tickets_pushes_out_its_own_alone() -> None:
    tickets = Tickets()
    anothers = tickets.issue(somebody(1), 0)
    own = [tickets.issue(ANNA, 0) for _ in range(TICKETS_EACH + 1)]

    assert tickets.redeem(anothers, 0) is not None
    assert [tickets.redeem(ticket, 0) for ticket in own] == [None] + [ANNA] * TICKETS_EACH


def test_a_ticket_is_no_better_than_the_token_it_was_asked_for_with() -> None:
    tickets = Tickets()
    revoked, others = tickets.issue(ANNA, 0), tickets.issue(somebody(1), 0)

    tickets.revoked(ANNA.token)

    assert tickets.redeem(revoked, 0) is None
    assert tickets.redeem(others, 0) is not None
