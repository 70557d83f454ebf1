"""Draining: no new hand starts, the one in play is played to its end, and what time can't end is left."""

import asyncio
from random import Random

from fullring.rules.cards import Deck
from fullring.table.commands import Chat, Leave, Pause, Tick
from fullring.table.ids import TableId
from tests.runtime.house import House, Person, housed, outcome, to_act, until


async def in_a_hand(house: House) -> tuple[TableId, list[Person]]:
    table = await house.open()
    people = await house.seated(table, 1, 2, 3)
    await to_act(people)
    return table, people


def started(person: Person) -> int:
    return sum(event["type"] == "hand_started" for event in person.listener.events(person.table))


async def play_on(people: list[Person], draining: "asyncio.Task[None]") -> None:
    chance = Random(1)
    while not draining.done():
        await until(lambda: draining.done() or any(person.turn for person in people))
        for person in people:
            if person.turn:
                await person.ask(person.some_answer(chance))


@housed()
async def test_the_hand_in_play_is_played_to_its_end_and_no_other_begins(house: House) -> None:
    table, people = await in_a_hand(house)
    draining = asyncio.create_task(house.room.drain())
    await until(lambda: people[0].seen["view"]["status"] == "closing")
    hands = started(people[0])
    await play_on(people, draining)
    await asyncio.sleep(60)

    assert house.room.in_play() == 0
    assert started(people[0]) == hands
    assert people[0].seen["view"]["status"] == "closing"
    assert people[0].seen["view"]["reason"] == "the room restarts: no new hand until it is back"
    assert house.room.summary(table)["status"] == "closing"


@housed()
async def test_between_hands_a_table_takes_commands_until_the_end(house: House) -> None:
    table = await house.open(hand_pause_ms=60_000)
    anna, bo = await house.seated(table, 1, 2)
    await house.room.drain()

    assert "seq" in await anna.ask(Chat(anna.account, anna.name, "good night"))
    assert "seq" in await bo.ask(Leave(bo.account))
    assert started(anna) == 0


@housed()
async def test_a_table_that_is_opened_meanwhile_deals_nothing(house: House) -> None:
    await house.room.drain()
    table = await house.open()
    anna, _ = await house.seated(table, 1, 2)
    await asyncio.sleep(60)

    assert started(anna) == 0
    assert anna.seen["view"]["status"] == "closing"


@housed()
async def test_after_its_time_a_hand_stays_where_it_was_and_goes_on_in_the_next_room(house: House) -> None:
    table, people = await in_a_hand(house)
    await house.room.drain(0.5)
    assert house.room.in_play() == 1
    hand = people[0].seen["view"]["hand"]["id"]
    await house.room.stop()

    after = House(house.clock, house.store)
    await after.room.start()
    assert after.room.audience(table).view()["hand"]["id"] == hand
    assert after.room.audience(table).view()["status"] == "playing"
    await after.room.stop()


@housed()
async def test_nobody_waits_for_a_hand_that_a_host_has_paused(house: House) -> None:
    table, people = await in_a_hand(house)
    await house.room.ask(table, Pause("dinner"))
    async with asyncio.timeout(1):
        await house.room.drain()

    assert house.room.in_play() == 1
    assert people[0].seen["view"]["reason"] == "dinner"


@housed()
async def test_nobody_waits_for_a_table_that_has_broken(house: House) -> None:
    table, _ = await in_a_hand(house)
    await outcome(house.room.ask(table, Tick(deck=Deck())))  # The mistake: nothing was due.
    assert house.room.summary(table)["status"] == "paused"
    async with asyncio.timeout(1):
        await house.room.drain()


@housed()
async def test_draining_twice_waits_for_the_same_hand(house: House) -> None:
    _, people = await in_a_hand(house)
    first = asyncio.create_task(house.room.drain())
    await asyncio.sleep(0)
    second = asyncio.create_task(house.room.drain())
    await play_on(people, second)
    await first

    assert house.room.in_play() == 0
