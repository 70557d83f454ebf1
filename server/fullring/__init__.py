"""Fullring: a Texas hold'em room where every hand is kept."""

__version__ = "0.1.0"
