"""What stands in addresses: ids, and how much of a list. What can't be ours is not looked up."""

from collections.abc import Sequence
from typing import Annotated, TypeVar

from fastapi import Path, Query

from fullring.web.limits import PAGE_MAX

T = TypeVar("T")

_ID = r"^[!-~]{1,64}$"

IdInPath = Annotated[str, Path(pattern=_ID)]
"""What can't be an id is answered with 404, as an id that is nobody's."""
IdInQuery = Annotated[str | None, Query(pattern=_ID)]
InstantInQuery = Annotated[int | None, Query(ge=0, le=2**53 - 1, description="a time in Unix milliseconds")]
CursorInQuery = Annotated[str | None, Query(pattern=r"^[!-~]{1,200}$", description="the `next` of the page before")]
PageSize = Annotated[int, Query(ge=1, le=PAGE_MAX)]


def page_of(found: Sequence[T], limit: int) -> tuple[Sequence[T], T | None]:
    """A page, of one more than it holds where there are so many; and its last, if another page comes after it."""
    return found[:limit], found[limit - 1] if len(found) > limit else None
