import unicodedata

import pytest
from pydantic import TypeAdapter, ValidationError

from fullring.wire.fields import Name

NAME: TypeAdapter[str] = TypeAdapter(Name)


@pytest.mark.parametrize(
    "name",
    [
        "A",
        "Owner (host)",
        "A. B.",
        "$5 in chips",
        "Seat 3: x",
        "folds",
        "Zoë 🂡",
        "محمد علي",
        "two  spaces",
        "<img src=x onerror=1>",
        "👩‍🚀 e",
        "می‌خواهم",
        "x" * 24,
        "🂡" * 24,
    ],
)
def test_names_may_look_like_anything(name: str) -> None:
    assert NAME.validate_python(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "x" * 25,
        "a\nb",
        "a\rb",
        "a\tb",
        "a\x00b",
        "a\x7fb",
        "a\u0085b",
        "a\u2028b",
        "a\u2029b",
        "\u202eanna",
        "An\u200bna",
        "An\ufeffna",
        "An\u00adna",
        "a\ue000",
        "\u200d",
        "\u0301",
        "a\ud800",
    ],
)
def test_names_with_line_breaks_control_characters_or_nothing_to_see_are_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        NAME.validate_python(name)


def test_names_are_trimmed_and_composed() -> None:
    assert NAME.validate_python("  Zoe\u0308 \n") == "Zoë"


def test_a_name_may_spell_each_of_its_accents_apart() -> None:
    assert NAME.validate_python("\u03b1\u0313\u0300\u0345" * 24) == "\u1f82" * 24


def test_a_text_that_is_far_too_long_for_a_name_is_not_composed_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accents out of order take the square of their number to compose: a whole body of them stopped the room."""
    composed: list[int] = []

    def compose(form: str, text: str) -> str:
        composed.append(len(text))
        return text

    monkeypatch.setattr(unicodedata, "normalize", compose)
    for text in ("a" + "\u0345\u0334" * 16_000, "x" * 97, "x" * 25):
        with pytest.raises(ValidationError, match="must have 1 to 24 characters"):
            NAME.validate_python(text)

    assert composed == [25]
