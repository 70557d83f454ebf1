"""What stands beside a journal and follows from it: finished hands, who played them, transfers, seats, balances."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

import sqlalchemy as sa

from fullring.rules.record import HandRecord, without_deck
from fullring.store import codec
from fullring.store.audit import FOUND_MAX
from fullring.store.cashier import escrow
from fullring.store.codec import Unreadable
from fullring.store.fold import Fold, FoundRow, Taken
from fullring.store.schema import hand_players, hand_shows, hands, ledger_entries, ledger_tx, seats
from fullring.store.statements import among
from fullring.table.events import ShownLate

PAGE = 1_000
Tell = Callable[[str], None]

_HANDS: sa.Select[Any] = sa.select(hands).where(among(hands.c.id, "ids"))
_SHOWS: sa.Select[Any] = sa.select(hand_shows).where(among(hand_shows.c.hand_id, "ids"))
_PLAYERS: sa.Select[Any] = sa.select(hand_players).where(
    among(hand_players.c.account_id, "ids"),
    hand_players.c.ended_at >= sa.bindparam("since"),
    hand_players.c.ended_at <= sa.bindparam("until"),
)
_LEDGER: sa.Select[Any] = (
    sa.select(ledger_tx.c.key, ledger_tx.c.kind, ledger_entries.c.account, ledger_entries.c.amount)
    .join(ledger_entries, ledger_entries.c.tx_id == ledger_tx.c.id)
    .where(among(ledger_tx.c.key, "ids"))
)


class Numbers:
    """The numbers of a table's hands, as runs: a few however many hands there are."""

    def __init__(self) -> None:
        self._runs: list[range] = []
        self._excused = False

    def add(self, number: int, *, after: int) -> None:
        """``after`` is the number of the hand before. Where a history began anew, some between them may be lost."""
        first = after + 1 if self._excused else number
        self._excused = False
        if self._runs and self._runs[-1].stop == first:
            first = self._runs.pop().start
        self._runs.append(range(first, number + 1))

    def excuse(self) -> None:
        self._excused = True

    def __contains__(self, number: int) -> bool:
        return self._excused or any(number in run for run in reversed(self._runs))


def compare(connection: sa.Connection, table: str, taken: Sequence[tuple[FoundRow, Taken]], tell: Tell) -> None:
    """A page of rows with what they must have left in the other tables."""
    _compare_hands(connection, table, [one for _, one in taken], tell)
    _compare_shows(connection, taken, tell)
    _compare_ledger(connection, table, taken, tell)


def _compare_hands(connection: sa.Connection, table: str, taken: Sequence[Taken], tell: Tell) -> None:
    ended = [(one.record, one.whole) for one in taken if one.record is not None]
    if not ended:
        return
    found = {row.id: row for row in connection.execute(_HANDS, {"ids": [record.hand for record, _ in ended]})}
    for record, whole in ended:
        row = found.get(record.hand)
        if row is None:
            tell(f"hand {record.hand} is in the journal and not among the finished hands")
            continue
        facts = (row.table_id, row.number, row.started_at, row.ended_at)
        if facts != (table, record.number, record.started_at, record.ended_at):
            tell(f"hand {record.hand} is listed with another table, number or time than its journal has")
        try:
            kept = codec.read_record(row.version, row.payload)
        except Unreadable as problem:
            tell(f"hand {record.hand}: {problem}")
            continue
        differing = _differing(kept, record if whole else replace(record, holes=kept.holes))
        if differing:
            tell(f"hand {record.hand} differs from its journal in its {' and '.join(differing)}")
    _compare_players(connection, [record for record, _ in ended], tell)


def _differing(kept: HandRecord, record: HandRecord) -> list[str]:
    expected = replace(record, events=without_deck(record.events))
    names = [field.name for field in fields(HandRecord)]
    return [name.replace("_", " ") for name in names if getattr(kept, name) != getattr(expected, name)]


def _compare_players(connection: sa.Connection, records: Sequence[HandRecord], tell: Tell) -> None:
    accounts = sorted({player.account for record in records for player in record.players})
    ends = [record.ended_at for record in records]
    found: dict[str, set[str]] = defaultdict(set)
    asked = {"ids": accounts, "since": min(ends), "until": max(ends)}
    for row in connection.execute(_PLAYERS, asked):
        found[row.hand_id].add(row.account_id)
    for record in records:
        if found[record.hand] != {player.account for player in record.players}:
            tell(f"hand {record.hand} is not listed for exactly those who played it")


def _compare_shows(connection: sa.Connection, taken: Sequence[tuple[FoundRow, Taken]], tell: Tell) -> None:
    expected = {
        (event.hand, row.seq, event.seat): codec.write_cards(event.cards)
        for row, one in taken
        for event in one.events
        if isinstance(event, ShownLate)
    }
    if not expected:
        return
    ids = sorted({hand for hand, _, _ in expected})
    found = {(row.hand_id, row.seq, row.seat): row.cards for row in connection.execute(_SHOWS, {"ids": ids})}
    for key, cards in expected.items():
        if found.get(key) != cards:
            tell(f"hand {key[0]}: what seat {key[2]} showed after it is not kept as the journal has it")


def _compare_ledger(connection: sa.Connection, table: str, taken: Sequence[tuple[FoundRow, Taken]], tell: Tell) -> None:
    expected = {}
    for row, one in taken:
        for number, transfer in enumerate(one.transfers):
            entries = {transfer.account: transfer.amount, escrow(table): -transfer.amount}
            expected[f"table:{table}:{row.seq}:{number}"] = (str(transfer.purpose), entries)
    if not expected:
        return
    found: dict[str, tuple[str, dict[str, int]]] = {}
    for entry in connection.execute(_LEDGER, {"ids": list(expected)}):
        found.setdefault(entry.key, (entry.kind, {}))[1][entry.account] = entry.amount
    for key, wanted in expected.items():
        if key not in found:
            tell(f"ledger transaction {key} is missing: a {wanted[0]} of {max(wanted[1].values())}")
        elif found[key] != wanted:
            tell(f"ledger transaction {key} is not the {wanted[0]} of {max(wanted[1].values())} that the journal has")


def compare_seats(connection: sa.Connection, table: str, fold: Fold, tell: Tell) -> None:
    """Who sits there with what, as the money has it, and as the journal makes it."""
    wanted = sa.select(seats.c.seat, seats.c.account_id, seats.c.name, seats.c.kind, seats.c.stack, seats.c.pending)
    rows = connection.execute(wanted.where(seats.c.table_id == table)).all()
    found = {row.seat: tuple(row[1:]) for row in rows}
    made = {
        seat.seat: (seat.account, seat.name, seat.kind, seat.stack, seat.pending)
        for seat in (fold.seats or {}).values()
    }
    for number in sorted(found.keys() | made.keys()):
        if found.get(number) != made.get(number):
            tell(f"seat {number} is {_seat(found.get(number))}, and by its journal {_seat(made.get(number))}")


def _seat(row: tuple[Any, ...] | None) -> str:
    return "empty" if row is None else f"account {row[0]}'s with {row[3]} chips and {row[4]} waiting"


def strangers(connection: sa.Connection, table: str, numbers: Numbers, older: int, tell: Tell) -> int:
    """Finished hands that no row of the journal ends. How many are from before it begins: numbers up to ``older``."""
    before = 0
    for hand, number in _numbered(connection, table):
        if number <= older:
            before += 1
        elif number not in numbers:
            tell(f"hand {hand} is among the finished hands and not in the journal")
    return before


def _numbered(connection: sa.Connection, table: str) -> Iterator[tuple[str, int]]:
    wanted: sa.Select[Any] = sa.select(hands.c.ended_at, hands.c.id, hands.c.number).where(hands.c.table_id == table)
    wanted = wanted.order_by(hands.c.ended_at, hands.c.id).limit(PAGE)
    page = connection.execute(wanted).all()
    while page:
        for row in page:
            yield row.id, row.number
        last = page[-1]
        place = sa.tuple_(sa.literal(last.ended_at, sa.BigInteger), sa.literal(last.id, sa.Text))
        page = connection.execute(wanted.where(sa.tuple_(hands.c.ended_at, hands.c.id) > place)).all()


def balances(connection: sa.Connection) -> list[str]:
    """Ledger entries whose balance is not what all entries of the account up to it add up to."""
    running = sa.func.sum(ledger_entries.c.amount).over(
        partition_by=ledger_entries.c.account, order_by=ledger_entries.c.tx_id
    )
    every = sa.select(ledger_entries, running.label("running")).subquery()
    wrong = (
        sa.select(every.c.tx_id, every.c.account, every.c.balance, every.c.running)
        .where(every.c.balance.is_not(None), every.c.balance != every.c.running)
        .limit(FOUND_MAX)
    )
    return [
        f"transaction {row.tx_id} leaves account {row.account} with {row.balance} chips, its entries add up to "
        f"{int(row.running)}"
        for row in connection.execute(wrong)
    ]
