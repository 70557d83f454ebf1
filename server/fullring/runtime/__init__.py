"""Tables in motion: one asyncio task a table, its timer, its audience, and the ports to the outside."""
