"""Recorded hands of the conformance data, played through the rules as this room would have dealt them."""

from typing import Any, Final

from fullring.rules.actions import Act, Action
from fullring.rules.cards import FULL_DECK, Deck, parse
from fullring.rules.events import HandStarted, Post, PostKind, Stake
from fullring.rules.hand import Hand, decide, evolve, start
from fullring.rules.record import HandRecord
from tests.history.random_hands import recorded

_KINDS: Final = {"f": Action.FOLD, "x": Action.CHECK, "c": Action.CALL, "b": Action.BET, "r": Action.RAISE}
_POSTS: Final = {
    "sb": PostKind.SMALL_BLIND,
    "bb": PostKind.BIG_BLIND,
    "straddle": PostKind.STRADDLE,
    "post": PostKind.LIVE,
    "dead": PostKind.DEAD_BLIND,
}


def whole(hand: dict[str, Any]) -> bool:
    """Whether all cards are known, no rake was taken, and no odd chip was cut in two."""
    return "????" not in hand["hole"] and (hand["replay"], hand["check"]) == ("strict", "exact")


def played(hand: dict[str, Any], number: int = 1) -> HandRecord:
    """Players sit in seats 1 to n, in the order in which they act."""
    size: int = hand["players"]
    holes = [parse(cards) for cards in hand["hole"]]
    dealt = [*(holes[i][place] for place in range(2) for i in range(size)), *parse("".join(hand["board"]))]
    deck = Deck([*dealt, *(card for card in FULL_DECK if card not in dealt)])
    pooled = sum(map(bool, hand["antes"])) == 1
    ante = PostKind.BIG_BLIND_ANTE if pooled else PostKind.ANTE
    posts = [Post(i, ante, amount) for i, amount in enumerate(hand["antes"], 1) if amount]
    for seat, kind, amount in sorted(hand["posts"], key=lambda post: post[1] == "bb"):
        posts.append(Post(seat, _POSTS[kind], hand["bb"] if kind == "bb" else amount))
    started = HandStarted(
        hand=f"h{number}",
        number=number,
        game="nlhe",
        button=size,
        seats=tuple([Stake(i, stack) for i, stack in enumerate(hand["stacks"], 1)]),
        posts=tuple(posts),
        min_bet=hand["bb"],
        big_bet=hand["bb"],
        deck=deck,
    )
    events = start(started)
    table = Hand(started)
    for event in events[1:]:
        evolve(table, event)
    for seat, kind, to, *_ in (action for street in hand["actions"] for action in street):
        command = Act(seat, _KINDS[kind], to if kind in "br" else None)
        for event in decide(table, command):
            evolve(table, event)
            events.append(event)
    assert table.over, hand["id"]
    return recorded(started, events, table)
