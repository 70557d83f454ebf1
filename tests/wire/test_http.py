from typing import Any

import pytest
from pydantic import ValidationError

from fullring.wire.http import AccountOpened, AccountWanted, GuestWanted, Me, TableWanted, Ticket

TABLE: dict[str, Any] = {
    "name": "Magnolia",
    "game": "nlhe",
    "seats": 6,
    "small_blind": 5,
    "big_blind": 10,
    "buy_in_min": 200,
    "buy_in_max": 1000,
}


def test_a_table_needs_only_its_game_seats_blinds_and_buy_ins() -> None:
    assert TableWanted.model_validate(TABLE).turn_seconds is None


@pytest.mark.parametrize(
    "change",
    [
        {"seats": 1},
        {"seats": 11},
        {"small_blind": 0},
        {"small_blind": 11},
        {"big_blind": "10"},
        {"buy_in_min": 1001},
        {"ante": 1, "big_blind_ante": 10},
        {"game": "razz"},
        {"turn_seconds": 0},
        {"name": "a\nb"},
    ],
)
def test_a_table_that_makes_no_sense_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        TableWanted.model_validate(TABLE | change)


def test_passwords_tokens_tickets_and_join_codes_do_not_print() -> None:
    account = {"id": "a7", "name": "Anna", "kind": "guest", "chips": 0}
    for secret in (
        AccountWanted(name="Anna", password="hunter22"),
        AccountOpened.model_validate({"account": account, "token": "hunter22"}),
        Ticket(ticket="hunter22"),
        TableWanted.model_validate(TABLE | {"join_code": "hunter22"}),
    ):
        assert "hunter22" not in repr(secret)


def test_a_guest_may_come_without_a_name_and_passwords_have_at_least_8_characters() -> None:
    assert GuestWanted().name is None
    with pytest.raises(ValidationError) as caught:
        AccountWanted(name="Anna", password="hunter2")
    assert "hunter2" not in str(caught.value)


def test_me_says_who_and_where() -> None:
    me = Me.model_validate(
        {
            "account": {"id": "a7", "name": "Anna", "kind": "guest", "chips": 9000},
            "seats": [{"table": "t1", "seat": 4}],
        }
    )
    assert me.seats[0].table == "t1"
