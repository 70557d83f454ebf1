"""What an operator does from a terminal, beside serving the room: one module a subject."""
