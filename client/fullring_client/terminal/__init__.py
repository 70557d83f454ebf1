"""A table in a terminal: for playing, and for looking on."""
