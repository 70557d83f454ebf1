"""Sitting down, getting up, sitting out and coming back, and the chips that go with it.

Nothing here changes a table: each function says which events a command causes, or refuses.
"""

from hmac import compare_digest

from fullring.rules.actions import Chips
from fullring.rules.refusals import Refusal, Refused
from fullring.table.commands import Sit, SitIn, SitOut, TopUp
from fullring.table.events import (
    ChipsAdded,
    Entry,
    Event,
    Left,
    OutReason,
    SatIn,
    SatOut,
    Seated,
    SitOutAsked,
    ToppedUp,
)
from fullring.table.ids import AccountId, Millis
from fullring.table.state import Seat, Table

GIVEN_UP = "gave up the seat"
OVERDUE = "was away too long"


def seated(table: Table, account: AccountId) -> Seat:
    """The account's seat. Raises Refused."""
    seat = table.seat_of(account)
    if seat is None:
        raise Refused(Refusal.NOT_SEATED, "you have no seat at this table: sit down first")
    return seat


def sit(table: Table, command: Sit, now: Millis) -> list[Event]:
    settings = table.settings
    if table.closed or table.closing:
        raise Refused(Refusal.CLOSING, "this table is closing: choose another")
    if table.seat_of(command.account) is not None:
        raise Refused(Refusal.ALREADY_SEATED, "you sit at this table already")
    if settings.join_code is not None and not _same(command.join_code or "", settings.join_code):
        raise Refused(Refusal.FORBIDDEN, "this table asks for its join code")
    low, top = buy_in_range(table, command.account, now)
    if type(command.buy_in) is not int or not low <= command.buy_in <= top:
        why = "" if low == settings.buy_in_min else f"you left with {low} not long ago: "
        text = f"{why}a buy-in of {command.buy_in} is outside {low} to {top}"
        raise Refused(Refusal.BAD_AMOUNT, text, {"min": low, "max": top})
    given_up: list[Event] = []
    number = command.seat
    if number is None:
        number = next((n for n in range(1, settings.seats + 1) if n not in table.seats), None)
        if number is None:
            yielding = [seat for seat in table.seats.values() if _yields(table, seat, now)]
            if not yielding:
                raise Refused(Refusal.TABLE_FULL, f"all {settings.seats} seats are taken")
            longest = min(yielding, key=lambda seat: seat.out_since)
            given_up, number = [left(table, longest, GIVEN_UP, now)], longest.seat
    elif type(number) is not int or not 1 <= number <= settings.seats:
        raise Refused(Refusal.NOT_FOUND, f"there is no seat {number}: seats are 1 to {settings.seats}")
    elif number in table.seats:
        taken = table.seats[number]
        if len(table.seats) < settings.seats or not _yields(table, taken, now):
            raise Refused(Refusal.SEAT_TAKEN, f"seat {number} is taken")
        given_up = [left(table, taken, GIVEN_UP, now)]
    entry = Entry.POST if command.post_now else Entry.BIG_BLIND
    return [*given_up, Seated(number, command.account, command.name, command.kind, command.buy_in, entry, now)]


def _same(given: str, right: str) -> bool:
    """Takes as long wherever the two differ."""
    return compare_digest(given.encode(errors="surrogatepass"), right.encode(errors="surrogatepass"))


def buy_in_range(table: Table, account: AccountId, now: Millis) -> tuple[Chips, Chips]:
    """What this account may buy in for: who left with more, not long ago, comes back with no less (ratholing)."""
    low, top = table.settings.buy_in_min, table.settings.buy_in_max
    departure = table.departures.get(account)
    if departure is not None and now - departure.at < table.settings.ratholing_ms and departure.stack > low:
        low = departure.stack
    return low, max(low, top)


def _yields(table: Table, seat: Seat, now: Millis) -> bool:
    """Whether the seat of a player who is away is given up for somebody who waits for it. A busted one may re-buy.

    While the table is paused, nobody has been away for longer than when it stopped.
    """
    settings, now = table.settings, table.paused_at or now
    missed = seat.out and seat.missed_count >= settings.missed_big_blinds_max
    return (
        seat.absent
        and seat.stack > 0
        and not table.in_hand(seat.seat)
        and (missed or now - seat.out_since >= settings.sit_out_yield_ms)
    )


def overdue(table: Table, seat: Seat, now: Millis) -> bool:
    """Whether the player has been away so long that the seat is given up anyway."""
    return seat.absent and now >= seat.out_until and not table.in_hand(seat.seat)


def left(table: Table, seat: Seat, reason: str, now: Millis, stack: Chips | None = None) -> Left:
    """The seat is empty; its chips, waiting ones included, go back to the account."""
    stack = seat.stack if stack is None else stack
    return Left(seat.seat, seat.account, seat.name, stack + seat.pending, reason, now)


def sit_out(table: Table, command: SitOut, now: Millis) -> list[Event]:
    """At once, or when the hand is over for a seat that is in it."""
    seat = seated(table, command.account)
    if seat.out or seat.sit_out_asked:
        raise Refused(Refusal.ILLEGAL_ACTION, "you are sitting out already")
    if table.in_hand(seat.seat):
        return [SitOutAsked(seat.seat, True)]
    return [SatOut(seat.seat, OutReason.ASKED, now, now + table.settings.sit_out_max_ms)]


def sit_in(table: Table, command: SitIn) -> list[Event]:
    seat = seated(table, command.account)
    if seat.leaving:
        raise Refused(Refusal.CLOSING, "you are leaving: sit down again when the hand is over")
    if seat.sit_out_asked:
        return [SitOutAsked(seat.seat, False)]
    if seat.out:
        if seat.stack + seat.pending == 0:
            raise Refused(Refusal.INSUFFICIENT_CHIPS, "you have no chips here: top up first")
        return [SatIn(seat.seat, _entry(seat, command.post_now))]
    if command.post_now and seat.entry is Entry.BIG_BLIND:
        return [SatIn(seat.seat, Entry.POST)]
    raise Refused(Refusal.ILLEGAL_ACTION, "you are not sitting out")


def _entry(seat: Seat, post_now: bool) -> Entry:
    """How a seat comes back: at once if it missed nothing, else with the big blind or by posting what it missed."""
    if seat.entry is Entry.NOW and not seat.missed_small and not seat.missed_big:
        return Entry.NOW
    return Entry.POST if post_now else Entry.BIG_BLIND


def top_up(table: Table, command: TopUp, now: Millis) -> list[Event]:
    """Chips are bought at once and play from the next hand (table stakes). A seat without any needs a whole buy-in."""
    seat = seated(table, command.account)
    if seat.leaving:
        raise Refused(Refusal.CLOSING, "you are leaving: chips can't be added")
    stack = table.stack(seat)
    low = table.settings.buy_in_min if stack + seat.pending == 0 else 1
    top = table.settings.buy_in_max - stack - seat.pending
    amount = command.amount
    if top < low:
        raise Refused(
            Refusal.BAD_AMOUNT,
            f"a stack of {stack + seat.pending} can't be topped up: the maximum is {table.settings.buy_in_max}",
        )
    if type(amount) is not int or not low <= amount <= top:
        raise Refused(Refusal.BAD_AMOUNT, f"a top-up of {amount} is outside {low} to {top}", {"min": low, "max": top})
    events: list[Event] = [ChipsAdded(seat.seat, seat.account, amount)]
    if not table.in_hand(seat.seat):
        events += topped_up(table, seat, seat.stack, seat.pending + amount)
        if seat.out and seat.stack == 0:
            events.append(SatIn(seat.seat, _entry(seat, post_now=False)))
    return events


def topped_up(table: Table, seat: Seat, stack: Chips, pending: Chips) -> list[Event]:
    """Waiting chips join the stack, never above the maximum; what is too much goes back to the account."""
    if not pending:
        return []
    added = min(pending, max(0, table.settings.buy_in_max - stack))
    return [ToppedUp(seat.seat, seat.account, added, stack + added, pending - added)]
