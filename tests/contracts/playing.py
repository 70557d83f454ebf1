"""A table played at random from a seed: the batches that a room would commit, one after the other."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from fullring.rules.actions import Action
from fullring.rules.cards import FULL_DECK, Deck
from fullring.rules.events import HandStarted
from fullring.rules.hand import legal
from fullring.rules.refusals import Refused
from fullring.runtime.accounts import Account
from fullring.runtime.ports import Batch, CommandKey, StoredTable
from fullring.table import commands
from fullring.table.ids import Millis, TableId, turn_id
from fullring.table.kept import restore, snapshot
from fullring.table.settings import TableSettings
from fullring.table.state import Seat, Table
from fullring.table.table import deadline, decide, evolve, opened, record

START: Millis = 1_800_000_000_000


@dataclass(slots=True)
class Playing:
    """``table`` is as the last batch that was `done` left it.

    ``around`` is how often something else happens than what the hand waits for: sitting, leaving, topping up, chat.
    Where it is ``full``, everybody sits before the first hand.
    """

    table: Table
    accounts: Sequence[Account]
    random: Random
    owner_epoch: int = 1
    seq: int = 0
    now: Millis = START
    around: float = 0.15
    full: bool = False
    asked: int = field(default=0)

    @classmethod
    def open(cls, table: str, settings: TableSettings, accounts: Sequence[Account], seed: int) -> "Playing":
        return cls(opened(table, settings), accounts, Random(f"{table} {seed}"))

    def next(self) -> Batch:
        """Something that happens now. Nothing has changed until it is `done`."""
        while True:
            self.now += self.random.randrange(1, 2_000)
            command = self._command()
            try:
                events = decide(self.table, command, self.now)
            except Refused:
                continue
            if events:
                break
        key = None
        if not isinstance(command, commands.Tick):
            self.asked += 1
            key = CommandKey(self.accounts[0].id, f"{self.table.id}-{self.asked}")
        starts = any(isinstance(event, HandStarted) for event in events)
        return Batch(
            table=TableId(self.table.id),
            owner_epoch=self.owner_epoch,
            seq=self.seq + 1,
            at=self.now,
            events=tuple(events),
            key=key,
            answer=None if key is None else {"seq": self.table.seq + 1},
            snapshot=snapshot(self.table) if starts and self.table.between_hands else None,
            record=record(self.table, events, self.now),
        )

    def done(self, batch: Batch) -> None:
        evolve(self.table, batch.events, batch.at)
        self.seq = batch.seq

    def _command(self) -> commands.Command:
        if self.full and self.table.hands == 0:
            seated = {seat.account for seat in self.table.seats.values()}
            absent = next((account for account in self.accounts if account.id not in seated), None)
            if absent is not None:
                buy_in = self.table.settings.buy_in_max
                return self._sit(absent, buy_in, post_now=True)
        due = deadline(self.table)
        if due is not None and self.random.random() < self.around / 3:
            self.now = max(self.now, due)
        acting = self.table.hand.seat_to_act if self.table.hand is not None else None
        if acting is not None and self.random.random() >= self.around and not (due is not None and self.now >= due):
            return self._action(self.table.seats[acting])
        if acting is None and due is not None and self.random.random() >= self.around:
            self.now = max(self.now, due)
        if due is not None and self.now >= due:
            deck = list(FULL_DECK)
            self.random.shuffle(deck)
            return commands.Tick(Deck(deck))
        return self._around()

    def _action(self, seat: Seat) -> commands.Command:
        hand = self.table.hand
        assert hand is not None
        may = legal(hand)
        assert may is not None
        action, to = (Action.CHECK if may.check else Action.CALL), None
        if may.to_min is not None and may.to_max is not None and self.random.random() < 0.25:
            action = Action.BET if may.opens else Action.RAISE
            to = self.random.randint(may.to_min, min(may.to_max, 3 * may.to_min))
        elif not may.check and self.random.random() < 0.3:
            action = Action.FOLD
        turn = turn_id(self.table.hand_id, hand.turn)
        return commands.ActOnTurn(seat.account, self.table.hand_id, turn, action, to)

    def _around(self) -> commands.Command:
        account = self.random.choice(self.accounts)
        who, settings = account.id, self.table.settings
        buy_in = self.random.randint(settings.buy_in_min, settings.buy_in_max)
        choices: list[commands.Command] = [
            self._sit(account, buy_in, post_now=True),
            self._sit(account, buy_in, post_now=False),
            commands.TopUp(who, self.random.randint(1, settings.buy_in_max)),
            commands.SitOut(who),
            commands.SitIn(who, post_now=True),
            commands.Arm(who, self.table.hand_id, commands.PreAction.CHECK_FOLD),
            commands.Connect(who, self.random.random() < 0.7),
            commands.Chat(who, account.name, 'good "luck"\n\u2660 \0'),
            commands.ShowCards(who, self.table.hand_id, self._hole(who)),
            commands.Leave(who),
        ]
        return self.random.choice(choices)

    def _sit(self, who: Account, buy_in: int, *, post_now: bool) -> commands.Sit:
        code = self.table.settings.join_code
        return commands.Sit(who.id, who.name, who.kind, buy_in, post_now=post_now, join_code=code)

    def _hole(self, who: str) -> tuple[int, ...]:
        seat = next((seat for seat in self.table.seats.values() if seat.account == who), None)
        return () if seat is None else self.table.hole_cards(seat.seat)


def replayed(stored: StoredTable) -> Table:
    """The table as a room would have it after a restart."""
    if stored.snapshot is None:
        table = opened(stored.table, stored.settings)
    else:
        table = restore(stored.table, stored.settings, stored.snapshot)
    for row in stored.rows:
        evolve(table, row.events, row.at)
    return table


def position(table: Table) -> object:
    """Everything that matters for going on with a table, hidden cards included."""
    hand = None if table.between_hands else table.hand
    return (
        (table.seq, table.hands, table.button, table.big_blind_at, table.deadline, table.next_hand_at, table.last_at),
        None if hand is None else (table.hand_id, hand.turn, hand.seat_to_act, hand.board, hand.holes, hand.bets),
        [
            (number, seat.account, table.stack(seat), seat.pending, seat.out, seat.entry, seat.connected, seat.armed)
            for number, seat in sorted(table.seats.items())
        ],
    )
