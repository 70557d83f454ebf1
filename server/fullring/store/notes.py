"""What webhooks are to be told of, noted in the transaction in which it happens, once for each endpoint that wants it.

The journal, which is written all the time, is not looked through while nobody wants to be told of anything.
"""

import json
from collections.abc import Iterable, Mapping

import sqlalchemy as sa

from fullring.rules.events import HandEnded
from fullring.rules.value import value
from fullring.runtime.accounts import Account
from fullring.runtime.ports import Batch
from fullring.runtime.webhooks import Topic
from fullring.store.schema import webhook_deliveries, webhooks
from fullring.table.events import Closed, Left, Seated
from fullring.table.ids import AccountId, Millis, TableId
from fullring.table.settings import TableSettings

_NOTE = sa.insert(webhook_deliveries).from_select(
    ["webhook_id", "event", "topic", "at", "data"],
    sa.select(
        webhooks.c.id,
        sa.bindparam("event", type_=sa.Text),
        sa.bindparam("topic", type_=sa.Text),
        sa.bindparam("at", type_=sa.BigInteger),
        sa.bindparam("data", type_=sa.Text),
    ).where(webhooks.c.disabled.is_(None), webhooks.c.topics.like(sa.bindparam("wanted", type_=sa.Text))),
)


@value
class Note:
    """``event`` is its id, which it has for ever."""

    event: str
    topic: Topic
    at: Millis
    data: Mapping[str, object]


def note(connection: sa.Connection, notes: Iterable[Note]) -> None:
    """For each endpoint that wants it; nothing where none does."""
    rows = [
        {
            "event": one.event,
            "topic": one.topic,
            "at": one.at,
            "data": json.dumps(one.data, ensure_ascii=False),
            "wanted": f"% {one.topic} %",
        }
        for one in notes
    ]
    if rows:
        connection.execute(_NOTE, rows)


class Notes:
    """What the journal's batches are looked through for: ``wanted`` topics, as this process knows them."""

    def __init__(self) -> None:
        self.wanted: frozenset[str] = frozenset()

    def take(self, connection: sa.Connection, batches: Iterable[Batch]) -> None:
        if self.wanted:
            note(connection, [one for batch in batches for one in _of(batch) if one.topic in self.wanted])


def table_opened(table: TableId, settings: TableSettings, owner: AccountId | None, at: Millis) -> Note:
    """Whether there is a join code, not which."""
    data = {
        "table": table,
        "name": settings.name,
        "game": settings.game,
        "seats": settings.seats,
        "small_blind": settings.small_blind,
        "big_blind": settings.big_blind,
        "join_code": settings.join_code is not None,
        "opened_by": owner,
    }
    return Note(f"{table}.opened", Topic.TABLE_OPENED, at, data)


def account_created(account: Account) -> Note:
    data = {"account": account.id, "name": account.name, "kind": account.kind}
    return Note(f"{account.id}.created", Topic.ACCOUNT_CREATED, account.created_at, data)


def _of(batch: Batch) -> Iterable[Note]:
    table = batch.table
    for number, event in enumerate(batch.events):
        id = f"{table}.{batch.seq}.{number}"
        match event:
            case Seated():
                data: dict[str, object] = {
                    "table": table,
                    "seat": event.seat,
                    "account": event.account,
                    "name": event.name,
                    "kind": event.kind,
                    "stack": event.stack,
                }
                yield Note(id, Topic.PLAYER_SEATED, batch.at, data)
            case Left():
                data = {
                    "table": table,
                    "seat": event.seat,
                    "account": event.account,
                    "name": event.name,
                    "stack": event.stack,
                    "reason": event.reason,
                }
                yield Note(id, Topic.PLAYER_LEFT, batch.at, data)
            case Closed(reason):
                yield Note(id, Topic.TABLE_CLOSED, batch.at, {"table": table, "reason": reason})
            case _:
                pass
    record = batch.record
    if record is not None:
        topic = Topic.HAND_FINISHED if isinstance(record.ended, HandEnded) else Topic.HAND_VOIDED
        yield Note(record.hand, topic, batch.at, {"id": record.hand, "table": table})
