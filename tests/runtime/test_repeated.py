"""The same command again: it has its first answer, and no second effect."""

from fullring.rules.actions import Action
from fullring.rules.refusals import Refusal
from fullring.table.commands import Sit, SitOut, TopUp
from tests.runtime.house import House, housed, outcome, refusal, to_act, until


@housed(seeds=20)
async def test_a_check_and_a_bet_within_one_moment_are_one_decision(house: House) -> None:
    table = await house.open()
    small, big = await house.seated(table, 1, 2)
    await to_act([small])
    await small.act(Action.CALL)
    await to_act([big])

    check = big.ask(big.answer(Action.CHECK))
    bet = big.ask(big.answer(Action.BET, 60))

    assert isinstance(await outcome(check), dict)
    assert refusal(await outcome(bet)) == Refusal.STALE_TURN
    await to_act([big])
    assert big.seen["view"]["hand"]["street"] == "flop"


@housed(seeds=20)
async def test_a_fold_sent_three_times_folds_once(house: House) -> None:
    table = await house.open()
    small, big = await house.seated(table, 1, 2)
    await to_act([small])
    await small.act(Action.ALL_IN)
    await to_act([big])

    told = [await outcome(asked) for asked in [big.ask(big.answer(Action.FOLD)) for _ in range(3)]]

    assert isinstance(told[0], dict)
    assert [refusal(one) for one in told[1:]] == [Refusal.STALE_TURN, Refusal.STALE_TURN]
    await until(lambda: len([event for event in big.listener.events(table) if event["type"] == "pot_awarded"]) == 1)


@housed(seeds=20)
async def test_the_same_id_gets_the_same_answer_and_has_no_second_effect(house: House) -> None:
    table = await house.open()
    people = await house.seated(table, 1, 2)
    person = await to_act(people)
    call = person.answer(Action.CALL)

    together = [person.ask(call, "call") for _ in range(3)]
    answers = [await asked for asked in together]
    answers.append(await person.ask(call, "call"))
    person.drop()
    person.connect()
    answers.append(await person.ask(call, "call"))

    assert answers == [answers[0]] * 5
    acted = [event for row in house.store.books.tables[table].rows for event in row.events if "Acted" in repr(event)]
    assert len(acted) == 1


@housed()
async def test_a_refusal_is_remembered_as_the_first_answer_too(house: House) -> None:
    table = await house.open()
    anna = await house.person("Anna", table)
    assert refusal(await outcome(anna.ask(TopUp(anna.account, 500), "x"))) == Refusal.NOT_SEATED
    await anna.sit()

    assert refusal(await outcome(anna.ask(TopUp(anna.account, 500), "x"))) == Refusal.NOT_SEATED
    assert isinstance(await outcome(anna.ask(SitOut(anna.account), "y")), dict)


@housed()
async def test_ids_of_two_accounts_have_nothing_to_do_with_each_other(house: House) -> None:
    table = await house.open()
    anna, bo = await house.person("Anna", table), await house.person("Bo", table)
    asked = [person.ask(Sit(person.account, person.name, "player", 1_000), "1") for person in (anna, bo)]

    assert {(await one)["seat"] for one in asked} == {1, 2}


@housed()
async def test_an_asker_who_has_gone_changes_nothing_for_who_asked_the_same_again(house: House) -> None:
    table = await house.open()
    anna = await house.person("Anna", table)
    sit = Sit(anna.account, "Anna", "player", 1_000)
    gone, again = anna.ask(sit, "1"), anna.ask(sit, "1")
    gone.cancel()

    assert (await again)["seat"] == 1
