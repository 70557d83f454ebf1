"""Hands that others recorded, as the rules are told them. The format is described in tests/data/README.md."""

import gzip
import json
from dataclasses import dataclass
from typing import Any

from fullring.rules.actions import Action
from fullring.rules.cards import FULL_DECK, UNKNOWN, Card, Deck, parse
from fullring.rules.events import HandStarted, Post, PostKind, Stake
from tests.shared import data

POSTS = {
    "sb": PostKind.SMALL_BLIND,
    "bb": PostKind.BIG_BLIND,
    "straddle": PostKind.STRADDLE,
    "post": PostKind.LIVE,
    "dead": PostKind.DEAD_BLIND,
}
ACTIONS = {"f": Action.FOLD, "x": Action.CHECK, "c": Action.CALL, "b": Action.BET, "r": Action.RAISE}


@dataclass(frozen=True, slots=True)
class Move:
    """What a player did; ``to`` is that player's bet on the street afterwards."""

    seat: int
    action: Action
    to: int
    all_in: bool


@dataclass(frozen=True, slots=True)
class Record:
    """A recorded hand. Seats are numbered 1 to n, clockwise from the first left of the button."""

    id: str
    big_blind: int
    stacks: tuple[int, ...]
    antes: tuple[int, ...]
    posts: tuple[tuple[int, str, int], ...]
    holes: tuple[tuple[Card, ...], ...]
    streets: tuple[tuple[Card, ...], ...]
    moves: tuple[Move, ...]
    mucks: frozenset[int]
    uncalled: tuple[tuple[int, int], ...]
    pot: int
    pots: tuple[frozenset[tuple[int, int]], ...] | None  # Who won what of each; None without a showdown.
    settled: bool  # The pots were worked out from contributions, not found by PokerKit in play.
    finishing: tuple[int, ...]


def read(name: str) -> list[Record]:
    path = data(name)
    text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text(encoding="utf-8")
    return [_record(json.loads(line)) for line in text.splitlines()]


def _record(row: dict[str, Any]) -> Record:
    holes = tuple(parse(hole, allow_unknown=True) for hole in row["hole"])
    unseen = {seat for seat, cards in enumerate(holes, 1) if UNKNOWN in cards}
    thrown_away = {seat for seat, cards in row.get("showdown", ()) if cards is None}
    pots = row["computed"].get("pots")
    return Record(
        id=row["id"],
        big_blind=row["bb"],
        stacks=tuple(row["stacks"]),
        antes=tuple(row["antes"]),
        posts=tuple((seat, kind, amount) for seat, kind, amount in row["posts"]),
        holes=holes,
        streets=tuple(parse(cards) for cards in row["board"]),
        moves=tuple(
            Move(seat, ACTIONS[kind], to, bool(all_in))
            for street in row["actions"]
            for seat, kind, to, *all_in in street
        ),
        mucks=frozenset(unseen | thrown_away),
        uncalled=tuple((seat, amount) for seat, amount in row["recorded"]["uncalled"]),
        pot=row["recorded"]["pot"],
        pots=None if pots is None else tuple(frozenset((seat, won) for seat, won in pot) for pot in pots),
        settled=row["replay"] == "settled",
        finishing=tuple(row["computed"]["finishing"]),
    )


def started(record: Record) -> HandStarted:
    """The hand as it begins, rake-free. Forced bets are as they were due, so that the rules find what was paid."""
    size = len(record.stacks)
    return HandStarted(
        hand=record.id,
        number=1,
        game="nlhe",
        button=size,
        seats=tuple(Stake(seat, stack) for seat, stack in enumerate(record.stacks, 1)),
        posts=(*_antes(record), *_blinds(record)),
        min_bet=record.big_blind,
        big_bet=record.big_blind,
        deck=_deck(record),
        mucks=tuple(sorted(record.mucks)),
    )


def _antes(record: Record) -> list[Post]:
    """One ante alone is the big blind's, for everybody; otherwise each pays for itself."""
    paid = [seat for seat, ante in enumerate(record.antes, 1) if ante]
    kind = PostKind.BIG_BLIND_ANTE if len(paid) == 1 else PostKind.ANTE
    return [Post(seat, kind, max(record.antes)) for seat in paid]


def _blinds(record: Record) -> list[Post]:
    posts = [
        Post(seat, POSTS[kind], record.big_blind if kind == "bb" else amount) for seat, kind, amount in record.posts
    ]
    big_blind = 1 if len(record.stacks) == 2 else 2
    if record.antes[big_blind - 1] == record.stacks[big_blind - 1]:  # Nothing left to post, but the price stands.
        posts.append(Post(big_blind, PostKind.BIG_BLIND, record.big_blind))
    return posts


def _deck(record: Record) -> Deck:
    """The cards that are known where they were dealt, any others where they were not."""
    front = [hole[k] for k in range(2) for hole in record.holes]
    front += [card for street in record.streets for card in street]
    rest = [card for card in FULL_DECK if card not in front]
    return Deck([rest.pop() if card == UNKNOWN else card for card in front] + rest)
