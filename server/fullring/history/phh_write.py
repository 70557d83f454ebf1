"""Writing finished hands as PHH. What a reader of the record may not know is not in the text.

Give it a record that was cut for its reader (`seen_by`). PokerKit 0.7.7 reads the text without repairs and comes to the
same stacks, before rake, except where its rules differ from ours: docs/hand-histories.md lists these.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final

from fullring.history.forced_bets import arrays
from fullring.history.phh import DEAD_BLINDS
from fullring.history.phh_course import course
from fullring.history.toml_text import Value, comment, document
from fullring.rules.events import HandVoided, Posted, PostKind
from fullring.rules.game import FIXED_LIMIT_HOLDEM, NO_LIMIT_HOLDEM
from fullring.rules.record import HandRecord

VENUE: Final = "Fullring"
VARIANTS: Final = {NO_LIMIT_HOLDEM.code: "NT", FIXED_LIMIT_HOLDEM.code: "FT"}
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class NotExpressible(Exception):
    """PHH has no words for this hand. ``text`` says why."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def write(record: HandRecord) -> str:
    """The hand as a ``.phh`` file. Raises NotExpressible for a game without a code in PHH and for a voided hand.

    Players are in PHH order; amounts are chips. Cards that the record does not know are ``????``. Timeouts and the like
    are comments on the action that the table took. ``finishing_stacks`` are after rake. Beside PHH's own fields there
    are ``_table_id``, ``_number``, ``_button`` (a seat, maybe an empty one), and where there were any
    ``_dead_blinds`` (also in ``antes``) and ``_rake``.
    """
    return document(_fields(record))


def write_many(records: Iterable[HandRecord]) -> str:
    """The hands as a ``.phhs`` file, tables counted from 1. A hand that can't be written is a comment that says why."""
    parts = []
    written = 0
    for record in records:
        try:
            text = write(record)
        except NotExpressible as error:
            parts.append(comment(f"hand {record.hand}: {error.text}"))
            continue
        written += 1
        parts.append(f"[{written}]\n{text}")
    return "\n".join(parts)


def _fields(record: HandRecord) -> dict[str, Value]:
    started, ended = record.started, record.ended
    variant = VARIANTS.get(started.game)
    if isinstance(ended, HandVoided):
        raise NotExpressible("it was voided, and PHH has only hands that were played")
    if variant is None:
        raise NotExpressible(f"PHH has no code for the game {started.game}")
    forced = arrays(record)
    bets = {"min_bet": started.min_bet}
    if variant == "FT":
        bets = {"small_bet": started.min_bet, "big_bet": started.big_bet}
    names = {player.seat: player.name for player in record.players}
    start = _EPOCH + timedelta(milliseconds=record.started_at)
    fields: dict[str, Value] = {
        "variant": variant,
        "ante_trimming_status": forced.trimmed,
        "antes": forced.antes,
        "blinds_or_straddles": forced.blinds,
        **bets,
        "starting_stacks": [stake.stack for stake in started.seats],
        "actions": course(record),
        "venue": VENUE,
        "time": start.time(),
        "time_zone": "UTC",
        "day": start.day,
        "month": start.month,
        "year": start.year,
        "hand": record.hand,
        "seats": [stake.seat for stake in started.seats],
        "seat_count": record.seats,
        "table": record.table_name,
        "players": [names.get(stake.seat, "") for stake in started.seats],
        "finishing_stacks": [stake.stack for stake in ended.stacks],
        "_table_id": record.table,
        "_number": record.number,
        "_button": started.button,
    }
    dead = _dead_blinds(record)
    return fields | ({DEAD_BLINDS: dead} if any(dead) else {}) | ({"_rake": ended.rake} if ended.rake else {})


def _dead_blinds(record: HandRecord) -> list[int]:
    dead = {stake.seat: 0 for stake in record.started.seats}
    for event in record.events:
        if isinstance(event, Posted) and event.kind is PostKind.DEAD_BLIND:
            dead[event.seat] += event.amount
    return list(dead.values())
