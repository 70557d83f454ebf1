"""When two names are the same: nobody passes for another by case, an accent's spelling, odd blanks or look-alikes.

Look-alikes are told for Latin, Cyrillic and Greek letters and the digits 0 and 1; a name mixes no two such alphabets.
"""

import unicodedata

CHARACTERS_MAX = 64
_CONTROLS = frozenset({"Cc", "Cs", "Zl", "Zp"})
# Characters that show nothing, or no more than a space, and are not called whitespace by Unicode.
_BLANKS = dict.fromkeys(map(ord, "\u115f\u1160\u2800\u3164\uffa0\U0001d159"), " ")
# Marks that show nothing by themselves: joiners, fillers and variation selectors.
_UNSEEN = frozenset("\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f\U00016fe4\U0001107f").union(
    map(chr, range(0xFE00, 0xFE10)), map(chr, range(0xE0100, 0xE01F0))
)


_ALPHABETS = frozenset("LATIN CYRILLIC GREEK COPTIC ARMENIAN CHEROKEE LISU".split())
"""Alphabets that share shapes. Others may stand beside any of them, as Han beside Latin does."""
# What looks like which letter, in capitals or in small ones. I, l and 1 are one, and so are O and 0.
_LOOKS = str.maketrans(
    "01i|\u01c0\u0131\u0251\u0261\u0269\u0111\u0256"  # Latin and digits; \u00d0 and \u0110 are one in capitals
    "\u2010\u2012\u2013\u2212\u2018\u2019\u02bc\u2032"  # hyphens and apostrophes
    "\u1d00\u0299\u1d04\u1d05\u1d07\ua730\u0262\u029c\u026a\u1d0a\u1d0b\u029f\u1d0d\u0274\u1d0f\u1d18"
    "\u0280\ua731\u1d1b\u1d1c\u1d20\u1d21\u028f\u1d22"  # small capitals
    "\u0430\u0432\u0435\u0437\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u044c\u0455\u0456\u0458\u04af"
    "\u04bb\u04cf\u0501\u051b\u051d"  # Cyrillic
    "\u03b1\u03b2\u03b5\u03b6\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03f2\u03f3",  # Greek
    "olllllagl\u00f0\u00f0----''''abcdefghljklmnoprstuvwyzabe3kmhopctyxbsljyhldqwabezhlkmnoptyxcj",
)
_PAIRS = {"rn": "m", "vv": "w"}


def name_key(name: str) -> str:
    """Equal for names that differ only in case, width, blanks, what is invisible, or look-alikes.

    ValueError if nothing is to see.
    """
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).translate(_BLANKS)
    text = "".join(filter(_shows, unicodedata.normalize("NFD", text).translate(_LOOKS)))
    key = " ".join(unicodedata.normalize("NFC", text).split())
    for pair, letter in _PAIRS.items():
        key = key.replace(pair, letter)
    if not key:
        raise ValueError("a name needs something to see")
    return key


def shown_name(name: str) -> str:
    """The name as it is kept and shown. ValueError for one that is too long, has controls, or mixes alphabets."""
    shown = unicodedata.normalize("NFC", name.strip())
    if not 1 <= len(shown) <= CHARACTERS_MAX:
        raise ValueError(f"a name has 1 to {CHARACTERS_MAX} characters")
    if any(unicodedata.category(character) in _CONTROLS for character in shown):
        raise ValueError("a name has no line breaks and no control characters")
    if len(_alphabets(shown)) > 1:
        raise ValueError("a name has letters of one alphabet: these look like another's")
    return shown


def _alphabets(name: str) -> set[str]:
    """Which of those that share shapes are in the name."""
    letters = [character for character in unicodedata.normalize("NFKC", name) if character.isalpha()]
    return {unicodedata.name(letter, "?").split()[0] for letter in letters} & _ALPHABETS


def _shows(character: str) -> bool:
    kind = unicodedata.category(character)
    # Tabs and line ends are controls, and blanks all the same.
    return character.isspace() or not (kind in {"Cf", "Cc", "Co", "Cn"} or character in _UNSEEN)
