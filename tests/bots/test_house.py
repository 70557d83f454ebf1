"""House bots at a table: they come through everybody's door, play, buy in again, and are back after a restart."""

import asyncio
import inspect
from collections.abc import Container
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from fullring.bots.house import HouseBots
from fullring.bots.player import HouseBot
from fullring.rules.refusals import Refusal, Refused
from fullring.runtime.accounts import Account
from fullring.runtime.lobby import LOBBY
from fullring.runtime.ports import OutcomeUnknown
from fullring.table.commands import Close, Edit, Kick
from fullring.table.ids import AccountId, Millis, TableId
from tests.fake_clock import START
from tests.fakes import FakeStore
from tests.runtime.house import House, Listener, housed, outcome, to_act, until
from tests.virtual_loop import Killed, LoopClock, run


def bots(
    house: House, *, think_ms: tuple[int, int] = (0, 0), seed: int = 1, outcasts: Container[str] = ()
) -> HouseBots:
    def outcast(account: AccountId, _: Millis) -> Refused | None:
        return Refused(Refusal.FORBIDDEN, "this account is banned") if account in outcasts else None

    return HouseBots(house.room, house.store.accounts, outcast, clock=house.clock, dice=Random(seed), think_ms=think_ms)


def seats(house: House, table: TableId) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = house.room.audience(table).view()["seats"]
    return found


def hands(house: House, table: TableId) -> int:
    number: int = house.room.audience(table).view().get("hand", {}).get("number", 0)
    return number


async def played(house: House, table: TableId, number: int) -> None:
    await until(lambda: hands(house, table) >= number, 3_600_000)


def bot_in(task: "asyncio.Task[None]") -> HouseBot:
    """Who plays in that task."""
    playing = task.get_coro()
    assert inspect.iscoroutine(playing)
    frame = playing.cr_frame
    assert frame is not None
    bot = frame.f_locals["self"]
    assert isinstance(bot, HouseBot)
    return bot


@housed(seeds=3)
async def test_bots_sit_down_marked_as_bots_and_leave_room_for_people(house: House) -> None:
    tables = [await house.open(), await house.open()]
    house_bots = bots(house)
    await house_bots.seat(tables, 4)
    await until(lambda: all(len(seats(house, table)) == 4 for table in tables))

    names = [seat["name"] for table in tables for seat in seats(house, table)]
    assert len(set(names)) == 8
    assert {seat["kind"] for table in tables for seat in seats(house, table)} == {"bot"}
    assert all(seat["connected"] for seat in seats(house, tables[0]))
    anna = await house.person("Anna", tables[0])
    assert (await anna.sit())["seat"] in range(1, 7)
    await house_bots.stop()


@housed(seeds=2)
async def test_bots_play_hand_after_hand_and_buy_in_again(house: House) -> None:
    table = await house.open(buy_in_min=20, buy_in_max=100)
    house_bots = bots(house)
    await house_bots.seat([table], 4)
    visitor = Listener(house.clock)
    house.room.audience(table).watch(visitor.outbox)
    await played(house, table, 150)
    await house_bots.stop()

    acted = [event for event in visitor.events(table) if event["type"] == "acted"]
    assert {event["action"] for event in acted} >= {"fold", "check", "call", "bet", "raise"}
    assert not any("auto" in event for event in acted), "no turn ran out and nothing was refused"
    assert any(event["type"] == "topped_up" for event in visitor.events(table))


@pytest.mark.parametrize("game", ["plhe", "flhe"])
def test_bots_play_every_game(game: str) -> None:
    @housed()
    async def play(house: House) -> None:
        table = await house.open(game=game)
        house_bots = bots(house)
        await house_bots.seat([table], 3)
        visitor = Listener(house.clock)
        house.room.audience(table).watch(visitor.outbox)
        await played(house, table, 50)
        await house_bots.stop()

        assert not any("auto" in event for event in visitor.events(table))

    play()


@housed()
async def test_a_bot_takes_its_time_as_people_do(house: House) -> None:
    table = await house.open()
    house_bots = bots(house, think_ms=(1_000, 2_000))
    await house_bots.seat([table], 2)
    visitor = Listener(house.clock)
    house.room.audience(table).watch(visitor.outbox)
    await played(house, table, 10)
    await house_bots.stop()

    turned = 0
    thought = []
    for update in visitor.updates(table):
        for event in update["events"]:
            if event["type"] == "acted":
                thought.append(update["at"] - turned)
            if event["type"] == "turn_started":
                turned = update["at"]
    assert all(1_000 <= span <= 2_010 for span in thought)
    assert len({span // 100 for span in thought}) > 3


@housed()
async def test_a_bot_never_thinks_for_longer_than_half_of_the_turn(house: House) -> None:
    table = await house.open(turn_ms=500, time_bank_ms=0)
    house_bots = bots(house, think_ms=(1_000, 2_000))
    await house_bots.seat([table], 2)
    visitor = Listener(house.clock)
    house.room.audience(table).watch(visitor.outbox)
    await played(house, table, 10)
    await house_bots.stop()

    assert not any("auto" in event for event in visitor.events(table))


@housed()
async def test_a_bot_sees_no_more_than_a_client_in_its_place(house: House) -> None:
    """What it decides by is the view and its own part, which are those of any viewer of its account."""
    table = await house.open()
    people = await house.seated(table, 1)
    house_bots = bots(house)
    await house_bots.seat([table], 1)
    await to_act(people)
    (bot,) = [bot_in(task) for task in house_bots._playing.values()]

    assert bot._view == house.room.audience(table).view()
    spy = Listener(house.clock, bot.account)
    house.room.audience(table).watch(spy.outbox)
    assert bot._you == spy.heard[0]["you"]
    await house_bots.stop()


@housed()
async def test_a_bot_that_was_sent_away_sits_down_again(house: House) -> None:
    table = await house.open()
    house_bots = bots(house)
    await house_bots.seat([table], 2)
    await played(house, table, 2)
    account = seats(house, table)[0]["account"]
    await outcome(house.room.ask(table, Kick(account, "a test")))
    await until(lambda: len(seats(house, table)) == 1)
    await until(lambda: len(seats(house, table)) == 2, 10_000)
    await house_bots.stop()


@housed()
async def test_a_bot_that_was_sent_away_with_more_than_a_buy_in_comes_back_with_it(house: House) -> None:
    table = await house.open(buy_in_min=20, buy_in_max=100)
    house_bots = bots(house)
    await house_bots.seat([table], 2)
    await until(lambda: any(seat["stack"] > 100 for seat in seats(house, table)), 60_000)
    for seat in seats(house, table):
        await outcome(house.room.ask(table, Kick(seat["account"], "a test")))
    await until(lambda: seats(house, table) == [], 10_000)
    await until(lambda: len(seats(house, table)) == 2, 10_000)
    await house_bots.stop()


@housed()
async def test_a_bot_that_is_banned_stays_away_until_it_may_come_back(house: House) -> None:
    table = await house.open()
    banned: set[str] = set()
    house_bots = bots(house, outcasts=banned)
    await house_bots.seat([table], 2)
    await until(lambda: len(seats(house, table)) == 2)
    account = seats(house, table)[0]["account"]
    banned.add(account)
    await outcome(house.room.ask(table, Kick(account, "banned")))
    await until(lambda: len(seats(house, table)) == 1)
    await asyncio.sleep(60)
    assert account not in {seat["account"] for seat in seats(house, table)}

    banned.clear()
    await until(lambda: len(seats(house, table)) == 2, 10_000)
    await house_bots.stop()


@housed()
async def test_bots_can_pay_for_a_table_that_has_become_dearer(house: House) -> None:
    table = await house.open(buy_in_min=20, buy_in_max=100)
    house_bots = bots(house)
    await house_bots.seat([table], 3)
    await played(house, table, 1)
    dearer = replace(house.room.settings(table), small_blind=500, big_blind=1_000, buy_in_min=2_000, buy_in_max=100_000)
    await house.room.ask(table, Edit(dearer))
    await until(lambda: any(seat["stack"] == 100_000 for seat in seats(house, table)), 60_000)
    await house_bots.stop()


@housed()
async def test_a_bot_waits_for_a_seat_at_a_full_table(house: House) -> None:
    table = await house.open(seats=2)
    people = await house.seated(table, 1, 2)
    house_bots = bots(house)
    await house_bots.seat([table], 1)
    await asyncio.sleep(1)
    assert {seat["kind"] for seat in seats(house, table)} == {"player"}
    await outcome(house.room.ask(table, Kick(people[0].account, "a test")))
    await until(lambda: any(seat["kind"] == "bot" for seat in seats(house, table)), 60_000)
    await house_bots.stop()


@housed()
async def test_bots_of_a_table_that_closes_are_gone(house: House) -> None:
    table = await house.open()
    house_bots = bots(house)
    await house_bots.seat([table], 3)
    await played(house, table, 2)
    await house.room.ask(table, Close("the night is over"))
    await until(lambda: house.room.summaries() == [], 60_000)
    await asyncio.sleep(1)

    assert house_bots._playing == {}
    assert len(house.room.audience(LOBBY)) == 0
    await house_bots.stop()


@housed(seeds=3)
async def test_bots_go_on_by_themselves_after_an_outage(house: House) -> None:
    table = await house.open()
    house_bots = bots(house, think_ms=(100, 200))
    await house_bots.seat([table], 3)
    await played(house, table, 3)
    house.log.down = True
    await asyncio.sleep(600)
    number = hands(house, table)
    house.log.down = False
    await played(house, table, number + 5)
    await house_bots.stop()


@housed()
async def test_a_bot_that_may_or_may_not_have_been_given_chips_asks_again(house: House) -> None:
    table = await house.open()
    house_bots = bots(house)
    fund, failures = house_bots._account, 3

    async def unknown(name: str, chips: int = 0) -> Account | None:
        nonlocal failures
        if chips and failures:
            failures -= 1
            raise OutcomeUnknown("the database failed")
        return await fund(name, chips)

    house_bots._account = unknown  # type: ignore[method-assign]  # The store does that when a commit's end is lost.
    await house_bots.seat([table], 2)
    playing = list(house_bots._playing.values())
    await played(house, table, 3)

    assert failures == 0
    assert list(house_bots._playing.values()) == playing, "neither had to be started again"
    await house_bots.stop()


@housed()
async def test_a_name_that_somebody_else_has_is_passed_over(house: House) -> None:
    table = await house.open()
    await house.person("pascal", table)
    house_bots = bots(house)
    await house_bots.seat([table], 2)
    await until(lambda: len(seats(house, table)) == 2)

    assert "Pascal" not in {seat["name"] for seat in seats(house, table)}
    await house_bots.stop()


@housed()
async def test_seating_again_adds_only_those_who_are_missing(house: House) -> None:
    one, two = await house.open(), await house.open()
    house_bots = bots(house, think_ms=(100, 100))
    await house_bots.seat([one], 2)
    await until(lambda: len(seats(house, one)) == 2)
    await house_bots.seat([two], 2)
    await until(lambda: len(seats(house, two)) == 2)
    await asyncio.sleep(5)

    assert len(seats(house, one)) == 2
    await house_bots.stop()


def test_after_a_restart_every_bot_is_back_in_its_own_seat() -> None:
    store = FakeStore()
    before: dict[TableId, list[tuple[int, str]]] = {}

    async def live() -> None:
        house = House(LoopClock(), store)
        await house.room.start()
        tables = [await house.open(), await house.open()]
        await bots(house, think_ms=(10, 20)).seat(tables, 3)
        for table in tables:
            await played(house, table, 3)
            before[table] = [(seat["seat"], seat["name"]) for seat in seats(house, table)]
        raise Killed

    async def again() -> None:
        house = House(LoopClock(start=START + 3_600_000), store)
        await house.room.start()
        house_bots = bots(house, seed=2)
        await house_bots.seat(list(before), 3)
        for table, sat in before.items():
            number = hands(house, table)
            await played(house, table, number + 5)
            assert [(seat["seat"], seat["name"]) for seat in seats(house, table)] == sat
        await house_bots.stop()
        await house.room.stop()
        await house.chips()

    with pytest.raises(Killed):
        run(live)
    run(again)


@housed()
async def test_a_bot_that_fails_comes_back(house: House) -> None:
    table = await house.open()
    house_bots = bots(house)
    await house_bots.seat([table], 2)
    await played(house, table, 2)
    broken = next(iter(house_bots._playing.values()))
    bot = bot_in(broken)
    bot._react = None  # type: ignore[method-assign, assignment]  # The fault.
    bot._news.set()
    await until(broken.done, 10_000)
    await until(lambda: len(house_bots._playing) == 2, 20_000)
    number = hands(house, table)
    await played(house, table, number + 3)
    await house_bots.stop()
