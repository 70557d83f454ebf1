"""Who changed what: the lines of the audit log, and what they say."""

from collections.abc import Mapping
from enum import StrEnum

from fullring.rules.value import value
from fullring.table.ids import AccountId, Millis

Facts = Mapping[str, object]
"""How something stood, in plain values: what an audit line says of before and after."""


class Via(StrEnum):
    """How an admin came in."""

    HTTP = "http"
    CLI = "cli"


@value
class By:
    """Who changes something, and when. ``account`` None is the operator at the command line.

    ``key`` is the client's own name for this change, and ``digest`` what was asked under it.
    """

    account: AccountId | None
    at: Millis
    via: Via = Via.CLI
    address: str | None = None
    key: str | None = None
    digest: str | None = None


@value
class Opening:
    """Who opens a table, and what the audit log says of it."""

    by: By
    facts: Facts


@value
class AuditLine:
    """One change. ``target`` is the id of what was changed."""

    id: int
    by: By
    by_name: str | None
    action: str
    target: str | None
    target_name: str | None
    reason: str | None
    before: Facts | None
    after: Facts | None


@value
class AuditQuery:
    """Newest first; ``before`` is the line to page from, ``action`` a name or the beginning of one."""

    by: AccountId | None = None
    action: str | None = None
    target: str | None = None
    since: Millis | None = None
    until: Millis | None = None
    before: int | None = None
    limit: int = 50


class Repeated(Exception):
    """The key was used before: by another admin, or in this very moment."""
