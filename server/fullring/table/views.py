"""What a client receives: live, on reconnect, as a spectator. Built field by field from what that viewer may know.

The public view and the public events are made without a look at any hidden card; ``you`` holds one seat's own.
Shapes are those of docs/protocol.md.
"""

from collections.abc import Sequence

from fullring.rules import events as hands
from fullring.rules import pots
from fullring.rules.actions import Legal, SeatNo
from fullring.rules.cards import Card, text
from fullring.rules.hand import legal
from fullring.rules.ranking import HIGH
from fullring.rules.state import ALL_IN, FOLDED, NOBODY, Hand
from fullring.table import events as happened
from fullring.table.button import startable
from fullring.table.events import Entry, Event
from fullring.table.ids import Millis, turn_id
from fullring.table.settings import MINUTE, SECOND, TableSettings
from fullring.table.state import Seat, Table

Json = dict[str, object]

RANKED_FROM = 5
"""Cards it takes to name a hand."""


def public_view(table: Table) -> Json:
    """The table as anybody may see it."""
    settings = table.settings
    view: Json = {
        "name": settings.name,
        "game": settings.game,
        "settings": shown_settings(settings),
        "status": status(table),
    }
    reason = table.closing or table.paused
    if reason is not None:
        view["reason"] = reason
    hand = table.hand
    if hand is not None:
        view["hand"] = _hand(table, hand)
    if table.button is not None:
        view["button"] = table.button
    view["seats"] = [_seat(table, hand, table.seats[number]) for number in sorted(table.seats)]
    return view


def status(table: Table) -> str:
    """``waiting``, ``playing``, ``paused`` or ``closing``."""
    if table.closing is not None:
        return "closing"
    if table.paused is not None:
        return "paused"
    return "playing" if not table.between_hands or startable(table) else "waiting"


def shown_settings(settings: TableSettings) -> Json:
    """The settings players may know: all but the join code itself."""
    return {
        "seats": settings.seats,
        "small_blind": settings.small_blind,
        "big_blind": settings.big_blind,
        "ante": settings.ante,
        "big_blind_ante": settings.big_blind_ante,
        "buy_in_min": settings.buy_in_min,
        "buy_in_max": settings.buy_in_max,
        "turn_seconds": _seconds(settings.turn_ms),
        "time_bank_seconds": _seconds(settings.time_bank_ms),
        "hand_pause_ms": settings.hand_pause_ms,
        "show_all": settings.show_all,
        "dead_button": settings.dead_button,
        "ratholing_minutes": settings.ratholing_ms // MINUTE,
        "rake_bps": settings.rake_bps,
        "rake_cap": max(settings.rake_caps, default=0),
        "join_code": settings.join_code is not None,
    }


def _seconds(span: Millis) -> int | float:
    return span // SECOND if span % SECOND == 0 else span / SECOND


def _hand(table: Table, hand: Hand) -> Json:
    shown: Json = {
        "id": table.hand_id,
        "number": hand.started.number,
        "street": hand.street_name,
        "board": [text(card) for card in hand.board],
        "pots": [] if hand.over else _pots(hand),
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


def _pots(hand: Hand) -> list[Json]:
    """What earlier streets put in; this street's bets stand at the seats."""
    if hand.street == 0 and hand.pot == sum(hand.bets):
        return []
    paid = [all_paid - bet for all_paid, bet in zip(hand.paid, hand.bets, strict=True)]
    return [
        {"amount": pot.amount, "eligible": [hand.seats[i] for i in pot.eligible]}
        for pot in pots.pots(hand, paid)
        if pot.amount
    ]


def _seat(table: Table, hand: Hand | None, seat: Seat) -> Json:
    i = None if hand is None else hand.index.get(seat.seat)
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
    if hand is None or i is None or not _same_player(table, seat):
        return shown
    status = hand.status[i]
    if not hand.over:
        shown["stack"] = hand.stacks[i]
        shown["bet"] = hand.bets[i]
        shown["state"] = "folded" if status == FOLDED else "all_in" if status == ALL_IN else "active"
    if hand.shown[i]:
        shown["cards"] = [text(card) for card in hand.shown[i]]
    if status != FOLDED:
        shown["holds"] = len(hand.holes[i]) - len(hand.shown[i])
    if seat.last_action is not None:
        shown["last_action"] = seat.last_action
    return shown


def _same_player(table: Table, seat: Seat) -> bool:
    """Whether who sits there now is who was dealt in."""
    return any(player.seat == seat.seat and player.account == seat.account for player in table.hand_players)


def _state(seat: Seat) -> str:
    if seat.out or seat.stack == 0:
        return "sitting_out"
    return "active" if seat.entry is Entry.NOW else "waiting"


def you(table: Table, number: SeatNo) -> Json | None:
    """The seat's own part: its hole cards and what it waits for. Nothing of anybody else's."""
    seat = table.seats.get(number)
    if seat is None:
        return None
    hand = table.hand
    cards = table.hole_cards(number) if hand is not None and _same_player(table, seat) else ()
    own: Json = {"seat": number, "cards": [text(card) for card in cards]}
    if hand is not None and len(cards) + len(hand.board) >= RANKED_FROM and table.live(number):
        own["rank"] = rank((*cards, *hand.board))
    if seat.armed is not None:
        own["armed"] = {"action": seat.armed, "to_call": seat.armed_to_call}
    waiting = _waiting(table, seat)
    if waiting is not None:
        own["waiting"] = waiting
    return own


def _waiting(table: Table, seat: Seat) -> str | None:
    """What keeps the seat from being dealt in: ``big_blind``, ``post``, ``sitting_out``, ``chips`` or ``leaving``."""
    if seat.leaving is not None:
        return "leaving"
    if table.in_hand(seat.seat):
        return "sit_out" if seat.sit_out_asked else None
    if seat.stack == 0:
        return "chips"
    if seat.out:
        return "sitting_out"
    return None if seat.entry is Entry.NOW else str(seat.entry)


def rank(cards: Sequence[Card], value: int | None = None) -> Json:
    """The best five in words: category, the cards that play, text."""
    value = HIGH(cards) if value is None else value
    assert value is not None
    return {
        "category": HIGH.category(value).name.lower(),
        "cards": [text(card) for card in HIGH.best_five(cards)],
        "text": HIGH.describe(value),
    }


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
        "status": status(table),
        "join_code": settings.join_code is not None,
    }


def public_events(table: Table, events: Sequence[Event]) -> list[Json]:
    """What a batch says to everybody, in order; the batch has been applied already."""
    told = Told(table, events)
    return [shown for event in events if (shown := told.tell(event)) is not None]


class Told:
    """Turns a batch into public events. Walks along with the turn and the board as they were at each event."""

    def __init__(self, table: Table, events: Sequence[Event]) -> None:
        self.table = table
        hand = table.hand
        self.hand = hand
        self.turn = 0
        self.board: list[Card] = []
        if hand is not None:
            self.turn = hand.turn - sum(isinstance(event, hands.TurnStarted) for event in events)
            dealt = sum(len(event.cards) for event in events if isinstance(event, hands.StreetDealt))
            self.board = hand.board[: len(hand.board) - dealt]

    def tell(self, event: Event) -> Json | None:
        """The event as the wire has it, or None where it is nobody else's business."""
        if isinstance(event, hands.Event):
            return self._hand_event(event)
        return self._table_event(event)

    def _hand_event(self, event: hands.Event) -> Json | None:
        match event:
            case hands.TurnStarted(_, turn):
                self.turn = turn
                return None
            case hands.Acted():
                return self._acted(event)
            case hands.StreetDealt(street, cards):
                self.board += cards
                return {"type": "street_dealt", "street": street, "cards": _texts(cards), "board": _texts(self.board)}
            case hands.Posted():
                return _posted(event)
            case hands.HandStarted():
                return self._hand_started(event)
            case hands.HoleCardsDealt(seats, count):
                return {"type": "hole_cards_dealt", "seats": list(seats), "count": count}
            case hands.UncalledReturned(seat, amount):
                return {"type": "uncalled_returned", "seat": seat, "amount": amount}
            case hands.CardsShown(seat, cards, value):
                return self._shown(seat, cards, value)
            case hands.Mucked(seat):
                return {"type": "mucked", "seat": seat}
            case hands.PotAwarded():
                winners = [{"seat": share.seat, "amount": share.amount} for share in event.winners]
                return {"type": "pot_awarded", "pot": event.pot, "amount": event.amount, "winners": winners}
            case hands.HandEnded(stacks, rake):
                return {
                    "type": "hand_ended",
                    "hand": self.table.hand_id,
                    "stacks": [{"seat": stake.seat, "stack": stake.stack} for stake in stacks],
                    "rake": rake,
                }
            case hands.HandVoided(reason, stacks):
                return {
                    "type": "hand_voided",
                    "hand": self.table.hand_id,
                    "reason": reason,
                    "stacks": [{"seat": stake.seat, "stack": stake.stack} for stake in stacks],
                }
            case hands.Abandoned():
                return None

    def _acted(self, event: hands.Acted) -> Json:
        shown: Json = {
            "type": "acted",
            "seat": event.seat,
            "turn": turn_id(self.table.hand_id, self.turn),
            "action": event.action,
            "amount": event.amount,
            "to": event.to,
            "all_in": event.all_in,
        }
        if event.auto is not None:
            shown["auto"] = event.auto
        return shown

    def _hand_started(self, event: hands.HandStarted) -> Json:
        settings = self.table.settings
        stacks = {stake.seat: stake.stack for stake in event.seats}
        return {
            "type": "hand_started",
            "hand": event.hand,
            "number": event.number,
            "game": event.game,
            "button": event.button,
            "small_blind": settings.small_blind,
            "big_blind": settings.big_blind,
            "ante": settings.ante or settings.big_blind_ante,
            "seats": [
                {"seat": player.seat, "account": player.account, "name": player.name, "stack": stacks[player.seat]}
                for player in self.table.hand_players
            ],
        }

    def _shown(self, seat: SeatNo, cards: Sequence[Card], value: int | None) -> Json:
        shown: Json = {"type": "cards_shown", "seat": seat, "cards": _texts(cards)}
        if value is not None:
            shown["rank"] = rank((*cards, *self.board), value)
        return shown

    def _table_event(self, event: happened.TableEvent) -> Json | None:
        match event:
            case happened.ClockStarted(turn, seat, deadline):
                return {"type": "turn_started", "turn": turn, "seat": seat, "deadline": deadline}
            case happened.TimeBankStarted(turn, seat, deadline):
                return {"type": "time_bank_started", "turn": turn, "seat": seat, "deadline": deadline}
            case happened.Seated(seat, account, name, _, stack):
                return _who("seated", seat, account, name, stack)
            case happened.Left(seat, account, name, stack, reason):
                return _who("left", seat, account, name, stack, reason)
            case happened.SatOut(seat, reason):
                return self._seat("sat_out", seat, reason)
            case happened.SatIn(seat):
                return self._seat("sat_in", seat)
            case happened.ToppedUp(seat):
                return self._seat("topped_up", seat)
            case happened.ConnectionChanged(seat, connected):
                return {"type": "connection_changed", "seat": seat, "connected": connected}
            case happened.ShownLate(_, seat, cards):
                return self._shown(seat, cards, None)
            case happened.Paused(reason):
                return {"type": "table_paused", "reason": reason}
            case happened.Resumed(reason):
                return {"type": "table_resumed", "reason": reason}
            case happened.Closed(reason):
                return {"type": "table_closed", "reason": reason}
            case happened.Chatted(account, name, said):
                return {"type": "chatted", "account": account, "name": name, "text": said}
            case _:
                return None

    def _seat(self, kind: str, number: SeatNo, reason: str | None = None) -> Json | None:
        seat = self.table.seats.get(number)
        if seat is None:  # It has left in the same batch, which says so itself.
            return None
        return _who(kind, number, seat.account, seat.name, seat.stack, reason)


def _who(kind: str, seat: SeatNo, account: str, name: str, stack: int, reason: str | None = None) -> Json:
    shown: Json = {"type": kind, "seat": seat, "account": account, "name": name, "stack": stack}
    if reason is not None:
        shown["reason"] = reason
    return shown


def _posted(event: hands.Posted) -> Json | None:
    """A forced bet. On the wire a big-blind ante is an ante, and a live post is a big blind."""
    if not event.amount:
        return None
    kind = WIRE_POSTS.get(event.kind, event.kind)
    return {"type": "posted", "seat": event.seat, "kind": kind, "amount": event.amount, "all_in": event.all_in}


WIRE_POSTS = {
    hands.PostKind.BIG_BLIND_ANTE: hands.PostKind.ANTE,
    hands.PostKind.LIVE: hands.PostKind.BIG_BLIND,
}


def _texts(cards: Sequence[Card]) -> list[str]:
    return [text(card) for card in cards]
