"""How a table is played: what its host chose when it was opened. Durations are milliseconds."""

from dataclasses import field

from fullring.rules.actions import Chips
from fullring.rules.game import GAMES, Structure
from fullring.rules.value import value

SECOND = 1_000
MINUTE = 60 * SECOND
DAY = 24 * 60 * MINUTE

SEATS_MIN, SEATS_MAX = 2, 10
CHIPS_MAX = 10**12
"""The largest amount anything may be set to; far below what a 64-bit column or a JSON reader can hold."""


@value
class TableSettings:
    """The table's settings; all that docs/rules.md calls an option stands here.

    ``ante`` is paid by every player, ``big_blind_ante`` by the big blind alone; at most one of them is set.
    ``big_blind`` is also the smallest bet, and in fixed limit the small bet (the big bet is twice that). ``rake_caps``
    gives the cap by players dealt in, from two on; the last holds for more. ``jitter_ms`` is how long a pre-action may
    wait in its own turn, so that its pace tells nothing. Who knows the ``join_code`` may sit.
    """

    name: str
    game: str = "nlhe"
    seats: int = 6
    small_blind: Chips = 5
    big_blind: Chips = 10
    ante: Chips = 0
    big_blind_ante: Chips = 0
    buy_in_min: Chips = 200
    buy_in_max: Chips = 1_000
    turn_ms: int = 30 * SECOND
    time_bank_ms: int = 30 * SECOND
    time_bank_max_ms: int = 60 * SECOND
    time_bank_step_ms: int = 5 * SECOND
    time_bank_hands: int = 10
    hand_pause_ms: int = 1 * SECOND
    show_ms: int = 5 * SECOND
    jitter_ms: int = 0
    rebuy_ms: int = 60 * SECOND
    ratholing_ms: int = 60 * MINUTE
    sit_out_yield_ms: int = 15 * MINUTE
    sit_out_max_ms: int = 60 * MINUTE
    missed_big_blinds_max: int = 3
    dead_button: bool = False
    show_all: bool = False
    rake_bps: int = 0
    rake_caps: tuple[Chips, ...] = ()
    join_code: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        problem = self.problem()
        if problem:
            raise ValueError(problem)

    def problem(self) -> str | None:
        """What is wrong with these settings, in a sentence that says what would be right; None if nothing is."""
        checks = (
            (self.game in GAMES, f"game is one of {', '.join(GAMES)}"),
            (SEATS_MIN <= self.seats <= SEATS_MAX, f"seats are {SEATS_MIN} to {SEATS_MAX}"),
            (1 <= self.big_blind <= CHIPS_MAX, f"the big blind is 1 to {CHIPS_MAX}"),
            (0 <= self.small_blind <= self.big_blind, "the small blind is at most the big blind"),
            (0 <= self.ante <= self.big_blind, "the ante is at most the big blind"),
            (0 <= self.big_blind_ante <= self.big_blind, "the big-blind ante is at most the big blind"),
            (not (self.ante and self.big_blind_ante), "a table has an ante or a big-blind ante, not both"),
            (self.big_blind <= self.buy_in_min, "the smallest buy-in is at least a big blind"),
            (self.buy_in_min <= self.buy_in_max, "the largest buy-in is at least the smallest"),
            (self.buy_in_max <= CHIPS_MAX, f"the largest buy-in is at most {CHIPS_MAX}"),
            (SECOND // 10 <= self.turn_ms <= 10 * MINUTE, "a turn is a tenth of a second to 10 minutes"),
            (0 <= self.time_bank_ms <= 10 * MINUTE, "the time bank is at most 10 minutes"),
            (0 <= self.time_bank_max_ms <= 10 * MINUTE, "the fullest time bank is at most 10 minutes"),
            (0 <= self.time_bank_step_ms <= 10 * MINUTE, "a time bank grows by at most 10 minutes"),
            (self.time_bank_hands >= 1, "a time bank grows every hand at most"),
            (0 <= self.hand_pause_ms <= MINUTE, "the pause between hands is at most a minute"),
            (0 <= self.show_ms <= MINUTE, "cards can be shown for at most a minute after a hand"),
            (0 <= self.jitter_ms <= 5 * SECOND, "a pre-action waits for at most 5 seconds"),
            (0 <= self.rebuy_ms <= DAY, "a busted seat is kept for a day at most"),
            (0 <= self.ratholing_ms <= 7 * DAY, "a stack is remembered for a week at most"),
            (0 <= self.sit_out_yield_ms <= self.sit_out_max_ms, "a seat is given up for others no later than anyway"),
            (self.sit_out_max_ms <= DAY, "a seat is kept for a day at most"),
            (self.missed_big_blinds_max >= 1, "a seat is kept for at least one missed big blind"),
            (0 <= self.rake_bps <= 1_000, "the rake is 0 to 10 percent"),
            (self.rake_bps == 0 or bool(self.rake_caps), "a rake needs its caps by number of players"),
            (
                all(0 <= cap <= CHIPS_MAX for cap in self.rake_caps),
                f"a rake's cap is a number of chips, 0 to {CHIPS_MAX}",
            ),
        )
        return next((text for holds, text in checks if not holds), None)

    @property
    def big_bet(self) -> Chips:
        """The bet of the last two streets in fixed limit; elsewhere the smallest bet is the same on all."""
        return 2 * self.big_blind if GAMES[self.game].structure is Structure.FIXED_LIMIT else self.big_blind

    def rake_cap(self, players: int) -> Chips:
        return self.rake_caps[min(players - 2, len(self.rake_caps) - 1)] if self.rake_caps else 0
