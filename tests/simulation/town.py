"""The server of a run: processes one after another, sometimes two at once, on one disk and behind one network.

Each is the room as ``fullring.app`` puts it together, with the disk in the place of its database, a clock of its own,
and the run's seed in the place of chance.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from fullring import app
from fullring.app import House
from fullring.runtime.ports import AlreadyOwned, LogUnavailable, OutcomeUnknown
from fullring.settings import Settings
from fullring.store import ownership
from fullring.store import store as opening
from fullring.store.seal import KEY_BYTES
from fullring.table.ids import Millis
from tests.fake_clock import START
from tests.simulation.disk import Disk, SimulatedDatabase
from tests.simulation.network import Network
from tests.simulation.truth import Journal
from tests.simulation.weather import FAIR, Weather
from tests.simulation.world import LIFE, Life, World
from tests.virtual_loop import LoopClock

AGAIN_MS = 1_000
"""How soon a process is started again that did not come up."""
WAKES_MS = (200, 4_000)
"""How long a process that was replaced goes on before it is noticed."""
LOST_KEY = ("can't be read from its journal", "begins a new history", "no record of its void hand")
"""What the log may say of a key that is not there."""
DEPOSED = "another process has taken over the room"
"""What it may say where one was replaced."""


class Process:
    """``house`` is there once the room is open."""

    def __init__(self, town: "Town", number: int, keys: Sequence[bytes], ahead: Millis) -> None:
        self.life = Life(number)
        self.clock = self.life.clock = LoopClock(town.world, START + ahead)
        self.keys = keys
        self.house: House | None = None
        self._town = town
        self._enough = asyncio.Event()

    async def run(self) -> None:
        town = self._town
        async with app.open_house(town.settings, clock=self.clock) as house:
            self.house = house
            town.network.listen(self.life, house.site)
            town.is_open(self)
            losing = asyncio.create_task(house.lost.wait())
            losing.add_done_callback(lambda _: self._enough.set())
            await self._enough.wait()
            losing.cancel()
            town.network.deaf(self.life)

    def stop(self) -> None:
        """In good order, as a signal tells it to."""
        self.life.context.copy().run(self._enough.set)


class Town:
    """``process`` is the one that was started last."""

    def __init__(
        self,
        world: World,
        disk: Disk,
        network: Network,
        journal: Journal,
        settings: Settings,
        opened: Callable[[Process], None],
    ) -> None:
        self.world, self.disk, self.network, self.journal = world, disk, network, journal
        self.settings = settings
        self.weather = FAIR
        self.process: Process | None = None
        self.lost_key = False
        self.replaced = False
        self._opened = opened
        self._dice = world.dice("town")
        self._processes: dict[Life, Process] = {}
        self._keys: list[bytes] = [self._dice.randbytes(KEY_BYTES)]
        self._every_key = list(self._keys)
        self.started = 0
        self._wanted = True
        journal.open(disk, self._every_key)

    # --- processes ---

    def start(self) -> None:
        self.started += 1
        ahead = self._dice.randint(-self.weather.clock_off, self.weather.clock_off)
        process = self.process = Process(self, self.started, self._take_keys(), ahead)
        life = process.life
        self._processes[life] = process
        life.died.append(lambda: self._ended(process))
        if self.weather.kill_after:
            life.dies_in = 1 + int(self._dice.expovariate(1 / self.weather.kill_after))
        task = self.world.spawn(life, process.run())
        task.add_done_callback(lambda task: self._finished(process, task), context=self.world.outside)

    def is_open(self, process: Process) -> None:
        self.journal.trouble()
        self.world.outside.copy().run(self._opened, process)

    def stop(self) -> None:
        """In good order, and for now."""
        self._wanted = False
        if self.process is not None:
            self.process.stop()

    def again(self) -> None:
        self._wanted = True
        self.start()

    def close(self) -> None:
        """Nobody lives here any more."""
        self._wanted = False
        for life in list(self._processes):
            self.world.kill(life)

    @property
    def playing(self) -> Process | None:
        """The process that players reach, if it is up."""
        process = self.process
        return process if process is not None and process.house is not None and process.life.alive else None

    def _take_keys(self) -> list[bytes]:
        chance = self._dice.random
        if chance() < self.weather.new_key:
            self._keys.insert(0, self._dice.randbytes(KEY_BYTES))
            self._every_key.append(self._keys[0])
            self.journal.open(self.disk, self._every_key)
            if chance() < self.weather.lost_key:
                del self._keys[1:]
                self.lost_key = True
        return list(self._keys)

    def _finished(self, process: Process, task: "asyncio.Task[object]") -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, LogUnavailable | OutcomeUnknown | AlreadyOwned):
            self.world.break_promise(f"{process.life} ended: {error!r}")
        if process.life.alive:
            self.world.kill(process.life)

    def _ended(self, process: Process) -> None:
        self.journal.trouble()
        self._processes.pop(process.life, None)
        if process is self.process and self._wanted:
            self.world.later(AGAIN_MS if process.house is None else self._some(self.weather.down), self._again, process)

    def _again(self, before: Process) -> None:
        if self.process is before and self._wanted:
            self.start()

    # --- fate ---

    def change(self, weather: Weather) -> None:
        """From now on it is like this."""
        self.weather = self.disk.weather = self.network.weather = weather
        for life in self._processes:
            life.dies_in = None
        for every, what in (
            (weather.restart_every, self._restart),
            (weather.stall_every, self._stall),
            (weather.outage_every, self._outage),
            (weather.slow_every, self._slow),
        ):
            if every:
                self._from_time_to_time(weather, every, what)
        process = self.process
        if weather.kill_after and process is not None:
            process.life.dies_in = 1 + int(self._dice.expovariate(1 / weather.kill_after))
        if weather is FAIR:
            self.disk.fair()
            for life in [life for life in self._processes if process is None or life is not process.life]:
                self.world.kill(life)
        self.journal.trouble()

    def _from_time_to_time(self, weather: Weather, every: Millis, what: Callable[[], None]) -> None:
        def now() -> None:
            if self.weather is weather:
                what()
                self._from_time_to_time(weather, every, what)

        self.world.later(1 + int(self._dice.expovariate(1 / every)), now)

    def _restart(self) -> None:
        if self.playing is not None:
            self.playing.stop()

    def _stall(self) -> None:
        process = self.process
        if process is None or not process.life.alive or process.life.stalled:
            return
        span = self._some(self.weather.stall)
        self.journal.trouble(span)
        self.world.stall(process.life, span)
        if self._dice.random() < self.weather.replaced:
            self.replaced = True
            self.network.deaf(process.life)
            self.start()
            self.world.later(span + self._some(WAKES_MS), self._put_down, process)

    def _put_down(self, process: Process) -> None:
        if process.life.alive:
            self.world.kill(process.life)
            self.journal.trouble()

    def _outage(self) -> None:
        self.disk.down_until = self.world.now() + self._some(self.weather.outage)

    def _slow(self) -> None:
        self.disk.slow_until = self.world.now() + self._some(self.weather.slow)

    def _some(self, span: tuple[Millis, Millis]) -> Millis:
        return self._dice.randint(*span)

    # --- what a process finds in the place of the operating system ---

    @contextmanager
    def installed(self) -> Iterator[None]:
        """``fullring.app`` opens its rooms in this town."""
        parts: dict[str, Any] = {
            "seal": SimpleNamespace(key_file=lambda _: self.here().keys),
            "migrate": SimpleNamespace(upgrade=_migrated),
            "telling": SimpleNamespace(courier=lambda *_: _NoCourier()),
            "Random": lambda: Random(f"{self.world.seed} {self.here().life}"),
        }
        store: dict[str, Any] = {
            "Database": lambda *_, **__: SimulatedDatabase(self.disk),
            "check": lambda _: None,
        }
        host: dict[str, Any] = {
            "time": SimpleNamespace(monotonic=self.world.time, monotonic_ns=lambda: self.world.now() * 1_000_000),
            "this_process": lambda: str(self.disk.asking.number),
            "in_words": lambda: str(self.disk.asking),
            "is_dead": lambda number: not any(life.number == int(number) for life in self._processes),
        }
        watch = _Watch(self)
        logger = logging.getLogger("fullring")
        level = logger.level
        logger.addHandler(watch)
        logger.setLevel(logging.ERROR)
        try:
            with patch.multiple(app, **parts), patch.multiple(opening, **store), patch.multiple(ownership, **host):
                yield
        finally:
            logger.removeHandler(watch)
            logger.setLevel(level)

    def here(self) -> Process:
        """The one that asks."""
        life = LIFE.get()
        assert life is not None, "only a process asks"
        return self._processes[life]


class _NoCourier:
    """Webhooks leave the simulated world: nobody is told."""

    async def listen(self) -> None: ...

    def start(self) -> None: ...

    async def stop(self) -> None: ...


class _Watch(logging.Handler):
    """An error in the log is a fault of the server, or must be one that the run has made itself."""

    def __init__(self, town: Town) -> None:
        super().__init__(logging.ERROR)
        self._town = town

    def emit(self, record: logging.LogRecord) -> None:
        said, town = record.getMessage(), self._town
        expected = (LOST_KEY if town.lost_key else ()) + ((DEPOSED,) if town.replaced else ())
        if not any(words in said for words in expected):
            town.world.break_promise(f"the log says: {said}")


async def _migrated(url: str) -> None:
    """The disk has the newest schema."""
