"""Keys of names as they are made now: more of what looks the same is the same than when some of them were made.

Revision 0006.
"""

import sqlalchemy as sa
from alembic import op

from fullring.store.names import name_key

revision = "0006"
down_revision = "0005"

ACCOUNTS = sa.table("accounts", sa.column("id"), sa.column("name"), sa.column("name_key"), sa.column("created_at"))


def upgrade() -> None:
    """Of names that are one by now the oldest has the key. The others keep theirs: nobody finds them by name."""
    connection = op.get_bind()
    found = connection.execute(sa.select(ACCOUNTS).order_by(ACCOUNTS.c.created_at, ACCOUNTS.c.id)).all()
    taken = {row.name_key for row in found}
    for row in found:
        try:
            key = name_key(row.name)
        except ValueError:  # It shows nothing by what is known now.
            continue
        if key not in taken:
            connection.execute(sa.update(ACCOUNTS).where(ACCOUNTS.c.id == row.id).values(name_key=key))
            taken.add(key)


def downgrade() -> None:
    """The keys of now are as good: what an older program would make of a name is not known any more."""
