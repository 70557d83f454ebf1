"""SQL: the journal with the money that its events move, accounts and their tokens, finished hands."""
