"""Reading PHH, the poker hand history format: a file's text in, hands as data out.

It checks what a hand can be checked for without playing it; `replay` plays it. Unknown fields are kept and not judged.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import UTC, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from fullring.history.phh_lines import BAD_FILE, DIGITS_MAX, PLACES_MAX, Line, PhhError, read_line
from fullring.rules.actions import Chips
from fullring.rules.game import FIXED_LIMIT_HOLDEM, NO_LIMIT_HOLDEM, Game
from fullring.rules.hand import SEATS_MAX, SEATS_MIN
from fullring.rules.value import value

UNSUPPORTED: Final = "unsupported"
GAMES: Final[Mapping[str, Game]] = {"NT": NO_LIMIT_HOLDEM, "FT": FIXED_LIMIT_HOLDEM}
MONEY_PLACES: Final = 2
DEAD_BLINDS: Final = "_dead_blinds"
_BETS: Final = {"NT": ("min_bet",), "FT": ("small_bet", "big_bet")}
_NOT_OURS: Final = {"NT": ("small_bet", "big_bet", "bring_in"), "FT": ("min_bet", "bring_in")}
_MONEY: Final = frozenset({"currency", "currency_symbol"})
_MOST: Final = Decimal(10) ** DIGITS_MAX
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@value
class Entry:
    """One hand's fields as they stand in the file. ``name`` is its table's in a ``.phhs`` file, else ``1``."""

    name: str
    fields: Mapping[str, Any]


@value
class PhhHand:
    """A hand as a file tells it. Per-player tuples are in PHH order: player 1 comes first.

    Amounts are whole numbers of the file's unit divided by ten ``places`` times: 0 where the hand begins with whole
    numbers alone, at least 2 (cents) where there are others. A bet decides this only in a file that names a currency.
    ``antes`` and ``blinds`` belong to the player at their place, heads-up too; a negative blind is a live post that
    doesn't move the first to act. A stack of None is unknown. ``trimmed`` says that antes must be matched to be
    contested; ``dead`` is the part of them that is a dead blind, which only our own files tell. ``finishing`` are
    stacks as the file records them, in our unit, and may have fractions of it. ``started_at`` is in Unix milliseconds,
    None where the file doesn't say or says it in another zone than UTC.
    """

    name: str
    variant: str
    places: int
    trimmed: bool
    antes: tuple[Chips, ...]
    dead: tuple[Chips, ...]
    blinds: tuple[Chips, ...]
    min_bet: Chips
    big_bet: Chips
    stacks: tuple[Chips | None, ...]
    lines: tuple[Line, ...]
    finishing: tuple[Decimal, ...] | None
    players: tuple[str, ...]
    seats: tuple[int, ...]
    started_at: int | None
    fields: Mapping[str, Any] = field(repr=False)

    @property
    def size(self) -> int:
        return len(self.stacks)

    @property
    def game(self) -> Game:
        return GAMES[self.variant]

    def units(self, amount: Decimal) -> Chips | None:
        """How many units an amount in the file is; None for no whole number."""
        units = amount.scaleb(self.places)
        return int(units) if units == units.to_integral_value() else None

    def amount(self, units: Chips) -> int | float:
        """An amount as the file would write it. Exact: no amount has more digits than a float keeps."""
        amount = Decimal(units).scaleb(-self.places)
        return int(amount) if amount == amount.to_integral_value() else float(amount)


def read(text: str, *, name: str) -> list[PhhHand]:
    """All hands of a ``.phh`` or ``.phhs`` file, in file order. Raises PhhError at the first that can't be read.

    Lines that can't be read don't count: they are for the replay to report, in their place.
    """
    return [read_hand(entry) for entry in entries(text, name=name)]


def entries(text: str, *, name: str) -> list[Entry]:
    """The hands of a file, not yet judged. Raises PhhError if it isn't TOML or holds no hands.

    Whether it holds one or many is seen from what stands in it; ``name`` decides for an empty file.
    """
    try:
        fields = tomllib.loads(text, parse_float=_decimal)
    except (ValueError, RecursionError) as error:
        raise PhhError(BAD_FILE, f"not TOML: {str(error) or 'nested too deeply'}") from error
    if fields and "variant" not in fields and all(isinstance(one, dict) for one in fields.values()):
        return [Entry(key, one) for key, one in fields.items()]
    return [] if not fields and name.endswith(".phhs") else [Entry("1", fields)]


def read_hand(entry: Entry) -> PhhHand:
    """The hand of one entry. Raises PhhError."""
    fields = entry.fields
    variant = _variant(fields)
    stacks = _array(fields, "starting_stacks")
    size = len(stacks)
    if not SEATS_MIN <= size <= SEATS_MAX:
        raise PhhError(UNSUPPORTED, f"{size} players: a hand has {SEATS_MIN} to {SEATS_MAX}")
    numbers = {
        "antes": [_number(one, "antes") for one in _array(fields, "antes", size)],
        "blinds": [
            _number(one, "blinds_or_straddles", least=-_MOST) for one in _array(fields, "blinds_or_straddles", size)
        ],
        "stacks": [_number(one, "starting_stacks", positive=True) for one in stacks if not _unknown(one)],
        "bets": [_number(fields[key], key, positive=True) for key in _BETS[variant]],
    }
    lines = _lines(fields, size)
    bets = [line.amount for line in lines if line.amount is not None] if _MONEY & fields.keys() else []
    places = _places([*(one for some in numbers.values() for one in some), *bets])
    units = {key: [int(one.scaleb(places)) for one in some] for key, some in numbers.items()}
    if any(abs(one) >= 10**DIGITS_MAX for some in units.values() for one in some):
        raise PhhError(BAD_FILE, f"an amount has more than {DIGITS_MAX} digits")
    known = iter(units["stacks"])
    order = -1 if size == 2 else 1  # Heads-up, forced bets are written the small blind's first, and that is player 2.
    return PhhHand(
        name=entry.name,
        variant=variant,
        places=places,
        trimmed=_flag(fields, "ante_trimming_status"),
        antes=tuple(units["antes"][::order]),
        dead=_dead(fields, size, places),
        blinds=tuple(units["blinds"][::order]),
        min_bet=units["bets"][0],
        big_bet=units["bets"][-1],
        stacks=tuple([None if _unknown(one) else next(known) for one in stacks]),
        lines=tuple(lines),
        finishing=_finishing(fields, size, places),
        players=tuple([str(one) for one in _optional(fields, "players", size, str)]),
        seats=tuple([int(one) for one in _optional(fields, "seats", size, int)]),
        started_at=_started_at(fields),
        fields=fields,
    )


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation as error:
        raise ValueError("a number is out of all proportion") from error


def _variant(fields: Mapping[str, Any]) -> str:
    variant = fields.get("variant")
    if not isinstance(variant, str):
        raise PhhError(BAD_FILE, "variant is missing: expected NT or FT")
    if variant not in GAMES:
        raise PhhError(UNSUPPORTED, f"variant {variant[:20]!r}: only NT and FT, no-limit and fixed-limit hold'em")
    for key in _BETS[variant]:
        if key not in fields:
            raise PhhError(BAD_FILE, f"{key} is missing")
    for key in _NOT_OURS[variant]:
        if key in fields:
            raise PhhError(BAD_FILE, f"{key} has no place in variant {variant}")
    return variant


def _array(fields: Mapping[str, Any], key: str, size: int | None = None) -> Sequence[Any]:
    some = fields.get(key)
    if not isinstance(some, list):
        raise PhhError(BAD_FILE, f"{key} is missing" if some is None else f"{key} is not an array")
    if size is not None and len(some) != size:
        raise PhhError(BAD_FILE, f"{key} has {len(some)} entries for {size} players")
    return some


def _unknown(one: Any) -> bool:
    return isinstance(one, Decimal) and one == Decimal("inf")


def _number(one: Any, key: str, *, least: Decimal = Decimal(0), positive: bool = False) -> Decimal:
    if isinstance(one, bool) or not isinstance(one, int | Decimal):
        raise PhhError(BAD_FILE, f"{key}: expected a number, not {type(one).__name__}")
    if isinstance(one, Decimal) and (not one.is_finite() or abs(one.adjusted()) > DIGITS_MAX):
        raise PhhError(BAD_FILE, f"{key}: expected an ordinary number")
    if not -_MOST < one < _MOST:
        raise PhhError(BAD_FILE, f"{key}: a number has more than {DIGITS_MAX} digits")
    if one < least or (positive and one == 0):
        raise PhhError(BAD_FILE, f"{key}: {one} is too low, expected {'more than 0' if positive else '0 or more'}")
    return Decimal(one)


def _places(amounts: Sequence[Decimal]) -> int:
    """How many places after the point the unit needs: none, or at least those of money."""
    exponents = [one.as_tuple().exponent for one in amounts if one != one.to_integral_value()]
    if not exponents:
        return 0
    places = max(MONEY_PLACES, *(-exponent for exponent in exponents if isinstance(exponent, int)))
    if places > PLACES_MAX:
        raise PhhError(BAD_FILE, f"an amount has more than {PLACES_MAX} places after the point")
    return places


def _lines(fields: Mapping[str, Any], size: int) -> list[Line]:
    texts = _array(fields, "actions")
    if not all(isinstance(text, str) for text in texts):
        raise PhhError(BAD_FILE, "actions: expected an array of strings")
    lines = [read_line(text, players=size) for text in texts]
    return [line for line in lines if line is not None]


def _flag(fields: Mapping[str, Any], key: str) -> bool:
    flag = fields.get(key, False)
    if not isinstance(flag, bool):
        raise PhhError(BAD_FILE, f"{key}: expected true or false")
    return flag


def _optional(fields: Mapping[str, Any], key: str, size: int, kind: type) -> Sequence[Any]:
    """The entries of an optional array, one a player; () where the file has none."""
    if key not in fields:
        return ()
    some = _array(fields, key, size)
    if any(not isinstance(one, kind) or isinstance(one, bool) for one in some):
        raise PhhError(BAD_FILE, f"{key}: expected an array of {kind.__name__}")
    return some


def _dead(fields: Mapping[str, Any], size: int, places: int) -> tuple[Chips, ...]:
    if DEAD_BLINDS not in fields:
        return (0,) * size
    return tuple([int(_number(one, DEAD_BLINDS).scaleb(places)) for one in _array(fields, DEAD_BLINDS, size)])


def _finishing(fields: Mapping[str, Any], size: int, places: int) -> tuple[Decimal, ...] | None:
    if "finishing_stacks" not in fields:
        return None
    some = _array(fields, "finishing_stacks", size)
    if any(_unknown(one) for one in some):
        return None
    return tuple([_number(one, "finishing_stacks").scaleb(places) for one in some])


def _started_at(fields: Mapping[str, Any]) -> int | None:
    at = fields.get("time")
    date = [fields.get(key) for key in ("year", "month", "day")]
    if not isinstance(at, time) or not _in_utc(fields) or not all(type(one) is int for one in date):
        return None
    year, month, day = (int(one) for one in date if one is not None)
    try:
        start = datetime(year, month, day, at.hour, at.minute, at.second, at.microsecond, UTC)
        return round((start - _EPOCH).total_seconds() * 1000)
    except (ValueError, OverflowError):
        return None


def _in_utc(fields: Mapping[str, Any]) -> bool:
    """Whether the time is in UTC: it says so, or says nothing of a zone nor of a place that has one."""
    zone = fields.get("time_zone", fields.get("time_zone_abbreviation"))
    if zone is None:
        return not all(key in fields for key in ("city", "region", "country"))
    return zone in ("UTC", "Etc/UTC")
