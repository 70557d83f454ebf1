"""docs/rules.md: options of a table, and what they do to the hands played there."""

from collections.abc import Callable

import pytest

from fullring.rules.events import HandEnded, HandStarted, PotAwarded
from fullring.table.settings import CHIPS_MAX, DAY, MINUTE, SECOND, TableSettings
from tests.table.playing import Playing

Open = Callable[..., Playing]


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"game": "badugi"}, "game is one of"),
        ({"seats": 1}, "seats are 2 to 10"),
        ({"seats": 11}, "seats are 2 to 10"),
        ({"big_blind": 0, "small_blind": 0}, f"the big blind is 1 to {CHIPS_MAX}"),
        ({"big_blind": CHIPS_MAX + 1}, f"the big blind is 1 to {CHIPS_MAX}"),
        ({"small_blind": -1}, "the small blind is at most the big blind"),
        ({"small_blind": 11}, "the small blind is at most the big blind"),
        ({"ante": -1}, "the ante is at most the big blind"),
        ({"ante": 11}, "the ante is at most the big blind"),
        ({"big_blind_ante": 11}, "the big-blind ante is at most the big blind"),
        ({"ante": 1, "big_blind_ante": 10}, "an ante or a big-blind ante, not both"),
        ({"buy_in_min": 9}, "the smallest buy-in is at least a big blind"),
        ({"buy_in_max": 199}, "the largest buy-in is at least the smallest"),
        ({"buy_in_max": CHIPS_MAX + 1}, f"the largest buy-in is at most {CHIPS_MAX}"),
        ({"turn_ms": 99}, "a turn is a tenth of a second to 10 minutes"),
        ({"time_bank_ms": -1}, "the time bank is at most 10 minutes"),
        ({"time_bank_max_ms": 11 * MINUTE}, "the fullest time bank is at most 10 minutes"),
        ({"time_bank_step_ms": -1}, "a time bank grows by at most 10 minutes"),
        ({"time_bank_hands": 0}, "a time bank grows every hand at most"),
        ({"hand_pause_ms": MINUTE + 1}, "the pause between hands is at most a minute"),
        ({"show_ms": -1}, "cards can be shown for at most a minute after a hand"),
        ({"rebuy_ms": DAY + 1}, "a busted seat is kept for a day at most"),
        ({"jitter_ms": 5_001}, "a pre-action waits for at most 5 seconds"),
        ({"ratholing_ms": -1}, "a stack is remembered for a week at most"),
        ({"sit_out_yield_ms": 2 * MINUTE, "sit_out_max_ms": MINUTE}, "given up for others no later than anyway"),
        ({"sit_out_max_ms": DAY + 1}, "a seat is kept for a day at most"),
        ({"missed_big_blinds_max": 0}, "at least one missed big blind"),
        ({"rake_bps": 1_001, "rake_caps": (10,)}, "the rake is 0 to 10 percent"),
        ({"rake_bps": 500}, "a rake needs its caps by number of players"),
        ({"rake_bps": 500, "rake_caps": (-1,)}, f"a rake's cap is a number of chips, 0 to {CHIPS_MAX}"),
    ],
)
def test_settings_that_make_no_table_are_refused_in_a_sentence(chosen: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        TableSettings("Magnolia", **chosen)  # type: ignore[arg-type]  # What is wrong is the point.


def test_usual_settings_are_those_of_the_rules() -> None:
    usual = TableSettings("Magnolia")

    assert (usual.turn_ms, usual.time_bank_ms, usual.time_bank_max_ms) == (30 * SECOND, 30 * SECOND, MINUTE)
    assert (usual.time_bank_step_ms, usual.time_bank_hands) == (5 * SECOND, 10)
    assert (usual.hand_pause_ms, usual.show_ms, usual.rebuy_ms) == (SECOND, 5 * SECOND, MINUTE)
    assert (usual.ratholing_ms, usual.sit_out_yield_ms, usual.sit_out_max_ms) == (60 * MINUTE, 15 * MINUTE, 60 * MINUTE)
    assert (usual.missed_big_blinds_max, usual.dead_button, usual.show_all, usual.rake_bps) == (3, False, False, 0)


def test_a_table_says_nothing_of_its_join_code() -> None:
    assert "xyzzy" not in repr(TableSettings("Magnolia", join_code="xyzzy"))


# --- games ---


def test_fixed_limit_bets_the_big_blind_and_twice_that_on_the_last_two_streets(open_table: Open) -> None:
    table = open_table(game="flhe")
    table.sit_all("Ann Bob")
    table.deal()
    assert table.actions()["raise"] == {"min": 40, "max": 40}
    table.plays("Ann call", "Bob check", "Bob bet 20", "Ann call")

    assert table.actions()["bet"] == {"min": 40, "max": 40}


def test_pot_limit_raises_to_the_pot_after_calling(open_table: Open) -> None:
    table = open_table(game="plhe")
    table.sit_all("Ann Bob Cid")
    table.deal()

    assert table.actions()["raise"] == {"min": 40, "max": 70}


def test_what_a_hand_is_played_for_is_fixed_when_it_starts(open_table: Open) -> None:
    """PR-F1: the smallest bet of every street and the next raise are those of the hand's own blinds."""
    table = open_table()
    table.sit_all("Ann Bob Cid")
    table.deal()
    started = table.happened(HandStarted)[-1]
    assert (started.min_bet, started.big_bet) == (20, 20)
    table.plays("Ann call", "Bob call", "Cid check", "Bob check", "Cid check", "Ann check")
    assert table.actions()["bet"] == {"min": 20, "max": 980}
    table.plays("Bob bet 20")
    assert table.actions()["raise"] == {"min": 40, "max": 980}
    table.plays("Cid raise 40", "Ann fold", "Bob fold")

    assert table.stacks() == {"Ann": 980, "Bob": 960, "Cid": 1_060}


# --- rake ---


def three_pots(open_table: Open, **chosen: object) -> Playing:
    """PR-B3: a main pot of 400 to one player, side pots of 603 and 598 tied between two others."""
    table = open_table(buy_in_min=100, **chosen)
    for seat, (name, chips) in enumerate((("Dan", 1_000), ("Ann", 1_000), ("Bob", 301), ("Cid", 100)), 1):
        table.sit(name, seat, chips)
    table.deal(Ann="AsKd", Bob="QcJc", Cid="7h7d", Dan="AdKs", board="7sAh9c4d2s")
    table.plays("Cid all-in", "Dan raise 400", "Ann call", "Bob all-in")
    table.plays("Ann check", "Dan check", "Ann bet 200", "Dan call", "Ann check", "Dan check")
    return table


def test_without_a_rake_the_awards_are_the_pots(open_table: Open) -> None:
    """PR-B6."""
    table = three_pots(open_table)

    assert table.stacks() == {"Ann": 1_001, "Bob": 0, "Cid": 400, "Dan": 1_000}
    assert table.told("hand_ended")[-1]["rake"] == 0
    assert table.bought == 2_401


def test_each_pot_is_raked_by_itself_rounded_down(open_table: Open) -> None:
    """PR-B6: 20 of 400, 30 of 603, 29 of 598; awards and rake together are 1,601."""
    table = three_pots(open_table, rake_bps=500, rake_caps=(10**6,))
    pots = table.happened(PotAwarded)

    assert sorted((pot.amount, pot.rake) for pot in pots) == [(400, 20), (598, 29), (603, 30)]
    assert sum(share.amount for pot in pots for share in pot.winners) + 79 == 1_601
    assert table.told("hand_ended")[-1]["rake"] == 79
    assert table.bought == 2_401 - 79


def test_there_is_no_rake_without_a_flop_nor_on_a_bet_that_nobody_called(open_table: Open) -> None:
    """PR-B6 with the hand of PR-B4: 40 back, a pot of 50, no rake."""
    table = open_table(rake_bps=500, rake_caps=(10**6,))
    table.sit_all("Ann Bob Cid")
    table.deal()
    table.plays("Ann raise 60", "Bob fold", "Cid fold")

    assert table.stacks() == {"Ann": 1_030, "Bob": 990, "Cid": 980}
    assert table.happened(HandEnded)[-1].rake == 0
    table.deal()
    table.plays("Bob call", "Cid call", "Ann check", "Cid bet 500")
    table.over()
    assert table.told("uncalled_returned")[-1]["amount"] == 500
    assert table.happened(HandEnded)[-1].rake == 3, "five percent of 60"


def test_the_rake_is_capped_by_the_number_of_players_dealt_in(open_table: Open) -> None:
    table = open_table(rake_bps=500, rake_caps=(5, 8, 13))
    assert [table.settings.rake_cap(players) for players in (2, 3, 4, 9)] == [5, 8, 13, 13]
    table.sit_all("Ann Bob Cid")
    table.deal()
    table.plays("Ann raise 500", "Bob call", "Cid call")
    table.showdown()

    assert table.happened(HandEnded)[-1].rake == 8
