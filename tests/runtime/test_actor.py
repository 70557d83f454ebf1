"""One table: commands in their order, the clock, the same command twice, who hears what."""

import asyncio
from random import Random

import pytest

from fullring.rules.actions import Action
from fullring.rules.refusals import Refusal, Refused
from fullring.runtime.answers import Busy
from fullring.runtime.audience import Since
from fullring.runtime.mailbox import EACH, STRANGERS
from fullring.runtime.ports import CommandKey
from fullring.table.commands import Arm, Chat, Leave, Pause, PreAction, Resume, Sit, SitIn, Tick, TopUp
from fullring.table.ids import AccountId, HandId
from tests.runtime.house import TICK_S, House, Listener, housed, outcome, rebuy, refusal, to_act, until

TURN_S = 30


@housed()
async def test_an_answer_comes_after_the_log_has_it_and_names_the_update_that_shows_it(house: House) -> None:
    table = await house.open()
    anna = await house.person("Anna", table)
    house.log.gate = asyncio.Event()
    asked = anna.ask(Sit(anna.account, "Anna", "player", 1_000, 4))
    await asyncio.sleep(1)
    assert not asked.done()
    assert anna.listener.events(table) == []

    house.log.gate.set()

    assert await asked == {"seat": 4, "seq": 1}
    assert [event["type"] for event in anna.listener.events(table)] == ["seated"]
    assert anna.seen["seq"] == 1
    assert anna.seen["you"]["seat"] == 4


@housed()
async def test_a_refused_command_is_heard_by_who_asked_and_by_nobody_else(house: House) -> None:
    table = await house.open()
    anna, bo = await house.seated(table, 1, 2)
    await to_act([anna, bo])
    heard = len(bo.listener.heard)
    waiting = anna if bo.turn else bo
    rows = len(house.log.commits)

    assert refusal(await outcome(waiting.ask(TopUp(waiting.account, -1)))) == Refusal.BAD_AMOUNT
    assert len(bo.listener.heard) == heard
    assert len(house.log.commits) == rows


@housed()
async def test_a_command_that_changes_nothing_is_answered_and_not_written(house: House) -> None:
    table = await house.open()
    await house.person("Anna", table)
    rows = len(house.log.commits)
    assert await house.room.ask(table, Pause("a break")) == {"seq": 1}

    assert await house.room.ask(table, Pause("another")) == {"seq": 1}
    assert len(house.log.commits) == rows + 1


@housed()
async def test_what_concerns_one_seat_alone_is_told_to_that_seat_alone(house: House) -> None:
    table = await house.open()
    people = await house.seated(table, 1, 2, 3)
    acting = await to_act(people)
    armer, other = (person for person in people if person is not acting)
    hand = HandId(acting.seen["view"]["hand"]["id"])
    heard, seq = len(other.listener.heard), other.seen["seq"]

    assert await armer.ask(Arm(armer.account, hand, PreAction.FOLD)) == {"seq": seq}
    assert armer.seen["you"]["armed"]["action"] == "fold"
    assert armer.seen["seq"] == seq
    assert len(other.listener.heard) == heard


@housed()
async def test_numbers_have_no_gaps_and_every_viewer_sees_the_same_public_part(house: House) -> None:
    table, chance = await house.open(), Random(5)
    people = await house.seated(table, 1, 2, 4, 6)
    for _ in range(300):
        person = await to_act(people)
        assert isinstance(await outcome(person.ask(person.some_answer(chance))), dict)
        await rebuy(people)

    first, *others = [[{**update, "you": None} for update in person.listener.updates(table)] for person in people]
    assert [update["seq"] for update in first] == list(range(first[0]["seq"], first[-1]["seq"] + 1))
    for updates in others:
        assert updates == first[-len(updates) :]


# --- PR-E4: an action and the clock at the same moment ---


@pytest.mark.parametrize(("after_ms", "counts"), [(29_900, True), (30_000, True), (30_001, False), (30_100, False)])
def test_an_action_counts_until_the_last_millisecond_of_its_turn(after_ms: int, counts: bool) -> None:
    @housed(seeds=250)
    async def play(house: House) -> None:
        table = await house.open(time_bank_ms=0)
        small, big = await house.seated(table, 1, 2)
        await to_act([small])
        await small.act(Action.CALL)
        await to_act([big])
        turn, answer = big.turn, big.answer(Action.CHECK)
        assert turn is not None
        due = turn["deadline"] - TURN_S * 1_000 + after_ms
        asked: list[asyncio.Future[object]] = []
        house.clock.call_at(due, lambda: asked.append(asyncio.ensure_future(outcome(big.ask(answer)))))
        await until_time(house, due)
        told = await asked[0]

        checked = [event for event in big.listener.events(table) if event["type"] == "acted" and event["seat"] == 2]
        if counts:
            assert isinstance(told, dict)
            assert [event.get("auto") for event in checked] == [None]
            started = [event for event in big.listener.events(table) if event["type"] == "turn_started"][-1]
            assert started["seat"] == 2
            assert started["deadline"] == due + TURN_S * 1_000
        else:
            assert refusal(told) == Refusal.STALE_TURN
            assert [event.get("auto") for event in checked] == ["timeout"]

    play()


async def until_time(house: House, at: int) -> None:
    """Until the clock shows that, and what happens then has happened."""
    await asyncio.sleep((at + 2 - house.clock.now()) / 1_000)


@housed(seeds=50)
async def test_an_action_in_time_counts_even_when_the_log_is_slow_and_the_clock_has_run_out(house: House) -> None:
    table = await house.open(time_bank_ms=0)
    people = await house.seated(table, 1, 2)
    person = await to_act(people)
    turn = person.turn
    assert turn is not None
    house.log.gate = asyncio.Event()
    chat = person.ask(Chat(person.account, person.name, "thinking"))
    await until_time(house, turn["deadline"] - 2)
    call = person.ask(person.answer(Action.CALL))
    await until_time(house, turn["deadline"] + 5_000)

    house.log.gate.set()

    assert isinstance(await outcome(chat), dict)
    assert isinstance(await outcome(call), dict)


@housed()
async def test_the_clock_acts_for_who_does_nothing_and_every_turn_ends(house: House) -> None:
    table = await house.open()
    anna, bo = await house.seated(table, 1, 2)
    await to_act([anna, bo])
    await asyncio.sleep(60 * 60)

    events = [event for event in bo.listener.events(table) if event["type"] == "acted"]
    assert {event["auto"] for event in events} == {"timeout"}
    assert anna.seen["view"]["status"] == "waiting"
    assert anna.turn is None


@housed(seeds=3)
async def test_while_nothing_is_due_no_timer_runs(house: House) -> None:
    """An idle room costs nothing: the loop stands still, for days if need be."""
    table = await house.open()
    await house.person("Anna", table)
    rows = len(house.log.commits)
    await asyncio.sleep(7 * 24 * 3600)

    assert len(house.log.commits) == rows


# --- PR-E5: coming back while the next hand is dealt ---


@housed(seeds=500)
async def test_coming_back_around_the_deal_gives_one_whole_moment(house: House) -> None:
    table = await house.open(hand_pause_ms=100)
    one, two = await house.seated(table, 1, 2)
    await to_act([one, two])
    two.drop()
    actor = await to_act([one, two])
    deal = house.clock.now() + 100
    await actor.act(Action.FOLD)
    await asyncio.sleep((100 + house.chance.randrange(-50, 51)) / 1_000)

    two.connect(Since(1, 3))
    first = two.listener.heard[0]
    await until_time(house, deal + 200)
    for update in two.listener.heard:
        assert {"view", "you", "seq", "events"} <= set(update)
    assert first["view"]["seats"][1]["account"] == two.account
    seqs = [update["seq"] for update in two.listener.heard]
    assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))

    hand, cards = two.seen["view"]["hand"]["id"], two.seen["you"]["cards"]
    assert len(cards) == 2
    assert two.seen["view"]["hand"]["turn"]["deadline"] > house.clock.now()
    two.drop()
    two.connect()
    assert (two.seen["view"]["hand"]["id"], two.seen["you"]["cards"]) == (hand, cards)


# --- PR-E6: everybody disconnects ---


@housed(seeds=10)
async def test_when_everybody_has_gone_the_hand_ends_and_the_next_waits_for_two(house: House) -> None:
    table = await house.open(hand_pause_ms=1_000)
    people = await house.seated(table, 1, 2, 3)
    visitor = Listener(house.clock)
    house.room.audience(table).watch(visitor.outbox)
    await to_act(people)
    for person in people:
        person.drop()
    await asyncio.sleep(3_000)

    ended = [event for event in visitor.events(table) if event["type"] == "hand_ended"]
    folds = [event for event in visitor.events(table) if event["type"] == "acted"]
    assert len(ended) == 1
    assert [fold["auto"] for fold in folds] == ["away", "away"], "the last live hand wins unasked"
    assert visitor.latest(table)["view"]["status"] == "waiting"
    for person in people[:2]:
        person.connect()
        if person.seen["you"].get("waiting") == "sitting_out":
            await person.ask(SitIn(person.account, post_now=True))
    await to_act(people[:2])


# --- PR-H4: the log is busy ---


@housed()
async def test_hands_that_end_while_the_log_is_locked_are_all_kept_once_each_and_in_order(house: House) -> None:
    tables = [await house.open() for _ in range(50)]
    pairs = [await house.seated(table, 1, 2) for table in tables]
    folding = [await to_act(pair) for pair in pairs]
    house.log.gate = asyncio.Event()
    asked = [person.ask(person.answer(Action.FOLD)) for person in folding]
    await asyncio.sleep(3)
    house.log.gate.set()

    assert all([isinstance(await outcome(one), dict) for one in asked])
    for pair in pairs:
        await to_act(pair)
    kept = list(house.store.books.hands.values())
    assert sorted(record.table for record in kept) == sorted(tables)
    assert {record.number for record in kept} == {1}
    for pair in pairs:
        assert pair[0].seen["view"]["hand"]["number"] == 2


# --- bounds ---


@housed()
async def test_who_asks_too_much_at_once_is_told_that_the_table_is_busy_and_nobody_else_is(house: House) -> None:
    table = await house.open()
    anna, bo = await house.person("Anna", table), await house.person("Bo", table)
    house.log.gate = asyncio.Event()
    first = anna.ask(Chat(anna.account, "Anna", "first"))
    await asyncio.sleep(TICK_S)
    asked = [anna.ask(Chat(anna.account, "Anna", "hello"), f"chat {number}") for number in range(EACH + 3)]
    late = [await outcome(one) for one in asked[EACH:]]
    assert all(isinstance(told, Busy) for told in late)
    other = bo.ask(Chat(bo.account, "Bo", "and I?"), "chat")
    house.log.gate.set()

    assert isinstance(await first, dict)
    assert all([isinstance(await one, dict) for one in (*asked[:EACH], other)])
    assert isinstance(await anna.ask(Chat(anna.account, "Anna", "hello"), f"chat {EACH}"), dict)


@housed()
async def test_however_many_strangers_talk_who_has_a_seat_is_heard_on_the_turn(house: House) -> None:
    table = await house.open()
    acting = await to_act(await house.seated(table, 1, 2))
    crowd = [await house.person(f"Stranger {number}", table) for number in range(STRANGERS // EACH + 1)]
    talk = [one.ask(Chat(one.account, one.name, "hello"), f"chat {number}") for one in crowd for number in range(EACH)]
    refused = [one for one in talk if one.done()]
    acted = acting.ask(acting.answer(Action.FOLD))

    assert len(refused) == len(talk) - STRANGERS
    assert all([isinstance(await outcome(one), Busy) for one in refused])
    assert isinstance(await acted, dict)


@housed()
async def test_many_connections_that_come_and_go_meanwhile_are_one_change(house: House) -> None:
    table = await house.open()
    anna, bo = await house.seated(table, 1, 2)
    house.log.gate = asyncio.Event()
    chat = bo.ask(Chat(bo.account, "S2", "brb"))
    await asyncio.sleep(TICK_S)
    for _ in range(1_000):
        anna.drop()
        anna.connect()
    anna.drop()
    house.log.gate.set()
    await chat
    await until(lambda: bo.seen["view"]["seats"][0]["connected"] is False)

    changes = [event for event in bo.listener.events(table) if event["type"] == "connection_changed"]
    assert len(changes) == 1


@housed()
async def test_who_sits_down_and_is_gone_before_it_is_written_counts_as_gone(house: House) -> None:
    table = await house.open()
    anna, bo = await house.person("Anna", table), await house.person("Bo", table)
    house.log.gate = asyncio.Event()
    sitting = anna.ask(Sit(anna.account, "Anna", "player", 1_000, 1))
    await asyncio.sleep(TICK_S)
    anna.drop()
    house.log.gate.set()
    await sitting

    await until(lambda: bo.seen["view"]["seats"] != [] and bo.seen["view"]["seats"][0]["connected"] is False)


@housed()
async def test_chips_an_account_has_not_are_refused_and_change_nothing(house: House) -> None:
    table = await house.open()
    poor = await house.person("Anna", table, chips=300)

    assert refusal(await outcome(poor.ask(Sit(poor.account, "Anna", "player", 1_000)))) == Refusal.INSUFFICIENT_CHIPS
    assert (await poor.sit(buy_in=300))["seat"] == 1
    assert refusal(await outcome(poor.ask(TopUp(poor.account, 1)))) == Refusal.INSUFFICIENT_CHIPS
    assert poor.seen["view"]["seats"][0]["stack"] == 300


@housed()
async def test_a_mistake_of_ours_freezes_that_table_and_no_other(house: House) -> None:
    broken, sound = await house.open(), await house.open()
    anna = await house.person("Anna", broken)
    bo = await house.person("Bo", sound)

    stopped = await outcome(house.room.ask(broken, Tick(deck=None)))  # type: ignore[arg-type]  # The mistake.
    told = await outcome(anna.ask(Sit(anna.account, "Anna", "player", 1_000)))

    assert refusal(stopped) == refusal(told) == Refusal.TABLE_PAUSED
    assert isinstance(told, Refused)
    assert told.text == "stopped for inspection"
    assert anna.seen["view"]["status"] == "paused"
    assert anna.seen["view"]["reason"] == "stopped for inspection"
    assert [row["status"] for row in house.room.summaries()] == ["paused", "waiting"]
    assert (await bo.sit())["seat"] == 1


@housed()
async def test_a_table_broken_beyond_looking_at_is_shown_as_an_empty_one(house: House) -> None:
    table = await house.open()
    people = await house.seated(table, 1, 2)
    acting = await to_act(people)
    broken = house.room._actors[table].table
    assert broken.hand is not None
    broken.hand.stacks.clear()

    told = await outcome(acting.ask(acting.answer(Action.CALL)))

    assert refusal(told) == Refusal.TABLE_PAUSED
    for person in people:
        assert (person.seen["view"]["status"], person.seen["view"]["seats"]) == ("paused", [])
    assert house.room.summaries()[0]["status"] == "paused"


@housed()
async def test_a_pause_by_a_host_stops_the_clock_and_the_next_hand(house: House) -> None:
    table = await house.open()
    people = await house.seated(table, 1, 2)
    person = await to_act(people)
    answer = person.answer(Action.CALL)
    await house.room.ask(table, Pause("the fire alarm"))
    await asyncio.sleep(3_600)

    assert refusal(await outcome(person.ask(answer))) == Refusal.TABLE_PAUSED
    assert person.seen["view"]["reason"] == "the fire alarm"
    await house.room.ask(table, Resume("it was a drill"))
    turn = (await to_act(people)).turn
    assert turn is not None
    assert turn["deadline"] == house.clock.now() + TURN_S * 1_000
    assert isinstance(await outcome(person.ask(answer)), dict)


@housed()
async def test_nobody_acts_for_somebody_else(house: House) -> None:
    """PR-I2: who speaks is the key's and the command's account, and that one has no seat here."""
    table = await house.open()
    people = await house.seated(table, 1, 2)
    acting = await to_act(people)
    other = next(person for person in people if person is not acting)
    answer = acting.answer(Action.FOLD)
    theirs = type(answer)(other.account, answer.hand, answer.turn, answer.action, answer.to)
    stranger = type(answer)(AccountId("stranger"), answer.hand, answer.turn, answer.action, answer.to)

    assert refusal(await outcome(other.ask(theirs))) == Refusal.NOT_YOUR_TURN
    told = await outcome(house.room.ask(table, stranger, CommandKey(AccountId("stranger"), "1")))
    assert refusal(told) == Refusal.NOT_SEATED
    assert acting.turn is not None


# --- PR-D4: one seat a player, one player a seat ---


@housed(seeds=200)
async def test_two_seats_asked_for_at_once_are_one_seat_and_one_buy_in(house: House) -> None:
    table = await house.open()
    anna = await house.person("Anna", table)
    asked = [anna.ask(Sit(anna.account, "Anna", "player", 1_000, seat)) for seat in (2, 4)]
    told = [await outcome(one) for one in asked]

    assert sorted(isinstance(one, dict) for one in told) == [False, True]
    assert [refusal(one) for one in told if isinstance(one, Exception)] == [Refusal.ALREADY_SEATED]
    assert house.store.books.accounts[anna.account].chips == 9_000


@housed(seeds=200)
async def test_a_seat_that_two_ask_for_is_one_players_and_the_other_keeps_its_chips(house: House) -> None:
    table = await house.open()
    people = [await house.person(name, table) for name in ("Anna", "Bo")]
    asked = [person.ask(Sit(person.account, person.name, "player", 1_000, 3)) for person in people]
    told = [await outcome(one) for one in asked]

    assert [refusal(one) for one in told if isinstance(one, Exception)] == [Refusal.SEAT_TAKEN]
    assert sorted(house.store.books.accounts[person.account].chips for person in people) == [9_000, 10_000]


@housed(seeds=200)
async def test_leaving_and_sitting_down_in_the_same_moment_is_one_seat(house: House) -> None:
    table = await house.open()
    anna = await house.person("Anna", table)
    await anna.sit(1)
    asked = [anna.ask(Leave(anna.account)), anna.ask(Sit(anna.account, "Anna", "player", 1_000, 2))]
    told = [await outcome(one) for one in asked]

    assert all(isinstance(one, dict) for one in told)
    assert [seat["seat"] for seat in anna.seen["view"]["seats"]] == [2]
    assert house.room.seats_of(anna.account) == [(table, 2)]
    assert house.store.books.accounts[anna.account].chips == 9_000
