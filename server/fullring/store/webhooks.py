"""Webhooks in SQL: endpoints with their sealed secrets, and what each has still to be told, in order."""

import secrets
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from fullring.runtime.webhooks import Delivery, Endpoint, SecretLost
from fullring.store.database import Database
from fullring.store.notes import Notes
from fullring.store.schema import webhook_deliveries, webhooks
from fullring.store.seal import CannotUnseal, Seal
from fullring.table.ids import Millis

_ID_BYTES = 10
_WAITING = (
    sa.select(sa.func.count())
    .where(webhook_deliveries.c.webhook_id == webhooks.c.id)
    .scalar_subquery()
    .label("waiting")
)
_ENDPOINT: sa.Select[Any] = sa.select(webhooks, _WAITING)


class SqlWebhooks:
    """`fullring.runtime.webhooks.Webhooks` in SQL."""

    def __init__(self, database: Database, seal: Seal, notes: Notes) -> None:
        self._database = database
        self._seal = seal
        self._notes = notes

    async def endpoints(self) -> Sequence[Endpoint]:
        statement = _ENDPOINT.order_by(webhooks.c.created_at, webhooks.c.id)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        found = [_endpoint(row) for row in rows]
        self._notes.wanted = frozenset(topic for one in found if one.disabled is None for topic in one.topics)
        return found

    async def add(self, url: str, topics: Sequence[str], secret: bytes, at: Millis) -> Endpoint:
        id = f"w{secrets.token_hex(_ID_BYTES)}"
        sealed = self._seal.seal_secret(secret, whose=id)

        def work(connection: sa.Connection) -> Endpoint:
            connection.execute(
                sa.insert(webhooks).values(
                    id=id, url=url, topics=_spaced(topics), secret=sealed, created_at=at, failures=0, next_at=0
                )
            )
            return _endpoint(connection.execute(_ENDPOINT.where(webhooks.c.id == id)).one())

        return await self._database.write(work)

    async def remove(self, endpoint: str) -> bool:
        def work(connection: sa.Connection) -> bool:
            connection.execute(_forget(endpoint))
            return connection.execute(sa.delete(webhooks).where(webhooks.c.id == endpoint)).rowcount == 1

        return await self._database.write(work)

    async def enable(self, endpoint: str) -> bool:
        again = sa.update(webhooks).where(webhooks.c.id == endpoint)
        again = again.values(disabled=None, failures=0, failing_since=None, next_at=0)
        return await self._database.write(lambda connection: connection.execute(again).rowcount) == 1

    async def disable(self, endpoint: str, why: str) -> None:
        def work(connection: sa.Connection) -> None:
            connection.execute(sa.update(webhooks).where(webhooks.c.id == endpoint).values(disabled=why))
            connection.execute(_forget(endpoint))

        await self._database.write(work)

    async def secret(self, endpoint: str) -> bytes:
        statement = sa.select(webhooks.c.secret).where(webhooks.c.id == endpoint)
        sealed = await self._database.read(lambda connection: connection.execute(statement).scalar_one_or_none())
        if sealed is None:
            raise SecretLost("the webhook is gone")
        try:
            return self._seal.unseal_secret(sealed, whose=endpoint)
        except CannotUnseal as error:
            raise SecretLost(str(error)) from None

    async def waiting(self, endpoint: str, limit: int) -> Sequence[Delivery]:
        of = webhook_deliveries.c
        statement = sa.select(of.id, of.event, of.topic, of.at, of.data).where(of.webhook_id == endpoint)
        statement = statement.order_by(of.id).limit(limit)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [Delivery(*row) for row in rows]

    async def delivered(self, endpoint: str, numbers: Sequence[int], said: str) -> None:
        def work(connection: sa.Connection) -> None:
            connection.execute(sa.delete(webhook_deliveries).where(webhook_deliveries.c.id.in_(numbers)))
            well = sa.update(webhooks).where(webhooks.c.id == endpoint)
            connection.execute(well.values(failures=0, failing_since=None, next_at=0, said=said))

        await self._database.write(work)

    async def failed(self, endpoint: str, at: Millis, said: str, next_at: Millis) -> None:
        badly = sa.update(webhooks).where(webhooks.c.id == endpoint)
        badly = badly.values(
            failures=webhooks.c.failures + 1,
            failing_since=sa.func.coalesce(webhooks.c.failing_since, at),
            next_at=next_at,
            said=said,
        )
        await self._database.write(lambda connection: connection.execute(badly).rowcount)


def _forget(endpoint: str) -> sa.Delete:
    return sa.delete(webhook_deliveries).where(webhook_deliveries.c.webhook_id == endpoint)


def _spaced(topics: Sequence[str]) -> str:
    """With a space on either side of each, so that one is found whole."""
    return f" {' '.join(topics)} "


def _endpoint(row: sa.Row[Any]) -> Endpoint:
    return Endpoint(
        id=row.id,
        url=row.url,
        topics=tuple(row.topics.split()),
        created_at=row.created_at,
        waiting=row.waiting,
        failures=row.failures,
        failing_since=row.failing_since,
        next_at=row.next_at,
        said=row.said,
        disabled=row.disabled,
    )
