"""Hands as text and as Open Hand History, read back by a tracker that knows nothing of us: every chip, no card more."""

import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from pokerkit.notation import PokerStarsParser

from fullring.history import ohh_write, text_write
from fullring.rules.actions import Auto
from fullring.rules.cards import text
from fullring.rules.events import Acted, CardsShown, HandVoided, Post, PostKind, PotAwarded, StreetDealt
from fullring.rules.record import HandRecord, seen_by
from tests.history.random_hands import Habits, random_hands, with_late_show
from tests.history.recorded_hands import played, whole
from tests.history.records import recorded_hands
from tests.history.test_phh_write import acts, hand_of
from tests.history.tracker import Reading, read_ohh, read_text

ALL = Habits(
    games=("nlhe", "plhe", "flhe"), leaves=0.04, free_folds=0.03, newcomers=0.2, ties=0.2, short_big_blind=True
)
RAKED = replace(ALL, rake_bps=500)
WORDS = {"folds": "Fold", "checks": "Check", "calls": "Call", "bets": "Bet", "raises": "Raise"}

Write = Callable[[HandRecord, str | None], str]
FORMATS = pytest.mark.parametrize(
    ("write", "read"), [(text_write.write, read_text), (ohh_write.write, read_ohh)], ids=["text", "ohh"]
)


def conformance() -> Iterator[HandRecord]:
    for name, step in (
        ("pluribus_sample.jsonl.gz", 40),
        ("acpc_sample.jsonl.gz", 16),
        ("televised_sample.jsonl.gz", 1),
    ):
        hands = [hand for hand in recorded_hands(name) if whole(hand)]
        for hand in hands[::step]:
            record = played(hand)
            assert [stake.stack for stake in record.ended.stacks] == hand["recorded"]["finishing"], hand["id"]
            yield record


def judge(record: HandRecord, reading: Reading) -> None:
    """Stacks, pots and rake are those of the record."""
    assert reading.start == {stake.seat: stake.stack for stake in record.started.seats}
    assert reading.stacks == {stake.seat: stake.stack for stake in record.ended.stacks}, record.hand
    pots = {event.pot: event for event in record.events if isinstance(event, PotAwarded)}
    assert sorted(reading.pots.values()) == sorted(event.amount for event in pots.values())
    assert reading.rake == sum(event.rake for event in pots.values())
    assert reading.board == [
        text(card) for event in record.events if isinstance(event, StreetDealt) for card in event.cards
    ]


@FORMATS
@pytest.mark.parametrize("habits", [ALL, RAKED], ids=["all", "raked"])
def test_every_chip_of_a_random_hand_is_in_the_export(
    write: Write, read: Callable[[str], Reading], habits: Habits
) -> None:
    for record in random_hands(21, 120, habits):
        reading = read(write(record, None))
        judge(record, reading)
        turns = [event for event in record.events if isinstance(event, Acted)]
        assert [seat for seat, _ in reading.acted] == [event.seat for event in turns]


@FORMATS
def test_recorded_hands_come_back_with_the_stacks_that_others_recorded(
    write: Write, read: Callable[[str], Reading]
) -> None:
    for record in conformance():
        judge(record, read(write(record, "a1")))


@FORMATS
def test_who_may_not_know_a_card_is_not_shown_it(write: Write, read: Callable[[str], Reading]) -> None:
    for record in random_hands(22, 30, ALL):
        public = {
            card for event in record.events if isinstance(event, StreetDealt | CardsShown) for card in event.cards
        }
        holes = {hole.seat: hole.cards for hole in record.holes}
        for account in [None, *(player.account for player in record.players)]:
            written = write(record, account)
            said = set(re.findall(r"\b[2-9TJQKA][cdhs]\b", written))
            own = {seat: cards for seat, cards in holes.items() if f"a{seat}" == account}
            known = public.union(*own.values())
            assert said == {text(card) for card in known}
            assert read(written).own == {seat: [text(card) for card in cards] for seat, cards in own.items()}
            assert written == write(seen_by(record, account), account)


def test_both_exports_tell_the_same_actions() -> None:
    for record in random_hands(23, 50, ALL):
        told = [(seat, WORDS[what]) for seat, what in read_text(text_write.write(record, None)).acted]
        assert told == read_ohh(ohh_write.write(record, None)).acted


def test_pokerkits_reader_of_such_texts_comes_to_the_stacks_that_others_recorded() -> None:
    """It takes no antes. Where its rules differ from ours, docs/hand-histories.md says."""
    parser = PokerStarsParser()
    judged = 0
    for record in conformance():
        if len(record.started.posts) != len(("small blind", "big blind")):
            continue
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="The field 'time_zone_abbreviation'|There is no reason")
            (hand,) = parser(text_write.write(record, None), error_status=True)
        assert hand.players is not None
        state = tuple(hand)[-1]
        seats = {player.name: player.seat for player in record.players}
        ended = {stake.seat: stake.stack for stake in record.ended.stacks}
        assert state.status is False
        assert {seats[name]: stack for name, stack in zip(hand.players, state.stacks, strict=True)} == ended
        judged += 1
    assert judged > 50


def test_a_hand_in_full_is_what_trackers_read() -> None:
    record, _ = hand_of([1000, 700, 1000], acts("3r300 1f 2c 2x 3b400 2c"))
    assert text_write.write(record, "a3") == (
        "PokerStars Hand #179773915764517315:  Hold'em No Limit (50/100) - 2025/04/24 15:21:34 UTC\n"
        "Table 'Magnolia' 10-max (Play Money) Seat #3 is the button\n"
        "Seat 1: Owner _host_ (1000 in chips)\n"
        "Seat 2: A. B. (700 in chips)\n"
        "Seat 3: $5 in chips (1000 in chips)\n"
        "Owner _host_: posts small blind 50\n"
        "A. B.: posts big blind 100\n"
        "*** HOLE CARDS ***\n"
        "Dealt to $5 in chips [Qs Qd]\n"
        "$5 in chips: raises 200 to 300\n"
        "Owner _host_: folds\n"
        "A. B.: calls 200\n"
        "*** FLOP *** [2c 4c 6h]\n"
        "A. B.: checks\n"
        "$5 in chips: bets 400\n"
        "A. B.: calls 400 and is all-in\n"
        "*** TURN *** [2c 4c 6h] [8h]\n"
        "*** RIVER *** [2c 4c 6h 8h] [Th]\n"
        "*** SHOW DOWN ***\n"
        "$5 in chips: shows [Qs Qd] (a pair of Queens)\n"
        "A. B.: shows [Ks Kd] (a pair of Kings)\n"
        "A. B. collected 1450 from pot\n"
        "*** SUMMARY ***\n"
        "Total pot 1450 | Rake 0\n"
        "Board [2c 4c 6h 8h Th]\n"
        "Seat 1: Owner _host_ (small blind) folded before Flop\n"
        "Seat 2: A. B. (big blind) showed [Ks Kd] and won (1450) with a pair of Kings\n"
        "Seat 3: $5 in chips (button) showed [Qs Qd] and lost with a pair of Queens\n"
    )


def test_who_was_not_there_is_said_beside_what_the_table_did() -> None:
    record, _ = hand_of([1000, 1000], acts("2c 1x 1x 2x 1b300 2f"))
    turns = [event for event in record.events if isinstance(event, Acted)]
    autos = dict(zip(turns[-2:], (Auto.TIMEOUT, Auto.AWAY), strict=True))
    events = tuple([replace(one, auto=autos[one]) if one in autos else one for one in record.events])
    lines = text_write.write(replace(record, events=events), None).splitlines()
    at = lines.index("Owner _host_ has timed out")
    assert lines[at + 1] == "Owner _host_: bets 300"
    assert lines[at + 2 : at + 4] == ["A. B. has timed out while disconnected", "A. B.: folds"]


def test_cards_shown_by_choice_are_shown_and_no_others() -> None:
    record, hand = hand_of([1000, 1000, 1000], acts("3r300 1f 2f"))
    lines = text_write.write(record, None).splitlines()
    assert lines[-6] == "$5 in chips: doesn't show hand"
    shown = with_late_show(record, hand, 3, (hand.holes[2][0],))
    assert "$5 in chips: shows [Qs]" in text_write.write(shown, None).splitlines()
    assert read_ohh(ohh_write.write(shown, None)).shown == {3: ["Qs"]}
    judge(shown, read_text(text_write.write(shown, "a1")))


@FORMATS
def test_a_voided_hand_gives_every_chip_back(write: Write, read: Callable[[str], Reading]) -> None:
    record, _ = hand_of([1000, 1000, 1000], acts("3r300 1f 2c 2b400 3f"))
    upto = next(i for i, event in enumerate(record.events) if isinstance(event, StreetDealt)) + 1
    void = HandVoided("lightning", record.started.seats)
    reading = read(write(replace(record, events=(*record.events[:upto], void)), "a2"))
    assert reading.stacks == reading.start == {1: 1000, 2: 1000, 3: 1000}
    assert reading.own == {2: ["Ks", "Kd"]}


@FORMATS
def test_a_blind_that_nobody_matches_wins_nothing(write: Write, read: Callable[[str], Reading]) -> None:
    record, _ = hand_of([1000, 1000], acts("2f"), posts=[Post(1, PostKind.BIG_BLIND, 100)])
    judge(record, read(write(record, "a1")))
    assert "Seat 1: Owner _host_ (big blind) collected (0)\n" in text_write.write(record, "a1")


def test_many_hands_are_one_after_the_other_with_numbers_of_their_own() -> None:
    records = list(random_hands(25, 40, ALL))
    parts = text_write.write_many(records, "a3").split("\n\n\n\n")
    assert [read_text(part).stacks for part in parts] == [
        {stake.seat: stake.stack for stake in record.ended.stacks} for record in records
    ]
    numbers = [int(part.split("#")[1].split(":")[0]) for part in parts]
    assert len(set(numbers)) == len(records)
    assert all(10**17 <= number < 2**63 for number in numbers)


def test_names_that_look_like_the_layout_are_told_apart_from_it() -> None:
    names = ("a: folds", "a_ folds", "b [As Kd]", "Seat 3: x (500 in chips)")
    record, _ = hand_of([1000, 1000, 1000, 1000], acts("3f 4r300 1f 2c 2x 4x 2x 4x 2x 4x"), names=names)
    reading = read_text(text_write.write(record, None))
    judge(record, reading)
    assert set(reading.shown) == {2, 4} or len(reading.shown) == 1


def test_players_who_would_be_called_the_same_are_told_apart() -> None:
    record, _ = hand_of([1000, 1000, 1000], acts("3r300 1f 2c 2b400 3c 2x 3x 2x 3x"), names=("a_ 3", "a:", "a("))
    text = text_write.write(record, None)
    judge(record, read_text(text))
    assert [line.split(": ")[1] for line in text.splitlines()[2:5]] == [
        "a_ 3 (1000 in chips)",
        "a_ (1000 in chips)",
        "a_ 3 3 (1000 in chips)",
    ]
