"""One change that an admin asks for: who asks, from where, and under which key, so that it is done once."""

import contextlib
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Annotated, TypeVar

from fastapi import Depends, Header, Request

from fullring.rules.refusals import Refused
from fullring.runtime.accounts import Credentials, Role
from fullring.runtime.audit import AuditLine, By, Via
from fullring.runtime.ports import CommandKey
from fullring.web.asking import Asker, Needs, has_role, has_scope
from fullring.web.paths import IdInPath
from fullring.web.problems import Declined, forbidden
from fullring.web.site import Here, Site, address
from fullring.wire.errors import ErrorCode

T = TypeVar("T")
Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        pattern=r"^[!-~]{1,64}$",
        description="your name for this change: the same again changes nothing",
    ),
]


@dataclass(frozen=True, slots=True)
class Change:
    here: Site
    asker: Credentials
    by: By

    @property
    def key(self) -> CommandKey | None:
        """What names this change to a table."""
        return None if self.by.key is None else CommandKey(self.asker.account.id, f"admin {self.by.key}")

    @property
    def is_full(self) -> bool:
        """Whether the token may all that an admin may."""
        return has_scope(self.asker, "admin")

    def under(self, key: str) -> "Change":
        """The same with a key that stood in the body."""
        return replace(self, by=replace(self.by, key=key))

    async def once(self, do: Callable[[], Awaitable[T]], again: Callable[[AuditLine], Awaitable[T]]) -> T:
        """What ``do`` answers; or ``again``, where that was done before under this key. Raises Declined."""
        key = self.by.key
        if key is None:
            return await do()
        account, in_hand = self.asker.account.id, self.here.in_hand
        if (account, key) in in_hand:
            raise taken("that is being done now: ask again")
        in_hand.add((account, key))
        try:
            done = await self.here.admin.done(account, key)
            if done is None:
                return await do()
            if done.by.digest != self.by.digest:
                raise taken("that key was used for something else")
            return await again(done)
        finally:
            in_hand.discard((account, key))


class Changes:
    """A change that takes a token with that scope, of an admin."""

    def __init__(self, scope: str, role: Role = Role.ADMIN) -> None:
        self.needs = Needs(scope, role)

    async def __call__(self, request: Request, here: Here, asker: Asker, idempotency_key: Key = None) -> Change:
        known = await self.needs(asker)
        digest = await _digest(request)
        by = By(known.account.id, here.clock.now(), Via.HTTP, address(request), idempotency_key, digest)
        return Change(here, known, by)


AnyChange = Annotated[Change, Depends(Changes("admin"))]
ChipsChange = Annotated[Change, Depends(Changes("admin:chips"))]
PlayersChange = Annotated[Change, Depends(Changes("admin:players"))]
TablesChange = Annotated[Change, Depends(Changes("admin:tables"))]
HostsChange = Annotated[Change, Depends(Changes("host", Role.HOST))]


async def _own(change: HostsChange, table: IdInPath) -> Change:
    """Of a table that is not open any more, what is asked for says so itself."""
    with contextlib.suppress(Refused):
        owner = change.here.room.known(table).owner
        if owner != change.asker.account.id and not has_role(change.asker.account, Role.ADMIN):
            raise forbidden("that is not your table: a host controls the tables that they opened, an admin every one")
    return change


OwnTablesChange = Annotated[Change, Depends(_own)]
"""A change to a table, by the host who opened it or by an admin."""


def taken(detail: str) -> Declined:
    return Declined(HTTPStatus.CONFLICT, ErrorCode.BAD_MESSAGE, detail)


async def _digest(request: Request) -> str:
    """Of all that is asked, so that another question under the same key is noticed."""
    asked = f"{request.method} {request.url.path}?{request.url.query}\n".encode() + await request.body()
    return hashlib.sha256(asked).hexdigest()
