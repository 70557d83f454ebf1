"""Anybody asks anything of a table at any time, with any amounts; it keeps its promises after every batch."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from fullring.rules import events as hands
from fullring.rules.actions import Action
from fullring.rules.cards import FULL_DECK, Deck
from fullring.rules.refusals import Refused
from fullring.table.commands import (
    ActOnTurn,
    Arm,
    Chat,
    Close,
    Command,
    Connect,
    Disarm,
    Kick,
    Leave,
    Pause,
    PreAction,
    Resume,
    ShowCards,
    Sit,
    SitIn,
    SitOut,
    TopUp,
    Void,
)
from fullring.table.events import ClockStarted, Entry, Positions, Resumed, TimeBankStarted
from fullring.table.ids import HandId, TurnId
from fullring.table.state import Seat
from fullring.table.table import deadline, decide, evolve, opened
from tests.table.facts import facts
from tests.table.playing import MINUTE, SECOND, Playing, account

NAMES = [f"p{number}" for number in range(12)]
people = st.sampled_from(NAMES)
amounts = st.one_of(
    st.sampled_from([-1, 0, 1, 10, 20, 40, 199, 200, 1_000, 2_000, 2_001, 10**18, True]), st.integers(0, 2_100)
)
spans = st.one_of(st.integers(0, 40 * SECOND), st.sampled_from([SECOND, 30 * SECOND, 15 * MINUTE, 61 * MINUTE]))
decks = st.randoms(use_true_random=False).map(lambda chance: Deck(chance.sample(FULL_DECK, len(FULL_DECK))))
choices = st.lists(st.integers(0, 9), min_size=1, max_size=12)


@st.composite
def chosen_settings(draw: st.DrawFn) -> dict[str, Any]:
    ante = draw(st.sampled_from([{}, {}, {"ante": 2}, {"big_blind_ante": 20}]))
    rake = draw(st.sampled_from([{}, {"rake_bps": 500, "rake_caps": (3, 30)}]))
    return {
        "game": draw(st.sampled_from(["nlhe", "nlhe", "plhe", "flhe"])),
        "seats": draw(st.sampled_from([2, 3, 4, 6, 10])),
        "dead_button": draw(st.booleans()),
        "buy_in_min": 20,
        "time_bank_ms": draw(st.sampled_from([0, 30 * SECOND])),
        "time_bank_hands": draw(st.sampled_from([1, 10])),
        "hand_pause_ms": draw(st.sampled_from([0, SECOND])),
        "missed_big_blinds_max": draw(st.sampled_from([1, 3])),
        "show_all": draw(st.booleans()),
        **ante,
        **rake,
    }


class AnyTable(RuleBasedStateMachine):
    """``replayed`` is made of the journal's rows alone; ``dues`` is what each seat owed before the last batch."""

    def __init__(self) -> None:
        super().__init__()
        self.playing = Playing()

    @initialize(chosen=chosen_settings(), buy_ins=st.lists(st.integers(20, 400), min_size=0, max_size=6))
    def open(self, chosen: dict[str, Any], buy_ins: list[int]) -> None:
        self.playing = Playing(**chosen)
        self.table = self.playing.table
        self.replayed = opened("t1", self.playing.settings)
        self.rows = 0
        self.big_blinds: list[tuple[Seat, int]] = []
        self.bank_used: TurnId | None = None
        self.owed = self._owed()
        self.shuffle(Deck(FULL_DECK))
        for name, buy_in in zip(NAMES, buy_ins, strict=False):
            self.ask(Sit(account(name), name, "player", buy_in))
        if len(buy_ins) > 1:
            self.playing.wait(SECOND)

    # --- what anybody asks ---

    def ask(self, command: Command) -> None:
        """Done or refused: `Playing` sees to it that a refusal, and judging alone, changes nothing."""
        with suppress(Refused):
            self.playing.do(command)

    @rule(name=people, seat=st.none() | st.integers(0, 11), buy_in=amounts, post_now=st.booleans())
    def sit(self, name: str, seat: int | None, buy_in: int, post_now: bool) -> None:
        self.ask(Sit(account(name), name, "player", buy_in, seat, post_now))

    @rule(name=people, removed=st.booleans())
    def leave(self, name: str, removed: bool) -> None:
        self.ask(Kick(account(name), "removed") if removed else Leave(account(name)))

    @rule(name=people, out=st.booleans(), post_now=st.booleans())
    def sit_out_or_in(self, name: str, out: bool, post_now: bool) -> None:
        self.ask(SitOut(account(name)) if out else SitIn(account(name), post_now))

    @rule(name=people, amount=amounts)
    def top_up(self, name: str, amount: int) -> None:
        self.ask(TopUp(account(name), amount))

    @rule(name=people, connected=st.booleans())
    def connect(self, name: str, connected: bool) -> None:
        self.ask(Connect(account(name), connected))

    @rule(name=people, action=st.none() | st.sampled_from(PreAction), to_call=st.none() | amounts)
    def arm(self, name: str, action: PreAction | None, to_call: int | None) -> None:
        hand = self.table.hand_id
        self.ask(Disarm(account(name), hand) if action is None else Arm(account(name), hand, action, to_call))

    @rule(name=people, count=st.integers(0, 2), stranger=st.booleans())
    def show(self, name: str, count: int, stranger: bool) -> None:
        finished, seat = self.table.finished, self.table.seat_of(account(name))
        if finished is not None and seat is not None and seat.seat in finished.hand.index:
            cards = finished.hand.holes[finished.hand.index[seat.seat]][:count]
            self.ask(ShowCards(account(name), finished.id, (0, 1) if stranger else cards))

    @rule(picked=choices)
    def play(self, picked: list[int]) -> None:
        """Turns are answered as the view allows, mostly by staying in."""
        for pick in picked:
            seat = self.playing.to_act()
            if seat is None or self.table.paused is not None:
                return
            actions = self.playing.actions()
            answers = [Action.CHECK if actions["check"] else Action.CALL] * 5
            answers += [Action.FOLD] * 2 + [Action.ALL_IN] * ("all_in" in actions)
            answers += [action for action in (Action.BET, Action.RAISE) if action.value in actions] * 2
            action = answers[pick % len(answers)]
            to = actions[action.value]["min" if pick % 2 else "max"] if action in (Action.BET, Action.RAISE) else None
            self.playing.do(ActOnTurn(seat.account, self.table.hand_id, self.playing.turn(), action, to))

    @precondition(lambda self: self.table.hand is not None)
    @rule(name=people, action=st.sampled_from(Action), to=st.none() | amounts, late=st.integers(-1, 1))
    def act(self, name: str, action: Action, to: int | None, late: int) -> None:
        assert self.table.hand is not None
        turn = TurnId(f"{self.table.hand_id}-{self.table.hand.turn + late}")
        self.ask(ActOnTurn(account(name), self.table.hand_id, turn, action, to))

    # --- time, and those who run the room ---

    @rule(deck=decks)
    def shuffle(self, deck: Deck) -> None:
        self.playing.stacked = lambda _: self._cut(deck)

    def _cut(self, deck: Deck) -> Deck:
        """Another deck for every hand: with one deck, two short stacks might split one pot after the other for ever."""
        place = 7 * self.table.hands % len(deck)
        return Deck(deck[place:] + deck[:place])

    @rule(span=spans)
    def wait(self, span: int) -> None:
        self.playing.wait(span)

    @rule(number=st.integers(1, 6))
    def hands_pass(self, number: int) -> None:
        """Everybody folds for a few hands, so that blinds go round."""
        for _ in range(number):
            if self.table.paused is None:
                self.playing.over()
            self.playing.wait(SECOND)

    @rule()
    def everybody_is_back(self) -> None:
        for seat in list(self.table.seats.values()):
            self.ask(Connect(seat.account, True))
            self.ask(SitIn(seat.account))

    @rule(
        command=st.sampled_from([
            Pause("a break"), Resume("go on"), Resume("go on"), Resume("restart", True), Void("it could not go on"),
            Chat(account("p0"), "p0", "hello"),
        ])
    )  # fmt: skip
    def host(self, command: Command) -> None:
        self.ask(command)

    @rule(odds=st.integers(0, 40))
    def close(self, odds: int) -> None:
        if odds == 0:
            self.ask(Close("the evening is over"))

    @precondition(lambda self: self.table.between_hands and not self.table.closed)
    @rule()
    def snapshot(self) -> None:
        self.playing.journal.snap(self.table)

    # --- what must hold ---

    @invariant()
    def the_rows_alone_make_the_same_table(self) -> None:
        rows = self.playing.journal.rows
        for at, events in rows[self.rows :]:
            self._check_hand(events)
            self._check_clock(events)
            evolve(self.replayed, events, at)
            self.owed = self._owed()
        self.rows = len(rows)
        assert facts(self.replayed) == facts(self.table)

    @invariant()
    def something_is_due_wherever_two_can_play(self) -> None:
        table = self.table
        due = deadline(table)
        playing = [seat for seat in table.seats.values() if seat.plays and seat.connected]
        if table.paused is not None or table.closed:
            assert due is None
        elif not table.between_hands:
            assert due is not None
            assert due <= (table.deadline or 0)
        elif len(playing) >= 2:
            assert due is not None

    @invariant()
    def what_is_offered_is_accepted_and_all_else_refused(self) -> None:
        seat = self.playing.to_act()
        if seat is None or self.table.paused is not None:
            return
        before = facts(self.table)
        actions = self.playing.actions()
        right = ActOnTurn(seat.account, self.table.hand_id, self.playing.turn(), Action.FOLD)
        for action in Action:
            bounds = actions.get(action.value, False)
            if action in (Action.BET, Action.RAISE):
                low, top = (bounds["min"], bounds["max"]) if bounds else (20, 100)
                for to in {None, True, -1, 0, low - 1, low, top, top + 1}:
                    fits = bool(bounds) and type(to) is int and low <= to <= top
                    assert self._accepts(replace(right, action=action, to=to)) == fits, (action, to, actions)
            else:
                assert self._accepts(replace(right, action=action)) == (bounds is not False), (action, actions)
        assert not self._accepts(replace(right, turn=TurnId(f"{right.turn}0")))
        assert not self._accepts(replace(right, hand=HandId("another")))
        for other in NAMES:
            if account(other) != seat.account:
                assert not self._accepts(replace(right, account=account(other)))
        assert facts(self.table) == before

    def _accepts(self, command: Command) -> bool:
        try:
            return bool(decide(self.table, command, self.playing.now))
        except Refused:
            return False

    def _owed(self) -> dict[int, tuple[Seat, Entry, bool, bool]]:
        return {
            number: (seat, seat.entry, seat.missed_small, seat.missed_big)
            for number, seat in self.replayed.seats.items()
        }

    def _check_hand(self, events: Any) -> None:
        """Who is dealt in has paid or pays; nobody has the big blind twice running."""
        places = [event for event in events if isinstance(event, Positions)]
        if any(isinstance(event, hands.HandVoided) for event in events) and self.big_blinds:
            self.big_blinds.pop()
        if not places:
            return
        [at], [started] = places, [event for event in events if isinstance(event, hands.HandStarted)]
        dealt = [stake.seat for stake in started.seats]
        big = self.owed[at.big_blind][0]
        if self.big_blinds:
            last, hand = self.big_blinds[-1]
            assert last is not big, f"the big blind of hand {hand} again"
        self.big_blinds.append((big, started.number))
        assert dealt.index(at.big_blind) <= 1
        posts: dict[int, list[hands.PostKind]] = {seat: [] for seat in dealt}
        for post in started.posts:
            posts[post.seat].append(post.kind)
        ready = [number for number, (seat, entry, *_) in self.owed.items() if seat.plays and entry is Entry.NOW]
        if len(ready) < 2:
            return
        for number in dealt:
            _, entry, missed_small, missed_big = self.owed[number]
            if entry is Entry.NOW or number == at.big_blind:
                assert not {hands.PostKind.LIVE, hands.PostKind.DEAD_BLIND} & set(posts[number])
                continue
            assert entry is Entry.POST, "who waits for the big blind is dealt in with it"
            assert dealt.index(number) > dealt.index(at.big_blind), "nobody comes in before the big blind"
            assert number not in (at.button, at.small_blind_at)
            assert posts[number].count(hands.PostKind.DEAD_BLIND) == missed_small
            assert posts[number].count(hands.PostKind.LIVE) == (missed_big or not missed_small)

    def _check_clock(self, events: Any) -> None:
        """A turn has one clock and one time bank, but for pauses."""
        for event in events:
            match event:
                case ClockStarted() | Resumed():
                    self.bank_used = None
                case TimeBankStarted():
                    assert self.bank_used != event.turn, "a second time bank for one turn"
                    assert self.replayed.seats[event.seat].connected
                    self.bank_used = event.turn
                case _:
                    pass

    def teardown(self) -> None:
        """From any snapshot the same table; and however it stands, it plays on when people come back."""
        playing = self.playing
        if not playing.journal.rows:
            return
        playing.journal.check(self.table, snapshots=8)
        if self.table.closed or self.table.closing is not None:
            return
        self.ask(Resume("go on"))
        self.everybody_is_back()
        self._turn_ends()
        able = [seat for seat in self.table.seats.values() if seat.plays and seat.connected]
        if len(able) >= 2:
            number = self.table.hands
            playing.wait(MINUTE)
            assert self.table.hands > number, "two are there to play, and no hand starts"

    def _turn_ends(self) -> None:
        """Every turn is over by its deadline and what the time bank holds."""
        while (seat := self.playing.to_act()) is not None:
            turn, longest = self.playing.turn(), 30 * SECOND + seat.time_bank_ms
            self.playing.wait(longest)
            assert self.table.between_hands or self.playing.turn() != turn


def test_any_table_keeps_its_promises() -> None:
    run_state_machine_as_test(
        AnyTable,
        settings=settings(max_examples=60, stateful_step_count=40, suppress_health_check=list(HealthCheck)),
    )
