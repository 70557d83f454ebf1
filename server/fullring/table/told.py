"""What a batch of events says to everybody: the public events, in order, made without a look at any hidden card."""

from collections.abc import Sequence

from fullring.rules import events as hands
from fullring.rules.actions import Chips, SeatNo
from fullring.rules.cards import Card
from fullring.table import events as happened
from fullring.table.events import Event
from fullring.table.ids import hand_id, turn_id
from fullring.table.settings import TableSettings
from fullring.table.shapes import RANKED_FROM, Json, rank, shown_settings, texts
from fullring.table.state import Table

WIRE_POSTS = {
    hands.PostKind.BIG_BLIND_ANTE: hands.PostKind.ANTE,
    hands.PostKind.LIVE: hands.PostKind.BIG_BLIND,
}
"""On the wire a big-blind ante is an ante, and a live post is a big blind."""


def public_events(table: Table, events: Sequence[Event]) -> list[Json]:
    """What a batch says to everybody, in order; the batch has been applied already."""
    told = Told(table, events)
    return [shown for event in events if (shown := told.tell(event)) is not None]


class Told:
    """Turns a batch into public events. Walks along with the turn and the board as they were at each event.

    Without a hand on the table, the events are those of a whole hand.
    """

    def __init__(self, table: Table, events: Sequence[Event]) -> None:
        self.table = table
        self.hand_id = table.hand_id or hand_id(table.id, table.hands)
        self.turn = 0
        self.board: list[Card] = []
        hand = table.hand
        if hand is not None:
            self.turn = hand.turn
            dealt = 0
            for event in events:
                if type(event) is hands.TurnStarted:
                    self.turn -= 1
                elif type(event) is hands.StreetDealt:
                    dealt += len(event.cards)
            self.board = hand.board[: len(hand.board) - dealt]

    def tell(self, event: Event) -> Json | None:
        """The event as the wire has it, or None where it is nobody else's business."""
        if isinstance(event, happened.ClockStarted) or not isinstance(event, hands.Event):  # The commonest first.
            return self._table_event(event)
        return self._hand_event(event)

    def _hand_event(self, event: hands.Event) -> Json | None:
        match event:
            case hands.Acted():
                return self._acted(event)
            case hands.TurnStarted(_, turn):
                self.turn = turn
                return None
            case hands.StreetDealt(street, cards):
                self.board += cards
                return {"type": "street_dealt", "street": street, "cards": texts(cards), "board": texts(self.board)}
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
                return {"type": "hand_ended", "hand": self.hand_id, "stacks": _stacks(stacks), "rake": rake}
            case hands.HandVoided(reason, stacks):
                return {"type": "hand_voided", "hand": self.hand_id, "reason": reason, "stacks": _stacks(stacks)}
            case hands.Abandoned():
                return None

    def _acted(self, event: hands.Acted) -> Json:
        shown: Json = {
            "type": "acted",
            "seat": event.seat,
            "turn": turn_id(self.hand_id, self.turn),
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

    def _shown(self, seat: SeatNo, cards: tuple[Card, ...], value: int | None) -> Json:
        shown: Json = {"type": "cards_shown", "seat": seat, "cards": texts(cards)}
        if value is not None and len(cards) + len(self.board) >= RANKED_FROM:
            shown["rank"] = rank((*cards, *self.board))
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
            case happened.ToppedUp(seat, _, _, stack):
                return self._seat("topped_up", seat, stack=stack)
            case happened.ConnectionChanged(seat, connected):
                return {"type": "connection_changed", "seat": seat, "connected": connected}
            case happened.ShownLate(_, seat, cards):
                return self._shown(seat, cards, None)
            case happened.Paused(reason):
                return {"type": "table_paused", "reason": reason}
            case happened.Resumed(reason):
                return {"type": "table_resumed", "reason": reason} if self.table.paused is None else None
            case happened.SettingsChanged(settings):
                return self._settings(settings)
            case happened.Closed(reason):
                return {"type": "table_closed", "reason": reason}
            case happened.Chatted(account, name, said):
                return {"type": "chatted", "account": account, "name": name, "text": said}
            case (
                happened.TableOpened() | happened.LeaveAsked() | happened.SitOutAsked() | happened.ChipsAdded()
                | happened.BlindMissed() | happened.TimeBankChanged() | happened.TurnExpired() | happened.Armed()
                | happened.Disarmed() | happened.HandDue() | happened.Positions() | happened.ClosingStarted()
            ):  # fmt: skip
                return None

    def _settings(self, settings: TableSettings) -> Json:
        return {
            "type": "settings_changed",
            "name": settings.name,
            "game": settings.game,
            "settings": shown_settings(settings),
            "next_hand": self.table.next_settings is not None,
        }

    def _seat(self, kind: str, number: SeatNo, reason: str | None = None, stack: Chips | None = None) -> Json | None:
        seat = self.table.seats.get(number)
        if seat is None:  # It has left in the same batch, which says so itself.
            return None
        return _who(kind, number, seat.account, seat.name, seat.stack if stack is None else stack, reason)


def _who(kind: str, seat: SeatNo, account: str, name: str, stack: Chips, reason: str | None = None) -> Json:
    shown: Json = {"type": kind, "seat": seat, "account": account, "name": name, "stack": stack}
    if reason is not None:
        shown["reason"] = reason
    return shown


def _posted(event: hands.Posted) -> Json | None:
    if not event.amount:
        return None
    kind = WIRE_POSTS.get(event.kind, event.kind)
    return {"type": "posted", "seat": event.seat, "kind": kind, "amount": event.amount, "all_in": event.all_in}


def _stacks(stacks: Sequence[hands.Stake]) -> list[Json]:
    return [{"seat": stake.seat, "stack": stake.stack} for stake in stacks]
