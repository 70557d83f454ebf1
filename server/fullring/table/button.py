"""Who is dealt into the next hand, where the button and the blinds stand, and what each seat owes.

docs/rules.md, button, joining, missed blinds. Seat numbers are the positions; an empty seat may hold the button or
the small blind where the table plays a dead button.
"""

from collections.abc import Sequence

from fullring.rules.actions import SeatNo
from fullring.rules.events import Post, PostKind
from fullring.rules.value import value
from fullring.table.events import Entry
from fullring.table.settings import TableSettings
from fullring.table.state import Seat, Table


@value
class Deal:
    """Positions and posts. ``seats`` are those dealt in, clockwise from the button's left.

    ``missed_small`` and ``missed_big`` are the seats sitting out that a blind passed.
    """

    button: SeatNo
    small_blind: SeatNo | None
    small_blind_at: SeatNo
    big_blind: SeatNo
    seats: tuple[SeatNo, ...]
    posts: tuple[Post, ...]
    missed_small: tuple[SeatNo, ...]
    missed_big: tuple[SeatNo, ...]


def startable(table: Table) -> bool:
    """Whether a hand can start: two who play, and two of them connected."""
    playing = [seat for seat in table.seats.values() if seat.plays]
    return len(playing) >= 2 and sum(seat.connected for seat in playing) >= 2


def deal(table: Table) -> Deal:
    """The next hand's positions and posts. The table must be startable."""
    playing = [seat for seat in table.seats.values() if seat.plays]
    ready = sorted(seat.seat for seat in playing if seat.entry is Entry.NOW)
    if len(ready) < 2:  # Nobody has paid for a place yet, so nobody owes one.
        ready = sorted(seat.seat for seat in playing)
    waiting = sorted(seat.seat for seat in playing if seat.seat not in ready)
    place = _dead_button if table.settings.dead_button else _moving_button
    button, small, small_at, big = place(table, ready, waiting)
    posting = [
        seat
        for seat in waiting
        if seat != big and table.seats[seat].entry is Entry.POST and _between(table, seat, big, button)
    ]
    dealt = tuple([seat.seat for seat in table.clockwise(button) if seat.seat in {*ready, big, *posting}])
    out = [seat.seat for seat in table.seats.values() if seat.out]
    return Deal(
        button,
        small,
        small_at,
        big,
        dealt,
        _posts(table, dealt, small, big, posting),
        tuple([seat for seat in out if small_at != button and _between(table, seat, button, small_at)]),
        tuple([seat for seat in out if _between(table, seat, small_at, big)]),
    )


Places = tuple[SeatNo, SeatNo | None, SeatNo, SeatNo]
"""Button, who posts the small blind, where it stands, big blind."""


def _moving_button(table: Table, ready: Sequence[SeatNo], waiting: Sequence[SeatNo]) -> Places:
    """The button moves to the next seat that plays; the blinds follow it."""
    if len(ready) == 2:
        button, other = _heads_up(table, ready)
        big = _next(table, other, [*ready, *waiting])
        return (button, other, other, big) if big in waiting else (button, button, button, other)
    button = ready[0] if table.button is None else _next(table, table.button, ready)
    small = _next(table, button, ready)
    return button, small, small, _next(table, small, [*ready, *waiting])


def _dead_button(table: Table, ready: Sequence[SeatNo], waiting: Sequence[SeatNo]) -> Places:
    """The big blind moves to the next seat that plays; small blind and button go where it and the small blind were."""
    last_big, last_small = table.big_blind_at, table.small_blind_at
    if last_big is None or last_small is None:
        return _moving_button(table, ready, waiting)
    big = _next(table, last_big, [*ready, *waiting])
    if len({*ready, big}) == 2:
        button = next(seat for seat in ready if seat != big)
        return button, button, button, big
    return last_small, last_big if last_big in ready and last_big != big else None, last_big, big


def _heads_up(table: Table, ready: Sequence[SeatNo]) -> tuple[SeatNo, SeatNo]:
    """Button and big blind of two players: the big blind alternates, whoever else has come or gone."""
    if table.big_blind_at is None:
        return ready[0], ready[1]
    big = _next(table, table.big_blind_at, ready)
    return next(seat for seat in ready if seat != big), big


def _next(table: Table, after: SeatNo, among: Sequence[SeatNo]) -> SeatNo:
    return next(seat.seat for seat in table.clockwise(after) if seat.seat in among)


def _between(table: Table, seat: SeatNo, start: SeatNo, end: SeatNo) -> bool:
    """Whether ``seat`` lies strictly between the two, going clockwise."""
    size = table.settings.seats
    return 0 < (seat - start) % size < (end - start) % size


def _posts(
    table: Table, dealt: Sequence[SeatNo], small: SeatNo | None, big: SeatNo, posting: Sequence[SeatNo]
) -> tuple[Post, ...]:
    """Forced bets in the order they are paid: antes, blinds, posts of those who come in, the big-blind ante last."""
    settings = table.settings
    posts = [Post(seat, PostKind.ANTE, settings.ante) for seat in dealt]
    if small is not None:
        posts.append(Post(small, PostKind.SMALL_BLIND, settings.small_blind))
    posts.append(Post(big, PostKind.BIG_BLIND, settings.big_blind))
    for seat in posting:
        posts += _entry_posts(settings, table.seats[seat])
    posts.append(Post(big, PostKind.BIG_BLIND_ANTE, settings.big_blind_ante))
    return tuple([post for post in posts if post.amount])


def _entry_posts(settings: TableSettings, seat: Seat) -> list[Post]:
    """A newcomer posts a live big blind; who missed blinds posts those, the small one dead, at most one of each."""
    posts = []
    if seat.missed_big or not seat.missed_small:
        posts.append(Post(seat.seat, PostKind.LIVE, settings.big_blind))
    if seat.missed_small:
        posts.append(Post(seat.seat, PostKind.DEAD_BLIND, settings.small_blind))
    return posts
