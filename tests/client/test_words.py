import pytest
from rich.cells import cell_len

from fullring.wire.server import Update
from fullring.wire.view import You
from fullring_client.terminal.choices import Spot, amount, presets
from fullring_client.terminal.drawing import HEIGHT, WIDTH, draw
from fullring_client.terminal.words import say
from tests.client.scenes import hand, own, seat, seen, turn, view
from tests.wire.examples import EVENTS, UPDATE

NAMES = {2: "Bo", 4: "Anna", 5: "Zoë 🂡"}


def test_every_event_that_people_care_about_is_a_sentence() -> None:
    update = Update.model_validate({**UPDATE, "events": EVENTS}, strict=False)
    said = [str(line) for event in update.events if (line := say(event, NAMES)) is not None]
    assert said == [
        "— hand 33 —",
        "Bo posts the small blind of 5",
        "Anna takes time from the bank",
        "Bo raises to 60",
        "Bo folds (time is up)",
        "Turn: 2♥ 7♣ J♦ 3♠",
        "50 uncalled, back to Bo",
        "Zoë 🂡 shows 2♣ 2♦, pair of twos",
        "Bo mucks",
        "Zoë 🂡 wins 120 from the pot",
        "The hand is void, all chips go back: its log does not replay",
        "Anna sits down with 1,000",
        "Anna leaves with 1,000 (kicked)",
        "Anna sits out (timeout)",
        "Anna is back in",
        "Anna now has 1,000",
        "Anna has lost the connection",
        "The table is paused: the log can't be written",
        "The table goes on: the log can be written again",
        "Other settings from the next hand on: Magnolia, no-limit hold'em, 5/10",
        "The table is closed: closed by its host",
        "Anna: nice <b>hand</b>",
    ]


def test_other_settings_name_what_a_hand_costs() -> None:
    (changed,) = [event for event in EVENTS if event["type"] == "settings_changed"]
    dear = changed | {"game": "flhe", "settings": changed["settings"] | {"ante": 5, "rake_bps": 250, "rake_cap": 30}}
    update = Update.model_validate({**UPDATE, "events": [dear]}, strict=False)

    (line,) = [str(say(event, NAMES)) for event in update.events]
    assert line.endswith("fixed-limit hold'em, 5/10, ante 5, rake 2.5 %")


@pytest.mark.parametrize("seats", range(2, 11))
def test_tables_of_every_size_fit_with_all_their_seats_and_bets(seats: int) -> None:
    names = ["Anna", "Zoë 🂡", "A name as long as may be", "محمد علي"]
    taken = [seat(number, name=names[number % 4], kind="bot") for number in range(1, seats + 1)]
    pots = [{"amount": 123456, "eligible": [1]}, {"amount": 4000, "eligible": [1]}]
    shown = view(*taken, hand=hand(street="flop", board=["2h", "7c", "Td"], turn=turn(2), pots=pots))
    shown["settings"] = shown["settings"] | {"seats": seats}
    picture = draw(seen(shown), You(seat=2, cards=["As", "Kd"])).plain
    lines = picture.split("\n")
    assert len(lines) == HEIGHT
    assert max(cell_len(line) for line in lines) <= WIDTH
    assert picture.count("990") == seats
    assert picture.count("●") == seats
    assert "A♠ K♦" in lines[-1]


def spot(*, bet: int = 10, pot: int = 0) -> Spot:
    shown = view(seat(1, bet=bet), seat(4), hand=hand(turn=turn(4), pots=[{"amount": pot, "eligible": [1, 4]}]))
    return Spot(seen(shown), own("As", "Kd"))


def test_presets_are_shares_of_the_pot_after_calling_within_the_bounds_and_each_once() -> None:
    assert presets(spot(bet=20)) == [("min", 20), ("1/2", 40), ("2/3", 46), ("pot", 60), ("max", 1000)]
    assert presets(spot(bet=20, pot=5000)) == [("min", 20), ("max", 1000)]
    assert presets(Spot(seen(view()), None)) == []


@pytest.mark.parametrize(
    ("typed", "to"),
    [
        ("60", 60),
        ("1,000", 1000),
        (" POT ", 60),
        ("half", 40),
        ("3bb", 30),
        ("min", 20),
        ("max", 1000),
        ("0", 0),
        ("", None),
        ("bb", None),
        ("²", None),
        ("4e2", None),
        ("9" * 16, None),
    ],
)
def test_amounts_are_read_as_people_type_them(typed: str, to: int | None) -> None:
    assert amount(typed, spot(bet=20)) == to


def test_shares_beyond_the_bounds_are_the_bounds() -> None:
    assert amount("pot", spot(bet=20, pot=5000)) == 1000


def test_seats_see_the_table_from_their_own_place() -> None:
    shown = view(seat(1, name="Bo"), seat(4, name="Anna"))
    assert "Anna" in draw(seen(shown), own("As", "Kd")).plain.split("\n")[10]
    assert "Bo" in draw(seen(shown), None).plain.split("\n")[10]
