"""When two names are the same: nobody passes for another by case, an accent's spelling or odd blanks."""

import unicodedata

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
    """The name as it is kept and shown."""
    return unicodedata.normalize("NFC", name.strip())


def _shows(character: str) -> bool:
    kind = unicodedata.category(character)
    # Variation selectors are marks; tabs and line ends are controls, and blanks all the same.
    return character.isspace() or not (kind in {"Cf", "Cc", "Co", "Cn"} or "\ufe00" <= character <= "\ufe0f")
