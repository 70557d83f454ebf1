"""Connections are as durable and as strict as they must be, whatever the driver's defaults are."""

import asyncio
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, IntegrityError

from fullring import store
from fullring.runtime.ports import HandQuery, LogUnavailable
from fullring.store import Store, migrate
from fullring.store.backup import back_up
from fullring.store.database import Database, parsed
from fullring.store.instant import at_one_instant
from fullring.store.migrate import WrongSchema
from fullring.store.restore import restore
from fullring.store.schema import accounts
from fullring.store.statements import Prepared, among
from fullring.table.ids import HandId
from tests.contracts.room import chips, guest
from tests.store.conftest import KEY
from tests.store.sql import rows

on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
on_postgresql = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)


def pragmas(connection: sa.Connection) -> dict[str, object]:
    names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "wal_autocheckpoint", "query_only")
    return {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in names}


@on_sqlite
async def test_the_connection_that_writes_is_durable_and_alone_makes_checkpoints(room: Store) -> None:
    durable = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5_000}

    for transact in (room.database.commit, room.database.write):
        assert await transact(pragmas) == durable | {"wal_autocheckpoint": 1_000, "query_only": 0}
    assert await room.database.read(pragmas) == durable | {"wal_autocheckpoint": 0, "query_only": 1}


@on_sqlite
async def test_a_visitor_leaves_the_checkpoints_to_the_room(room: Store, database_url: str) -> None:
    visitor = await store.open(database_url, seal_keys=[KEY], visiting=True)

    assert (await visitor.database.write(pragmas))["wal_autocheckpoint"] == 0

    await visitor.close()


@on_postgresql
async def test_commits_reach_the_disk_whatever_the_servers_default_is(room: Store, database_url: str) -> None:
    await rows(database_url, "ALTER ROLE CURRENT_USER SET synchronous_commit = off")
    try:
        other = Database(database_url)
        for transact in (other.commit, other.write):
            assert await transact(lambda c: c.exec_driver_sql("SHOW synchronous_commit").scalar_one()) == "on"
        await other.close()
    finally:
        await rows(database_url, "ALTER ROLE CURRENT_USER RESET synchronous_commit")


@on_sqlite
async def test_what_only_reads_cannot_write(room: Store) -> None:
    with pytest.raises(LogUnavailable, match="readonly"):
        await room.database.read(lambda connection: connection.execute(sa.delete(accounts)).rowcount)


@on_sqlite
async def test_nobody_waits_for_a_long_search_but_other_searches(room: Store) -> None:
    over = threading.Event()
    searches = [asyncio.ensure_future(room.database.search(lambda _: over.wait(60))) for _ in range(20)]
    finding = asyncio.ensure_future(room.hands.find(HandQuery()))
    try:
        async with asyncio.timeout(30):
            account, token = await room.accounts.create_guest("Anna", 0, 0)
            assert (await room.accounts.authenticate(token)).account == account
            assert await room.hands.get(HandId("-")) is None
        assert not finding.done()
    finally:
        over.set()

    assert all(await asyncio.gather(*searches))
    assert await finding == ([], None)


@pytest.mark.parametrize("broken", ["by us", "by the database"])
async def test_a_transaction_that_fails_leaves_nothing(room: Store, broken: str) -> None:
    anna = await guest(room, "Anna")

    def fails(connection: sa.Connection) -> None:
        connection.execute(sa.update(accounts).values(chips=7))
        if broken == "by us":
            raise LookupError
        connection.execute(sa.update(accounts).values(chips=-1))

    with pytest.raises((LookupError, IntegrityError)):
        await room.database.write(fails)

    assert await chips(room, anna) == 1_000


@pytest.mark.parametrize(
    "values",
    [{"chips": -1}, {"chips": "lots"}, {"chips": 2**63}, {"kind": "king"}, {"name": ""}, {"name": None}],
    ids=str,
)
async def test_what_breaks_a_rule_is_refused_and_is_no_outage(room: Store, values: dict[str, Any]) -> None:
    await guest(room, "Anna")

    with pytest.raises((DBAPIError, OverflowError)):
        await room.database.write(lambda connection: connection.execute(sa.update(accounts).values(values)).rowcount)


async def test_one_value_holds_many_texts(room: Store) -> None:
    names = ["Anna", 'q"\\', "\u2660", "a,b", "{}", "it's"]
    for name in names:
        await guest(room, name)
    question = sa.select(accounts.c.name).where(among(accounts.c.name, "names")).order_by(accounts.c.name)

    for wanted in ([], names[:1], names, names + [f"nobody {number}" for number in range(2_000)]):
        found = await room.database.read(partial(_names, question, wanted))
        assert sorted(found) == sorted(set(wanted) & set(names))


def _names(question: sa.Select[Any], wanted: list[str], connection: sa.Connection) -> list[str]:
    return list(connection.execute(question, {"names": wanted}).scalars())


def test_a_prepared_statement_names_its_values_in_the_order_of_its_text() -> None:
    statement = sa.update(accounts).values(chips=sa.bindparam("a")).where(accounts.c.id == sa.bindparam("b"))
    engine = sa.create_engine("sqlite://")

    with engine.connect() as connection:
        with pytest.raises(AssertionError, match="order"):
            Prepared(statement, "b", "a").run(connection, [("x", 1)])
        Prepared(statement, "b", "a").run(connection, [])
    engine.dispose()


async def test_a_database_without_our_schema_is_not_opened(empty_database_url: str) -> None:
    with pytest.raises(WrongSchema, match="migrate it first"):
        await store.open(empty_database_url, seal_keys=[KEY])


async def test_a_file_that_is_no_database_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "room.db"
    path.write_bytes(b"something else" * 1_000)

    with pytest.raises(LogUnavailable, match="not a database"):
        await store.open(f"sqlite:///{path}", seal_keys=[KEY])
    with pytest.raises(LogUnavailable, match="can't be used: file is not a database"):
        await migrate.upgrade(f"sqlite:///{path}")


@pytest.mark.parametrize(
    ("elsewhere", "why"),
    [
        ({"port": 1}, "(Connection refused|Connect call failed)"),
        ({"database": "nowhere"}, 'database "nowhere" does not exist'),
        ({"username": "nobody"}, 'role "nobody" does not exist'),
    ],
)
@on_postgresql
async def test_a_server_that_does_not_let_us_in_says_why(
    database_url: str, elsewhere: dict[str, Any], why: str, tmp_path: Path
) -> None:
    url = make_url(database_url).set(**elsewhere).render_as_string(hide_password=False)
    await back_up(database_url, tmp_path / "backup", "1.2.3")

    for asked in (
        migrate.upgrade(url),
        restore(tmp_path / "backup", url, force=True),
        at_one_instant(url, migrate.check),
        store.open(url, seal_keys=[KEY]),
    ):
        with pytest.raises(LogUnavailable, match=f"^the database (can't be reached|failed): .*{why}"):
            await asked


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("sqlite:///a/room.db", "sqlite:///a/room.db"),
        ("sqlite+aiosqlite:////a/room.db", "sqlite:////a/room.db"),
        ("postgres://u:p@h/d", "postgresql+asyncpg://u:p@h/d"),
        ("postgresql://u:p@h:1/d", "postgresql+asyncpg://u:p@h:1/d"),
        ("postgresql+asyncpg://h/d", "postgresql+asyncpg://h/d"),
        ("postgresql://h/d?sslmode=require", "postgresql+asyncpg://h/d?ssl=require"),
    ],
)
def test_a_url_gets_the_driver_we_use(given: str, found: str) -> None:
    assert parsed(given).render_as_string(hide_password=False) == found


@pytest.mark.parametrize("url", ["mysql://h/d", "sqlite://", "sqlite:///:memory:", "postgresql+psycopg://h/d"])
def test_other_databases_are_refused(url: str) -> None:
    with pytest.raises(ValueError, match="database"):
        parsed(url)
