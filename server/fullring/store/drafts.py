"""A batch as the rows that it will become. Made before the transaction, so that no lock is held while it is encoded."""

from fullring.rules.value import value
from fullring.runtime.ports import Batch
from fullring.store import codec
from fullring.store.hands import HandRows, hand_rows
from fullring.store.money import moves_money
from fullring.store.seal import Seal
from fullring.store.statements import Values
from fullring.table.events import Closed


@value
class Draft:
    """``row`` for the journal, ``snapshot`` for the table's."""

    batch: Batch
    row: Values
    snapshot: Values | None
    moves_money: bool
    closes: bool
    hands: HandRows | None


def draft(batch: Batch, seal: Seal) -> Draft:
    """Raises TypeError, ValueError or KeyError for a batch that can't be written."""
    written = codec.write_events(batch.events)
    sealed = None
    if written.started is not None:
        sealed = seal.seal(written.started.deck, table=batch.table, hand=written.started.hand)
    key = batch.key
    row = (
        batch.table,
        batch.seq,
        batch.owner_epoch,
        batch.at,
        None if key is None else key.account,
        None if key is None else codec.write_key(key.id),
        None if batch.answer is None else codec.write_answer(batch.answer),
        codec.VERSION,
        written.payload,
        sealed,
    )
    snapshot: Values | None = None
    if batch.snapshot is not None:
        snapshot = (batch.seq - 1, codec.VERSION, codec.write_snapshot(batch.snapshot), batch.table)
    return Draft(
        batch=batch,
        row=row,
        snapshot=snapshot,
        moves_money=moves_money(batch.events),
        closes=Closed in map(type, batch.events),
        hands=hand_rows(batch),
    )
