"""The first schema: accounts, tables with their journal and seats, the ledger, finished hands.

Revision 0001.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

# SQLite counts up only a key that is called INTEGER, and its strict tables know no BIGINT.
WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
APPEND_ONLY = ("journal", "ledger_tx", "ledger_entries")
# Each before those that it refers to.
TABLES = ["ledger_entries", "ledger_tx", "hand_shows", "hand_players", "hands", "tokens", "table_settings", "snapshots"]
TABLES += ["seats", "tables", "journal", "accounts"]


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("chips", WHOLE, nullable=False),
        sa.Column("password", sa.Text(), nullable=True),
        sa.Column("created_at", WHOLE, nullable=False),
        sa.CheckConstraint("kind IN ('guest', 'player', 'bot')", name=op.f("ck_accounts_kind")),
        sa.CheckConstraint("role IN ('player', 'host', 'admin')", name=op.f("ck_accounts_role")),
        sa.CheckConstraint("chips >= 0", name=op.f("ck_accounts_chips")),
        sa.CheckConstraint("length(name) BETWEEN 1 AND 64", name=op.f("ck_accounts_name")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("name_key", name=op.f("uq_accounts_name_key")),
        sqlite_strict=True,
    )
    op.create_table(
        "journal",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("seq", WHOLE, autoincrement=False, nullable=False),
        sa.Column("owner_epoch", WHOLE, nullable=False),
        sa.Column("at", WHOLE, nullable=False),
        sa.Column("account_id", sa.Text(), nullable=True),
        sa.Column("command_id", sa.Text(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=True),
        sa.CheckConstraint("(account_id IS NULL) = (command_id IS NULL)", name=op.f("ck_journal_key")),
        sa.PrimaryKeyConstraint("table_id", "seq", name=op.f("pk_journal")),
        sqlite_strict=True,
    )
    op.create_index(
        "uq_journal_command",
        "journal",
        ["table_id", "account_id", "command_id"],
        unique=True,
        sqlite_where=sa.text("command_id IS NOT NULL"),
        postgresql_where=sa.text("command_id IS NOT NULL"),
    )

    op.create_table(
        "tables",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("owner_epoch", WHOLE, nullable=False),
        sa.Column("history_epoch", WHOLE, nullable=False),
        sa.Column("last_seq", WHOLE, nullable=False),
        sa.CheckConstraint("state IN ('open', 'closed')", name=op.f("ck_tables_state")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tables")),
        sqlite_strict=True,
    )
    op.create_table(
        "hands",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("number", WHOLE, nullable=False),
        sa.Column("started_at", WHOLE, nullable=False),
        sa.Column("ended_at", WHOLE, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_hands_table_id_tables")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hands")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_hands_ended_at_id"), "hands", ["ended_at", "id"], unique=False)
    op.create_index(op.f("ix_hands_table_id_ended_at_id"), "hands", ["table_id", "ended_at", "id"], unique=False)

    op.create_table(
        "ledger_tx",
        sa.Column("id", WHOLE, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", WHOLE, nullable=False),
        sa.Column("table_id", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("by_account_id", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["by_account_id"], ["accounts.id"], name=op.f("fk_ledger_tx_by_account_id_accounts")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_ledger_tx_table_id_tables")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ledger_tx")),
        sa.UniqueConstraint("key", name=op.f("uq_ledger_tx_key")),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_table(
        "seats",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("stack", WHOLE, nullable=False),
        sa.Column("pending", WHOLE, nullable=False),
        sa.CheckConstraint("pending >= 0", name=op.f("ck_seats_pending")),
        sa.CheckConstraint("seat >= 1", name=op.f("ck_seats_seat")),
        sa.CheckConstraint("stack >= 0", name=op.f("ck_seats_stack")),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_seats_account_id_accounts")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_seats_table_id_tables")),
        sa.PrimaryKeyConstraint("table_id", "seat", name=op.f("pk_seats")),
        sa.UniqueConstraint("table_id", "account_id", name=op.f("uq_seats_table_id_account_id")),
        sqlite_strict=True,
    )
    op.create_table(
        "snapshots",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("seq", WHOLE, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_snapshots_table_id_tables")),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_snapshots")),
        sqlite_strict=True,
    )
    op.create_table(
        "table_settings",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("opened_by", sa.Text(), nullable=True),
        sa.Column("opened_at", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(["opened_by"], ["accounts.id"], name=op.f("fk_table_settings_opened_by_accounts")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_table_settings_table_id_tables")),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_table_settings")),
        sqlite_strict=True,
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=True),
        sa.Column("created_at", WHOLE, nullable=False),
        sa.CheckConstraint("kind IN ('bot')", name=op.f("ck_tokens_kind")),
        sa.CheckConstraint("length(hash) = 32", name=op.f("ck_tokens_hash")),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_tokens_account_id_accounts")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("hash", name=op.f("uq_tokens_hash")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_tokens_account_id"), "tokens", ["account_id"], unique=False)

    op.create_table(
        "hand_players",
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("ended_at", WHOLE, autoincrement=False, nullable=False),
        sa.Column("hand_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_hand_players_account_id_accounts")),
        sa.ForeignKeyConstraint(["hand_id"], ["hands.id"], name=op.f("fk_hand_players_hand_id_hands")),
        sa.PrimaryKeyConstraint("account_id", "ended_at", "hand_id", name=op.f("pk_hand_players")),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "hand_shows",
        sa.Column("hand_id", sa.Text(), nullable=False),
        sa.Column("seq", WHOLE, autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("cards", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["hand_id"], ["hands.id"], name=op.f("fk_hand_shows_hand_id_hands")),
        sa.PrimaryKeyConstraint("hand_id", "seq", "seat", name=op.f("pk_hand_shows")),
        sqlite_strict=True,
    )
    op.create_table(
        "ledger_entries",
        sa.Column("tx_id", WHOLE, autoincrement=False, nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("amount", WHOLE, nullable=False),
        sa.Column("balance", WHOLE, nullable=True),
        sa.CheckConstraint("amount <> 0", name=op.f("ck_ledger_entries_amount")),
        sa.ForeignKeyConstraint(["tx_id"], ["ledger_tx.id"], name=op.f("fk_ledger_entries_tx_id_ledger_tx")),
        sa.PrimaryKeyConstraint("tx_id", "account", name=op.f("pk_ledger_entries")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_ledger_entries_account_tx_id"), "ledger_entries", ["account", "tx_id"], unique=False)
    if op.get_bind().dialect.name == "sqlite":
        _append_only_sqlite()
    else:
        _append_only_postgresql()


def downgrade() -> None:
    for table in TABLES:
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION append_only()")


def _append_only_sqlite() -> None:
    for table in APPEND_ONLY:
        for what in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{what.lower()} BEFORE {what} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )


def _append_only_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; END $$"
    )
    for table in APPEND_ONLY:
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION append_only()"
        )
