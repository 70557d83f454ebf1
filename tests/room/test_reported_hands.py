"""The scripted hands of public_reports.json, played by people over real sockets: offers, refusals, pots and stacks."""

import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from fullring.rules.cards import parse
from fullring.table.commands import Close
from tests.fake_clock import FakeClock
from tests.room.decks import Stacked
from tests.room.seats import Party, Place, party
from tests.server import Running, running
from tests.shared import data

Case = dict[str, Any]
ELSEWHERE = {
    "PR-A6b": "nobody sits down with less than a big blind",
    "PR-B5": "no table has an ante above its big blind",
    "PR-D1": "its small blind is dead, which takes a hand before it: tests/table/test_button.py",
}
"""Cases that the rules alone can play, and why."""
CASES: list[Case] = [
    case
    for case in json.loads(data("public_reports.json").read_text(encoding="utf-8"))["hands"]
    if case["id"] not in ELSEWHERE
]


def seats_of(case: Case) -> dict[int, int]:
    """Where the case's seats are at a table whose first button is on seat 1."""
    after = sorted([seat["seat"] for seat in case["seats"]], key=lambda seat: (seat <= case["button"], seat))
    return {seat: number % len(after) + 1 for number, seat in enumerate(after, start=1)}


def deck_of(case: Case) -> Sequence[int]:
    dealt = sorted(seats_of(case), key=lambda seat: (seat <= case["button"], seat))
    holes = {seat: parse("".join(case["hole_cards"][str(seat)])) for seat in dealt}
    return [*[holes[seat][turn] for turn in range(2) for seat in dealt], *parse("".join(case["board"]))]


async def test_the_reported_hands_come_out_right_at_a_table(
    tmp_path: Path, database_url: str, clock: FakeClock, subtests: pytest.Subtests
) -> None:
    decks = Stacked(*map(deck_of, CASES))
    async with running(tmp_path, database_url=database_url, clock=clock, shuffle=decks, silent_seconds=900) as room:
        for case in CASES:
            with subtests.test(case["id"]):
                async with seated(room, case) as there:
                    await there.deal(clock)
                    await played(there, clock, case)
                    await room.site.room.ask(there.table, Close("played"))
        assert await room.site.ledger.audit() == []


@asynccontextmanager
async def seated(room: Running, case: Case) -> AsyncIterator[Party]:
    small, big = case["game"]["blinds"]
    stacks = {seat["seat"]: seat["stack"] for seat in case["seats"]}
    settings = {"small_blind": small, "big_blind": big, "buy_in_min": big, "buy_in_max": max(stacks.values())}
    async with party(room, seats=max(2, len(stacks)), **settings) as there:
        for seat, number in sorted(seats_of(case).items(), key=lambda one: one[1]):
            await there.join(number, buy_in=stacks[seat])
        yield there


async def played(there: Party, clock: FakeClock, case: Case) -> None:
    seats, expected = seats_of(case), case["expected"]
    for seat in {action["seat"] for action in case["actions"] if action.get("auto") == "timeout"}:
        await there[seats[seat]].drop()
        await there.until("connection_changed", connected=False)
    for done, action in enumerate([*_in_order(case["actions"]), None]):
        for offer in expected["legal"]:
            if offer["after"] == done:
                check_offer(there, offer, seats)
        for wrong in expected.get("reject", ()):
            if wrong["after"] == done:
                await check_refusal(there, there[seats[wrong["seat"]]], wrong)
        if action is not None:
            await act(there, clock, action, there[seats[action["seat"]]])
    check_end(there, expected, seats)


def _in_order(actions: Sequence[Case]) -> Iterator[Case]:
    """Of players who leave together, those who are not to act leave first."""
    for leaving, group in groupby(actions, key=lambda action: action.get("auto") == "left_table"):
        together = list(group)
        yield from reversed(together) if leaving else together


async def act(there: Party, clock: FakeClock, action: Case, place: Place) -> None:
    if action.get("auto") == "left_table":
        answer = await place.asks("leave")
        while there.latest["seq"] < answer["seq"]:
            await there.hears()
    elif action.get("auto") == "timeout":
        assert not place.here
        await clock.advance(there.hand["turn"]["deadline"] + 1 - clock.now())
        acted = await there.until("acted")
        assert (acted["seat"], acted["action"], acted["auto"]) == (place.seat, action["action"], "away")
    else:
        name, amount = action["action"].removesuffix("_to"), action["amount"]
        to = {"to": amount} if name in {"bet", "raise"} else {}
        assert await there.act(name, **to) is place
        (acted,) = [event for event in there.latest["events"] if event["type"] == "acted" and "auto" not in event]
        assert amount in (None, acted["to"])


def check_offer(there: Party, offer: Case, seats: dict[int, int]) -> None:
    turn = there.hand.get("turn")
    if offer["seat"] is None:
        assert turn is None
        return
    assert turn is not None
    assert turn["seat"] == seats[offer["seat"]]
    actions = turn["actions"]
    raises = actions.get("bet") or actions.get("raise")
    names = {"check" if actions["check"] else "call"} | (
        {"bet" if "bet" in actions else "raise_to"} if raises else set()
    )
    assert set(offer["allowed"]) - {"fold"} == names
    assert actions.get("call", 0) == offer.get("call_amount", 0)
    bounds = (raises["min"], raises["max"]) if raises else (None, None)
    assert bounds == (offer.get("min_raise_to"), offer.get("max_raise_to"))


async def check_refusal(there: Party, place: Place, wrong: Case) -> None:
    """An error, and nobody hears of anything; the turn is as it was."""
    await place.sees(there.latest["seq"])
    name = wrong["action"].removesuffix("_to")
    to = {"to": wrong["amount"]} if name in {"bet", "raise"} else {}
    refused = await place.acts(name, **to)
    assert refused["type"] == "error", wrong
    await there.quiet()


def check_end(there: Party, expected: Case, seats: dict[int, int]) -> None:
    events = [event for update in there.told.values() for event in update["events"]]
    (ended,) = [event for event in events if event["type"] == "hand_ended"]
    stacks = {stake["seat"]: stake["stack"] for stake in ended["stacks"]}
    assert stacks == {seats[int(seat)]: stack for seat, stack in expected["final_stacks"].items()}
    back = [
        {seat: event[seat] for seat in ("seat", "amount")} for event in events if event["type"] == "uncalled_returned"
    ]
    returned = expected["uncalled_returned"]
    assert back == ([{"seat": seats[returned["seat"]], "amount": returned["amount"]}] if returned else [])
    awards = [event for event in events if event["type"] == "pot_awarded"]
    assert [(award["amount"], {won["seat"]: won["amount"] for won in award["winners"]}) for award in awards[::-1]] == [
        (pot["amount"], {seats[int(seat)]: amount for seat, amount in pot["winners"].items()})
        for pot in expected["pots"]
    ]
    if "show_order" in expected:
        shown = [event["seat"] for event in events if event["type"] in {"cards_shown", "mucked"}]
        assert shown == [seats[seat] for seat in expected["show_order"]]
