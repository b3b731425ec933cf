"""Coverage: the words of a question that a plan's steps, columns and values really came from."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from wideleaf.agents.planner.coverage.idle_cues import TELLING, find_idle_ors
from wideleaf.agents.planner.features import HALF
from wideleaf.agents.planner.links.lexicon import FILLER, Cue, Question, cell_words, lexicon
from wideleaf.agents.planner.links.literals import dates, long_numbers, quotation_places
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.name_words import name_parts
from wideleaf.agents.planner.links.values import ValueLink, sign_of
from wideleaf.agents.planner.rules.quantities import additive
from wideleaf.agents.planner.scopes.conditions import AGAINST
from wideleaf.agents.planner.scopes.derivation import Derivation, Use
from wideleaf.retrieval.selection import FEW_COLUMNS
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.units import UNITS, unit_of
from wideleaf.tools.plain_data import texts_in

NAMED = 0.7
"""A noun behind *how many* that names a column no step speaks of, so well, is counted with rows."""
MIN_ALIKE = 4
"""So many letters begin both forms of one adjective."""
GLOSS = 3
"""So many words at most say the same as the bracket behind them."""
_BRACKET = re.compile(r"\([^()]+\)|(?<=,) [^\W_]+(?:_[^\W_]+)+(?=[,.?!]|$)")
"""A bracket, or a code between commas: the maximum temperature, T2M_MAX."""
BINDING = ("each", "by", "compare", "without", "missing", "both", "same", "after")
"""Cues that are no name: as a cell they are quoted, have a capital, or are of a named column."""


def find_cover(d: Derivation) -> frozenset[int]:
    """Places of the words that the plan came from; a literal counts whole or not at all."""
    question = d.scope.question
    idle = [*_idle(d), *_no_rows(d)]
    uses = [use for use in d.uses if use not in idle]
    uses += [u.named for u in d.uses if isinstance(u, ValueLink) and u.named]
    cover = {place for use in uses for place in _places(d, use)}
    for cue in question.cue("decimals"):
        beside = {cue.end} if cue.value == "to" else {cue.start - 1}
        cover |= cue.places | (beside & {number.place for number in question.numbers})
    cover |= _negations(question, [u for u in uses if isinstance(u, ValueLink)])
    for literal in dates(question):
        if literal & cover and not _dated(d, literal, uses):
            cover -= literal
    for literal in long_numbers(question):
        if not any(literal <= use.places for use in uses) and not _has_unit(
            question, literal, uses
        ):
            cover -= literal
    cover |= _of_a_share(d)
    cover |= _of_both(d)
    cover -= _before_times(question, cover) - compared_places(uses)
    cover |= _find_glosses(question, cover)
    return frozenset(cover) - find_idle_ors(d)


def _of_a_share(d: Derivation) -> set[int]:
    """Words for a share where a column that a step speaks of holds one: the urban share."""
    index = d.scope.index
    texts = {text for step in d.steps for text in texts_in(step.arguments, keys=False)}
    rates = [c for c in texts & index.kinds.keys() if "%" in f"{c} {index.table.about.get(c, '')}"]
    return {p for cue in d.scope.question.cue("share") for p in cue.places} if rates else set()


def _of_both(d: Derivation) -> set[int]:
    """The word *both* before two conditions of the plan: both a dog and a cat."""
    question = d.scope.question
    starts = sorted(use.start for use in d.uses if isinstance(use, ValueLink))
    places: set[int] = set()
    for cue in question.cue("both"):
        later = [start for start in starts if start >= cue.end]
        between = question.words[later[0] : later[1]] if len(later) > 1 else ()
        if any(word.text == "and" for word in between):
            places |= cue.places
    return places


def compared_places(uses: Collection[Use]) -> set[int]:
    """Places of the numbers that columns are compared with: what follows is their unit."""
    links = [use for use in uses if isinstance(use, ValueLink) and use.op not in ("==", "!=", "in")]
    return {place for link in links for place in link.places}


def _places(d: Derivation, use: Use) -> Iterator[int]:
    question = d.scope.question
    if isinstance(use, Cue):
        steps = {step.name.casefold() for step in d.steps}
        own = any(use.value in lexicon().classes.get(name, ()) for name in steps)
        if (use.kind != FILLER or own) and not _of_another(d, use):
            yield from use.places
    elif isinstance(use, Mention):
        cues = {p for cue in question.cue(*TELLING) for p in cue.places}
        weak = use.column and use.score < HALF
        beyond = {p for cue in question.cue("beyond") for p in cue.places}
        apart = (cues - use.slot) | _of_other_headers(d, use) if weak else frozenset()
        yield from use.places - apart - beyond
        words, ordinals = question.words, lexicon().classes["ordinal"]
        called = cell_words(use.column) if use.score >= HALF else ()
        # GDP per capita is called so: nothing is asked for each capita.
        yield from (p for p in range(use.start, use.end) if words[p].text in called)
        yield from (p - 1 for p in use.slot if p and words[p - 1].text in ordinals)
    else:
        yield from _of_a_value(d, use)


def _of_other_headers(d: Derivation, use: Mention) -> set[int]:
    """Places of words that another header, of which no step speaks, alone has to the letter.

    Of a workload it is not told where somebody works.
    """
    index, words = d.scope.index, d.scope.question.words
    if len(index.kinds) > FEW_COLUMNS:
        return set()
    names = {u.column for u in d.uses if isinstance(u, Mention)}
    headers = {word for column in index.kinds if column not in names for word in cell_words(column)}
    own = {stem(word) for word in cell_words(use.column)}
    return {p for p in use.places if words[p].text in headers and words[p].stem not in own}


def _of_another(d: Derivation, cue: Cue) -> bool:
    """Whether a superlative or comparative says what is compared, and the plan compares another.

    The richest is none of the most rows, and who lives longer has no larger population.
    """
    question = d.scope.question
    text = question.words[cue.end - 1].text
    plain = lexicon().classes["superlative"] | {"common", "frequent", "often", "popular"}
    if cue.kind not in ("extreme", "more") or cue.value not in ("max", "min") or text in plain:
        return False
    if cue.end - cue.start > 1:
        return False  # the most number of
    mentions = [use for use in d.uses if isinstance(use, Mention) and use.column]
    if any(cue.places & m.places for m in mentions):
        return False
    formed = (text,) not in lexicon().cues  # busiest, deadliest: only what it means will do
    own = text[:MIN_ALIKE]
    if any(question.words[p].text[:MIN_ALIKE] == own for m in mentions for p in m.places):
        return False  # how heavy was the heaviest
    near = (cue.end, cue.end + 1)
    return formed or not any(
        m.start in near and d.scope.kinds.get(m.column) == "number" for m in mentions
    )


def _of_a_value(d: Derivation, link: ValueLink) -> Iterator[int]:
    """The words of a condition: of a comparison its cue and its numbers, not what is between."""
    question = d.scope.question
    numbers = {number.place for number in question.numbers}
    words = {place: question.words[place].text for place in link.places}
    texts = link.value if isinstance(link.value, list) else [link.value]
    if isinstance(texts[0], str) or link.flags or not link.places & numbers:
        binding = {p for cue in question.cue(*BINDING) for p in cue.places}
        capital = any(question.text[question.words[p].start].isupper() for p in words)
        plain = link.places <= binding and not capital and not link.named
        if not (plain and not link.places & quotation_places(question)):
            apart = {p for p in link.between if words[p] not in lexicon().stopwords | AGAINST}
            yield from link.places - apart
            yield from _of_a_sign(question, link.start, texts[0])
        return
    if _beyond_all(d, link):
        return
    cues = {p for cue in question.cue("compare", "after") for p in cue.places}
    cues -= {p for p in cues if means_another(d, question.words[p].stem, link.column)}
    yield from (p for p in link.places if p in numbers | cues or words[p] in lexicon().stopwords)


def _of_a_sign(question: Question, start: int, cell: object) -> Iterator[int]:
    """The words that say the sign which a cell begins with: more than 50K, of >50K."""
    sign = sign_of(cell) if isinstance(cell, str) else ""
    for cue in question.cue("compare"):
        if sign and cue.value[:1] == sign and cue.end == start:
            yield from cue.places


def _beyond_all(d: Derivation, link: ValueLink) -> bool:
    """Whether a bound lies outside of all numbers of a column that may well be none it is of.

    Players over 7 feet are none over 7 of a height in inches, and since 2000 is no category.
    """
    index, words = d.scope.index, d.scope.question.words
    if not isinstance(link.value, int | float) or link.op not in (">", ">=", "<", "<="):
        return False
    behind = [word.text for word in words[link.end : link.end + 1]]
    behind += [word.text for word in words[link.end - 1 : link.end]]
    in_units = any(text in UNITS for text in behind) and unit_of(link.column) is None
    if link.column not in index.table.schema or not (in_units or link.named is None):
        return False
    numbers = index.numbers(link.column) if index.kinds[link.column] == "number" else ()
    return bool(numbers) and not min(numbers) <= link.value <= max(numbers)


def means_another(d: Derivation, word: str, column: str) -> bool:
    """Whether a comparative such as ``older`` means another column than the one compared."""
    senses = {*lexicon().meanings.get(word, ())}
    own = {one for part in name_parts(column) for one in (part.stem, *part.long)}
    own |= {part.stem for part in name_parts(d.scope.index.table.about.get(column, ""))}
    if not senses or senses & own:
        return False
    if word in {stem(one) for one in lexicon().classes["dimension"]}:
        return not any(one.startswith(m) or m.startswith(one) for one in own for m in senses)
    return any(senses & {part.stem for part in name_parts(other)} for other in d.scope.index.kinds)


def _negations(question: Question, links: list[ValueLink]) -> set[int]:
    """Words of negation before a condition that is a negative one."""
    against = [link.start for link in links if link.op in ("!=", "not in")]
    cues = [c for c in question.cue("compare") if c.value == "!="] + [*question.cue("without")]
    words = [word.text for word in question.words]
    plain = {start - 1 for start in against if words[max(start - 1, 0)] in ("no", "non")}
    return plain | {
        place
        for cue in cues
        for start in against
        if cue.end <= start and question.content(cue.end, start) <= 1
        for place in cue.places
    }


def _dated(d: Derivation, literal: frozenset[int], uses: list[Use]) -> bool:
    """Whether a date is one value, or its parts are conditions on parts of one column."""
    links, words = [use for use in uses if isinstance(use, ValueLink)], d.scope.question.words
    if any(literal <= link.places and not link.part for link in links):
        return True
    if any(isinstance(use, Mention) and literal <= use.places for use in uses):
        return True
    telling = {p for p in literal if words[p].text not in lexicon().stopwords}
    for column in {link.column for link in links if link.part}:
        parts = [link for link in links if link.column == column and link.part]
        places = {p for link in parts for p in _of_a_value(d, link)}
        if telling <= places:
            return True
    return False


def _has_unit(question: Question, literal: frozenset[int], uses: list[Use]) -> bool:
    """Whether the column of a number is itself in the unit, as ``population (million)``."""
    words = {question.words[p].text.rstrip("s") for p in literal} & {
        word.rstrip("s") for word in lexicon().classes["scale"]
    }
    links = [use for use in uses if isinstance(use, ValueLink) and use.places & literal]
    return any(word in link.column.casefold() for link in links for word in words)


def _idle(d: Derivation) -> list[Mention]:
    """Mentions of columns that no step speaks of, but for the noun right behind ``how many``."""
    question = d.scope.question
    texts = {text for step in d.steps for text in texts_in(step.arguments, keys=False)}
    beside = [u.named for u in d.uses if isinstance(u, ValueLink)]
    mentions = []
    for use in d.uses:
        if not isinstance(use, Mention) or not use.column or use in beside:
            continue
        if use.column in texts or f"{use.column}*" in texts:
            continue
        heads = [c for c in question.cue("count") if c.end <= use.start]
        between = [w.text for w in question.words[heads[-1].end : use.start]] if heads else ["-"]
        far = any(word not in lexicon().classes["determiner"] for word in between)
        flag = use.column in d.scope.index.kinds and d.scope.index.flag(use.column)
        vague = use.score < NAMED and use.column not in d.scope.index.daily
        counts = additive(d.scope.index, use.column) and use.column not in d.scope.index.keys
        if use.slot or vague or far or flag or counts:
            mentions.append(use)
    return mentions


def _no_rows(d: Derivation) -> list[Mention]:
    """Names of the table that are counted though its rows are called otherwise.

    Of a table of murders with a row for each state no number of rows is one of murders.
    """
    name = {part.stem for part in name_parts(d.scope.index.row_name)}
    label = {part.stem for part in name_parts(d.scope.label)}
    if not name or name & label or not any("count" in rule for rule in d.rules):
        return []
    words = d.scope.question.words
    spots = [use for use in d.uses if isinstance(use, Mention) and not use.column]
    return [use for use in spots if {words[p].stem for p in use.places} & label]


def _find_glosses(question: Question, cover: Collection[int]) -> set[int]:
    """Words before a bracket, or a code, that says the same: the left share (per_left)."""
    places: set[int] = set()
    for match in _BRACKET.finditer(question.text):
        inside = {
            place
            for place, word in enumerate(question.words)
            if match.start() < word.start and word.end <= match.end()
        }
        if inside and inside <= {*cover}:
            place, last = min(inside) - 1, min(inside) - 1
            while place >= 0 and last - place < GLOSS and place not in cover:
                mark = question.text[question.words[place].end : question.words[place + 1].start]
                number = any(one.place == place for one in question.numbers)
                small = not question.content(place, place + 1)
                if small or number or (place < last and mark.strip()):
                    break
                places.add(place)
                place -= 1
    return places


def _before_times(question: Question, cover: Collection[int]) -> set[int]:
    """Numbers and ends before a word of time that is left over, as in ``the last 5 years``."""
    ends = {p for cue in question.cue("extreme") for p in cue.places}
    ends |= {number.place for number in question.numbers}
    places: set[int] = set()
    for place, word in enumerate(question.words):
        if word.text in lexicon().classes["axis"] and place not in cover:
            while place - 1 in ends:
                place -= 1
                places.add(place)
    return places
