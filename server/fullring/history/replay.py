"""A hand read from a file, played through the rules line by line.

What follows from the rules alone (streets, returns, awards) is worked out ahead and waits until the file comes to it,
so a file may stop anywhere. No pot is paid by a card that the file doesn't name.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from fullring.history import known_cards
from fullring.history.forced_bets import posts
from fullring.history.phh import PhhHand
from fullring.history.phh_lines import BAD_FILE, DECISIONS, DIGITS_MAX, Line, PhhError, Verb
from fullring.history.played import Played, Step, Trouble
from fullring.rules.actions import Act, Action, Leave, Legal, SeatNo
from fullring.rules.cards import UNKNOWN
from fullring.rules.events import (
    Acted,
    Event,
    HandStarted,
    HoleCardsDealt,
    Posted,
    PotAwarded,
    Stake,
    StreetDealt,
    TurnStarted,
    UncalledReturned,
)
from fullring.rules.hand import Hand, decide, evolve, legal, start
from fullring.rules.refusals import Refusal, Refused
from fullring.rules.state import ACTIVE, FOLDED, NOT_YET

QUOTED_MAX: Final = 80
UNKNOWN_STACK: Final = 10 ** (DIGITS_MAX + 3)  # More than any amount in a file.


def play(source: PhhHand) -> Played:
    """Play the hand as far as the file goes. A hand that stops early is no trouble; a refused action is."""
    out = False
    gone: dict[int, int] = {}
    course, trouble = _run(source, out=out, gone=gone)
    while True:
        if course.left is not None and course.left[0] not in gone:
            gone[course.left[0]] = course.left[1]
        elif course.forfeited and not out:
            out = True
        else:
            break
        course, trouble = _run(source, out=out, gone=gone)
    hand = course.hand
    known = [None if given is None else stack for given, stack in zip(source.stacks, hand.stacks, strict=True)]
    awarded = sorted(course.awarded, key=lambda award: award.pot)
    return Played(source, hand.over, tuple(known), tuple(awarded), tuple(course.steps), trouble)


def _run(source: PhhHand, *, out: bool, gone: Mapping[int, int]) -> tuple["_Course", Trouble | None]:
    course = _Course(source, out=out, gone=gone)
    try:
        for line in source.lines:
            course.take(line)
        course.run_on()
    except PhhError as error:
        return course, Trouble(course.actions, error.code, error.text)
    return course, None


class _Course:
    """A hand on its way. ``ahead`` is what the rules say comes next and the file has not come to.

    ``board_due`` are cards of an open street that the file has yet to deal, ``moves`` the actions on this street.
    Mucked hands keep their places in the pots and lose, or with ``out`` have no place, as if folded. The second is
    for a pot that would be left with mucked hands alone (``forfeited``): the others win it.
    ``gone`` are players who fold when nobody waits for them (``left``), by the action before which they leave.
    """

    def __init__(self, source: PhhHand, *, out: bool, gone: Mapping[int, int]) -> None:
        self.source = source
        self.gone = gone
        self.shown = {line.player for line in source.lines if line.verb is Verb.SHOW_OR_MUCK}
        self.mucks = _mucks(source)
        deck = known_cards.deck(source.lines, source.size, mucks=self.mucks)
        mucked = known_cards.holes_of(deck, self.mucks, source.size)
        game = replace(source.game, rankings=(known_cards.AsFarAsKnown(mucked),))
        started = HandStarted(
            hand=source.name,
            number=1,
            game=game.code,
            button=source.size,
            seats=tuple([Stake(i, stack or UNKNOWN_STACK) for i, stack in enumerate(source.stacks, 1)]),
            posts=posts(source),
            min_bet=source.min_bet,
            big_bet=source.big_bet,
            deck=deck,
            mucks=self.mucks if out else (),
        )
        self.hand = Hand(started, game)
        self.ahead: deque[Event] = deque(start(started, game)[1:])
        while isinstance(self.ahead[0], Posted | HoleCardsDealt):
            self._release()
        self.dealt = known_cards.Dealt(source.size)
        self.steps: list[Step] = []
        self.awarded: list[PotAwarded] = []
        self.turned: set[int] = set()  # Who has shown or mucked.
        self.actions = self.moves = self.board_due = 0
        self.dealing = True
        self.forfeited = False
        self.left: tuple[int, int] | None = None

    def take(self, line: Line) -> None:
        """Go on by one line. Raises PhhError if it isn't what can come now."""
        try:
            self._take(line)
        except PhhError as error:
            raise PhhError(error.code, f"{_quoted(line.text)}: {error.text}") from error

    def run_on(self) -> None:
        """The file has no more to say: go as far as the cards that it named decide."""
        contested = sum([self._contends(i) for i in range(self.hand.size)]) > 1
        if self.board_due or self._betting():
            return
        while self.ahead:
            following = self.ahead[0]
            if isinstance(following, StreetDealt) and contested:
                return
            if isinstance(following, PotAwarded) and not self._decided():
                return
            self._release()

    def _take(self, line: Line) -> None:
        if line.fault is not None:
            code, text = line.fault
            if code == Refusal.BAD_AMOUNT:
                self._step(self._turn())
            raise PhhError(code, text)
        if line.verb is Verb.DEAL_HOLE:
            self._deal_hole(line)
            return
        if self.dealing:
            self.dealt.complete()
            self.dealing = False
        if line.verb in DECISIONS:
            self._decide(line)
        elif line.verb is Verb.DEAL_BOARD:
            self._deal_board(line)
        else:
            self._show(line)

    def _release(self) -> Event:
        event = self.ahead.popleft()
        evolve(self.hand, event)
        if isinstance(event, PotAwarded):
            self.awarded.append(event)
        return event

    def _betting(self) -> bool:
        """Whether somebody is still to act in this hand."""
        return self.hand.seat_to_act is not None or any(isinstance(event, TurnStarted) for event in self.ahead)

    def _contends(self, i: int) -> bool:
        return self.hand.status[i] != FOLDED and i + 1 not in self.mucks

    def _deal_hole(self, line: Line) -> None:
        if not self.dealing:
            raise PhhError(BAD_FILE, "hole cards are dealt before all else")
        self.dealt.deal_hole(line.player, line.cards or ())

    def _deal_board(self, line: Line) -> None:
        cards = line.cards or ()
        if not self.board_due:
            self._open_street()
        if len(cards) > self.board_due:
            raise PhhError(BAD_FILE, f"{len(cards)} cards, and {self.hand.street_name} wants {self.board_due}")
        self.dealt.deal_board(cards)
        self.board_due -= len(cards)

    def _open_street(self) -> None:
        """Go on to where the next street is dealt."""
        following = next((event for event in self.ahead if isinstance(event, StreetDealt | TurnStarted)), None)
        if isinstance(following, TurnStarted):
            raise PhhError(BAD_FILE, f"the betting is not over: p{following.seat} is to act")
        if following is None:
            raise PhhError(BAD_FILE, "no more board cards are due")
        while self._release() is not following:
            pass
        self.board_due = len(following.cards)
        self.moves = 0

    def _show(self, line: Line) -> None:
        i, player = line.player - 1, line.player
        if self.board_due:
            raise PhhError(BAD_FILE, f"{self.hand.street_name} is not dealt yet")
        if self._betting():
            raise PhhError(Refusal.ILLEGAL_ACTION, "the betting is not over")
        if self.hand.status[i] == FOLDED or player in self.turned:
            raise PhhError(Refusal.ILLEGAL_ACTION, f"p{player} has no cards to show or muck any more")
        if line.shows:
            self.dealt.show(player, line.cards or ())
        elif player not in self.mucks or self.hand.live == 1:
            raise PhhError(Refusal.ILLEGAL_ACTION, f"p{player} can't muck: nobody else would be left")
        self.turned.add(player)

    def _turn(self) -> Legal | None:
        """What may be done now, if the file has come to somebody's turn."""
        if self.ahead and isinstance(self.ahead[0], TurnStarted) and not self.board_due:
            self._release()
        return legal(self.hand)

    def _step(self, turn: Legal | None) -> None:
        if turn is None:
            self.steps.append(Step(None, 0, False, None, None))
            return
        top = turn.to_max if self.source.stacks[turn.seat - 1] is not None else None
        self.steps.append(Step(turn.seat, turn.call or 0, turn.check, turn.to_min, top))

    def _decide(self, line: Line) -> None:
        turn = self._turn()
        if turn is None and self._unasked(line):
            self.steps.append(Step(line.player, 0, True, None, None))
            self.actions += 1
            return
        self._step(turn)
        if turn is None:
            if self._betting():
                raise PhhError(BAD_FILE, "the board is not dealt yet")
            raise PhhError(Refusal.NOT_YOUR_TURN, "nobody is to act any more")
        if turn.seat != line.player:
            raise PhhError(Refusal.NOT_YOUR_TURN, f"p{line.player} is not the one to act: p{turn.seat} is")
        if self.actions in self.gone:
            for event in decide(self.hand, Leave(self.gone[self.actions])):
                evolve(self.hand, event)
        try:
            events = decide(self.hand, self._act(line, turn))
        except Refused as refused:
            raise PhhError(refused.code, self._in_file_units(refused)) from refused
        self.ahead.extend(events)
        self._release()
        self.actions += 1
        self.moves += 1

    def _act(self, line: Line, turn: Legal) -> Act:
        if line.verb is Verb.FOLD:
            return Act(turn.seat, Action.FOLD)
        if line.amount is None:
            return Act(turn.seat, Action.CHECK if turn.check else Action.CALL)
        to = self.source.units(line.amount)
        if to is None:
            raise PhhError(Refusal.BAD_AMOUNT, f"{line.amount} is not a whole number of this hand's smallest unit")
        i = turn.seat - 1
        if turn.to_max is None and turn.call == self.hand.stacks[i] and to == self.hand.bets[i] + turn.call:
            return Act(turn.seat, Action.CALL)  # "Raising" to the whole stack is an all-in call, if it is no more.
        return Act(turn.seat, Action.BET if turn.opens else Action.RAISE, to)

    def _unasked(self, line: Line) -> bool:
        """Whether this is an answer by the one player left with chips, whom nobody asked; the hand goes on from it.

        PokerKit waits for that player's check. A fold is that of somebody who has left the table.
        """
        following = next((event for event in self.ahead if not isinstance(event, UncalledReturned)), None)
        if line.verb is Verb.FOLD and isinstance(following, Acted) and following.seat == line.player:
            while self._release() is not following:
                pass
            return True
        hand, i = self.hand, line.player - 1
        last = (
            self.moves > 0
            and not (self.board_due or self.turned)
            and hand.live > 1
            and hand.active == 1
            and (hand.status[i], hand.acted[i]) == (ACTIVE, NOT_YET)
            and hand.bets[i] >= hand.high
        )
        if last and line.verb is Verb.FOLD:
            self.left = (self.actions - 1, line.player)
        return last and line.verb is Verb.CHECK_OR_CALL

    def _in_file_units(self, refused: Refused) -> str:
        if not self.source.places:
            return refused.text
        details = [value for key in ("min", "max") if isinstance(value := refused.details.get(key), int)]
        if len(details) == 2:
            low, top = map(self.source.amount, details)
            return f"a bet or raise must be to {low if low == top else f'{low} to {top}'}"
        return "a bet or raise is not allowed now"

    def _decided(self) -> bool:
        """Whether the cards that the file names say who wins each pot."""
        for award in self.ahead:
            if isinstance(award, PotAwarded):
                rivals = [seat for seat in award.eligible if seat not in self.mucks]
                unknown = [seat for seat in rivals if UNKNOWN in self.hand.holes[seat - 1]]
                self.forfeited = self.forfeited or not rivals
                by_unknown = not self.shown or any(share.seat in unknown for share in award.winners)
                if unknown and len(rivals) > 1 and by_unknown:
                    return False
        return True


def _quoted(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= QUOTED_MAX else text[:QUOTED_MAX] + "…")


def _mucks(source: PhhHand) -> tuple[SeatNo, ...]:
    """Who gives the hand up at the showdown, as the lines say; never all who reach it."""
    bare = {line.player for line in source.lines if line.verb is Verb.SHOW_OR_MUCK and not line.shows}
    folded = {line.player for line in source.lines if line.verb is Verb.FOLD}
    reach = [player for player in range(1, source.size + 1) if player not in folded]
    if not reach:
        return ()
    if bare.issuperset(reach):
        bare.discard(reach[-1])
    return tuple(sorted(bare))
