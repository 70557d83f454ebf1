"""House bots: players inside the process, who ask and watch through the same door as everybody, and see no more."""
