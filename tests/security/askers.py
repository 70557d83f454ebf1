"""Everybody who may come to a door: without a token, with one that is not good, and with each role and scope."""

import secrets
from dataclasses import dataclass, field

from fullring.runtime.accounts import Role
from fullring.table.ids import AccountId
from tests.server import Running

SESSION = frozenset({"read", "play", "host", "admin"})
"""What a session's token may; a personal one may as much at most, without ``admin``."""
SCOPES = ("read", "play", "host")
ADMINS = ("admin:read", "admin:chips", "admin:players", "admin:tables")
RANKS = (Role.PLAYER, Role.HOST, Role.ADMIN)


NOBODYS = AccountId("a0")


@dataclass(frozen=True, slots=True)
class Asker:
    """``role`` is None for one whose token proves nothing."""

    name: str
    token: str | None = field(default=None, repr=False)
    account: AccountId = NOBODYS
    role: Role | None = None
    scopes: frozenset[str] = frozenset()
    kind: str = ""

    def may(self, scope: str, role: Role) -> bool:
        """``admin`` is all that begins with it."""
        covered = scope in self.scopes or (scope.startswith("admin:") and "admin" in self.scopes)
        return self.role is not None and RANKS.index(self.role) >= RANKS.index(role) and covered


NOBODY = Asker("nobody")


async def strangers(room: Running) -> list[Asker]:
    """Those whose tokens are not good: never, no longer, or not for this."""
    accounts = room.site.accounts
    account, ended = await accounts.create_guest(None, 0, 0)
    await accounts.log_out(ended)
    info, revoked = await accounts.create_token(account.id, "lost", ["read", "play"], None, 0)
    assert await accounts.revoke_token(account.id, info.id)
    _, good = await accounts.create_token(account.id, "kept", ["read", "play"], None, 0)
    forged = {
        "a token that nobody has": secrets.token_urlsafe(32),
        "a session that has ended": ended,
        "a token that was revoked": revoked,
        "a token cut short": good[:-1],
        "a token with a letter more": good + "A",
        "a token in other capitals": good.swapcase(),
        "an account's id": account.id,
        "a token's id": info.id,
        "a ticket": room.site.tickets.issue(await accounts.authenticate(good), room.site.clock.now()),
    }
    return [Asker(name, token) for name, token in forged.items()]


async def members(room: Running) -> list[Asker]:
    """Each role with a session, and with personal tokens of one scope and of all; bots and registered players too."""
    accounts = room.site.accounts
    found = []
    for role in RANKS:
        account, token = await accounts.create_guest(None, 0, 0)
        await accounts.set_role(account.id, role)
        found.append(Asker(f"{role}, session", token, account.id, role, SESSION, "guest"))
        for scopes, kind in ((SCOPES, "bot"), *(((scope,), None) for scope in SCOPES)):
            _, token = await accounts.create_token(account.id, "mine", scopes, kind, 0)
            name = f"{role}, {kind or 'personal'} token: {' '.join(scopes)}"
            found.append(Asker(name, token, account.id, role, frozenset(scopes), kind or "guest"))
        for scope in ADMINS if role is not Role.HOST else ():
            _, token = await accounts.create_token(account.id, "mine", [scope], None, 0)
            found.append(
                Asker(f"{role}, personal token: {scope}", token, account.id, role, frozenset({scope}), "guest")
            )
    account, token = await accounts.register("Registered", "correct horse battery", 0, 0)
    return [*found, Asker("registered, session", token, account.id, Role.PLAYER, SESSION, "player")]
