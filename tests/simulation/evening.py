"""One run: a seed draws tables, people and weather; they play through it, then all is fair and the game must go on.

The same seed is the same run, to the byte: ``digest`` says so. The first broken promise ends it.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from tempfile import gettempdir
from typing import Any

from fullring.runtime.tables import Room
from fullring.settings import Settings
from fullring.store.audit import discrepancies
from fullring.table.commands import Close, Command, Kick, Pause, Resume
from fullring.table.ids import AccountId, Millis
from fullring.table.settings import TableSettings
from tests.simulation.disk import Disk, prepare
from tests.simulation.network import Line, Network
from tests.simulation.people import Client, Player
from tests.simulation.sdk import connected_by, sit_down
from tests.simulation.seeded import seeded
from tests.simulation.town import Process, Town
from tests.simulation.truth import Journal, Truth
from tests.simulation.weather import FAIR, Weather, drawn
from tests.simulation.witness import Witness
from tests.simulation.world import World
from tests.table.facts import between_hands, facts

HANDS = 200
"""Hands in a run, about."""
STORM_MS = 3_600_000
"""The longest that the weather holds, if hands are slow to come."""
CALM_MS = 600_000
"""How long three more hands at each table may take when nothing goes wrong."""
MORE_HANDS = 3
RICH, POOR = 1_000_000, 2_500
SWEEP_MS = 1_000
SDK = 0.15
"""How many of the players use the SDK."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a run was, in numbers."""

    seed: int
    digest: str
    hands: int
    callbacks: int
    frames: int
    rows: int
    transactions: int
    processes: int
    virtual_ms: Millis
    weather: Weather


def spend(seed: int, hands: int = HANDS, weather: Weather | None = None) -> Result:
    """Raises Violation, or whatever else was not to happen. Without ``weather`` it is the seed's."""
    prepare()
    world = World(seed)
    evening = Evening(world, weather)
    try:
        with seeded(world.dice("chance")), evening.town.installed(), connected_by(evening.network):
            world.run_until_complete(world.create_task(evening.spend(hands)))
            return evening.result()
    finally:
        evening.close()


class Evening:
    """All that there is in a run."""

    def __init__(self, world: World, weather: Weather | None = None) -> None:
        self.world = world
        self.dice = world.dice("evening")
        self.weather = weather or drawn(world.dice("weather"))
        self.own_table = self.dice.random() < 0.3
        """Whether the room has a table of its own, with house bots."""
        self.digest = hashlib.blake2b(digest_size=16)
        self.journal = Journal(world)
        self.journal.heard.append(self.digest.update)
        self.witness = Witness(world, self.journal, self._note)
        self.network = Network(world, FAIR, self.witness, direct=self.dice.random() < 0.7)
        self.disk = Disk(world, FAIR, self.journal.look, self.journal.trouble)
        settings = Settings(
            data=Path(gettempdir()),
            lease_seconds=4 if self.weather.replaced else 20,
            tables=int(self.own_table),
            house_bots=2 * int(self.own_table),
            bot_think_min_ms=0,
            bot_think_max_ms=300,
            frames_burst=self.dice.choice([40, 40, 10]),
        )
        self.town = Town(world, self.disk, self.network, self.journal, settings, self._opened)
        self.players: list[Player] = []
        self.clients: list[Client] = []
        self.tables: list[str] = []
        self.bots: list[asyncio.Task[None]] = []
        """Players that use the SDK."""
        self.beginnings: list[Callable[[], asyncio.Task[None]]] = []
        """How each of them began."""
        self.up = asyncio.Event()

    # --- the course of the evening ---

    async def spend(self, hands: int) -> None:
        self.town.start()
        await self.up.wait()
        self._sweep()
        self._find_own_table()
        for _ in range(self.dice.randint(1, 4)):
            await self._open_table()
        for client in self.clients:
            client.connect()
        self._everybody(self.weather)
        self._host()
        await self._until(lambda: self.journal.hands >= hands, STORM_MS, "", 1_000)
        self._everybody(FAIR)
        self._begin_again()
        await self._calm()
        await self._all_see_the_same()
        await self._restart()
        await self._close_down()

    async def _calm(self) -> None:
        """Nothing goes wrong any more: at every table the game goes on."""
        await self._grant()
        before = {table: self._truth(table).hands for table in self.tables}
        slow: list[str] = []

        def enough() -> bool:
            for table in self.tables:
                if self._truth(table).table.paused is not None:
                    self._tell(table, Resume("go on"))
            slow[:] = [t for t in self.tables if self._truth(t).hands < before[t] + MORE_HANDS]
            return not slow

        await self._until(enough, CALM_MS, "", 2_000)
        assert not slow, f"the game does not go on at {', '.join(slow)} within {CALM_MS} ms"

    async def _all_see_the_same(self) -> None:
        """When nothing happens any more, everybody has the last update."""
        for table in self.tables:
            self._tell(table, Pause("look here"))
        await asyncio.sleep(60)
        for client in self.clients:
            for table, (update, _) in client.seen.items():
                truth = self.journal.tables.get(table)
                if truth is None or truth.table.closed or table not in client.tables:
                    continue
                assert client.line is not None, f"{client.name} has no connection"
                seen, true = (update.epoch, update.seq), (truth.epoch, truth.table.seq)
                assert seen == true, f"{client.name} sees {seen} of table {table}, which is at {true}"

    async def _restart(self) -> None:
        self.up.clear()
        process = self.town.process
        assert process is not None
        self.town.stop()
        await self._until(lambda: not process.life.alive, 30_000, "the process does not end", 100)
        self._compare(process)
        self.town.again()
        await self.up.wait()

    async def _close_down(self) -> None:
        for table in self.tables:
            self._tell(table, Close("the evening is over"))
            self._tell(table, Resume("the last hand"))
        open_tables = [self._truth(table).table for table in self.tables]
        await self._until(lambda: all(table.closed for table in open_tables), 120_000, "the tables do not close", 100)
        wrong = self.disk.ask(discrepancies)
        assert not wrong, f"the books say: {'; '.join(wrong)}"
        self.town.stop()
        process = self.town.process
        assert process is not None
        await self._until(lambda: not process.life.alive, 30_000, "the process does not end", 100)

    async def _until(self, ready: Callable[[], bool], within: Millis, failing: str, step: Millis = 500) -> None:
        """Empty is ``failing`` where it is no failure."""
        end = self.world.now() + within
        while not ready():
            if self.world.now() >= end:
                assert not failing, f"{failing} within {within} ms"
                return
            await asyncio.sleep(step / 1000)

    # --- people and tables ---

    async def _open_table(self) -> None:
        """With people for it; some of them look at other tables too."""
        settings = table_settings(self.dice, f"Table {len(self.journal.tables) + 1}")
        table = await self._of_the_room(lambda room: room.open_table(settings, None))
        self.tables.append(table)
        self.journal.open_table(table)
        for _ in range(max(2, settings.seats + self.dice.choice([-1, -1, 0, 0, 1]))):
            await self._come(table)
        if self.dice.random() < 0.5:
            number = len(self.clients) + len(self.bots)
            spectator = Client(
                self.network, self.witness.reader, f"s{number}", self.tables, self._dice_of(number), token=None
            )
            self.clients.append(spectator)

    def _find_own_table(self) -> None:
        """The one that the room has opened by itself."""
        process = self.town.playing
        assert process is not None
        assert process.house is not None
        for row in process.house.site.room.summaries():
            self.tables.append(row["id"])
            self.journal.open_table(row["id"])

    async def _come(self, table: str) -> None:
        number = len(self.clients) + len(self.bots)
        sdk = self.dice.random() < SDK
        name, chips = f"p{number}", RICH if sdk else self.dice.choice([RICH, RICH, RICH, POOR])
        process = self.town.playing
        assert process is not None
        assert process.house is not None
        accounts = process.house.site.accounts
        account, token = await self._of(process, lambda: accounts.create_guest(name, chips, process.clock.now()))
        if sdk:
            begin = partial(sit_down, self.network, table, account.id, token, self._dice_of(number))
            self.beginnings.append(begin)
            self.bots.append(begin())
            return
        others = [other for other in self.tables if other != table and self.dice.random() < 0.2]
        player = Player(
            self.network, self.witness.reader, name, [table, *others], self._dice_of(number),
            token=token, account=account.id,
        )  # fmt: skip
        self.players.append(player)
        self.clients.append(player)

    async def _grant(self) -> None:
        """Chips for those who have none left: from the next process, where the one that was asked ends first."""
        while True:
            await self._until(lambda: self.town.playing is not None, CALM_MS, "the room does not open again")
            process = self.town.playing
            assert process is not None
            asked = self.world.spawn(process.life, self._given(process))
            await self._until(partial(_over, asked, process), CALM_MS, "nobody is given chips", 100)
            if asked.done():
                await asked
                return

    async def _given(self, process: Process) -> None:
        assert process.house is not None
        ledger, now = process.house.site.ledger, process.clock.now()
        for player in self.players:
            account = AccountId(player.account or "")
            await ledger.grant(account, RICH, "for the rest", f"rest {account}", None, now)

    def _everybody(self, weather: Weather) -> None:
        self.town.change(weather)
        for client in self.clients:
            client.weather = weather
            if weather is FAIR:
                client.become_good()

    def _begin_again(self) -> None:
        """A program that uses the SDK is started anew: one that sat out may wait for an update that never comes."""
        for bot in self.bots:
            bot.cancel()
        self.bots = [begin() for begin in self.beginnings]

    def _dice_of(self, number: int) -> Random:
        return self.world.dice(f"client {number}")

    # --- the host ---

    def _host(self) -> None:
        """Now and then: pauses a table and lets it go on, sends somebody away."""
        weather = self.town.weather
        if weather is FAIR or not weather.hosting:
            return
        if self.dice.random() < weather.hosting:
            table = self.dice.choice(self.tables)
            if self.dice.random() < 0.5:
                self._tell(table, Pause("a break"))
                self._resume_later(table)
            else:
                self._tell(table, Kick(AccountId(self.dice.choice(self.players).account or ""), "sent away"))
        self.world.later(5_000 + int(self.dice.random() * 20_000), self._host)

    def _resume_later(self, table: str) -> None:
        def resume() -> None:
            if self._truth(table).table.paused == "a break":
                self._tell(table, Resume("go on"))
                self._resume_later(table)

        self.world.later(1_000 + int(self.dice.random() * 10_000), resume)

    def _tell(self, table: str, command: Command) -> None:
        """Whatever comes of it."""
        process = self.town.playing
        if process is None or process.house is None:
            return
        asked = process.life.context.copy().run(process.house.site.room.ask, table, command)
        asked.add_done_callback(lambda done: done.cancelled() or done.exception(), context=self.world.outside)

    async def _of_the_room(self, ask: Callable[[Room], Awaitable[Any]]) -> Any:
        process = self.town.playing
        assert process is not None
        assert process.house is not None
        room = process.house.site.room
        return await self._of(process, lambda: ask(room))

    async def _of(self, process: Process, ask: Callable[[], Awaitable[Any]]) -> Any:
        async def asking() -> Any:
            return await ask()

        return await self.world.spawn(process.life, asking())

    # --- looking ---

    def _opened(self, process: Process) -> None:
        self.up.set()
        self._compare(process)

    def _compare(self, process: Process) -> None:
        """What a process holds is what its journal makes."""
        assert process.house is not None
        for actor in process.house.site.room._actors.values():
            truth = self.journal.tables.get(actor.id)
            if truth is None or actor._head.row != truth.row:
                continue
            held, true = actor.table, truth.table
            same = between_hands(held) == between_hands(true)
            if not true.between_hands:
                same = same and facts(held.hand) == facts(true.hand)
            if not same:
                self.world.break_promise(
                    f"{process.life}: table {actor.id} row {truth.row} is not what its journal makes"
                )

    def _truth(self, table: str) -> Truth:
        return self.journal.tables[table]

    def _sweep(self) -> None:
        process = self.town.playing
        if process is not None and not process.life.stalled:
            self.journal.sweep(process.clock.now)
            self.witness.sweep(self.journal.troubled_at)
        self.world.later(SWEEP_MS, self._sweep)

    def _note(self, what: str, line: Line, frame: str | bytes) -> None:
        self.digest.update(f"{self.world.now()} {what} {line.number} ".encode())
        self.digest.update(frame.encode("utf-8", "surrogatepass") if isinstance(frame, str) else frame)

    def result(self) -> Result:
        world = self.world
        return Result(
            seed=world.seed,
            digest=self.digest.hexdigest(),
            hands=self.journal.hands,
            callbacks=world.steps,
            frames=self.witness.frames,
            rows=sum(truth.row for truth in self.journal.tables.values()),
            transactions=self.disk.transactions,
            processes=self.town.started,
            virtual_ms=world.now(),
            weather=self.weather,
        )

    def close(self) -> None:
        self.town.close()
        self.world.end()
        self.disk.close()


def table_settings(dice: Random, name: str) -> TableSettings:
    """Any table that a host may open."""
    ante: dict[str, Any] = dice.choice([{}, {}, {"ante": 2}, {"big_blind_ante": 10}])
    rake: dict[str, Any] = dice.choice([{}, {"rake_bps": 500, "rake_caps": (3, 30)}])
    bank = dice.choice([0, 3_000, 30_000])
    return TableSettings(
        name=name,
        game=dice.choice(["nlhe", "nlhe", "plhe", "flhe"]),
        seats=dice.choice([2, 2, 3, 3, 4, 6]),
        turn_ms=dice.choice([1_000, 5_000, 30_000]),
        time_bank_ms=bank,
        time_bank_max_ms=2 * bank,
        hand_pause_ms=dice.choice([0, 100, 1_000]),
        rebuy_ms=dice.choice([1_000, 60_000]),
        ratholing_ms=dice.choice([0, 3_600_000]),
        sit_out_max_ms=dice.choice([20_000, 3_600_000]),
        sit_out_yield_ms=dice.choice([0, 20_000]),
        missed_big_blinds_max=dice.choice([1, 3]),
        dead_button=dice.random() < 0.5,
        show_all=dice.random() < 0.2,
        **ante,
        **rake,
    )


def _over(asked: asyncio.Task[object], process: Process) -> bool:
    return asked.done() or not process.life.alive
