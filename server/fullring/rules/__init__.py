"""One hand of poker: cards, ranking, betting, pots, showdown. Pure: no clock, dice, log, file or socket."""
