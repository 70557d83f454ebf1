"""The end of a hand: who shows, in which order, and who is paid what."""

from fullring.rules.actions import Chips
from fullring.rules.events import CardsShown, Event, Mucked, PotAwarded, Share
from fullring.rules.pots import Pot, pots
from fullring.rules.state import FOLDED, NOBODY, Hand


def order(hand: Hand) -> list[int]:
    """Live seats as they show: the last to bet or raise on this street, else the button's left, then clockwise."""
    first = 0 if hand.aggressor == NOBODY else hand.aggressor
    return [i for i in [*range(first, hand.size), *range(first)] if hand.status[i] != FOLDED]


def turned_up(hand: Hand) -> list[Event]:
    """All live hands face up, as when no betting is left and cards are still to come."""
    return [CardsShown(hand.seats[i], hand.holes[i]) for i in order(hand) if hand.seats[i] not in hand.started.mucks]


def thrown_away(hand: Hand) -> list[Event]:
    """The live hands that are given up unseen before any is compared, as a recorded hand may say; never the last."""
    mucks = hand.started.mucks
    thrown: list[Event] = [Mucked(hand.seats[i]) for i in order(hand) if hand.seats[i] in mucks] if mucks else []
    return thrown[: hand.live - 1]


def strengths(hand: Hand) -> list[dict[int, int | None]]:
    """For each ranking of the game, what each live seat holds; None does not qualify."""
    live = [i for i in range(hand.size) if hand.status[i] != FOLDED]
    holes = [hand.holes[i] for i in live]
    used = hand.game.hole_used
    return [
        dict(zip(live, ranking.strengths(holes, hand.board, hole_cards_used=used), strict=True))
        for ranking in hand.game.rankings
    ]


def shows(hand: Hand, values: list[dict[int, int | None]]) -> list[Event]:
    """Who shows and who mucks after the last street's betting (docs/rules.md, R18).

    A hand is shown if it is not beaten, in some pot it plays for, by what has been shown for that pot.
    """
    layers = pots(hand)
    best: dict[tuple[int, int], int] = {}
    events: list[Event] = []
    for i in order(hand):
        seat = hand.seats[i]
        if len(hand.shown[i]) == len(hand.holes[i]):
            continue
        matters = hand.started.show_all or bool(hand.shown[i])
        for k, value in enumerate(values):
            mine = value[i]
            if mine is None:
                continue
            for number, pot in enumerate(layers):
                if i in pot.eligible and mine >= best.get((k, number), mine):
                    best[k, number] = mine
                    matters = True
        events.append(CardsShown(seat, hand.holes[i], values[0][i]) if matters else Mucked(seat))
    return events


def awards(hand: Hand, values: list[dict[int, int | None]]) -> list[Event]:
    """What every pot pays, the last side pot first. The rake is rounded down, its cap used up from the main pot on."""
    seats, started = hand.seats, hand.started
    cap = started.rake_cap if hand.board else 0  # No flop, no rake.
    awarded: list[Event] = []
    for number, pot in enumerate(pots(hand)):
        rake = min(pot.amount * started.rake_bps // 10_000, cap)
        cap -= rake
        shares = [Share(seats[i], amount) for i, amount in _split(pot, pot.amount - rake, values) if amount]
        eligible = tuple([seats[i] for i in pot.eligible])
        awarded.append(PotAwarded(number, pot.amount, eligible, tuple(shares), rake))
    awarded.reverse()
    return awarded


def _split(pot: Pot, amount: Chips, values: list[dict[int, int | None]]) -> list[tuple[int, Chips]]:
    """Each winner's part. Odd chips go one by one to the winners nearest the button's left; high takes the odd half."""
    if len(pot.eligible) == 1:
        return [(pot.eligible[0], amount)]
    sides = [winners for value in values if (winners := _best(pot, value))]
    paid: dict[int, Chips] = dict.fromkeys(pot.eligible, 0)
    half, odd = divmod(amount, len(sides))
    for k, winners in enumerate(sides):
        share, odd_chips = divmod(half + (k < odd), len(winners))
        for place, i in enumerate(winners):
            paid[i] += share + (place < odd_chips)
    return list(paid.items())


def _best(pot: Pot, value: dict[int, int | None]) -> list[int]:
    held = [(mine, i) for i in pot.eligible if (mine := value[i]) is not None]
    top = max([mine for mine, _ in held], default=None)
    return [i for mine, i in held if mine == top]
