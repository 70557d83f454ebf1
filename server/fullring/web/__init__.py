"""The way in from outside: HTTP routes, the socket, and who is asking. Knows no SQL and no rule of poker."""
