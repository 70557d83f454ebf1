"""The record of a finished hand: what happened, complete whoever is still there."""

from collections.abc import Callable

from fullring.rules.cards import parse
from fullring.rules.events import (
    Acted,
    CardsShown,
    HandEnded,
    HandStarted,
    HandVoided,
    Posted,
    PotAwarded,
    StreetDealt,
    UncalledReturned,
)
from fullring.rules.hand import Hand, evolve
from fullring.rules.record import HandRecord, Player, seen_by
from fullring.table.commands import ShowCards, Void
from tests.table.playing import SECOND, START, Playing, account

Open = Callable[..., Playing]


def kinds(record: HandRecord) -> list[str]:
    return [type(event).__name__ for event in record.events]


def test_the_record_is_still_complete_when_the_players_have_left(open_table: Open) -> None:
    """PR-G4: five players; one raises, all fold, and the raiser and another leave."""
    table = open_table()
    table.sit_all("Ann Bob Cid Dan Eve")
    table.deal(Bob="AsAh")
    began = table.now
    table.wait(2 * SECOND)
    table.plays("Dan fold", "Eve fold", "Ann fold", "Bob raise 60", "Cid fold")
    table.sit_out("Bob", "Cid")
    table.leave("Bob", "Cid")
    [record] = table.records

    assert record.players == tuple(
        Player(seat, account(name), name, "player")
        for seat, name in ((2, "Bob"), (3, "Cid"), (4, "Dan"), (5, "Eve"), (1, "Ann"))
    )
    assert [stake.stack for stake in record.started.seats] == [1_000] * 5
    assert (record.started_at, record.ended_at) == (began, began + 2 * SECOND)
    assert [(event.seat, event.amount) for event in record.events if isinstance(event, Posted)] == [(2, 10), (3, 20)]
    assert [event.seat for event in record.events if isinstance(event, Acted)] == [4, 5, 1, 2, 3]
    assert [event.amount for event in record.events if isinstance(event, UncalledReturned)] == [40]
    assert not any(isinstance(event, StreetDealt) for event in record.events)
    assert isinstance(record.ended, HandEnded)
    assert {stake.seat: stake.stack for stake in record.ended.stacks} == {
        1: 1_000,
        2: 1_020,
        3: 980,
        4: 1_000,
        5: 1_000,
    }


def test_the_record_tells_what_the_table_was_told(open_table: Open) -> None:
    table = open_table(rake_bps=500, rake_caps=(30,))
    table.sit_all("Ann Bob Cid")
    table.deal(Ann="AsAh", Bob="KsKh", board="2c3d4h8s9s")
    table.plays("Ann raise 60", "Bob call", "Cid call", "Bob check", "Cid check", "Ann bet 100", "Bob call", "Cid fold")
    table.showdown()
    [record] = table.records

    assert record.events[1:] == tuple(event for event in table.table.hand_log if not isinstance(event, HandStarted))
    assert (record.hand, record.number, record.table, record.table_name) == ("t1h1", 1, "t1", "Magnolia")
    assert (record.small_blind, record.big_blind, record.ante, record.seats) == (10, 20, 0, 6)
    assert record.started.deck == ()
    assert {hole.seat: hole.cards for hole in record.holes}[1] == parse("AsAh")
    hand = Hand(record.started)
    for event in record.events[1:]:
        if not isinstance(event, HandEnded):
            evolve(hand, event)
    assert hand.stakes() == {stake.seat: stake.stack for stake in record.ended.stacks}
    assert sum(event.rake for event in record.events if isinstance(event, PotAwarded)) == 19


def test_a_hand_that_the_blinds_decide_is_one_batch_and_has_its_record(open_table: Open) -> None:
    table = open_table(buy_in_min=20, small_blind=20)
    table.sit("Ann", 1, 20)
    table.sit("Bob", 2, 20)
    table.deal(Ann="AsAh", Bob="KsKh", board="2c3d4h8s9s")

    [record] = table.records
    assert kinds(record)[0] == "HandStarted"
    assert [player.name for player in record.players] == ["Bob", "Ann"]
    assert record.started_at == record.ended_at == START + SECOND
    assert table.stacks() == {"Ann": 40, "Bob": 0}


def test_a_void_hand_has_a_record_that_says_so(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob")
    table.deal(Ann="AsAh")
    table.plays("Ann raise 60")
    table.do(Void("it could not go on"))
    [record] = table.records

    assert record.ended == HandVoided("it could not go on", record.started.seats)
    assert kinds(record)[-3:] == ["Acted", "TurnStarted", "HandVoided"]
    assert {hole.seat: hole.cards for hole in record.holes}[1] == parse("AsAh")


def test_no_record_is_made_while_a_hand_goes_on(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob")
    table.deal()
    table.plays("Ann call", "Bob check", "Bob check")

    assert table.records == []


def test_each_may_see_their_own_cards_and_what_was_shown(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob Cid")
    table.deal(Ann="AsAh", Bob="KsKh", Cid="QsQh", board="2c3d4h8s9s")
    table.plays("Ann raise 60", "Bob call", "Cid fold")
    for _ in range(2):
        table.plays("Bob check", "Ann check")
    table.plays("Bob check", "Ann bet 100", "Bob call")
    [record] = table.records

    def holes(name: str | None) -> dict[int, tuple[int, ...]]:
        seen = seen_by(record, None if name is None else account(name))
        return {hole.seat: hole.cards for hole in seen.holes}

    assert holes(None) == {1: parse("AsAh"), 2: (), 3: ()}, "Bob's hand was beaten, and mucked"
    assert holes("Bob") == {1: parse("AsAh"), 2: parse("KsKh"), 3: ()}
    assert holes("Cid") == {1: parse("AsAh"), 2: (), 3: parse("QsQh")}


def test_cards_shown_after_the_end_are_no_part_of_the_hands_own_events(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob")
    table.deal(Ann="AsAh")
    table.plays("Ann raise 60", "Bob fold")
    table.do(ShowCards(account("Ann"), table.table.hand_id, parse("As")))

    assert not any(isinstance(event, CardsShown) for event in table.records[0].events)
    assert len(table.records) == 1


def test_printing_a_table_or_a_record_shows_no_hidden_card(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob")
    table.deal(Ann="AsAh")
    in_play = repr(table.table)
    table.plays("Ann raise 60", "Bob fold")

    assert str(parse("AsAh")) not in f"{in_play} {table.table!r} {table.records[0]!r} {table.journal.rows!r}"
