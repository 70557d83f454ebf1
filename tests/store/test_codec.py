"""What is written is read back as exactly the same values, and what can't be read is never guessed at."""

import dataclasses
import enum
import json
import types
import typing
from random import Random
from typing import Any

import pytest

from fullring.rules import events as hand_events
from fullring.rules.cards import FULL_DECK, Deck
from fullring.rules.events import HandStarted, Stake
from fullring.rules.record import HandRecord, without_deck
from fullring.runtime.accounts import Account
from fullring.store import codec
from fullring.store.codec import VERSION, Unreadable
from fullring.table import events as table_events
from fullring.table.events import ClockStarted
from fullring.table.ids import AccountId, TurnId
from fullring.table.kept import snapshot
from fullring.table.settings import TableSettings
from tests.contracts.playing import Playing

KINDS = (*typing.get_args(table_events.TableEvent), *typing.get_args(hand_events.Event))
SETTINGS = TableSettings("Table \u2660", rake_bps=250, rake_caps=(3, 4), join_code='"')


def example(kind: type, random: Random) -> Any:
    """One of that kind with something in every field."""
    hints = typing.get_type_hints(kind)
    return kind(**{field.name: made(hints[field.name], random) for field in dataclasses.fields(kind)})


def made(hint: object, random: Random) -> object:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return made(random.choice(arguments), random)
    if origin is tuple:
        return tuple(made(arguments[0], random) for _ in range(random.randrange(3)))
    if isinstance(hint, typing.NewType):
        return made(hint.__supertype__, random)
    if hint is type(None):
        return None
    if hint is bool:
        return random.random() < 0.5
    if hint is int:
        return random.choice([0, 1, -1, 52, 10**12, 2**53])
    if hint is str:
        return random.choice(["", "a", 'q"\\\n\0', "\u2660\U0001f0a1"])
    if hint is Deck:
        return Deck()
    if hint is TableSettings:
        return SETTINGS
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return random.choice(list(hint))
    assert isinstance(hint, type)
    return example(hint, random)


def played(rows: int) -> Playing:
    people = [Account(AccountId(f"a{number}"), f"N{number}", "guest", "player", 10**6, 0) for number in range(4)]
    playing = Playing.open("t1", SETTINGS, people, seed=3)
    for _ in range(rows):
        playing.done(playing.next())
    return playing


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_event_comes_back_the_same(kind: type) -> None:
    random = Random(kind.__name__)
    for _ in range(20):
        event = example(kind, random)
        written = codec.write_events((event,))

        (read,) = codec.read_events(VERSION, written.payload)

        assert read == event
        assert type(read) is kind
        assert _types(read) == _types(event)


def _types(value: object) -> object:
    """The types all the way down: ``True == 1`` and an enum equals its text, so equality does not see them."""
    if dataclasses.is_dataclass(value):
        return type(value), [_types(getattr(value, field.name)) for field in dataclasses.fields(value)]
    return (type(value), [_types(part) for part in value]) if isinstance(value, tuple) else type(value)


def test_a_deck_is_handed_over_and_never_written() -> None:
    started = HandStarted("h1", 1, "nlhe", 1, (Stake(1, 100),), (), 10, 10, Deck(FULL_DECK))

    written = codec.write_events((ClockStarted(TurnId("h1-1"), 1, 5), started))

    assert written.started is started
    assert started.deck == FULL_DECK
    assert json.loads(written.payload)[1][1]["deck"] == []
    assert codec.read_events(VERSION, written.payload)[1] == dataclasses.replace(started, deck=Deck())
    with pytest.raises(Unreadable):
        codec.read_events(VERSION, written.payload.replace('"deck":[]', '"deck":[1,2]'))


def test_at_most_one_hand_starts_in_a_batch() -> None:
    started = HandStarted("h1", 1, "nlhe", 1, (), (), 10, 10, Deck())

    with pytest.raises(ValueError, match="one hand"):
        codec.write_events((started, started))


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "{}",
        "[",
        "null",
        '[["no_such_event",{}]]',
        '[["paused",{}]]',
        '[["paused",{"reason":1}]]',
        '[["paused",null]]',
        '[["paused"]]',
        '[["chips_added",{"seat":"1","account":"a","amount":1}]]',
        '[["chips_added",{"seat":1.5,"account":"a","amount":1}]]',
        '[["chips_added",{"seat":true,"account":"a","amount":1}]]',
        '[["sat_in",{"seat":1,"entry":"later"}]]',
    ],
)
def test_what_is_no_batch_is_unreadable_and_not_quoted(payload: str) -> None:
    with pytest.raises(Unreadable) as refused:
        codec.read_events(VERSION, payload)
    assert str(refused.value) == "the events can't be read"
    assert refused.value.__cause__ is None


def test_what_a_later_program_wrote_is_unreadable() -> None:
    for read in (codec.read_events, codec.read_snapshot, codec.read_settings, codec.read_record):
        with pytest.raises(Unreadable, match=f"version {VERSION + 1}"):
            read(VERSION + 1, "[]")


def test_settings_and_snapshots_come_back_the_same() -> None:
    playing = played(200)
    while not playing.table.between_hands:
        playing.done(playing.next())
    taken, shown = snapshot(playing.table), snapshot(playing.table, shown=True)

    assert codec.read_settings(VERSION, codec.write_settings(SETTINGS)) == SETTINGS
    assert shown.last is not None
    for one in (taken, shown):
        assert codec.read_snapshot(VERSION, codec.write_snapshot(one)) == one


def test_a_snapshot_from_before_they_kept_the_last_hand_has_none() -> None:
    playing = played(200)
    while not playing.table.between_hands:
        playing.done(playing.next())
    taken = snapshot(playing.table)
    written = json.loads(codec.write_snapshot(taken))
    del written["last"]

    assert codec.read_snapshot(VERSION, json.dumps(written)) == taken


def test_a_snapshot_with_the_last_hand_holds_no_card_that_was_not_dealt() -> None:
    playing = played(200)
    while not playing.table.between_hands:
        playing.done(playing.next())
    hand, last = playing.table.hand, json.loads(codec.write_snapshot(snapshot(playing.table, shown=True)))["last"]

    assert hand is not None
    assert last["dealt"] == list(hand.deck[: hand.dealt])
    assert last["events"][0][1]["deck"] == []


@pytest.mark.parametrize("payload", ["", "{}", "[]", '{"name":"x","game":"no"}'])
def test_what_is_no_snapshot_no_settings_or_no_record_is_unreadable(payload: str) -> None:
    for read in (codec.read_snapshot, codec.read_settings, codec.read_record):
        with pytest.raises(Unreadable):
            read(VERSION, payload)


def test_records_come_back_the_same_without_the_deck() -> None:
    playing = played(0)
    records: list[HandRecord] = []
    while len(records) < 5:
        going = playing.next()
        if going.record is not None:
            records.append(going.record)
        playing.done(going)

    for record in records:
        assert codec.read_record(VERSION, codec.write_record(record)) == record
        opened = dataclasses.replace(record.started, deck=Deck(FULL_DECK))
        careless = dataclasses.replace(record, events=(opened, *record.events[1:]))
        assert codec.read_record(VERSION, codec.write_record(careless)).events == without_deck(record.events)


def test_keys_answers_and_cards_come_back_the_same() -> None:
    for text in ("", "a", 'q"\\\n\0', "\u2660", '"a"'):
        assert codec.read_key(codec.write_key(text)) == text
        assert "\0" not in codec.write_key(text)
    answer = {"seq": 7, "seat": None, "deep": {"a": [1, "b"]}}
    assert codec.read_answer(codec.write_answer(answer)) == answer
    assert codec.read_cards(codec.write_cards((0, 51))) == (0, 51)
    for read in (codec.read_answer, codec.read_key):
        with pytest.raises(Unreadable):
            read("[")
