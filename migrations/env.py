"""Runs the migrations on the connection, and in the transaction, that `fullring.store.migrate` opened.

Alembic's own commands, for who writes a new one: ``alembic -x url=sqlite:///room.db revision --autogenerate -m "..."``.
"""

import asyncio

import sqlalchemy as sa
from alembic import context

from fullring.store.migrate import alone
from fullring.store.schema import metadata


def run(connection: sa.Connection) -> None:
    # SQLite changes a table by making a new one, which is what a batch does.
    context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
    context.run_migrations()


if given := context.config.attributes.get("connection"):
    run(given)
else:
    asyncio.run(alone(context.get_x_argument(as_dictionary=True)["url"], run))
