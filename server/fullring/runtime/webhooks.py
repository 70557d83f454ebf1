"""Webhooks' port: who outside is told of what, and what they have still to be told. ``store`` implements it."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from fullring.rules.value import value
from fullring.table.ids import Millis


class Topic(StrEnum):
    """What an endpoint may be told of."""

    HAND_FINISHED = "hand.finished"
    HAND_VOIDED = "hand.voided"
    TABLE_OPENED = "table.opened"
    TABLE_CLOSED = "table.closed"
    PLAYER_SEATED = "player.seated"
    PLAYER_LEFT = "player.left"
    ACCOUNT_CREATED = "account.created"


@value
class Endpoint:
    """``failures`` in a row since ``failing_since``; the next try is at ``next_at``. ``said`` is how the last one went.

    ``disabled`` says why nothing is sent there any more.
    """

    id: str
    url: str
    topics: tuple[str, ...]
    created_at: Millis
    waiting: int
    failures: int
    failing_since: Millis | None
    next_at: Millis
    said: str | None
    disabled: str | None


@value
class Delivery:
    """One thing to tell one endpoint. ``id`` is the thing's own: the same for everybody and at every try.

    ``data`` is JSON. Of a hand it is only which one: the rest is looked up when it is told.
    """

    number: int
    id: str
    topic: str
    at: Millis
    data: str


class SecretLost(Exception):
    """An endpoint's secret is sealed with a key that is not there."""


class Webhooks(Protocol):
    """What happens is noted in the transaction in which it happens, for each endpoint that is to be told of it.

    All of this raises LogUnavailable, and what writes OutcomeUnknown too.
    """

    async def endpoints(self) -> Sequence[Endpoint]:
        """All of them, oldest first. What they are told of is noted from then on."""

    async def add(self, url: str, topics: Sequence[str], secret: bytes, at: Millis) -> Endpoint: ...

    async def remove(self, endpoint: str) -> bool:
        """With all that it was still to be told; False where there is none of that id."""

    async def enable(self, endpoint: str) -> bool:
        """Begin again; False where there is none of that id."""

    async def disable(self, endpoint: str, why: str) -> None:
        """Send nothing more, and forget what waits."""

    async def secret(self, endpoint: str) -> bytes:
        """Raises SecretLost."""

    async def waiting(self, endpoint: str, limit: int) -> Sequence[Delivery]:
        """The next, in order."""

    async def delivered(self, endpoint: str, numbers: Sequence[int], said: str) -> None: ...

    async def failed(self, endpoint: str, at: Millis, said: str, next_at: Millis) -> None: ...
