"""The terminal player: a lobby to choose a table from, and the table."""

from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from fullring_client.connection import Room
from fullring_client.terminal.lobby import LobbyScreen
from fullring_client.terminal.table import TableScreen


class Terminal(App[str]):
    """Plays in a room that is connected already. Its result is a sentence for the shell, where there is one to say."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "quit", "quit")]

    def __init__(self, room: Room, table: str | None = None) -> None:
        super().__init__()
        self.room = room
        self._table = table

    async def on_mount(self) -> None:
        self.title = "Fullring"
        await self.push_screen(LobbyScreen(self.room))
        if self._table is not None:
            await self.push_screen(TableScreen(self.room, self._table))
