"""The shapes on the socket and in HTTP, and text <-> message. Knows no table, no account and no hand in play."""
