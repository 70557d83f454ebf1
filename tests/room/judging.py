"""What must hold after rooms were stopped or killed while clients played: all that anybody was told, and all chips."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain
from typing import Any

import msgspec

from fullring.rules.events import HandEnded, HandStarted
from fullring.runtime.ports import HandQuery, Row
from fullring.table.events import Resumed
from fullring.table.ids import TableId
from tests.room.kept import Books, Moment, moments
from tests.room.players import Player

Json = dict[str, Any]
TURN_MS = 30_000
"""The turn of a room's own tables."""


async def judge(kept: Books, tables: Sequence[str], players: Sequence[Player], restarts: int) -> None:
    """The players have got up from all their tables, and had so many restarts in between."""
    assert await kept.discrepancies() == []
    for player in players:
        assert player.repeated >= restarts, "commands that were done are asked again"
    by_key: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for table in tables:
        rows = await kept.rows(table)
        for row in rows:
            if row.key is not None:
                by_key[row.key.account, row.key.id].append(row)
        life = list(moments(table, await kept.settings(table), rows))
        _judge_restarts(life, restarts)
        for player in players:
            _judge_what_was_heard(life, player, table)
        await judge_hands(kept, table, rows)
    for player in players:
        judge_answers(player, by_key)


def _judge_restarts(life: Sequence[Moment], restarts: int) -> None:
    """The player to act has a full clock, from the moment when the room was back."""
    resumed = [moment for moment in life if any(isinstance(event, Resumed) for event in moment.row.events)]
    assert len(resumed) >= restarts
    turns = [(moment, turn) for moment in resumed if (turn := _hand(moment).get("turn")) is not None]
    assert len(turns) >= restarts // 2
    for moment, turn in turns:
        assert turn["deadline"] == moment.row.at + TURN_MS


def _judge_what_was_heard(life: Sequence[Moment], player: Player, table: str) -> None:
    """Before and after every kill, all that a client saw is what the journal has: update by update, byte by byte."""
    last = 0
    for frames in player.heard:
        first = True
        for frame in frames:
            message = msgspec.json.decode(frame.public)
            if message["type"] != "update" or message["table"] != table:
                continue
            seq = message["seq"]
            if not seq:
                continue
            now = life[seq - 1]
            if first and last:
                _judge_return(life[last - 1], now, life[last:seq], message)
            elif not first and seq > last:
                assert seq == last + 1
            events = message["events"] if first else now.events if seq > last else []
            assert frame.public == now.frame(events, lost=message.get("lost", False))
            own = now.you.get(player.account or "", [])
            assert frame.own in [msgspec.json.encode(part) for part in own] or (frame.own is None and not own)
            first, last = False, seq


def _judge_return(before: Moment, now: Moment, missed: Sequence[Moment], message: Json) -> None:
    """The first update after a restart: it goes on from the last that was seen, in the same hand or a later one."""
    assert now.seq > before.seq
    events = [moment.events for moment in missed]
    held = next(n for n in range(len(events) + 1) if list(chain(*events[n:])) == message["events"])
    assert message.get("lost", False) == (held > 0)
    was, is_now = _hand(before), _hand(now)
    if was and is_now["id"] == was["id"]:
        assert not held, "the hand that was seen is told whole"
        assert is_now["board"][: len(was["board"])] == was["board"]
        assert now.holes == before.holes
    elif was:
        assert is_now["number"] > was["number"]


async def judge_hands(kept: Books, table: str, rows: Sequence[Row]) -> None:
    """Each hand was played to its end, none was voided, and each is kept once."""
    events = [event for row in rows for event in row.events]
    started = [event.hand for event in events if isinstance(event, HandStarted)]
    assert len(started) == sum(isinstance(event, HandEnded) for event in events)
    found, cursor = [], None
    while True:
        records, cursor = await kept.store.hands.find(HandQuery(table=TableId(table), cursor=cursor, limit=1_000))
        found += [record.hand for record in records]
        if cursor is None:
            break
    assert found == started[::-1]


def judge_answers(player: Player, by_key: dict[tuple[str, str], list[Row]]) -> None:
    """What was answered with ``ok`` is in the journal once, with that answer; what was refused is not there."""
    assert not player.unanswered
    for id, frame in player.answers.items():
        answer = msgspec.json.decode(frame)
        rows = by_key.get((player.account or "", id), [])
        if answer["type"] == "error":
            assert not rows, answer
        else:
            assert [{"type": "ok", "re": id, **(row.answer or {})} for row in rows] == [answer]


def _hand(moment: Moment) -> Json:
    hand: Json = msgspec.json.decode(moment.view).get("hand", {})
    return hand
