"""Hands played by players who act at random, as finished hands are kept. The same seed gives the same hands."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from fullring.rules.actions import Act, Action, Command, Leave, Legal, Show
from fullring.rules.cards import FULL_DECK, Deck
from fullring.rules.events import CardsShown, Event, HandStarted, Post, PostKind, Stake
from fullring.rules.hand import Hand, decide, evolve, legal, start
from fullring.rules.record import HandRecord, HoleCards, Player, without_deck

SMALL, BIG = 50, 100
STARTED_AT = 1_745_508_094_250  # 2025-04-24 15:21:34.25 UTC


@dataclass(frozen=True)
class Habits:
    """What may happen in a random hand, beside folds, calls and raises."""

    games: tuple[str, ...] = ("nlhe", "flhe")
    leaves: float = 0.0
    free_folds: float = 0.0
    newcomers: float = 0.0
    antes: bool = True
    ties: float = 0.0
    short_big_blind: bool = False
    stacks: tuple[int, ...] = (3, 12, 60)
    rake_bps: int = 0


def random_hands(seed: int, count: int, habits: Habits) -> Iterator[HandRecord]:
    random = Random(seed)
    for number in range(1, count + 1):
        yield random_hand(random, number, habits)


def random_hand(random: Random, number: int, habits: Habits) -> HandRecord:
    started = _started(random, number, habits)
    events = start(started)
    hand = Hand(started)
    for event in events[1:]:
        evolve(hand, event)
    while not hand.over:
        allowed = legal(hand)
        assert allowed is not None
        for command in _commands(random, hand, allowed, habits):
            for event in decide(hand, command):
                evolve(hand, event)
                events.append(event)
    return recorded(started, events, hand)


def recorded(
    started: HandStarted, events: list[Event], hand: Hand, *, names: dict[int, str] | None = None
) -> HandRecord:
    """The record of a finished hand; each seat's account is ``a`` and its number."""
    names = names or {seat: f"Player {seat}" for seat in hand.seats}
    return HandRecord(
        hand=f"h{started.number}",
        number=started.number,
        table="t7",
        table_name="Magnolia",
        small_blind=SMALL,
        big_blind=BIG,
        ante=0,
        seats=10,
        started_at=STARTED_AT,
        ended_at=STARTED_AT + 60_000,
        players=tuple([Player(seat, f"a{seat}", names[seat], "bot") for seat in hand.seats]),
        holes=tuple([HoleCards(seat, hand.holes[i]) for i, seat in enumerate(hand.seats)]),
        events=without_deck(events),
    )


def with_late_show(record: HandRecord, hand: Hand, seat: int, cards: tuple[int, ...]) -> HandRecord:
    (shown,) = decide(hand, Show(seat, cards))
    assert isinstance(shown, CardsShown)
    return replace(record, shown_late=(*record.shown_late, shown))


def _started(random: Random, number: int, habits: Habits) -> HandStarted:
    size = random.choice((2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10))
    seats = sorted(random.sample(range(1, 11), size))
    at = random.randrange(size)
    seats = seats[at:] + seats[:at]
    stakes = [Stake(seat, random.randint(1, BIG * random.choice(habits.stacks))) for seat in seats]
    if random.random() < 0.3:
        stakes = [replace(stake, stack=stakes[0].stack) for stake in stakes]
    posts = _posts(random, seats, habits)
    if not habits.short_big_blind:
        blind = next(post.seat for post in posts if post.kind is PostKind.BIG_BLIND)
        stakes = [replace(one, stack=one.stack + 2 * BIG) if one.seat == blind else one for one in stakes]
    deck = list(FULL_DECK)
    random.shuffle(deck)
    if random.random() < habits.ties:  # A board that plays, or nearly.
        royal = [card for card in FULL_DECK if card % 4 == 0][-5:]
        rest = [card for card in deck if card not in royal]
        deck = rest[: 2 * size] + royal + rest[2 * size :]
    return HandStarted(
        hand=f"h{number}",
        number=number,
        game=random.choice(habits.games),
        button=seats[-1],
        seats=tuple(stakes),
        posts=tuple(posts),
        min_bet=BIG,
        big_bet=2 * BIG,
        deck=Deck(deck),
        rake_bps=habits.rake_bps,
        rake_cap=1000,
    )


def _posts(random: Random, seats: list[int], habits: Habits) -> list[Post]:
    """Antes, blinds, and what newcomers owe. The big-blind ante comes after the blind."""
    big = seats[0] if len(seats) == 2 else seats[1]
    small = seats[1] if len(seats) == 2 else seats[0]
    posts = []
    way = random.choice(("none", "none", "each", "big blind")) if habits.antes else "none"
    if way == "each":
        posts += [Post(seat, PostKind.ANTE, 10) for seat in seats]
    if random.random() < 0.9:
        posts.append(Post(small, PostKind.SMALL_BLIND, SMALL))
    posts.append(Post(big, PostKind.BIG_BLIND, BIG))
    for seat in seats[2:]:
        if random.random() < habits.newcomers:
            posts.append(Post(seat, PostKind.LIVE, BIG))
            if random.random() < 0.5:
                posts.append(Post(seat, PostKind.DEAD_BLIND, SMALL))
    if way == "big blind":
        posts.append(Post(big, PostKind.BIG_BLIND_ANTE, BIG))
    return posts


def _commands(random: Random, hand: Hand, allowed: Legal, habits: Habits) -> list[Command]:
    commands: list[Command] = []
    if random.random() < habits.leaves:
        leaver = random.choice(hand.seats)
        if leaver == allowed.seat:
            return [Leave(leaver)]
        commands.append(Leave(leaver))
    return [*commands, _act(random, allowed, habits)]


def _act(random: Random, allowed: Legal, habits: Habits) -> Act:
    seat, roll = allowed.seat, random.random()
    if allowed.to_min is not None and allowed.to_max is not None and roll < 0.35:
        kind = Action.BET if allowed.opens else Action.RAISE
        low, top = allowed.to_min, allowed.to_max
        to = random.choice((low, top, random.randint(low, top), min(top, 2 * low)))
        return Act(seat, kind, to)
    if allowed.call is None:
        return Act(seat, Action.FOLD if random.random() < habits.free_folds else Action.CHECK)
    return Act(seat, Action.FOLD if roll > 0.8 else Action.CALL)
