"""Long evenings at one table, from a seed: the promises of `AnyTable` in the states that only many hands lead to."""

from random import Random

import pytest

from fullring.rules.cards import FULL_DECK, Deck
from fullring.table.commands import Pause, PreAction, Resume, Void
from tests.table.playing import MINUTE, SECOND
from tests.table.test_machine import NAMES, AnyTable

STEPS = 300


@pytest.mark.parametrize("seed", range(6))
def test_a_long_evening(seed: int) -> None:
    chance = Random(seed)
    evening = AnyTable()
    evening.open(
        {
            "game": chance.choice(["nlhe", "plhe", "flhe"]),
            "seats": chance.choice([3, 6, 9]),
            "dead_button": seed % 2 == 1,
            "ante": chance.choice([0, 2]),
            "rake_bps": 500,
            "rake_caps": (3, 30),
            "time_bank_hands": 3,
        },
        [chance.randint(200, 2_000) for _ in range(5)],
    )
    for _ in range(STEPS):
        step(evening, chance)
        evening.the_rows_alone_make_the_same_table()
        evening.something_is_due_wherever_two_can_play()
        evening.what_is_offered_is_accepted_and_all_else_refused()
    evening.teardown()
    assert evening.table.hands > STEPS // 10, f"seed {seed} plays too little to prove anything"


def step(evening: AnyTable, chance: Random) -> None:
    """One thing that happens at a table where people mean to play."""
    name = chance.choice(NAMES)
    match chance.choices(range(9), weights=[30, 20, 14, 8, 8, 8, 5, 5, 2])[0]:
        case 0:
            evening.play([chance.randrange(10) for _ in range(chance.randint(1, 12))])
        case 1:
            evening.shuffle(Deck(chance.sample(FULL_DECK, len(FULL_DECK))))
            evening.wait(chance.choice([SECOND, SECOND, 3 * SECOND, 10 * SECOND, 31 * SECOND, MINUTE]))
        case 2:
            evening.hands_pass(chance.randint(1, 5))
        case 3:
            evening.sit(
                name, chance.choice([None, chance.randint(1, 9)]), chance.randint(200, 2_000), chance.random() < 0.5
            )
        case 4:
            evening.sit_out_or_in(name, chance.random() < 0.3, chance.random() < 0.5)
        case 5:
            evening.connect(name, chance.random() < 0.7)
        case 6:
            evening.leave(name, chance.random() < 0.3)
        case 7:
            evening.arm(name, chance.choice(list(PreAction)), None)
            evening.top_up(name, chance.randint(1, 500))
        case _:
            evening.host(chance.choice([Pause("a break"), Resume("restart", True), Void("it could not go on")]))
            evening.host(Resume("go on"))
            evening.everybody_is_back()
