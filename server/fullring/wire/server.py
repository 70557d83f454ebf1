"""What the server says on the socket: one model a message, told apart by ``type``.

The server sends plain dictionaries that these models describe; clients read with them.
"""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from fullring.wire.errors import ErrorCode
from fullring.wire.events import Event
from fullring.wire.fields import AccountKind, Chips, Count, Id, Maybe, MessageId, SeatNo, Shape, Time
from fullring.wire.view import LobbyView, TableView, You


class Account(Shape):
    """``chips`` are those with the cashier, not those on tables. ``role`` is there for those who may more than play."""

    id: Id
    name: str
    kind: AccountKind
    chips: Chips
    role: Maybe[Literal["host", "admin"]] = None


class SeatHeld(Shape):
    """Where an account sits."""

    table: Id
    seat: SeatNo


class Limits(Shape):
    """What a client may send: so many bytes a frame, so many frames at once, and then so many a second."""

    frame_bytes: Count
    frames_per_second: Count
    frames_burst: Count


class Welcome(Shape):
    """Answers ``hello``. A spectator has no ``account``."""

    type: Literal["welcome"] = "welcome"
    re: MessageId
    protocol: int
    connection: Id
    account: Maybe[Account] = None
    time: Time
    heartbeat_seconds: Annotated[int, Field(ge=1)]
    limits: Limits
    seats: list[SeatHeld]


class Ok(Shape):
    """The command was done, and is permanent. ``seq`` is the update that shows it; ``sit`` also gets its ``seat``."""

    model_config = ConfigDict(extra="allow")

    type: Literal["ok"] = "ok"
    re: MessageId
    seat: Maybe[SeatNo] = None
    seq: Maybe[Count] = None


class Error(Shape):
    """The command was refused and changed nothing. ``re`` is absent where the message's id could not be read."""

    type: Literal["error"] = "error"
    re: Maybe[MessageId] = None
    code: Annotated[ErrorCode, Field(strict=False)]
    message: str
    details: Maybe[dict[str, Any]] = None


class Update(Shape):
    """What happened and how the table stands now. ``seq`` numbers a table's updates without gaps, for every viewer.

    ``lost`` says that some events between this viewer's last update and this one are no longer held.
    """

    type: Literal["update"] = "update"
    table: Id
    epoch: Count
    seq: Count
    at: Time
    events: list[Event]
    view: TableView | LobbyView
    you: Maybe[You] = None
    lost: bool = False


class Pong(Shape):
    type: Literal["pong"] = "pong"
    re: MessageId
    time: Time


class Notice(Shape):
    """``kind: "restart"``: no new hands after ``at``; reconnect later. ``announcement``: to all, of what is at ``at``.

    ``message``: to you alone, or with ``table`` to all who watch that table.
    """

    type: Literal["notice"] = "notice"
    kind: str
    at: Maybe[Time] = None
    text: Maybe[str] = None
    table: Maybe[Id] = None


ServerMessage = Annotated[Welcome | Ok | Error | Update | Pong | Notice, Field(discriminator="type")]
SERVER_MESSAGE: TypeAdapter[ServerMessage] = TypeAdapter(ServerMessage)
