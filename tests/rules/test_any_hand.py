"""Any hand at all, as Hypothesis can think of it: what must hold after every event, whatever the players do."""

from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fullring.rules.actions import Act, Action, Leave, Show
from fullring.rules.cards import FULL_DECK, Deck
from fullring.rules.events import Event, HandEnded, HandStarted, Post, PostKind, Stake
from fullring.rules.game import GAMES, Structure
from fullring.rules.hand import decide, legal, start
from fullring.rules.refusals import Refusal
from fullring.rules.state import Hand
from tests.rules.soundness import apply, check_turn, facts, fold, refusal

STACKS = st.lists(st.one_of(st.integers(1, 30), st.integers(1, 1000), st.just(200)), min_size=2, max_size=10)
MOST_TURNS = 1000


class AnyHand(RuleBasedStateMachine):
    """One hand from its forced bets to its end, with players who act, err, leave and show."""

    events: list[Event]
    hand: Hand

    @initialize(
        stacks=STACKS,
        code=st.sampled_from(sorted(GAMES)),
        big=st.integers(1, 40),
        small=st.integers(0, 40),
        ante=st.integers(0, 12),
        ante_kind=st.sampled_from((PostKind.ANTE, PostKind.BIG_BLIND_ANTE)),
        extra=st.sampled_from((None, PostKind.LIVE, PostKind.DEAD_BLIND, PostKind.STRADDLE)),
        rake=st.integers(0, 1000),
        show_all=st.booleans(),
        seed=st.integers(0, 2**32),
    )
    def begin(
        self,
        stacks: list[int],
        code: str,
        big: int,
        small: int,
        ante: int,
        ante_kind: PostKind,
        extra: PostKind | None,
        rake: int,
        show_all: bool,
        seed: int,
    ) -> None:
        size = len(stacks)
        small_blind, big_blind = (2, 1) if size == 2 else (1, 2)
        payers = range(1, size + 1) if ante_kind is PostKind.ANTE else (big_blind,)
        posts = [Post(seat, ante_kind, ante) for seat in payers if ante]
        posts += [Post(small_blind, PostKind.SMALL_BLIND, min(small, big)), Post(big_blind, PostKind.BIG_BLIND, big)]
        if extra is not None and size > 2:
            posts.append(Post(3, extra, 2 * big if extra is PostKind.STRADDLE else big))
        deck = list(FULL_DECK)
        Random(seed).shuffle(deck)
        started = HandStarted(
            hand="any",
            number=1,
            game=code,
            button=size,
            seats=tuple(Stake(seat, stack) for seat, stack in enumerate(stacks, 1)),
            posts=tuple(posts),
            min_bet=big,
            big_bet=2 * big if GAMES[code].structure is Structure.FIXED_LIMIT else big,
            deck=Deck(deck),
            show_all=show_all,
            rake_bps=rake,
            rake_cap=10**6,
        )
        self.events = start(started)
        self.hand = Hand(started)
        apply(self.hand, self.events[1:])

    @precondition(lambda self: not self.hand.over)
    @rule(wish=st.sampled_from(Action), share=st.floats(0, 1))
    def act(self, wish: Action, share: float) -> None:
        """Do what is wished for if the rules allow it, else check or call."""
        allowed = legal(self.hand)
        assert allowed is not None
        low, high = allowed.to_min, allowed.to_max
        if wish in (Action.BET, Action.RAISE) and low is not None and high is not None:
            right = Action.BET if allowed.opens else Action.RAISE
            self._decide(Act(allowed.seat, right, low + int(share * (high - low))))
        elif wish is Action.FOLD or (wish is Action.ALL_IN and allowed.all_in is not None):
            self._decide(Act(allowed.seat, wish))
        else:
            self._decide(Act(allowed.seat, Action.CHECK if allowed.check else Action.CALL))

    @rule(seat=st.integers(0, 11))
    def leave(self, seat: int) -> None:
        self._decide(Leave(seat))

    @rule(seat=st.integers(0, 11), action=st.sampled_from(Action), to=st.none() | st.integers(-5, 3000))
    def act_blindly(self, seat: int, action: Action, to: int | None) -> None:
        """What anybody may send: it is done if it is legal, and refused without a trace if it is not."""
        act = Act(seat, action, to)
        refused = refusal(self.hand, act)
        if refused is None:
            self._decide(act)
        else:
            assert (refused.code is Refusal.NOT_YOUR_TURN) == (self.hand.over or seat != self.hand.seat_to_act)

    @precondition(lambda self: self.hand.over)
    @rule(place=st.integers(0, 9), which=st.sampled_from((slice(0, 1), slice(1, 2), slice(0, 2))))
    def show(self, place: int, which: slice) -> None:
        i = place % self.hand.size
        show = Show(self.hand.seats[i], self.hand.holes[i][which])
        if refusal(self.hand, show) is None:
            self._decide(show)
            assert set(show.cards) <= set(self.hand.shown[i])

    @invariant()
    def replay_gives_the_same_hand(self) -> None:
        assert facts(fold(self.events)) == facts(self.hand)

    @invariant()
    def exactly_what_is_legal_is_accepted(self) -> None:
        if self.hand.over:
            assert legal(self.hand) is None
        else:
            check_turn(self.hand)

    def teardown(self) -> None:
        """Every hand ends, and pays out all that was brought."""
        if not hasattr(self, "hand"):
            return
        for _ in range(MOST_TURNS):
            if self.hand.over:
                break
            self.act(Action.CHECK, 0)
        ended = [event for event in self.events if isinstance(event, HandEnded)]
        assert len(ended) == 1
        assert sum(stake.stack for stake in ended[0].stacks) + ended[0].rake == self.hand.total
        assert self.hand.pot == 0

    def _decide(self, command: Act | Leave | Show) -> None:
        more = decide(self.hand, command)
        apply(self.hand, more)
        self.events += more


AnyHand.TestCase.settings = settings(max_examples=150, stateful_step_count=30, deadline=None)
TestAnyHand = AnyHand.TestCase
