"""Events: every fact that a viewer, a journal and a history need, and no hidden card in what they print."""

import re
from dataclasses import fields
from typing import get_args

from fullring.rules.cards import SUITS
from fullring.rules.events import CardsShown, Event, HandStarted, StreetDealt
from fullring.rules.hand import start
from tests.rules.test_hand import STARTED


def test_no_event_but_the_start_has_room_for_a_hidden_card() -> None:
    with_cards = {event for event in get_args(Event) if {"cards", "deck"} & {field.name for field in fields(event)}}
    assert with_cards == {HandStarted, CardsShown, StreetDealt}


def test_what_a_hand_prints_as_it_starts_names_no_card() -> None:
    printed = str(start(STARTED))
    assert not re.search(rf"[2-9TJQKA][{SUITS}]", printed)
    assert not re.search(r"\(\d+(, \d+){9}", printed), "ten numbers in a row would be a deck"
    assert "deck" not in printed
