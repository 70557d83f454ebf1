"""Small frozen values: events, commands, actions.

The type checker holds them frozen. At run time they are plain slotted dataclasses, because a frozen
one sets each field through ``object.__setattr__`` and costs three times as much to make, and a hand
makes one for everything that happens.
"""

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[T]) -> type[T]:
    """Make ``cls`` a value: compared, hashed and matched by its fields, never changed."""
    return dataclass(slots=True, unsafe_hash=True)(cls)
