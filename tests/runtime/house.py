"""A room in memory with people in it: they ask and watch as any client does, and remember what they were told."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from random import Random
from typing import Any

import msgspec

from fullring.rules.actions import Action
from fullring.rules.cards import Card, Deck
from fullring.rules.refusals import Refused
from fullring.runtime.audience import Encoder, Since
from fullring.runtime.clock import Clock
from fullring.runtime.local import LocalBus
from fullring.runtime.meter import Meter
from fullring.runtime.outbox import Outbox
from fullring.runtime.ports import Answer, CommandKey
from fullring.runtime.tables import Room
from fullring.table.commands import ActOnTurn, Command, Sit, TopUp
from fullring.table.ids import AccountId, HandId, TableId, TurnId
from fullring.table.settings import TableSettings
from fullring.wire.codec import encode, frame, joiner, unframed
from tests.fakes import FakeStore
from tests.virtual_loop import LoopClock, run

ENCODER = Encoder(encode, frame, joiner)
Json = dict[str, Any]


class Lock:
    """An ownership that nobody else wants."""

    def __init__(self) -> None:
        self.held = False
        self.lost = asyncio.Event()

    async def acquire(self) -> None:
        self.held = True

    async def release(self) -> None:
        self.held = False


class Stacked:
    """Deals the cards in a random order that a seed decides, another one each time."""

    def __init__(self, seed: int = 0) -> None:
        self._chance = Random(seed)

    def __call__(self, cards: Sequence[Card]) -> Deck:
        return Deck(self._chance.sample(list(cards), len(cards)))


class Listener:
    """A connection and its line, which is ``full`` when a test says so; ``heard`` is all it was sent, in ``frames``."""

    def __init__(self, clock: Clock, account: AccountId | None = None) -> None:
        self.full = False
        self.frames: list[bytes] = []
        self.heard: list[Json] = []
        self.write: Callable[[bytes], None] = self.hear
        self.outbox = Outbox(account, clock.now, self, Meter())

    def hear(self, frame: bytes) -> None:
        self.frames.append(frame)
        self.heard.append(msgspec.json.decode(unframed(frame)))

    def empty(self) -> None:
        """The line takes something again."""
        self.full = False
        self.outbox.flush()

    def updates(self, table: str) -> list[Json]:
        return [frame for frame in self.heard if frame["type"] == "update" and frame["table"] == table]

    def latest(self, table: str) -> Json:
        return next(frame for frame in reversed(self.heard) if frame["type"] == "update" and frame["table"] == table)

    def events(self, table: str) -> list[Json]:
        return [event for update in self.updates(table) for event in update["events"]]


class Person:
    """An account that plays at one table, over one connection at a time."""

    def __init__(self, house: "House", account: AccountId, name: str, table: TableId) -> None:
        self.house, self.account, self.name, self.table = house, account, name, table
        self.listener = Listener(house.clock, account)
        self.connected = False
        self._commands = 0

    def connect(self, since: Since | None = None) -> Listener:
        """A new connection that watches the table; what the old one heard is gone with it."""
        self.listener = Listener(self.house.clock, self.account)
        self.house.room.connected(self.account)
        self.connected = True
        self.house.room.audience(self.table).watch(self.listener.outbox, since)
        return self.listener

    def drop(self) -> None:
        self.listener.outbox.close()
        self.house.room.disconnected(self.account)
        self.connected = False

    def ask(self, command: Command, id: str | None = None) -> "asyncio.Future[Answer]":
        self._commands += 1
        key = CommandKey(self.account, id or f"{self.name}{self._commands}")
        return self.house.room.ask(self.table, command, key)

    async def sit(self, seat: int | None = None, buy_in: int = 1_000, post_now: bool = False) -> Answer:
        return await self.ask(Sit(self.account, self.name, "player", buy_in, seat, post_now))

    @property
    def seen(self) -> Json:
        """The last update."""
        return self.listener.latest(self.table)

    @property
    def turn(self) -> Json | None:
        """The turn, if it is this person's."""
        update = self.seen
        turn: Json | None = update["view"].get("hand", {}).get("turn")
        return turn if turn is not None and turn["seat"] == update.get("you", {}).get("seat") else None

    def answer(self, action: Action, to: int | None = None) -> ActOnTurn:
        """The command that answers the turn as this person sees it."""
        update = self.seen
        hand = update["view"]["hand"]
        return ActOnTurn(self.account, HandId(hand["id"]), TurnId(hand["turn"]["id"]), action, to)

    async def act(self, action: Action, to: int | None = None) -> Answer:
        return await self.ask(self.answer(action, to))

    def some_answer(self, chance: Random) -> ActOnTurn:
        """Any action that is offered."""
        turn = self.turn
        assert turn is not None
        actions = turn["actions"]
        names = [name for name in ("check", "call", "bet", "raise") if actions.get(name)]
        name = chance.choice([*names, *names, "fold" if not actions["check"] else "check"])
        to = chance.choice([actions[name]["min"], actions[name]["max"]]) if name in {"bet", "raise"} else None
        return self.answer(Action(name), to)


class House:
    """The room and its store. Given a store, it is the room that comes up after the one before has died."""

    def __init__(self, clock: Clock, store: FakeStore | None = None, seed: int = 0) -> None:
        self.clock = clock
        self.chance = Random(seed)
        self.store = store or FakeStore()
        self.log = self.store.log
        self.lock = Lock()
        self.drawn: list[int] = []
        """What was drawn for pre-actions that wait: always the most."""
        self.room = Room(self.log, self.lock, clock, Stacked(seed), ENCODER, LocalBus(), draw=self._draw)

    def _draw(self, most: int) -> int:
        self.drawn.append(most)
        return most

    async def open(self, **settings: Any) -> TableId:
        chosen: Json = {"name": "Magnolia", "hand_pause_ms": 0, **settings}
        return await self.room.open_table(TableSettings(**chosen), None)

    async def person(self, name: str, table: TableId, chips: int = 10_000) -> Person:
        """An account, connected and watching."""
        account, _ = await self.store.accounts.create_guest(name, chips, self.clock.now())
        person = Person(self, account.id, name, table)
        person.connect()
        return person

    async def seated(self, table: TableId, *seats: int, buy_in: int = 1_000) -> list[Person]:
        """People with plenty of chips, named after table and seat, who have sat down in this order."""
        people = [await self.person(f"{table} S{seat}", table, 1_000_000) for seat in seats]
        for person, seat in zip(people, seats, strict=True):
            await person.sit(seat, buy_in)
        return people

    async def chips(self) -> int:
        """All chips of all people, on tables and off, as the money side has them."""
        assert await self.store.ledger.audit() == []
        books = self.store.books
        on_tables = sum(row.stack + row.pending for table in books.tables.values() for row in table.seats.values())
        return on_tables + sum(account.chips for account in books.accounts.values())


TICK_S = 0.001
"""The clock's smallest step. On a virtual loop everything that is ready happens before time moves."""


async def until(ready: Callable[[], bool], ms: int = 2_000) -> None:
    """Until it is so; a test that waits in vain fails."""
    for _ in range(ms):
        if ready():
            return
        await asyncio.sleep(TICK_S)
    raise AssertionError("it did not come to that")


def refusal(told: object) -> str:
    assert isinstance(told, Refused), told
    return told.code


async def to_act(people: Sequence[Person]) -> Person:
    """Who is to act next, once somebody is."""
    await until(lambda: any(person.turn for person in people))
    return next(person for person in people if person.turn)


async def rebuy(people: Sequence[Person], amount: int = 1_000) -> None:
    """Chips for those who have none."""
    for person in people:
        if person.seen.get("you", {}).get("waiting") == "chips":
            await outcome(person.ask(TopUp(person.account, amount)))


async def outcome(asked: Awaitable[Answer]) -> Answer | Exception:
    """The answer, or why there is none."""
    (told,) = await asyncio.gather(asked, return_exceptions=True)
    assert not isinstance(told, BaseException) or isinstance(told, Exception)
    return told


def housed(seeds: int = 1) -> Callable[[Callable[[House], Coroutine[Any, Any, None]]], Callable[[], None]]:
    """Run the test in an open room, on a virtual loop, once for each seed; the chips must add up at the end."""

    def decorate(test: Callable[[House], Coroutine[Any, Any, None]]) -> Callable[[], None]:
        async def once(seed: int) -> None:
            house = House(LoopClock(), seed=seed)
            await house.room.start()
            await test(house)
            house.log.down = False
            await house.room.stop()
            await house.chips()

        def every() -> None:
            for seed in range(seeds):
                try:
                    run(partial(once, seed), seed=seed)
                except BaseException as error:
                    error.add_note(f"seed {seed}")
                    raise

        every.__name__ = every.__qualname__ = test.__name__
        every.__doc__ = test.__doc__
        return every

    return decorate
