"""A pre-action that waits in its turn: how long, what ends the wait, and that a restart changes nothing of it."""

import asyncio

from fullring.rules.actions import Action
from fullring.runtime.chance import up_to
from fullring.table.commands import Arm, Disarm, PreAction
from fullring.table.ids import HandId, TableId
from tests.runtime.house import House, Person, housed, to_act, until

JITTER_MS = 2_000


async def armed(house: House, **settings: object) -> tuple[TableId, Person, Person]:
    """Two play, and the second has a pre-action for the turn that is about to come. It is not yet."""
    table = await house.open(**settings)
    people = await house.seated(table, 1, 2)
    first = await to_act(people)
    second = next(person for person in people if person is not first)
    await second.ask(Arm(second.account, HandId(first.seen["view"]["hand"]["id"]), PreAction.CHECK_FOLD))
    return table, first, second


def answers(person: Person) -> list[object]:
    """How the turns were answered: by the player, or by what they had armed."""
    return [event.get("auto") for event in person.listener.events(person.table) if event["type"] == "acted"]


@housed()
async def test_without_jitter_it_answers_in_the_very_update_that_begins_its_turn(house: House) -> None:
    _, first, _ = await armed(house)
    await first.act(Action.CALL)
    await until(lambda: answers(first)[:2] == [None, "armed"], ms=1)
    assert house.drawn == []


@housed()
async def test_with_jitter_it_looks_like_thinking_until_the_moment_that_was_drawn(house: House) -> None:
    _, first, second = await armed(house, jitter_ms=JITTER_MS)
    began = house.clock.now()
    await first.act(Action.CALL)
    await asyncio.sleep((JITTER_MS - 50) / 1_000)
    assert answers(first) == [None]
    assert second.turn is not None
    await until(lambda: answers(first)[:2] == [None, "armed"])

    assert house.drawn[0] == JITTER_MS
    assert JITTER_MS <= house.clock.now() - began < JITTER_MS + 100


@housed()
async def test_it_leaves_half_of_a_short_turn(house: House) -> None:
    _, first, _ = await armed(house, jitter_ms=JITTER_MS, turn_ms=1_000, time_bank_ms=0)
    await first.act(Action.CALL)
    await until(lambda: len(answers(first)) > 1)

    assert house.drawn[0] == 500
    assert answers(first)[1] == "armed"


@housed()
async def test_who_takes_it_back_meanwhile_is_asked_like_anybody(house: House) -> None:
    _, first, second = await armed(house, jitter_ms=JITTER_MS)
    await first.act(Action.CALL)
    await until(lambda: second.turn is not None)
    await second.ask(Disarm(second.account, HandId(second.seen["view"]["hand"]["id"])))
    await asyncio.sleep(2 * JITTER_MS / 1_000)

    assert answers(first) == [None]
    await second.act(Action.CHECK)
    assert answers(first) == [None, None]


@housed()
async def test_a_room_that_comes_up_again_carries_it_out(house: House) -> None:
    table, first, second = await armed(house, jitter_ms=JITTER_MS)
    await first.act(Action.CALL)
    await until(lambda: second.turn is not None)
    await house.room.stop()
    again = House(house.clock, house.store)
    await again.room.start()
    watcher = await again.person("watcher", table)
    await until(lambda: "armed" in answers(watcher), ms=4_000)
    assert again.drawn[0] == JITTER_MS
    await again.room.stop()


def test_a_draw_reaches_from_nothing_to_the_most() -> None:
    drawn = [up_to(3) for _ in range(400)]
    assert set(drawn) == {0, 1, 2, 3}
    assert up_to(0) == 0
