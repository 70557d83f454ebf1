"""The log is away, or lost at the worst moment: no clock runs, nobody hears what is not permanent, and play goes on."""

import asyncio

import pytest

from fullring.rules.actions import Action
from fullring.rules.refusals import Refusal, Refused
from fullring.runtime.actor import OUTAGE
from fullring.runtime.ports import Batch, CommandKey
from fullring.table.commands import Chat, Pause, Resume, Sit
from tests.fake_log import Fault
from tests.runtime.house import TICK_S, House, Person, housed, outcome, rebuy, to_act, until

HOUR_S = 3_600


async def playing(house: House) -> tuple[Person, Person]:
    """Two in a hand: who is to act first."""
    table = await house.open()
    people = await house.seated(table, 1, 2)
    acting = await to_act(people)
    other = next(person for person in people if person is not acting)
    return acting, other


def is_paused(told: object) -> bool:
    return isinstance(told, Refused) and told.code is Refusal.TABLE_PAUSED


@housed(seeds=10)
async def test_while_the_log_is_away_everybody_is_told_and_no_clock_runs(house: House) -> None:
    acting, other = await playing(house)
    seq, answer = acting.seen["seq"], acting.answer(Action.CALL)
    house.log.down = True

    assert is_paused(await outcome(acting.ask(answer)))
    for person in (acting, other):
        assert person.seen["seq"] == seq
        assert person.seen["events"] == [{"type": "table_paused", "reason": OUTAGE}]
        assert (person.seen["view"]["status"], person.seen["view"]["reason"]) == ("paused", OUTAGE)
        assert "turn" not in person.seen["view"]["hand"]
    assert house.room.summaries()[0]["status"] == "paused"
    await asyncio.sleep(HOUR_S)
    assert is_paused(await outcome(other.ask(Chat(other.account, "S2", "hello?"))))
    assert acting.seen["seq"] == seq


@housed(seeds=10)
async def test_when_the_log_is_back_play_goes_on_by_itself_with_a_full_clock(house: House) -> None:
    acting, other = await playing(house)
    seq, answer = acting.seen["seq"], acting.answer(Action.CALL)
    house.log.down = True
    assert is_paused(await outcome(acting.ask(answer, "call")))
    await asyncio.sleep(HOUR_S)

    house.log.down = False
    await until(lambda: other.seen["seq"] > seq, 3_000)

    assert other.seen["seq"] == seq + 1
    assert [event["type"] for event in other.seen["events"]] == ["table_resumed", "turn_started"]
    assert other.seen["view"]["status"] == "playing"
    assert other.seen["view"]["hand"]["turn"]["deadline"] == other.seen["at"] + 30_000
    assert isinstance(await outcome(acting.ask(answer, "call")), dict), "the same id again, as nothing had been decided"


@housed(seeds=10)
async def test_a_turn_does_not_run_out_while_the_log_is_away(house: House) -> None:
    acting, _ = await playing(house)
    house.log.down = True
    await asyncio.sleep(HOUR_S)
    assert acting.seen["view"]["status"] == "paused"
    house.log.down = False
    await until(lambda: acting.turn is not None, 3_000)

    assert not any(event["type"] == "acted" for event in acting.listener.events(acting.table))


@housed(seeds=10)
async def test_commands_that_waited_when_the_log_went_away_are_told_so(house: House) -> None:
    _, other = await playing(house)
    house.log.gate = asyncio.Event()
    asked = [other.ask(Chat(other.account, "S2", "hello")) for _ in range(5)]
    await asyncio.sleep(TICK_S)
    house.log.down = True
    house.log.gate.set()

    assert all([is_paused(await outcome(one)) for one in asked])


@housed(seeds=10)
async def test_who_comes_and_goes_during_the_outage_is_known_afterwards(house: House) -> None:
    acting, other = await playing(house)
    house.log.down = True
    await outcome(acting.ask(acting.answer(Action.CALL)))
    acting.drop()
    other.drop()
    other.connect()
    assert other.seen["view"]["status"] == "paused"
    house.log.down = False
    await asyncio.sleep(5)

    assert [seat["connected"] for seat in other.seen["view"]["seats"]] == [
        seat["account"] == other.account for seat in other.seen["view"]["seats"]
    ]


@housed(seeds=10)
async def test_an_outage_does_not_lift_a_hosts_pause(house: House) -> None:
    acting, other = await playing(house)
    await house.room.ask(acting.table, Pause("a break"))
    house.log.down = True
    assert is_paused(await outcome(other.ask(Chat(other.account, "S2", "hello"))))
    house.log.down = False
    await asyncio.sleep(10)

    assert other.seen["view"]["reason"] == "a break"
    await house.room.ask(acting.table, Resume("go on"))
    await until(lambda: acting.turn is not None)


@pytest.mark.parametrize("fault", [Fault.UNKNOWN_WRITTEN, Fault.UNKNOWN_LOST])
def test_an_outcome_that_is_unknown_is_looked_up_and_never_guessed(fault: Fault) -> None:
    @housed(seeds=20)
    async def play(house: House) -> None:
        acting, other = await playing(house)
        seq, answer = acting.seen["seq"], acting.answer(Action.CALL)
        house.log.faults.append(fault)
        asked = acting.ask(answer, "call")
        told = await outcome(asked)

        if fault is Fault.UNKNOWN_WRITTEN:
            assert told == {"seq": seq + 1}
        else:
            assert is_paused(told)
            await until(lambda: acting.turn is not None)
            assert isinstance(await outcome(acting.ask(answer, "call")), dict)
        await until(lambda: other.turn is not None)
        calls = [event for event in other.listener.events(other.table) if event["type"] == "acted"]
        assert [call["action"] for call in calls] == ["call"]
        numbers = [update["seq"] for update in other.listener.updates(other.table)]
        assert sorted(set(numbers)) == list(range(numbers[0], numbers[-1] + 1))

    play()


@housed(seeds=20)
async def test_buying_in_twice_in_doubt_buys_in_once(house: House) -> None:
    table = await house.open()
    anna = await house.person("Anna", table)
    sit = Sit(anna.account, "Anna", "player", 1_000, 3)
    house.log.faults.append(Fault.UNKNOWN_WRITTEN)

    told = [await outcome(anna.ask(sit, "sit")) for _ in range(3)]

    assert [one["seat"] for one in told if isinstance(one, dict)] == [3, 3, 3]
    assert house.store.books.accounts[anna.account].chips == 9_000


@housed(seeds=20)
async def test_a_table_that_is_fenced_off_reads_the_log_and_goes_on(house: House) -> None:
    acting, other = await playing(house)
    answer = acting.answer(Action.CALL)
    house.store.books.tables[acting.table].owner_epoch += 1

    assert is_paused(await outcome(acting.ask(answer, "call")))
    await until(lambda: acting.turn is not None)
    assert isinstance(await outcome(acting.ask(answer, "call")), dict)
    await until(lambda: other.turn is not None)


@housed(seeds=5)
async def test_faults_of_all_kinds_one_after_the_other_lose_and_double_nothing(house: House) -> None:
    table = await house.open()
    people = await house.seated(table, 1, 2, 3)
    kinds = list(Fault)
    done = 0
    for number in range(200):
        if number % 3 == 0:
            house.log.faults.append(house.chance.choice(kinds))
        if number % 17 == 0:
            house.store.books.tables[table].owner_epoch += 1
        person = await to_act(people)
        command, id = person.some_answer(house.chance), f"n{number}"
        for _ in range(20):
            told = await outcome(person.ask(command, id))
            if not is_paused(told):
                break
            await asyncio.sleep(3)
        done += isinstance(told, dict)
        await rebuy(people)

    assert done == 200
    rows = house.store.books.tables[table].rows
    keys = [row.key for row in rows if row.key is not None]
    assert len(keys) == len(set(keys))
    for person in people:
        events = [event for event in person.listener.events(table) if event["type"] == "hand_ended"]
        assert len({event["hand"] for event in events}) == len(events)


@housed(seeds=3)
async def test_a_batch_that_cannot_be_written_stops_its_own_table_and_no_other(house: House) -> None:
    tables = [await house.open() for _ in range(5)]
    people = [await house.person(f"P{number}", table) for number, table in enumerate(tables)]
    write = house.log.commit

    async def commit(batches: list[Batch]) -> object:
        if any(batch.table == tables[2] for batch in batches):
            raise ValueError("a card that must not be logged: As")
        return await write(batches)

    house.log.commit = commit  # type: ignore[method-assign, assignment]  # A log with a fault in one place.
    told = [person.ask(Sit(person.account, person.name, "player", 1_000)) for person in people]
    seated = [isinstance(await outcome(one), dict) for one in told]

    assert seated == [True, True, False, True, True]
    assert people[2].seen["view"]["status"] == "paused"
    assert (await people[1].ask(Chat(people[1].account, "P1", "all well")))["seq"] == 2


@housed(seeds=3)
async def test_what_was_done_before_we_came_up_is_answered_from_the_log(house: House) -> None:
    """The row is older than the last snapshot, so its answer isn't in memory; the command would be refused now."""
    table = await house.open()
    anna = await house.person("Anna", table)
    key = CommandKey(anna.account, "sit")
    sit = Sit(anna.account, "Anna", "player", 1_000, 2)
    first = await house.room.ask(table, sit, key)
    house.room._answers._accounts.clear()

    assert await house.room.ask(table, sit, key) == first
    chat = CommandKey(anna.account, "chat")
    said = await house.room.ask(table, Chat(anna.account, "Anna", "hi"), chat)
    house.room._answers._accounts.clear()
    assert await house.room.ask(table, Chat(anna.account, "Anna", "hi"), chat) == said
    assert len([event for event in anna.listener.events(table) if event["type"] == "chatted"]) == 1
