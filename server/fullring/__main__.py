"""``python -m fullring`` is ``fullring``."""

from fullring.cli import main

if __name__ == "__main__":
    main()
