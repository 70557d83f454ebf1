"""Cards, chips and events as people say them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from rich.text import Text

from fullring.wire.events import (
    Acted,
    CardsShown,
    Chatted,
    ConnectionChanged,
    Event,
    HandEnded,
    HandStarted,
    HandVoided,
    HoleCardsDealt,
    Left,
    Mucked,
    Posted,
    PotAwarded,
    SatIn,
    SatOut,
    Seated,
    SettingsChanged,
    StreetDealt,
    TableClosed,
    TablePaused,
    TableResumed,
    TimeBankStarted,
    ToppedUp,
    TurnStarted,
    UncalledReturned,
)

GAMES = {"nlhe": "no-limit hold'em", "plhe": "pot-limit hold'em", "flhe": "fixed-limit hold'em"}
SUITS = {"s": ("♠", "bold white"), "h": ("♥", "bold red"), "d": ("♦", "bold cyan"), "c": ("♣", "bold green")}
HIDDEN = "░░"

_POSTS = {
    "small_blind": "posts the small blind of",
    "big_blind": "posts the big blind of",
    "ante": "posts an ante of",
    "dead_blind": "posts a dead blind of",
    "straddle": "straddles for",
}
_AUTO = {"timeout": "time is up", "away": "away", "left": "has left", "armed": "as decided before"}


def chips(amount: int) -> str:
    return f"{amount:,}"


def card(name: str) -> Text:
    suit, style = SUITS[name[1]]
    return Text(("10" if name[0] == "T" else name[0]) + suit, style)


def cards(names: Iterable[str]) -> Text:
    return Text(" ").join(card(name) for name in names)


def say(event: Event, names: Mapping[int, str]) -> Text | None:
    """A line for the log, None where there is nothing to say. ``names`` are the players' by seat."""

    def who(seat: int) -> str:
        return names.get(seat, f"seat {seat}")

    match event:
        case HandStarted():
            return Text(f"— hand {event.number} —", "bold")
        case Posted():
            return Text(f"{who(event.seat)} {_POSTS[event.kind]} {chips(event.amount)}{_all_in(event.all_in)}", "dim")
        case Acted():
            return Text(f"{who(event.seat)} {_action(event)}")
        case StreetDealt():
            return Text(f"{event.street.capitalize()}: ", "bold") + cards(event.board)
        case UncalledReturned():
            return Text(f"{chips(event.amount)} uncalled, back to {who(event.seat)}", "dim")
        case CardsShown():
            shown = Text(f"{who(event.seat)} shows ") + cards(event.cards)
            return shown + Text(f", {event.rank.text}") if event.rank else shown
        case Mucked():
            return Text(f"{who(event.seat)} mucks", "dim")
        case PotAwarded():
            pot = "the pot" if event.pot == 0 else f"side pot {event.pot}"
            wins = ", ".join(f"{who(share.seat)} wins {chips(share.amount)}" for share in event.winners)
            return Text(f"{wins} from {pot}", "bold yellow")
        case HandVoided():
            return Text(f"The hand is void, all chips go back: {event.reason}", "bold red")
        case Chatted():
            return Text(f"{event.name}: {event.text}", "italic")
        case HoleCardsDealt() | TurnStarted() | HandEnded():
            return None
        case TimeBankStarted():
            return Text(f"{who(event.seat)} takes time from the bank", "dim")
        case Seated() | Left() | SatOut() | SatIn() | ToppedUp():
            return Text(f"{event.name} {_seat_change(event)}", "dim")
        case ConnectionChanged():
            return Text(f"{who(event.seat)} {'is back' if event.connected else 'has lost the connection'}", "dim")
        case TablePaused():
            return Text(f"The table is paused: {event.reason}", "bold red")
        case TableResumed():
            return Text(f"The table goes on: {event.reason}", "bold green")
        case SettingsChanged():
            when = "from the next hand on" if event.next_hand else "from now on"
            return Text(f"Other settings {when}: {', '.join(_settings(event))}", "bold yellow")
        case TableClosed():
            return Text(f"The table is closed: {event.reason}", "bold red")
        case _:
            assert_never(event)


def _settings(event: SettingsChanged) -> Iterator[str]:
    """What the game is and what it costs. An ante and a rake are named where there are any."""
    to = event.settings
    yield event.name
    yield GAMES[event.game]
    yield f"{chips(to.small_blind)}/{chips(to.big_blind)}"
    if ante := to.ante or to.big_blind_ante:
        yield f"ante {chips(ante)}"
    if to.rake_bps:
        yield f"rake {to.rake_bps / 100:g} %"


def _action(event: Acted) -> str:
    match event.action:
        case "fold":
            done = "folds"
        case "check":
            done = "checks"
        case "call":
            done = f"calls {chips(event.amount)}"
        case "bet":
            done = f"bets {chips(event.to)}"
        case "raise":
            done = f"raises to {chips(event.to)}"
        case "all_in":
            return f"goes all-in for {chips(event.to)}{_because(event)}"
        case _:
            assert_never(event.action)
    return done + _all_in(event.all_in) + _because(event)


def _all_in(all_in: bool) -> str:
    return " and is all-in" if all_in else ""


def _because(event: Acted) -> str:
    return f" ({_AUTO[event.auto]})" if event.auto else ""


def _seat_change(event: Seated | Left | SatOut | SatIn | ToppedUp) -> str:
    match event:
        case Seated():
            done = f"sits down with {chips(event.stack)}"
        case Left():
            done = f"leaves with {chips(event.stack)}"
        case SatOut():
            done = "sits out"
        case SatIn():
            done = "is back in"
        case ToppedUp():
            done = f"now has {chips(event.stack)}"
        case _:
            assert_never(event)
    reason = "" if event.reason == event.type else event.reason
    return f"{done} ({reason.replace('_', ' ')})" if reason else done
