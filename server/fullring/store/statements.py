"""Statements of the busy paths: few in kind, compiled once, and cheap to run for many rows at a time."""

import json
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.dml import UpdateBase
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator, TypeEngine

Values = tuple[Any, ...]
"""What a statement is given for one row, in the order of its names."""


class Prepared:
    """A statement that is run for many rows.

    Its text is made once for each dialect, and the rows go to the driver as they are: to name and convert the values of
    each row costs more than all the rest.
    """

    def __init__(self, statement: UpdateBase, *names: str) -> None:
        self._statement = statement
        self._names = list(names)
        self._texts: dict[str, str] = {}

    def run(self, connection: sa.Connection, rows: Sequence[Values]) -> None:
        """Nothing at all for no rows."""
        if rows:
            text = self._texts.get(connection.dialect.name) or self._compile(connection.dialect)
            connection.exec_driver_sql(text, list(rows))

    def _compile(self, dialect: sa.Dialect) -> str:
        compiled = self._statement.compile(dialect=dialect, column_keys=self._names)
        assert isinstance(compiled, SQLCompiler)
        assert compiled.positiontup == self._names, "the values come in the order of the text"
        text = self._texts[dialect.name] = str(compiled)
        return text


class _Texts(TypeDecorator[Sequence[str]]):
    """Many texts as one value, so that the statement is the same however many there are."""

    impl = sa.Text
    cache_ok = True

    def load_dialect_impl(self, dialect: sa.Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(ARRAY(sa.Text) if dialect.name == "postgresql" else sa.Text())

    def process_bind_param(self, value: Sequence[str] | None, dialect: sa.Dialect) -> Any:
        assert value is not None
        return list(value) if dialect.name == "postgresql" else json.dumps(value)


class among(FunctionElement[bool]):  # noqa: N801 - it reads as part of a statement, as sa.func and sa.case do.
    """Whether a column's text is among those bound to a name."""

    inherit_cache = True
    type = sa.Boolean()

    def __init__(self, column: sa.ColumnElement[str], name: str) -> None:
        super().__init__(column, sa.bindparam(name, type_=_Texts()))


@compiles(among, "postgresql")
def _among_postgresql(element: among, compiler: SQLCompiler, **options: Any) -> str:
    column, texts = element.clauses
    return f"{compiler.process(column, **options)} = ANY ({compiler.process(texts, **options)})"


@compiles(among, "sqlite")
def _among_sqlite(element: among, compiler: SQLCompiler, **options: Any) -> str:
    column, texts = element.clauses
    return (
        f"{compiler.process(column, **options)} IN (SELECT value FROM json_each({compiler.process(texts, **options)}))"
    )
