"""Hands written as text that reads like a hand history, played through the rules line by line.

    no-limit 50/100
    Ann 1000 AsKd                             # seats are listed clockwise and numbered from 1
    Bob 1000
    Cid 325 button

    Cid goes all-in for 325                   # what a player does
    Ann may call 275 or raise to 525-1000     # exactly what the rules allow at this moment
    Ann can't raise to 524: bad_amount        # refused, and nothing has changed
    Ann calls 275
    Bob folds
    flop Ac7h2s                               # what must happen by itself, in this order
    ...
    main pot 750: Ann 750

Cards that are not named are any others. A kind of event that is mentioned at all must be mentioned whenever it happens.
"""

import re
from collections.abc import Callable
from typing import Final, TypeVar

from fullring.rules.actions import Act, Action, Command, Leave, Legal, Show
from fullring.rules.cards import Card, Deck, parse
from fullring.rules.events import (
    Acted,
    CardsShown,
    Event,
    HandStarted,
    Mucked,
    Post,
    PostKind,
    PotAwarded,
    Stake,
    StreetDealt,
    UncalledReturned,
)
from fullring.rules.game import FIXED_LIMIT_HOLDEM, NO_LIMIT_HOLDEM, POT_LIMIT_HOLDEM, Game
from fullring.rules.hand import decide, legal, start
from fullring.rules.refusals import Refused
from fullring.rules.state import Hand
from tests.rules.soundness import apply, check_turn, facts, fold, refusal

E = TypeVar("E", bound=Event)

CARDS: Final = r"(?:[2-9TJQKA][cdhs])+"
TITLE: Final = re.compile(r"(no-limit|pot-limit|fixed-limit) (\d+)/(\d+)(.*)")
SEAT: Final = re.compile(rf"(\w+)(?: (\d+))?(?: ({CARDS}))?( button)?")
POST: Final = re.compile(rf"(\w+) posts ({'|'.join(kind.replace('_', ' ') for kind in PostKind)}) (\d+)")
STREET: Final = re.compile(rf"(flop|turn|river) ({CARDS})")
GAMES: Final = {"no-limit": NO_LIMIT_HOLDEM, "pot-limit": POT_LIMIT_HOLDEM, "fixed-limit": FIXED_LIMIT_HOLDEM}
DOES: Final = {
    "folds": Action.FOLD,
    "checks": Action.CHECK,
    "calls": Action.CALL,
    "bets": Action.BET,
    "raises to": Action.RAISE,
    "goes all-in": Action.ALL_IN,
}
TRIES: Final = {
    "fold": Action.FOLD,
    "check": Action.CHECK,
    "call": Action.CALL,
    "bet": Action.BET,
    "raise to": Action.RAISE,
    "go all-in": Action.ALL_IN,
}


def play(text: str, game: Game | None = None) -> "Scenario":
    """Play the whole text. AssertionError, with the line, where the rules do something else."""
    lines = [line for raw in text.splitlines() if (line := raw.partition("#")[0].strip())]
    scenario = _begin(lines, game)
    for line in lines:
        try:
            scenario.read(line)
        except (AssertionError, Refused) as fault:
            raise AssertionError(f"{line}\n{fault}") from fault
    scenario.finish()
    return scenario


def offered(legal: Legal) -> str:
    """``call 50 or raise to 200-1000``; folding is always allowed and goes without saying."""
    if legal.call is None:
        words = "check"
    else:
        words = f"call {legal.call}" + (" all-in" if legal.all_in is not None and legal.to_max is None else "")
    if legal.to_max is None:
        return words
    amounts = str(legal.to_max) if legal.to_min == legal.to_max else f"{legal.to_min}-{legal.to_max}"
    return f"{words} or {'bet' if legal.opens else 'raise to'} {amounts}"


class Scenario:
    """A hand being played. ``hand`` and ``events`` are the rules' own, for what no line can say."""

    def __init__(self, started: HandStarted, game: Game, names: dict[str, int]) -> None:
        self.game = game
        self.names = names
        self.events = start(started, game)
        self.hand = Hand(started, game)
        apply(self.hand, self.events[1:])
        self.at = 0  # What happened before this event is behind us.
        self.mentioned: list[type[object]] = []

    def read(self, line: str) -> None:
        for pattern, method in LINES:
            if found := re.fullmatch(pattern, line):
                method(self, *found.groups())
                return
        raise AssertionError("this is not a line that a scenario knows")

    def finish(self) -> None:
        """Nothing of a kind that was mentioned has gone unmentioned, and the events alone make the same hand."""
        for kind in set(self.mentioned):
            happened = [event for event in self.events if isinstance(event, kind)]
            assert len(happened) == self.mentioned.count(kind), f"this happened: {happened}"
        assert facts(fold(self.events, self.game)) == facts(self.hand)

    def does(self, name: str, verb: str, amount: str | None) -> None:
        """The amount of a call is what it adds, of anything else where the bet stands. The rules must agree."""
        action = DOES[verb]
        to = int(amount) if amount and action in (Action.BET, Action.RAISE) else None
        [event, *_] = self.decide(Act(self.names[name], action, to))
        assert isinstance(event, Acted)
        assert amount is None or int(amount) == (event.amount if action is Action.CALL else event.to), event

    def leaves(self, name: str) -> None:
        self.decide(Leave(self.names[name]))

    def turns_up(self, name: str, cards: str) -> None:
        self.decide(Show(self.names[name], parse(cards)))

    def cannot(self, name: str, what: str, amount: str | None, code: str | None) -> None:
        self.refused(Act(self.names[name], TRIES[what], int(amount) if amount else None), code)

    def cannot_turn_up(self, name: str, cards: str, code: str | None) -> None:
        self.refused(Show(self.names[name], parse(cards)), code)

    def may(self, name: str, what: str) -> None:
        allowed = legal(self.hand)
        assert allowed is not None, "nobody is to act"
        assert allowed.seat == self.names[name], f"seat {allowed.seat} is to act"
        assert what == offered(allowed), f"allowed is: {offered(allowed)}"
        check_turn(self.hand)

    def is_acted_for(self, name: str, verb: str) -> None:
        event = self.next(Acted, lambda event: event.auto is not None)
        assert (event.seat, event.action) == (self.names[name], TRIES[verb]), event

    def street(self, name: str, cards: str) -> None:
        event = self.next(StreetDealt)
        assert (event.street, event.cards) == (name, parse(cards)), event

    def gets_back(self, name: str, amount: str) -> None:
        event = self.next(UncalledReturned)
        assert (event.seat, event.amount) == (self.names[name], int(amount)), event

    def shows(self, name: str, cards: str | None) -> None:
        event = self.next(CardsShown)
        assert event.seat == self.names[name], event
        assert cards is None or event.cards == parse(cards), event

    def mucks(self, name: str) -> None:
        event = self.next(Mucked)
        assert event.seat == self.names[name], event

    def pot(self, number: str | None, amount: str, rake: str | None, shares: str) -> None:
        """``main pot 300 less 15: Ann 143, Bob 142``; side pots are numbered from 1 and settled before it."""
        event = self.next(PotAwarded)
        won = {(self.names[name], int(chips)) for name, chips in (share.split() for share in shares.split(", "))}
        assert (event.pot, event.amount, event.rake) == (int(number or 0), int(amount), int(rake or 0)), event
        assert {(share.seat, share.amount) for share in event.winners} == won, event

    def has(self, name: str, amount: str) -> None:
        stack = self.hand.stakes()[self.names[name]]
        assert stack == int(amount), f"{name} has {stack}"

    def is_over(self) -> None:
        assert self.hand.over, f"seat {self.hand.seat_to_act} is to act"

    def decide(self, command: Command) -> list[Event]:
        events = decide(self.hand, command)
        apply(self.hand, events)
        self.events += events
        return events

    def refused(self, command: Command, code: str | None) -> None:
        refused = refusal(self.hand, command)
        assert refused is not None, "that was accepted"
        assert code in (None, refused.code), refused

    def next(self, kind: type[E], wanted: Callable[[E], bool] | None = None) -> E:
        """The next event of this kind. Those of other kinds in between were not worth a line."""
        if wanted is None:
            self.mentioned.append(kind)
        for at, event in enumerate(self.events[self.at :], self.at + 1):
            if isinstance(event, kind) and (wanted is None or wanted(event)):
                self.at = at
                return event
        raise AssertionError(f"no {kind.__name__} happened after {self.events[self.at - 1]}")


LINES: Final[tuple[tuple[str, Callable[..., None]], ...]] = (
    (rf"(\w+) ({'|'.join(DOES)})(?:(?: for)? (\d+))?", Scenario.does),
    (r"(\w+) leaves", Scenario.leaves),
    (rf"(\w+) turns up ({CARDS})", Scenario.turns_up),
    (rf"(\w+) can't ({'|'.join(TRIES)})(?: (\d+))?(?:: (\w+))?", Scenario.cannot),
    (rf"(\w+) can't turn up ({CARDS})(?:: (\w+))?", Scenario.cannot_turn_up),
    (r"(\w+) may (.+)", Scenario.may),
    (r"(\w+) is (check|fold)ed", Scenario.is_acted_for),
    (STREET.pattern, Scenario.street),
    (r"(\w+) gets (\d+) back", Scenario.gets_back),
    (rf"(\w+) shows(?: ({CARDS}))?", Scenario.shows),
    (r"(\w+) mucks", Scenario.mucks),
    (r"(?:main pot|side pot (\d)) (\d+)(?: less (\d+))?: (.+)", Scenario.pot),
    (r"(\w+) has (\d+)", Scenario.has),
    (r"the hand is over", Scenario.is_over),
)


def _begin(lines: list[str], game: Game | None) -> Scenario:
    """Take the title, the seats and the posts off ``lines``."""
    title = TITLE.fullmatch(lines.pop(0))
    assert title is not None, "the first line names the game and its blinds"
    game = game or GAMES[title[1]]
    names: dict[str, int] = {}
    seats: list[tuple[Stake, tuple[Card, ...]]] = []
    button = 0
    while lines and (found := SEAT.fullmatch(lines[0])) and (found[2] or found[4]):
        del lines[0]
        names[found[1]] = len(names) + 1
        if found[4]:
            button = names[found[1]]
        if found[2]:
            seats.append((Stake(names[found[1]], int(found[2])), parse(found[3] or "")))
    seats.sort(key=lambda seat: (seat[0].seat <= button, seat[0].seat))
    stakes = tuple(stake for stake, _ in seats)
    posts = []
    while lines and (found := POST.fullmatch(lines[0])):
        del lines[0]
        posts.append(Post(names[found[1]], PostKind(found[2].replace(" ", "_")), int(found[3])))
    small, big = int(title[2]), int(title[3])
    blinds = (small // 2, small) if title[1] == "fixed-limit" else (small, big)
    board = [card for line in lines if (street := STREET.fullmatch(line)) for card in parse(street[2])]
    started = HandStarted(
        hand="scenario",
        number=1,
        game=game.code,
        button=button,
        seats=stakes,
        posts=tuple(posts or _forced_bets(stakes, blinds, title[4])),
        min_bet=blinds[1],
        big_bet=big,
        deck=_deck(game, [cards for _, cards in seats], board),
        show_all="all hands shown" in title[4],
        rake_bps=100 * _option(title[4], "rake"),
        rake_cap=_option(title[4], "at most") or 10**9,
    )
    return Scenario(started, game, names)


def _option(options: str, name: str) -> int:
    found = re.search(rf", {name} (\d+)", options)
    return int(found[1]) if found else 0


def _forced_bets(stakes: tuple[Stake, ...], blinds: tuple[int, int], options: str) -> list[Post]:
    """Antes, the blinds, and an ante that the big blind pays for all. ``stakes`` begin left of the button."""
    small, big = (1, 0) if len(stakes) == 2 else (0, 1)
    ante, for_all = _option(options, "ante"), _option(options, "big blind ante")
    posts = [Post(stake.seat, PostKind.ANTE, ante) for stake in stakes if ante]
    posts.append(Post(stakes[small].seat, PostKind.SMALL_BLIND, blinds[0]))
    posts.append(Post(stakes[big].seat, PostKind.BIG_BLIND, blinds[1]))
    if for_all:
        posts.append(Post(stakes[big].seat, PostKind.BIG_BLIND_ANTE, for_all))
    return posts


def _deck(game: Game, holes: list[tuple[Card, ...]], board: list[Card]) -> Deck:
    named = {*board, *(card for hole in holes for card in hole)}
    others = [card for card in game.deck if card not in named]
    size = game.streets[0].hole
    full = [hole or tuple([others.pop(0) for _ in range(size)]) for hole in holes]
    return Deck([*(hole[k] for k in range(size) for hole in full), *board, *others])
