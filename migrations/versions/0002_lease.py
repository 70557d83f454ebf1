"""The lease on the room, which names the process that runs it.

Revision 0002.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    leases = op.create_table(
        "leases",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("fence", WHOLE, nullable=False),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("process", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("renewed_at", WHOLE, nullable=False),
        sa.Column("ttl_ms", WHOLE, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_leases")),
        sqlite_strict=True,
    )
    nobody = {"name": "room", "fence": 0, "holder": "", "process": "", "place": "", "renewed_at": 0, "ttl_ms": 0}
    op.bulk_insert(leases, [nobody])


def downgrade() -> None:
    op.drop_table("leases")
