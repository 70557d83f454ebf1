"""Six players, two tables, a thousand hands, over real sockets: what everybody heard, held against what was kept.

The evening is played once on each database; each test looks at one side of what is left of it.
"""

import json
import re
from collections.abc import Iterator, Sequence

import msgspec

from fullring.rules.events import HandStarted
from fullring.runtime.audience import RING_UPDATES
from fullring.wire.server import SERVER_MESSAGE
from tests.room.evidence import CHIPS, HANDS, PLAYERS, Evidence, Json
from tests.room.kept import Moment, shown_in
from tests.room.players import NORMAL, Frame, Watcher

CARD = re.compile(rb"(?<![0-9A-Za-z])[2-9TJQKA][cdhs](?![0-9A-Za-z])")


def cards(frame: bytes) -> set[str]:
    return {found.decode() for found in CARD.findall(frame)}


def updates(watcher: Watcher, table: str) -> Iterator[tuple[int, Frame, Json]]:
    """The watcher's updates of that table, each with the number of its connection and the frame read."""
    for number, frames in enumerate(watcher.heard):
        for frame in frames:
            message = msgspec.json.decode(frame.public)
            if message["type"] == "update" and message["table"] == table:
                yield number, frame, message


def test_everybody_hears_every_update_once_in_order_as_the_journal_has_it(evidence: Evidence) -> None:
    """The bytes are those that follow from the journal, for each viewer, and ``you`` is that account's own."""
    for table in evidence.tables:
        life = evidence.moments[table]
        assert [moment.seq for moment in life] == list(range(1, len(life) + 1))
        for watcher in evidence.everybody:
            connection, last = -1, 0
            for number, frame, message in updates(watcher, table):
                seq = message["seq"]
                assert (number, seq) >= (connection, last)
                if number != connection:  # The first of a connection has what was missed meanwhile.
                    expected = caught_up(life, last, seq)
                elif seq == last:  # Only the reader's own part is another.
                    assert frame.own is not None
                    expected = life[seq - 1].frame([])
                else:
                    assert seq == last + 1
                    expected = life[seq - 1].frame(life[seq - 1].events)
                if seq:
                    assert frame.public == expected, f"update {seq}"
                    own = life[seq - 1].you.get(watcher.account or "", [])
                    assert frame.own in [msgspec.json.encode(part) for part in own] or (frame.own is None and not own)
                connection, last = number, seq
            assert last > len(life) // 2, "it was there for the most part of the evening"


def caught_up(life: Sequence[Moment], last: int, seq: int) -> bytes:
    """What a viewer gets first who has ``last``, or nothing yet: the table now, and what is still held of the rest."""
    if not seq:
        return b""
    missed = life[last:seq] if last else []
    events = [event for moment in missed[-RING_UPDATES:] for event in moment.events]
    return life[seq - 1].frame(events, lost=len(missed) > RING_UPDATES)


def test_one_came_back_soon_enough_to_hear_all_and_once_too_late(evidence: Evidence) -> None:
    lost = [
        message.get("lost", False)
        for connection in range(1, 3)
        for table in evidence.tables
        for message in [
            next(message for number, _, message in updates(evidence.watchers[1], table) if number == connection)
        ]
    ]
    assert lost == [False, False, True, True]


def test_no_byte_to_anybody_tells_a_card_that_its_reader_may_not_know(evidence: Evidence) -> None:
    """Searched in all that was heard, at every instant: the board to come, other hands, and the rest of the deck."""
    searched = 0
    for watcher in evidence.everybody:
        before: dict[str, tuple[int, int]] = {}
        for number, frames in enumerate(watcher.heard):
            for frame in frames:
                message = msgspec.json.decode(frame.public)
                if message["type"] != "update" or message["table"] == "lobby":
                    assert not cards(frame.public)
                    continue
                table, seq = message["table"], message["seq"]
                first, (_, since) = number != before.get(table, (-1, 0))[0], before.get(table, (-1, 0))
                before[table] = number, seq
                if seq == 0:
                    assert not cards(frame.public)
                    continue
                moment = evidence.moments[table][seq - 1]
                told = evidence.moments[table][since : seq - 1] if first and since else []
                known = moment.public.union(*[one.public for one in told])
                assert cards(frame.public) <= known, f"update {seq}"
                if frame.own is not None:
                    mine = moment.holes.get(watcher.account or "", frozenset())
                    assert cards(frame.own) <= moment.public | mine, f"update {seq}"
                    searched += bool(mine)
    assert searched > HANDS, "players were dealt in"


def test_what_a_stranger_may_fetch_meanwhile_is_what_everybody_was_told(evidence: Evidence) -> None:
    assert len(evidence.pages) > PLAYERS
    for table, page in evidence.pages:
        shown = json.loads(page)["view"]
        found = [one for one in evidence.moments[table] if shown == msgspec.json.decode(one.view)]
        assert found
        assert cards(page) <= found[0].public


def test_every_message_is_one_of_the_protocol(evidence: Evidence) -> None:
    distinct = {frame.public: frame.own for one in evidence.everybody for frames in one.heard for frame in frames}
    for frame, own in distinct.items():
        SERVER_MESSAGE.validate_json(frame if own is None else frame[:-1] + b',"you":' + own + b"}")


def test_nothing_that_was_offered_is_refused_and_nobody_is_sent_away(evidence: Evidence) -> None:
    for player in evidence.players:
        assert not [refused for refused in player.refused if refused[0] == "act"]
        assert {code for _, code in player.refused} <= {"illegal_action", "stale_turn", "bad_amount"}
    assert {code for one in evidence.everybody for code in one.closed_with} == {NORMAL}


def test_chips_in_are_chips_out(evidence: Evidence) -> None:
    """In the middle of hands and at the end, when everybody has got up, and each transaction of the ledger adds up."""
    assert len(evidence.totals) == 10
    assert set(evidence.totals) == {CHIPS * PLAYERS}
    assert evidence.discrepancies == []
    assert sum(evidence.purses.values()) == CHIPS * PLAYERS
    assert len(set(evidence.purses.values())) > 1


def test_every_finished_hand_is_in_the_list_with_the_stacks_that_were_told(evidence: Evidence) -> None:
    told = {
        event["hand"]: {stake["seat"]: stake["stack"] for stake in event["stacks"]}
        for watcher in evidence.everybody
        for table in evidence.tables
        for _, _, message in updates(watcher, table)
        for event in message["events"]
        if event["type"] == "hand_ended"
    }
    listed = {hand["id"]: hand for hand in evidence.hands}
    assert len(listed) == len(evidence.hands) >= HANDS
    assert set(evidence.evening.hands) <= set(listed)
    assert len(told) >= HANDS
    for id, stacks in told.items():
        players = listed[id]["players"]
        assert {player["seat"]: player["stack_end"] for player in players} == stacks
        assert sum(player["stack_start"] for player in players) == sum(stacks.values())
    ended = [hand["ended_at"] for hand in evidence.hands]
    assert ended == sorted(ended, reverse=True)
    for table in evidence.tables:
        numbers = sorted(hand["number"] for hand in evidence.hands if hand["table"] == table)
        assert numbers == list(range(1, len(numbers) + 1))


def test_the_list_of_hands_tells_a_stranger_no_card_that_was_not_shown(evidence: Evidence) -> None:
    shown = shown_in([moment for life in evidence.moments.values() for moment in life])
    for hand in evidence.hands:
        public, _ = shown[hand["id"]]
        assert cards(json.dumps(hand).encode()) <= public


def test_the_decks_that_were_dealt_are_those_that_were_shuffled(evidence: Evidence) -> None:
    dealt = [
        event.deck
        for table in evidence.tables
        for moment in evidence.moments[table]
        for event in moment.row.events
        if isinstance(event, HandStarted)
    ]
    assert sorted(dealt) == sorted(evidence.decks.made)
