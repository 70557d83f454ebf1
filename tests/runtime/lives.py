"""One process after the other over the same store."""

from collections.abc import Callable
from typing import Any

import pytest

from fullring.table.settings import MINUTE
from tests.fake_clock import START
from tests.fakes import FakeStore
from tests.runtime.house import House, Person
from tests.virtual_loop import Killed, LoopClock, run


def two_lives(first: Callable[[House], Any], second: Callable[[House], Any]) -> FakeStore:
    """One process after the other over the same store; the first is gone without saying anything."""
    store = FakeStore()

    async def live() -> None:
        house = House(LoopClock(), store)
        await house.room.start()
        await first(house)
        raise Killed

    async def again() -> None:
        house = House(LoopClock(start=START + MINUTE), store)
        await house.room.start()
        await second(house)
        await house.room.stop()
        await house.chips()

    with pytest.raises(Killed):
        run(live)
    run(again)
    return store


def persons(house: House) -> list[Person]:
    """Everybody who sits somewhere, connected again."""
    people = [
        Person(house, row.account, row.name, table)
        for table, stored in house.store.books.tables.items()
        for row in stored.seats.values()
    ]
    for person in people:
        person.connect()
    return people
