"""The tables, for SQLite and PostgreSQL alike: whole numbers, text and bytes, nothing that the two treat differently.

Chips are counted in the smallest unit, instants are Unix milliseconds. Payloads are JSON text that no query looks into.
The migrations make these tables, with the triggers that keep journal and ledger from being rewritten.
"""

import sqlalchemy as sa

CONVENTION = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = sa.MetaData(naming_convention=CONVENTION)

# SQLite counts up only a key that is called INTEGER, and its strict tables know no BIGINT.
Whole = sa.BigInteger().with_variant(sa.Integer, "sqlite")

APPEND_ONLY = ("journal", "ledger_tx", "ledger_entries", "audit")
"""Tables whose rows are never changed or deleted; triggers see to it."""


def _table(name: str, *items: sa.Column[int] | sa.Column[str] | sa.Column[bytes] | sa.schema.SchemaItem) -> sa.Table:
    return sa.Table(name, metadata, *items, sqlite_strict=True)


def _one_of(column: str, *texts: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(f"{column} IN ({', '.join(map(repr, texts))})", name=column)


accounts = _table(
    "accounts",
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("name_key", sa.Text, nullable=False, unique=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("chips", Whole, nullable=False),
    sa.Column("password", sa.Text),
    sa.Column("created_at", Whole, nullable=False),
    _one_of("kind", "guest", "player", "bot"),
    _one_of("role", "player", "host", "admin"),
    sa.CheckConstraint("chips >= 0", name="chips"),
    sa.CheckConstraint("length(name) BETWEEN 1 AND 64", name="name"),
)

# A token without a name is a session's.
tokens = _table(
    "tokens",
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("hash", sa.LargeBinary, nullable=False, unique=True),
    sa.Column("account_id", sa.Text, sa.ForeignKey("accounts.id"), nullable=False, index=True),
    sa.Column("name", sa.Text),
    sa.Column("scopes", sa.Text, nullable=False),
    sa.Column("kind", sa.Text),
    sa.Column("created_at", Whole, nullable=False),
    sa.CheckConstraint("length(hash) = 32", name="hash"),
    _one_of("kind", "bot"),
)

# Written with every commit, so it holds nothing that is long.
tables = _table(
    "tables",
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("owner_epoch", Whole, nullable=False),
    sa.Column("history_epoch", Whole, nullable=False),
    sa.Column("last_seq", Whole, nullable=False),
    _one_of("state", "open", "closed"),
)

# One row: who runs the room. ``fence`` counts the owners, ``process`` and ``place`` say who the present one is.
leases = _table(
    "leases",
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("fence", Whole, nullable=False),
    sa.Column("holder", sa.Text, nullable=False),
    sa.Column("process", sa.Text, nullable=False),
    sa.Column("place", sa.Text, nullable=False),
    sa.Column("renewed_at", Whole, nullable=False),
    sa.Column("ttl_ms", Whole, nullable=False),
)

table_settings = _table(
    "table_settings",
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
    sa.Column("opened_by", sa.Text, sa.ForeignKey("accounts.id")),
    sa.Column("opened_at", Whole, nullable=False),
)

# Replay begins behind the row ``seq``, from the payload or, where there is none, from an empty table.
snapshots = _table(
    "snapshots",
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seq", Whole, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("payload", sa.Text),
)

# Where a journal begins that was pruned: behind the row ``seq``, which is gone as all before it, with the table as it
# was then. It is never behind the newest snapshot, and no other rows of a journal may be deleted: triggers see to it.
journal_starts = _table(
    "journal_starts",
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seq", Whole, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
    sa.Column("pruned_before", Whole, nullable=False),
)

seats = _table(
    "seats",
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("account_id", sa.Text, sa.ForeignKey("accounts.id"), nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("stack", Whole, nullable=False),
    sa.Column("pending", Whole, nullable=False),
    sa.UniqueConstraint("table_id", "account_id"),
    sa.CheckConstraint("seat >= 1", name="seat"),
    sa.CheckConstraint("stack >= 0", name="stack"),
    sa.CheckConstraint("pending >= 0", name="pending"),
)

# No foreign key: a commit has locked and checked the row of its table already, and this is the busiest table of all.
journal = _table(
    "journal",
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("seq", Whole, primary_key=True, autoincrement=False),
    sa.Column("owner_epoch", Whole, nullable=False),
    sa.Column("at", Whole, nullable=False),
    sa.Column("account_id", sa.Text),
    sa.Column("command_id", sa.Text),
    sa.Column("answer", sa.Text),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
    sa.Column("sealed", sa.LargeBinary),
    sa.CheckConstraint("(account_id IS NULL) = (command_id IS NULL)", name="key"),
)
sa.Index(
    "uq_journal_command",
    journal.c.table_id,
    journal.c.account_id,
    journal.c.command_id,
    unique=True,
    sqlite_where=journal.c.command_id.is_not(None),
    postgresql_where=journal.c.command_id.is_not(None),
)

ledger_tx = sa.Table(
    "ledger_tx",
    metadata,
    sa.Column("id", Whole, primary_key=True),
    sa.Column("key", sa.Text, nullable=False, unique=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("at", Whole, nullable=False),
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id")),
    sa.Column("reason", sa.Text),
    sa.Column("by_account_id", sa.Text, sa.ForeignKey("accounts.id")),
    sqlite_strict=True,
    sqlite_autoincrement=True,  # The number leaves the system, so it is never given twice.
)

# ``account`` is an account's id, or escrow:<table id>, rake or house. ``balance`` is what an account had afterwards.
ledger_entries = _table(
    "ledger_entries",
    sa.Column("tx_id", Whole, sa.ForeignKey("ledger_tx.id"), primary_key=True, autoincrement=False),
    sa.Column("account", sa.Text, primary_key=True),
    sa.Column("amount", Whole, nullable=False),
    sa.Column("balance", Whole),
    sa.CheckConstraint("amount <> 0", name="amount"),
    sa.Index(None, "account", "tx_id"),
)

hands = _table(
    "hands",
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), nullable=False),
    sa.Column("number", Whole, nullable=False),
    sa.Column("started_at", Whole, nullable=False),
    sa.Column("ended_at", Whole, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
    sa.Index(None, "table_id", "ended_at", "id"),
    sa.Index(None, "ended_at", "id"),
)

hand_players = sa.Table(
    "hand_players",
    metadata,
    sa.Column("account_id", sa.Text, sa.ForeignKey("accounts.id"), primary_key=True),
    sa.Column("ended_at", Whole, primary_key=True, autoincrement=False),
    sa.Column("hand_id", sa.Text, sa.ForeignKey("hands.id"), primary_key=True),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

# Cards shown by choice after the end: the record itself is never rewritten.
hand_shows = _table(
    "hand_shows",
    sa.Column("hand_id", sa.Text, sa.ForeignKey("hands.id"), primary_key=True),
    sa.Column("seq", Whole, primary_key=True, autoincrement=False),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("cards", sa.Text, nullable=False),
)

# Who did what. ``by_account_id`` is null for the operator; ``key`` is the admin's own name for the change, ``digest``
# what was asked under it; ``before`` and ``after`` are JSON.
audit = sa.Table(
    "audit",
    metadata,
    sa.Column("id", Whole, primary_key=True),
    sa.Column("at", Whole, nullable=False),
    sa.Column("by_account_id", sa.Text, sa.ForeignKey("accounts.id")),
    sa.Column("via", sa.Text, nullable=False),
    sa.Column("address", sa.Text),
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("target", sa.Text),
    sa.Column("target_name", sa.Text),
    sa.Column("reason", sa.Text),
    sa.Column("before", sa.Text),
    sa.Column("after", sa.Text),
    sa.Column("key", sa.Text),
    sa.Column("digest", sa.Text),
    _one_of("via", "http", "cli"),
    sa.CheckConstraint("(key IS NULL) = (digest IS NULL)", name="key"),
    sa.Index(None, "target", "id"),
    sa.Index(None, "by_account_id", "id"),
    sqlite_strict=True,
    sqlite_autoincrement=True,  # The number leaves the system, so it is never given twice.
)
sa.Index(
    "uq_audit_key",
    audit.c.by_account_id,
    audit.c.key,
    unique=True,
    sqlite_where=audit.c.key.is_not(None),
    postgresql_where=audit.c.key.is_not(None),
)

# Without ``until`` it holds until it is lifted.
restrictions = _table(
    "restrictions",
    sa.Column("account_id", sa.Text, sa.ForeignKey("accounts.id"), primary_key=True),
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("since", Whole, nullable=False),
    sa.Column("until", Whole),
    sa.Column("by_account_id", sa.Text, sa.ForeignKey("accounts.id")),
    _one_of("kind", "muted", "banned", "disabled"),
)

# ``key`` is what is compared: a network, or a name's key.
blocklist = _table(
    "blocklist",
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("value", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("since", Whole, nullable=False),
    sa.Column("until", Whole),
    sa.Column("by_account_id", sa.Text, sa.ForeignKey("accounts.id")),
    _one_of("kind", "address", "name"),
    sa.UniqueConstraint("kind", "key"),
)

# Whom the room tells what happens. ``topics`` has a space on either side of each; ``secret`` is sealed.
webhooks = _table(
    "webhooks",
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("topics", sa.Text, nullable=False),
    sa.Column("secret", sa.LargeBinary, nullable=False),
    sa.Column("created_at", Whole, nullable=False),
    sa.Column("failures", Whole, nullable=False),
    sa.Column("failing_since", Whole),
    sa.Column("next_at", Whole, nullable=False),
    sa.Column("said", sa.Text),
    sa.Column("disabled", sa.Text),
)

# What each has still to be told. No foreign key: noting it must never make a commit of the journal fail.
webhook_deliveries = sa.Table(
    "webhook_deliveries",
    metadata,
    sa.Column("id", Whole, primary_key=True),
    sa.Column("webhook_id", sa.Text, nullable=False),
    sa.Column("event", sa.Text, nullable=False),
    sa.Column("topic", sa.Text, nullable=False),
    sa.Column("at", Whole, nullable=False),
    sa.Column("data", sa.Text, nullable=False),
    sa.Index(None, "webhook_id", "id"),
    sqlite_strict=True,
    sqlite_autoincrement=True,  # Order is by number, so none is given twice.
)
