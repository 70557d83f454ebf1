"""The line where an amount or a chat is typed; hidden otherwise."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from textual.binding import Binding, BindingType
from textual.widgets import Input

Purpose = Literal["raise", "sit", "top up", "chat"]


class Entry(Input):
    """Arrow keys go through the offers, escape leaves it, enter submits it as every Input does."""

    DEFAULT_CSS = "Entry { display: none; height: 1; border: none; padding: 0 1; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "leave"),
        Binding("up", "offer(1)", "more"),
        Binding("down", "offer(-1)", "less"),
    ]

    def __init__(self) -> None:
        super().__init__(id="entry", compact=True)
        self.purpose: Purpose | None = None
        self._offers: Sequence[int] = ()

    def open(self, purpose: Purpose, hint: str, *, value: str = "", offers: Sequence[int] = ()) -> None:
        self.purpose = purpose
        self.placeholder = hint
        self.value = value
        self._offers = offers
        self.display = True
        self.focus()

    def action_close(self) -> None:
        self.purpose = None
        self.value = ""
        self.display = False
        self.screen.set_focus(None)

    def action_offer(self, step: int) -> None:
        """The next larger or smaller offer than what stands there; the first one where nothing stands."""
        now = int(self.value) if self.value.isdecimal() else -1
        further = [offer for offer in self._offers if offer > now] if step > 0 else []
        back = [offer for offer in self._offers if offer < now] if step < 0 else []
        chosen = further[:1] or back[-1:]
        if chosen:
            self.value = str(chosen[0])
            self.cursor_position = len(self.value)
