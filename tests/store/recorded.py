"""Journals as a database holds them, recorded once for each version of the codec and read for ever.

Run as a program, it records the present version: when `fullring.store.codec.VERSION` has gone up, and never again.
"""

import gzip
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from fullring.runtime.accounts import Account
from fullring.store import codec
from fullring.table.events import Event
from fullring.table.ids import AccountId, Millis
from fullring.table.kept import snapshot
from fullring.table.settings import TableSettings
from tests.contracts.playing import Playing
from tests.shared import DATA

ROWS = 250
TABLES = {
    "n": TableSettings("No limit", game="nlhe", rake_bps=500, rake_caps=(10, 20), big_blind_ante=10),
    "p": TableSettings("Pot limit", game="plhe", dead_button=True, join_code="sesame", time_bank_ms=0),
    "f": TableSettings("Fixed limit", game="flhe", ante=1, show_all=True, buy_in_max=400),
}


@dataclass(frozen=True, slots=True)
class RecordedRow:
    """``deck`` is in the clear here, and only here."""

    at: Millis
    payload: str
    deck: list[int] | None
    snapshot: str | None
    record: str | None


@dataclass(frozen=True, slots=True)
class RecordedTable:
    """``final`` is the snapshot of the table after its last row."""

    table: str
    version: int
    settings: str
    rows: list[RecordedRow]
    final: str


def files() -> list[Path]:
    return sorted(DATA.glob("journal_*.jsonl.gz"))


def read(path: Path) -> Iterator[RecordedTable]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            table = json.loads(line)
            yield RecordedTable(**{**table, "rows": [RecordedRow(**row) for row in table["rows"]]})


def _record(name: str, settings: TableSettings) -> RecordedTable:
    people = [Account(AccountId(f"a{number}"), f"Player {number}", "guest", "player", 0, 0) for number in range(5)]
    playing = Playing.open(name, settings, people, seed=1)
    rows: list[RecordedRow] = []
    while len(rows) < ROWS or not playing.table.between_hands:
        batch = playing.next()
        playing.done(batch)
        rows.append(
            RecordedRow(
                at=batch.at,
                payload=codec.write_events(batch.events).payload,
                deck=_deck(batch.events),
                snapshot=None if batch.snapshot is None else codec.write_snapshot(batch.snapshot),
                record=None if batch.record is None else codec.write_record(batch.record),
            )
        )
    final = codec.write_snapshot(snapshot(playing.table))
    return RecordedTable(name, codec.VERSION, codec.write_settings(settings), rows, final)


def _deck(events: tuple[Event, ...]) -> list[int] | None:
    started = codec.write_events(events).started
    return None if started is None else list(started.deck)


def main() -> None:
    path = DATA / f"journal_{codec.VERSION}.jsonl.gz"
    with path.open("xb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as file:
        for name, settings in TABLES.items():
            table = _record(name, settings)
            file.write(json.dumps(asdict(table), separators=(",", ":")).encode() + b"\n")


if __name__ == "__main__":
    main()
