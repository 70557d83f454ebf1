"""A database with tables that were played at random, as a room would have left it, and what may be done to it."""

import asyncio
import contextlib
from collections.abc import Sequence

import sqlalchemy as sa

from fullring import store
from fullring.rules.refusals import Refused
from fullring.runtime.ports import Batch, Outcome
from fullring.store import Store
from fullring.store.database import Database
from fullring.store.fold import unsealed
from fullring.store.seal import Seal
from fullring.store.verify import Finding, Totals, examine, verify
from fullring.table.commands import ShowCards
from fullring.table.ids import AccountId, TableId
from fullring.table.settings import TableSettings
from fullring.table.table import decide
from tests.contracts.playing import START, Playing
from tests.store.conftest import KEY

TABLES = {
    "t1": TableSettings("Oak", rake_bps=500, rake_caps=(10, 20), show_ms=60_000),
    "t2": TableSettings("Elm", game="flhe", ante=1, buy_in_max=400),
}
PEOPLE = 4


async def played(room: Store, rows: int, *, tables: Sequence[str] = tuple(TABLES)) -> list[Playing]:
    """Each table with so many rows, and a few more to the end of its hand."""
    people = [(await room.accounts.create_guest(f"Player {n}", 100_000, START))[0] for n in range(PEOPLE)]
    games = []
    for table in tables:
        await room.log.create(TableId(table), TABLES[table], None, START)
        games.append(Playing.open(table, TABLES[table], people, seed=7))
    for game in games:
        await go_on(room, game, rows)
    await _show(room, games[0])
    return games


async def _show(room: Store, game: Playing) -> None:
    """Somebody shows by choice what the end of a hand left hidden."""
    while True:
        finished = game.table.finished
        assert finished is not None
        for player in finished.players:
            cards = finished.hand.holes[finished.hand.index[player.seat]][:1]
            try:
                events = decide(game.table, ShowCards(AccountId(player.account), finished.id, cards), game.now)
            except Refused:
                continue
            batch = Batch(TableId(game.table.id), game.owner_epoch, game.seq + 1, game.now, tuple(events))
            await room.log.commit([batch])
            game.done(batch)
            return
        await go_on(room, game, 1)


async def go_on(room: Store, game: Playing, rows: int) -> None:
    upto = game.seq + rows
    while game.seq < upto or not game.table.between_hands:
        batch = game.next()
        outcome = (await room.log.commit([batch]))[TableId(game.table.id)]
        if outcome is Outcome.COMMITTED:
            game.done(batch)


def fill(url: str, rows: int) -> None:
    async def work() -> None:
        room = await store.open(url, seal_keys=[KEY])
        try:
            await played(room, rows)
        finally:
            await room.close()

    asyncio.run(work())


async def found(url: str, *keys: bytes) -> list[str]:
    """What `verify` finds."""
    findings: list[Finding] = []
    await verify(url, keys or [KEY], findings.append)
    return [finding.sentence for finding in findings]


async def totals(url: str) -> Totals:
    findings: list[Finding] = []
    looked_at = await verify(url, [KEY], findings.append)
    assert findings == []
    return looked_at


async def damaged(url: str, *statements: str) -> list[str]:
    """What `examine` finds after these statements, of which nothing is left behind."""
    findings: list[Finding] = []

    def work(connection: sa.Connection) -> None:
        for statement in _unguarded(connection):
            connection.execute(sa.text(statement))
        for statement in statements:
            assert connection.exec_driver_sql(statement).rowcount, statement
        examine(connection, unsealed(Seal([KEY])), findings.append)
        raise _Enough

    database = Database(url, visiting=True)
    try:
        with contextlib.suppress(_Enough):
            await database.write(work)
    finally:
        await database.close()
    return [finding.sentence for finding in findings]


class _Enough(Exception):
    """Rolls back."""


def _unguarded(connection: sa.Connection) -> list[str]:
    """Without triggers and foreign keys: whoever damages a file asks neither."""
    if connection.dialect.name == "sqlite":
        return ["PRAGMA defer_foreign_keys = 1"] + [
            f"DROP TRIGGER {name}"
            for name in connection.execute(sa.text("SELECT name FROM sqlite_schema WHERE type = 'trigger'")).scalars()
        ]
    return ["SET LOCAL session_replication_role = replica"]
