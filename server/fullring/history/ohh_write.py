"""Finished hands in the Open Hand History format, version 1.4.6: one JSON object a hand, amounts in chips.

Whoever asks gets the hand as they may see it; what they may not know is not in the object. Every hand can be written;
of a voided one the pot goes back to those who paid it. The specification is at https://hh-specs.handhistory.org.
"""

import json
from datetime import UTC, datetime, timedelta
from typing import Any, Final, assert_never

from fullring.rules.actions import Action, Chips, SeatNo
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
from fullring.rules.game import GAMES, Structure
from fullring.rules.record import HandRecord, seen_by

SPEC_VERSION: Final = "1.4.6"
WRITER_VERSION: Final = "1.0.0"
SITE: Final = "Fullring"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LIMITS: Final = {Structure.NO_LIMIT: "NL", Structure.POT_LIMIT: "PL", Structure.FIXED_LIMIT: "FL"}
_POSTS: Final = {
    PostKind.SMALL_BLIND: "Post SB",
    PostKind.BIG_BLIND: "Post BB",
    PostKind.STRADDLE: "Straddle",
    PostKind.LIVE: "Post Extra Blind",
    PostKind.ANTE: "Post Ante",
    PostKind.BIG_BLIND_ANTE: "Post Ante",
    PostKind.DEAD_BLIND: "Post Dead",
}
_ACTIONS: Final = {
    Action.FOLD: "Fold",
    Action.CHECK: "Check",
    Action.CALL: "Call",
    Action.BET: "Bet",
    Action.RAISE: "Raise",
    Action.ALL_IN: "Raise",
}
Json = dict[str, Any]


def write(record: HandRecord, account: str | None) -> str:
    """The hand as that account may see it; None is a spectator."""
    return json.dumps({"ohh": _hand(seen_by(record, account), account)}, ensure_ascii=False, indent=1) + "\n"


def _hand(record: HandRecord, account: str | None) -> Json:
    started = record.started
    hero = next((player.seat for player in record.players if player.account == account), None)
    start = _EPOCH + timedelta(milliseconds=record.started_at)
    return {
        "spec_version": SPEC_VERSION,
        "internal_version": WRITER_VERSION,
        "network_name": SITE,
        "site_name": SITE,
        "tournament": False,
        "game_type": "Holdem",
        "table_name": record.table_name,
        "table_size": record.seats,
        "game_number": record.hand,
        "start_date_utc": start.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "currency": "Chips",
        "ante_amount": record.ante,
        "small_blind_amount": record.small_blind,
        "big_blind_amount": record.big_blind,
        "bet_limit": {"bet_type": _LIMITS[GAMES[started.game].structure], "bet_cap": 0},
        "dealer_seat": started.button,
        **({"flags": ["Observed"]} if hero is None else {"hero_player_id": hero}),
        "players": _players(record),
        "rounds": _Rounds(record, hero).told(),
        "pots": _pots(record),
    }


def _players(record: HandRecord) -> list[Json]:
    """A player's id is the number of the seat."""
    names = {player.seat: player.name for player in record.players}
    stacks = {stake.seat: stake.stack for stake in record.started.seats}
    return [
        {
            "id": seat,
            "seat": seat,
            "name": names.get(seat, f"Seat {seat}"),
            "display": names.get(seat, f"Seat {seat}"),
            "starting_stack": stacks[seat],
            "player_bounty": 0,
        }
        for seat in sorted(stacks)
    ]


def _pots(record: HandRecord) -> list[Json]:
    if isinstance(record.ended, HandVoided):
        return [_pot(0, sum(_paid(record).values()), 0, _paid(record))]
    awards = [event for event in record.events if isinstance(event, PotAwarded)]
    return [
        _pot(event.pot, event.amount, event.rake, {share.seat: share.amount for share in event.winners})
        for event in sorted(awards, key=lambda event: event.pot)
    ]


def _pot(number: int, amount: Chips, rake: Chips, shares: dict[SeatNo, Chips]) -> Json:
    """``amount`` is before rake, ``shares`` are after it."""
    wins = [{"player_id": seat, "win_amount": chips} for seat, chips in shares.items() if chips]
    return {"number": number, "amount": amount, "rake": rake, "jackpot": 0, "player_wins": wins}


def _paid(record: HandRecord) -> dict[SeatNo, Chips]:
    paid: dict[SeatNo, Chips] = {}
    for event in record.events:
        if isinstance(event, Posted | Acted):
            paid[event.seat] = paid.get(event.seat, 0) + event.amount
        elif isinstance(event, UncalledReturned):
            paid[event.seat] -= event.amount
    return paid


class _Rounds:
    """The streets with what was done on them; at the end, where anybody showed or threw away, the showdown."""

    def __init__(self, record: HandRecord, hero: SeatNo | None) -> None:
        self.record = record
        self.hero = hero
        self.rounds: list[Json] = []
        self.number = 0
        self.ends: list[Event] = []

    def told(self) -> list[Json]:
        self._open("Preflop", ())
        for event in self.record.events[1:]:
            self._tell(event)
        ends = [*self.ends, *self.record.shown_late]
        if ends:
            self._open("Showdown", ())
        for event in ends:
            if isinstance(event, CardsShown):
                self._add(event.seat, "Shows Cards", cards=event.cards)
            elif isinstance(event, Mucked):
                self._add(event.seat, "Mucks Cards")
        return self.rounds

    def _open(self, street: str, cards: tuple[Card, ...]) -> None:
        self.rounds.append({"id": len(self.rounds), "street": street, "cards": list(map(text, cards)), "actions": []})

    def _add(
        self, seat: SeatNo, action: str, amount: Chips = 0, *, all_in: bool = False, cards: tuple[Card, ...] = ()
    ) -> None:
        self.number += 1
        self.rounds[-1]["actions"].append(
            {
                "action_number": self.number,
                "player_id": seat,
                "action": action,
                "amount": amount,
                "is_allin": all_in,
                **({"cards": list(map(text, cards))} if cards else {}),
            }
        )

    def _tell(self, event: Event) -> None:
        match event:
            case Posted(seat, kind, amount, _, all_in):
                if amount:
                    self._add(seat, _POSTS[kind], amount, all_in=all_in)
            case HoleCardsDealt():
                own = next((hole.cards for hole in self.record.holes if hole.seat == self.hero), ())
                if self.hero is not None and own:
                    self._add(self.hero, "Dealt Cards", cards=own)
            case Acted(seat, action, amount, _, all_in):
                opens = action is Action.BET and len(self.rounds) == 1  # The format knows no bet before the flop.
                self._add(seat, "Raise" if opens else _ACTIONS[action], amount, all_in=all_in)
            case StreetDealt(street, cards):
                self._open(street.capitalize(), cards)
            case CardsShown() | Mucked():
                self.ends.append(event)
            case Abandoned(seat):
                self._add(seat, "Stands Up")
            case HandStarted() | TurnStarted() | UncalledReturned() | PotAwarded() | HandEnded() | HandVoided():
                pass
            case _:
                assert_never(event)
