"""What keeps statements few in kind: each is compiled, and prepared in the database, once for every text it has."""

from collections.abc import Sequence
from typing import Any, TypeVar

T = TypeVar("T")
Values = dict[str, Any]
"""What a statement is given for one row, by name."""


def padded(items: Sequence[T]) -> list[T]:
    """The items for an ``IN``, with the last one repeated until their number is a power of two."""
    size = 1 << (len(items) - 1).bit_length()
    return [*items, *(items[-1] for _ in range(size - len(items)))]
