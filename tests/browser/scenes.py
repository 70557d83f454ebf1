"""Tables with people at them, as most tests begin."""

from collections.abc import Awaitable, Callable
from typing import Any

from playwright.async_api import expect

from tests.browser.person import Person
from tests.fake_clock import FakeClock
from tests.server import Running

PAUSE_MS = 1_000
"""Between hands. While the room's clock stands, no hand begins by itself."""
Opens = Callable[..., Awaitable[Person]]


async def table_for(room: Running, **settings: Any) -> str:
    return await room.table(**{"seats": 2, "hand_pause_ms": PAUSE_MS, **settings})


async def seated(opens: Opens, url: str, table: str, *names: str, **options: Any) -> list[Person]:
    """Browsers of guests, who sit down at the table in that order. Who is first has the first button."""
    people = []
    for name in names:
        person = await opens(f"{url}/table/{table}", **options)
        await person.sits(name)
        await expect(person.place(name)).to_be_visible()
        people.append(person)
    return people


async def deal(clock: FakeClock) -> None:
    """The pause is over: a hand begins, if enough people sit there."""
    await clock.advance(2 * PAUSE_MS)
