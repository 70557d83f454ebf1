"""The course of a finished hand as PHH lines, such as PokerKit takes one by one without repairs.

PokerKit is followed in three places where it sees a hand otherwise than this room and the stacks come out the same:
a check that it waits for though no decision is left, a raise that nobody could match (for it, a call), and the fold of
somebody who left and whose turn never came (for it, a muck). A comment on the line says so.
"""

from typing import assert_never

from fullring.rules.actions import Action, SeatNo
from fullring.rules.cards import UNKNOWN, texts
from fullring.rules.events import (
    Abandoned,
    Acted,
    CardsShown,
    Event,
    HandEnded,
    HandStarted,
    HandVoided,
    HoleCardsDealt,
    Mucked,
    Posted,
    PotAwarded,
    StreetDealt,
    TurnStarted,
    UncalledReturned,
)
from fullring.rules.hand import Hand, evolve
from fullring.rules.record import HandRecord
from fullring.rules.state import ACTIVE, FOLDED, NOT_YET

HOLE_CARDS = 2


def course(record: HandRecord) -> list[str]:
    """The lines of a hand, with the hole cards that the record knows."""
    telling = _Telling(record)
    for event in record.events[1:]:
        telling.tell(event)
    telling.late_shows()
    return telling.lines


class _Telling:
    """``asked`` are those whom PokerKit asks on this street, raises apart; ``moves`` counts the street's actions."""

    def __init__(self, record: HandRecord) -> None:
        self.record = record
        self.hand = Hand(record.started)
        self.lines: list[str] = []
        self.asked: set[int] = set()
        self.moves = 0
        known = {hole.seat: hole.cards for hole in record.holes}
        for seat in self.hand.seats:
            cards = (*known[seat], *[UNKNOWN] * HOLE_CARDS)[:HOLE_CARDS]
            self._say(f"d dh {self._player(seat)} {texts(cards)}")

    def tell(self, event: Event) -> None:
        match event:
            case HoleCardsDealt():
                self._open()
            case Acted():
                self._acted(event)
            case StreetDealt():
                self._close()
                self._say(f"d db {texts(event.cards)}")
            case CardsShown():
                self._close()
                self._say(f"{self._player(event.seat)} sm {texts(event.cards)}")
            case Mucked():
                self._close()
                self._say(f"{self._player(event.seat)} sm")
            case HandStarted() | Posted() | TurnStarted() | Abandoned() | UncalledReturned():
                pass
            case PotAwarded() | HandEnded() | HandVoided():
                pass
            case _:
                assert_never(event)
        evolve(self.hand, event)
        if isinstance(event, StreetDealt):
            self._open()

    def late_shows(self) -> None:
        """What was shown by choice when the hand was over. PokerKit knows this of a winner without showdown alone."""
        shown = {event.seat: event.cards for event in self.record.shown_late}
        for seat, cards in shown.items():
            if self.hand.live == 1 and len(cards) == HOLE_CARDS:
                self._say(f"{self._player(seat)} sm {texts(cards)}")
            else:
                self._say(f"# {self._player(seat)} shows {texts(cards)}")

    def _say(self, line: str, *comments: str) -> None:
        self.lines.append(f"{line} # {', '.join(comments)}" if comments else line)

    def _player(self, seat: SeatNo) -> str:
        return f"p{self.hand.index[seat] + 1}"

    def _open(self) -> None:
        """A street's betting begins: PokerKit asks whoever has chips that somebody else can match."""
        hand = self.hand
        live = [i for i in range(hand.size) if hand.status[i] != FOLDED]
        matched = sorted([hand.bets[i] + hand.stacks[i] for i in live])[-2]
        self.asked = {i for i in live if hand.status[i] == ACTIVE and matched > hand.bets[i]}
        self.moves = 0

    def _close(self) -> None:
        """The betting is over: PokerKit has yet to ask the last with chips, who by our rules has no decision."""
        hand = self.hand
        if hand.live > 1 and self.moves:
            for i in sorted(self.asked):
                if self._waits_for(i):
                    self._say(f"p{i + 1} cc", "no decision left")
        self.asked = set()

    def _waits_for(self, i: int) -> bool:
        hand = self.hand
        unanswered = hand.status[i] == ACTIVE and hand.acted[i] == NOT_YET and hand.bets[i] >= hand.high
        return i in self.asked and unanswered

    def _acted(self, event: Acted) -> None:
        hand, player = self.hand, self._player(event.seat)
        i = hand.index[event.seat]
        comments = [event.auto.value] if event.auto else []
        self.moves += 1
        if hand.to_act != i and not self._waits_for(i):
            self._say(f"{player} sm", *comments)
        elif event.action is Action.FOLD:
            self._say(f"{player} f", *comments)
        elif event.action in (Action.CHECK, Action.CALL):
            self._say(f"{player} cc", *comments)
        elif any(hand.stacks[j] + hand.bets[j] > hand.high for j in range(hand.size) if self._may_match(i, j)):
            self._say(f"{player} cbr {event.to}", *comments)
        else:
            self._say(f"{player} cc", *comments, f"raise to {event.to} that nobody can match")

    def _may_match(self, i: int, j: int) -> bool:
        return i != j and self.hand.status[j] != FOLDED
