"""Webhooks, and what each has still to be told.

Revision 0005.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "webhooks",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("topics", sa.Text(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", WHOLE, nullable=False),
        sa.Column("failures", WHOLE, nullable=False),
        sa.Column("failing_since", WHOLE),
        sa.Column("next_at", WHOLE, nullable=False),
        sa.Column("said", sa.Text()),
        sa.Column("disabled", sa.Text()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhooks")),
        sqlite_strict=True,
    )
    op.create_table(
        "webhook_deliveries",
        sa.Column("id", WHOLE, nullable=False),
        sa.Column("webhook_id", sa.Text(), nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("at", WHOLE, nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_deliveries")),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_webhook_deliveries_webhook_id_id"), "webhook_deliveries", ["webhook_id", "id"])


def downgrade() -> None:
    op.drop_table("webhook_deliveries")
    op.drop_table("webhooks")
