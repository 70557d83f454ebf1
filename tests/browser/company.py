"""Others at a table: they come over sockets of their own, and check and call, or wait to be told."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from fullring.wire.view import TableView, You
from fullring_client import Action, Bot, Room, play
from fullring_client.bots.calling import calling_station
from tests.server import Address


class Puppet:
    """A bot that does on its turns what it was told, in that order, and waits until it is."""

    def __init__(self) -> None:
        self._told: asyncio.Queue[Action] = asyncio.Queue()

    def does(self, *actions: Action) -> None:
        for action in actions:
            self._told.put_nowait(action)

    async def __call__(self, view: TableView, you: You) -> Action:
        return await self._told.get()


@asynccontextmanager
async def company(
    room: Address, table: str, *names: str, bot: Bot = calling_station, buy_in: int = 1_000
) -> AsyncIterator[list[Room]]:
    """Guests of these names sit down in that order, and stay as long as this does. Their clients, for what they say."""
    async with AsyncExitStack() as stack:
        clients, playing = [], []
        for name in names:
            guest = await room.guest(name)
            client = await stack.enter_async_context(Room(room.url, guest.token))
            await client.sit(table, buy_in=buy_in, post_now=True)
            playing.append(asyncio.ensure_future(play(client, table, bot, buy_in=buy_in, rebuys=None)))
            clients.append(client)
        try:
            yield clients
        finally:
            for task in playing:
                task.cancel()
            ended = await asyncio.gather(*playing, return_exceptions=True)
    assert [error for error in ended if isinstance(error, Exception)] == []
