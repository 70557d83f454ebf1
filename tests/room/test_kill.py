"""kill -9 while bots play, again and again: nothing that anybody was told is lost, and the hand goes on.

The seed is printed when a test fails; the instants are the machine's own.
"""

import asyncio
import contextlib
import logging
from collections import defaultdict
from collections.abc import Sequence
from contextlib import AsyncExitStack
from itertools import chain
from pathlib import Path
from random import Random, SystemRandom
from statistics import median
from typing import Any, Protocol

import msgspec
import pytest

from fullring.rules.events import HandEnded, HandStarted
from fullring.runtime.ports import HandQuery, Row
from fullring.table.events import Resumed
from fullring.table.ids import TableId
from tests.room.kept import Books, Moment, books, moments
from tests.room.players import ABNORMAL, NORMAL, Evening, Player
from tests.room.ports import free_port
from tests.room.warm import warm
from tests.server import Address, Process, process

Json = dict[str, Any]
PLAYERS = 6
CHIPS = 1_000_000
KILLS, KILLS_OF_THE_COMMAND = 50, 6
LIFE_S = 0.25
"""A room lives at most so long after everybody is back."""
STILLBORN = 0.1
"""So many more rooms are killed before they are up."""
TURN_MS = 30_000

_log = logging.getLogger(__name__)


class Rooms(Protocol):
    """One room after another, each in a process of its own, on the same data."""

    async def begin(self) -> None:
        """Start another. It is not up yet."""

    async def opened(self) -> Address:
        """The room, once it takes connections. ConnectionError if it was killed before."""

    def kill(self) -> None: ...

    async def ended(self) -> None:
        """Until the process is no more."""


class Commands:
    """Rooms by the command ``fullring serve``."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self._folder = folder
        self._settings = settings
        self._stack = AsyncExitStack()
        self._process: Process | None = None

    async def begin(self) -> None: ...

    async def opened(self) -> Address:
        self._process = await self._stack.enter_async_context(process(self._folder, **self._settings))
        return self._process

    def kill(self) -> None:
        assert self._process is not None
        self._process.process.kill()

    async def ended(self) -> None:
        assert self._process is not None
        await self._process.process.wait()
        await self._stack.aclose()


async def test_a_room_on_sqlite_that_is_killed_fifty_times_loses_nothing(tmp_path: Path) -> None:
    async with warm(tmp_path, free_port(), tables=2, guest_chips=CHIPS) as program:
        await _kill(program, f"sqlite:///{tmp_path / 'room.db'}", tmp_path, KILLS, stillborn=STILLBORN)


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_room_on_postgresql_that_is_killed_loses_nothing(tmp_path: Path, database_url: str) -> None:
    rooms = Commands(tmp_path, tables=2, guest_chips=CHIPS, database_url=database_url, port=free_port())
    await _kill(rooms, database_url, tmp_path, KILLS_OF_THE_COMMAND, stillborn=0)


async def _kill(rooms: Rooms, url: str, folder: Path, kills: int, stillborn: float) -> None:
    seed = SystemRandom().randrange(2**32)
    _log.warning("seed %d", seed)
    dice = Random(seed)
    loop = asyncio.get_running_loop()
    evening = Evening(enough=kills * 1_000)
    took: list[float] = []
    address = await _up(rooms, took)
    async with address.http() as client:
        tables = [row["id"] for row in (await client.get("/tables")).json()["tables"]]
    guests = [await address.guest() for _ in range(PLAYERS)]
    players = [Player(evening, tables, guest, Random(seed + n)) for n, guest in enumerate(guests)]
    async with books(url, folder) as kept:
        for _ in range(kills):
            staying = [asyncio.create_task(player.stay(address.url)) for player in players]
            for player in players:
                await player.present.wait()
            loop.call_later(dice.uniform(0, LIFE_S), rooms.kill)
            await asyncio.gather(*staying)
            await rooms.ended()
            if dice.random() < stillborn:
                await _begin_in_vain(rooms, dice.uniform(0, median(took)))
            address = await _up(rooms, took)
            assert await kept.discrepancies() == []
            assert await kept.chips() == PLAYERS * CHIPS
        evening.over = True
        await asyncio.gather(*[player.stay(address.url) for player in players])
        rooms.kill()
        await rooms.ended()
        _log.warning("%d hands; a restart takes %.2f s (median)", len(evening.hands), median(took))
        await _judge(kept, tables, players, kills)


async def _up(rooms: Rooms, took: list[float]) -> Address:
    began = asyncio.get_running_loop().time()
    await rooms.begin()
    address = await rooms.opened()
    took.append(asyncio.get_running_loop().time() - began)
    return address


async def _begin_in_vain(rooms: Rooms, lives_s: float) -> None:
    """A room that is killed about when it comes up."""
    await rooms.begin()
    asyncio.get_running_loop().call_later(lives_s, rooms.kill)
    with contextlib.suppress(ConnectionError):
        await rooms.opened()
    await rooms.ended()


# --- what must hold afterwards ---


async def _judge(kept: Books, tables: Sequence[str], players: Sequence[Player], kills: int) -> None:
    for player in players:
        assert player.closed_with == [ABNORMAL] * kills + [NORMAL]
        assert player.repeated >= kills, "commands that were done are asked again"
    by_key: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for table in tables:
        rows = await kept.rows(table)
        for row in rows:
            if row.key is not None:
                by_key[row.key.account, row.key.id].append(row)
        life = list(moments(table, await kept.settings(table), rows))
        _judge_restarts(life, kills)
        for player in players:
            _judge_what_was_heard(life, player, table)
        await _judge_hands(kept, table, rows)
    for player in players:
        _judge_answers(player, by_key)


def _judge_restarts(life: Sequence[Moment], kills: int) -> None:
    """The player to act has a full clock, from the moment when the room was back."""
    resumed = [moment for moment in life if any(isinstance(event, Resumed) for event in moment.row.events)]
    assert len(resumed) >= kills
    turns = [(moment, turn) for moment in resumed if (turn := _hand(moment).get("turn")) is not None]
    assert len(turns) > kills // 2
    for moment, turn in turns:
        assert turn["deadline"] == moment.row.at + TURN_MS


def _judge_what_was_heard(life: Sequence[Moment], player: Player, table: str) -> None:
    """Before and after every kill, all that a client saw is what the journal has: update by update, byte by byte."""
    last = 0
    for frames in player.heard:
        first = True
        for frame in frames:
            message = msgspec.json.decode(frame.public)
            if message["type"] != "update" or message["table"] != table:
                continue
            seq = message["seq"]
            if not seq:
                continue
            now = life[seq - 1]
            if first and last:
                _judge_return(life[last - 1], now, life[last:seq], message)
            elif not first and seq > last:
                assert seq == last + 1
            events = message["events"] if first else now.events if seq > last else []
            assert frame.public == now.frame(events, lost=message.get("lost", False))
            own = now.you.get(player.account or "", [])
            assert frame.own in [msgspec.json.encode(part) for part in own] or (frame.own is None and not own)
            first, last = False, seq


def _judge_return(before: Moment, now: Moment, missed: Sequence[Moment], message: Json) -> None:
    """The first update after a restart: it goes on from the last that was seen, in the same hand or a later one."""
    assert now.seq > before.seq
    events = [moment.events for moment in missed]
    held = next(n for n in range(len(events) + 1) if list(chain(*events[n:])) == message["events"])
    assert message.get("lost", False) == (held > 0)
    was, is_now = _hand(before), _hand(now)
    if was and is_now["id"] == was["id"]:
        assert not held, "the hand that was seen is told whole"
        assert is_now["board"][: len(was["board"])] == was["board"]
        assert now.holes == before.holes
    elif was:
        assert is_now["number"] > was["number"]


async def _judge_hands(kept: Books, table: str, rows: Sequence[Row]) -> None:
    """Each hand was played to its end, none was voided, and each is kept once."""
    events = [event for row in rows for event in row.events]
    started = [event.hand for event in events if isinstance(event, HandStarted)]
    assert len(started) == sum(isinstance(event, HandEnded) for event in events)
    found, cursor = [], None
    while True:
        records, cursor = await kept.store.hands.find(HandQuery(table=TableId(table), cursor=cursor, limit=1_000))
        found += [record.hand for record in records]
        if cursor is None:
            break
    assert found == started[::-1]


def _judge_answers(player: Player, by_key: dict[tuple[str, str], list[Row]]) -> None:
    """What was answered with ``ok`` is in the journal once, with that answer; what was refused is not there."""
    assert not player.unanswered
    for id, frame in player.answers.items():
        answer = msgspec.json.decode(frame)
        rows = by_key.get((player.account or "", id), [])
        if answer["type"] == "error":
            assert not rows, answer
        else:
            assert [{"type": "ok", "re": id, **(row.answer or {})} for row in rows] == [answer]


def _hand(moment: Moment) -> Json:
    hand: Json = msgspec.json.decode(moment.view).get("hand", {})
    return hand
