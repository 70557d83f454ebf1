"""Reading PHH: what a file may say, and what is wrong with one."""

from decimal import Decimal
from pathlib import Path

import pytest

from fullring.history.phh import PhhHand, entries, read
from fullring.history.phh_lines import PhhError, Verb
from fullring.rules.cards import UNKNOWN, parse
from tests.history.records import document
from tests.shared import data

PLAIN = document(actions=["p3 f"], stacks=[200, 200, 200], blinds=[1, 2, 0])
FIXED_LIMIT = """
variant = "FT"
antes = [0, 0]
blinds_or_straddles = [5, 10]
small_bet = 10
big_bet = 20
starting_stacks = [500, 500]
actions = []
"""


def only(text: str, name: str = "hand.phh") -> PhhHand:
    (hand,) = read(text, name=name)
    return hand


def error(text: str, name: str = "hand.phh") -> PhhError:
    with pytest.raises(PhhError) as caught:
        read(text, name=name)
    return caught.value


def phh_files() -> list[Path]:
    return sorted(path for path in data("phh").rglob("*") if path.suffix in (".phh", ".phhs"))


@pytest.mark.parametrize("path", phh_files(), ids=lambda path: path.name)
def test_every_published_file_reads_or_says_which_variant_it_is(path: Path) -> None:
    text = path.read_text()
    if "variant = 'NT'" in text or 'variant = "NT"' in text or "variant = 'FT'" in text:
        hands = read(text, name=path.name)
        assert len(hands) == (25 if path.suffix == ".phhs" else 1)
        assert all(line.fault is None for hand in hands for line in hand.lines)
    else:
        (entry,) = entries(text, name=path.name)
        unsupported = error(text)
        assert unsupported.code == "unsupported"
        assert repr(entry.fields["variant"]) in unsupported.text


def test_the_tables_of_a_phhs_file_come_in_file_order_with_their_names() -> None:
    text = f"[7]\n{PLAIN}\n\n[a]\n{PLAIN}\n\n[1]\n{PLAIN}\n"
    assert [hand.name for hand in read(text, name="hands.phhs")] == ["7", "a", "1"]


def test_an_empty_phhs_file_has_no_hands_and_an_empty_phh_file_is_none() -> None:
    assert read("", name="none.phhs") == []
    assert "variant is missing" in error("", name="none.phh").text


def test_strings_may_be_quoted_in_every_way_toml_knows() -> None:
    text = PLAIN.replace("'NT'", '"""NT"""') + "\nplayers = ['A \"b\"', \"Zoë 🂡\", '''it's''']"
    assert only(text).players == ('A "b"', "Zoë 🂡", "it's")


def test_unknown_fields_are_kept() -> None:
    hand = only(PLAIN + "\n_rake = 3\nsomething_else = { a = [1, 2] }")
    assert hand.fields["_rake"] == 3
    assert hand.fields["something_else"] == {"a": [1, 2]}


def test_a_hand_with_decimals_is_in_cents_exactly() -> None:
    hand = only(document(actions=[], stacks=["2067.4", "0.3", 171], blinds=["0.5", 1, 0], antes=["0.1", "0.1", "0.1"]))
    assert hand.places == 2
    assert (hand.stacks, hand.blinds, hand.antes, hand.min_bet) == (
        (206740, 30, 17100),
        (50, 100, 0),
        (10, 10, 10),
        100,
    )
    assert (hand.amount(206740), hand.amount(30), hand.amount(17100)) == (2067.4, 0.3, 171)


def test_more_places_make_a_smaller_unit_and_whole_floats_none() -> None:
    assert only(document(actions=[], stacks=["1.125", 2], blinds=[1, 2])).places == 3
    assert only(document(actions=[], stacks=["200.0", "2e2"], blinds=["1.00", 2])).places == 0


def test_a_bet_makes_cents_only_where_there_is_a_currency() -> None:
    actions = ["d dh p1 ????", "p2 cbr 47.50"]
    chips = only(document(actions=actions, stacks=[200, 200], blinds=[1, 2]))
    money = only(document(actions=actions, stacks=[200, 200], blinds=[1, 2], currency_symbol="$"))
    assert (chips.places, money.places) == (0, 2)
    assert (chips.units(Decimal("47.50")), money.units(Decimal("47.50"))) == (None, 4750)


def test_an_infinite_stack_is_unknown() -> None:
    assert only(document(actions=[], stacks=["inf", "+inf", 200], blinds=[1, 2, 0])).stacks == (None, None, 200)


def test_heads_up_the_forced_bets_stand_small_blind_first_and_belong_to_player_2() -> None:
    hand = only(document(actions=[], stacks=[200, 300], blinds=[1, 2], antes=[0, 3]))
    assert (hand.blinds, hand.antes, hand.stacks) == ((2, 1), (3, 0), (200, 300))


def test_a_negative_blind_is_read_as_a_live_post() -> None:
    assert only(document(actions=[], stacks=[200] * 4, blinds=[1, 2, 0, -2])).blinds == (1, 2, 0, -2)


def test_fixed_limit_has_two_bets() -> None:
    hand = only(FIXED_LIMIT)
    assert (hand.variant, hand.min_bet, hand.big_bet) == ("FT", 10, 20)


@pytest.mark.parametrize(
    ("fields", "at"),
    [
        ("time = 15:21:34\nday = 24\nmonth = 4\nyear = 2025\ntime_zone = 'UTC'", 1_745_508_094_000),
        ("time = 15:21:34.250\nday = 24\nmonth = 4\nyear = 2025", 1_745_508_094_250),
        ("time = 11:21:34\nday = 24\nmonth = 4\nyear = 2025\ntime_zone = 'America/New_York'", None),
        ("time = 11:21:34\nday = 24\nmonth = 4\nyear = 2025\ntime_zone_abbreviation = 'ET'", None),
        ("time = 11:21:34\nday = 24\nmonth = 4\nyear = 2025\ncity = 'a'\nregion = 'b'\ncountry = 'c'", None),
        ("time = 11:21:34\nday = 31\nmonth = 2\nyear = 2025", None),
        ("day = 24\nmonth = 4\nyear = 2025", None),
        ("time = 11:21:34\nday = '24'\nmonth = 4\nyear = 2025", None),
    ],
)
def test_a_hand_starts_at_an_instant_or_nobody_knows_when_but_never_in_1970(fields: str, at: int | None) -> None:
    assert only(f"{PLAIN}\n{fields}").started_at == at


@pytest.mark.parametrize(
    ("text", "verb", "player"),
    [
        ("d dh p1 AhKd", Verb.DEAL_HOLE, 1),
        ("  d   db  Qs9c4s ", Verb.DEAL_BOARD, 0),
        ("p2 f", Verb.FOLD, 2),
        ("\tp2 cc # thinks for long", Verb.CHECK_OR_CALL, 2),
        ("p3 cbr 300 #timeout", Verb.BET_OR_RAISE, 3),
        ("p1 sm", Verb.SHOW_OR_MUCK, 1),
        ("p1 sm -", Verb.SHOW_OR_MUCK, 1),
        ("p1 sm ????", Verb.SHOW_OR_MUCK, 1),
    ],
)
def test_lines_may_have_any_spaces_and_a_comment(text: str, verb: Verb, player: int) -> None:
    (line,) = only(document(actions=[text], stacks=[200] * 3, blinds=[1, 2, 0])).lines
    assert (line.verb, line.player, line.fault) == (verb, player, None)


def test_a_show_without_cards_is_told_from_a_muck() -> None:
    lines = only(document(actions=["p1 sm", "p2 sm -", "p3 sm Ah??"], stacks=[200] * 3, blinds=[1, 2, 0])).lines
    assert [(line.shows, line.cards) for line in lines] == [
        (False, None),
        (True, None),
        (True, (*parse("Ah"), UNKNOWN)),
    ]


def test_comments_are_kept_and_lone_comments_are_no_lines() -> None:
    lines = only(document(actions=["", "# p3 thinks", "p3 f # timeout"], stacks=[200] * 3, blinds=[1, 2, 0])).lines
    assert [line.comment for line in lines] == ["timeout"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("p4 f", "the players are p1 to p3"),
        ("p0 f", "the players are p1 to p3"),
        ("p٣ f", "the players are p1 to p3"),
        ("x f", "the players are p1 to p3"),
        ("p1", "expected one of"),
        ("p1 raises 20", "expected one of"),
        ("p1 cbr", "expected one of"),
        ("d db", "expected one of"),
        ("p1 sd", "sd has no place in hold'em"),
        ("p1 pb", "pb has no place in hold'em"),
        ("d dh p1 AhXx", "'AhXx' are no cards"),
        ("d dh p1 AhAh", "the same card twice"),
        ("d db JoJp2c", "no jokers"),
        ("p1 cbr ten", "'ten', which is not a number"),
        ("p1 cbr 1e3", "not a number"),
        ("p1 cbr " + "9" * 5000, "too many digits"),
    ],
)
def test_a_line_that_cant_be_read_is_a_fault_of_that_line_alone(text: str, says: str) -> None:
    (line, good) = only(document(actions=[text, "p3 f"], stacks=[200] * 3, blinds=[1, 2, 0])).lines
    assert line.verb is None
    assert line.fault is not None
    assert says in line.fault[1]
    assert good.fault is None


@pytest.mark.parametrize(
    ("wrong", "code", "says"),
    [
        ("variant = ", "bad_file", "not TOML"),
        ("a = " + "[" * 5000, "bad_file", "not TOML"),
        (f"a = {'9' * 5000}", "bad_file", "not TOML"),
        ("a = 1e99999999999999999999", "bad_file", "not TOML"),
        (PLAIN.replace("'NT'", "5"), "bad_file", "variant is missing"),
        (PLAIN.replace("'NT'", "'PT'"), "unsupported", "variant 'PT'"),
        (PLAIN.replace("min_bet", "min_bett"), "bad_file", "min_bet is missing"),
        (PLAIN + "\nbring_in = 1", "bad_file", "bring_in has no place"),
        (PLAIN + "\nsmall_bet = 1", "bad_file", "small_bet has no place"),
        (FIXED_LIMIT + "\nmin_bet = 1", "bad_file", "min_bet has no place"),
        (FIXED_LIMIT.replace("big_bet", "bigger_bet"), "bad_file", "big_bet is missing"),
        (PLAIN.replace("antes = [0, 0, 0]", "antes = [0, 0]"), "bad_file", "antes has 2 entries for 3 players"),
        (PLAIN.replace("antes = [0, 0, 0]", "antes = 0"), "bad_file", "antes is not an array"),
        (PLAIN.replace("antes = [0, 0, 0]", ""), "bad_file", "antes is missing"),
        (PLAIN.replace("antes = [0, 0, 0]", "antes = [0, -1, 0]"), "bad_file", "antes: -1 is too low"),
        (PLAIN.replace("antes = [0, 0, 0]", "antes = [0, true, 0]"), "bad_file", "not bool"),
        (PLAIN.replace("antes = [0, 0, 0]", "antes = [0, 'x', 0]"), "bad_file", "not str"),
        (PLAIN.replace("antes = [0, 0, 0]", "antes = [0, nan, 0]"), "bad_file", "ordinary number"),
        (PLAIN.replace("antes = [0, 0, 0]", "antes = [0, inf, 0]"), "bad_file", "ordinary number"),
        (PLAIN.replace("antes = [0, 0, 0]", "antes = [0, 1e-400, 0]"), "bad_file", "ordinary number"),
        (PLAIN.replace("[200, 200, 200]", "[200, 0, 200]"), "bad_file", "starting_stacks: 0 is too low"),
        (PLAIN.replace("[200, 200, 200]", f"[200, {10**15}, 200]"), "bad_file", "more than 15 digits"),
        (PLAIN.replace("[200, 200, 200]", "[200, 99999999999999.5, 200]"), "bad_file", "more than 15 digits"),
        (PLAIN.replace("[200, 200, 200]", "[200, 1.0123456789, 200]"), "bad_file", "more than 9 places"),
        (PLAIN.replace("[200, 200, 200]", "[200]"), "unsupported", "1 players: a hand has 2 to 10"),
        (PLAIN.replace('["p3 f"]', "[3]"), "bad_file", "actions: expected an array of strings"),
        (PLAIN + "\nante_trimming_status = 1", "bad_file", "expected true or false"),
        (PLAIN + "\nplayers = ['a', 'b']", "bad_file", "players has 2 entries for 3 players"),
        (PLAIN + "\nplayers = ['a', 'b', 3]", "bad_file", "players: expected an array of str"),
        (PLAIN + "\nseats = [1, 2, true]", "bad_file", "seats: expected an array of int"),
        (PLAIN + "\nfinishing_stacks = [200, 200, -1]", "bad_file", "finishing_stacks: -1 is too low"),
    ],
)
def test_a_file_that_is_wrong_says_what_is(wrong: str, code: str, says: str) -> None:
    caught = error(wrong)
    assert caught.code == code
    assert says in caught.text
