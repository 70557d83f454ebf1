"""What a contract is held against: the ports of one room, real or fake."""

from collections.abc import Sequence
from typing import Protocol

from fullring.rules.actions import Chips, SeatNo
from fullring.runtime.accounts import Account, Accounts, Ledger
from fullring.runtime.ports import Batch, CommandKey, Hands, Log
from fullring.table.events import Entry, Event, Left, Seated
from fullring.table.ids import TableId
from fullring.table.settings import TableSettings
from tests.contracts.playing import START

T1, T2, T3 = TableId("t1"), TableId("t2"), TableId("t3")


class Room(Protocol):
    @property
    def log(self) -> Log: ...
    @property
    def accounts(self) -> Accounts: ...
    @property
    def ledger(self) -> Ledger: ...
    @property
    def hands(self) -> Hands: ...


async def guest(room: Room, name: str, chips: Chips = 1_000) -> Account:
    account, _ = await room.accounts.create_guest(name, chips, START)
    return account


async def guests(room: Room, names: str, chips: Chips = 1_000) -> Sequence[Account]:
    return [await guest(room, name, chips) for name in names.split()]


async def chips(room: Room, account: Account) -> Chips:
    found = await room.accounts.account(account.id)
    assert found is not None
    return found.chips


async def open_table(room: Room, table: TableId = T1) -> TableSettings:
    settings = TableSettings(f"Table {table}", time_bank_ms=0)
    await room.log.create(table, settings, None, START)
    return settings


def batch(table: TableId, seq: int, *events: Event, owner_epoch: int = 1, key: CommandKey | None = None) -> Batch:
    answer = None if key is None else {"seq": seq}
    return Batch(table, owner_epoch, seq, START + seq, events, key, answer)


def sits(account: Account, seat: SeatNo, stack: Chips) -> Seated:
    return Seated(seat, account.id, account.name, account.kind, stack, Entry.NOW, START)


def leaves(account: Account, seat: SeatNo, stack: Chips) -> Left:
    return Left(seat, account.id, account.name, stack, "left", START)
