"""The Fullring client: write a bot, or play from a terminal."""

__version__ = "0.1.0"
