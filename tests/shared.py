"""Where the tests find the hands that others recorded: in tests/data, or beside the project in ../shared."""

from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
DATA = PROJECT / "tests" / "data"
SHARED = PROJECT.parent / "shared"
PLACES = (DATA, SHARED / "conformance", SHARED / "cases")


def data(name: str) -> Path:
    """The file or folder of that name, such as ``pluribus_sample.jsonl.gz`` or ``phh/data``."""
    for place in PLACES:
        if (path := place / name).exists():
            return path
    raise FileNotFoundError(f"{name} is in none of {', '.join(str(place) for place in PLACES)}")


def shared_present() -> bool:
    """Whether ../shared is there, which holds what this repository may not carry; it always is in CI."""
    return SHARED.is_dir()
