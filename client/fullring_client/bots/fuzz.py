"""A client that sends legal and illegal things: whatever it sends, the room must answer and play on."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from fullring.wire.server import Update
from fullring.wire.view import TableView
from fullring_client.bots.dice import allowed
from fullring_client.connection import Room
from fullring_client.errors import Refused

Message = dict[str, Any]

ODD_VALUES: tuple[Any, ...] = (
    -1,
    0,
    1,
    2**31,
    2**53 - 1,
    2**53,
    10**18,
    40.5,
    1e300,
    True,
    "40",
    "NaN",
    "",
    "x" * 500,
    "\u0000",
    "\u202e<b>",
    [40],
    [[[[]]]],
    {},
    {"to": 40},
)
NO_MESSAGES = ("", "{", "[]", "null", '"hello"', '{"type":"act"}', '{"type":"ping","id":7}', "[" * 500, "🂡")


@dataclass(slots=True)
class Tally:
    """What the room said to it. ``refused`` counts the codes; ``internal`` among them is the room's mistake."""

    buy_in: int = 0  # What it takes to sit down: more than at first for who left with more.
    agreed: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    unanswerable: int = 0  # Frames without an id to answer to.


async def fuzz(room: Room, table: str, *, buy_in: int, dice: Random, messages: int | None = None) -> Tally:
    """Sends so many messages, None for no end. Each that has an id is answered before the next one goes."""
    tally = Tally(buy_in)
    async with room.watch(table) as updates:
        update = await anext(updates)
        while messages is None or sum(tally.agreed.values()) + sum(tally.refused.values()) < messages:
            if updates.waiting:
                update = await updates.latest()
            if dice.random() < 0.01:
                await room.send_text(dice.choice(NO_MESSAGES))
                tally.unanswerable += 1
            await _send(room, _next_message(update, table, tally.buy_in, dice), tally)
    return tally


async def _send(room: Room, message: Message, tally: Tally) -> None:
    try:
        await room.request(**message)
        tally.agreed[message["type"]] += 1
    except Refused as refused:
        tally.refused[refused.code] += 1
        if message["type"] == "sit" and isinstance(least := refused.details.get("min"), int):
            tally.buy_in = least


def _next_message(update: Update, table: str, buy_in: int, dice: Random) -> Message:
    """Half of the messages are what a player would send, the others are such messages spoilt."""
    message = _sensible(update, table, buy_in, dice)
    if dice.random() < 0.5:
        return message
    return dice.choice(_SPOILERS)(message, dice)


def _sensible(update: Update, table: str, buy_in: int, dice: Random) -> Message:
    view, you = update.view, update.you
    assert isinstance(view, TableView)
    if you is None:
        return {"type": "sit", "table": table, "buy_in": buy_in, "post_now": dice.random() < 0.5}
    hand = view.hand
    if hand and hand.turn and hand.turn.seat == you.seat:
        action = dice.choice(allowed(hand.turn.actions, dice))
        return {"type": "act", "table": table, "hand": hand.id, "turn": hand.turn.id} | (
            {"action": action.name} if action.to is None else {"action": action.name, "to": action.to}
        )
    choices: list[Message] = [
        {"type": "chat", "table": table, "text": "any text <b>at all</b>"},
        {"type": "sit_in", "table": table},
        {"type": "top_up", "table": table, "amount": dice.randint(1, buy_in)},
    ]
    if hand:
        choices.append({"type": "arm", "table": table, "hand": hand.id, "action": "check_fold"})
        choices.append({"type": "disarm", "table": table, "hand": hand.id})
        choices.append({"type": "show", "table": table, "hand": hand.id, "cards": you.cards[:1] or ["As"]})
    if dice.random() < 0.005:
        choices = [{"type": "sit_out", "table": table}, {"type": "leave", "table": table}]
    return dice.choice(choices)


def _odd_value(message: Message, dice: Random) -> Message:
    fields = [name for name in message if name != "type"]
    return message | {dice.choice(fields): dice.choice(ODD_VALUES)}


def _field_missing(message: Message, dice: Random) -> Message:
    gone = dice.choice([name for name in message if name != "type"])
    return {name: value for name, value in message.items() if name != gone}


def _wrong_turn(message: Message, dice: Random) -> Message:
    """An answer to a turn that is over, never was, or is somebody else's."""
    turn = dice.choice(["", "h0-0", "x" * 64, message.get("turn", "h1-1")])
    action = dice.choice(["fold", "check", "call", "bet", "raise", "all_in"])
    table = message.get("table", "t1")
    return {"type": "act", "table": table, "hand": message.get("hand", "h0"), "turn": turn, "action": action, "to": 40}


def _unknown_type(message: Message, dice: Random) -> Message:
    return message | {"type": dice.choice(["ACT", "act ", "deal", "__init__", "", "x" * 500])}


def _nowhere(message: Message, dice: Random) -> Message:
    return message | {"table": dice.choice(["nowhere", "../t1", "t1' or 1=1", "lobby"])}


def _with_more(message: Message, dice: Random) -> Message:
    """Fields that a naive server would believe."""
    return message | {
        "account": "a1",
        "seat": dice.randint(1, 10),
        "stack": 10**9,
        "name": "Owner (host)",
        "admin": True,
    }


_SPOILERS: tuple[Callable[[Message, Random], Message], ...] = (
    _odd_value,
    _odd_value,
    _field_missing,
    _wrong_turn,
    _unknown_type,
    _nowhere,
    _with_more,
)
