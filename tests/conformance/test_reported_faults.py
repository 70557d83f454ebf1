"""Hands in which other software went wrong, as its users reported, each with what is right. See public_reports.md."""

import json
from itertools import takewhile
from typing import Any

import pytest

from fullring.rules.actions import Act, Action, Auto, Command, Leave, Legal
from fullring.rules.cards import FULL_DECK, Deck, parse
from fullring.rules.events import (
    Acted,
    CardsShown,
    Event,
    HandStarted,
    Mucked,
    Post,
    PostKind,
    PotAwarded,
    Stake,
    UncalledReturned,
)
from fullring.rules.hand import decide, legal, start
from fullring.rules.state import Hand
from tests.rules.soundness import apply, check_turn, facts, fold, refusal
from tests.shared import data

CASES: list[dict[str, Any]] = json.loads(data("public_reports.json").read_text(encoding="utf-8"))["hands"]
ACTIONS = {"raise_to": Action.RAISE} | {action.value: action for action in Action}


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_the_reported_hand_comes_out_right(case: dict[str, Any]) -> None:
    events = start(_started(case))
    hand = Hand(_started(case))
    apply(hand, events[1:])
    actions, expected = case["actions"], case["expected"]
    for done in range(len(actions) + 1):
        for offer in expected["legal"]:
            if offer["after"] == done:
                _check_offer(hand, offer)
        for wrong in expected.get("reject", ()):
            if wrong["after"] == done:
                assert refusal(hand, Act(wrong["seat"], ACTIONS[wrong["action"]], wrong["amount"])) is not None
        if not hand.over:
            events += _play(hand, actions[done:])
    _check_end(hand, events, expected)
    assert facts(fold(events)) == facts(hand)


def _started(case: dict[str, Any]) -> HandStarted:
    button, (small, big) = case["button"], case["game"]["blinds"]
    seats = sorted([seat["seat"] for seat in case["seats"]], key=lambda seat: (seat <= button, seat))
    stacks = {seat["seat"]: seat["stack"] for seat in case["seats"]}
    posts = [Post(seat, PostKind.ANTE, case["game"]["ante"]) for seat in seats if case["game"]["ante"]]
    if case["game"].get("dead_small_blind"):
        posts.append(Post(seats[0], PostKind.BIG_BLIND, big))
    else:
        payers = reversed(seats) if len(seats) == 2 else seats[:2]
        blinds = ((PostKind.SMALL_BLIND, small), (PostKind.BIG_BLIND, big))
        posts += [Post(seat, kind, amount) for seat, (kind, amount) in zip(payers, blinds, strict=True)]
    front = [parse(case["hole_cards"][str(seat)][k])[0] for k in range(2) for seat in seats]
    front += parse("".join(case["board"]))
    return HandStarted(
        hand=case["id"],
        number=1,
        game=case["game"]["type"],
        button=button,
        seats=tuple(Stake(seat, stacks[seat]) for seat in seats),
        posts=tuple(posts),
        min_bet=big,
        big_bet=big,
        deck=Deck([*front, *(card for card in FULL_DECK if card not in front)]),
    )


def _play(hand: Hand, actions: list[dict[str, Any]]) -> list[Event]:
    """Play the next action. Of players who leave together, those who are not to act leave first."""
    leavers = [action["seat"] for action in takewhile(lambda action: action.get("auto") == "left_table", actions)]
    commands: list[Command] = [Leave(seat) for seat in reversed(leavers)] or [_act(actions[0])]
    events: list[Event] = []
    for command in commands:
        more = decide(hand, command)
        apply(hand, more)
        events += more
    if not leavers:
        assert isinstance(events[0], Acted)
        assert actions[0]["amount"] in (None, events[0].to)
    return events


def _act(action: dict[str, Any]) -> Act:
    kind = ACTIONS[action["action"]]
    to = action["amount"] if kind in (Action.BET, Action.RAISE) else None
    return Act(action["seat"], kind, to, Auto(action["auto"]) if action.get("auto") else None)


def _check_offer(hand: Hand, offer: dict[str, Any]) -> None:
    allowed = legal(hand)
    if offer["seat"] is None:
        assert allowed is None
        return
    assert allowed is not None
    assert allowed.seat == offer["seat"]
    assert set(offer["allowed"]) - {"fold"} == _names(allowed)
    assert (allowed.call or 0) == offer.get("call_amount", 0)
    assert (allowed.to_min, allowed.to_max) == (offer.get("min_raise_to"), offer.get("max_raise_to"))
    for what in offer.get("not_allowed", ()):
        name, _, amount = what.partition(" ")
        assert refusal(hand, Act(allowed.seat, ACTIONS[name], int(amount) if amount else None)) is not None
    check_turn(hand)


def _names(allowed: Legal) -> set[str]:
    raises = {"bet" if allowed.opens else "raise_to"} if allowed.to_max is not None else set()
    return {"check" if allowed.check else "call"} | raises


def _check_end(hand: Hand, events: list[Event], expected: dict[str, Any]) -> None:
    assert hand.over
    assert {str(seat): stack for seat, stack in hand.stakes().items()} == expected["final_stacks"]
    back = [{"seat": event.seat, "amount": event.amount} for event in events if isinstance(event, UncalledReturned)]
    assert back == ([expected["uncalled_returned"]] if expected["uncalled_returned"] else [])
    pots = [
        {
            "amount": event.amount,
            "eligible": sorted(event.eligible),
            "winners": {str(share.seat): share.amount for share in event.winners},
        }
        for event in reversed(events)
        if isinstance(event, PotAwarded)
    ]
    assert pots == expected["pots"]
    if "show_order" in expected:
        assert [event.seat for event in events if isinstance(event, CardsShown | Mucked)] == expected["show_order"]
