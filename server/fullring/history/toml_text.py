"""Values as TOML text: just what a hand in a file needs."""

from collections.abc import Mapping, Sequence
from datetime import time
from typing import Final, TypeAlias

Value: TypeAlias = "bool | int | str | time | Sequence[bool | int | str]"

LONG: Final = 100
_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def document(fields: Mapping[str, Value]) -> str:
    """One line a field; a long array of strings has one line an entry."""
    return "".join([f"{key} = {_value(value)}\n" for key, value in fields.items()])


def comment(text: str) -> str:
    """A line that says something to people alone."""
    return "# " + "".join([one if one.isprintable() else "?" for one in text]) + "\n"


def _value(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return '"' + "".join(map(_character, value)) + '"'
    if isinstance(value, time):
        return value.isoformat(timespec="milliseconds" if value.microsecond else "seconds")
    entries = list(map(_value, value))
    if sum(map(len, entries)) > LONG:
        return "[\n" + "".join([f"  {entry},\n" for entry in entries]) + "]"
    return "[" + ", ".join(entries) + "]"


def _character(one: str) -> str:
    """A character of a basic string. Half of a pair stands for nothing in UTF-8 and becomes a replacement character."""
    if one in _ESCAPES:
        return _ESCAPES[one]
    if one < " " or one == "\x7f":
        return f"\\u{ord(one):04x}"
    return "\ufffd" if "\ud800" <= one <= "\udfff" else one
