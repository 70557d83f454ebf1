"""Who may not come in, and who may not chat: what the database says of it, kept at hand and looked at again."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from fullring.rules.refusals import Refusal, Refused
from fullring.runtime.admin import Admin, Barred, Block, Restricted, Restriction, holds
from fullring.table.ids import AccountId, Millis

SUBSCRIBER_BITS = 64
"""An IPv6 subscriber has a whole /64: it counts as one address."""
_MAPPED = IPv6Network("::ffff:0:0/96")
"""IPv4 addresses as IPv6 writes them."""
Network = IPv4Network | IPv6Network
_OUT = (Restricted.DISABLED, Restricted.BANNED)


@dataclass(frozen=True, slots=True)
class _Wall:
    network: Network
    block: Block


class Standing:
    """As of the last ``refresh``."""

    def __init__(self, admin: Admin) -> None:
        self._admin = admin
        self._reading = asyncio.Lock()
        self._mark: tuple[int, int] | None = None
        self._restrictions: Mapping[AccountId, Mapping[Restricted, Restriction]] = {}
        self._walls: Sequence[_Wall] = ()

    async def refresh(self, now: Millis) -> bool:
        """Whether anything may have changed since. Raises LogUnavailable, and then knows what it knew."""
        async with self._reading:  # One after the other, so that what is read later is kept.
            mark = await self._admin.mark()
            if mark == self._mark:
                return False
            restrictions: dict[AccountId, dict[Restricted, Restriction]] = {}
            for one in await self._admin.restrictions(now):
                restrictions.setdefault(one.account, {})[one.kind] = one
            blocks = await self._admin.blocks(now)
            self._walls = [_Wall(ip_network(block.value), block) for block in blocks if block.kind is Barred.ADDRESS]
            self._restrictions, self._mark = restrictions, mark
            return True

    def of(self, account: AccountId, now: Millis) -> dict[Restricted, Restriction]:
        """What is kept from the account now."""
        known = self._restrictions.get(account, {})
        return {kind: one for kind, one in known.items() if holds(one, now)}

    def outcasts(self, now: Millis) -> list[AccountId]:
        """Accounts that may not come in."""
        return [account for account in self._restrictions if self.outcast(account, now) is not None]

    def outcast(self, account: AccountId, now: Millis) -> Refused | None:
        """Why the account may not come in; None where it may."""
        if account not in self._restrictions:
            return None
        known = self.of(account, now)
        found = next((known[kind] for kind in _OUT if kind in known), None)
        return None if found is None else _refused(f"this account is {found.kind}", found)

    def silence(self, account: AccountId, now: Millis) -> Refused | None:
        """Why the account may not chat; None where it may."""
        if account not in self._restrictions:
            return None
        found = self.of(account, now).get(Restricted.MUTED)
        return None if found is None else _refused("you are muted", found)

    def wall(self, address: str, now: Millis) -> Refused | None:
        """Why nobody may come in from that address; None where everybody may."""
        if not self._walls:
            return None
        try:
            from_there = ip_address(address)
        except ValueError:
            return None
        found = next((wall for wall in self._walls if from_there in wall.network and holds(wall.block, now)), None)
        return None if found is None else _refused("your address is blocked", found.block)


def network(text: str) -> Network:
    """The network meant, or the one that is the address alone; for IPv6 no smaller than a subscriber's. ValueError."""
    found = ip_network(text.strip(), strict=False)
    if isinstance(found, IPv6Network) and found.subnet_of(_MAPPED):
        return IPv4Network((int(found.network_address) % 2**32, found.prefixlen - _MAPPED.prefixlen))
    if isinstance(found, IPv6Network) and found.prefixlen > SUBSCRIBER_BITS:
        return found.supernet(new_prefix=SUBSCRIBER_BITS)
    return found


def _refused(what: str, why: Restriction | Block) -> Refused:
    details: dict[str, int | str] = {"reason": why.reason}
    if why.until is not None:
        details["until"] = why.until
    return Refused(Refusal.FORBIDDEN, f"{what}: {why.reason}", details)
