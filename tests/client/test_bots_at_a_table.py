"""Bots and messages against the real rules, without a socket: clients can read every update that a table makes."""

from collections import Counter
from random import Random

import pytest

from fullring.rules.actions import Action as RulesAction
from fullring.rules.cards import FULL_DECK, Deck
from fullring.table.commands import ActOnTurn, Command, Sit, Tick, TopUp
from fullring.table.events import Event
from fullring.table.ids import AccountId, TurnId
from fullring.table.settings import TableSettings
from fullring.table.table import deadline, decide, evolve, opened
from fullring.table.views import lobby_row, public_events, public_view, you
from fullring.wire.codec import encode
from fullring.wire.reading import read_update
from fullring.wire.server import Update
from fullring.wire.view import TableInfo, TableView
from fullring_client.bot import Action, Bot
from fullring_client.bots import KINDS


class Room:
    """One table on a clock of its own; each batch becomes an update, read as a client reads it."""

    def __init__(self, game: str, seats: int, dice: Random) -> None:
        settings = TableSettings("Magnolia", game=game, seats=seats, hand_pause_ms=0)
        self.table = opened("t1", settings)
        self.dice = dice
        self.now = 1_795_968_000_000
        self.seen: Counter[str] = Counter()

    def does(self, command: Command) -> None:
        events = decide(self.table, command, self.now)
        if events:
            evolve(self.table, events, self.now)
            self.update(events, None)

    def update(self, events: list[Event], seat: int | None) -> Update:
        message: dict[str, object] = {
            "type": "update",
            "table": "t1",
            "epoch": 1,
            "seq": self.table.seq,
            "at": self.now,
            "events": public_events(self.table, events),
            "view": public_view(self.table),
        }
        own = None if seat is None else you(self.table, seat)
        update = read_update(encode(message if own is None else message | {"you": own}))
        assert len(update.events) == len(public_events(self.table, events)), "no event is unknown"
        self.seen.update(event.type for event in update.events)
        return update

    def waits(self) -> None:
        """Until the next thing that happens by itself."""
        due = deadline(self.table)
        assert due is not None
        self.now = max(self.now, due)
        cards = list(FULL_DECK)
        self.dice.shuffle(cards)
        self.does(Tick(Deck(cards)))


def turn_of(room: Room, bots: dict[int, Bot]) -> None:
    """The bot whose turn it is does what it chooses; the table refuses nothing."""
    view = room.update([], None).view
    assert isinstance(view, TableView)
    assert view.hand
    assert view.hand.turn
    seat = view.hand.turn.seat
    own = room.update([], seat).you
    assert own is not None
    action = bots[seat](view, own)
    assert isinstance(action, Action)
    turn = TurnId(view.hand.turn.id)
    room.does(ActOnTurn(AccountId(f"a{seat}"), room.table.hand_id, turn, RulesAction(action.name), action.to))


@pytest.mark.parametrize("game", ["nlhe", "plhe", "flhe"])
def test_bots_play_whole_hands_and_are_never_refused(game: str) -> None:
    dice = Random(f"bots at {game}")
    kinds = ["tag", "random", "calling", "tag", "random", "random"]
    room = Room(game, len(kinds), dice)
    bots = {seat: KINDS[kind](dice) for seat, kind in enumerate(kinds, start=1)}
    for seat in bots:
        room.does(Sit(AccountId(f"a{seat}"), f"Player {seat}", "bot", 1000, seat, post_now=True))
    while room.seen["hand_ended"] < 60:
        if room.table.deadline is not None:
            turn_of(room, bots)
        else:
            for number in bots:
                if not room.table.seats[number].stack + room.table.seats[number].pending:
                    room.does(TopUp(AccountId(f"a{number}"), 1000))
            room.waits()
    TableInfo.model_validate(lobby_row(room.table))
    assert {"hand_started", "posted", "acted", "street_dealt", "cards_shown", "pot_awarded", "hand_ended"} <= set(
        room.seen
    )
