"""Tells other programs what happens in the room, over HTTP, until they take it. Knows no table and no database."""
