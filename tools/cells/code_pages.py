"""Code pages: the encoding of a text that is neither UTF-8 nor UTF-16, guessed from its words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

_CENTRAL = "ąćęłńóśźż áčďéěíňóřšťúůýž áäčďéíľĺňóôŕšťúýž áéíóöőúüű ăâîşţ čćđšž"
LATIN_PAGES = {
    "cp1252": "àâæçéèêëîïôœùûüÿ äöüß áéíñóúü àáâãçéêíóôõúü æøåéü åäöéü þðáéíóúýæö áðíóúýæø "
    "àèéìíòóùú éëèïöüáóêâç àçèéíïòóúü äöåšž äõöüšž çë",
    "cp1250": _CENTRAL,
    "cp1254": "çğıİöşüâîû",
    "cp1257": "āčēģīķļņšūž ąčęėįšųūž äõöüšž",
    "iso8859_2": _CENTRAL,
}
"""Pages of the Latin script, and of each language they serve the letters beyond ASCII."""
OTHER_PAGES = (
    *("cp1251", "koi8_r", "iso8859_5", "cp1253", "iso8859_7", "cp1255", "cp1256", "cp874"),
    *("cp932", "gb18030", "big5", "cp949", "euc_jp"),
)
"""Pages of other scripts; none of Mac or DOS, which would explain nearly any bytes."""
MAX_BEYOND = 0.6
"""Of a Latin word's signs; a word with a larger share beyond ASCII is of another script."""
MAX_MESS = 0.3
"""As charset-normalizer counts it: signs that do not go together."""
MIN_WORDS, MIN_BYTES = 2, 8
"""In fewer words or bytes another page than cp1252 is never seen."""
ENOUGH, BETTER = 0.9, 0.2
"""Another Latin page explains so many letters, and so many more than cp1252, by one language."""
MAX_BYTES = 2**16
_FIELD = re.compile(rb'[^,;\t\r\n"\x80-\xff]*[\x80-\xff][^,;\t\r\n"]*')
_WORD = re.compile(rb"[A-Za-z]*[\x80-\xff][A-Za-z\x80-\xff]*")
_IN_NO_LATIN_WORD = frozenset(b"\x81\x82\x83\x90")
_PUNCTUATION = frozenset("‘’“”„‚«»‹›–—…•·®™©°ºªµ\xa0\xad")


class Encoding(NamedTuple):
    """A code page.

    Attributes:
        name: Python's name of it.
        sure: Whether no other page explains the text as well and reads it otherwise.
    """

    name: str
    sure: bool = True


def guess_encodings(blocks: Iterable[bytes]) -> list[Encoding]:
    """Guess the code page of a text by its words beyond ASCII.

    Args:
        blocks: The text; no more of it is read than holds enough such words.

    Returns:
        The pages it may be written in, the likeliest first. cp1252 is among them: it is taken
        where nothing speaks for another.
    """
    fields = _fields(blocks)
    words = [word for word in dict.fromkeys(_WORD.findall(fields)) if len(word) > 1]
    other = [word for word in words if _of_another_script(word)]
    enough = len(other) >= MIN_WORDS and sum(map(len, other)) >= MIN_BYTES
    if enough and 2 * len(other) > len(words):
        return [*_other_pages(fields), Encoding("cp1252", sure=False)]
    return _latin_pages(fields, len(words), len(other))


def _fields(blocks: Iterable[bytes]) -> bytes:
    """The different fields beyond ASCII, one a line; separators are part of no longer sign."""
    fields: dict[bytes, None] = {}
    size, rest = 0, b""
    for block in chain(blocks, [b"\n"]):
        whole, _, rest = (rest + block).rpartition(b"\n")
        for field in _FIELD.findall(whole):
            size += 0 if field in fields else len(field)
            fields[field] = None
        if size > MAX_BYTES:
            break
    return b"\n".join(fields)[:MAX_BYTES]


def _of_another_script(word: bytes) -> bool:
    beyond = sum(byte > 127 for byte in word)
    return beyond > MAX_BEYOND * len(word) or not _IN_NO_LATIN_WORD.isdisjoint(word)


def _latin_pages(fields: bytes, words: int, other: int) -> list[Encoding]:
    texts = {page: fields.decode(page, "replace") for page in LATIN_PAGES}
    shares = {page: _explain_signs(texts[page], LATIN_PAGES[page]) for page in LATIN_PAGES}
    best = max(shares, key=lambda page: shares[page])
    clear = shares[best] >= max(ENOUGH, shares["cp1252"] + BETTER)
    first = best if clear and words - other >= MIN_WORDS else "cp1252"
    equal = (p for p in LATIN_PAGES if shares[p] >= shares[first] and texts[p] != texts[first])
    sure = not other and not any(equal)
    return [Encoding(page, sure and page == first) for page in dict.fromkeys((first, "cp1252"))]


def _explain_signs(text: str, languages: str) -> float:
    """The largest share of the signs beyond ASCII that the letters of one language explain."""
    signs = [
        (place, sign)
        for place, sign in enumerate(text)
        if sign > "\x7f" and sign not in _PUNCTUATION
    ]
    loose = sum(
        not (sign.isalpha() or sign == "\ufffd" or text[at - 1 : at].isalpha())
        and not text[at + 1 : at + 2].isalpha()
        for at, sign in signs
    )
    letters = [sign.lower() for _, sign in signs if sign.isalpha()]
    most = max(sum(sign in language for sign in letters) for language in languages.lower().split())
    return (most + loose) / len(signs) if signs else 1.0


def _other_pages(fields: bytes) -> Iterator[Encoding]:
    from charset_normalizer import from_bytes

    matches = from_bytes(fields, cp_isolation=list(OTHER_PAGES), threshold=MAX_MESS)
    texts = {page: str(m) for m in matches for page in m.could_be_from_charset}
    ranks = {
        page: (m.chaos, -m.coherence, -_usual(page, texts[page]))
        for m in matches
        for page in m.could_be_from_charset
    }
    for page in sorted(ranks, key=lambda page: ranks[page]):
        equal = (p for p in ranks if ranks[p] <= ranks[page] and texts[p] != texts[page])
        yield Encoding(page, sure=not any(equal))


def _usual(page: str, text: str) -> float:
    """The share of a text's signs that are usual where a page is: rare ones were never written."""
    signs = [sign for sign in text if sign > "\x7f"]
    if page == "cp949":
        return sum("\uac00" <= sign <= "\ud7a3" for sign in signs) / len(signs)
    if page in ("cp932", "euc_jp"):  # half-width katakana stand alone, in old cash registers
        return sum(not "\uff61" <= sign <= "\uff9f" for sign in signs) / len(signs)
    if page == "gb18030":
        return sum(len(sign.encode("gb2312", "ignore")) > 0 for sign in signs) / len(signs)
    return 1.0
