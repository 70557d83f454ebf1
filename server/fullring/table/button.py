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

    ``small_blind`` is None where nobody posts it; ``small_blind_at`` is where it stands. ``missed_small`` and
    ``missed_big`` are the seats sitting out that a blind passed.
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
    connected = 0
    for seat in table.seats.values():
        if seat.connected and seat.plays:
            connected += 1
    return connected >= 2


def deal(table: Table) -> Deal:
    """The next hand's positions and posts. The table must be startable."""
    playing = sorted(seat.seat for seat in table.seats.values() if seat.plays)
    ready = [seat for seat in playing if table.seats[seat].entry is Entry.NOW]
    if len(ready) < 2:  # Nobody has paid for a place yet, so nobody owes one.
        ready = playing
        button, small, small_at, big = _anew(table, ready)
    else:
        button, small, small_at, big = _moved(table, ready, [seat for seat in playing if seat not in ready])
    posting = [seat for seat in playing if seat not in {*ready, big} and _posts_now(table, seat, button, small, big)]
    dealt = tuple([seat.seat for seat in table.clockwise(button) if seat.seat in {*ready, big, *posting}])
    out = [seat for seat in table.seats.values() if seat.out]
    return Deal(
        button,
        small,
        small_at,
        big,
        dealt,
        _posts(table, dealt, small, big, posting),
        tuple([seat.seat for seat in out if _misses_small(table, seat.seat, small_at)]),
        tuple([seat.seat for seat in out if _passed(table, seat.seat, table.big_blind_at, big)]),
    )


Places = tuple[SeatNo, SeatNo | None, SeatNo, SeatNo]
"""Button, who posts the small blind, where it stands, big blind."""


def _moved(table: Table, ready: Sequence[SeatNo], waiting: Sequence[SeatNo]) -> Places:
    last_button, last_small, last_big = table.button, table.small_blind_at, table.big_blind_at
    if last_button is None or last_small is None or last_big is None:
        return _anew(table, ready)
    if table.settings.dead_button:
        return _dead_button(table, last_small, last_big, ready, waiting)
    return _moving_button(table, last_button, last_big, ready, waiting)


def _moving_button(
    table: Table, last_button: SeatNo, last_big: SeatNo, ready: Sequence[SeatNo], waiting: Sequence[SeatNo]
) -> Places:
    """The button moves to the next seat that plays; the blinds follow it, the big one to a newcomer if it comes so.

    Of two, the big blind alternates, whoever else has come or gone; a third comes in right behind it. Of more, all
    three move once more where those who come back would have it posted twice running.
    """
    if len(ready) == 2:
        big = _next(table, last_big, ready)
        other = _next(table, big, ready)
        third = _next(table, big, [*ready, *waiting])
        return (other, big, big, third) if third in waiting else (other, other, other, big)
    button = _next(table, last_button, ready)
    small = _next(table, button, ready)
    if last_big in ready and _next(table, small, [*ready, *waiting]) == last_big:
        button, small = small, last_big
    return button, small, small, _next(table, small, [*ready, *waiting])


def _dead_button(
    table: Table, last_small: SeatNo, last_big: SeatNo, ready: Sequence[SeatNo], waiting: Sequence[SeatNo]
) -> Places:
    """The big blind moves to the next seat that plays; small blind and button go where it and the small blind were.

    Who comes back between those two, having missed nothing heads-up, has the button.
    """
    big = _next(table, last_big, [*ready, *waiting])
    if len({*ready, big}) == 2:
        button = next(seat for seat in ready if seat != big)
        return button, button, button, big
    back = [seat for seat in _from(table, last_small, ready) if _passed(table, seat, last_small, last_big)]
    return back[-1] if back else last_small, last_big if last_big in ready else None, last_big, big


def _anew(table: Table, ready: Sequence[SeatNo]) -> Places:
    """All begin together: the big blind moves on to the next of them, small blind and button stand right before it."""
    if table.big_blind_at is None:
        button = ready[0] if table.button is None else _next(table, table.button, ready)
        big = _next(table, button if len(ready) == 2 else _next(table, button, ready), ready)
    else:
        big = _next(table, table.big_blind_at, ready)
    order = _from(table, big, ready)
    small = order[-2]
    return small if len(order) == 2 else order[-3], small, small, big


def _from(table: Table, after: SeatNo, among: Sequence[SeatNo]) -> list[SeatNo]:
    return [seat.seat for seat in table.clockwise(after) if seat.seat in among]


def _next(table: Table, after: SeatNo, among: Sequence[SeatNo]) -> SeatNo:
    return _from(table, after, among)[0]


def _posts_now(table: Table, seat: SeatNo, button: SeatNo, small: SeatNo | None, big: SeatNo) -> bool:
    """Never between the small blind and the button; nor heads-up, where the big blind comes to it next anyway."""
    return table.seats[seat].entry is Entry.POST and small != button and _passed(table, seat, big, button)


def _passed(table: Table, seat: SeatNo, start: SeatNo | None, end: SeatNo) -> bool:
    """Whether what moved from ``start`` to ``end``, clockwise, passed that seat."""
    if start is None:
        return False
    size = table.settings.seats
    return 0 < (seat - start) % size < (end - start) % size


def _misses_small(table: Table, seat: SeatNo, small_at: SeatNo) -> bool:
    """The small blind passed it, or is due from it because it had the big blind last."""
    return seat == table.big_blind_at or _passed(table, seat, table.small_blind_at, small_at)


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
