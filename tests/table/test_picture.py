"""A picture keeps what stays the same. That it always shows what the views make is held by `Playing`, in every test."""

from copy import deepcopy

from fullring.table.commands import Arm, PreAction
from tests.table.playing import Playing, account


def playing(**chosen: int) -> Playing:
    table = Playing(**chosen)
    table.sit_all("Anna Bo Cy Di")
    table.wait(10_000)
    return table


def test_an_answer_that_leaves_the_price_changes_the_seat_that_gave_it_and_the_one_whose_turn_comes() -> None:
    table = playing()
    before = dict(table.picture.yours())
    seats = table.picture.public()["seats"]
    acting = table.to_act()
    assert acting is not None
    table.plays(f"{acting.name} call")
    following = table.to_act()
    assert following is not None

    for name, own in table.picture.yours().items():
        assert (own is before[name]) == (name not in (acting.account, following.account))
    again = table.picture.public()["seats"]
    assert isinstance(seats, list)
    assert isinstance(again, list)
    assert [one is other for one, other in zip(seats, again, strict=True)] == [
        number != acting.seat for number in sorted(table.table.seats)
    ]


def test_a_raise_changes_what_everybody_has_to_call() -> None:
    table = playing()
    before = dict(table.picture.yours())
    table.plays(f"{table.acting()} raise 100")

    assert all(own is not before[name] for name, own in table.picture.yours().items())


def test_a_street_that_everybody_checks_changes_what_is_seen_of_the_last_to_check_alone() -> None:
    table = playing()
    for answer in ("call", "call", "call", "check", "check", "check", "check", "check"):
        seats, last = table.picture.public()["seats"], table.to_act()
        table.plays(f"{table.acting()} {answer}")
    again = table.picture.public()["seats"]

    assert table.table.hand is not None
    assert table.table.hand.street_name == "turn"
    assert last is not None
    assert isinstance(seats, list)
    assert isinstance(again, list)
    assert [one["seat"] for one, other in zip(seats, again, strict=True) if one is not other] == [last.seat]


def test_a_pre_action_changes_the_own_part_of_its_seat_alone() -> None:
    table = playing()
    waiting = next(seat for seat in table.table.seats.values() if seat is not table.to_act())
    before = dict(table.picture.yours())
    table.do(Arm(account(waiting.name), table.table.hand_id, PreAction.FOLD))

    assert {name for name, own in table.picture.yours().items() if own is not before[name]} == {waiting.account}


def test_what_was_given_out_is_never_changed() -> None:
    table = playing()
    given = []
    for _ in range(200):
        given.append((table.picture.public(), dict(table.picture.yours())))
        given.append(deepcopy(given[-1]))
        if table.to_act() is None:
            table.wait(10_000)
        else:
            table.plays(f"{table.acting()} {'check' if table.actions()['check'] else 'call'}")

    assert table.table.hands > 5
    assert given[::2] == given[1::2]
