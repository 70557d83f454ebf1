"""What `fullring replay` says of hands in files: one dict a hand, ready to be JSON."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Final

from fullring.history.phh import PhhHand, entries, read_hand
from fullring.history.phh_lines import BAD_FILE, PhhError
from fullring.history.played import Played, Step, Trouble
from fullring.history.replay import play
from fullring.rules.actions import Chips

STACKS_DIFFER: Final = "stacks_differ"


def replay_files(paths: Iterable[Path | str], *, steps: bool) -> Iterator[dict[str, object]]:
    """Replay every hand of these PHH files, one dict a hand, in order. Never raises for what is in a file.

    ``file`` is the path as given and ``hand`` counts the file's hands from 1; a file that can't be read gives one dict
    with ``hand`` 1. ``ok`` means that every line was accepted and that the stacks at the end are those that the file
    records, if it does (`stacks_differ` below). Amounts are in the file's unit: whole numbers, or floats where the file
    has decimals; players are numbered from 1.

    ``finishing_stacks`` are the stacks at the end. For a hand whose file stops before it is over, which is no error,
    or that was refused somewhere, they are the stacks as they stand, without the bets in the middle, and ``pots`` is
    empty. A stack that the file calls unknown (``inf``) is None. ``pots`` start with the main pot; ``amount`` is
    before rake, and replays take none.

    ``error`` is there where ``ok`` is false. Its ``action`` counts folds, checks, calls, bets and raises from 0: where
    a card or a show is at fault, it is the number of such actions before it. Its ``code`` is that of a refusal, or
    ``bad_file``, ``unsupported`` or ``stacks_differ``. With ``steps``, entry k of ``steps`` is the state before
    player action k, the refused one included.
    """
    for path in paths:
        try:
            text = Path(path).read_bytes().decode("utf-8-sig")
            hands = entries(text, name=str(path))
        except OSError as error:
            reason = PhhError(BAD_FILE, f"can't be read: {error.strerror or type(error).__name__}")
            yield _unread(path, 1, reason, steps=steps)
            continue
        except ValueError:
            yield _unread(path, 1, PhhError(BAD_FILE, "not UTF-8 text"), steps=steps)
            continue
        except PhhError as error:
            yield _unread(path, 1, error, steps=steps)
            continue
        for number, entry in enumerate(hands, 1):
            try:
                played = play(read_hand(entry))
            except PhhError as error:
                yield _unread(path, number, error, steps=steps)
                continue
            yield report(played, file=str(path), number=number, steps=steps)


def report(played: Played, *, file: str, number: int, steps: bool) -> dict[str, object]:
    """One hand as `replay_files` gives it."""
    amount = played.hand.amount
    trouble = played.trouble or stacks_differ(played)
    told: dict[str, object] = {
        "file": file,
        "hand": number,
        "ok": trouble is None,
        "finishing_stacks": [None if stack is None else amount(stack) for stack in played.stacks],
        "pots": [
            {
                "amount": amount(pot.amount),
                "winners": [[share.seat, amount(share.amount)] for share in pot.winners],
            }
            for pot in played.pots
        ],
    }
    if steps:
        told["steps"] = [_step(step, played.hand) for step in played.steps]
    if trouble is not None:
        told["error"] = {"action": trouble.action, "code": trouble.code, "message": trouble.message}
    return told


def stacks_differ(played: Played) -> Trouble | None:
    """Whether the file records other stacks at the end than a finished replay has.

    Rake explains winners who have less, if all have less together. Odd chips explain what tied winners have more or
    less than each other: rooms give them to one, and some records split them into fractions.
    """
    recorded = played.hand.finishing
    if not played.over or recorded is None or None in played.stacks:
        return None
    won: dict[int, Chips] = {}
    odd: dict[int, int] = {}
    for pot in played.pots:
        for share in pot.winners:
            won[share.seat] = won.get(share.seat, 0) + share.amount
            odd[share.seat] = odd.get(share.seat, 0) + len(pot.winners) - 1
    ours = [stack or 0 for stack in played.stacks]
    rake = sum(ours) - sum(recorded)
    for seat, (mine, theirs) in enumerate(zip(ours, recorded, strict=True), 1):
        less = mine - theirs
        most = odd.get(seat, 0) + (min(rake, Decimal(won.get(seat, 0))) if rake > 0 else 0)
        if rake < 0 or not -odd.get(seat, 0) <= less <= most:
            stated = played.hand.fields["finishing_stacks"][seat - 1]
            text = f"p{seat} ends with {played.hand.amount(mine)}, and the file has {stated}"
            return Trouble(len(played.steps), STACKS_DIFFER, text)
    return None


def _step(step: Step, hand: PhhHand) -> dict[str, object]:
    return {
        "actor": step.actor,
        "to_call": hand.amount(step.to_call),
        "can_check": step.can_check,
        "min_raise_to": None if step.min_raise_to is None else hand.amount(step.min_raise_to),
        "max_raise_to": None if step.max_raise_to is None else hand.amount(step.max_raise_to),
    }


def _unread(path: Path | str, number: int, error: PhhError, *, steps: bool) -> dict[str, object]:
    told: dict[str, object] = {"file": str(path), "hand": number, "ok": False, "finishing_stacks": [], "pots": []}
    if steps:
        told["steps"] = []
    return told | {"error": {"action": 0, "code": error.code, "message": error.text}}
