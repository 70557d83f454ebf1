"""PokerKit as a witness: driven in step with our engine, and asked what it thinks.

Where it is known to differ from the rule book it isn't asked: see ``trusted`` and ``settle``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pokerkit import (
    Automation,
    BettingStructure,
    FixedLimitTexasHoldem,
    Mode,
    NoLimitTexasHoldem,
    PotLimitPokerMixin,
    StandardHighHand,
    State,
)

from fullring.rules.actions import Action
from fullring.rules.cards import texts
from fullring.rules.events import HandStarted, Post, PostKind
from fullring.rules.game import Game, Structure

AUTOMATIONS = (Automation.ANTE_POSTING, Automation.BET_COLLECTION, Automation.BLIND_OR_STRADDLE_POSTING)


class PotLimitTexasHoldem(PotLimitPokerMixin, NoLimitTexasHoldem):
    """PokerKit has none of its own."""

    betting_structure = BettingStructure.POT_LIMIT


@dataclass(frozen=True, slots=True)
class Decision:
    """What both engines must agree on whenever somebody is to act. ``raise_to`` is None where no raise is allowed."""

    seat: int
    to_call: int
    raise_to: tuple[int, int] | None
    pot: int
    bets: tuple[int, ...]
    stacks: tuple[int, ...]


class Oracle:
    """One hand in PokerKit. Seats are indices from the button's left, as there."""

    acted: set[int]  # Since the last full raise.
    short: bool  # A short bet or raise came first.
    sum: int  # Of short all-ins.
    added_up: bool  # To a full raise.
    forgotten: bool  # One more came after that.

    def __init__(self, started: HandStarted, game: Game) -> None:
        self.fixed = game.structure is Structure.FIXED_LIMIT
        self.min_bet = started.min_bet
        self.size = len(started.seats)
        self.state = _create(started, game)
        self.front = 2 * self.size
        self.deck = started.deck
        self.shown: list[int] = []
        self._forget()
        self.holes = [texts(self.deck[i : self.front : self.size]) for i in range(self.size)]
        for hole in self.holes:
            self.state.deal_hole(hole)
        self._advance()

    def decision(self) -> Decision | None:
        """None when the hand is decided."""
        s, i = self.state, self.state.actor_index
        if not s.status or i is None:
            return None
        low = s.min_completion_betting_or_raising_to_amount
        high = s.max_completion_betting_or_raising_to_amount
        raise_to = None if low is None or high is None else (low, high)
        to_call = s.checking_or_calling_amount
        assert to_call is not None
        return Decision(i, to_call, raise_to, s.total_pot_amount, tuple(s.bets), tuple(s.stacks))

    def trusted(self) -> bool:
        """Whether its limits for a raise are the rule book's. They are not

        - once a short bet or raise came first on the street and the player to act has acted: it counts that as full;
        - once short all-ins have added up to a full raise and a further one came, for a player who acted before: it
          has forgotten the sum by then;
        - in fixed limit, once any bet or raise was short: it knows no half bets;
        - if nobody else has more than the highest bet: it allows no raise, card rooms do, while somebody has chips.
        """
        s, i = self.state, self.state.actor_index
        rivals = any(s.statuses[j] and s.stacks[j] + s.bets[j] > max(s.bets) for j in s.player_indices if j != i)
        return rivals and not ((self.short or self.forgotten) and (self.fixed or i in self.acted))

    def act(self, action: Action, to: int) -> None:
        s, i = self.state, self.state.actor_index
        assert i is not None
        added, first = to - max(s.bets), s.completion_betting_or_raising_count == 0
        full = max(s.completion_betting_or_raising_amount, self.min_bet)
        if action is Action.FOLD:
            s.fold()
        elif action in (Action.CHECK, Action.CALL):
            s.check_or_call()
        else:
            s.complete_bet_or_raise_to(to)
            if self.fixed:
                self.short |= added < self.min_bet * (2 if s.street_index and s.street_index > 1 else 1)
            elif added < full:
                self._shorten(added, full, first=first)
            else:
                self._forget()
        self.acted.add(i)
        self._advance()

    def _shorten(self, added: int, full: int, *, first: bool) -> None:
        """A short all-in, as PokerKit keeps account of it."""
        self.short |= first
        self.forgotten |= self.added_up
        self.sum += added
        if self.sum >= full:
            self.added_up = True

    def _forget(self) -> None:
        """A new street, or a full raise: whoever acts now faces nothing short."""
        self.acted = set()
        self.short = self.forgotten = self.added_up = False
        self.sum = 0

    def settle(self) -> list[int]:
        """Final stacks by the rule book: each pot by itself, odd chips one each from the button's left."""
        s = self.state
        stacks = list(s.stacks)
        live = [i for i in s.player_indices if s.statuses[i]]
        if len(live) == 1:
            stacks[live[0]] += s.bets[live[0]] + sum(pot.amount for pot in s.pots)
            return stacks
        board = texts(self.deck[2 * self.size : 2 * self.size + 5])
        hands = {i: StandardHighHand.from_game(self.holes[i], board) for i in live}
        for pot in s.pots:
            eligible = [i for i in pot.player_indices if i in hands]
            best = max(hands[i] for i in eligible)
            winners = [i for i in eligible if hands[i] == best]
            share, odd = divmod(pot.amount, len(winners))
            for place, i in enumerate(winners):
                stacks[i] += share + (place < odd)
        return stacks

    def _advance(self) -> None:
        """Deal and skip what is no decision until somebody is to act, or all that remains is to compare the hands:
        PokerKit would do that several times over, which is what most of its time goes into.
        """
        s = self.state
        while s.status:
            if s.can_burn_card():
                if s.all_in_status and self.front == 2 * self.size + 4:
                    return
                s.burn_card("??")
            elif s.can_deal_board():
                end = self.front + (1 if s.board_cards else 3)
                s.deal_board(texts(self.deck[self.front : end]))
                self.front = end
                self._forget()
            elif s.actor_index is not None:
                i = s.actor_index
                rivals = any(s.statuses[j] and s.stacks[j] for j in s.player_indices if j != i)
                if rivals or s.bets[i] < max(s.bets):
                    return
                s.check_or_call()  # Asked although no decision is left.
            elif s.showdown_index is not None and self.front < 2 * self.size + 5:
                s.show_or_muck_hole_cards(True)
            else:
                self.shown = list(s.showdown_indices)
                return


def _create(started: HandStarted, game: Game) -> State:
    stacks = tuple(stake.stack for stake in started.seats)
    posts = started.posts
    antes, uniform = _antes(started)
    blinds = (_due(posts, PostKind.SMALL_BLIND), _due(posts, PostKind.BIG_BLIND))
    size = len(stacks)
    if game.structure is Structure.FIXED_LIMIT:
        return FixedLimitTexasHoldem.create_state(
            AUTOMATIONS, uniform, antes, blinds, started.min_bet, started.big_bet, stacks, size, mode=Mode.TOURNAMENT
        )
    kind = PotLimitTexasHoldem if game.structure is Structure.POT_LIMIT else NoLimitTexasHoldem
    return kind.create_state(AUTOMATIONS, uniform, antes, blinds, started.min_bet, stacks, size, mode=Mode.TOURNAMENT)


def _antes(started: HandStarted) -> tuple[tuple[int, ...], bool]:
    """What each ante is, heads-up as PokerKit wants it (the small blind's first), and whether all pay the same."""
    due = {post.seat: post.amount for post in started.posts if post.kind in (PostKind.ANTE, PostKind.BIG_BLIND_ANTE)}
    antes = tuple(due.get(stake.seat, 0) for stake in started.seats)
    uniform = not any(post.kind is PostKind.BIG_BLIND_ANTE for post in started.posts)
    return (antes[::-1] if len(antes) == 2 else antes), uniform


def _due(posts: Sequence[Post], kind: PostKind) -> int:
    return next(post.amount for post in posts if post.kind is kind)
