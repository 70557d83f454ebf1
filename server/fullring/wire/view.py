"""How a table stands, as everybody may see it, and the one part that only a seat's own player gets."""

from typing import Annotated, Literal

from pydantic import Field

from fullring.wire.fields import (
    AccountKind,
    ActionName,
    ArmedAction,
    Card,
    Chips,
    Count,
    GameCode,
    Id,
    Maybe,
    Millis,
    SeatNo,
    Shape,
    Street,
    Time,
)


class Range(Shape):
    """Street totals, from the least to the most. Equal where only one amount is allowed."""

    min: Chips
    max: Chips


class Actions(Shape):
    """All that the seat to act may do. ``call`` is the chips a call adds; the other amounts are street totals."""

    fold: bool
    check: bool
    call: Maybe[Chips] = None
    bet: Maybe[Range] = None
    raise_: Annotated[Maybe[Range], Field(alias="raise")] = None
    all_in: Maybe[Chips] = None


class Turn(Shape):
    """Whose turn it is. After ``deadline`` the time bank runs, where there is one, and then the table acts."""

    id: Id
    seat: SeatNo
    deadline: Time
    time_bank_ms: Millis
    actions: Actions


class Pot(Shape):
    """What earlier streets put in, and the seats that may win it. The main pot comes first."""

    amount: Chips
    eligible: list[SeatNo]


class HandView(Shape):
    id: Id
    number: Count
    street: Street
    board: list[Card]
    pots: list[Pot]
    turn: Maybe[Turn] = None


class SeatView(Shape):
    """A taken seat. ``bet`` is what it has put in on this street; ``holds`` counts its hidden cards.

    ``pending`` is a top-up that comes to the stack between hands, ``rank`` what the shown cards make with the board.
    """

    seat: SeatNo
    account: Id
    name: str
    kind: AccountKind
    stack: Chips
    bet: Chips
    state: Literal["active", "folded", "all_in", "sitting_out", "waiting"]
    connected: bool
    cards: Maybe[list[Card]] = None
    rank: Maybe["Rank"] = None
    holds: Count
    last_action: Maybe[ActionName] = None
    pending: Maybe[Chips] = None
    time_bank_ms: Millis


class Settings(Shape):
    """What was chosen when the table was opened. ``join_code``: one is needed to sit."""

    seats: Annotated[int, Field(ge=2, le=10)]
    small_blind: Chips
    big_blind: Chips
    ante: Chips = 0
    big_blind_ante: Chips = 0
    buy_in_min: Chips
    buy_in_max: Chips
    turn_seconds: Annotated[float, Field(gt=0)] = 30
    time_bank_seconds: Annotated[float, Field(ge=0)] = 30
    hand_pause_ms: Maybe[Millis] = None
    jitter_ms: Maybe[Millis] = None
    show_all: bool = False
    dead_button: bool = False
    ratholing_minutes: Count = 60
    rake_bps: Annotated[int, Field(ge=0, le=10_000)] = 0
    rake_cap: Chips = 0
    join_code: bool = False


class TableView(Shape):
    """The whole public view of a table: any one is enough to play on. ``seats`` are the taken ones, in their order."""

    name: str
    game: GameCode
    settings: Settings
    status: Literal["waiting", "playing", "paused", "closing"]
    reason: Maybe[str] = None
    hand: Maybe[HandView] = None
    button: Maybe[SeatNo] = None
    seats: list[SeatView]


class TableInfo(Shape):
    """A table in the lobby's list. ``seats`` counts all, ``taken`` those with a player.

    ``waiting`` are those who wait to be dealt in; ``average_pot`` moves with the hands played lately.
    """

    id: Id
    name: str
    game: GameCode
    seats: Annotated[int, Field(ge=2, le=10)]
    taken: Count
    waiting: Count
    small_blind: Chips
    big_blind: Chips
    buy_in_min: Chips
    buy_in_max: Chips
    average_pot: Chips = 0
    status: Literal["waiting", "playing", "paused", "closing"]
    join_code: bool = False


class LobbyView(Shape):
    tables: list[TableInfo]


class Rank(Shape):
    """A hand's strength in words, and the cards that make it."""

    category: str
    cards: list[Card]
    text: str


class Armed(Shape):
    """The pre-action that the server holds for this seat."""

    action: ArmedAction
    to_call: Maybe[Chips] = None


class You(Shape):
    """A seat's own part of an update. ``waiting`` says what keeps it from being dealt in, as in ``big_blind``.

    ``to_call`` is what a call would cost as things stand, while others act: what a pre-action is meant for.
    """

    seat: SeatNo
    cards: list[Card]
    rank: Maybe[Rank] = None
    armed: Maybe[Armed] = None
    to_call: Maybe[Chips] = None
    waiting: Maybe[str] = None
