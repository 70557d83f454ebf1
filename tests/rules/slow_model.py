"""The betting rules and the pots once more, slowly: read off docs/rules.md, and worked out anew from all that happened.

It scans the events of a hand for every question and remembers nothing, so that it can disagree with the engine. It
knows no cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from fullring.rules.actions import Action, Legal
from fullring.rules.events import Acted, Event, HandStarted, Posted, PostKind, StreetDealt, UncalledReturned
from fullring.rules.game import Game, Structure

LIVE_POSTS = (PostKind.SMALL_BLIND, PostKind.BIG_BLIND, PostKind.STRADDLE, PostKind.LIVE)
FOR_ALL = (PostKind.DEAD_BLIND, PostKind.BIG_BLIND_ANTE)


@dataclass(frozen=True, slots=True)
class SlowModel:
    """What follows from the events of a hand so far."""

    game: Game
    events: Sequence[Event]

    @property
    def started(self) -> HandStarted:
        first = self.events[0]
        assert isinstance(first, HandStarted)
        return first

    @property
    def seats(self) -> list[int]:
        return [stake.seat for stake in self.started.seats]

    def folded(self, seat: int) -> bool:
        return any(isinstance(e, Acted) and e.seat == seat and e.action is Action.FOLD for e in self.events)

    def stack(self, seat: int) -> int:
        stack = next(stake.stack for stake in self.started.seats if stake.seat == seat)
        for event in self.events:
            if isinstance(event, Posted | Acted) and event.seat == seat:
                stack -= event.amount
            elif isinstance(event, UncalledReturned) and event.seat == seat:
                stack += event.amount
        return stack

    def can_act(self, seat: int) -> bool:
        return not self.folded(seat) and self.stack(seat) > 0

    def this_street(self) -> list[Posted | Acted]:
        """The live posts and the actions since the street was dealt."""
        street: list[Posted | Acted] = []
        for event in self.events:
            if isinstance(event, StreetDealt):
                street = []
            elif isinstance(event, Acted) or (isinstance(event, Posted) and event.kind in LIVE_POSTS):
                street.append(event)
        return street

    def bet(self, seat: int, street: list[Posted | Acted]) -> int:
        return sum(event.amount for event in street if event.seat == seat)

    def highest(self, street: list[Posted | Acted]) -> int:
        return max(self.bet(seat, street) for seat in self.seats)

    def level(self, street: list[Posted | Acted]) -> int:
        """The bet that a raise is a raise of: a short blind counts as a full one."""
        return max([self.highest(street), *(event.due for event in street if isinstance(event, Posted))])

    def price(self, seat: int) -> int:
        """Where this seat's call must stand: the level, while somebody else has chips to contest it."""
        street = self.this_street()
        others = any(self.can_act(other) for other in self.seats if other != seat)
        return self.level(street) if others else self.highest(street)

    def to_act(self) -> int | None:
        """Clockwise from the last to act, the first who owes chips, or has not acted and has an opponent with chips."""
        street = self.this_street()
        if sum(not self.folded(seat) for seat in self.seats) == 1:
            return None
        acted = {event.seat for event in street if isinstance(event, Acted)}
        movers = [
            event.seat
            for event in street
            if isinstance(event, Acted) or event.kind in (PostKind.BIG_BLIND, PostKind.STRADDLE)
        ]
        after = self.seats.index(movers[-1]) + 1 if movers else 0
        for seat in self.seats[after:] + self.seats[:after]:
            owes = self.bet(seat, street) < self.price(seat)
            opponents = any(self.can_act(other) for other in self.seats if other != seat)
            if self.can_act(seat) and (owes or (seat not in acted and opponents)):
                return seat
        return None

    def legal(self) -> Legal | None:
        seat = self.to_act()
        if seat is None:
            return None
        street = self.this_street()
        bet, stack, level = self.bet(seat, street), self.stack(seat), self.level(street)
        owed = max(0, self.price(seat) - bet)
        everything = bet + stack
        call = min(owed, stack) or None
        opponents = any(self.can_act(other) for other in self.seats if other != seat)
        if stack <= owed:
            return Legal(seat, call, False, None, None, everything)
        if not opponents or not self.may_raise(seat):
            return Legal(seat, call, level == 0, None, None, None)
        low, high = self.limits(bet, everything)
        return Legal(
            seat,
            call,
            level == 0,
            min(low, everything),
            min(high, everything),
            everything if high >= everything else None,
        )

    def limits(self, bet: int, everything: int) -> tuple[int, int]:
        street = self.this_street()
        level = self.level(street)
        if self.game.structure is Structure.FIXED_LIMIT:
            to = self.full_levels(street)[-1] + self.street_bet()
            return to, to
        low = level + self.full_raises(street)[-1]
        if self.game.structure is Structure.NO_LIMIT:
            return low, everything
        pot = sum(event.amount for event in self.events if isinstance(event, Posted | Acted))
        pot -= sum(event.amount for event in self.events if isinstance(event, UncalledReturned))
        return low, max(low, level + pot + (level - bet))

    def may_raise(self, seat: int) -> bool:
        """Not after acting, unless what was added since is a full raise; in fixed limit half a bet, below the cap."""
        street = self.this_street()
        own = [place for place, event in enumerate(street) if isinstance(event, Acted) and event.seat == seat]
        since = self.level(street) - self.level(street[: own[-1] + 1]) if own else None
        if self.game.structure is not Structure.FIXED_LIMIT:
            return since is None or since >= self.full_raises(street)[-1]
        return not self.is_capped() and (since is None or 2 * since >= self.street_bet())

    def full_raises(self, street: list[Posted | Acted]) -> list[int]:
        """The sizes of the full bets and raises, each the largest of the street when it was made."""
        sizes = [self.started.min_bet]
        for event in self.raises(street):
            added = event.to - self.level(street[: street.index(event)])
            if added >= sizes[-1]:
                sizes.append(added)
        return sizes

    def raises(self, street: list[Posted | Acted]) -> list[Acted]:
        return [event for event in street if isinstance(event, Acted) and event.action in (Action.BET, Action.RAISE)]

    def street_number(self) -> int:
        return sum(isinstance(event, StreetDealt) for event in self.events)

    def street_bet(self) -> int:
        big = self.game.streets[self.street_number()].big_bet
        return self.started.big_bet if big else self.started.min_bet

    def full_levels(self, street: list[Posted | Acted]) -> list[int]:
        """Fixed limit: nothing or the blind, then each bet or raise at least half a bet above the one before."""
        posts = [event for event in street if isinstance(event, Posted)]
        levels = [max((event.due for event in posts), default=0)]
        for event in self.raises(street):
            if 2 * (event.to - levels[-1]) >= self.street_bet():
                levels.append(event.to)
        return levels

    def is_capped(self) -> bool:
        """Four bets, the blind being one, unless only two were left when the last of them was made."""
        street = self.this_street()
        blind = any(isinstance(event, Posted) for event in street)
        cap = self.game.streets[self.street_number()].cap
        levels = self.full_levels(street)
        if len(levels) - (not blind) < cap:
            return False
        if self.game.capped_heads_up:
            return True
        made = next(event for event in self.raises(street) if event.to == levels[-1])
        then = self.events[: next(place for place, event in enumerate(self.events) if event is made)]
        return sum(not SlowModel(self.game, then).folded(seat) for seat in self.seats) > 2

    def pots(self) -> list[tuple[int, set[int]]]:
        """Each layer of what was paid and the live seats that reach it. One that none reaches goes down."""
        paid = dict.fromkeys(self.seats, 0)
        for_all = 0
        for event in self.events:
            if isinstance(event, Posted) and event.kind in FOR_ALL:
                for_all += event.amount
            elif isinstance(event, Posted | Acted):
                paid[event.seat] += event.amount
            elif isinstance(event, UncalledReturned):
                paid[event.seat] -= event.amount
        live = {seat for seat in self.seats if not self.folded(seat)}
        pots = [(for_all, live)] if for_all else []
        below = 0
        for level in sorted({amount for amount in paid.values() if amount}):
            amount = (level - below) * sum(mine >= level for mine in paid.values())
            winners = {seat for seat in live if paid[seat] >= level}
            if pots and (not winners or winners == pots[-1][1]):
                pots[-1] = (pots[-1][0] + amount, pots[-1][1])
            else:
                pots.append((amount, winners))
            below = level
        return pots
