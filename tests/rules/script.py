"""A hand that was played, as the text that ``tests.scenario`` plays again: to see what went wrong, and to keep it."""

from collections.abc import Sequence

from fullring.rules.actions import Action
from fullring.rules.cards import texts
from fullring.rules.events import Acted, Event, HandStarted, PotAwarded, StreetDealt
from fullring.rules.game import Game, Structure

WORDS = {
    Action.FOLD: "folds",
    Action.CHECK: "checks",
    Action.CALL: "calls",
    Action.BET: "bets",
    Action.RAISE: "raises to",
}


def script(game: Game, events: Sequence[Event]) -> str:
    """Seat k is called Sk. Seats must be numbered from 1 and listed from the button's left, the button last."""
    started = events[0]
    assert isinstance(started, HandStarted)
    bets = f"{started.min_bet}/{started.big_bet}" if game.structure is Structure.FIXED_LIMIT else f"1/{started.min_bet}"
    lines = [f"{game.structure.replace('_', '-')} {bets}"]
    size = len(started.seats)
    for i, stake in enumerate(started.seats):
        hole = texts(started.deck[i : size * game.streets[0].hole : size])
        lines.append(f"S{stake.seat} {stake.stack} {hole}" + (" button" if i == size - 1 else ""))
    lines += [f"S{post.seat} posts {post.kind.replace('_', ' ')} {post.amount}" for post in started.posts]
    for event in events:
        match event:
            case StreetDealt(street, cards):
                lines.append(f"{street} {texts(cards)}")
            case Acted(seat, action, amount, to):
                chips = {Action.CALL: f" {amount}", Action.BET: f" {to}", Action.RAISE: f" {to}"}.get(action, "")
                lines.append(f"S{seat} {WORDS[action]}{chips}")
            case PotAwarded(pot, amount, _, winners):
                shares = ", ".join(f"S{share.seat} {share.amount}" for share in winners)
                lines.append(f"{f'side pot {pot}' if pot else 'main pot'} {amount}: {shares}")
            case _:
                pass
    return "\n".join(lines)
