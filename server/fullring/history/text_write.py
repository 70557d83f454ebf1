"""Finished hands as text in the layout of PokerStars' hand histories, which trackers and replayers read.

Whoever asks gets the hand as they may see it; what they may not know is not in the text. Every hand can be written:
pot limit and fixed limit too, and a voided hand, as one that was cancelled and gave its chips back.
"""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final, assert_never

from fullring.history.text_words import described, game_words
from fullring.rules.actions import Action, Auto, Chips, SeatNo
from fullring.rules.cards import Card, text
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
    PostKind,
    PotAwarded,
    StreetDealt,
    TurnStarted,
    UncalledReturned,
)
from fullring.rules.hand import Hand, evolve
from fullring.rules.record import HandRecord, seen_by

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_HOLE_CARDS: Final = 2
_NUMBER_FROM: Final = 10**17
"""Numbers have 18 digits: they fit in 63 bits, which is what trackers keep them in."""
_MEANING: Final = str.maketrans(':[]()"\n', "_______")
"""Characters that mean something in the layout, and none of which a name may bring along."""
_STREETS: Final = {"preflop": "before Flop", "flop": "on the Flop", "turn": "on the Turn", "river": "on the River"}
_POSTS: Final = {
    PostKind.SMALL_BLIND: "posts small blind",
    PostKind.BIG_BLIND: "posts big blind",
    PostKind.STRADDLE: "posts straddle",
    PostKind.LIVE: "posts big blind",
    PostKind.ANTE: "posts the ante",
    PostKind.BIG_BLIND_ANTE: "posts the ante",
    PostKind.DEAD_BLIND: "posts small blind",
}
_ROLES: Final = {PostKind.SMALL_BLIND: "small blind", PostKind.BIG_BLIND: "big blind"}
_ABSENCE: Final = {Auto.TIMEOUT: "has timed out", Auto.AWAY: "has timed out while disconnected"}


def write(record: HandRecord, account: str | None) -> str:
    """The hand as that account may see it; None is a spectator."""
    return "".join([f"{line}\n" for line in _Telling(seen_by(record, account), account).told()])


def write_many(records: Iterable[HandRecord], account: str | None) -> str:
    """One after the other, with three empty lines between them, as the layout has it."""
    return "\n\n\n".join([write(record, account) for record in records])


def number(hand: str) -> int:
    """A hand's id as the number that the layout asks for: always the same, and hardly ever another hand's."""
    digest = hashlib.sha256(hand.encode()).digest()
    return _NUMBER_FROM + int.from_bytes(digest[:8], "big") % (9 * _NUMBER_FROM)


class _Telling:
    """``folded`` says on which street, ``paid`` what each has put in and not got back, ``won`` what each got."""

    def __init__(self, record: HandRecord, account: str | None) -> None:
        self.record = record
        self.hero = next((player.seat for player in record.players if player.account == account), None)
        self.names = _names(record)
        self.hand = Hand(record.started)
        self.lines: list[str] = []
        self.board: list[Card] = []
        self.shown: dict[SeatNo, tuple[Card, ...]] = {}
        self.mucked: list[SeatNo] = []
        self.folded: dict[SeatNo, str] = {}
        self.paid: dict[SeatNo, Chips] = {stake.seat: 0 for stake in record.started.seats}
        self.won: dict[SeatNo, Chips] = {}
        self.ends: list[str] = []
        self.voided = isinstance(record.ended, HandVoided)

    def told(self) -> list[str]:
        self._head()
        self._posts()
        for event in self.record.events[1:]:
            self._event(event)
            evolve(self.hand, event)
        self._showdown()
        self._summary()
        return self.lines

    def _head(self) -> None:
        record, started = self.record, self.record.started
        at = (_EPOCH + timedelta(milliseconds=record.started_at)).strftime("%Y/%m/%d %H:%M:%S")
        table = record.table_name.translate(_MEANING)
        self.lines += [
            f"PokerStars Hand #{number(record.hand)}:  {game_words(record)} - {at} UTC",
            f"Table '{table}' {record.seats}-max (Play Money) Seat #{started.button} is the button",
        ]
        stacks = {stake.seat: stake.stack for stake in started.seats}
        self.lines += [f"Seat {seat}: {self.names[seat]} ({stacks[seat]} in chips)" for seat in sorted(stacks)]

    def _posts(self) -> None:
        """A live and a dead blind of one seat are one post."""
        posted = [event for event in self.record.events if isinstance(event, Posted) and event.amount]
        dead = {event.seat: event for event in posted if event.kind is PostKind.DEAD_BLIND}
        both = {event.seat for event in posted if event.kind is PostKind.LIVE and event.seat in dead}
        for event in posted:
            amount, all_in, words = event.amount, event.all_in, _POSTS[event.kind]
            if event.seat in both and event.kind is PostKind.DEAD_BLIND:
                continue
            if event.seat in both and event.kind is PostKind.LIVE:
                other = dead[event.seat]
                amount, all_in, words = amount + other.amount, all_in or other.all_in, "posts small & big blinds"
            self._say(event.seat, f"{words} {amount}", all_in=all_in)

    def _say(self, seat: SeatNo, what: str, *, all_in: bool = False) -> None:
        self.lines.append(f"{self.names[seat]}: {what}{' and is all-in' if all_in else ''}")

    def _event(self, event: Event) -> None:
        match event:
            case Posted(seat, _, amount):
                self.paid[seat] += amount
            case HoleCardsDealt():
                self._dealt()
            case Acted():
                self._acted(event)
            case Abandoned(seat):
                self.lines.append(f"{self.names[seat]} leaves the table")
            case UncalledReturned(seat, amount):
                self._returned(seat, amount)
            case StreetDealt(street, cards):
                before = f" {_cards(self.board)}" if self.board else ""
                self.lines.append(f"*** {street.upper()} ***{before} {_cards(cards)}")
                self.board += cards
            case CardsShown(seat, cards):
                self.shown[seat] = cards
            case Mucked(seat):
                self.mucked.append(seat)
            case PotAwarded():
                self._awarded(event)
            case HandVoided():
                for seat, amount in self.paid.items():
                    if amount:
                        self._returned(seat, amount)
                self.lines.append("Hand cancelled")
            case HandStarted() | TurnStarted() | HandEnded():
                pass
            case _:
                assert_never(event)

    def _dealt(self) -> None:
        self.lines.append("*** HOLE CARDS ***")
        own = next((hole.cards for hole in self.record.holes if hole.seat == self.hero), ())
        if self.hero is not None and own:
            self.lines.append(f"Dealt to {self.names[self.hero]} {_cards(own)}")

    def _acted(self, event: Acted) -> None:
        seat, hand = event.seat, self.hand
        if event.auto in _ABSENCE:
            self.lines.append(f"{self.names[seat]} {_ABSENCE[event.auto]}")
        self.paid[seat] += event.amount
        match event.action:
            case Action.FOLD:
                self.folded[seat] = hand.street_name
                self._say(seat, "folds")
            case Action.CHECK:
                self._say(seat, "checks")
            case Action.CALL:
                self._say(seat, f"calls {event.amount}", all_in=event.all_in)
            case Action.BET:
                self._say(seat, f"bets {event.amount}", all_in=event.all_in)
            case Action.RAISE | Action.ALL_IN:
                by = event.to - max(hand.high, hand.floor)
                self._say(seat, f"raises {by} to {event.to}", all_in=event.all_in)
            case _:
                assert_never(event.action)

    def _returned(self, seat: SeatNo, amount: Chips) -> None:
        self.paid[seat] -= amount
        self.lines.append(f"Uncalled bet ({amount}) returned to {self.names[seat]}")

    def _awarded(self, event: PotAwarded) -> None:
        pot = self._pot_name(event.pot)
        for share in event.winners:
            self.won[share.seat] = self.won.get(share.seat, 0) + share.amount
            self.ends.append(f"{self.names[share.seat]} collected {share.amount} from {pot}")

    def _pot_name(self, pot: int) -> str:
        last = max(event.pot for event in self.record.events if isinstance(event, PotAwarded))
        if not last:
            return "pot"
        if not pot:
            return "main pot"
        return "side pot" if last == 1 else f"side pot-{pot}"

    def _showdown(self) -> None:
        """Hands are turned up where the betting ends and the board is still to come; the layout has them at its end."""
        if self.shown or self.mucked:
            self.lines.append("*** SHOW DOWN ***")
        for seat, cards in self.shown.items():
            self._say(seat, f"shows {self._with_words(cards)}")
        for seat in self.mucked:
            self._say(seat, "mucks hand")
        self.lines += self.ends
        late = {event.seat: event.cards for event in self.record.shown_late}
        for seat, cards in late.items():
            self._say(seat, f"shows {self._with_words(cards)}")
        quiet = {seat for seat in self.won if seat not in self.shown and seat not in late}
        for seat in sorted(quiet):
            self._say(seat, "doesn't show hand")
        self.shown |= late

    def _with_words(self, cards: tuple[Card, ...]) -> str:
        words = described(cards, self.board)
        return f"{_cards(cards)} ({words})" if words else _cards(cards)

    def _summary(self) -> None:
        pots = {event.pot: event for event in self.record.events if isinstance(event, PotAwarded)}
        total = sum([event.amount for event in pots.values()])
        parts = [f"{self._pot_name(pot).capitalize()} {pots[pot].amount}." for pot in sorted(pots)]
        each = " " + " ".join(parts) if len(parts) > 1 else ""
        rake = sum([event.rake for event in pots.values()])
        self.lines += ["*** SUMMARY ***", f"Total pot {total}{each} | Rake {rake}"]
        if self.board:
            self.lines.append(f"Board {_cards(self.board)}")
        posted = [event for event in self.record.events if isinstance(event, Posted)]
        roles = {event.seat: _ROLES[event.kind] for event in posted if event.kind in _ROLES}
        for seat in sorted(self.paid):
            mine = ["button"] if seat == self.record.started.button else []
            mine += [roles[seat]] if seat in roles else []
            words = "".join([f" ({role})" for role in mine])
            self.lines.append(f"Seat {seat}: {self.names[seat]}{words} {self._end_of(seat)}")

    def _end_of(self, seat: SeatNo) -> str:
        won, shown = self.won.get(seat, 0), self.shown.get(seat)
        if seat in self.folded:
            nothing = " (didn't bet)" if not self.paid[seat] else ""
            return f"folded {_STREETS[self.folded[seat]]}{nothing}"
        if self.voided:
            return "didn't bet (hand cancelled)"
        if shown is not None and len(shown) == _HOLE_CARDS:
            words = described(shown, self.board)
            outcome = f"won ({won})" if won else "lost"
            return f"showed {_cards(shown)} and {outcome}" + (f" with {words}" if words else "")
        if won or self.hand.live == 1:  # Nothing is won where nobody else put anything in.
            return f"collected ({won})"
        own = next(hole.cards for hole in self.record.holes if hole.seat == seat)
        return f"mucked {_cards(own)}" if own else "mucked"


def _cards(cards: Iterable[Card]) -> str:
    return f"[{' '.join(map(text, cards))}]"


def _names(record: HandRecord) -> Mapping[SeatNo, str]:
    """Names that can't be taken for a part of the layout, each once."""
    known = {player.seat: player.name.translate(_MEANING).strip() for player in record.players}
    names: dict[SeatNo, str] = {}
    for stake in record.started.seats:
        name = known.get(stake.seat) or f"Seat {stake.seat}"
        while name in names.values():
            name = f"{name} {stake.seat}"
        names[stake.seat] = name
    return names
