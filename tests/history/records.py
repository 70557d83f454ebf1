"""Recorded hands of the conformance data and scripted ones of the public reports, told as PHH."""

import gzip
import json
from collections.abc import Iterator, Sequence
from typing import Any

from fullring.history.phh import read
from fullring.history.replay import play
from tests.shared import data

Record = dict[str, Any]


def recorded_hands(name: str) -> Iterator[Record]:
    path = data(name)
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return map(json.loads, text.splitlines())


def document(
    *,
    actions: Sequence[str],
    stacks: Sequence[object],
    blinds: Sequence[object],
    antes: Sequence[object] = (),
    min_bet: object = 0,
    **others: object,
) -> str:
    """A no-limit hand as PHH text. Numbers are written as they print, so they may be text such as ``2.50``."""

    def array(some: Sequence[object]) -> str:
        return "[" + ", ".join(map(str, some)) + "]"

    fields = {
        "variant": "'NT'",
        "antes": array(antes or [0] * len(stacks)),
        "blinds_or_straddles": array(blinds),
        "min_bet": str(min_bet or max(map(float, map(str, blinds)))),
        "starting_stacks": array(stacks),
        "actions": json.dumps(list(actions)),
        **{key: json.dumps(value) for key, value in others.items()},
    }
    return "\n".join(f"{key} = {value}" for key, value in fields.items())


def phh_of(record: Record) -> str:
    """A conformance record. Posts and dead blinds of newcomers are live posts and antes, as PHH can say them."""
    size: int = record["players"]
    antes, blinds = list(record["antes"]), [0] * size
    pooled = sum(map(bool, antes)) == 1
    for player, kind, amount in record["posts"]:
        if kind == "dead":
            antes[player - 1] += amount
            pooled = True
        else:
            due = record["bb"] if kind == "bb" else amount
            blinds[player - 1] += -due if kind == "post" else due
    if "no_bb_posted" in record["tags"]:
        blinds[1 if size > 2 else 0] = record["bb"]
    if size == 2:
        antes.reverse()
        blinds.reverse()
    return document(
        actions=_actions(record),
        stacks=record["stacks"],
        blinds=blinds,
        antes=antes,
        min_bet=record["bb"],
        ante_trimming_status=not pooled,
    )


def _actions(record: Record) -> list[str]:
    lines = [f"d dh p{player} {cards}" for player, cards in enumerate(record["hole"], 1)]
    board = list(record["board"])
    for number, actions in enumerate(record["actions"]):
        if number:
            lines.append(f"d db {board.pop(0)}")
        for player, kind, to, *_ in actions:
            lines.append(f"p{player} " + {"f": "f", "x": "cc", "c": "cc"}.get(kind, f"cbr {to}"))
    if record["end"] == "showdown":
        shown = record.get("showdown") or [[player, None] for player in range(1, len(record["hole"]) + 1)]
        known = {player: cards or record["hole"][player - 1] for player, cards in shown}
        mucked = {player for player, cards in shown if cards is None and "showdown" in record}
        folded = {player for actions in record["actions"] for player, kind, *_ in actions if kind == "f"}
        for player in range(1, len(record["hole"]) + 1):
            cards = known.get(player, record["hole"][player - 1])
            if player not in folded:
                lines.append(f"p{player} sm" if player in mucked or "?" in cards else f"p{player} sm {cards}")
    return lines + [f"d db {cards}" for cards in board]


def phh_of_report(hand: Record, *, actions: int | None = None, then: Sequence[str] = ()) -> tuple[str, list[int]]:
    """A scripted hand up to this action, other lines after it, and the seats in PHH order: the button last."""
    stacks = {one["seat"]: one["stack"] for one in hand["seats"]}
    order = sorted(stacks, key=lambda seat: (seat <= hand["button"], seat))
    small, big = hand["game"]["blinds"]
    blinds = [big] if hand["game"].get("dead_small_blind") else [small, big]
    blinds += [0] * (len(order) - len(blinds))
    antes = [hand["game"]["ante"]] * len(order)
    setup = {"stacks": [stacks[seat] for seat in order], "blinds": blinds, "antes": antes, "min_bet": big}
    lines = [f"d dh p{i} {''.join(hand['hole_cards'][str(seat)])}" for i, seat in enumerate(order, 1)]
    board = hand["board"]
    streets = [board[:3], board[3:4], board[4:]]
    for action in hand["actions"][:actions]:
        player, amount = order.index(action["seat"]) + 1, action["amount"]
        line = f"p{player} " + {"fold": "f", "check": "cc", "call": "cc"}.get(action["action"], f"cbr {amount}")
        if any(streets) and _waits_for_the_board([*lines, line], setup):
            lines.append(f"d db {''.join(streets.pop(0))}")
        lines.append(line)
    rest = [f"d db {''.join(street)}" for street in streets if street and actions is None]
    text = document(actions=[*lines, *rest, *then], ante_trimming_status=True, **setup)
    return text, order


def _waits_for_the_board(lines: Sequence[str], setup: dict[str, Any]) -> bool:
    played = play(read(document(actions=lines, ante_trimming_status=True, **setup), name="x.phh")[0])
    return played.trouble is not None and "the board is not dealt" in played.trouble.message
