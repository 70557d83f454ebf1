"""Text made to break a reader: whatever a file holds, it is read, or it is trouble with a reason."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from fullring.history.phh import PhhHand, read
from fullring.history.phh_lines import PhhError
from fullring.history.replay import play
from fullring.history.report import report
from tests.history.records import document
from tests.shared import data

FILES = [
    data("phh/data") / "pluribus/44b/159.phh",
    data("phh/data") / "dwan-ivey-2009.phh",
    data("phh/data") / "wsop/2023/43/5/01-39-18.phh",
    data("phh/data") / "wsop/2023/43/5/00-02-07.phh",
]
TEXTS = [path.read_text() for path in FILES]
SNIPPETS = [
    "'p1 f', ", "'p2 cc', ", "'p3 cbr 1', ", "'p1 sm', ", "'d db Ah', ", "'d dh p1 2c2d', ", "-", "0", "9" * 20, "inf",
    "nan", "1e9", "1_0", "true", "[", "]", "{", "}", "'", '"', "'''", "\\", "\n", "=", "#", "\x00", "\ud83c", "??",
]  # fmt: skip
CARDS = st.sampled_from(["??", "Ah", "Kd", "2c", "7s", "Td", "AhAd", "????", "2c3c4c", "Jh", "9d", "QsQd", "Jo"])
PLAYERS = st.integers(0, 4).map(lambda number: f"p{number}")
LINES = st.one_of(
    st.builds("d dh {} {}".format, PLAYERS, CARDS),
    st.builds("d db {}".format, CARDS),
    st.builds("{} f".format, PLAYERS),
    st.builds("{} cc".format, PLAYERS),
    st.builds("{} cbr {}".format, PLAYERS, st.integers(-5, 400) | st.sampled_from(["x", "0.5", "100.25"])),
    st.builds("{} sm".format, PLAYERS),
    st.builds("{} sm {}".format, PLAYERS, CARDS | st.just("-")),
    st.text(max_size=12),
)
AMOUNTS = st.integers(0, 60) | st.sampled_from(["0.5", "inf"])


def survives(text: str) -> PhhHand | None:
    """The hand, if it reads. Anything raised but PhhError fails the test."""
    try:
        hands = read(text, name="fuzz.phh")
    except PhhError:
        return None
    for hand in hands:
        result = play(hand)
        json.dumps(report(result, file="fuzz.phh", number=1, steps=True))
        if result.over and None not in result.stacks:
            assert sum(stack or 0 for stack in result.stacks) == sum(stack or 0 for stack in hand.stacks)
    return hands[0] if hands else None


@settings(max_examples=150, deadline=None)
@given(
    text=st.sampled_from(TEXTS),
    changes=st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 40), st.sampled_from(SNIPPETS) | st.text(max_size=4)), max_size=4
    ),
)
def test_a_damaged_file_is_read_or_is_trouble(text: str, changes: list[tuple[float, int, str]]) -> None:
    for place, length, instead in changes:
        at = int(place * len(text))
        text = text[:at] + instead + text[at + length :]
    survives(text)


@settings(max_examples=150, deadline=None)
@given(lines=st.lists(LINES, max_size=30), antes=st.lists(AMOUNTS, min_size=3, max_size=3), trimmed=st.booleans(),
       blinds=st.lists(AMOUNTS | st.integers(-40, -1), min_size=3, max_size=3),
       stacks=st.lists(AMOUNTS, min_size=3, max_size=3))  # fmt: skip
def test_lines_in_any_order_are_played_or_refused(
    lines: list[str], antes: list[object], trimmed: bool, blinds: list[object], stacks: list[object]
) -> None:
    survives(
        document(actions=lines, stacks=stacks, antes=antes, blinds=blinds, min_bet=20, ante_trimming_status=trimmed)
    )


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(["{0} f", "{0} cc", "{0} cbr 40", "{0} cbr 90", "{0} cbr 300", "{0} sm", "{0} sm ????",
                         "d db 2c3c4c", "d db 7d", "d db 8h"]).flatmap(
            lambda line: st.integers(1, 3).map(lambda player: line.format(f"p{player}"))
        ),
        max_size=25,
    ),
    st.sampled_from([[300, 300, 300], [60, 90, 300], [20, 300, 45]]),
)  # fmt: skip
def test_likely_lines_never_lose_a_chip(lines: list[str], stacks: list[object]) -> None:
    """Each line that is refused is left out, so that hands get far."""
    taken = ["d dh p1 AhAd", "d dh p2 ????", "d dh p3 QsQd"]
    for line in lines:
        hand = survives(document(actions=[*taken, line], stacks=stacks, blinds=[10, 20, 0]))
        assert hand is not None
        if play(hand).trouble is None:
            taken.append(line)


@given(st.text() | st.binary().map(lambda raw: raw.decode("latin-1")))
def test_any_text_at_all_is_read_or_is_trouble(text: str) -> None:
    survives(text)
