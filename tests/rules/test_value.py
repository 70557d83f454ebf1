"""Values: compared and hashed by what they hold, and with room for nothing else."""

import pytest

from fullring.rules.actions import Act, Action, Legal
from fullring.rules.events import Acted, Posted, PostKind


def test_values_with_the_same_fields_are_the_same() -> None:
    assert Act(1, Action.RAISE, 300) == Act(1, Action.RAISE, 300)
    assert len({Act(1, Action.RAISE, 300), Act(1, Action.RAISE, 300), Act(1, Action.RAISE, 301)}) == 2


def test_values_of_two_kinds_are_different_whatever_they_hold() -> None:
    called: object = Acted(1, Action.CALL, 50, 100, False)
    assert called != Posted(1, PostKind.SMALL_BLIND, 50, 100, False)


def test_a_value_has_room_for_its_fields_alone() -> None:
    act = Act(1, Action.FOLD)
    with pytest.raises(AttributeError):
        object.__setattr__(act, "amount", 300)
    assert not hasattr(act, "__dict__")


def test_what_can_be_checked_need_not_be_called() -> None:
    assert Legal(1, None, True, 100, 1000, 1000).check
    assert not Legal(1, 50, False, 200, 1000, 1000).check
