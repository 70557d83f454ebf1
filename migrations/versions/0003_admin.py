"""What admins do: the audit log, what is kept from accounts, addresses and names that are blocked.

Revision 0003.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

# SQLite counts up only a key that is called INTEGER, and its strict tables know no BIGINT.
WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("id", WHOLE, nullable=False),
        sa.Column("at", WHOLE, nullable=False),
        sa.Column("by_account_id", sa.Text(), nullable=True),
        sa.Column("via", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=True),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=True),
        sa.Column("target_name", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("before", sa.Text(), nullable=True),
        sa.Column("after", sa.Text(), nullable=True),
        sa.Column("key", sa.Text(), nullable=True),
        sa.Column("digest", sa.Text(), nullable=True),
        sa.CheckConstraint("via IN ('http', 'cli')", name=op.f("ck_audit_via")),
        sa.CheckConstraint("(key IS NULL) = (digest IS NULL)", name=op.f("ck_audit_key")),
        sa.ForeignKeyConstraint(["by_account_id"], ["accounts.id"], name=op.f("fk_audit_by_account_id_accounts")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_audit_target_id"), "audit", ["target", "id"], unique=False)
    op.create_index(op.f("ix_audit_by_account_id_id"), "audit", ["by_account_id", "id"], unique=False)
    op.create_index(
        "uq_audit_key",
        "audit",
        ["by_account_id", "key"],
        unique=True,
        sqlite_where=sa.text("key IS NOT NULL"),
        postgresql_where=sa.text("key IS NOT NULL"),
    )
    op.create_table(
        "restrictions",
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("since", WHOLE, nullable=False),
        sa.Column("until", WHOLE, nullable=True),
        sa.Column("by_account_id", sa.Text(), nullable=True),
        sa.CheckConstraint("kind IN ('muted', 'banned', 'disabled')", name=op.f("ck_restrictions_kind")),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_restrictions_account_id_accounts")),
        sa.ForeignKeyConstraint(
            ["by_account_id"], ["accounts.id"], name=op.f("fk_restrictions_by_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("account_id", "kind", name=op.f("pk_restrictions")),
        sqlite_strict=True,
    )
    op.create_table(
        "blocklist",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("since", WHOLE, nullable=False),
        sa.Column("until", WHOLE, nullable=True),
        sa.Column("by_account_id", sa.Text(), nullable=True),
        sa.CheckConstraint("kind IN ('address', 'name')", name=op.f("ck_blocklist_kind")),
        sa.ForeignKeyConstraint(["by_account_id"], ["accounts.id"], name=op.f("fk_blocklist_by_account_id_accounts")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_blocklist")),
        sa.UniqueConstraint("kind", "key", name=op.f("uq_blocklist_kind_key")),
        sqlite_strict=True,
    )
    _append_only()


def downgrade() -> None:
    for table in ("blocklist", "restrictions", "audit"):
        op.drop_table(table)


def _append_only() -> None:
    """The audit log's lines are never changed or deleted. On PostgreSQL the function is there from 0001 on."""
    if op.get_bind().dialect.name == "sqlite":
        for what in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER audit_no_{what.lower()} BEFORE {what} ON audit "
                "BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END"
            )
    else:
        op.execute(
            "CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit "
            "FOR EACH STATEMENT EXECUTE FUNCTION append_only()"
        )
