"""``fullring serve`` for whom a day is a minute, where it prunes its journals: a long run need not last for days."""

from fullring.cli import main
from fullring.store import prune

MINUTE_MS = 60_000


def serve() -> None:
    for name, value in (("DAY_MS", MINUTE_MS), ("FIRST_S", 60), ("EVERY_S", 60)):
        setattr(prune, name, value)
    main(["serve"])


if __name__ == "__main__":
    serve()
