"""A finished hand as a copy of the facts, and what of it an account may see."""

from dataclasses import replace

from fullring.rules.cards import Deck, parse
from fullring.rules.events import CardsShown, HandEnded, HandVoided, Stake
from fullring.rules.record import HandRecord, HoleCards, Player, seen_by, without_deck
from tests.scenario import Scenario, play

PLAYED = """
    no-limit 10/20
    Ann 500 AhKh
    Bob 500 2d7s
    Cid 500 9c9d button

    Cid calls 20
    Ann calls 10
    Bob checks
    flop QhQcAs
    Ann bets 20
    Bob calls 20
    Cid folds
    turn Tc
    Ann checks
    Bob checks
    river 5h
    Ann checks
    Bob checks
    Ann shows AhKh
    Bob mucks
"""


def recorded(scenario: Scenario) -> HandRecord:
    hand = scenario.hand
    names = {seat: name for name, seat in scenario.names.items()}
    return HandRecord(
        hand="h",
        number=1,
        table="t",
        table_name="Fir",
        small_blind=10,
        big_blind=20,
        ante=0,
        seats=6,
        started_at=0,
        ended_at=1000,
        players=tuple(Player(seat, names[seat].lower(), names[seat], "guest") for seat in hand.seats),
        holes=tuple(HoleCards(seat, cards) for seat, cards in zip(hand.seats, hand.holes, strict=True)),
        events=without_deck(scenario.events),
    )


def known(record: HandRecord) -> dict[int, tuple[int, ...]]:
    return {hole.seat: hole.cards for hole in record.holes}


def test_a_record_begins_and_ends_with_the_hand_and_holds_no_deck() -> None:
    record = recorded(play(PLAYED))
    assert record.started.deck == Deck()
    assert isinstance(record.ended, HandEnded)
    assert sum(stake.stack for stake in record.ended.stacks) == 1500


def test_a_void_hand_ends_too() -> None:
    scenario = play("no-limit 10/20\nAnn 500\nBob 500 button")
    void = HandVoided("the log does not replay", (Stake(1, 500), Stake(2, 500)))
    scenario.events.append(void)
    assert recorded(scenario).ended == void


def test_a_player_sees_the_own_cards_and_what_was_shown() -> None:
    record = recorded(play(PLAYED))
    assert known(seen_by(record, "bob")) == {1: parse("AhKh"), 2: parse("2d7s"), 3: ()}
    assert known(seen_by(record, "cid")) == {1: parse("AhKh"), 2: (), 3: parse("9c9d")}


def test_a_spectator_sees_only_what_was_shown() -> None:
    assert known(seen_by(recorded(play(PLAYED)), None)) == {1: parse("AhKh"), 2: (), 3: ()}


def test_what_was_shown_after_the_hand_is_seen_by_all() -> None:
    scenario = play("no-limit 10/20\nAnn 500\nBob 500 AsKs button\nBob raises to 60\nAnn folds")
    late = CardsShown(2, parse("Ks"))
    record = replace(recorded(scenario), shown_late=(late,))
    assert known(seen_by(record, None)) == {1: (), 2: parse("Ks")}
