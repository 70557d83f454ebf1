"""A finished hand as PHH: who may read what, and every way of saying it."""

import tomllib
from dataclasses import replace
from datetime import time

import pytest

from fullring.history.phh import PhhHand, read
from fullring.history.phh_write import NotExpressible, write, write_many
from fullring.history.replay import play
from fullring.history.report import stacks_differ
from fullring.rules.actions import Act, Action, Auto, Command, Leave
from fullring.rules.cards import FULL_DECK, Deck, parse, texts
from fullring.rules.events import HandEnded, HandStarted, HandVoided, Post, PostKind, Stake
from fullring.rules.hand import Hand, decide, evolve, start
from fullring.rules.record import HandRecord, seen_by
from tests.history.random_hands import BIG, SMALL, recorded, with_late_show
from tests.history.strict_pokerkit import NotTaken, finishing_stacks

NAMES = ("Owner (host)", "A. B.", "$5 in chips", "Seat 3: x", "folds", "Zoë 🂡", "اسم عربي", "two  spaces")
SPADES = parse("AsAd KsKd QsQd JsJd TsTd 9s9d 8s8d 7s7d")
BOARD = parse("2c4c6h8hTh")
FOLD, CHECK, CALL, BET, RAISE, ALL_IN = Action


def hand_of(
    stacks: list[int],
    commands: list[Command],
    *,
    posts: list[Post] | None = None,
    game: str = "nlhe",
    names: tuple[str, ...] = NAMES,
    holes: tuple[int, ...] = SPADES,
) -> tuple[HandRecord, Hand]:
    """Seats 1 to n in PHH order; seat i holds the i-th pair of ``holes``."""
    size = len(stacks)
    small, big = (2, 1) if size == 2 else (1, 2)
    blinds = [Post(small, PostKind.SMALL_BLIND, SMALL), Post(big, PostKind.BIG_BLIND, BIG)]
    dealt = [holes[2 * i + place] for place in range(2) for i in range(size)]
    rest = [card for card in FULL_DECK if card not in (*dealt, *BOARD)]
    started = HandStarted(
        hand="h1",
        number=1,
        game=game,
        button=size,
        seats=tuple([Stake(i, stack) for i, stack in enumerate(stacks, 1)]),
        posts=tuple(posts or blinds),
        min_bet=BIG,
        big_bet=2 * BIG,
        deck=Deck([*dealt, *BOARD, *rest]),
    )
    events = start(started)
    hand = Hand(started)
    for event in events[1:]:
        evolve(hand, event)
    for command in commands:
        for event in decide(hand, command):
            evolve(hand, event)
            events.append(event)
    assert hand.over
    return recorded(started, events, hand, names={i: names[i - 1] for i in range(1, size + 1)}), hand


def acts(text: str) -> list[Command]:
    """``3f 1c 2r300``: seat, action, amount."""
    kinds = {"f": FOLD, "x": CHECK, "c": CALL, "b": BET, "r": RAISE, "a": ALL_IN}
    return [Act(int(word[0]), kinds[word[1]], int(word[2:]) if word[2:] else None) for word in text.split()]


def lines(text: str) -> list[str]:
    return [str(line) for line in tomllib.loads(text)["actions"]]


def written(record: HandRecord, account: str | None = None) -> PhhHand:
    """What is read back, having come to the same stacks here and in PokerKit."""
    text = write(seen_by(record, account))
    (hand,) = read(text, name="hand.phh")
    stacks = [stake.stack for stake in record.ended.stacks]
    assert finishing_stacks(text) == stacks
    assert list(play(hand).stacks) == stacks
    assert play(hand).trouble is None
    return hand


def test_a_hand_in_full_is_what_phh_asks_for() -> None:
    record, _ = hand_of([1000, 1000, 1000], acts("3r300 1f 2c 2x 3b400 2c 2x 3x 2x 3x"))
    assert write(seen_by(record, "a3")) == (
        'variant = "NT"\n'
        "ante_trimming_status = false\n"
        "antes = [0, 0, 0]\n"
        "blinds_or_straddles = [50, 100, 0]\n"
        "min_bet = 100\n"
        "starting_stacks = [1000, 1000, 1000]\n"
        "actions = [\n"
        '  "d dh p1 ????",\n'
        '  "d dh p2 KsKd",\n'
        '  "d dh p3 QsQd",\n'
        '  "p3 cbr 300",\n'
        '  "p1 f",\n'
        '  "p2 cc",\n'
        '  "d db 2c4c6h",\n'
        '  "p2 cc",\n'
        '  "p3 cbr 400",\n'
        '  "p2 cc",\n'
        '  "d db 8h",\n'
        '  "p2 cc",\n'
        '  "p3 cc",\n'
        '  "d db Th",\n'
        '  "p2 cc",\n'
        '  "p3 cc",\n'
        '  "p2 sm KsKd",\n'
        '  "p3 sm",\n'
        "]\n"
        'venue = "Fullring"\n'
        "time = 15:21:34.250\n"
        'time_zone = "UTC"\n'
        "day = 24\n"
        "month = 4\n"
        "year = 2025\n"
        'hand = "h1"\n'
        "seats = [1, 2, 3]\n"
        "seat_count = 10\n"
        'table = "Magnolia"\n'
        'players = ["Owner (host)", "A. B.", "$5 in chips"]\n'
        "finishing_stacks = [950, 1750, 300]\n"
        '_table_id = "t7"\n'
        "_number = 1\n"
        "_button = 3\n"
    )
    written(record, "a3")


def test_an_instant_reads_back_as_the_same_instant_with_its_zone_written() -> None:
    record, _ = hand_of([1000, 1000], acts("2f"))
    for instant in (record.started_at, 1_745_508_094_000, 0, 951_782_399_999, 253_402_300_799_999):
        text = write(replace(record, started_at=instant))
        assert 'time_zone = "UTC"' in text
        assert read(text, name="x")[0].started_at == instant
    assert tomllib.loads(write(replace(record, started_at=1_745_508_094_000)))["time"] == time(15, 21, 34)


def test_names_that_look_like_syntax_read_back_the_same() -> None:
    record, _ = hand_of([1000] * 8, acts("3f 4f 5f 6f 7f 8f 1f"))
    assert written(record).players == NAMES


@pytest.mark.parametrize(
    "name",
    ["'''", '"""', "\\", '"', "\\u0041", "#", "]", "line\nbreak", "tab\there", "\x00\x1f\x7f\x85\u2028", "e\u0301", ""],
)
def test_a_name_may_hold_anything(name: str) -> None:
    record, _ = hand_of([1000, 1000], acts("2f"), names=(name, "b"))
    record = replace(record, table_name=name)
    assert written(record).players == (name, "b")
    assert read(write(record), name="x")[0].fields["table"] == name


def test_half_a_surrogate_pair_has_no_utf8_and_becomes_a_replacement_character() -> None:
    record, _ = hand_of([1000, 1000], acts("2f"), names=("a\ud800b", "b"))
    assert write(record).encode()
    assert written(record).players == ("a\ufffdb", "b")


def test_a_timeout_is_its_check_or_fold_with_the_reason_beside_it() -> None:
    record, _ = hand_of([1000] * 3, [Act(3, FOLD, auto=Auto.TIMEOUT), *acts("1c"), Act(2, CHECK, auto=Auto.AWAY),
                                     *acts("1b100"), Act(2, FOLD, auto=Auto.ARMED)])  # fmt: skip
    hand = written(record)
    assert [(line.text, line.comment) for line in hand.lines if line.comment] == [
        ("p3 f # timeout", "timeout"),
        ("p2 cc # away", "away"),
        ("p2 f # armed", "armed"),
    ]


def test_a_winner_by_folds_shows_nothing_unless_by_choice() -> None:
    record, hand = hand_of([1000] * 3, acts("3r300 1f 2f"))
    assert not any("sm" in line for line in lines(write(seen_by(record, None))))
    both = with_late_show(record, hand, 3, parse("QsQd"))
    assert lines(write(seen_by(both, None)))[-1] == "p3 sm QsQd"
    written(both)
    one = with_late_show(record, hand, 3, parse("Qd"))
    text = write(seen_by(one, None))
    assert lines(text)[-1] == "# p3 shows Qd"
    assert "Qs" not in text
    written(one)


def test_a_mucked_hand_may_be_shown_late_and_is_still_no_winner() -> None:
    record, hand = hand_of([1000, 1000], acts("2c 1x 1x 2x 1x 2x 1x 2x"))
    shown = with_late_show(record, hand, 2, parse("KsKd"))
    assert lines(write(seen_by(shown, None)))[-3:] == ["p1 sm AsAd", "p2 sm", "# p2 shows KsKd"]
    written(shown)


def test_all_in_hands_are_shown_before_the_rest_of_the_board() -> None:
    record, _ = hand_of([500, 900, 700], acts("3a 1a 2c"))
    assert lines(write(seen_by(record, None)))[-6:] == [
        "p3 sm QsQd",
        "p1 sm AsAd",
        "p2 sm KsKd",
        "d db 2c4c6h",
        "d db 8h",
        "d db Th",
    ]
    written(record)


def test_a_check_that_only_pokerkit_waits_for_is_written_and_says_so() -> None:
    record, _ = hand_of([1000, 1000, 60], acts("3a 1f"))
    assert "p2 cc # no decision left" in lines(write(record))
    written(record)


def test_a_raise_that_nobody_can_match_is_a_call_for_pokerkit() -> None:
    record, _ = hand_of([300, 1000, 200], acts("3c 1a 2r600 3c"))
    assert "p2 cc # raise to 600 that nobody can match" in lines(write(record))
    written(record)


def test_somebody_who_left_and_whom_only_pokerkit_asks_folds() -> None:
    record, _ = hand_of([1000, 1000, 60], [*acts("3a"), Leave(2), *acts("1f")])
    assert lines(write(record))[-2:] == ["p1 f", "p2 f # left"]
    written(record)


def test_somebody_who_left_after_calling_mucks_before_the_others_show() -> None:
    record, _ = hand_of([1000, 1000, 200, 300], [*acts("3a 4a 1c"), Leave(1), *acts("2f")])
    assert lines(write(record))[7:11] == ["p2 f", "p1 sm # left", "p4 sm JsJd", "p3 sm QsQd"]
    written(record)


def test_one_all_in_player_left_by_the_other_wins_though_pokerkit_waits_for_a_board() -> None:
    record, _ = hand_of([1000, 1000, 200], [*acts("3a 1c"), Leave(1), *acts("2f")])
    text = write(record)
    assert lines(text)[-1] == "p1 sm # left"
    assert list(play(read(text, name="x")[0]).stacks) == [800, 900, 500]
    with pytest.raises(NotTaken, match="not over"):
        finishing_stacks(text)


@pytest.mark.parametrize(
    ("stacks", "antes", "paid"),
    [([1000, 1000, 1000], [0, 60, 0], 60), ([1000, 130, 1000], [0, 30, 0], 30), ([1000, 100, 1000], [0, 0, 0], 0)],
)
def test_a_big_blind_ante_is_paid_after_the_blind_and_written_as_what_was_paid(
    stacks: list[int], antes: list[int], paid: int
) -> None:
    posts = [
        Post(1, PostKind.SMALL_BLIND, SMALL),
        Post(2, PostKind.BIG_BLIND, BIG),
        Post(2, PostKind.BIG_BLIND_ANTE, 60),
    ]
    record, _ = hand_of(stacks, acts("3f 1f"), posts=posts)
    hand = written(record)
    assert (list(hand.antes), hand.antes[1], hand.blinds) == (antes, paid, (50, 100, 0))


def test_a_short_ante_and_a_short_blind_are_written_as_they_were_due() -> None:
    posts = [
        *[Post(seat, PostKind.ANTE, 20) for seat in (1, 2, 3)],
        Post(1, PostKind.SMALL_BLIND, SMALL),
        Post(2, PostKind.BIG_BLIND, BIG),
    ]
    record, _ = hand_of([40, 1000, 15], acts("2x")[:0], posts=posts)
    hand = written(record)
    assert (hand.trimmed, hand.antes, hand.blinds) == (True, (20, 20, 20), (50, 100, 0))


def test_a_newcomers_blinds_are_a_live_post_and_an_ante() -> None:
    posts = [
        Post(1, PostKind.SMALL_BLIND, SMALL),
        Post(2, PostKind.BIG_BLIND, BIG),
        Post(3, PostKind.LIVE, BIG),
        Post(3, PostKind.DEAD_BLIND, SMALL),
    ]
    record, _ = hand_of([1000] * 4, acts("3x 4f 1c 2x 1x 2x 3b100 1f 2f"), posts=posts)
    hand = written(record)
    assert (hand.antes, hand.blinds, hand.dead) == ((0, 0, 50, 0), (50, 100, -100, 0), (0, 0, 50, 0))
    assert hand.fields["_dead_blinds"] == [0, 0, 50, 0]


def test_a_dead_blind_beside_antes_is_told_apart_in_our_own_files() -> None:
    posts = [
        *[Post(seat, PostKind.ANTE, 20) for seat in (1, 2, 3)],
        Post(1, PostKind.SMALL_BLIND, SMALL),
        Post(2, PostKind.BIG_BLIND, BIG),
        Post(3, PostKind.DEAD_BLIND, SMALL),
    ]
    record, _ = hand_of([5, 1000, 1000], acts("3c 2x 2x 3x 2x 3x 2x 3x"), posts=posts)
    result = play(read(write(record), name="x")[0])
    assert list(result.stacks) == [stake.stack for stake in record.ended.stacks] == [65, 1110, 830]


def test_equal_blinds_heads_up_still_have_the_button_open() -> None:
    posts = [Post(2, PostKind.SMALL_BLIND, BIG), Post(1, PostKind.BIG_BLIND, BIG)]
    record, _ = hand_of([1000, 1000], acts("2x 1b200 2f".replace("1b", "1r")), posts=posts)
    assert "blinds_or_straddles = [-100, 100]" in write(record)
    written(record)


def test_a_dead_small_blind_leaves_the_big_blind_first() -> None:
    record, _ = hand_of([1000] * 3, acts("2c 3f 1x 1x 2x 1x 2x 1x 2x"), posts=[Post(1, PostKind.BIG_BLIND, BIG)])
    assert written(record).blinds == (100, 0, 0)


def test_fixed_limit_has_its_two_bets() -> None:
    record, _ = hand_of([1000] * 3, acts("3r200 1f 2c 2b100 3c 2b200 3f"), game="flhe")
    hand = written(record)
    assert (hand.variant, hand.min_bet, hand.big_bet) == ("FT", 100, 200)


def test_rake_is_stated_and_the_stacks_are_after_it() -> None:
    record, _ = hand_of([1000, 1000], acts("2c 1x 1x 2x 1x 2x 1x 2x"))
    raked = replace(record, events=(*record.events[:-1], HandEnded((Stake(1, 1090), Stake(2, 900)), rake=10)))
    (hand,) = read(write(raked), name="x")
    assert hand.fields["_rake"] == 10
    assert stacks_differ(play(hand)) is None


def test_what_phh_has_no_words_for_is_refused_with_the_reason() -> None:
    pot_limit, _ = hand_of([1000, 1000], acts("2f"), game="plhe")
    with pytest.raises(NotExpressible, match="no code for the game plhe"):
        write(pot_limit)
    record, _ = hand_of([1000, 1000], acts("2f"))
    voided = replace(record, events=(*record.events[:-1], HandVoided("crashed", record.started.seats)))
    with pytest.raises(NotExpressible, match="voided"):
        write(voided)


def test_many_hands_are_tables_and_one_that_cant_be_written_is_a_comment() -> None:
    record, _ = hand_of([1000, 1000], acts("2f"))
    pot_limit = replace(hand_of([1000, 1000], acts("2f"), game="plhe")[0], hand="h2\nx = 1")
    text = write_many([record, pot_limit, replace(record, hand="h3")])
    hands = read(text, name="hands.phhs")
    assert [(hand.name, hand.fields["hand"]) for hand in hands] == [("1", "h1"), ("2", "h3")]
    assert "\n# hand h2?x = 1: PHH has no code for the game plhe\n" in text
    assert write_many([]) == ""


def test_nobody_reads_a_card_that_was_not_theirs_to_see() -> None:
    record, _ = hand_of([1000] * 3, acts("3r300 1f 2c 2x 3b400 2f"))
    for account in ("a1", "a2", "a3", None):
        text = write(seen_by(record, account))
        known = [hole for hole in record.holes if f"a{hole.seat}" == account]
        hidden = [hole for hole in record.holes if hole not in known]
        assert all(texts(hole.cards) in text for hole in known)
        assert not any(texts([card]) in text for hole in hidden for card in hole.cards)
