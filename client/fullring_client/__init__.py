"""The Fullring client: write a bot, or play from a terminal."""

from fullring_client.bot import ALL_IN, CALL, CHECK, FOLD, Action, Bot, Observer, Played, bet, play, raise_to
from fullring_client.connection import Room
from fullring_client.errors import Closed, Refused, Replaced, Unreachable
from fullring_client.http import guest, login, register, tables
from fullring_client.updates import Updates

__version__ = "0.1.0"

__all__ = [
    "ALL_IN",
    "CALL",
    "CHECK",
    "FOLD",
    "Action",
    "Bot",
    "Closed",
    "Observer",
    "Played",
    "Refused",
    "Replaced",
    "Room",
    "Unreachable",
    "Updates",
    "bet",
    "guest",
    "login",
    "play",
    "raise_to",
    "register",
    "tables",
]
