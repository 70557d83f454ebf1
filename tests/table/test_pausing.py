"""docs/rules.md, the clock: pauses, the room's own outage, a restart, a hand that is void."""

from collections.abc import Callable

from fullring.rules.cards import FULL_DECK, Deck
from fullring.rules.events import HandVoided, Stake
from fullring.rules.refusals import Refusal
from fullring.table.commands import Arm, Close, Kick, Pause, PreAction, Resume, Tick, Void
from fullring.table.events import Entry, Event, Positions, Seated
from fullring.table.kept import restore, snapshot
from fullring.table.table import deadline, decide, evolve, opened, record
from fullring.table.views import public_events, public_view
from tests.table.facts import facts
from tests.table.playing import MINUTE, SECOND, START, Playing, account

Open = Callable[..., Playing]


def in_play(open_table: Open, **chosen: object) -> Playing:
    """Before the flop: Ann has the button and is to act, Bob and Cid have the blinds."""
    table = open_table(**chosen)
    table.sit_all("Ann Bob Cid")
    table.deal()
    return table


# --- pauses ---


def test_a_host_who_resumes_a_table_that_plays_gives_nobody_a_fresh_clock(open_table: Open) -> None:
    table = in_play(open_table)
    before = deadline(table.table)
    table.wait(10 * SECOND)
    assert table.do(Resume("go on", by_host=True)) == []
    assert deadline(table.table) == before


def test_while_a_table_is_paused_no_clock_runs_and_nobody_acts(open_table: Open) -> None:
    table = in_play(open_table)
    table.do(Pause("a break"))
    assert deadline(table.table) is None
    assert table.tick() == []
    assert (table.view()["status"], table.view()["reason"]) == ("paused", "a break")
    assert table.shown_turn() is None
    table.wait(60 * MINUTE)

    assert table.acting() == "Ann"
    assert table.refused(table.answer("Ann call")) is Refusal.TABLE_PAUSED
    assert table.refused(Arm(account("Bob"), table.table.hand_id, PreAction.FOLD)) is Refusal.TABLE_PAUSED
    assert table.do(Pause("again")) == []
    assert table.told("table_paused") == [{"type": "table_paused", "reason": "a break"}]


def test_after_a_pause_the_player_to_act_has_a_full_clock(open_table: Open) -> None:
    table = in_play(open_table)
    table.wait(29 * SECOND)
    table.pause(MINUTE)

    assert table.table.deadline == table.now + 30 * SECOND
    assert table.shown_turn() is not None
    table.plays("Ann call")


def test_after_a_pause_the_time_bank_is_as_full_as_before(open_table: Open) -> None:
    table = in_play(open_table)
    table.wait(40 * SECOND)
    assert table.table.bank_running
    table.pause(MINUTE)
    table.wait(30 * SECOND)

    assert table.table.deadline == table.now + 30 * SECOND
    assert table.table.bank_running


def test_no_hand_starts_while_a_table_is_paused(open_table: Open) -> None:
    table = in_play(open_table)
    table.over()
    table.do(Pause("a break"))
    table.wait(MINUTE)
    assert table.table.hands == 1
    table.do(Resume("go on"))
    table.wait(SECOND)

    assert table.table.hands == 2


def test_a_table_where_nothing_was_played_yet_may_be_paused_too(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob")
    table.pause(MINUTE)
    table.deal()

    assert table.table.hands == 1


def test_who_leaves_during_a_pause_folds_and_the_next_turn_waits_for_its_clock(open_table: Open) -> None:
    table = in_play(open_table)
    table.do(Pause("a break"))
    table.leave("Ann")
    assert table.acting() == "Bob"
    assert table.table.deadline is None
    assert table.told("turn_started")[-1]["seat"] == 1
    table.do(Kick(account("Bob"), "removed"))
    assert table.table.between_hands
    table.wait(MINUTE)
    table.do(Resume("go on"))

    assert table.stacks() == {"Cid": 1_010}


def test_the_turn_that_began_in_a_pause_gets_its_clock_when_play_goes_on(open_table: Open) -> None:
    table = in_play(open_table)
    table.do(Pause("a break"))
    table.leave("Ann")
    table.do(Resume("go on"))

    assert table.told("turn_started")[-1]["seat"] == 2
    assert table.table.deadline == table.now + 30 * SECOND


# --- the room's own outage ---


def test_when_the_log_is_back_the_player_to_act_has_a_full_clock(open_table: Open) -> None:
    table = in_play(open_table)
    table.now += 5 * MINUTE  # The runtime let no clock run.
    table.do(Resume("the log is back"))

    assert table.table.deadline == table.now + 30 * SECOND
    assert table.told("table_resumed") == [{"type": "table_resumed", "reason": "the log is back"}]


def test_an_outage_moves_what_was_due_later(open_table: Open) -> None:
    table = in_play(open_table)
    table.sit("Dan", 4)
    table.sit_out("Dan")
    until = table.seat("Dan").out_until
    table.now += 5 * MINUTE
    table.do(Resume("the log is back"))

    assert table.seat("Dan").out_until == until + 5 * MINUTE


# --- a restart ---


def test_after_a_restart_the_hand_goes_on_with_a_full_clock_and_nobody_is_connected(open_table: Open) -> None:
    table = in_play(open_table)
    table.plays("Ann raise 60")
    cards = [table.you(name)["cards"] for name in ("Ann", "Bob", "Cid")]
    again = opened("t1", table.settings)
    for at, events in table.journal.rows:
        evolve(again, events, at)
    assert facts(again) == facts(table.table)
    table.now += 10 * MINUTE
    table.do(Resume("restart", lost_connections=True))

    assert table.acting() == "Bob"
    assert table.table.deadline == table.now + 30 * SECOND
    assert [seat.connected for seat in table.table.seats.values()] == [False, False, False]
    assert [table.you(name)["cards"] for name in ("Ann", "Bob", "Cid")] == cards
    table.connect("Bob")
    table.plays("Bob call")


def test_no_hand_starts_after_a_restart_before_two_are_back(open_table: Open) -> None:
    table = in_play(open_table)
    table.over()
    table.do(Resume("restart", lost_connections=True))
    table.wait(MINUTE)
    assert table.table.hands == 1
    table.connect("Ann")
    table.wait(MINUTE)
    assert table.table.hands == 1
    table.connect("Cid")
    table.wait(SECOND)

    assert table.table.hands == 2


def test_who_does_not_come_back_after_a_restart_loses_the_seat_like_who_sits_out(open_table: Open) -> None:
    table = in_play(open_table)
    table.over()
    table.do(Resume("restart", lost_connections=True))
    table.wait(60 * MINUTE - 1)
    assert table.names() == "Ann Bob Cid"
    table.wait(1)

    assert table.table.seats == {}
    assert table.bought == 0


def test_a_hosts_pause_outlives_a_restart(open_table: Open) -> None:
    table = in_play(open_table)
    table.sit("Dan", 4)
    table.sit_out("Dan")
    until = table.seat("Dan").out_until
    table.wait(SECOND)
    table.do(Pause("a break"))
    table.wait(MINUTE)
    table.do(Resume("restart", lost_connections=True))
    assert table.view()["status"] == "paused"
    assert table.told("table_resumed") == [], "it has not"
    assert (deadline(table.table), table.table.deadline) == (None, None)
    table.wait(MINUTE)
    table.do(Resume("go on"))

    assert table.table.deadline == table.now + 30 * SECOND
    assert table.seat("Dan").out_until == until + 2 * MINUTE


def test_a_table_is_made_again_from_a_snapshot_between_hands(open_table: Open) -> None:
    table = in_play(open_table, rake_bps=500, rake_caps=(30,))
    table.over()
    table.sit_out("Bob")
    table.disconnect("Cid")
    table.leave("Ann")
    again = restore("t1", table.settings, snapshot(table.table))

    assert snapshot(again) == snapshot(table.table)
    assert again.chips == table.bought
    assert deadline(again) == deadline(table.table)


# --- a void hand ---


def test_a_void_hand_gives_every_chip_back_and_everybody_is_told(open_table: Open) -> None:
    """PR-H3: three players, a pot of 300 on the turn."""
    table = in_play(open_table)
    table.plays("Ann raise 100", "Bob call", "Cid call", "Bob check", "Cid check", "Ann check")
    table.do(Void("it could not go on"))

    assert table.stacks() == {"Ann": 1_000, "Bob": 1_000, "Cid": 1_000}
    assert table.told("hand_voided") == [
        {
            "type": "hand_voided",
            "hand": "t1h1",
            "reason": "it could not go on",
            "stacks": [{"seat": seat, "stack": 1_000} for seat in (2, 3, 1)],
        }
    ]
    assert {seat["holds"] for seat in table.view()["seats"]} == {0}
    assert table.do(Void("again")) == []


def test_after_a_void_hand_button_and_blinds_stand_where_they_stood(open_table: Open) -> None:
    table = in_play(open_table)
    table.over()
    assert table.deal() == "button Bob, small blind Cid, big blind Ann"
    table.do(Void("it could not go on"))

    assert table.deal() == "button Bob, small blind Cid, big blind Ann"
    assert table.table.hand_id == "t1h3", "it is another hand all the same"


def test_after_a_void_hand_what_was_owed_is_owed_again(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob Cid Dan")
    table.deal()
    table.over()
    table.sit("Eve", 5, post_now=True)
    table.sit_out("Cid")
    table.deal()
    places, posts = table.places(), table.posts()
    assert table.seat("Cid").missed_small
    table.do(Void("it could not go on"))

    assert not table.seat("Cid").missed_small
    assert table.seat("Eve").entry is Entry.POST
    assert [table.seat(name).hands for name in ("Ann", "Cid", "Eve")] == [1, 1, 0]
    assert (table.deal(), table.posts()) == (places, posts)


def test_who_came_back_in_a_void_hand_owes_no_blind_that_only_it_had_passed_by(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bob Cid Dan Eve")
    table.deal()
    table.over()
    table.sit_out("Dan", "Eve")
    table.deal()
    table.sit_in("Eve")
    assert table.you("Eve")["waiting"] == "big_blind"
    table.do(Void("it could not go on"))
    table.sit_in("Dan")

    assert table.deal() == "button Bob, small blind Cid, big blind Dan"
    assert table.dealt() == "Cid Dan Eve Ann Bob"
    assert table.posts() == ["Cid small_blind 10", "Dan big_blind 20"]


def test_a_void_first_hand_leaves_a_table_where_none_was_played(open_table: Open) -> None:
    table = in_play(open_table)
    table.do(Void("it could not go on"))

    assert table.deal() == "button Ann, small blind Bob, big blind Cid"
    assert table.posts() == ["Bob small_blind 10", "Cid big_blind 20"]


def test_a_void_hand_still_ends_what_waited_for_its_end(open_table: Open) -> None:
    table = in_play(open_table)
    table.leave("Cid")
    table.sit_out("Bob")
    table.top_up("Ann", 200)
    table.do(Void("it could not go on"))

    assert table.stacks() == {"Ann": 1_200, "Bob": 1_000}
    assert table.seat("Bob").out
    assert table.told("left")[-1]["stack"] == 1_000


def test_a_table_that_closes_does_so_after_a_void_hand_too(open_table: Open) -> None:
    table = in_play(open_table)
    table.do(Close("the evening is over"))
    table.do(Void("it could not go on"))

    assert table.table.closed
    assert table.bought == 0


def test_no_pause_is_needed_before_a_void(open_table: Open) -> None:
    table = in_play(open_table)
    table.do(Pause("a break"))
    table.do(Void("it could not go on"))
    assert table.view()["status"] == "paused"
    table.do(Resume("go on"))
    table.deal()

    assert table.table.hands == 2


def test_a_hand_that_could_not_be_read_is_void_at_a_table_that_begins_anew(open_table: Open) -> None:
    """The first batch of a new history, as the runtime writes it: the money stands where the seats say."""
    table = in_play(open_table)
    stakes = tuple(Stake(seat, 1_000) for seat in (2, 3, 1))
    seats = [Seated(n, account(name), name, "player", 1_000, Entry.NOW, START) for n, name in ((1, "Ann"), (2, "Bob"))]
    events: list[Event] = [HandVoided("its log could not be read", stakes), *seats]
    new = opened("t1", table.settings)
    new.hands, new.button = table.table.hands, table.table.button
    assert record(new, events, START) is None, "there is nothing to tell of it"
    evolve(new, events, START)

    assert {seat.name: seat.stack for seat in new.seats.values()} == {"Ann": 1_000, "Bob": 1_000}
    assert public_events(new, events)[0]["hand"] == "t1h1"
    assert "hand" not in public_view(new)
    started = decide(new, Tick(Deck(FULL_DECK)), START)
    assert started[0] == Positions(2, 2, 2, 1, START), "the button moves on from where it was"
