"""A batch as the rows it will become. Made before the transaction, so that no lock is held while it is encoded."""

from dataclasses import dataclass

from fullring.runtime.ports import Batch
from fullring.store import codec
from fullring.store.hands import HandRows, hand_rows
from fullring.store.money import moves_money
from fullring.store.seal import Seal
from fullring.store.statements import Values
from fullring.table.events import Closed


@dataclass(frozen=True, slots=True)
class Draft:
    """``row`` for the journal, ``head`` and ``snapshot`` for the table."""

    batch: Batch
    row: Values
    head: Values
    snapshot: Values | None
    moves_money: bool
    hands: HandRows | None


def draft(batch: Batch, seal: Seal) -> Draft:
    """Raises TypeError, ValueError or KeyError for a batch that can't be written."""
    written = codec.write_events(batch.events)
    sealed = None
    if written.started is not None:
        sealed = seal.seal(written.started.deck, table=batch.table, hand=written.started.hand)
    key = batch.key
    row: Values = {
        "table_id": batch.table,
        "seq": batch.seq,
        "owner_epoch": batch.owner_epoch,
        "at": batch.at,
        "account_id": None if key is None else key.account,
        "command_id": None if key is None else codec.write_key(key.id),
        "answer": None if batch.answer is None else codec.write_answer(batch.answer),
        "version": codec.VERSION,
        "payload": written.payload,
        "sealed": sealed,
    }
    snapshot: Values | None = None
    if batch.snapshot is not None:
        taken = codec.write_snapshot(batch.snapshot)
        snapshot = {"table": batch.table, "before": batch.seq - 1, "written": codec.VERSION, "taken": taken}
    closed = any(type(event) is Closed for event in batch.events)
    return Draft(
        batch=batch,
        row=row,
        head={"table": batch.table, "seq": batch.seq, "then": "closed" if closed else "open"},
        snapshot=snapshot,
        moves_money=moves_money(batch.events),
        hands=hand_rows(batch),
    )
