"""What a client receives: live, on reconnect, as a spectator. Built field by field from what that viewer may know.

The public view is made without a look at any hidden card; ``you`` holds one seat's own. Shapes are those of
docs/protocol.md.
"""

from fullring.rules import pots
from fullring.rules.actions import Legal, SeatNo
from fullring.rules.events import Acted, HandVoided, Mucked
from fullring.rules.hand import legal
from fullring.rules.state import ACTIVE, ALL_IN, FOLDED, NOBODY, Hand
from fullring.table.button import startable
from fullring.table.events import Entry
from fullring.table.ids import turn_id
from fullring.table.play import to_call
from fullring.table.shapes import RANKED_FROM, Json, rank, shown_settings, texts
from fullring.table.state import Seat, Table
from fullring.table.told import public_events

__all__ = [
    "Json",
    "actions",
    "completed",
    "composed",
    "held",
    "lobby_row",
    "public_events",
    "public_view",
    "seat_view",
    "shown_settings",
    "status",
    "you",
]

STATES = {ACTIVE: "active", ALL_IN: "all_in", FOLDED: "folded"}


def public_view(table: Table) -> Json:
    """The table as anybody may see it."""
    seats = [seat_view(table, number) for number in sorted(table.seats)]
    return composed(table, shown_settings(table.settings), seats, pots_view(table))


def composed(table: Table, settings: Json, seats: list[Json], pots: list[Json]) -> Json:
    """The public view, of pieces that are there already."""
    view: Json = {
        "name": table.settings.name,
        "game": table.settings.game,
        "settings": settings,
        "status": status(table),
    }
    reason = table.closing or table.paused
    if reason is not None:
        view["reason"] = reason
    hand = table.hand
    if hand is not None:
        view["hand"] = _hand(table, hand, pots)
    if table.button is not None:
        view["button"] = table.button
    view["seats"] = seats
    return view


def status(table: Table) -> str:
    """``waiting``, ``playing``, ``paused`` or ``closing``."""
    if table.closing is not None:
        return "closing"
    if table.paused is not None:
        return "paused"
    return "playing" if not table.between_hands or startable(table) else "waiting"


def _hand(table: Table, hand: Hand, pots: list[Json]) -> Json:
    shown: Json = {
        "id": table.hand_id,
        "number": hand.started.number,
        "street": hand.street_name,
        "board": texts(hand.board),
        "pots": pots,
    }
    if hand.to_act != NOBODY and table.paused is None and table.deadline is not None:
        allowed = legal(hand)
        assert allowed is not None
        shown["turn"] = {
            "id": turn_id(table.hand_id, hand.turn),
            "seat": allowed.seat,
            "deadline": table.deadline,
            "time_bank_ms": table.seats[allowed.seat].time_bank_ms,
            "actions": actions(allowed),
        }
    return shown


def actions(allowed: Legal) -> Json:
    """What may be done on the turn, with its bounds."""
    offered: Json = {"fold": True, "check": allowed.check}
    if allowed.call is not None:
        offered["call"] = allowed.call
    if allowed.to_min is not None:
        offered["bet" if allowed.opens else "raise"] = {"min": allowed.to_min, "max": allowed.to_max}
    if allowed.all_in is not None:
        offered["all_in"] = allowed.all_in
    return offered


def pots_view(table: Table) -> list[Json]:
    """What earlier streets put in; this street's bets stand at the seats."""
    hand = table.hand
    if hand is None or hand.over or (hand.street == 0 and hand.pot == sum(hand.bets)):
        return []
    paid = [all_paid - bet for all_paid, bet in zip(hand.paid, hand.bets, strict=True)]
    return [
        {"amount": pot.amount, "eligible": [hand.seats[i] for i in pot.eligible]}
        for pot in pots.pots(hand, paid)
        if pot.amount
    ]


def seat_view(table: Table, number: SeatNo) -> Json:
    """What anybody may see of one seat, which is taken."""
    hand, seat = table.hand, table.seats[number]
    shown: Json = {
        "seat": seat.seat,
        "account": seat.account,
        "name": seat.name,
        "kind": seat.kind,
        "stack": seat.stack,
        "bet": 0,
        "state": _state(seat),
        "connected": seat.connected,
        "holds": 0,
        "time_bank_ms": seat.time_bank_ms,
    }
    if seat.pending:
        shown["pending"] = seat.pending
    if hand is None or not seat.dealt:
        return shown
    i = hand.index[seat.seat]
    status = hand.status[i]
    if not hand.over:
        shown["stack"] = hand.stacks[i]
        shown["bet"] = hand.bets[i]
        shown["state"] = STATES[status]
    if hand.shown[i]:
        shown["cards"] = texts(hand.shown[i])
        if len(hand.shown[i]) == len(hand.holes[i]) and len(hand.shown[i]) + len(hand.board) >= RANKED_FROM:
            shown["rank"] = rank((*hand.shown[i], *hand.board))
    if status != FOLDED and not (hand.over and _given_back(table, seat)):
        shown["holds"] = len(hand.holes[i]) - len(hand.shown[i])
    if seat.last_action is not None:
        shown["last_action"] = seat.last_action
    return shown


def _given_back(table: Table, seat: Seat) -> bool:
    """Whether the cards of a hand that is over no longer lie before that seat: mucked, or the hand was void."""
    for event in reversed(table.hand_log):
        if isinstance(event, HandVoided) or (isinstance(event, Mucked) and event.seat == seat.seat):
            return True
        if isinstance(event, Acted):  # Nobody mucks before the last answer.
            return False
    return False


def _state(seat: Seat) -> str:
    if seat.out or seat.stack == 0:
        return "sitting_out"
    return "active" if seat.entry is Entry.NOW else "waiting"


def you(table: Table, number: SeatNo) -> Json:
    """The own part of a seat that is taken: its hole cards and what it waits for. Nothing of anybody else's."""
    return completed(table, number, held(table, number))


def held(table: Table, number: SeatNo) -> Json:
    """Of the own part, what stays the same on a street: the hole cards and, unless folded, what they make."""
    hand = table.hand
    i = hand.index.get(number) if hand is not None else None
    if hand is None or i is None or not table.seats[number].dealt:
        return {"seat": number, "cards": []}
    cards = hand.holes[i]
    own: Json = {"seat": number, "cards": texts(cards)}
    if not hand.over and hand.status[i] != FOLDED and len(cards) + len(hand.board) >= RANKED_FROM:
        own["rank"] = rank((*cards, *hand.board))
    return own


def completed(table: Table, number: SeatNo, held: Json) -> Json:
    """The own part, of a piece that is there already and stays as it is."""
    own = held.copy()
    seat, hand = table.seats[number], table.hand
    i = hand.index.get(number) if hand is not None else None
    if hand is not None and i is not None:
        if seat.armed is not None:
            own["armed"] = {"action": seat.armed, "to_call": seat.armed_to_call}
        if hand.to_act not in (NOBODY, i) and hand.status[i] == ACTIVE and not hand.over:  # What a pre-action is for.
            own["to_call"] = to_call(hand, i)
    waiting = _waiting(table, seat)
    if waiting is not None:
        own["waiting"] = waiting
    return own


def _waiting(table: Table, seat: Seat) -> str | None:
    """What keeps the seat from being dealt in: ``big_blind``, ``post``, ``sitting_out``, ``chips`` or ``leaving``.

    While its hand is in play, what keeps it from the next one: ``leaving``, or ``sit_out`` until it sits out.
    """
    if seat.leaving is not None:
        return "leaving"
    if table.in_hand(seat.seat):
        return "sit_out" if seat.sit_out_asked else None
    if seat.stack == 0:
        return "chips"
    if seat.out:
        return "sitting_out"
    return None if seat.entry is Entry.NOW else str(seat.entry)


def lobby_row(table: Table) -> Json:
    """The table in a list."""
    settings = table.settings
    return {
        "id": table.id,
        "name": settings.name,
        "game": settings.game,
        "seats": settings.seats,
        "taken": len(table.seats),
        "waiting": sum(not seat.out and seat.entry is not Entry.NOW for seat in table.seats.values()),
        "small_blind": settings.small_blind,
        "big_blind": settings.big_blind,
        "buy_in_min": settings.buy_in_min,
        "buy_in_max": settings.buy_in_max,
        "average_pot": table.average_pot,
        "status": status(table),
        "join_code": settings.join_code is not None,
    }
