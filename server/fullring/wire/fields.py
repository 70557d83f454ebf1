"""The kinds of value that messages are made of, each with its limits. Descriptions go into the schemas."""

import unicodedata
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

SAFE_INTEGER = 2**53 - 1  # The largest whole number that a browser holds exactly.
SEATS_MAX = 10
ID_CHARACTERS = 64
NAME_CHARACTERS = 24
SPELLED_CHARACTERS = 4 * NAME_CHARACTERS
"""A name with each accent spelled apart has no more. To compose a longer text may take seconds: the square of it."""
CHAT_CHARACTERS = 300
MARKS_MAX = 4
"""Accents and the like on one letter: more would stand over the lines around it."""

T = TypeVar("T")


class Shape(BaseModel):
    """What every message and part of one has in common: unknown fields are ignored, values never change."""

    model_config = ConfigDict(
        extra="ignore",
        frozen=True,
        strict=True,
        validate_by_alias=True,
        validate_by_name=True,
        serialize_by_alias=True,
        hide_input_in_errors=True,
        use_attribute_docstrings=True,
    )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """As it is sent: ``type`` is always there, an absent field has no default."""
        shape = handler.resolve_ref_schema(handler(schema))
        fields = shape.get("properties", {})
        for field in fields.values():
            field.pop("title", None)
            if field.get("default", ...) is None:
                del field["default"]
        if "const" in fields.get("type", {}):
            del fields["type"]["default"]
            shape["required"] = ["type", *shape.get("required", [])]
        return shape

    def fields(self) -> dict[str, Any]:
        """The fields as they are sent: absent ones left out."""
        return self.model_dump(mode="json", exclude_none=True)


class _NeverNull:
    """Takes null out of ``T | None``: None is how code sees an absent field, and is never sent."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        assert schema["type"] == "nullable"
        inner: CoreSchema = schema["schema"]
        return inner


Maybe = Annotated[T | None, _NeverNull()]
"""A field that may be left out. Sending null is a mistake."""


def _printable(text: str, *, refuse_invisible: bool) -> str:
    for character in text:
        kind = unicodedata.category(character)
        if kind in {"Cc", "Cs", "Zl", "Zp"} or character in _REORDERING:
            raise ValueError("must have no line breaks and no control characters")
        if refuse_invisible and kind in {"Cf", "Co"} and character not in _JOINERS:
            raise ValueError("must have no invisible characters")
    if _PILE in "".join("m" if unicodedata.category(character) in {"Mn", "Me"} else "-" for character in text):
        raise ValueError(f"must have at most {MARKS_MAX} marks on a letter")
    if not any(unicodedata.category(character)[0] in "LNPS" for character in text):
        raise ValueError("must have something to see")
    return text


_PILE = "m" * (MARKS_MAX + 1)
_REORDERING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_JOINERS = frozenset("\u200c\u200d") | {chr(tag) for tag in range(0xE0020, 0xE0080)}  # Persian and emoji need them.


def _name(text: str) -> str:
    text = text.strip()
    if len(text) <= SPELLED_CHARACTERS:
        text = unicodedata.normalize("NFC", text)
    if not 1 <= len(text) <= NAME_CHARACTERS:
        raise ValueError(f"must have 1 to {NAME_CHARACTERS} characters")
    return _printable(text, refuse_invisible=True)


def _chat(text: str) -> str:
    text = text.strip()
    if not 1 <= len(text) <= CHAT_CHARACTERS:
        raise ValueError(f"must have 1 to {CHAT_CHARACTERS} characters")
    return _printable(text, refuse_invisible=False)


MessageId = Annotated[
    str,
    Field(min_length=1, max_length=ID_CHARACTERS, description="a text of 1 to 64 characters, new for each message"),
]
Id = Annotated[str, Field(min_length=1, max_length=ID_CHARACTERS, description="an id as the server sent it")]
Chips = Annotated[int, Field(ge=0, le=SAFE_INTEGER, description="a whole number of chips")]
AskedChips = Annotated[
    int, Field(ge=-SAFE_INTEGER, le=SAFE_INTEGER, description="a whole number of chips, written as a number")
]
"""Chips a client asks for. The table judges the amount, zero and below too; here it only has to be a whole number."""
Count = Annotated[int, Field(ge=0, le=SAFE_INTEGER, description="a whole number from 0")]
Time = Annotated[int, Field(ge=0, le=SAFE_INTEGER, description="a time in Unix milliseconds")]
Millis = Annotated[int, Field(ge=0, le=SAFE_INTEGER, description="a whole number of milliseconds")]
SeatNo = Annotated[int, Field(ge=1, le=SEATS_MAX, description="a seat's number, from 1 to 10")]
Card = Annotated[str, Field(pattern=r"^[2-9TJQKA][cdhs]$", description="a card in two characters, as in As or Td")]
Name = Annotated[
    str,
    AfterValidator(_name),
    Field(description="1 to 24 printable characters, without line breaks"),
]
ChatText = Annotated[
    str, AfterValidator(_chat), Field(description="1 to 300 printable characters, without line breaks")
]
GameCode = Literal["nlhe", "plhe", "flhe"]
Street = Literal["preflop", "flop", "turn", "river"]
ActionName = Literal["fold", "check", "call", "bet", "raise", "all_in"]
ArmedAction = Literal["fold", "check", "check_fold", "call", "call_any"]
AccountKind = Literal["guest", "player", "bot"]
