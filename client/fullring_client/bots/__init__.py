"""Bots to play against and to learn from, by name."""

from collections.abc import Callable
from random import Random

from fullring_client.bot import Bot
from fullring_client.bots.calling import calling_station
from fullring_client.bots.dice import RandomBot
from fullring_client.bots.tight import TightAggressive

KINDS: dict[str, Callable[[Random], Bot]] = {
    "calling": lambda dice: calling_station,
    "random": RandomBot,
    "tag": TightAggressive,
}
"""Each makes a bot that throws the given dice."""
