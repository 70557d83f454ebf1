"""Games are data: a game that the room doesn't offer is a definition, and the engine plays it."""

from fullring.rules.cards import FULL_DECK
from fullring.rules.events import CardsShown
from fullring.rules.game import GAMES, HOLDEM_STREETS, Game, Street, Structure
from fullring.rules.ranking import ACE_TO_FIVE, EIGHT_OR_BETTER, HIGH
from tests.scenario import play

OMAHA_STREETS = (Street("preflop", hole=4), *HOLDEM_STREETS[1:])
OMAHA = Game("plo", "pot-limit Omaha", Structure.POT_LIMIT, OMAHA_STREETS, hole_used=2)
OMAHA_HIGH_LOW = Game(
    "plo8", "Omaha high-low", Structure.POT_LIMIT, OMAHA_STREETS, rankings=(HIGH, EIGHT_OR_BETTER), hole_used=2
)
SHORT_DECK = Game("short", "short-deck hold'em", Structure.NO_LIMIT, HOLDEM_STREETS, deck=FULL_DECK[16:])
LOWBALL = Game("low", "low hold'em", Structure.NO_LIMIT, HOLDEM_STREETS, rankings=(ACE_TO_FIVE,))
CRAZY = Game(
    "crazy",
    "hold'em with a card more on the turn, and no betting on the flop",
    Structure.NO_LIMIT,
    (Street("preflop", hole=2), Street("flop", board=3, betting=False), Street("turn", hole=1, board=1)),
)


def test_the_room_offers_holdem_in_three_structures() -> None:
    assert {code: game.structure for code, game in GAMES.items()} == {
        "nlhe": Structure.NO_LIMIT,
        "plhe": Structure.POT_LIMIT,
        "flhe": Structure.FIXED_LIMIT,
    }


def test_omaha_deals_four_cards_of_which_exactly_two_play() -> None:
    play(
        """
        pot-limit 50/100
        Ann 1000 AsKs2c3d
        Bob 1000 JhJd7c6c button

        Bob may call 50 or raise to 200-300
        Bob raises to 300
        Ann calls 200
        flop QsTs9s
        Ann checks
        Bob checks
        turn 8s
        Ann checks
        Bob checks
        river 2h
        Ann checks
        Bob checks
        Ann shows AsKs2c3d                      # ace-high flush
        Bob mucks
        main pot 600: Ann 600
    """,
        OMAHA,
    )
    play(
        """
        pot-limit 50/100
        Ann 1000 As2c3d4h
        Bob 1000 JhJd7c6c button

        Bob calls 50
        Ann checks
        flop KsQs9s
        Ann checks
        Bob checks
        turn 8s
        Ann checks
        Bob checks
        river 5h
        Ann checks
        Bob checks
        Ann shows As2c3d4h                      # one spade of her own makes no flush
        Bob shows JhJd7c6c                      # a straight: nine, eight, seven, six, five
        main pot 200: Bob 200
    """,
        OMAHA,
    )


def test_high_and_low_share_the_pot_and_high_takes_the_odd_chip() -> None:
    play(
        """
        pot-limit 5/10
        Ann 1000 KsKdQh9c
        Bob 1000 As2d9s9d
        Cid 1000 2s4c5hTh button

        Cid raises to 35
        Ann calls 30
        Bob folds
        flop 3d6hKc
        Ann checks
        Cid checks
        turn 7s
        Ann checks
        Cid checks
        river Jh
        Ann bets 10
        Cid calls 10
        Ann shows KsKdQh9c
        Cid shows 2s4c5hTh                      # a straight to the seven, which is the low too
        main pot 100: Cid 100
    """,
        OMAHA_HIGH_LOW,
    )
    play(
        """
        pot-limit 5/10
        Ann 1000 KsKdQh9c
        Bob 1000
        Cid 1000 2s4cThTd button
        Ann posts small blind 5
        Bob posts big blind 10
        Bob posts dead blind 5

        Cid raises to 20
        Ann calls 15
        Bob folds
        flop 3d6hKc
        Ann checks
        Cid checks
        turn 7s
        Ann checks
        Cid checks
        river Jh
        Ann checks
        Cid checks
        Ann shows KsKdQh9c                      # three kings
        Cid shows 2s4cThTd                      # a low: seven-six
        main pot 55: Ann 28, Cid 27
    """,
        OMAHA_HIGH_LOW,
    )


def test_without_a_qualifying_low_high_takes_the_whole_pot() -> None:
    play(
        """
        pot-limit 5/10
        Ann 1000 KsKdQh9c
        Bob 1000 2s4cThTd button

        Bob calls 5
        Ann checks
        flop 3dQcKc
        Ann checks
        Bob checks
        turn 7s
        Ann checks
        Bob checks
        river Jh
        Ann checks
        Bob checks
        Ann shows
        Bob mucks
        main pot 20: Ann 20
    """,
        OMAHA_HIGH_LOW,
    )


def test_half_a_pot_may_be_shared_again() -> None:
    play(
        """
        pot-limit 5/10
        Ann 1000 As2sKhKd
        Bob 1000 Ad2dQhTc
        Cid 1000 QdQc5h4h button

        Cid calls 10
        Ann calls 5
        Bob checks
        flop 3c7c8d
        Ann checks
        Bob checks
        Cid bets 11
        Ann calls 11
        Bob calls 11
        turn Ks
        Ann checks
        Bob checks
        Cid checks
        river Jh
        Ann checks
        Bob checks
        Cid checks
        Ann shows
        Bob shows
        Cid mucks
        main pot 63: Ann 48, Bob 15
    """,
        OMAHA_HIGH_LOW,
    )


def test_another_deck_is_dealt_from_as_it_is_given() -> None:
    hand = play(
        """
        no-limit 50/100
        Ann 1000
        Bob 1000 button

        Bob goes all-in for 1000
        Ann calls 900
    """,
        SHORT_DECK,
    ).hand
    assert set(hand.board) <= set(SHORT_DECK.deck)


def test_in_a_low_game_the_lowest_hand_wins() -> None:
    play(
        """
        no-limit 50/100
        Ann 1000 AsKd
        Bob 1000 3c4d button

        Bob goes all-in for 1000
        Ann calls 900
        flop 2h5h9s
        turn Qc
        river Qd
        main pot 2000: Bob 2000
    """,
        LOWBALL,
    )


def test_streets_may_deal_more_hole_cards_and_go_without_betting() -> None:
    play(
        """
        no-limit 50/100
        Ann 1000
        Bob 1000
        Cid 1000 button

        Cid calls 100
        Ann folds
        Bob checks
        Bob may check or bet 100-900            # after the turn
        Bob checks
        Cid checks
        the hand is over
    """,
        CRAZY,
    )


def test_hands_that_were_turned_up_show_the_hole_cards_that_came_later_too() -> None:
    scenario = play(
        """
        no-limit 50/100
        Ann 1000 AsAd
        Bob 1000 KsKd button

        Bob goes all-in for 1000
        Ann calls 900
    """,
        CRAZY,
    )
    shown = {event.seat: len(event.cards) for event in scenario.events if isinstance(event, CardsShown)}
    assert shown == {1: 3, 2: 3}
