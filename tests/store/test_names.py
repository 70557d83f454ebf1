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
        ("Anna", "An\u034fna"),
        ("Anna", "An\u180bna"),
        ("Anna", "Anna\U000e0100"),
        ("Zo\u00eb", "Zoe\u034f\u0308"),
        ("a b", "a\u3164b"),
        ("a b", "a\U0001d159b"),
        ("a b", "a\u2800b"),
        ("\u0130pek", "i\u0307pek"),
        ("Anna", "\u0410nna"),
        ("COCA", "\u0421\u041e\u0421\u0410"),
        ("coca", "\u0441\u043e\u0441\u0430"),
        ("NINA", "\u039d\u0399\u039d\u0391"),
        ("No\u00ebl", "No\u0451l"),
        ("Paul", "PauI"),
        ("Guest 1000", "Guest l0OO"),
        ("Jean-Luc", "Jean\u2010Luc"),
        ("Jean-Luc", "Jean\u2011Luc"),
        ("O'Neil", "O\u2019Neil"),
        ("\u00d0an", "\u0110an"),
        ("Bern", "Bem"),
        ("Wanda", "VVanda"),
        ("nil", "\u0274\u026a\u029f"),
        ("Anna", "\U0001d4d0\U0001d4f7\U0001d4f7\U0001d4ea"),
    ],
)
def test_names_that_look_the_same_are_the_same(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Anna", "Anne"), ("Zoe", "Zo\u00eb"), ("Guest 4821", "Guest 4822"), ("\u0410\u043d\u043d\u0430", "Anna")],
)
def test_names_that_differ_to_the_eye_are_different(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize("name", ["", "  ", "\u200b", "\u3164", "\u2800 \ufe0f", "\u034f\U000e01ef\U0001d159"])
def test_a_name_that_shows_nothing_is_none(name: str) -> None:
    with pytest.raises(ValueError, match="something to see"):
        name_key(name)


@pytest.mark.parametrize("name", ["A\nB", "A\0B", "A\u2028B", "\ud800", "x" * 65, ""])
def test_a_name_that_does_more_than_show_is_none(name: str) -> None:
    with pytest.raises(ValueError, match="a name has"):
        shown_name(name)


@pytest.mark.parametrize(
    "name", ["\u0410nna", "Ann\u0430", "\u0391nna", "An\u13a0a", "\u0391\u043d\u043d\u0430", "\u03bcTorrent"]
)
def test_a_name_mixes_no_alphabets_that_share_shapes(name: str) -> None:
    with pytest.raises(ValueError, match="one alphabet"):
        shown_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "\u0410\u043d\u043d\u0430 7",
        "\u039d\u03af\u03ba\u03bf\u03c2!",
        "Anna \u30a2\u30f3\u30ca",
        "\uff21nna",
        "\u5f20\u4f1f Zhang",
        "Zo\u00eb \U0001f0a1",
    ],
)
def test_a_name_of_one_alphabet_is_good_whichever_it_is(name: str) -> None:
    assert shown_name(name) == name


def test_a_name_is_shown_as_given_but_for_blanks_around_it_and_how_accents_are_spelt() -> None:
    assert shown_name(" Zoe\u0308  \U0001f0a1 ") == "Zo\u00eb  \U0001f0a1"
