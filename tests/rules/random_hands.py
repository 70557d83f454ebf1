"""Hands and actions drawn at random, with more of what is hard than chance would bring: short stacks, equal stacks, odd
blinds, boards that play for everybody.
"""

from random import Random

from fullring.rules.actions import Act, Action, Legal
from fullring.rules.cards import FULL_DECK, Card, Deck, parse
from fullring.rules.events import HandStarted, Post, PostKind, Stake
from fullring.rules.game import Game, Structure

BOARDS_THAT_PLAY = tuple(
    parse(cards) for cards in ("AsKdQhJcTs", "2c2d2h2sAc", "KsKdKhQcQs", "AsAdKhKcQs", "AhKhQh9h8h", "9c8d7h6s5c")
)
MORE_POSTS = ((PostKind.LIVE, 1), (PostKind.DEAD_BLIND, 1), (PostKind.STRADDLE, 2))  # In big blinds.
DEPTHS = ((0, 10), (10, 50), (50, 300))  # In big blinds.


def random_hand(rng: Random, game: Game, *, plain: bool = False) -> HandStarted:
    """A hand of 2 to 10 players, before anything is posted. An ante for all is always covered.

    In a ``plain`` one so is the big blind of three or more players, and nobody posts but the blinds.
    """
    size = rng.randint(2, 10)
    big = rng.choice((2, 5, 10, 20, 25, 100))
    small = big // 2 if rng.random() < 0.5 else rng.randint(1, big - 1)
    ante = rng.choice((0, 0, 1, rng.randint(1, big)))
    for_all = rng.random() < 0.3
    small_blind, big_blind = (1, 0) if size == 2 else (0, 1)
    stacks: list[int] = []
    for i in range(size):
        least, most = rng.choice(DEPTHS)
        stack = rng.choice(stacks) if stacks and rng.random() < 0.3 else rng.randint(max(1, least * big), most * big)
        covers = i == big_blind and (for_all or (size > 2 and plain))
        stacks.append(max(stack, big + ante) if covers else stack)
    posts = [Post(i + 1, PostKind.ANTE, ante) for i in range(size) if ante and not for_all]
    if ante and for_all:
        posts.append(Post(big_blind + 1, PostKind.BIG_BLIND_ANTE, ante))
    posts.append(Post(small_blind + 1, PostKind.SMALL_BLIND, small))
    posts.append(Post(big_blind + 1, PostKind.BIG_BLIND, big))
    if size > 3 and not plain and rng.random() < 0.3:
        kind, amount = rng.choice(MORE_POSTS)
        posts.append(Post(3 if kind is PostKind.STRADDLE else rng.randint(3, size), kind, amount * big))
    return HandStarted(
        hand="random",
        number=1,
        game=game.code,
        button=size,
        seats=tuple(Stake(i + 1, stack) for i, stack in enumerate(stacks)),
        posts=tuple(posts),
        min_bet=big,
        big_bet=2 * big if game.structure is Structure.FIXED_LIMIT else big,
        deck=_deck(rng, 2 * size),
    )


def random_act(rng: Random, allowed: Legal, *, raises: bool = True) -> Act:
    """Three in ten raise where that is allowed: a third to the minimum, a third to the maximum, a third between."""
    luck = rng.random()
    low, high = allowed.to_min, allowed.to_max
    if raises and luck < 0.3 and low is not None and high is not None:
        to = rng.choice((low, high, rng.randint(low, high)))
        if to == allowed.all_in and rng.random() < 0.5:
            return Act(allowed.seat, Action.ALL_IN)
        return Act(allowed.seat, Action.BET if allowed.opens else Action.RAISE, to)
    if allowed.call is None:
        return Act(allowed.seat, Action.CHECK)
    return Act(allowed.seat, Action.FOLD if luck > 0.8 else Action.CALL)


def _deck(rng: Random, front: int) -> Deck:
    board: tuple[Card, ...] = rng.choice(BOARDS_THAT_PLAY) if rng.random() < 0.2 else ()
    others = [card for card in FULL_DECK if card not in board]
    rng.shuffle(others)
    return Deck([*others[:front], *board, *others[front:]])
