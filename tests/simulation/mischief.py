"""What clients send that they should not: forged commands, floods, and frames that are no messages."""

from random import Random
from typing import Any

from tests.simulation.reading import Update

Json = dict[str, Any]

NOISE: tuple[str | bytes, ...] = (
    "", "{", "[]", "null", '"hello"', "[" * 500, '{"type":"act"}', '{"type":"ping","id":7}', '{"type":"ping","id":""}',
    '{"id":"odd","type":"deal"}', '{"id":"odd","type":"hello","protocol":2}', '{"id":"odd","type":"watch"}',
    '{"id":"odd","type":"watch","table":"nowhere"}', '{"id":"odd","type":"sit","table":"t1","buy_in":1e300}',
    '{"id":"' + "x" * 65 + '","type":"ping"}', '{"id":"odd\\u0000","type":"ping"}',
    "\ufeff{}", "\U0001f0a1", b"\x00\xff", b"{}",
)  # fmt: skip
AMOUNTS = (-1, 0, 1, 7, 2**31, 2**53 - 1, 10**12)


def large(dice: Random) -> str:
    """Larger than a frame may be."""
    return '{"id":"large","type":"chat","table":"t1","text":"' + "x" * dice.choice([8_192, 20_000]) + '"}'


def flood(dice: Random, name: str) -> list[str]:
    """More at once than anybody may send."""
    return [f'{{"id":"{name}-f{dice.randrange(10**6)}","type":"ping"}}' for _ in range(dice.choice([45, 120]))]


def forged(dice: Random, update: Update, you: Json | None, tables: list[str]) -> Json:
    """A command that might do harm if the server believed it."""
    hand = update.seen.hand
    turn = None if hand is None else hand.turn
    table = dice.choice([*tables, update.table, "nowhere"])
    hand_id = "h0" if hand is None else hand.id
    turn_id = f"{hand_id}-{dice.randint(0, 9)}" if turn is None or dice.random() < 0.3 else turn.id
    match dice.randrange(7):
        case 0 | 1:
            action = dice.choice(["fold", "check", "call", "bet", "raise", "all_in"])
            return {
                "type": "act", "table": table, "hand": hand_id, "turn": turn_id, "action": action,
                "to": dice.choice([*AMOUNTS[2:], 20, 100]),
            }  # fmt: skip
        case 2:
            return {
                "type": "sit",
                "table": table,
                "buy_in": dice.choice([*AMOUNTS[1:], 200, 1_000]),
                "seat": dice.randint(1, 10),
            }
        case 3:
            return {"type": "top_up", "table": table, "amount": dice.choice(AMOUNTS[1:])}
        case 4:
            return {"type": "show", "table": table, "hand": hand_id, "cards": dice.sample(["As", "Kd", "2c", "7h"], 2)}
        case 5:
            action = dice.choice(["fold", "check", "call", "call_any"])
            return {
                "type": "arm",
                "table": table,
                "hand": hand_id,
                "action": action,
                "to_call": dice.choice(AMOUNTS[1:]),
            }
        case _:
            return {"type": dice.choice(["sit_in", "sit_out", "leave" if you is None else "sit_in"]), "table": table}
