"""When two names are the same: nobody passes for another by case, an accent's spelling or odd blanks."""

import unicodedata

CHARACTERS_MAX = 64
_CONTROLS = frozenset({"Cc", "Cs", "Zl", "Zp"})
# Characters that show nothing, or no more than a space, and are not called whitespace by Unicode.
_BLANKS = dict.fromkeys(map(ord, "\u115f\u1160\u2800\u3164\uffa0"), " ")


def name_key(name: str) -> str:
    """Equal for names that differ only in case, width, blanks or what is invisible. ValueError if nothing is to see."""
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).translate(_BLANKS)
    key = " ".join("".join(filter(_shows, text)).split())
    if not key:
        raise ValueError("a name needs something to see")
    return key


def shown_name(name: str) -> str:
    """The name as it is kept and shown. ValueError for one that is too long, or has line breaks or other controls."""
    shown = unicodedata.normalize("NFC", name.strip())
    if not 1 <= len(shown) <= CHARACTERS_MAX:
        raise ValueError(f"a name has 1 to {CHARACTERS_MAX} characters")
    if any(unicodedata.category(character) in _CONTROLS for character in shown):
        raise ValueError("a name has no line breaks and no control characters")
    return shown


def _shows(character: str) -> bool:
    kind = unicodedata.category(character)
    # Variation selectors are marks; tabs and line ends are controls, and blanks all the same.
    return character.isspace() or not (kind in {"Cf", "Cc", "Co", "Cn"} or "\ufe00" <= character <= "\ufe0f")
