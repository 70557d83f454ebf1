"""Random hands played by our engine and by two witnesses in step: PokerKit, and a slow model read off the rule book.

FULLRING_DIFFERENTIAL_SEED and FULLRING_DIFFERENTIAL_HANDS say where the random hands begin and how many are played
against PokerKit. A failure prints the hand's own seed and the hand as a script for ``tests.scenario``.
"""

import os
from dataclasses import replace
from random import Random

import pytest

from fullring.rules.events import Acted, CardsShown, Mucked, StreetDealt
from fullring.rules.game import FIXED_LIMIT_HOLDEM, NO_LIMIT_HOLDEM, POT_LIMIT_HOLDEM, Game
from fullring.rules.hand import decide, legal, start
from fullring.rules.pots import pots
from fullring.rules.state import Hand
from tests.rules.pokerkit_oracle import Decision, Oracle
from tests.rules.random_hands import random_act, random_hand
from tests.rules.script import script
from tests.rules.slow_model import SlowModel
from tests.rules.soundness import apply
from tests.scenario import play

SEED = int(os.environ.get("FULLRING_DIFFERENTIAL_SEED", "20250101"))
HANDS = int(os.environ.get("FULLRING_DIFFERENTIAL_HANDS", "6300"))
CHUNKS = 21
# PokerKit's cap: four raises before the flop beside the blind, a bet and three raises afterwards, heads-up too.
FIXED_LIMIT_CAPPED = replace(
    FIXED_LIMIT_HOLDEM,
    streets=(replace(FIXED_LIMIT_HOLDEM.streets[0], cap=5), *FIXED_LIMIT_HOLDEM.streets[1:]),
    capped_heads_up=True,
)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_hands_go_as_in_pokerkit(chunk: int) -> None:
    games = (NO_LIMIT_HOLDEM, POT_LIMIT_HOLDEM, FIXED_LIMIT_CAPPED)
    for number in range(chunk, HANDS, CHUNKS):
        hand = RandomHand(SEED + number, games[number // CHUNKS % 3], plain=True)
        hand.play(against=Oracle(hand.started, hand.game))


@pytest.mark.parametrize("game", [NO_LIMIT_HOLDEM, POT_LIMIT_HOLDEM, FIXED_LIMIT_HOLDEM], ids=lambda game: game.code)
def test_random_hands_go_as_the_rule_book_says(game: Game) -> None:
    for number in range(500):
        RandomHand(SEED + number, game).play()


def test_a_random_hand_can_be_kept_as_a_script() -> None:
    for number in range(50):
        hand = RandomHand(SEED + number, NO_LIMIT_HOLDEM)
        hand.play()
        assert play(script(hand.game, hand.events)).hand.stacks == hand.hand.stacks


class RandomHand:
    """One hand drawn from a seed."""

    def __init__(self, seed: int, game: Game, *, plain: bool = False) -> None:
        self.seed = seed
        self.rng = Random(seed)
        self.game = game
        self.started = random_hand(self.rng, game, plain=plain)
        self.events = start(self.started, game)
        self.hand = Hand(self.started, game)
        apply(self.hand, self.events[1:])

    def play(self, against: Oracle | None = None) -> None:
        """Play it out at random. AssertionError, with all that is needed to see why, where a witness disagrees."""
        try:
            while not self.hand.over:
                self._agree(against)
                self._act(against)
            self._agree(against)
        except AssertionError as fault:
            raise AssertionError(f"{fault}\nseed {self.seed}:\n{script(self.game, self.events)}") from fault

    def _act(self, oracle: Oracle | None) -> None:
        allowed = legal(self.hand)
        assert allowed is not None
        trusted = oracle is None or oracle.trusted()
        more = decide(self.hand, random_act(self.rng, allowed, raises=trusted))
        apply(self.hand, more)
        self.events += more
        acted = more[0]
        assert isinstance(acted, Acted)
        if oracle is not None:
            oracle.act(acted.action, acted.to)

    def _agree(self, oracle: Oracle | None) -> None:
        hand = self.hand
        allowed = legal(hand)
        if oracle is not None and hand.over:
            assert oracle.decision() is None
            assert oracle.settle() == hand.stacks
            assert self._shown() in ([], oracle.shown)
        elif oracle is not None:
            assert allowed is not None
            witness = oracle.decision()
            raise_to = None if allowed.to_min is None or allowed.to_max is None else (allowed.to_min, allowed.to_max)
            ours = Decision(hand.to_act, allowed.call or 0, raise_to, hand.pot, tuple(hand.bets), tuple(hand.stacks))
            if witness is not None and not oracle.trusted():
                witness = replace(witness, raise_to=raise_to)
            assert witness == ours
        else:
            slow = SlowModel(self.game, self.events)
            assert slow.legal() == allowed
            indices = [(pot.amount, {hand.seats[i] for i in pot.eligible}) for pot in pots(hand)]
            assert slow.pots() == indices

    def _shown(self) -> list[int]:
        """The order of the showdown on the full board; nothing where hands were turned up before it was complete."""
        shown: list[int] = []
        for event in self.events:
            if isinstance(event, StreetDealt) and shown:
                return []
            if isinstance(event, CardsShown | Mucked):
                shown.append(self.hand.index[event.seat])
        return shown
