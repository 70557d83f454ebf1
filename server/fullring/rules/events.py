"""What happens in a hand, with every fact that a viewer, a journal and a history need.

No event but ``HandStarted`` holds a hidden card, and that one only inside its deck, which never prints.
"""

from dataclasses import field
from enum import StrEnum

from fullring.rules.actions import Action, Auto, Chips, SeatNo
from fullring.rules.cards import Card, Deck
from fullring.rules.value import value


class PostKind(StrEnum):
    """Forced bets. They differ in what they do to the betting.

    The first four count towards the seat's bet. Of these a big blind and a straddle also move the first to act;
    ``LIVE`` (a newcomer's or returning player's big blind) does not. An ``ANTE`` is matched seat by seat, so a short
    one contests only what it matches; a dead blind and a big-blind ante go to the middle for everybody.
    """

    SMALL_BLIND = "small_blind"
    BIG_BLIND = "big_blind"
    STRADDLE = "straddle"
    LIVE = "live"
    ANTE = "ante"
    BIG_BLIND_ANTE = "big_blind_ante"
    DEAD_BLIND = "dead_blind"


@value
class Post:
    """A forced bet as it is due. Short stacks post what they have."""

    seat: SeatNo
    kind: PostKind
    amount: Chips


@value
class Stake:
    """A seat dealt in, with its stack before anything is posted."""

    seat: SeatNo
    stack: Chips


@value
class HandStarted:
    """A hand begins. Everything that decides its course, apart from what the players do, stands here.

    ``seats`` are the seats dealt in, clockwise from the first left of the button, so heads-up the big blind is first
    and the button second. ``button`` may be an empty seat (dead button). ``posts`` are in the order they are paid.
    ``min_bet`` is the smallest bet and raise; in fixed limit the bet of the first two streets, ``big_bet`` that of the
    last two. ``rake_bps`` is in hundredths of a percent of each pot, ``rake_cap`` the most a hand pays. ``mucks`` are
    seats that throw their cards away at a showdown; a played hand has none, a hand read from a file may.
    """

    hand: str
    number: int
    game: str
    button: SeatNo
    seats: tuple[Stake, ...]
    posts: tuple[Post, ...]
    min_bet: Chips
    big_bet: Chips
    deck: Deck = field(repr=False)
    show_all: bool = False
    rake_bps: int = 0
    rake_cap: Chips = 0
    mucks: tuple[SeatNo, ...] = ()


@value
class Posted:
    """``due`` is what was owed; ``amount`` is less only when it took the whole stack."""

    seat: SeatNo
    kind: PostKind
    amount: Chips
    due: Chips
    all_in: bool


@value
class HoleCardsDealt:
    """``count`` cards from the deck to each of ``seats``, one at a time, clockwise."""

    seats: tuple[SeatNo, ...]
    count: int


@value
class Acted:
    """``amount`` is the chips added, ``to`` the seat's total for the street."""

    seat: SeatNo
    action: Action
    amount: Chips
    to: Chips
    all_in: bool
    auto: Auto | None = None


@value
class TurnStarted:
    """It is this seat's turn, the ``turn``-th of the hand, counted from 1."""

    seat: SeatNo
    turn: int


@value
class Abandoned:
    """The seat's player has left during the hand; nobody waits for the seat any more."""

    seat: SeatNo


@value
class StreetDealt:
    street: str
    cards: tuple[Card, ...]


@value
class UncalledReturned:
    seat: SeatNo
    amount: Chips


@value
class CardsShown:
    """``ranking`` is the strength on the full board; None while the board is short or for cards shown in part."""

    seat: SeatNo
    cards: tuple[Card, ...]
    ranking: int | None = None


@value
class Mucked:
    seat: SeatNo


@value
class Share:
    seat: SeatNo
    amount: Chips


@value
class PotAwarded:
    """``pot`` counts from 0, the main pot. ``amount`` is before ``rake``; the winners' shares are after it."""

    pot: int
    amount: Chips
    eligible: tuple[SeatNo, ...]
    winners: tuple[Share, ...]
    rake: Chips = 0


@value
class HandEnded:
    """``stacks`` of all seats dealt in, in the order of ``HandStarted.seats``."""

    stacks: tuple[Stake, ...]
    rake: Chips = 0


@value
class HandVoided:
    """The hand cannot go on: ``stacks`` are those it began with."""

    reason: str
    stacks: tuple[Stake, ...]


Event = (
    HandStarted
    | Posted
    | HoleCardsDealt
    | Acted
    | TurnStarted
    | Abandoned
    | StreetDealt
    | UncalledReturned
    | CardsShown
    | Mucked
    | PotAwarded
    | HandEnded
    | HandVoided
)
