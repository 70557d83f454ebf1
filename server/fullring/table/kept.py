"""A table between two hands as plain values, and the same table made of them again."""

from dataclasses import replace

from fullring.rules.cards import Deck
from fullring.rules.events import HandEnded, HandStarted
from fullring.rules.hand import evolve
from fullring.rules.record import without_deck
from fullring.rules.state import Hand
from fullring.table.ids import HandId
from fullring.table.settings import TableSettings
from fullring.table.snapshot import LastHand, SeatSnapshot, Snapshot
from fullring.table.state import FinishedHand, Seat, Table


def snapshot(table: Table, *, shown: bool = False) -> Snapshot:
    """The table as values. Only between hands: a hand in play lives in the journal.

    ``shown`` keeps the last hand, which stays on the table; where the next one starts behind it, that takes its place.
    """
    assert table.between_hands, "a snapshot is taken between hands"
    return Snapshot(
        seq=table.seq,
        hands=table.hands,
        button=table.button,
        small_blind_at=table.small_blind_at,
        big_blind_at=table.big_blind_at,
        next_hand_at=table.next_hand_at,
        paused=table.paused,
        closing=table.closing,
        seats=tuple(
            [
                SeatSnapshot(
                    seat.seat,
                    seat.account,
                    seat.name,
                    seat.kind,
                    seat.stack,
                    seat.pending,
                    seat.connected,
                    seat.out,
                    seat.out_since,
                    seat.out_until,
                    seat.entry,
                    seat.missed_small,
                    seat.missed_big,
                    seat.missed_count,
                    seat.expiries,
                    seat.time_bank_ms,
                    seat.hands,
                )
                for seat in table.seats.values()
            ]
        ),
        departures=tuple(table.departures.values()),
        last_at=table.last_at,
        paused_at=table.paused_at,
        average_pot=table.average_pot,
        settings=table.settings if table.edited else None,
        last=_last(table, table.hand) if shown and table.hand is not None else None,
    )


def emptied(table: Table, hands: int = 0) -> Snapshot:
    """The table with nobody at it, which a new history begins with. Its hands are counted on, past so many at least:
    none has another's id.
    """
    return Snapshot(
        seq=0,
        hands=max(table.hands, hands),
        button=table.button,
        small_blind_at=None,
        big_blind_at=None,
        next_hand_at=None,
        paused=table.paused,
        closing=None,
        seats=(),
        departures=tuple(table.departures.values()),
        last_at=table.last_at,
        paused_at=table.paused_at,
        settings=(table.next_settings or table.settings) if table.edited else None,
    )


def restore(table_id: str, settings: TableSettings, taken: Snapshot) -> Table:
    """The table that the snapshot was taken of; ``settings`` are those it was opened with."""
    table = Table(
        table_id,
        taken.settings or settings,
        seq=taken.seq,
        hands=taken.hands,
        button=taken.button,
        small_blind_at=taken.small_blind_at,
        big_blind_at=taken.big_blind_at,
        next_hand_at=taken.next_hand_at,
        paused=taken.paused,
        closing=taken.closing,
        last_at=taken.last_at,
        paused_at=taken.paused_at,
        average_pot=taken.average_pot,
        departures={departure.account: departure for departure in taken.departures},
        edited=taken.settings is not None,
    )
    for seat in taken.seats:
        table.seats[seat.seat] = Seat(
            seat.seat, seat.account, seat.name, seat.kind, seat.stack, seat.entry, seat.time_bank_ms, seat.pending,
            seat.connected, seat.out, seat.out_since, seat.out_until, seat.missed_small, seat.missed_big,
            seat.missed_count, seat.expiries, seat.hands,
        )  # fmt: skip
        table.chips += seat.stack + seat.pending
    if taken.last is not None:
        _show(table, taken.last)
    return table


def _last(table: Table, hand: Hand) -> LastHand:
    return LastHand(
        started_at=table.hand_started_at,
        ended_at=0 if table.finished is None else table.finished.ended_at,
        players=table.hand_players,
        events=without_deck(table.hand_log),
        dealt=tuple(hand.deck[: hand.dealt]),
        shown=tuple(hand.shown),
        actions=tuple([(seat.seat, seat.last_action) for seat in table.seats.values() if seat.dealt]),
    )


def _show(table: Table, last: LastHand) -> None:
    """Put the last hand back where it lay: of its deck, the cards that were dealt."""
    first, *others = last.events
    assert isinstance(first, HandStarted)
    started = replace(first, deck=Deck(last.dealt))
    table.hand = hand = Hand(started)
    for event in others:
        evolve(hand, event)
    assert hand.over
    hand.shown = list(last.shown)  # Some of it after the end.
    table.hand_id = HandId(started.hand)
    table.hand_started_at, table.hand_players = last.started_at, last.players
    table.hand_log = [started, *others]
    if isinstance(others[-1], HandEnded):
        table.finished = FinishedHand(table.hand_id, hand, last.players, last.ended_at)
    for number, action in last.actions:
        seat = table.seats[number]
        seat.dealt, seat.last_action = True, action
