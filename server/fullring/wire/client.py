"""What a client may say on the socket: one model a message, told apart by ``type``."""

from typing import Annotated, Literal, Self, get_args

from pydantic import Field, TypeAdapter, model_validator

from fullring.wire.fields import (
    ActionName,
    ArmedAction,
    AskedChips,
    Card,
    ChatText,
    Count,
    Id,
    Maybe,
    MessageId,
    SeatNo,
    Shape,
)

PROTOCOL = 1
LOBBY = "lobby"


class _Message(Shape):
    id: MessageId


class _TableMessage(_Message):
    table: Id


class Since(Shape):
    """The last update that the client has."""

    epoch: Count
    seq: Count


class Hello(_Message):
    """Comes first. Without ``token`` and ``ticket`` the connection is a spectator's."""

    type: Literal["hello"] = "hello"
    protocol: Annotated[int, Field(description="the number of the protocol's version, 1")]
    token: Annotated[Maybe[str], Field(max_length=200, repr=False, description="an account's token, as text")] = None
    ticket: Annotated[Maybe[str], Field(max_length=200, repr=False, description="a one-use ticket, as text")] = None
    client: Annotated[Maybe[str], Field(max_length=64, description="the client's name, at most 64 characters")] = None


class Watch(_TableMessage):
    """Follow a table, or the lobby (``table: "lobby"``). ``since`` asks for what was missed."""

    type: Literal["watch"] = "watch"
    since: Annotated[Maybe[Since], Field(description="{epoch, seq} of the last update you have")] = None


class Unwatch(_TableMessage):
    type: Literal["unwatch"] = "unwatch"


class Sit(_TableMessage):
    """Take a seat, any free one unless ``seat`` names it. ``post_now`` pays the big blind instead of waiting for it.

    An invite-only table asks for its ``join_code``.
    """

    type: Literal["sit"] = "sit"
    buy_in: AskedChips
    seat: Maybe[SeatNo] = None
    post_now: Annotated[bool, Field(description="true or false")] = False
    join_code: Annotated[Maybe[str], Field(max_length=64, repr=False, description="the code, as text")] = None


class Leave(_TableMessage):
    type: Literal["leave"] = "leave"


class SitOut(_TableMessage):
    type: Literal["sit_out"] = "sit_out"


class SitIn(_TableMessage):
    type: Literal["sit_in"] = "sit_in"
    post_now: Annotated[bool, Field(description="true or false")] = False


class TopUp(_TableMessage):
    type: Literal["top_up"] = "top_up"
    amount: AskedChips


class Act(_TableMessage):
    """Answers that one turn. ``to`` is the street's total and belongs to bet and raise."""

    type: Literal["act"] = "act"
    hand: Id
    turn: Id
    action: Annotated[ActionName, Field(description="one of fold, check, call, bet, raise, all_in")]
    to: Maybe[AskedChips] = None

    @model_validator(mode="after")
    def _amount_given(self) -> Self:
        if self.to is None and self.action in {"bet", "raise"}:
            raise ValueError(f"a {self.action} needs to, the seat's total for the street")
        return self


class Arm(_TableMessage):
    """A pre-action, held by the server. ``to_call`` is the amount to call that it was meant for."""

    type: Literal["arm"] = "arm"
    hand: Id
    action: Annotated[ArmedAction, Field(description="one of fold, check, check_fold, call, call_any")]
    to_call: Maybe[AskedChips] = None


class Disarm(_TableMessage):
    type: Literal["disarm"] = "disarm"
    hand: Id


class Show(_TableMessage):
    """Show own cards after winning unseen, or after mucking."""

    type: Literal["show"] = "show"
    hand: Id
    cards: Annotated[list[Card], Field(min_length=1, max_length=7, description="a list of cards, as in As or Td")]


class Chat(_TableMessage):
    type: Literal["chat"] = "chat"
    text: ChatText


class Ping(_Message):
    type: Literal["ping"] = "ping"


ClientMessage = Annotated[
    Hello | Watch | Unwatch | Sit | Leave | SitOut | SitIn | TopUp | Act | Arm | Disarm | Show | Chat | Ping,
    Field(discriminator="type"),
]
COMMANDS = (Sit, Leave, SitOut, SitIn, TopUp, Act, Arm, Disarm, Show, Chat)
"""What is asked of a table and may change it."""
CLIENT_MESSAGE: TypeAdapter[ClientMessage] = TypeAdapter(ClientMessage)
CLIENT_TYPES = tuple(model.model_fields["type"].default for model in get_args(get_args(ClientMessage)[0]))
