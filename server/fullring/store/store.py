"""The store, opened: the ports of the runtime and the web on one database."""

import logging
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fullring.runtime.ports import Ownership
from fullring.store.accounts import SqlAccounts
from fullring.store.database import Database
from fullring.store.hands import SqlHands
from fullring.store.journal import SqlLog
from fullring.store.ledger import SqlLedger
from fullring.store.migrate import check
from fullring.store.notes import Notes
from fullring.store.oversight import SqlAdmin
from fullring.store.ownership import TTL_MS, Lease
from fullring.store.passwords import Passwords
from fullring.store.seal import Seal
from fullring.store.webhooks import SqlWebhooks

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Store:
    """What one process uses of a database. It is closed once, by who opened it."""

    log: SqlLog
    accounts: SqlAccounts
    ledger: SqlLedger
    hands: SqlHands
    database: Database
    ownership: Ownership
    admin: SqlAdmin
    webhooks: SqlWebhooks
    leased: Callable[[], bool] = lambda: True
    """Whether the lease was renewed in time."""

    async def close(self) -> None:
        await self.database.close()


async def open_store(url: str, *, seal_keys: Sequence[bytes], visiting: bool = False, lease_ms: int = TTL_MS) -> Store:
    """The store at that URL, which must have the newest schema. Raises WrongSchema, LogUnavailable or ValueError.

    ``seal_keys`` are those of `seal.key_file`. ``visiting`` is a command beside a running room, which owns no tables.
    Whoever is to own them acquires ``ownership``, a lease of ``lease_ms`` that is renewed until it is released.
    """
    seal = Seal(seal_keys)
    passwords = Passwords()
    database = Database(url, visiting=visiting)
    try:
        await database.read(check)
    except BaseException:
        await database.close()
        raise
    if database.is_sqlite:
        logger.info("SQLite %s", sqlite3.sqlite_version)
    lease = Lease(database, lease_ms)
    notes = Notes()
    return Store(
        log=SqlLog(database, seal, lease, notes),
        accounts=SqlAccounts(database, passwords),
        ledger=SqlLedger(database),
        hands=SqlHands(database),
        database=database,
        ownership=lease,
        admin=SqlAdmin(database, passwords),
        webhooks=SqlWebhooks(database, seal, notes),
        leased=lease.renewed,
    )
