"""Where a pruned journal begins; rows before that, and no others, may be deleted.

Revision 0004.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
UNUSED = "OLD.seq <= coalesce((SELECT seq FROM journal_starts WHERE table_id = OLD.table_id), 0)"
NEEDED = "NEW.seq > coalesce((SELECT seq FROM snapshots WHERE table_id = NEW.table_id), 0)"


def upgrade() -> None:
    op.create_table(
        "journal_starts",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("seq", WHOLE, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("pruned_before", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_journal_starts_table_id_tables")),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_journal_starts")),
        sqlite_strict=True,
    )
    if op.get_bind().dialect.name == "sqlite":
        _sqlite()
    else:
        _postgresql()


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER journal_no_delete")
        op.drop_table("journal_starts")
        op.execute(
            "CREATE TRIGGER journal_no_delete BEFORE DELETE ON journal "
            "BEGIN SELECT RAISE(ABORT, 'journal is append-only'); END"
        )
        return
    op.execute("DROP TRIGGER journal_append_only ON journal")
    op.execute("DROP TRIGGER journal_keeps ON journal")
    op.drop_table("journal_starts")
    op.execute("DROP FUNCTION journal_keeps()")
    op.execute("DROP FUNCTION journal_begins()")
    op.execute(
        "CREATE TRIGGER journal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal "
        "FOR EACH STATEMENT EXECUTE FUNCTION append_only()"
    )


def _sqlite() -> None:
    op.execute("DROP TRIGGER journal_no_delete")
    op.execute(
        f"CREATE TRIGGER journal_no_delete BEFORE DELETE ON journal WHEN NOT ({UNUSED}) "
        "BEGIN SELECT RAISE(ABORT, 'journal is append-only'); END"
    )
    for what in ("INSERT", "UPDATE"):
        op.execute(
            f"CREATE TRIGGER journal_starts_{what.lower()} BEFORE {what} ON journal_starts WHEN {NEEDED} "
            "BEGIN SELECT RAISE(ABORT, 'a start needs these rows'); END"
        )


def _postgresql() -> None:
    op.execute("DROP TRIGGER journal_append_only ON journal")
    op.execute(
        "CREATE TRIGGER journal_append_only BEFORE UPDATE OR TRUNCATE ON journal "
        "FOR EACH STATEMENT EXECUTE FUNCTION append_only()"
    )
    op.execute(
        "CREATE FUNCTION journal_keeps() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN IF NOT ({UNUSED}) THEN "
        "RAISE EXCEPTION 'journal is append-only' USING ERRCODE = 'restrict_violation'; "
        "END IF; RETURN OLD; END $$"
    )
    op.execute("CREATE TRIGGER journal_keeps BEFORE DELETE ON journal FOR EACH ROW EXECUTE FUNCTION journal_keeps()")
    op.execute(
        "CREATE FUNCTION journal_begins() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN IF {NEEDED} THEN "
        "RAISE EXCEPTION 'a start needs these rows' USING ERRCODE = 'restrict_violation'; "
        "END IF; RETURN NEW; END $$"
    )
    op.execute(
        "CREATE TRIGGER journal_begins BEFORE INSERT OR UPDATE ON journal_starts "
        "FOR EACH ROW EXECUTE FUNCTION journal_begins()"
    )
