"""The bus's contract, which any bus must keep, on the one inside the process."""

import asyncio

import pytest

from fullring.runtime.local import LocalBus
from fullring.runtime.ports import Bus, BusTimeout, NoOwner
from tests.fake_clock import settle


@pytest.fixture
def bus() -> Bus:
    return LocalBus()


async def test_a_request_gets_the_answer_of_the_subjects_handler(bus: Bus) -> None:
    async def handler(data: bytes) -> bytes:
        return data.upper()

    bus.subscribe("a", handler)

    assert await bus.request("a", b"hello", 1) == b"HELLO"


async def test_a_request_that_nobody_listens_to_says_so_at_once(bus: Bus) -> None:
    with pytest.raises(NoOwner):
        await bus.request("a", b"", 1)


async def test_a_request_whose_answer_does_not_come_times_out(bus: Bus) -> None:
    async def handler(data: bytes) -> bytes:
        await asyncio.Event().wait()
        return data

    bus.subscribe("a", handler)

    with pytest.raises(BusTimeout):
        await bus.request("a", b"", 0)


async def test_what_is_published_reaches_every_subscriber_in_order_and_after_the_call(bus: Bus) -> None:
    heard: list[tuple[str, bytes]] = []

    async def first(data: bytes) -> None:
        heard.append(("first", data))

    async def second(data: bytes) -> None:
        heard.append(("second", data))

    bus.subscribe("a", first)
    bus.subscribe("a", second)
    bus.publish("a", b"1")
    bus.publish("a", b"2")
    bus.publish("b", b"3")
    assert heard == []
    await settle()

    assert [data for who, data in heard if who == "first"] == [b"1", b"2"]
    assert [data for who, data in heard if who == "second"] == [b"1", b"2"]


async def test_who_has_cancelled_hears_nothing_more(bus: Bus) -> None:
    heard: list[bytes] = []

    async def handler(data: bytes) -> None:
        heard.append(data)

    subscription = bus.subscribe("a", handler)
    subscription.cancel()
    subscription.cancel()
    bus.publish("a", b"1")
    await settle()

    assert heard == []
    with pytest.raises(NoOwner):
        await bus.request("a", b"", 1)
