"""What is remembered of commands, and for how long."""

import asyncio

import pytest

from fullring.rules.refusals import Refusal, Refused
from fullring.runtime import answers as module
from fullring.runtime.answers import REMEMBERED_PER_ACCOUNT, Answers, Asked, Busy, promised
from fullring.runtime.ports import Answer, CommandKey
from fullring.table.commands import Leave
from fullring.table.ids import AccountId

ANNA = AccountId("anna")


def asked(id: str, account: AccountId = ANNA) -> Asked:
    return Asked(Leave(account), 0, CommandKey(account, id))


def answer_to(asked: Asked) -> "asyncio.Future[Answer]":
    future, hear = promised()
    asked.waiting.append(hear)
    return future


async def test_everybody_who_waits_hears_the_answer() -> None:
    answers, leave = Answers(), asked("1")
    answers.expect(leave)
    waiting = [answer_to(leave) for _ in range(3)]
    answers.settle(leave, {"seq": 1})

    assert [await one for one in waiting] == [{"seq": 1}] * 3
    assert answers.find(CommandKey(ANNA, "1")) == {"seq": 1}


async def test_a_command_that_was_not_decided_is_forgotten() -> None:
    answers, leave = Answers(), asked("1")
    answers.expect(leave)
    waiting = answer_to(leave)
    answers.withdraw(leave, Busy())

    with pytest.raises(Busy):
        await waiting
    assert answers.find(CommandKey(ANNA, "1")) is None
    assert len(answers) == 0


async def test_what_the_journal_says_reaches_who_waits() -> None:
    answers, leave = Answers(), asked("1")
    answers.expect(leave)
    waiting = answer_to(leave)
    answers.learn(CommandKey(ANNA, "1"), {"seq": 7})
    answers.withdraw(leave, Busy())

    assert await waiting == {"seq": 7}
    assert answers.find(CommandKey(ANNA, "1")) == {"seq": 7}


def test_a_remembered_refusal_holds_no_traceback() -> None:
    answers, leave = Answers(), asked("1")
    try:
        raise Refused(Refusal.CLOSING, "no", {"min": 1})
    except Refused as refused:
        answers.settle(leave, refused)
    kept = answers.find(CommandKey(ANNA, "1"))

    assert isinstance(kept, Refused)
    assert (kept.code, kept.text, kept.details) == (Refusal.CLOSING, "no", {"min": 1})
    assert kept.__traceback__ is None


def test_an_account_is_remembered_so_many_answers_the_newest_ones() -> None:
    answers = Answers()
    for number in range(REMEMBERED_PER_ACCOUNT + 10):
        answers.settle(asked(str(number)), {"seq": number})

    assert len(answers) == REMEMBERED_PER_ACCOUNT
    assert answers.find(CommandKey(ANNA, "9")) is None
    assert answers.find(CommandKey(ANNA, "10")) == {"seq": 10}


def test_when_there_are_too_many_the_account_that_asked_longest_ago_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "REMEMBERED", 30)
    answers = Answers()
    for number in range(10):
        for name in ("anna", "bo", "cy"):
            answers.settle(asked(str(number), AccountId(name)), {"seq": number})
    answers.settle(asked("x", ANNA), {})

    assert answers.find(CommandKey(AccountId("bo"), "9")) is None
    assert answers.find(CommandKey(ANNA, "0")) == {"seq": 0}
    assert len(answers) == 21
