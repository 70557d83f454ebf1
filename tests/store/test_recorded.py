"""Every journal that any version of this program has written is still read, and ends at the same table."""

from dataclasses import replace
from pathlib import Path

import pytest

from fullring.rules.cards import Deck
from fullring.rules.events import HandStarted
from fullring.store import codec
from fullring.table.events import Event
from fullring.table.kept import restore, snapshot
from fullring.table.table import evolve, opened
from tests.store import recorded
from tests.store.recorded import RecordedRow, RecordedTable, files


def events(version: int, row: RecordedRow) -> tuple[Event, ...]:
    return tuple(
        replace(event, deck=Deck(row.deck or ())) if isinstance(event, HandStarted) else event
        for event in codec.read_events(version, row.payload)
    )


def tables() -> list[RecordedTable]:
    return [table for path in files() for table in recorded.read(path)]


def test_this_version_is_recorded() -> None:
    assert f"journal_{codec.VERSION}.jsonl.gz" in [path.name for path in files()]


@pytest.mark.parametrize("recording", tables(), ids=lambda table: f"{table.table}{table.version}")
def test_a_recorded_journal_replays_to_the_table_it_made(recording: RecordedTable) -> None:
    settings = codec.read_settings(recording.version, recording.settings)
    table = opened(recording.table, settings)
    resumed = 0

    for row in recording.rows:
        if row.snapshot is not None:
            table = restore(recording.table, settings, codec.read_snapshot(recording.version, row.snapshot))
            resumed += 1
        evolve(table, events(recording.version, row), row.at)

    assert snapshot(table) == codec.read_snapshot(recording.version, recording.final)
    assert resumed > 3


@pytest.mark.parametrize("recording", tables(), ids=lambda table: f"{table.table}{table.version}")
def test_recorded_hands_are_still_read(recording: RecordedTable) -> None:
    records = [codec.read_record(recording.version, row.record) for row in recording.rows if row.record is not None]

    assert len(records) > 3
    for record in records:
        assert record.table == recording.table
        assert record.started.hand == record.hand
        assert {stake.seat for stake in record.ended.stacks} == {player.seat for player in record.players}


def test_a_recording_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded, "DATA", tmp_path)
    recorded.main()

    assert [table.table for table in recorded.read(*recorded.files())] == list(recorded.TABLES)
    with pytest.raises(FileExistsError):
        recorded.main()
