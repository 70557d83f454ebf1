"""How good a hold'em holding looks, by simple signs. It estimates for a bot; who wins is for the room to say."""

from collections import Counter
from collections.abc import Iterable, Sequence

RANKS = "23456789TJQKA"

_GROUPS = (
    "AA KK QQ JJ AKs",
    "TT AQs AJs KQs AKo",
    "99 JTs QJs KJs ATs AQo",
    "88 T9s QTs 98s J9s KTs KQo AJo",
    "77 87s Q9s T8s 76s 97s 65s A9s A8s A7s A6s A5s A4s A3s A2s KJo QJo JTo",
    "66 55 86s 54s K9s J8s 75s ATo KTo QTo",
    "44 33 22 64s 53s 43s T7s Q8s K8s K7s K6s K5s K4s K3s K2s J9o T9o 98o",
    "96s 85s 74s 42s 32s J7s 87o 76o 65o 54o A9o K9o Q9o J8o T8o",
)
WORST_GROUP = len(_GROUPS) + 1
_GROUP_OF = {name: number for number, names in enumerate(_GROUPS, start=1) for name in names.split()}

HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(9)


def starting_group(cards: Sequence[str]) -> int:
    """From 1, the best starting hands, to ``WORST_GROUP``, those to throw away."""
    high, low = sorted((card[0] for card in cards), key=RANKS.index, reverse=True)
    suited = "" if high == low else "s" if cards[0][1] == cards[1][1] else "o"
    return _GROUP_OF.get(high + low + suited, WORST_GROUP)


def strength(cards: Sequence[str], board: Sequence[str]) -> float:
    """From 0 to 1, what two hole cards make of the board; what lies there for everybody counts for nothing."""
    made, shared = category([*cards, *board]), category(board)
    if made > shared and made not in {PAIR, TWO_PAIR}:
        return {THREE: 0.85, STRAIGHT: 0.9, FLUSH: 0.93}.get(made, 1.0)
    board_ranks = [card[0] for card in board]
    if made == TWO_PAIR and len({card[0] for card in cards} & set(board_ranks)) == 2:
        return 0.8
    return _pair_strength([card[0] for card in cards], board_ranks)


def outs(cards: Sequence[str], board: Sequence[str]) -> int:
    """About how many cards would make a straight or a flush with the hole cards."""
    held = [*cards, *board]
    suits = Counter(card[1] for card in held)
    to_flush = 9 if any(suits[card[1]] == 4 for card in cards) else 0
    mine, theirs = _mask(card[0] for card in held), _mask(card[0] for card in board)
    to_straight = [rank for rank in range(13) if _straight(mine | _bit(rank)) and not _straight(theirs | _bit(rank))]
    return min(15, to_flush + 4 * len(to_straight)) if not _straight(mine) else to_flush


def category(cards: Sequence[str]) -> int:
    """The kind of hand that any five of the cards make."""
    counts = sorted(Counter(card[0] for card in cards).values(), reverse=True)
    suit, suited = Counter(card[1] for card in cards).most_common(1)[0] if cards else ("", 0)
    if suited >= 5 and _straight(_mask(card[0] for card in cards if card[1] == suit)):
        return STRAIGHT_FLUSH
    most, next_most = [*counts, 0, 0][:2]
    signs = (
        (FOUR, most == 4),
        (FULL_HOUSE, most == 3 and next_most >= 2),
        (FLUSH, suited >= 5),
        (STRAIGHT, _straight(_mask(card[0] for card in cards))),
        (THREE, most == 3),
        (TWO_PAIR, most == next_most == 2),
        (PAIR, most == 2),
    )
    return next((kind for kind, there in signs if there), HIGH_CARD)


def _pair_strength(mine: Sequence[str], board: Sequence[str]) -> float:
    """Of a hand that is worth one pair of its own at most."""
    on_board = sorted({RANKS.index(rank) for rank in board}, reverse=True)
    high, low = sorted((RANKS.index(rank) for rank in mine), reverse=True)
    if high == low:
        return 0.72 if high > on_board[0] else 0.45 if len(on_board) > 1 and high > on_board[1] else 0.3
    paired = [rank for rank in (high, low) if rank in on_board]
    if not paired:
        return 0.2 if high == RANKS.index("A") else 0.1
    kicker = low if paired[0] == high else high
    if paired[0] == on_board[0]:
        return 0.66 if kicker >= RANKS.index("T") else 0.57
    return 0.42 if len(on_board) > 1 and paired[0] == on_board[1] else 0.3


def _mask(ranks: Iterable[str]) -> int:
    """One bit a rank; the ace has a second one below the deuce."""
    mask = 0
    for rank in ranks:
        mask |= _bit(RANKS.index(rank))
    return mask


def _bit(rank: int) -> int:
    return 2 << rank | (1 if rank == 12 else 0)


def _straight(mask: int) -> bool:
    return any(mask >> low & 0b11111 == 0b11111 for low in range(10))
