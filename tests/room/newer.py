"""The room as its next version will be: ``python -m tests.room.newer FOLDER serve``, with that folder's migrations.

What it adds to the schema is not in the tables that the store knows: like a real version it only expands.
"""

import shutil
import sys
from pathlib import Path

from alembic.script import ScriptDirectory

from fullring.cli import main
from fullring.store import migrate

REVISION = "9999"
_MIGRATION = '''"""What the next version adds."""

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{newest}"


def upgrade() -> None:
    op.add_column("tables", sa.Column("colour", sa.Text(), nullable=True))
    op.execute("UPDATE tables SET colour = 'green'")
    op.create_table("clubs", sa.Column("id", sa.Text(), primary_key=True))
'''


def write(folder: Path) -> Path:
    """Today's migrations and one more, in a folder of their own."""
    today = ScriptDirectory.from_config(migrate.config())
    shutil.copytree(today.dir, folder, ignore=shutil.ignore_patterns("__pycache__"))
    text = _MIGRATION.format(revision=REVISION, newest=today.get_current_head())
    (folder / "versions" / f"{REVISION}_next.py").write_text(text, "utf-8")
    return folder


if __name__ == "__main__":
    folder = Path(sys.argv.pop(1))
    migrate.folder = lambda: folder
    main()
