"""Turns: so many at once, so many wait, and everybody else comes again."""

import asyncio

import pytest

from fullring.web.problems import Declined
from fullring.web.turns import Turns
from tests.fake_clock import settle


async def take(turns: Turns, under_way: list[str], name: str, end: asyncio.Event) -> None:
    async with turns.one("many wait"):
        under_way.append(name)
        await end.wait()


async def test_some_have_their_turn_some_wait_and_the_next_comes_again() -> None:
    turns, under_way, end = Turns(at_once=2, waiting=1), list[str](), asyncio.Event()
    taking = [asyncio.create_task(take(turns, under_way, name, end)) for name in "abc"]
    await settle()

    assert under_way == ["a", "b"]
    with pytest.raises(Declined) as declined:
        await take(turns, under_way, "d", end)
    assert declined.value.headers == {"Retry-After": "2"}
    end.set()
    await asyncio.gather(*taking)
    await take(turns, under_way, "d", end)
    assert under_way == ["a", "b", "c", "d"]


async def test_who_waits_no_longer_keeps_no_place() -> None:
    turns, under_way, end = Turns(at_once=1, waiting=1), list[str](), asyncio.Event()
    first, second = [asyncio.create_task(take(turns, under_way, name, end)) for name in "ab"]
    await settle()
    second.cancel()
    await settle()
    third = asyncio.create_task(take(turns, under_way, "c", end))
    end.set()

    await asyncio.gather(first, third)
    assert under_way == ["a", "c"]
