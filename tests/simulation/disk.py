"""The database of a run: the store's own SQL on SQLite in memory, one transaction at a time, each at its own moment.

A transaction happens, or fails, whether or not who asked for it still lives. What drivers raise is raised here; how the
store reads that is the store's own.
"""

import asyncio
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from fullring.store.database import Database
from fullring.table.ids import Millis
from tests.databases import migrate
from tests.simulation.weather import FAIR, Span, Weather
from tests.simulation.world import LIFE, Life, World

T = TypeVar("T")
STATEMENTS = 8
"""A transaction that is torn gets no further than this."""
KEPT_MS = 120_000
MANY = 500
_COMPILED: dict[Any, Any] = {}
"""The store's statements: the same in every run."""


@dataclass(slots=True, eq=False)
class Operation:
    """A transaction that a process waits for, or has waited for."""

    life: Life
    asked: Millis
    answered: Millis | None = None
    tables: set[str] = field(default_factory=set)
    """Those that it wrote to."""


class Disk:
    """``happened`` is called after every transaction that took effect, ``troubled`` whenever one fails or is slow.

    ``raw`` is for looking alone.
    """

    def __init__(
        self, world: World, weather: Weather, happened: Callable[[], None], troubled: Callable[[], None]
    ) -> None:
        self.weather = weather
        self.down_until: Millis = 0
        self.slow_until: Millis = 0
        self.operations: list[Operation] = []
        self.current: Operation | None = None
        """The one that takes effect now."""
        self.transactions = 0
        self.raw = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        for statement in (*_schema(), *_rows()):
            self.raw.execute(statement)
        self.raw.execute("PRAGMA foreign_keys = ON")
        self._world = world
        self._dice = world.dice("disk")
        self._happened = happened
        self._troubled = troubled
        self._tear_in: int | None = None
        self._many = MANY
        self._unsaid: list[asyncio.Future[Any]] = []
        driver: Any = self.raw
        engine = sa.Engine(sa.StaticPool(lambda: driver), _known().dialect, _known().url)
        self._connection, self._tearing = [
            engine.connect().execution_options(compiled_cache=_COMPILED) for _ in range(2)
        ]
        """Both are ``raw``, where transactions begin and end."""
        sa.event.listen(self._tearing, "before_cursor_execute", self._executes)

    @property
    def asking(self) -> Life:
        """Whose transaction takes effect now."""
        assert self.current is not None
        return self.current.life

    def fair(self) -> None:
        """Nothing fails from now on."""
        self.weather = FAIR
        self.down_until = self.slow_until = self._world.now()

    def ask(self, question: Callable[[sa.Connection], T]) -> T:
        """Now, and without fail: for looking alone."""
        return question(self._connection)

    def close(self) -> None:
        for connection in (self._connection, self._tearing):
            connection.close()
        self.raw.close()

    async def transact(self, work: Callable[[sa.Connection], T]) -> T:
        """As a `Lane` does it, for the process that asks."""
        life = LIFE.get()
        assert life is not None, "only a server has a connection"
        if not life.alive:
            await self._world.create_future()  # Its last wish.
        operation = Operation(life, self._world.now())
        self.operations.append(operation)
        task = self._world.create_task(self._do(work, operation), context=self._world.outside)
        answer: asyncio.Future[T] = self._world.create_future()
        task.add_done_callback(partial(_pass_on, answer), context=self._world.outside)
        return await answer

    async def _do(self, work: Callable[[sa.Connection], T], operation: Operation) -> T:
        try:
            await self._pass()
            if not operation.life.alive and self._dice.random() < 0.5:
                unsaid: asyncio.Future[T] = self._world.create_future()
                self._unsaid.append(unsaid)  # Who asked has died before it had said "commit".
                return await unsaid
            self.current = operation
            result = self._happen(work)
            await self._pass()
            return result
        finally:
            operation.answered = self._world.now()
            self._forget()

    def _happen(self, work: Callable[[sa.Connection], T]) -> T:
        self.transactions += 1
        weather, chance = self.weather, self._dice.random
        if self._world.now() < self.down_until:
            raise self._broken("unable to open database file", invalid=chance() < 0.3)
        if weather.refused and chance() < weather.refused:
            raise self._broken("the connection is closed", invalid=chance() < 0.7)
        torn = weather.torn and chance() < weather.torn
        self._tear_in = self._dice.randint(1, STATEMENTS) if torn else None
        lost = weather.lost and chance() < weather.lost
        with self.raw:  # Ends the transaction, one way or the other.
            self.raw.execute("BEGIN IMMEDIATE")
            result = work(self._connection if self._tear_in is None else self._tearing)
            if lost:
                raise self._broken("disk I/O error", invalid=chance() < 0.5)
        self._happened()
        if weather.unheard and chance() < weather.unheard:
            raise self._broken("disk I/O error", invalid=chance() < 0.5)
        return result

    def _executes(self, *_: object) -> None:
        if self._tear_in is not None:
            self._tear_in -= 1
            if self._tear_in == 0:
                raise self._broken("disk I/O error", invalid=self._dice.random() < 0.3)

    def _broken(self, said: str, *, invalid: bool) -> OperationalError:
        self._troubled()
        return OperationalError(said, None, sqlite3.OperationalError(said), connection_invalidated=invalid)

    async def _pass(self) -> None:
        slow = self._world.now() < self.slow_until
        span = self._some(self.weather.slow if slow else self.weather.database)
        if span:
            await asyncio.sleep(span / 1000)
        if slow:
            self._troubled()

    def _some(self, span: Span) -> Millis:
        least, most = span
        return least + int(self._dice.random() * (most - least + 1))

    def _forget(self) -> None:
        horizon = self._world.now() - KEPT_MS
        if len(self.operations) >= self._many:
            self.operations = [one for one in self.operations if one.answered is None or one.answered > horizon]
            self._many = 2 * len(self.operations) + MANY


class SimulatedDatabase(Database):
    """The store's database, with the disk in the place of its connections."""

    def __init__(self, disk: Disk) -> None:
        self.is_sqlite = True
        self._commits = self._writes = self._reads = self._searches = _Lane(disk)


class _Lane:
    def __init__(self, disk: Disk) -> None:
        self._disk = disk

    async def transact(self, work: Callable[[sa.Connection], T]) -> T:
        return await self._disk.transact(work)

    async def close(self) -> None:
        """The disk outlives its users."""


def _pass_on(answer: asyncio.Future[T], task: asyncio.Task[T]) -> None:
    """Whoever asked may not wait any more."""
    error = None if task.cancelled() else task.exception()
    if answer.done() or task.cancelled():
        return
    if error is None:
        answer.set_result(task.result())
    else:
        answer.set_exception(error)


@cache
def _known() -> sa.Engine:
    """Its dialect is that of every run, so that a statement is compiled once."""
    engine = sa.create_engine("sqlite://")
    with engine.connect():
        return engine


@cache
def _schema() -> tuple[str, ...]:
    """What the migrations make, table by table."""
    with _migrated() as found:
        rows = found.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
        return tuple([sql for (sql,) in rows])


@cache
def _rows() -> tuple[str, ...]:
    """What they write into it: whose the room is, for now nobody's."""
    with _migrated() as found:
        return tuple([line for line in found.iterdump() if line.startswith('INSERT INTO "leases"')])


@contextmanager
def _migrated() -> Iterator[sqlite3.Connection]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "room.db"
        migrate(f"sqlite:///{path}")
        connection = sqlite3.connect(path)
        try:
            yield connection
        finally:
            connection.close()


def prepare() -> None:
    """The schema, before any loop runs."""
    _schema()
    _rows()
    _known()
