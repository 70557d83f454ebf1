"""Every hand that others recorded replays through the rules: turns, what is legal, amounts, returns, pots, stacks."""

from collections.abc import Iterable

import pytest

from fullring.rules.actions import Act, Action, Legal
from fullring.rules.events import Acted, Event, Posted, PotAwarded, UncalledReturned
from fullring.rules.hand import decide, legal, start
from fullring.rules.state import Hand
from tests.conformance.records import Move, Record, read, started
from tests.rules.soundness import apply
from tests.shared import shared_present

OURS = {"pluribus_sample.jsonl.gz": 2000, "acpc_sample.jsonl.gz": 600, "televised_sample.jsonl.gz": 11}
BESIDE = {"online_sample.jsonl.gz": 1919, "handhq_sample.jsonl.gz": 600, "edge_cases.jsonl": 30}
HANDS = OURS | (BESIDE if shared_present() else {})
EXCEPTIONS = {
    "stars:16652117062": "the room folded a player who was all-in from the blinds but sat out; here all-in stays in"
}


@pytest.mark.parametrize("name", HANDS)
def test_every_recorded_hand_replays(name: str) -> None:
    records = read(name)
    assert len(records) == HANDS[name]
    faults = {record.id: fault for record in records if (fault := fault_in(record))}
    assert faults.keys() == EXCEPTIONS.keys() & {record.id for record in records}, faults


def fault_in(record: Record) -> str:
    """What the rules do otherwise than the record says; nothing if they agree."""
    try:
        replay(record)
    except AssertionError as fault:
        return str(fault) or "an invariant does not hold"
    return ""


def replay(record: Record) -> None:
    events = start(started(record))
    hand = Hand(started(record))
    apply(hand, events[1:])
    assert _posted(events) == _paid(record)
    for move in record.moves:
        allowed = legal(hand)
        assert allowed is not None, f"nobody is to act, {move} was recorded"
        assert allowed.seat == move.seat, f"seat {allowed.seat} is to act, {move} was recorded"
        assert _is_legal(allowed, move, hand), f"{move} is not among {allowed}"
        to = move.to if move.action in (Action.BET, Action.RAISE) else None
        more = decide(hand, Act(move.seat, move.action, to))
        acted = more[0]
        assert isinstance(acted, Acted)
        assert (acted.action, acted.to) == (move.action, move.to)
        assert acted.all_in or not move.all_in
        apply(hand, more)
        events += more
    assert hand.over, f"seat {hand.seat_to_act} is to act, no more was recorded"
    _compare(record, hand, events)


def _is_legal(allowed: Legal, move: Move, hand: Hand) -> bool:
    bet = hand.bets[hand.index[move.seat]]
    match move.action:
        case Action.CHECK:
            return allowed.check
        case Action.CALL:
            return allowed.call == move.to - bet
        case Action.BET | Action.RAISE:
            return allowed.opens == (move.action is Action.BET) and _between(allowed, move.to)
        case _:
            return move.action is Action.FOLD


def _between(allowed: Legal, to: int) -> bool:
    return allowed.to_min is not None and allowed.to_max is not None and allowed.to_min <= to <= allowed.to_max


def _posted(events: Iterable[Event]) -> list[tuple[int, int]]:
    return sorted((event.seat, event.amount) for event in events if isinstance(event, Posted) and event.amount)


def _paid(record: Record) -> list[tuple[int, int]]:
    antes = [(seat, ante) for seat, ante in enumerate(record.antes, 1) if ante]
    return sorted(antes + [(seat, amount) for seat, _, amount in record.posts])


def _compare(record: Record, hand: Hand, events: list[Event]) -> None:
    dealt = [card for street in record.streets for card in street]
    assert hand.board == dealt
    returned = tuple((event.seat, event.amount) for event in events if isinstance(event, UncalledReturned))
    assert returned == record.uncalled
    awarded = [event for event in reversed(events) if isinstance(event, PotAwarded)]
    assert sum(award.amount for award in awarded) == record.pot
    if record.pots is not None:
        assert _won(awarded, merged=not record.settled) == list(record.pots)
    assert tuple(hand.stacks) == record.finishing


def _won(awarded: list[PotAwarded], *, merged: bool) -> list[frozenset[tuple[int, int]]]:
    """Who won what of each pot, the main pot first.

    PokerKit, by whose play most recorded pots were found, drops the losers first and then makes one pot of neighbours
    that the same players are left to win. The rules settle each pot by itself; ``merged`` adds them up likewise.
    """
    winners = {share.seat for award in awarded for share in award.winners}
    pots: list[tuple[set[int], dict[int, int]]] = []
    for award in awarded:
        left = winners & set(award.eligible)
        if not (merged and pots and pots[-1][0] == left):
            pots.append((left, {}))
        won = pots[-1][1]
        for share in award.winners:
            won[share.seat] = won.get(share.seat, 0) + share.amount
    return [frozenset(won.items()) for _, won in pots]
