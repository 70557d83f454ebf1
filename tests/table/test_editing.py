"""A table's settings are changed while it is played at: from the next hand on, and as its journal says."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from fullring.rules.refusals import Refusal
from fullring.table.commands import Close, Edit, Void
from fullring.table.events import SettingsChanged
from fullring.table.kept import restore, snapshot
from fullring.table.table import opened
from tests.table.facts import facts
from tests.table.playing import Playing, account

Open = Callable[..., Playing]


def edit(table: Playing, **changes: Any) -> Edit:
    return Edit(replace(table.table.settings, **changes))


def blinds(table: Playing) -> tuple[int, int]:
    shown = table.view()["settings"]
    return shown["small_blind"], shown["big_blind"]


def test_between_hands_other_settings_hold_at_once(open_table: Open) -> None:
    table = open_table()
    table.do(edit(table, name="Oak", small_blind=25, big_blind=50))

    assert (table.view()["name"], blinds(table)) == ("Oak", (25, 50))
    (told,) = table.told("settings_changed")
    assert (told["name"], told["settings"]["big_blind"], told["next_hand"]) == ("Oak", 50, False)
    table.sit_all("Ann Bob")
    table.deal()
    assert table.posts() == ["Ann small_blind 25", "Bob big_blind 50"]


def test_during_a_hand_they_wait_for_its_end(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob Cid")
    table.deal()
    table.do(edit(table, small_blind=25, big_blind=50, game="flhe"))
    assert blinds(table) == (10, 20)
    assert table.told("settings_changed")[0]["next_hand"] is True
    assert table.actions()["raise"] == {"min": 40, "max": 1_000}
    table.over()

    assert (blinds(table), table.view()["game"]) == ((25, 50), "flhe")
    assert (table.records[0].small_blind, table.records[0].big_blind) == (10, 20)
    table.deal()
    assert [post.split()[1:] for post in table.posts()] == [["small_blind", "25"], ["big_blind", "50"]]
    assert table.actions()["raise"] == {"min": 100, "max": 100}


def test_the_newest_of_several_changes_during_a_hand_is_the_one_that_comes(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob")
    table.deal()
    table.do(edit(table, big_blind=40))
    assert table.do(edit(table, big_blind=40)) == [], "that is so already"
    table.do(edit(table, big_blind=20))
    table.over()

    assert blinds(table) == (10, 20)
    assert len(table.happened(SettingsChanged)) == 2


def test_after_a_hand_that_is_void_they_hold_too(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob")
    table.deal()
    table.do(edit(table, turn_ms=5_000))
    table.do(Void("a fault"))

    assert table.table.settings.turn_ms == 5_000


def test_a_time_bank_that_is_switched_off_is_off_for_those_who_sit_already(open_table: Open) -> None:
    table = open_table(time_bank_ms=30_000)
    table.sit_all("Ann Bob")
    table.deal()
    table.do(edit(table, time_bank_ms=0))
    assert table.shown_seat("Ann")["time_bank_ms"] == 30_000, "until the hand is over"
    table.over()
    assert [table.shown_seat(name)["time_bank_ms"] for name in ("Ann", "Bob")] == [0, 0]
    table.deal()
    table.wait(30_000)

    assert table.told("time_bank_started") == []
    assert table.told("acted")[-1]["auto"] == "timeout"


def test_a_time_bank_of_another_size_is_everybodys_from_the_next_hand_on(open_table: Open) -> None:
    table = open_table(time_bank_ms=0)
    table.sit_all("Ann Bob")
    table.do(edit(table, time_bank_ms=10_000))
    table.sit("Cid")
    assert [table.shown_seat(name)["time_bank_ms"] for name in ("Ann", "Bob", "Cid")] == [10_000] * 3
    table.deal()
    table.wait(34_000)
    table.plays("Ann call")
    table.over()
    table.do(edit(table, turn_ms=5_000))

    assert table.shown_seat("Ann")["time_bank_ms"] == 6_000, "other changes leave it as it is"


def test_a_table_keeps_its_seats_and_one_that_closes_takes_no_other_settings(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob")
    table.deal()
    assert table.refused(edit(table, seats=9)) is Refusal.ILLEGAL_ACTION
    table.do(Close("late"))
    assert table.refused(edit(table, name="Oak")) is Refusal.CLOSING


def test_a_snapshot_has_the_settings_where_they_are_no_longer_those_of_the_beginning(open_table: Open) -> None:
    table = open_table()
    assert snapshot(table.table).settings is None
    table.do(edit(table, name="Oak"))

    taken = snapshot(table.table)
    assert taken.settings is not None
    assert facts(restore("t1", table.settings, taken)) == facts(table.table)
    assert restore("t1", table.settings, snapshot(opened("t1", table.settings))).settings == table.settings


def test_a_join_code_that_is_set_is_asked_for_from_then_on(open_table: Open) -> None:
    table = open_table()
    table.sit("Ann")
    table.do(edit(table, join_code="oak"))

    assert table.view()["settings"]["join_code"] is True
    assert "oak" not in str(table.updates)
    assert account("Ann") in {seat.account for seat in table.table.seats.values()}
