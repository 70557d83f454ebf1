"""The list of tables, live."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import DataTable, Static

from fullring.wire.client import LOBBY
from fullring.wire.view import LobbyView, TableInfo
from fullring_client.connection import Room
from fullring_client.errors import Closed, Refused
from fullring_client.terminal.table import TableScreen
from fullring_client.terminal.words import GAMES, chips

_COLUMNS = ("Table", "Game", "Blinds", "Buy-in", "Seats", "Status")


class LobbyScreen(Screen[None]):
    CSS = """
    #who { height: 1; background: $primary-background; padding: 0 1; }
    #tables { height: 1fr; }
    #help { height: 1; color: $text-muted; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "app.quit", "quit")]

    def __init__(self, room: Room) -> None:
        super().__init__()
        self._room = room

    def compose(self) -> ComposeResult:
        account = self._room.account
        yield Static(f"Fullring · {account.name if account else 'looking on'}", id="who", markup=False)
        yield DataTable(id="tables", cursor_type="row")
        yield Static("↑ ↓ choose · enter opens the table · q quit", id="help", markup=False)

    def on_mount(self) -> None:
        self.query_one(DataTable).add_columns(*_COLUMNS)
        self.run_worker(self._follow())

    async def on_data_table_row_selected(self, chosen: DataTable.RowSelected) -> None:
        if chosen.row_key.value is not None:
            await self.app.push_screen(TableScreen(self._room, chosen.row_key.value))

    async def _follow(self) -> None:
        try:
            async with self._room.watch(LOBBY) as updates:
                async for update in updates:
                    if isinstance(update.view, LobbyView):
                        self._show(update.view.tables)
        except (Closed, Refused) as error:
            self.app.exit(str(error))

    def _show(self, tables: list[TableInfo]) -> None:
        """The cursor stays on the table it was on; where that is gone, it stays in its row."""
        shown = self.query_one(DataTable)
        row, ids = shown.cursor_row, [table.id for table in tables]
        if shown.is_valid_row_index(row) and (chosen := shown.ordered_rows[row].key.value) in ids:
            row = ids.index(chosen)
        shown.clear()
        for table in tables:
            shown.add_row(*_cells(table), key=table.id)
        shown.move_cursor(row=min(row, max(0, len(tables) - 1)))


def _cells(table: TableInfo) -> tuple[Text, ...]:
    """As texts: a string would be read as markup."""
    waiting = f" +{table.waiting}" if table.waiting else ""
    cells = (
        table.name,
        GAMES[table.game],
        f"{chips(table.small_blind)}/{chips(table.big_blind)}",
        f"{chips(table.buy_in_min)} to {chips(table.buy_in_max)}",
        f"{table.taken}/{table.seats}{waiting}",
        table.status,
    )
    return tuple(Text(cell) for cell in cells)
