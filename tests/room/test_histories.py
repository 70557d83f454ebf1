"""Hands that were played at a running server, as PHH: fetched by each who played them and by a stranger.

PokerKit reads every line as it stands and comes to the same stacks, but for the moments that docs/hand-histories.md
names; no text tells a card that its reader may not know.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from fullring.rules.events import CardsShown, Event, Posted, PostKind, PotAwarded
from tests.history.strict_pokerkit import NotTaken, finishing_stacks
from tests.room.evidence import WRITTEN, Evidence
from tests.room.kept import Moment, shown_in

CARD = re.compile(r"[2-9TJQKA][cdhs]")
EXCEPTIONS_MAX = 0.03


def test_each_who_played_and_a_stranger_have_every_hand(evidence: Evidence) -> None:
    assert len(evidence.phh) == WRITTEN
    for hand in evidence.hands[:WRITTEN]:
        assert set(evidence.phh[hand["id"]]) == {None, *[player["account"] for player in hand["players"]]}


def test_a_hand_alone_is_the_same_as_in_the_file_of_all(evidence: Evidence) -> None:
    assert len(evidence.alone) > WRITTEN // 2
    for (hand, account), text in evidence.alone.items():
        assert text.strip() == evidence.phh[hand][account].strip()


def test_no_text_tells_a_card_that_its_reader_may_not_know(evidence: Evidence) -> None:
    shown = shown_in(_all(evidence))
    for hand, texts in evidence.phh.items():
        public, holes = shown[hand]
        for reader, text in texts.items():
            mine = holes.get(reader or "", frozenset())
            told = set(CARD.findall(text.replace(hand, "").replace(hand.partition("h")[0], "")))
            assert mine <= told <= public | mine, hand
            assert text.count("????") == sum(not cards & told for cards in holes.values()), hand


def test_pokerkit_takes_every_line_and_comes_to_the_same_stacks(evidence: Evidence) -> None:
    exceptions: Counter[str] = Counter()
    events = _events(evidence)
    for hand in evidence.hands[:WRITTEN]:
        ends = {player["seat"]: player["stack_end"] for player in hand["players"]}
        for text in evidence.phh[hand["id"]].values():
            seats = [int(seat) for seat in _line(text, "seats").split(",")]
            expected = [ends[seat] for seat in seats]
            stacks = _in_pokerkit(text)
            if stacks != expected:
                why = _named(events[hand["id"]], text, dict(zip(seats, expected, strict=True)), stacks)
                assert why, (stacks, text)
                exceptions[why] += 1
    assert exceptions.total() <= EXCEPTIONS_MAX * sum(map(len, evidence.phh.values())), exceptions


def _in_pokerkit(text: str) -> list[int] | str:
    """The stacks at the end, or what PokerKit does not take."""
    try:
        return finishing_stacks(text)
    except NotTaken as refused:
        return str(refused)


def _line(text: str, name: str) -> str:
    found = re.search(rf"^{name} = \[(.*)\]$", text, re.MULTILINE)
    assert found, text
    return found[1]


def _named(events: Sequence[Event], text: str, ends: dict[int, int], stacks: list[int] | str) -> str:
    """Why PokerKit comes to something else, in the words of docs/hand-histories.md; nothing where it shouldn't."""
    short = {event.kind for event in events if isinstance(event, Posted) and event.amount < event.due}
    if PostKind.BIG_BLIND in short and len(ends) > 2:
        return "the big blind is all-in for less"
    if "sm # left" in text and not any(isinstance(event, CardsShown) for event in events):
        return "a player leaves who had called"
    odd: Counter[int] = Counter()
    for event in events:
        if isinstance(event, PotAwarded):
            odd.update({share.seat: len(event.winners) - 1 for share in event.winners})
    few = isinstance(stacks, list) and all(
        abs(theirs - ours) <= odd[seat] for theirs, (seat, ours) in zip(stacks, ends.items(), strict=True)
    )
    return "odd chips" if few and isinstance(stacks, list) and sum(stacks) == sum(ends.values()) else ""


def _events(evidence: Evidence) -> dict[str, list[Event]]:
    events: dict[str, list[Event]] = {}
    for moment in _all(evidence):
        events.setdefault(moment.hand, []).extend(event for event in moment.row.events if isinstance(event, Event))
    return events


def _all(evidence: Evidence) -> Iterator[Moment]:
    for life in evidence.moments.values():
        yield from life
