"""A tracker's reading of hand-history text and of Open Hand History: what each player put in, got back and won.

It knows the two layouts and nothing of this project's rules or records.
"""

import json
import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

HEADER = re.compile(
    r"PokerStars Hand #(?P<number>\d{1,18}):  Hold'em (?P<limit>No Limit|Pot Limit|Limit)"
    r" \((?P<low>\d+)/(?P<high>\d+)\)"
    r" - \d{4}/\d\d/\d\d \d\d:\d\d:\d\d UTC"
)
TABLE = re.compile(r"Table '(?P<table>.+)' (?P<size>\d+)-max \(Play Money\) Seat #(?P<button>\d+) is the button")
SEAT = re.compile(r"Seat (?P<seat>\d+): (?P<name>.+) \((?P<stack>\d+) in chips\)")
POST = re.compile(
    r"(?P<name>.+): posts (?P<what>small blind|big blind|small & big blinds|straddle|the ante) (?P<amount>\d+)"
)
ACTION = re.compile(r"(?P<name>.+): (?P<what>folds|checks|calls|bets|raises)( (?P<amount>\d+))?( to (?P<to>\d+))?")
ALL_IN = " and is all-in"
RETURNED = re.compile(r"Uncalled bet \((?P<amount>\d+)\) returned to (?P<name>.+)")
COLLECTED = re.compile(r"(?P<name>.+) collected (?P<amount>\d+) from (?P<pot>pot|main pot|side pot(-\d)?)")
STREET = re.compile(r"\*\*\* (FLOP|TURN|RIVER) \*\*\* .*\[(?P<cards>[^]]+)\]")
SHOWN = re.compile(r"(?P<name>.+): shows \[(?P<cards>[^]]+)\]( \(.+\))?")
DEALT = re.compile(r"Dealt to (?P<name>.+) \[(?P<cards>[^]]+)\]")
TOTAL = re.compile(r"Total pot (?P<total>\d+)(?P<pots>( [A-Z][a-z -]+\d? ?\d*\.)*) \| Rake (?P<rake>\d+)")
ROLES = re.compile(r"(?P<roles>( \((button|small blind|big blind)\))*) (?P<end>.+)")
REMARK = re.compile(
    r".+ (has timed out|has timed out while disconnected|leaves the table)|.+: (mucks hand|doesn't show hand)"
    r"|Hand cancelled|\*\*\* (HOLE CARDS|SHOW DOWN|SUMMARY) \*\*\*|Board \[.+\]"
)


@dataclass
class Reading:
    """Amounts by seat; ``stacks`` become those at the end of the hand."""

    stacks: dict[int, int] = field(default_factory=dict)
    start: dict[int, int] = field(default_factory=dict)
    pots: dict[str, int] = field(default_factory=dict)
    collected: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    total: int = 0
    rake: int = 0
    board: list[str] = field(default_factory=list)
    shown: dict[int, list[str]] = field(default_factory=dict)
    own: dict[int, list[str]] = field(default_factory=dict)
    ends: dict[int, str] = field(default_factory=dict)
    acted: list[tuple[int, str]] = field(default_factory=list)


def read_text(text: str) -> Reading:
    """Raises AssertionError at the first line that is none of the layout's, or does not add up."""
    lines = text.splitlines()
    header, table = HEADER.fullmatch(lines[0]), TABLE.fullmatch(lines[1])
    assert header, lines[0]
    assert table, lines[1]
    big_blind = int(header["low" if header["limit"] == "Limit" else "high"])
    reading = Reading()
    seats: dict[str, int] = {}
    end = lines.index("*** SUMMARY ***")
    roles: dict[int, str] = {}
    live: dict[int, int] = defaultdict(int)
    for line in lines[2:]:
        if line == "*** SUMMARY ***":
            break
        all_in = line.endswith(ALL_IN)
        line = line.removesuffix(ALL_IN)
        if found := SEAT.fullmatch(line):
            seat = seats[found["name"]] = int(found["seat"])
            reading.start[seat] = reading.stacks[seat] = int(found["stack"])
            before = f"Seat {seat}: {found['name']}"
            (summary,) = (one.removeprefix(before) for one in lines[end:] if one.startswith(f"{before} "))
            ended = ROLES.fullmatch(summary)
            assert ended, summary
            roles[seat], reading.ends[seat] = ended["roles"], ended["end"]
        elif found := POST.fullmatch(line):
            seat, amount = seats[found["name"]], int(found["amount"])
            reading.stacks[seat] -= amount
            live[seat] += _live(found["what"], amount, big_blind, "small blind" in roles[seat])
        elif found := STREET.fullmatch(line):
            live.clear()
            reading.board += found["cards"].split()
        elif found := ACTION.fullmatch(line):
            seat = seats[found["name"]]
            reading.acted.append((seat, found["what"]))
            added = int(found["amount"] or 0) if found["to"] is None else int(found["to"]) - live[seat]
            assert added > 0 or found["what"] in ("folds", "checks"), line
            live[seat] += added
            reading.stacks[seat] -= added
        elif found := RETURNED.fullmatch(line):
            reading.stacks[seats[found["name"]]] += int(found["amount"])
        elif found := COLLECTED.fullmatch(line):
            reading.stacks[seats[found["name"]]] += int(found["amount"])
            reading.collected[found["pot"]] += int(found["amount"])
        elif found := SHOWN.fullmatch(line):
            reading.shown[seats[found["name"]]] = found["cards"].split()
        elif found := DEALT.fullmatch(line):
            reading.own[seats[found["name"]]] = found["cards"].split()
        else:
            assert REMARK.fullmatch(line), line
        if all_in:
            assert reading.stacks[seat] == 0, line
    _pots(reading, next(line for line in lines[end:] if line.startswith("Total pot")))
    assert reading.ends.keys() == reading.stacks.keys()
    return reading


def _live(what: str, amount: int, big_blind: int, is_small_blind: bool) -> int:
    """What of a post counts towards the bet: a small blind from another seat is dead, and so is an ante."""
    if what == "the ante" or (what == "small blind" and not is_small_blind):
        return 0
    return min(amount, big_blind) if what == "small & big blinds" else amount


def _pots(reading: Reading, line: str) -> None:
    found = TOTAL.fullmatch(line)
    assert found, line
    reading.total, reading.rake = int(found["total"]), int(found["rake"])
    for name, amount in re.findall(r"([A-Z][a-z]+ pot(?:-\d)?) (\d+)\.", found["pots"]):
        reading.pots[name.lower()] = int(amount)
    if reading.total and not reading.pots:
        reading.pots = {"pot": reading.total}
    assert sum(reading.pots.values()) == reading.total, line
    assert sum(reading.collected.values()) + reading.rake == reading.total, line


def read_ohh(text: str) -> Reading:
    """Raises AssertionError or KeyError where the object lacks what the specification asks for."""
    hand: dict[str, Any] = json.loads(text)["ohh"]
    reading = Reading()
    for player in hand["players"]:
        reading.start[player["id"]] = reading.stacks[player["id"]] = player["starting_stack"]
    put_in = 0
    numbers = []
    for one in hand["rounds"]:
        assert one["street"] in ("Preflop", "Flop", "Turn", "River", "Showdown")
        reading.board += one["cards"]
        for action in one["actions"]:
            numbers.append(action["action_number"])
            seat = action["player_id"]
            reading.stacks[seat] -= action["amount"]
            put_in += action["amount"]
            assert not action["is_allin"] or reading.stacks[seat] == 0, action
            assert (action["action"], one["street"]) != ("Bet", "Preflop")
            if action["action"] == "Shows Cards":
                assert one["street"] == "Showdown"
                reading.shown[seat] = action["cards"]
            elif action["action"] == "Dealt Cards":
                reading.own[seat] = action["cards"]
            elif action["action"] in ("Fold", "Check", "Call", "Bet", "Raise"):
                reading.acted.append((seat, action["action"]))
    assert numbers == list(range(1, len(numbers) + 1))
    for pot in hand["pots"]:
        won = sum(win["win_amount"] for win in pot["player_wins"])
        assert won + pot["rake"] == pot["amount"], pot
        reading.pots[str(pot["number"])] = pot["amount"]
        reading.rake += pot["rake"]
        for win in pot["player_wins"]:
            reading.stacks[win["player_id"]] += win["win_amount"]
    reading.total = sum(reading.pots.values())
    # What is in no pot went back to the one who bet it and was not matched: the last to add chips beyond the others.
    reading.stacks[_unmatched(hand)] += put_in - reading.total
    return reading


def _unmatched(hand: dict[str, Any]) -> int:
    """Who put in most of what others must match; nobody else can get chips back. An ante for all is not matched."""
    actions = [action for one in hand["rounds"] for action in one["actions"]]
    antes = [action for action in actions if action["action"] == "Post Ante"]
    paid: dict[int, int] = defaultdict(int)
    for action in actions:
        if action["action"] != "Post Dead" and not (len(antes) == 1 and action in antes):
            paid[action["player_id"]] += action["amount"]
    return max(paid, key=lambda seat: paid[seat])
