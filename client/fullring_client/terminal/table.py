"""One table: the picture, the log, the clock, and the keys. It offers what the room offers and judges nothing."""

from collections.abc import Awaitable
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Input, RichLog, Static

from fullring.wire.fields import ActionName, ArmedAction
from fullring.wire.server import Notice, Update
from fullring.wire.view import TableView
from fullring_client.connection import Room
from fullring_client.errors import Closed, Refused
from fullring_client.terminal.choices import Spot, amount, keys, presets
from fullring_client.terminal.drawing import HEIGHT, clock, draw, head
from fullring_client.terminal.entry import Entry
from fullring_client.terminal.words import chips, say

TICKS_A_SECOND = 4
HELP = (
    "f fold · c check or call · b, r bet or raise to an amount, or min, 1/2, 2/3, pot, max, 3bb · a all-in",
    "Before your turn f and c decide ahead; the same key again takes it back.",
    "s sits down, sits out and in again · p posts the big blind at once · t adds chips · l gets up",
    "v shows your cards after a hand · / chat · L lobby · q quit · esc leaves what you type",
)


class TableScreen(Screen[None]):
    CSS = f"""
    #head {{ height: 1; background: $primary-background; padding: 0 1; }}
    #table {{ height: {HEIGHT}; width: 80; }}
    #log {{ height: 1fr; min-height: 3; padding: 0 1; scrollbar-size: 1 1; background: $background; }}
    #clock, #told, #keys {{ height: 1; padding: 0 1; }}
    #told {{ color: $warning; }}
    #keys {{ background: $primary-background; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "fold", "fold"),
        Binding("c", "call", "check or call"),
        Binding("b,r", "raise", "bet or raise"),
        Binding("a", "all_in", "all-in"),
        Binding("s", "sit", "sit down, out or in"),
        Binding("p", "post", "post now"),
        Binding("t", "top_up", "top up"),
        Binding("l", "leave", "leave"),
        Binding("v", "show", "show"),
        Binding("slash", "chat", "chat"),
        Binding("L", "app.pop_screen", "lobby"),
        Binding("question_mark", "help", "help"),
        Binding("q", "app.quit", "quit"),
    ]

    def __init__(self, room: Room, table: str) -> None:
        super().__init__()
        self.spot: Spot | None = None
        """The newest update; None before the first."""
        self._room = room
        self._table = table
        self._names: dict[int, str] = {}
        self._noticed: Notice | None = None
        self._asked_twice: str | None = None  # The key that does its work when it is pressed once more.
        self._own: tuple[str, list[str]] | None = None  # The last hand we held cards in, and these.

    # -- what is seen ----------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield Static(id="head", markup=False)
        yield Static(id="table", markup=False)
        yield RichLog(id="log", wrap=True, max_lines=500)
        yield Static(id="clock", markup=False)
        yield Static(id="told", markup=False)
        yield Entry()
        yield Static(id="keys", markup=False)

    def on_mount(self) -> None:
        self.query_one(RichLog).can_focus = False
        self.set_interval(1 / TICKS_A_SECOND, self.tick)
        self.run_worker(self._follow())

    async def _follow(self) -> None:
        try:
            async with self._room.watch(self._table) as updates:
                async for update in updates:
                    self.show(update)
        except Refused as refused:
            self.app.notify(refused.message, severity="error", markup=False)
            self.app.call_later(self.app.pop_screen)
        except Closed as closed:
            self.app.exit(str(closed))

    def show(self, update: Update) -> None:
        if not isinstance(update.view, TableView):
            return
        turn_before = self.spot.my_turn if self.spot else None
        self.spot = spot = Spot(update.view, update.you)
        if spot.view.hand and spot.you and spot.you.cards:
            self._own = (spot.view.hand.id, spot.you.cards)
        self._write(update, spot)
        self.query_one("#head", Static).update(head(spot.view, self._room.account))
        self.query_one("#table", Static).update(draw(spot.view, spot.you))
        self.query_one("#keys", Static).update(keys(spot))
        if spot.my_turn != turn_before:
            self._new_turn(spot)
        self.tick()

    def tick(self) -> None:
        """The clock, several times a second."""
        if self.spot is None:
            return
        if self._room.connected:
            line = clock(self.spot.view, self.spot.you, self._room.server_ms, self._names)
        else:
            line = Text("The connection is lost, trying again…", "bold red")
        self.query_one("#clock", Static).update(line)
        if self._room.notice is not self._noticed:
            self._noticed = notice = self._room.notice
            assert notice
            self.query_one(RichLog).write(Text(notice.text or f"the room says: {notice.kind}", "bold red"))

    def _write(self, update: Update, spot: Spot) -> None:
        log = self.query_one(RichLog)
        if update.lost:
            log.write(Text("… some of what happened was missed", "dim"))
        self._names |= {seat.seat: seat.name for seat in spot.view.seats}
        for event in update.events:
            if event.type == "hand_started":
                self._names |= {player.seat: player.name for player in event.seats}
            if (line := say(event, self._names)) is not None:
                log.write(line)

    def _new_turn(self, spot: Spot) -> None:
        self._asked_twice = None
        entry = self.query_one(Entry)
        if entry.purpose == "raise":
            entry.action_close()
        if spot.my_turn:
            self.app.bell()
            self._tell("")

    def _tell(self, text: str) -> None:
        self.query_one("#told", Static).update(text)

    # -- keys ------------------------------------------------------------------------------------------------------

    def action_fold(self) -> None:
        if self.spot is None or self.spot.my_turn is None:
            self._decide_ahead("check_fold")
        elif not self.spot.my_turn.actions.check or self._sure("f", "checking is free: f again folds all the same"):
            self._act("fold")

    def action_call(self) -> None:
        if self.spot is None or self.spot.my_turn is None:
            self._decide_ahead("call" if self.spot and self.spot.to_call else "check")
        else:
            self._act("check" if self.spot.my_turn.actions.check else "call")

    def action_raise(self) -> None:
        if self.spot is None or (bounds := self.spot.bounds) is None:
            self._tell("there is nothing to bet or raise now")
        elif bounds.min == bounds.max:
            self._bet(bounds.min)
        else:
            offers = presets(self.spot)
            self._tell(" · ".join(f"{name} {chips(to)}" for name, to in offers))
            self.query_one(Entry).open("raise", "to how much?", offers=[to for _, to in offers])

    def action_all_in(self) -> None:
        if self.spot is None or self.spot.my_turn is None or (to := self.spot.my_turn.actions.all_in) is None:
            self._tell("you can't go all-in now")
        elif self._sure("a", f"a again goes all-in for {chips(to)}"):
            self._act("all_in")

    def action_sit(self) -> None:
        if self.spot is None:
            return
        if self.spot.you is not None:
            out = self.spot.my_state == "sitting_out"
            command = self._room.sit_in(self._table) if out else self._room.sit_out(self._table)
            self._ask("sit in" if out else "sit out", command)
        elif self._room.account is None:
            self._tell("you are looking on: start with --name to play")
        else:
            settings = self.spot.view.settings
            hint = f"buy in for {chips(settings.buy_in_min)} to {chips(settings.buy_in_max)}"
            self.query_one(Entry).open("sit", hint, value=str(settings.buy_in_max))

    def action_post(self) -> None:
        self._ask("post the big blind", self._room.sit_in(self._table, post_now=True))

    def action_top_up(self) -> None:
        if self.spot is not None and self.spot.you is not None:
            most = max(0, self.spot.view.settings.buy_in_max - self.spot.my_stack)
            self.query_one(Entry).open("top up", f"add up to {chips(most)}", value=str(most))

    def action_leave(self) -> None:
        if self.spot is not None and self.spot.you is not None and self._sure("l", "l again gets up from the table"):
            self._ask("leave", self._room.leave(self._table))

    def action_show(self) -> None:
        if self._own is not None:
            hand, cards = self._own
            self._ask("show", self._room.show(self._table, hand=hand, cards=cards))

    def action_chat(self) -> None:
        self.query_one(Entry).open("chat", "say something to the table")

    def action_help(self) -> None:
        for line in HELP:
            self.query_one(RichLog).write(Text(line, "cyan"))

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        entry = self.query_one(Entry)
        purpose, text = entry.purpose, submitted.value.strip()
        entry.action_close()
        if self.spot is None or not text:
            return
        if purpose == "chat":
            self._ask("chat", self._room.chat(self._table, text))
        elif purpose == "raise":
            self._raise_to(text, self.spot)
        elif not text.isdecimal():
            self._tell(f"{text} is not a number of chips")
        elif purpose == "sit":
            self._ask("sit down", self._room.sit(self._table, buy_in=int(text)))
        else:
            self._ask("top up", self._room.top_up(self._table, int(text)))

    # -- what the keys ask of the room -----------------------------------------------------------------------------

    def _raise_to(self, text: str, spot: Spot) -> None:
        bounds, to = spot.bounds, amount(text, spot)
        if bounds is None:
            self._tell("that turn is over")
        elif to is None:
            self._tell(f"{text} is not an amount: type a number, or min, 1/2, 2/3, pot, max, 3bb")
        elif not bounds.min <= to <= bounds.max:
            self._tell(f"{chips(to)} is not between {chips(bounds.min)} and {chips(bounds.max)}")
        else:
            self._bet(to)

    def _bet(self, to: int) -> None:
        assert self.spot
        assert self.spot.my_turn
        self._act("bet" if self.spot.my_turn.actions.bet else "raise", to)

    def _act(self, action: ActionName, to: int | None = None) -> None:
        assert self.spot
        assert self.spot.view.hand
        assert self.spot.my_turn
        hand, turn = self.spot.view.hand.id, self.spot.my_turn.id
        said = action.replace("_", "-") + (f" {chips(to)}" if to is not None else "")
        self._ask(said, self._room.act(self._table, hand=hand, turn=turn, action=action, to=to))

    def _decide_ahead(self, action: ArmedAction) -> None:
        hand = self.spot.in_hand if self.spot else None
        if self.spot is None or self.spot.you is None or hand is None:
            self._tell("it is not your turn")
        elif self.spot.you.armed and self.spot.you.armed.action == action:
            self._ask("take it back", self._room.disarm(self._table, hand=hand.id))
        else:
            to_call = self.spot.to_call if action == "call" else None
            command = self._room.arm(self._table, hand=hand.id, action=action, to_call=to_call)
            self._ask(f"{action.replace('_', ' or ')} when it is my turn", command)

    def _sure(self, key: str, question: str) -> bool:
        """Whether the key was pressed before and nothing has changed since; else it asks."""
        if self._asked_twice == key:
            self._asked_twice = None
            return True
        self._asked_twice = key
        self._tell(question)
        return False

    def _ask(self, said: str, command: Awaitable[object]) -> None:
        self._tell(f"{said} …")
        self.run_worker(self._answered(command))

    async def _answered(self, command: Awaitable[object]) -> None:
        try:
            await command
        except Refused as refused:
            self._tell(refused.message)
        except Closed as closed:
            self.app.exit(str(closed))
        else:
            self._tell("")
