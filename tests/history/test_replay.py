"""A hand from a file, played through the rules: what it comes to, where it stops, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from fullring.history.phh import read
from fullring.history.played import Played, Step
from fullring.history.replay import play
from fullring.history.report import replay_files, report, stacks_differ
from tests.history.records import Record, document, phh_of, phh_of_report, recorded_hands
from tests.shared import data, shared_present

REPORTS: list[Record] = json.loads(data("public_reports.json").read_text())["hands"]
# Each with its reason.
NOT_OUR_RULE = {
    "stars:16652117062": "the house rule of one room, which takes the big blind's seat for folded (README: not to copy)"
}
DEAL_3 = ["d dh p1 AhAd", "d dh p2 KhKd", "d dh p3 QhQd"]
DEAL_2 = DEAL_3[:2]


def played(actions: list[str], stacks: list[Any], blinds: list[Any], **others: Any) -> Played:
    (hand,) = read(document(actions=actions, stacks=stacks, blinds=blinds, **others), name="hand.phh")
    return play(hand)


def trouble(actions: list[str], stacks: list[Any], blinds: list[Any], **others: Any) -> tuple[int, str, str]:
    found = played(actions, stacks, blinds, **others).trouble
    assert found is not None
    return found.action, found.code, found.message


def pots(hand: Played) -> list[tuple[int, dict[int, int]]]:
    return [(pot.amount, {share.seat: share.amount for share in pot.winners}) for pot in hand.pots]


def test_every_published_hand_of_our_games_replays_to_the_stacks_it_records() -> None:
    paths = sorted(path for path in data("phh").rglob("*") if path.suffix in (".phh", ".phhs"))
    told = list(replay_files(paths, steps=False))
    ours = [one for one in told if one["ok"]]
    others = [one["error"]["code"] for one in told if not one["ok"]]  # type: ignore[index]  # The shape is JSON's.
    assert (len(ours), others) == (34, ["unsupported"] * 11)


@pytest.mark.parametrize(("name", "odd"), [("102/0", (1, 5)), ("32/23", (3, 6))])
def test_the_two_published_hands_that_split_a_chip_give_it_to_the_first_winner(name: str, odd: tuple[int, int]) -> None:
    (hand,) = read((data("phh/data/pluribus") / f"{name}.phh").read_text(), name=name)
    result = play(hand)
    assert hand.finishing is not None
    differences = {
        player: float(stack or 0) - float(theirs)
        for player, stack, theirs in zip(range(1, 7), result.stacks, hand.finishing, strict=True)
        if stack != theirs
    }
    assert differences == {odd[0]: 0.5, odd[1]: -0.5}
    assert stacks_differ(result) is None


@pytest.mark.parametrize(
    "name", ["pluribus_sample.jsonl.gz", "acpc_sample.jsonl.gz", "televised_sample.jsonl.gz", "online_sample.jsonl.gz"]
)
def test_recorded_hands_told_as_phh_replay_to_their_stacks_turn_by_turn(name: str) -> None:
    if name == "online_sample.jsonl.gz" and not shared_present():
        return
    for record in list(recorded_hands(name))[:: 5 if "pluribus" in name else 2]:
        _replays(record)


def test_the_hands_that_settle_a_rule_replay_too() -> None:
    if not shared_present():
        return
    for record in recorded_hands("edge_cases.jsonl"):
        if record["id"] not in NOT_OUR_RULE:
            _replays(record)


def _replays(record: Record) -> None:
    (hand,) = read(phh_of(record), name="record.phh")
    result = play(hand)
    actions = [action for street in record["actions"] for action in street]
    assert result.trouble is None, (record["id"], result.trouble)
    assert list(result.stacks) == record["computed"]["finishing"], record["id"]
    assert [step.actor for step in result.steps] == [player for player, *_ in actions], record["id"]


@pytest.mark.parametrize("case", REPORTS, ids=lambda case: str(case["id"]))
def test_a_scripted_hand_gives_the_stacks_the_pots_and_what_may_be_done(case: Record) -> None:
    text, order = phh_of_report(case)
    result = play(read(text, name="case.phh")[0])
    expected = case["expected"]
    assert result.trouble is None
    assert list(result.stacks) == [expected["final_stacks"][str(seat)] for seat in order]
    assert [(amount, {str(order[i - 1]): won for i, won in winners.items()}) for amount, winners in pots(result)] == [
        (pot["amount"], pot["winners"]) for pot in expected["pots"]
    ]
    for may in expected["legal"]:
        if may["seat"] is None:
            assert len(result.steps) == may["after"]
            continue
        assert result.steps[may["after"]] == Step(
            order.index(may["seat"]) + 1,
            may.get("call_amount", 0),
            "check" in may["allowed"],
            may.get("min_raise_to"),
            may.get("max_raise_to"),
        )


@pytest.mark.parametrize(
    ("case", "wrong"), [(case, wrong) for case in REPORTS for wrong in case["expected"].get("reject", ())]
)
def test_what_a_scripted_hand_says_must_be_refused_is_refused_there(case: Record, wrong: Record) -> None:
    if wrong["action"] != "raise_to" or wrong["amount"] == "40":
        return  # In PHH a check is a call where there is something to call, and all amounts are text.
    _, order = phh_of_report(case)
    line = f"p{order.index(wrong['seat']) + 1} cbr {wrong['amount']}"
    text, _ = phh_of_report(case, actions=wrong["after"], then=[line])
    result = play(read(text, name="case.phh")[0])
    before = play(read(phh_of_report(case, actions=wrong["after"])[0], name="case.phh")[0])
    assert result.trouble is not None
    assert (result.trouble.action, result.stacks) == (wrong["after"], before.stacks)
    assert result.trouble.code == ("bad_amount" if wrong["seat"] == 3 or case["id"] != "PR-I1" else "not_your_turn")


def test_a_step_says_what_the_player_faced_and_a_refused_action_has_one_too() -> None:
    result = played([*DEAL_3, "p3 cbr 60", "p1 cbr 90"], [1000, 1000, 1000], [10, 20, 0])
    assert result.steps == (Step(3, 20, False, 40, 1000), Step(1, 50, False, 100, 1000))
    assert result.trouble is not None
    assert result.trouble.message == "'p1 cbr 90': raise to 90 is below the minimum of 100"


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        (["p1 f"], (0, "not_your_turn", "'p1 f': p1 is not the one to act: p3 is")),
        (["p3 f", "p1 f", "p2 cc"], (2, "not_your_turn", "'p2 cc': nobody is to act any more")),
        (["p3 cc", "p1 cc", "p2 cc", "p1 cc"], (3, "bad_file", "'p1 cc': the board is not dealt yet")),
        (["p3 cc", "d db 2c3c4c"], (1, "bad_file", "'d db 2c3c4c': the betting is not over: p1 is to act")),
        (["p3 f", "p1 f", "d db 2c3c4c"], (2, "bad_file", "'d db 2c3c4c': no more board cards are due")),
        (["p3 cc", "p1 sm"], (1, "illegal_action", "'p1 sm': the betting is not over")),
        (["p3 cc", "d dh p1 2c3c"], (1, "bad_file", "'d dh p1 2c3c': hole cards are dealt before all else")),
        (["d dh p1 2c"], (0, "bad_file", "'d dh p1 2c': p1 gets 3 hole cards, expected 2")),
        (["p3 cbr x"], (0, "bad_amount", "'p3 cbr x': p3 bets 'x', which is not a number")),
        (["p3 cc", "p1 raises"], (1, "bad_file", "expected one of")),
        (["p3 cc", "p1 cc", "p2 cc", "d db 2c3c4c5c"], (3, "bad_file", "4 cards, and flop wants 3")),
        (["p3 cc", "p1 cc", "p2 cc", "d db 2c3cAh"], (3, "bad_file", "Ah was dealt before")),
        (["p3 cc", "p1 cc", "p2 cc", "d db 2c3c", "p1 cc"], (3, "bad_file", "the board is not dealt yet")),
    ],
)
def test_what_doesnt_fit_is_refused_at_its_action_with_its_text(
    actions: list[str], expected: tuple[int, str, str]
) -> None:
    found = trouble([*DEAL_3, *actions], [1000, 1000, 1000], [10, 20, 0])
    assert found[:2] == expected[:2]
    assert expected[2] in found[2]


def test_a_raise_where_none_is_allowed_is_an_illegal_action() -> None:
    actions = ["p3 cbr 100", "p1 cbr 130", "p2 f", "p3 cbr 200"]
    assert trouble([*DEAL_3, *actions], [130, 1000, 1000], [10, 20, 0])[:2] == (3, "illegal_action")


def test_in_a_file_with_decimals_amounts_are_in_its_unit_everywhere() -> None:
    deal = ["d dh p1 AhAd", "d dh p2 KhKd"]
    text = document(actions=[*deal, "p2 cbr 2.25", "p1 f"], stacks=["100.50", 80], blinds=["0.5", 1])
    told = report(play(read(text, name="x")[0]), file="x", number=1, steps=True)
    assert told["finishing_stacks"] == [99.5, 81]
    assert told["pots"] == [{"amount": 2, "winners": [[2, 2]]}]
    assert told["steps"] == [
        {"actor": 2, "to_call": 0.5, "can_check": False, "min_raise_to": 2, "max_raise_to": 80},
        {"actor": 1, "to_call": 1.25, "can_check": False, "min_raise_to": 3.5, "max_raise_to": 100.5},
    ]
    refused = trouble([*deal, "p2 cbr 1.75"], ["100.50", 80], ["0.5", 1])
    assert refused == (0, "bad_amount", "'p2 cbr 1.75': a bet or raise must be to 2 to 80")


def test_a_straddle_moves_the_first_to_act_and_keeps_its_option() -> None:
    result = played(["p4 cc", "p1 cc", "p2 cc", "p3 cc"], [1000] * 4, [10, 20, 40, 0], min_bet=20)
    assert result.trouble is None
    assert [(step.actor, step.to_call, step.min_raise_to) for step in result.steps] == [
        (4, 40, 60),
        (1, 30, 60),
        (2, 20, 60),
        (3, 0, 60),
    ]


def test_a_button_straddle_has_the_small_blind_act_first() -> None:
    result = played(["p1 cc", "p2 cc", "p3 cc", "p4 cc"], [1000] * 4, [10, 20, 0, 40])
    assert [step.actor for step in result.steps] == [1, 2, 3, 4]


def test_a_newcomers_live_post_moves_nobody_and_keeps_its_option() -> None:
    result = played(["p3 f", "p4 cc", "p1 f", "p2 cc"], [1000] * 4, [10, 20, 0, -20])
    assert result.trouble is None
    assert [(step.actor, step.to_call) for step in result.steps] == [(3, 20), (4, 0), (1, 10), (2, 0)]


def test_heads_up_the_button_posts_small_acts_first_and_the_big_blind_antes() -> None:
    result = played([*DEAL_2, "p2 f"], [1000, 1000], [10, 20], antes=[0, 30])
    assert (result.steps[0].actor, result.stacks) == (2, (1010, 990))


def test_antes_alone_leave_the_first_left_of_the_button_to_open() -> None:
    result = played(["p1 cbr 40", "p2 f", "p3 f"], [500] * 3, [0, 0, 0], antes=[5, 5, 5], min_bet=10)
    assert result.steps[0] == Step(1, 0, True, 10, 495)
    assert result.stacks == (510, 495, 495)


def test_a_short_ante_contests_what_it_matches_where_the_file_says_that_antes_are_trimmed() -> None:
    board = ["d db 2c3c7s", "d db 8d", "d db 9s"]
    lines = [*DEAL_3, "p3 f", "p2 cc", *board]
    short = {"antes": [50, 50, 50], "stacks": [20, 500, 500], "blinds": [0, 100, 0]}
    trimmed = played(lines, ante_trimming_status=True, **short)
    pooled = played(lines, ante_trimming_status=False, **short)
    assert (trimmed.stacks[0], pooled.stacks[0]) == (60, 120)


def test_one_ante_that_nobody_matches_goes_to_the_middle_or_where_trimmed_back() -> None:
    lines = [*DEAL_3, "p3 f", "p1 f"]
    assert played(lines, [500] * 3, [10, 20, 0], antes=[0, 50, 0]).stacks == (490, 510, 500)
    middle = played([*DEAL_3, "p3 cbr 60", "p1 f", "p2 f"], [500] * 3, [10, 20, 0], antes=[0, 50, 0])
    assert middle.stacks == (490, 430, 580)
    back = played([*lines[:3], "p3 f", "p1 f"], [500] * 3, [10, 20, 0], antes=[0, 50, 0], ante_trimming_status=True)
    assert back.stacks == (490, 510, 500)


@pytest.mark.parametrize("line", ["p1 cc", "p1 cbr 60"])
def test_the_whole_stack_is_an_all_in_however_it_is_written(line: str) -> None:
    result = played([*DEAL_3, "p3 cbr 100", line, "p2 f"], [60, 1000, 1000], [10, 20, 0])
    assert result.trouble is None
    assert result.stacks == (0, 980, 940)


def test_a_hand_may_stop_anywhere_and_tells_how_it_stands() -> None:
    result = played([*DEAL_3, "p3 cbr 60", "p1 cc"], [1000] * 3, [10, 20, 0])
    assert (result.trouble, result.over) == (None, False)
    assert (result.stacks, result.pots) == ((940, 980, 940), ())


def test_a_hand_that_stops_before_its_board_pays_nobody() -> None:
    all_in = [*DEAL_3, "p3 cbr 1000", "p1 cc", "p2 f", "p3 sm QhQd", "p1 sm AhAd"]
    stopped = played([*all_in, "d db 2c3c4c"], [1000] * 3, [10, 20, 0])
    assert (stopped.trouble, stopped.over, stopped.stacks) == (None, False, (0, 980, 0))
    went_on = played([*all_in, "d db 2c3c4c", "d db 7d", "d db 8d"], [1000] * 3, [10, 20, 0])
    assert went_on.stacks == (2020, 980, 0)


def test_cards_speak_where_a_file_has_them_all_and_no_showdown() -> None:
    board = ["d db 2c3c4c", "p1 cc", "p2 cc", "d db 5d", "p1 cc", "p2 cc", "d db 9d", "p1 cc", "p2 cc"]
    assert played([*DEAL_2, "p2 cc", "p1 cc", *board], [100, 100], [1, 2]).stacks == (102, 98)


def test_a_showdown_that_a_file_doesnt_tell_is_not_decided_by_the_cards_of_one() -> None:
    board = ["d db 2c3c4c", "p1 cc", "p2 cc", "d db 5d", "p1 cc", "p2 cc", "d db 9d", "p1 cc", "p2 cc"]
    lines = ["d dh p1 AhAd", "d dh p2 ????", "p2 cc", "p1 cc", *board]
    silent = played(lines, [100, 100], [1, 2])
    assert (silent.trouble, silent.over, silent.stacks) == (None, False, (98, 98))
    assert played([*lines, "p1 sm AhAd", "p2 sm ????"], [100, 100], [1, 2]).stacks == (102, 98)
    assert played([*lines, "p1 sm AhAd", "p2 sm"], [100, 100], [1, 2]).stacks == (102, 98)
    assert played([*lines, "p1 sm", "p2 sm ????"], [100, 100], [1, 2]).stacks == (98, 102)
    assert not played([*lines, "p1 sm ????", "p2 sm ????"], [100, 100], [1, 2]).over


def test_a_hand_kept_face_down_loses_to_one_that_is_shown_though_the_file_knows_it() -> None:
    board = ["d db 2c3c4c", "p1 cc", "p2 cc", "d db 5d", "p1 cc", "p2 cc", "d db 9d", "p1 cc", "p2 cc"]
    lines = [*DEAL_2, "p2 cc", "p1 cc", *board, "p1 sm ????", "p2 sm KhKd"]
    assert played(lines, [100, 100], [1, 2]).stacks == (98, 102)


def test_a_hand_shown_at_the_end_counts_though_it_was_dealt_unseen() -> None:
    board = ["d db 2c3c4c", "p1 cc", "p2 cc", "d db 5d", "p1 cc", "p2 cc", "d db 9d", "p1 cc", "p2 cc"]
    lines = ["d dh p1 ????", "d dh p2 KhKd", "p2 cc", "p1 cc", *board]
    assert played([*lines, "p1 sm AhAd", "p2 sm KhKd"], [100, 100], [1, 2]).stacks == (102, 98)
    other = trouble([*lines, "p1 sm AhAd", "p2 sm KhKs"], [100, 100], [1, 2])
    assert other == (8, "bad_file", "'p2 sm KhKs': p2 shows KhKs and was dealt KhKd")


def test_a_mucked_winner_forfeits_the_pot_but_the_last_one_left_cant() -> None:
    board = ["d db 2c3c4c", "p1 cc", "p2 cc", "d db 5d", "p1 cc", "p2 cc", "d db 9d", "p1 cc", "p2 cc"]
    lines = [*DEAL_2, "p2 cc", "p1 cc", *board]
    assert played([*lines, "p1 sm", "p2 sm KhKd"], [100, 100], [1, 2]).stacks == (98, 102)
    assert trouble([*lines, "p1 sm", "p2 sm"], [100, 100], [1, 2])[:2] == (8, "illegal_action")
    assert trouble([*lines, "p1 sm", "p1 sm AhAd"], [100, 100], [1, 2])[:2] == (8, "illegal_action")


def test_a_mucked_hand_keeps_its_place_in_the_pots_so_odd_chips_stay_where_they_fell() -> None:
    deal = ["d dh p1 AhKh", "d dh p2 AdKd", "d dh p3 2c2d", "d dh p4 QsQc"]
    bets = ["p3 cbr 15", "p4 cbr 50", "p1 cc", "p2 cc"]
    board = ["d db AsAcTs", "p1 cc", "p2 cc", "d db 7d", "p1 cc", "p2 cc", "d db 8h", "p1 cc", "p2 cc"]
    shows = ["p1 sm AhKh", "p2 sm AdKd", "p3 sm", "p4 sm"]
    result = played([*deal, *bets, *board, *shows], [200, 200, 15, 51], [5, 10, 0, 0], antes=[0, 0, 0, 1])
    assert pots(result) == [(61, {1: 31, 2: 30}), (105, {1: 53, 2: 52})]


def test_the_check_that_pokerkit_waits_for_is_taken_and_counted() -> None:
    actions = ["p3 cc", "p1 f", "p2 cc # no decision left"]
    board = ["d db 2c3c4c", "d db 5d", "d db 6d"]
    result = played([*DEAL_3, *actions, *board], [1000, 1000, 60], [50, 100, 0])
    assert result.trouble is None
    assert result.steps[2] == Step(2, 0, True, None, None)
    assert played([*DEAL_3, *actions[:2], *board], [1000, 1000, 60], [50, 100, 0]).stacks == result.stacks


def test_it_is_taken_once_and_from_that_player_alone() -> None:
    actions = [*DEAL_3, "p3 cc", "p1 f", "d db 2c3c4c"]
    assert trouble([*actions, "p2 cc"], [1000, 1000, 60], [50, 100, 0])[:2] == (2, "not_your_turn")
    assert trouble([*DEAL_3, "p3 cc", "p1 f", "p1 cc"], [1000, 1000, 60], [50, 100, 0])[:2] == (2, "not_your_turn")


def test_somebody_who_left_may_fold_unasked() -> None:
    actions = ["p3 cc", "p1 f", "p2 f # left"]
    result = played([*DEAL_3, *actions], [1000, 1000, 60], [50, 100, 0])
    assert result.trouble is None
    assert (result.over, result.stacks) == (True, (950, 940, 170))


def test_an_unknown_stack_plays_and_stays_unknown() -> None:
    deal = ["d dh p1 ????", "d dh p2 ????"]
    result = played([*deal, "p2 cbr 5000", "p1 f"], ["inf", "inf"], [1, 2])
    assert result.stacks == (None, None)
    assert result.steps[0] == Step(2, 1, False, 4, None)


def test_fixed_limit_takes_one_amount_and_no_other() -> None:
    text = """
variant = "FT"
antes = [0, 0]
blinds_or_straddles = [5, 10]
small_bet = 10
big_bet = 20
starting_stacks = [500, 500]
actions = ["d dh p1 AhAd", "d dh p2 KhKd", "p2 cbr 20", "p1 cbr 30", "p2 cc", "d db 2c3c4c", "p1 cc", "p2 cc",
  "d db 5d", "p1 cbr 25"]
"""
    result = play(read(text, name="x")[0])
    assert [(step.min_raise_to, step.max_raise_to) for step in result.steps] == [
        (20, 20),
        (30, 30),
        (40, 40),
        (10, 10),
        (10, 10),
        (20, 20),
    ]
    assert result.trouble is not None
    assert (result.trouble.action, result.trouble.code) == (5, "bad_amount")


def test_stacks_that_the_file_records_otherwise_are_trouble_unless_rake_or_odd_chips_explain_them() -> None:
    def ok(finishing: list[float]) -> bool:
        lines = [*DEAL_3, "p3 cbr 60", "p1 f", "p2 cc", "d db 2c3c4c", "p2 cbr 100", "p3 f"]
        return stacks_differ(played(lines, [1000] * 3, [10, 20, 0], finishing_stacks=finishing)) is None

    assert ok([990, 1070, 940])
    assert ok([990, 1064, 940])
    assert not ok([990, 1070, 934])
    assert not ok([990, 1071, 940])
    assert not ok([990, 800, 940])
    assert not ok([991, 1069, 940])


def test_one_line_a_hand_and_a_file_that_cant_be_read_is_one_too(tmp_path: Path) -> None:
    good = document(actions=[*DEAL_2, "p2 f"], stacks=[100, 100], blinds=[1, 2])
    (tmp_path / "two.phhs").write_text(f"[1]\n{good}\n\n[2]\n{good.replace('NT', 'PO')}\n")
    (tmp_path / "bytes.phh").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "wrong.phh").write_text(good.replace("p2 f", "p1 f"))
    (tmp_path / "mark.phh").write_bytes(b"\xef\xbb\xbf" + good.encode())
    paths = [tmp_path / name for name in ("two.phhs", "none.phh", "bytes.phh", "wrong.phh", "mark.phh")]
    told = list(replay_files(paths, steps=False))
    assert [(Path(str(one["file"])).name, one["hand"], one["ok"]) for one in told] == [
        ("two.phhs", 1, True),
        ("two.phhs", 2, False),
        ("none.phh", 1, False),
        ("bytes.phh", 1, False),
        ("wrong.phh", 1, False),
        ("mark.phh", 1, True),
    ]
    assert told[0] == {
        "file": str(paths[0]),
        "hand": 1,
        "ok": True,
        "finishing_stacks": [101, 99],
        "pots": [{"amount": 2, "winners": [[1, 2]]}],
    }
    assert json.loads(json.dumps(told))[4]["error"] == {
        "action": 0,
        "code": "not_your_turn",
        "message": "'p1 f': p1 is not the one to act: p2 is",
    }
    assert told[2]["error"] == {"action": 0, "code": "bad_file", "message": "can't be read: No such file or directory"}
