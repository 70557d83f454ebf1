"""docs/protocol.md, updates: what everybody sees, and what a seat's own player sees beside it."""

from collections.abc import Callable

from fullring.rules.cards import parse
from fullring.rules.ranking_words import Category
from fullring.table.commands import Close, ShowCards, Void
from fullring.table.events import Entry, OutReason
from fullring.table.views import lobby_row, public_view, shown_settings
from fullring.wire.codec import encode
from fullring.wire.view import Settings as ShownSettings
from fullring.wire.view import TableInfo, TableView
from tests.shared import PROJECT
from tests.table.playing import SECOND, Playing, account
from tests.table.soundness import seen

Open = Callable[..., Playing]


def in_play(open_table: Open, **chosen: object) -> Playing:
    """Before the flop: Ann has the button and is to act, Bob and Cid have the blinds."""
    table = open_table(**chosen)
    table.sit_all("Ann Bob Cid")
    table.deal(Ann="AsAh", Bob="KsKh", Cid="QsQh", board="2c3d4h8s9s")
    return table


def test_the_protocol_page_names_every_word_that_stands_for_something() -> None:
    page = (PROJECT / "docs" / "protocol.md").read_text("utf-8")
    waiting = {*Entry, "sitting_out", "chips", "sit_out", "leaving"} - {Entry.NOW}
    categories = {category.name.lower() for category in Category} - {"five_of_a_kind"}  # It takes wild cards.

    assert [word for word in (*waiting, *OutReason, *categories) if f"`{word}`" not in page] == []


def test_the_view_is_the_example_of_the_protocol(open_table: Open) -> None:
    table = open_table()
    table.sit_all("Ann Bo Cid Dan")
    table.deal(Dan="AsKd")
    table.plays("Dan call", "Ann fold", "Bo raise 60")
    table.plays("Cid fold")

    view = table.view()
    turn = view["hand"].pop("turn")
    assert turn == {
        "id": "t1h1-5",
        "seat": 4,
        "deadline": table.now + 30_000,
        "time_bank_ms": 30_000,
        "actions": {
            "fold": True,
            "check": False,
            "call": 40,
            "raise": {"min": 100, "max": 1_000},
            "all_in": 1_000,
        },
    }
    assert view["hand"] == {"id": "t1h1", "number": 1, "street": "preflop", "board": [], "pots": []}
    assert (view["name"], view["game"], view["status"], view["button"]) == ("Magnolia", "nlhe", "playing", 1)
    assert view["seats"][1] == {
        "seat": 2,
        "account": account("Bo"),
        "name": "Bo",
        "kind": "player",
        "stack": 940,
        "bet": 60,
        "state": "active",
        "connected": True,
        "holds": 2,
        "last_action": "raise",
        "time_bank_ms": 30_000,
    }
    assert table.you("Dan") == {"seat": 4, "cards": ["As", "Kd"]}
    assert table.updates[-1]["events"] == [
        {"type": "acted", "seat": 3, "turn": "t1h1-4", "action": "fold", "amount": 0, "to": 20, "all_in": False},
        {"type": "turn_started", "turn": "t1h1-5", "seat": 4, "deadline": table.now + 30_000},
    ]


def test_a_hand_is_told_from_its_first_event_to_its_last(open_table: Open) -> None:
    table = in_play(open_table, ante=5)
    kinds = [event["type"] for event in table.updates[-1]["events"]]
    assert kinds == ["hand_started", *["posted"] * 5, "hole_cards_dealt", "turn_started"]
    assert table.told("posted")[-1] == {
        "type": "posted",
        "seat": 3,
        "kind": "big_blind",
        "amount": 20,
        "all_in": False,
    }
    table.plays("Ann raise 60", "Bob call", "Cid all-in", "Ann call", "Bob fold")

    kinds = [event["type"] for event in table.updates[-1]["events"]]
    assert kinds == [
        "acted", "cards_shown", "cards_shown", "street_dealt", "street_dealt", "street_dealt", "pot_awarded",
        "hand_ended", "sat_out",
    ]  # fmt: skip
    assert table.told("street_dealt")[1] == {
        "type": "street_dealt",
        "street": "turn",
        "cards": ["8s"],
        "board": ["2c", "3d", "4h", "8s"],
    }
    assert table.told("pot_awarded") == [
        {"type": "pot_awarded", "pot": 0, "amount": 2_065, "winners": [{"seat": 1, "amount": 2_065}]}
    ]


def test_posts_of_newcomers_and_big_blind_antes_have_their_names_on_the_wire(open_table: Open) -> None:
    table = open_table(seats=9, big_blind_ante=20)
    table.sit_all("Ann - Bob - Cid - Dan")
    table.deal()
    table.over()
    table.sit("Eve", 2, post_now=True)
    table.deal()

    assert [(event["seat"], event["kind"]) for event in table.updates[-1]["events"] if event["type"] == "posted"] == [
        (5, "small_blind"),
        (7, "big_blind"),
        (2, "big_blind"),
        (7, "ante"),
    ]


def test_what_earlier_streets_put_in_is_in_the_pots_and_what_is_bet_now_at_the_seats(open_table: Open) -> None:
    table = in_play(open_table)
    table.plays("Ann raise 60", "Bob call", "Cid call", "Bob bet 100", "Cid call")

    assert table.view()["hand"]["pots"] == [{"amount": 180, "eligible": [2, 3, 1]}]
    assert [seat["bet"] for seat in table.view()["seats"]] == [0, 100, 100]
    assert [seat["stack"] for seat in table.view()["seats"]] == [940, 840, 840]


def test_antes_are_in_the_pot_from_the_start(open_table: Open) -> None:
    table = in_play(open_table, ante=5)
    assert table.view()["hand"]["pots"] == [{"amount": 15, "eligible": [2, 3, 1]}]


def test_side_pots_are_shown_while_they_are_played_for(open_table: Open) -> None:
    table = open_table()
    table.sit("Ann", 1)
    table.sit("Bob", 2, 200)
    table.sit("Cid", 3)
    table.deal()
    table.plays("Ann raise 400", "Bob all-in", "Cid call")

    assert table.view()["hand"]["pots"] == [
        {"amount": 600, "eligible": [2, 3, 1]},
        {"amount": 400, "eligible": [3, 1]},
    ]
    assert table.shown_seat("Bob")["state"] == "all_in"


def test_a_winner_who_was_not_seen_stays_unseen(open_table: Open) -> None:
    table = in_play(open_table)
    table.plays("Ann raise 60", "Bob fold", "Cid fold")
    table.wait(10 * SECOND)

    assert seen(encode({"updates": table.updates})) == set()


def test_a_mucked_hand_stays_hidden(open_table: Open) -> None:
    table = in_play(open_table)
    table.plays("Ann raise 60", "Bob call", "Cid fold")
    for _ in range(2):
        table.plays("Bob check", "Ann check")
    table.plays("Bob check", "Ann bet 100", "Bob call")

    assert table.told("mucked") == [{"type": "mucked", "seat": 2}]
    assert seen(encode({"updates": table.updates})) == set(parse("AsAh2c3d4h8s9s"))
    assert table.you("Bob")["cards"] == ["Ks", "Kh"], "its own player still knows"


def test_a_folded_hand_is_its_own_players_alone(open_table: Open) -> None:
    table = in_play(open_table)
    table.plays("Ann fold")

    assert table.you("Ann")["cards"] == ["As", "Ah"]
    assert table.shown_seat("Ann")["holds"] == 0
    assert table.shown_seat("Ann")["state"] == "folded"


def test_your_rank_comes_with_the_flop_and_goes_with_your_hand(open_table: Open) -> None:
    table = in_play(open_table)
    assert "rank" not in table.you("Bob")
    table.plays("Ann call", "Bob call", "Cid check")

    assert table.you("Bob")["rank"] == {
        "category": "one_pair",
        "cards": ["Ks", "Kh", "4h", "3d", "2c"],
        "text": "pair of kings",
    }
    table.plays("Bob fold")
    assert "rank" not in table.you("Bob")


def test_spectators_and_players_get_the_same_public_bytes(open_table: Open) -> None:
    """`tests.table.soundness.update` holds every update of every test to this; here is one with everybody's cards."""
    table = in_play(open_table)
    public = encode(public_view(table.table))

    assert seen(public) == set()
    assert {name: table.you(name)["cards"] for name in ("Ann", "Bob", "Cid")} == {
        "Ann": ["As", "Ah"],
        "Bob": ["Ks", "Kh"],
        "Cid": ["Qs", "Qh"],
    }


def test_who_takes_a_seat_sees_nothing_of_who_sat_there(open_table: Open) -> None:
    table = in_play(open_table)
    table.plays("Ann raise 60", "Bob fold", "Cid fold")
    table.do(ShowCards(account("Ann"), table.table.hand_id, parse("As")))
    table.leave("Ann")
    table.sit("Eve", 1, 500)

    assert table.you("Eve") == {"seat": 1, "cards": [], "waiting": "big_blind"}
    shown = table.shown_seat("Eve")
    assert (shown["stack"], shown["holds"], shown["state"]) == (500, 0, "waiting")
    assert "cards" not in shown
    assert "last_action" not in shown


def test_nobody_sits_where_somebody_plays(open_table: Open) -> None:
    assert in_play(open_table).table.hole_cards(5) == ()


def test_a_hand_that_is_over_stays_to_be_looked_at_until_the_next(open_table: Open) -> None:
    table = in_play(open_table)
    table.plays("Ann all-in", "Bob call", "Cid fold")

    view = table.view()
    assert view["hand"]["board"] == ["2c", "3d", "4h", "8s", "9s"]
    assert view["hand"]["pots"] == []
    assert "turn" not in view["hand"]
    assert table.shown_seat("Bob")["cards"] == ["Ks", "Kh"]
    assert table.shown_seat("Bob")["state"] == "sitting_out"
    table.deal()
    assert table.view()["hand"]["board"] == []
    assert "cards" not in table.shown_seat("Bob")


def test_a_table_waits_plays_and_closes(open_table: Open) -> None:
    table = open_table()
    table.sit("Ann")
    assert table.view()["status"] == "waiting"
    table.sit("Bob")
    assert table.view()["status"] == "playing"
    table.deal()
    table.do(Close("the evening is over"))
    assert table.view()["status"] == "closing"
    assert TableView.model_validate(table.view()).status == "closing"


def test_the_lobby_knows_how_many_sit_and_wait(open_table: Open) -> None:
    table = in_play(open_table)
    table.over()
    table.sit("Dan")
    row = lobby_row(table.table)

    assert (row["taken"], row["waiting"], row["seats"], row["status"]) == (4, 1, 6, "playing")
    assert TableInfo.model_validate(row).taken == 4
    assert lobby_row(open_table(join_code="xyzzy").table)["join_code"] is True


def test_the_lobby_knows_what_a_pot_is_on_average(open_table: Open) -> None:
    """A moving average: an eighth of it is the pot just won. A void hand has none."""
    table = in_play(open_table)
    assert lobby_row(table.table)["average_pot"] == 0
    table.plays("Ann raise 60", "Bob call", "Cid fold", "Bob bet 100", "Ann fold")
    assert lobby_row(table.table)["average_pot"] == 140
    table.deal()
    table.over()
    assert lobby_row(table.table)["average_pot"] == (7 * 140 + 20) // 8
    table.deal()
    table.do(Void("it could not go on"))

    assert lobby_row(table.table)["average_pot"] == (7 * 140 + 20) // 8


def test_settings_are_shown_without_the_join_code_itself(open_table: Open) -> None:
    table = open_table(
        join_code="xyzzy", rake_bps=500, rake_caps=(10, 20, 30), turn_ms=1_500, hand_pause_ms=0, dead_button=True
    )
    shown = shown_settings(table.settings)

    assert shown["join_code"] is True
    assert "xyzzy" not in f"{table.view()} {lobby_row(table.table)} {table.table}"
    parsed = ShownSettings.model_validate(shown)
    assert (parsed.rake_bps, parsed.rake_cap, parsed.turn_seconds, parsed.hand_pause_ms) == (500, 30, 1.5, 0)
    assert (parsed.dead_button, parsed.time_bank_seconds, parsed.ratholing_minutes) == (True, 30, 60)


def test_public_updates_are_numbered_without_gaps(open_table: Open) -> None:
    table = in_play(open_table)
    table.plays("Ann raise 60")
    table.over()

    assert [sent["seq"] for sent in table.updates] == list(range(1, len(table.updates) + 1))
