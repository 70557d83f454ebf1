"""Events, snapshots, settings and records as JSON for the database, and back into exactly the values they were.

A payload is read with the version its row was written with. The deck is in no payload: `seal` has it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import MISSING, replace
from dataclasses import fields as dataclass_fields
from typing import Any, get_args, get_type_hints

import msgspec

from fullring.rules import events as hands
from fullring.rules.cards import Card, Deck
from fullring.rules.events import HandStarted
from fullring.rules.record import HandRecord, without_deck
from fullring.rules.value import value
from fullring.runtime.ports import Answer
from fullring.table import events as tables
from fullring.table.events import Event
from fullring.table.settings import TableSettings
from fullring.table.snapshot import LastHand, Snapshot

VERSION = 1
"""What payloads are written in now. Whoever changes an event's fields raises it and reads the older ones too."""


class Unreadable(Exception):
    """A payload that can't be read. The text quotes nothing of it."""


def _tag(kind: type) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower()


def _deck(kind: type, given: Any) -> Deck:  # Called by msgspec with whatever JSON holds.
    if kind is not Deck or given != []:
        raise ValueError("no deck has a place in a payload")
    return Deck()


_KINDS: tuple[type, ...] = (*get_args(tables.TableEvent), *get_args(hands.Event))
_TAGS: dict[type, str] = {kind: _tag(kind) for kind in _KINDS}
_READERS: dict[str, msgspec.json.Decoder[Any]] = {
    tag: msgspec.json.Decoder(kind, dec_hook=_deck) for kind, tag in _TAGS.items()
}
assert len(_READERS) == len(_KINDS), "every event has a name of its own"

_Tagged = list[tuple[str, msgspec.Raw]]


def _found(kind: type, **others: Any) -> type[msgspec.Struct]:
    """What is read of such a value: the same fields, some of them still to be read themselves."""
    hints = get_type_hints(kind)
    fields: list[Any] = []
    for field in dataclass_fields(kind):
        typed = field.name, others.get(field.name, hints[field.name])
        fields.append(typed if field.default is MISSING else (*typed, field.default))
    return msgspec.defstruct(f"Found{kind.__name__}", fields)


_write = msgspec.json.Encoder().encode
_read_tagged = msgspec.json.Decoder(_Tagged).decode
_read_record = msgspec.json.Decoder(_found(HandRecord, events=_Tagged)).decode
_read_snapshot = msgspec.json.Decoder(_found(Snapshot, last=_found(LastHand, events=_Tagged) | None)).decode
_read_settings = msgspec.json.Decoder(TableSettings).decode
_read_answer = msgspec.json.Decoder(dict[str, object]).decode
_read_text = msgspec.json.Decoder(str).decode
_read_cards = msgspec.json.Decoder(tuple[Card, ...]).decode


@value
class Written:
    """The events of a batch as text, and what must be sealed: the hand that starts in it."""

    payload: str
    started: HandStarted | None


def write_events(events: Sequence[Event]) -> Written:
    """Raises TypeError, ValueError or KeyError for what is no batch of events."""
    started = None
    tagged: list[tuple[str, object]] = []
    for event in events:
        if type(event) is HandStarted:
            if started is not None:
                raise ValueError("at most one hand starts in a batch")
            started = event
            event = replace(event, deck=Deck())
        tagged.append((_TAGS[type(event)], event))
    return Written(_write(tagged).decode(), started)


def read_events(version: int, payload: str) -> tuple[Event, ...]:
    """Without the deck. Raises Unreadable."""
    _require(version)
    try:
        return _events(_read_tagged(payload))
    except (msgspec.MsgspecError, KeyError):
        raise Unreadable("the events can't be read") from None


def write_snapshot(snapshot: Snapshot) -> str:
    if snapshot.last is None:
        return _write(snapshot).decode()
    return _write(_fields(snapshot) | {"last": _tagged(snapshot.last)}).decode()


def read_snapshot(version: int, payload: str) -> Snapshot:
    """Raises Unreadable."""
    _require(version)
    try:
        found = _read(_read_snapshot(payload))
        last = found["last"]
        return Snapshot(**found | {"last": None if last is None else LastHand(**_untagged(last))})
    except (msgspec.MsgspecError, KeyError):
        raise Unreadable("the snapshot can't be read") from None


def write_settings(settings: TableSettings) -> str:
    return _write(settings).decode()


def read_settings(version: int, payload: str) -> TableSettings:
    """Raises Unreadable."""
    _require(version)
    try:
        return _read_settings(payload)
    except msgspec.MsgspecError:
        raise Unreadable("the settings can't be read") from None


def write_answer(answer: Answer) -> str:
    return _write(answer).decode()


def read_answer(payload: str) -> Answer:
    """Raises Unreadable."""
    try:
        return _read_answer(payload)
    except msgspec.MsgspecError:
        raise Unreadable("the answer can't be read") from None


def write_key(text: str) -> str:
    """A client's text as one that PostgreSQL takes, which knows no zero character."""
    return _write(text).decode()


def read_key(payload: str) -> str:
    """Raises Unreadable."""
    try:
        return _read_text(payload)
    except msgspec.MsgspecError:
        raise Unreadable("the command's id can't be read") from None


def write_cards(cards: Sequence[Card]) -> str:
    return _write(cards).decode()


def read_cards(payload: str) -> tuple[Card, ...]:
    return _read_cards(payload)


# --- finished hands --------------------------------------------------------------------------------------------------


def write_record(record: HandRecord) -> str:
    return _write(_tagged(record)).decode()


def read_record(version: int, payload: str) -> HandRecord:
    """Raises Unreadable."""
    _require(version)
    try:
        return HandRecord(**_untagged(_read_record(payload)))
    except (msgspec.MsgspecError, KeyError):
        raise Unreadable("the record of the hand can't be read") from None


# --- values with events in them, which have their names there --------------------------------------------------------


def _tagged(what: HandRecord | LastHand) -> dict[str, object]:
    return _fields(what) | {"events": [(_TAGS[type(event)], event) for event in without_deck(what.events)]}


def _untagged(found: msgspec.Struct) -> dict[str, Any]:
    fields = _read(found)
    return fields | {"events": _events(fields["events"])}


def _fields(what: HandRecord | LastHand | Snapshot) -> dict[str, object]:
    return {field.name: getattr(what, field.name) for field in dataclass_fields(what)}


def _read(found: msgspec.Struct) -> dict[str, Any]:
    return {name: getattr(found, name) for name in found.__struct_fields__}


def _events(tagged: Iterable[tuple[str, msgspec.Raw]]) -> tuple[Any, ...]:
    return tuple([_READERS[tag].decode(raw) for tag, raw in tagged])


def _require(version: int) -> None:
    if version != VERSION:
        raise Unreadable(f"it is written in version {version}, this program reads version {VERSION}")
