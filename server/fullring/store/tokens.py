"""What proves who somebody is: tokens of sessions and personal ones. Kept hashed, and in clear seen once."""

import hashlib
import secrets
from collections.abc import Sequence

import sqlalchemy as sa

from fullring.store.schema import accounts, tokens
from fullring.table.ids import AccountId, Millis

SESSION = ("play", "read", "host", "admin")
"""The scopes of a session's token, which may all that its account's role may."""
SCOPES = (*SESSION, "admin:read", "admin:chips", "admin:players", "admin:tables")
"""What a token may be limited to. ``admin`` is all that begins with it."""
SESSIONS_MAX = 20
"""Sessions an account may have. One more ends the oldest."""
_TOKEN_BYTES = 32
_ID_BYTES = 10


def digest(token: str) -> bytes:
    """What is kept of it."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def hold(connection: sa.Connection, account: AccountId) -> None:
    """Nobody else gives this account a token on the strength of another, or ends them all, before the end of this."""
    connection.execute(sa.select(accounts.c.id).where(accounts.c.id == account).with_for_update(key_share=True))


def end_all(connection: sa.Connection, account: AccountId) -> int:
    """Sessions and personal tokens; how many there were."""
    hold(connection, account)
    return connection.execute(sa.delete(tokens).where(tokens.c.account_id == account)).rowcount


def session(connection: sa.Connection, account: AccountId, at: Millis) -> tuple[str, Sequence[str]]:
    """A token for a session that begins, and the ids of the oldest ones, which end with it."""
    _, token = issue(connection, account, at, name=None, scopes=SESSION, kind=None)
    sessions = (
        sa.select(tokens.c.id)
        .where(tokens.c.account_id == account, tokens.c.name.is_(None))
        .order_by(tokens.c.created_at.desc(), tokens.c.id)
        .offset(SESSIONS_MAX)
    )
    too_many = connection.execute(sessions).scalars().all()
    if too_many:
        connection.execute(sa.delete(tokens).where(tokens.c.id.in_(too_many)))
    return token, too_many


def issue(
    connection: sa.Connection,
    account: AccountId,
    at: Millis,
    *,
    name: str | None,
    scopes: Sequence[str],
    kind: str | None,
) -> tuple[str, str]:
    """The token's id, and the token itself."""
    token_id, token = f"k{secrets.token_hex(_ID_BYTES)}", secrets.token_urlsafe(_TOKEN_BYTES)
    connection.execute(
        sa.insert(tokens).values(
            id=token_id,
            hash=digest(token),
            account_id=account,
            name=name,
            scopes=" ".join(scopes),
            kind=kind,
            created_at=at,
        )
    )
    return token_id, token
