"""Stems: what the inflected forms of one English word have in common (Porter's second stemmer)."""

from __future__ import annotations

from functools import cache, lru_cache
from threading import local
from typing import Any

# Forms that no rule of endings brings together, each line with the form that they are read as.
_NOUNS = """
analysis: analyses
axis: axes
child: children
index: indices
man: men
matrix: matrices
person: people persons
tooth: teeth
vertex: vertices
woman: women
birth: born
death: dead died dies
east: eastern
north: northern
south: southern
west: western
"""
_VERBS = """
become: became
begin: began begun
break: broke broken
breed: bred
bring: brought
build: built
buy: bought
catch: caught
choose: chose chosen
draw: drew drawn
drive: drove driven
eat: ate eaten
fall: fell fallen
find: found
get: got gotten
give: gave given
go: went gone goes
grow: grew grown
hold: held
keep: kept
know: knew known
leave: left leaving
lose: lost losing loss losses
make: made
pay: paid
run: ran runner runners running
sell: sold
sing: sang sung
sow: sown
speak: spoke spoken
spend: spent
take: took taken
teach: taught
throw: threw thrown
win: won wins winning winner winners
write: wrote written
"""


_SPELLINGS = """
airplane: aeroplane aeroplanes
aluminum: aluminium
analyze: analyse analysed analysing
anemia: anaemia
armor: armour
behavior: behaviour behaviours
catalog: catalogue catalogues
center: centre centres
color: colour colours coloured
defense: defence
favor: favour favours
favorite: favourite favourites
fiber: fibre fibres
flavor: flavour flavours
gray: grey
harbor: harbour harbours
hemoglobin: haemoglobin
honor: honour honours
humor: humour
jewelry: jewellery
kilometer: kilometre kilometres
labor: labour
license: licence licences
liter: litre litres
meter: metre metres
millimeter: millimetre millimetres
centimeter: centimetre centimetres
mold: mould
neighbor: neighbour neighbours
neighborhood: neighbourhood neighbourhoods
odor: odour odours
offense: offence offences
organization: organisation organisations
organize: organise organised
program: programme programmes
realize: realise realised
recognize: recognise recognised
rumor: rumour rumours
theater: theatre theatres
tire: tyre tyres
tumor: tumour tumours
vapor: vapour
"""
"""Words that British and American English spell differently."""


LONGEST = 60
"""Letters of the longest run that may be a word: the stemmer's work grows with their square."""


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of a word in lower case; a number without its leading zeros.

    Example:
        >>> stem("observations"), stem("planted"), stem("people"), stem("007")
        ('observ', 'plant', 'person', '7')
    """
    word = word.removesuffix("'s").removesuffix("'")
    if word.isdigit():
        return word.lstrip("0") or "0"
    if not word.isalpha() or len(word) > LONGEST:
        return word
    # A stemmer holds the word that it works on, so that two threads cannot share one.
    if not hasattr(_own, "stemmer"):
        _own.stemmer = _make_stemmer()
    root: str = _own.stemmer.stemWord(_irregular().get(word, word))
    return root


@cache
def irregular_verbs() -> frozenset[str]:
    """Forms of verbs that no rule of endings tells to be some."""
    return frozenset(_forms(_VERBS))


@cache
def _irregular() -> dict[str, str]:
    return _forms(_NOUNS) | _forms(_VERBS) | _forms(_SPELLINGS)


def _forms(text: str) -> dict[str, str]:
    lines = (line.partition(": ") for line in text.strip().splitlines())
    return {form: base for base, _, forms in lines for form in forms.split()}


def _make_stemmer() -> Any:
    import snowballstemmer  # type: ignore[import-untyped]  # it has no types

    return snowballstemmer.stemmer("english")


_own = local()
