"""A table as text, 80 columns by 13 rows: seats around the board, one's own at the bottom; and the lines about it."""

from collections.abc import Mapping
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from fullring.wire.server import Account
from fullring.wire.view import HandView, SeatView, TableView, You
from fullring_client.terminal.words import GAMES, HIDDEN, card, chips

WIDTH = 80
HEIGHT = 13
BLOCK = 18
_BAR = 20

_STATES = {
    "active": "",
    "folded": "folded",
    "all_in": "all-in",
    "sitting_out": "sitting out",
    "waiting": "waiting",
}
_SAID_BY_STATE = {"fold", "all_in"}


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a seat is drawn, and where the bet in front of it stands."""

    x: int
    y: int

    @property
    def bet_at(self) -> tuple[int, int]:
        """The column of the bet's middle, and its row."""
        if self.y == _MIDDLE:
            return (23, _MIDDLE) if self.x < WIDTH // 2 else (WIDTH - 24, _MIDDLE)
        return self.x + BLOCK // 2, (3 if self.y == 0 else 9)


_MIDDLE, _BOTTOM = 5, 10
_LEFT, _RIGHT = _Place(0, _MIDDLE), _Place(WIDTH - BLOCK, _MIDDLE)
_TOP = {
    1: [_Place(31, 0)],
    2: [_Place(13, 0), _Place(49, 0)],
    3: [_Place(6, 0), _Place(31, 0), _Place(56, 0)],
    4: [_Place(1, 0), _Place(21, 0), _Place(41, 0), _Place(61, 0)],
}
_OWN, _BOTTOM_LEFT, _BOTTOM_RIGHT = _Place(31, _BOTTOM), _Place(6, _BOTTOM), _Place(56, _BOTTOM)
_FOUR_BELOW = [_Place(x, _BOTTOM) for x in (1, 21, 41, 61)]

# Clockwise from one's own seat, by the table's number of seats.
_PLACES: dict[int, list[_Place]] = {
    2: [_OWN, *_TOP[1]],
    3: [_OWN, *_TOP[2]],
    4: [_OWN, _LEFT, *_TOP[1], _RIGHT],
    5: [_OWN, _LEFT, *_TOP[2], _RIGHT],
    6: [_OWN, _LEFT, *_TOP[3], _RIGHT],
    7: [_OWN, _BOTTOM_LEFT, _LEFT, *_TOP[2], _RIGHT, _BOTTOM_RIGHT],
    8: [_OWN, _BOTTOM_LEFT, _LEFT, *_TOP[3], _RIGHT, _BOTTOM_RIGHT],
    9: [_OWN, _BOTTOM_LEFT, _LEFT, *_TOP[4], _RIGHT, _BOTTOM_RIGHT],
    10: [_FOUR_BELOW[1], _FOUR_BELOW[0], _LEFT, *_TOP[4], _RIGHT, _FOUR_BELOW[3], _FOUR_BELOW[2]],
}


def draw(view: TableView, you: You | None) -> Text:
    """The whole table. Who only looks on sees seat 1 at the bottom."""
    canvas = _Canvas()
    places = _PLACES[view.settings.seats]
    first = you.seat if you else 1
    taken = {seat.seat: seat for seat in view.seats}
    for number in range(1, view.settings.seats + 1):
        place = places[(number - first) % view.settings.seats]
        seat = taken.get(number)
        if seat is None:
            canvas.put(place.x, place.y + 1, Text(_fit(f"  seat {number}: free"), "dim"))
            continue
        mine = you if you and you.seat == number else None
        for row, line in enumerate(_seat_lines(seat, view, mine)):
            canvas.put(place.x, place.y + row, line)
        if seat.bet:
            column, row = place.bet_at
            canvas.centre(column, row, Text(f"● {chips(seat.bet)}", "yellow"))
    if view.hand:
        _draw_middle(canvas, view.hand, you)
    else:
        canvas.centre(WIDTH // 2, _MIDDLE + 1, Text(view.reason or _between_hands(view), "dim"))
    return canvas.text()


def head(view: TableView, account: Account | None) -> Text:
    """The line above the table: what is played here, and who we are."""
    settings = view.settings
    stakes = f"{GAMES[view.game]} {chips(settings.small_blind)}/{chips(settings.big_blind)}"
    hand = f" · hand {view.hand.number}" if view.hand else ""
    who = account.name if account else "looking on"
    left = set_cell_size(f"{view.name} · {stakes}{hand}", WIDTH - 3 - cell_len(who))
    return Text(f"{left} {who}", no_wrap=True)


def clock(view: TableView, you: You | None, now_ms: int, names: Mapping[int, str]) -> Text:
    """Whose turn it is, and what is left of it on the room's clock."""
    turn = view.hand.turn if view.hand else None
    if turn is None or view.status == "paused":
        return Text(view.reason or "", "bold red" if view.status == "paused" else "dim")
    left = max(0, turn.deadline - now_ms)
    share = min(1.0, left / max(1, view.settings.turn_seconds * 1000))
    bar = "█" * round(share * _BAR)
    mine = you is not None and you.seat == turn.seat
    who = "Your turn" if mine else f"{names.get(turn.seat, f'seat {turn.seat}')} to act"
    bank = f" · time bank {turn.time_bank_ms // 1000} s" if mine and turn.time_bank_ms else ""
    style = ("bold red" if left < 8_000 else "bold green") if mine else "dim"
    return Text(f"{who}  {bar.ljust(_BAR, '░')} {-(-left // 1000)} s{bank}", style, no_wrap=True)


def _seat_lines(seat: SeatView, view: TableView, you: You | None) -> list[Text]:
    to_act = bool(view.hand and view.hand.turn and view.hand.turn.seat == seat.seat)
    button = " Ⓓ" if view.button == seat.seat else ""
    bot = " (bot)" if seat.kind == "bot" else ""
    name = set_cell_size(seat.name, min(cell_len(seat.name), BLOCK - 2 - cell_len(button + bot)))
    gone = seat.state in {"folded", "sitting_out", "waiting"}
    style = "reverse bold" if to_act else "dim" if gone else "bold" if you else ""
    state = "offline" if not seat.connected else _STATES[seat.state]
    shown = list(you.cards) if you and you.cards else seat.cards or []
    held = Text(" ").join([card(name) for name in shown] or [Text(HIDDEN, "dim blue")] * seat.holds)
    if seat.state == "folded":
        held.stylize("dim strike")
    action = "" if seat.last_action in _SAID_BY_STATE else seat.last_action or ""
    return [
        Text(_fit(f"{'▸ ' if to_act else '  '}{name}{bot}{button}"), style),
        Text(_fit(f"  {chips(seat.stack)}  {state}"), "dim" if gone else ""),
        Text("  ") + held + Text(f"  {action}", "italic dim"),
    ]


def _draw_middle(canvas: "_Canvas", hand: HandView, you: You | None) -> None:
    board = [card(name) for name in hand.board] + [Text("··", "dim")] * (5 - len(hand.board))
    canvas.centre(WIDTH // 2, _MIDDLE - 1, Text(hand.street, "dim"))
    canvas.centre(WIDTH // 2, _MIDDLE, Text("  ").join(board))
    if hand.pots:
        pots = " + ".join(chips(pot.amount) for pot in hand.pots)
        canvas.centre(
            WIDTH // 2, _MIDDLE + 1, Text(f"pot {pots}" if len(hand.pots) == 1 else f"pots {pots}", "bold yellow")
        )
    if you and you.rank:
        canvas.centre(WIDTH // 2, _MIDDLE + 2, Text(you.rank.text, "green"))


def _between_hands(view: TableView) -> str:
    return {
        "waiting": "waiting for players",
        "playing": "the next hand starts soon",
        "paused": "paused",
        "closing": "this table is closing",
    }[view.status]


def _fit(text: str) -> str:
    return set_cell_size(text, BLOCK)


class _Canvas:
    """Rows of text put at columns. What would cover something put before is moved to its right."""

    def __init__(self) -> None:
        self._rows: list[list[tuple[int, Text]]] = [[] for _ in range(HEIGHT)]

    def put(self, column: int, row: int, text: Text) -> None:
        self._rows[row].append((column, text))

    def centre(self, column: int, row: int, text: Text) -> None:
        self.put(max(0, column - cell_len(text.plain) // 2), row, text)

    def text(self) -> Text:
        return Text("\n").join(_row(row) for row in self._rows)


def _row(parts: list[tuple[int, Text]]) -> Text:
    row = Text(no_wrap=True)
    for column, text in sorted(parts, key=lambda part: part[0]):
        row.append(" " * max(0, column - cell_len(row.plain)))
        row.append_text(text)
    return row
