"""Which names are the same, and which are none."""

import pytest

from fullring.store.names import name_key, shown_name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "ANNA"),
        ("Stra\u00dfe", "STRASSE"),
        ("Zo\u00eb", "Zoe\u0308"),
        ("Guest 4821", "guest\u00a04821"),
        ("Guest 4821", "Guest\u2003\u20034821 "),
        ("Guest 4821", "Guest\t4821"),
        ("Guest 4821", "\uff27uest \uff14821"),
        ("Anna", "An\u200dna"),
        ("Anna", "Anna\ufe0f"),
        ("a b", "a\u3164b"),
        ("a b", "a\u2800b"),
        ("\u0130pek", "i\u0307pek"),
    ],
)
def test_names_that_look_the_same_are_the_same(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(("one", "other"), [("Anna", "Anne"), ("Zoe", "Zo\u00eb"), ("Guest 4821", "Guest 4822")])
def test_names_that_differ_to_the_eye_are_different(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize("name", ["", "  ", "\u200b", "\u3164", "\u2800 \ufe0f"])
def test_a_name_that_shows_nothing_is_none(name: str) -> None:
    with pytest.raises(ValueError, match="something to see"):
        name_key(name)


@pytest.mark.parametrize("name", ["A\nB", "A\0B", "A\u2028B", "\ud800", "x" * 65, ""])
def test_a_name_that_does_more_than_show_is_none(name: str) -> None:
    with pytest.raises(ValueError, match="a name has"):
        shown_name(name)


def test_a_name_is_shown_as_given_but_for_blanks_around_it_and_how_accents_are_spelt() -> None:
    assert shown_name(" Zoe\u0308  \U0001f0a1 ") == "Zo\u00eb  \U0001f0a1"
