"""What is wrong with something sent, in our words: what would be right, and never the text that was sent."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_core import ErrorDetails


def explain(detail: ErrorDetails, path: Sequence[int | str], *, naming: bool = True) -> str:
    """One fault as pydantic found it. ``path`` leads from the message to the field.

    ``naming``: say of what kind that was which was sent. In an address all is text.
    """
    field = ".".join(str(step) for step in path)
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == "missing":
        return f"{field} is missing"
    if kind == "value_error":
        return f"{field} {context['error']}".strip()
    if kind == "string_too_short" and context["min_length"] == 1:
        return f"{field} must not be empty"
    if kind not in _RIGHT:
        return f"{field}: {detail['msg'].lower()}"
    right = f"{field} must {_RIGHT[kind].format(**context)}"
    return f"{right}, not {named(detail['input'])}" if naming and kind in _WORTH_NAMING else right


def named(value: Any) -> str:
    """A value as it may be repeated to its sender: numbers as they are, everything else by its kind."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            number = str(value)
            return number if len(number) <= 24 else "a number that long"
        case str():
            return "text"
        case list():
            return "a list"
        case _:
            return "an object"


_RIGHT: Mapping[str, str] = {
    "int_type": "be a whole number",
    "int_from_float": "be a whole number",
    "int_parsing": "be a whole number",
    "int_parsing_size": "be a whole number",
    "float_type": "be a number",
    "bool_type": "be true or false",
    "string_type": "be text",
    "list_type": "be a list",
    "model_type": "be an object",
    "dict_type": "be an object",
    "literal_error": "be one of {expected}",
    "string_pattern_mismatch": "be a card in two characters, as in As or Td",
    "string_too_short": "have at least {min_length} characters",
    "string_too_long": "have at most {max_length} characters",
    "too_short": "have {min_length} or more entries",
    "too_long": "have {max_length} or fewer entries",
    "greater_than_equal": "be at least {ge}",
    "less_than_equal": "be at most {le}",
}

_WORTH_NAMING = frozenset(
    {
        "int_type",
        "int_from_float",
        "float_type",
        "bool_type",
        "list_type",
        "model_type",
        "dict_type",
        "greater_than_equal",
        "less_than_equal",
    }
)
