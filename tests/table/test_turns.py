"""docs/rules.md, the table: an answer belongs to one turn; pre-actions; showing cards after the hand."""

from collections.abc import Callable

import pytest

from fullring.rules.cards import parse
from fullring.rules.refusals import Refusal, Refused
from fullring.table.commands import ActOnTurn, Arm, Chat, Disarm, Pause, PlayArmed, PreAction, Resume, ShowCards
from fullring.table.ids import HandId
from fullring.table.state import NO_HAND
from tests.table.playing import SECOND, Playing, account

Open = Callable[..., Playing]


def in_play(open_table: Open, names: str = "Ann Bob Cid", **chosen: object) -> Playing:
    """Before the flop. Of three, Ann has the button and is to act, Bob and Cid have the blinds."""
    table = open_table(**chosen)
    table.sit_all(names)
    table.deal(Ann="AsAh", Bob="KsKh", board="2c3d4h8s9s")
    return table


def acted(table: Playing) -> list[tuple[object, ...]]:
    return [(event["seat"], event["action"], event.get("auto")) for event in table.told("acted")]


# --- answers ---


def test_an_answer_to_an_earlier_turn_is_stale_however_legal_it_would_be_now(open_table: Open) -> None:
    """PR-E3: check and bet within 80 ms; the check closes the street and the same player is first on the next."""
    table = in_play(open_table, "Ann Bob")
    table.plays("Ann call")
    check, bet = table.answer("Bob check"), table.answer("Bob bet 60")
    table.do(check)
    assert table.acting() == "Bob"

    assert table.refused(bet) is Refusal.STALE_TURN
    assert table.acting() == "Bob"
    table.plays("Bob bet 60")


def test_a_fold_sent_three_times_folds_once(open_table: Open) -> None:
    """PR-E3: one fold, one award."""
    table = in_play(open_table, "Ann Bob")
    table.plays("Ann all-in")
    fold = table.answer("Bob fold")
    table.do(fold)

    assert table.refused(fold) is Refusal.STALE_TURN
    assert table.refused(fold) is Refusal.STALE_TURN
    assert len(table.told("pot_awarded")) == 1


def test_who_acts_out_of_turn_is_told_whose_turn_it_is(open_table: Open) -> None:
    table = in_play(open_table)
    with pytest.raises(Refused, match="it is seat 1's turn") as refused:
        table.plays("Bob call")
    assert refused.value.code is Refusal.NOT_YOUR_TURN


def test_an_answer_to_another_hand_is_stale(open_table: Open) -> None:
    table = in_play(open_table)
    answer = table.answer("Ann call")
    wrong = ActOnTurn(answer.account, HandId("t1h9"), answer.turn, answer.action)

    assert table.refused(wrong) is Refusal.STALE_TURN
    before = open_table()
    before.sit("Ann")
    assert before.refused(ActOnTurn(account("Ann"), NO_HAND, answer.turn, answer.action)) is Refusal.STALE_TURN


def test_only_who_sits_may_act(open_table: Open) -> None:
    table = in_play(open_table)
    assert table.refused(table.answer("Eve fold")) is Refusal.NOT_SEATED
    table.sit("Eve", 5)
    assert table.refused(table.answer("Eve fold")) is Refusal.NOT_YOUR_TURN


@pytest.mark.parametrize("to", [-50, 0, 20, 39, 1_001, 2**63, 40.5, "40", "NaN", None, True, [40]])
def test_an_amount_that_is_no_raise_leaves_the_turn_open(open_table: Open, to: object) -> None:
    """PR-I1."""
    table = in_play(open_table)
    deadline = table.table.deadline
    answer = table.answer("Ann raise 40")
    wrong = ActOnTurn(answer.account, answer.hand, answer.turn, answer.action, to)  # type: ignore[arg-type]  # As sent.

    assert table.refused(wrong) is Refusal.BAD_AMOUNT
    assert (table.acting(), table.table.deadline) == ("Ann", deadline)
    table.do(answer)


def test_what_the_view_offers_is_accepted_and_all_else_refused(open_table: Open) -> None:
    table = in_play(open_table)
    assert table.actions() == {
        "fold": True,
        "check": False,
        "call": 20,
        "raise": {"min": 40, "max": 1_000},
        "all_in": 1_000,
    }

    for line in ("Ann check", "Ann bet 40", "Ann raise 39", "Ann raise 1001"):
        table.refused(table.answer(line))
    table.plays("Ann raise 40")


# --- pre-actions ---


def arm(table: Playing, name: str, action: PreAction, to_call: int | None = None) -> None:
    table.do(Arm(account(name), table.table.hand_id, action, to_call))


def test_a_pre_action_answers_the_turn_at_once_and_says_so(open_table: Open) -> None:
    table = in_play(open_table)
    arm(table, "Bob", PreAction.CALL)
    table.plays("Ann call")

    assert acted(table) == [(1, "call", None), (2, "call", "armed")]
    assert table.acting() == "Cid"


def test_a_pre_action_may_wait_in_its_turn_like_a_player_who_thinks(open_table: Open) -> None:
    table = in_play(open_table, jitter_ms=1_000)
    arm(table, "Bob", PreAction.CALL)
    table.plays("Ann call")

    assert table.acting() == "Bob"
    assert "armed" not in str(table.view())
    assert table.do(PlayArmed())
    assert acted(table) == [(1, "call", None), (2, "call", "armed")]
    assert table.acting() == "Cid"
    assert table.do(PlayArmed()) == []


def test_while_a_pre_action_waits_its_player_may_act_or_take_it_back(open_table: Open) -> None:
    table = in_play(open_table, jitter_ms=1_000)
    arm(table, "Bob", PreAction.FOLD)
    arm(table, "Cid", PreAction.CHECK)
    table.plays("Ann call", "Bob call")
    table.do(Disarm(account("Cid"), table.table.hand_id))

    assert table.do(PlayArmed()) == []
    assert acted(table) == [(1, "call", None), (2, "call", None)]
    assert table.acting() == "Cid"


def test_a_paused_table_plays_no_pre_action(open_table: Open) -> None:
    table = in_play(open_table, jitter_ms=1_000)
    arm(table, "Bob", PreAction.FOLD)
    table.plays("Ann call")
    table.do(Pause("a break"))
    assert table.do(PlayArmed()) == []
    table.do(Resume("on we go"))
    assert table.do(PlayArmed())


def test_a_pre_action_is_known_to_its_own_player_alone(open_table: Open) -> None:
    table = in_play(open_table)
    seq, view = table.table.seq, table.view()
    arm(table, "Bob", PreAction.CALL)

    assert table.you("Bob")["armed"] == {"action": "call", "to_call": 10}
    assert (table.table.seq, table.view()) == (seq, view)
    assert "armed" not in table.you("Ann")
    assert table.updates[-1]["events"] == []


@pytest.mark.parametrize(
    ("action", "raised", "then"),
    [
        (PreAction.FOLD, False, "fold"),
        (PreAction.FOLD, True, "fold"),
        (PreAction.CHECK_FOLD, True, "fold"),
        (PreAction.CALL_ANY, False, "call"),
        (PreAction.CALL_ANY, True, "call"),
        (PreAction.CALL, False, "call"),
        (PreAction.CALL, True, None),
    ],
)
def test_what_each_pre_action_comes_to(open_table: Open, action: PreAction, raised: bool, then: str | None) -> None:
    table = in_play(open_table)
    arm(table, "Bob", action)
    table.plays("Ann raise 60" if raised else "Ann call")

    assert acted(table)[1:] == ([] if then is None else [(2, then, "armed")])
    assert then is not None or table.acting() == "Bob"


@pytest.mark.parametrize(
    ("action", "bet", "then"),
    [
        (PreAction.CHECK, False, "check"),
        (PreAction.CHECK, True, None),
        (PreAction.CHECK_FOLD, False, "check"),
        (PreAction.CHECK_FOLD, True, "fold"),
        (PreAction.CALL_ANY, False, "check"),
        (PreAction.CALL_ANY, True, "call"),
    ],
)
def test_what_each_pre_action_comes_to_where_checking_is_free(
    open_table: Open, action: PreAction, bet: bool, then: str | None
) -> None:
    table = in_play(open_table)
    table.plays("Ann call", "Bob call", "Cid check")
    arm(table, "Cid", action)
    table.plays("Bob bet 40" if bet else "Bob check")

    assert acted(table)[-1] == ((2, "bet", None) if then is None else (3, then, "armed"))
    assert (table.acting() == "Cid") is (then is None)
    assert "armed" not in table.you("Cid"), "done or dropped"


def test_a_dropped_pre_action_does_not_come_back(open_table: Open) -> None:
    table = in_play(open_table)
    arm(table, "Bob", PreAction.CALL)
    table.plays("Ann raise 60")

    assert "armed" not in table.you("Bob")


def test_a_fold_and_a_call_of_any_amount_hold_while_others_raise_and_think(open_table: Open) -> None:
    for action, then in ((PreAction.FOLD, "fold"), (PreAction.CHECK_FOLD, "fold"), (PreAction.CALL_ANY, "call")):
        table = in_play(open_table)
        arm(table, "Cid", action)
        table.plays("Ann raise 60")
        assert table.you("Cid")["armed"]["action"] == action
        table.plays("Bob call")

        assert acted(table)[-1] == (3, then, "armed")


def test_a_pre_action_holds_from_one_street_to_the_next_and_for_one_turn(open_table: Open) -> None:
    table = in_play(open_table)
    table.plays("Ann call", "Bob call")
    arm(table, "Bob", PreAction.CHECK_FOLD)
    table.plays("Cid check")
    assert acted(table)[-1] == (2, "check", "armed")
    table.plays("Cid check", "Ann check")

    assert table.acting() == "Bob"


def test_a_pre_action_answers_one_turn_though_the_next_is_the_same_players(open_table: Open) -> None:
    table = in_play(open_table, "Ann Bob")
    arm(table, "Bob", PreAction.CHECK_FOLD)
    table.plays("Ann call")

    assert acted(table) == [(1, "call", None), (2, "check", "armed")]
    assert table.acting() == "Bob", "first on the flop"
    assert "armed" not in table.you("Bob")


def test_several_pre_actions_answer_one_after_the_other(open_table: Open) -> None:
    table = in_play(open_table)
    arm(table, "Bob", PreAction.CALL)
    arm(table, "Cid", PreAction.CHECK)
    table.plays("Ann call")

    assert acted(table) == [(1, "call", None), (2, "call", "armed"), (3, "check", "armed")]
    assert table.acting() == "Bob"


def test_a_pre_action_is_dropped_with_the_hand(open_table: Open) -> None:
    table = in_play(open_table)
    arm(table, "Cid", PreAction.CALL_ANY)
    table.plays("Ann fold", "Bob fold")

    assert "armed" not in table.you("Cid")


def test_a_pre_action_may_be_taken_back(open_table: Open) -> None:
    table = in_play(open_table)
    arm(table, "Bob", PreAction.FOLD)
    table.do(Disarm(account("Bob"), table.table.hand_id))
    assert table.do(Disarm(account("Bob"), table.table.hand_id)) == []
    assert table.refused(Disarm(account("Bob"), HandId("t1h9"))) is Refusal.STALE_TURN
    table.plays("Ann call")

    assert table.acting() == "Bob"


def test_a_pre_action_must_be_possible(open_table: Open) -> None:
    table = in_play(open_table)
    hand = table.table.hand_id

    assert table.refused(Arm(account("Ann"), hand, PreAction.CALL)) is Refusal.ILLEGAL_ACTION, "it is her turn"
    assert table.refused(Arm(account("Bob"), hand, PreAction.CHECK)) is Refusal.ILLEGAL_ACTION, "ten to call"
    assert table.refused(Arm(account("Cid"), hand, PreAction.CALL)) is Refusal.ILLEGAL_ACTION, "nothing to call"
    assert table.refused(Arm(account("Bob"), hand, PreAction.CALL, 20)) is Refusal.STALE_TURN, "another amount"
    assert table.refused(Arm(account("Bob"), HandId("t1h9"), PreAction.FOLD)) is Refusal.STALE_TURN
    assert table.refused(Arm(account("Eve"), hand, PreAction.FOLD)) is Refusal.NOT_SEATED
    table.sit("Eve", 5)
    assert table.refused(Arm(account("Eve"), hand, PreAction.FOLD)) is Refusal.ILLEGAL_ACTION, "she was not dealt in"
    arm(table, "Bob", PreAction.CALL, 10)
    table.plays("Ann fold")
    assert table.refused(Arm(account("Ann"), hand, PreAction.FOLD)) is Refusal.ILLEGAL_ACTION, "she has folded"
    table.over()
    assert table.refused(Arm(account("Cid"), hand, PreAction.FOLD)) is Refusal.ILLEGAL_ACTION, "the hand is over"


def test_a_pre_action_of_a_player_who_has_gone_still_answers(open_table: Open) -> None:
    table = in_play(open_table)
    arm(table, "Bob", PreAction.CALL)
    table.disconnect("Bob")
    table.plays("Ann call")

    assert acted(table)[-1] == (2, "call", "armed")


# --- showing ---


def shows(table: Playing, name: str, cards: str) -> ShowCards:
    return ShowCards(account(name), table.table.hand_id, parse(cards))


def test_a_winner_without_a_showdown_shows_nothing_and_may_show_one_card_or_both(open_table: Open) -> None:
    table = in_play(open_table)
    table.plays("Ann raise 60")
    table.over()
    assert table.told("cards_shown") == []
    assert table.shown_seat("Ann")["holds"] == 2
    table.do(shows(table, "Ann", "Ah"))
    assert table.told("cards_shown") == [{"type": "cards_shown", "seat": 1, "cards": ["Ah"]}]
    assert (table.shown_seat("Ann")["cards"], table.shown_seat("Ann")["holds"]) == (["Ah"], 1)
    table.do(shows(table, "Ann", "As"))

    assert table.told("cards_shown")[-1]["cards"] == ["As", "Ah"]


def test_cards_may_be_shown_for_five_seconds_even_when_the_next_hand_has_begun(open_table: Open) -> None:
    table = in_play(open_table)
    table.plays("Ann raise 60")
    table.over()
    show = shows(table, "Ann", "AsAh")
    table.wait(5 * SECOND)
    assert table.table.hands == 2
    table.do(show)

    assert table.told("cards_shown")[-1]["cards"] == ["As", "Ah"]
    assert "cards" not in table.shown_seat("Ann"), "they are no part of the hand in play"


def test_after_five_seconds_it_is_too_late(open_table: Open) -> None:
    table = in_play(open_table)
    table.plays("Ann raise 60")
    table.over()
    show = shows(table, "Ann", "AsAh")
    table.wait(5 * SECOND + 1)

    assert table.refused(show) is Refusal.ILLEGAL_ACTION


def test_cards_of_the_hand_before_the_last_can_no_longer_be_shown(open_table: Open) -> None:
    table = in_play(open_table, "Ann Bob", hand_pause_ms=0)
    table.plays("Ann fold")
    show = shows(table, "Bob", "Ks")
    table.deal(Bob="KsKh")
    table.plays("Bob raise 60", "Ann fold")

    assert table.refused(show) is Refusal.ILLEGAL_ACTION
    table.do(shows(table, "Bob", "Ks"))


def test_a_mucked_hand_may_be_shown(open_table: Open) -> None:
    table = in_play(open_table, "Ann Bob")
    table.plays("Ann call", "Bob check")
    for _ in range(2):
        table.plays("Bob check", "Ann check")
    table.plays("Bob check", "Ann bet 40", "Bob call")
    assert [event["seat"] for event in table.told("mucked")] == [2]
    assert table.shown_seat("Bob")["holds"] == 0
    table.do(shows(table, "Bob", "KsKh"))

    assert table.shown_seat("Bob")["cards"] == ["Ks", "Kh"]


def test_nobody_shows_cards_that_are_not_theirs_or_were_folded(open_table: Open) -> None:
    table = in_play(open_table)
    table.plays("Ann raise 60")
    assert table.refused(shows(table, "Ann", "As")) is Refusal.ILLEGAL_ACTION, "the hand is in play"
    table.over()

    assert table.refused(shows(table, "Ann", "Ks")) is Refusal.ILLEGAL_ACTION
    assert table.refused(shows(table, "Bob", "Ks")) is Refusal.ILLEGAL_ACTION, "folded"
    assert table.refused(shows(table, "Eve", "Ks")) is Refusal.NOT_SEATED
    table.do(shows(table, "Ann", "As"))
    assert table.refused(shows(table, "Ann", "As")) is Refusal.ILLEGAL_ACTION, "shown already"


def test_who_takes_the_seat_of_a_winner_can_neither_show_nor_probe_that_hand(open_table: Open) -> None:
    table = in_play(open_table)
    table.plays("Ann raise 60")
    table.over()
    table.leave("Ann")
    table.sit("Eve", 1)

    for cards in ("As", "Ks"):
        with pytest.raises(Refused, match="you were not in that hand"):
            table.do(shows(table, "Eve", cards))


def test_who_moves_to_the_seat_of_another_can_neither_show_nor_probe_their_hand(open_table: Open) -> None:
    table = in_play(open_table, "Ann Bob")
    table.plays("Ann call", "Bob check")
    for _ in range(2):
        table.plays("Bob check", "Ann check")
    table.plays("Bob check", "Ann bet 40", "Bob call")
    table.leave("Ann", "Bob")
    table.sit("Ann", 2, 1_060)

    for cards in ("As", "Ks"):
        with pytest.raises(Refused, match="you were not in that hand"):
            table.do(shows(table, "Ann", cards))


def test_show_all_tables_show_every_hand_at_the_showdown(open_table: Open) -> None:
    table = in_play(open_table, "Ann Bob", show_all=True)
    table.plays("Ann call", "Bob check")
    for _ in range(2):
        table.plays("Bob check", "Ann check")
    table.plays("Bob check", "Ann bet 40", "Bob call")

    assert {event["seat"] for event in table.told("cards_shown")} == {1, 2}
    assert table.told("mucked") == []


# --- talk ---


def test_what_is_said_is_told_to_everybody(open_table: Open) -> None:
    table = in_play(open_table)
    table.do(Chat(account("Bob"), "Bob", "good luck"))

    assert table.told("chatted") == [{"type": "chatted", "account": account("Bob"), "name": "Bob", "text": "good luck"}]
