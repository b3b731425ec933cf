"""Features: what speaks for and against a derivation, as named numbers for the log-linear model."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

from wideleaf.agents.planner.links.lexicon import Cue, Question, cell_words, lexicon
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.agents.planner.rules.quantities import is_only_meant, repeats
from wideleaf.agents.planner.scopes.derivation import Derivation, Use

HEARD = (
    "extreme", "measure", "count",
    "distinct", "each", "missing", "also", "difference", "more", "share", "mode",
    "correlation", "step", "same", "order", "whole", "without", "both", "compare",
    "after", "beyond", "change", "contrast", "pca", "predict",
)  # fmt: skip
HALF = 0.7
"""A name covered less than this does not explain a phrase in it, such as ``average``."""
FEW, HEAD = 4, 0.3
QUANTITIES = ("most", "fewest", "least")
PASSED = ("extreme", "measure", "distinct", "mode", "each")
YEARS = range(1000, 2200)
SINGULAR = ("what", "which", "who")

Features = dict[str, float]


@lru_cache(maxsize=1)
def weights() -> Mapping[str, float]:
    """The fitted weights, read once; a feature without one weighs nothing."""
    lines = files("wideleaf.agents.planner").joinpath("weights.txt").read_text("utf-8").splitlines()
    pairs = [line.rsplit(maxsplit=1) for line in lines if line and not line.startswith("#")]
    return {name: float(value) for name, value in pairs}


def weigh(features: Mapping[str, float], by: Mapping[str, float] | None = None) -> float:
    """The log-linear score."""
    factors = weights() if by is None else by
    return sum(factors.get(name, 0.0) * value for name, value in features.items())


def explain_places(question: Question, uses: Collection[Use]) -> set[int]:
    """Places of the question's words that some uses account for."""
    sources: list[Use] = [*uses, *(u.named for u in uses if isinstance(u, ValueLink) and u.named)]
    sources += question.cue("wh", "decimals", "alphabetic")
    return {place for one in sources for place in one.places}


def asking(question: Question) -> str:
    """The kind of word that asks."""
    if question.whether:
        return "whether"
    cues = [c for c in question.cues if c.kind in ("wh", "count")]
    if not cues:
        return "none"
    first = cues[0]
    return "many" if first.kind == "count" else first.value


def static(d: Derivation) -> Features:
    """What speaks for and against a derivation before it is run."""
    question, links = d.scope.question, d.scope.conditions.links
    explained = explain_places(question, d.uses)
    content = {p for p in range(len(question.words)) if question.content(p, p + 1)}
    mentions = [mention for mention in _mentions(d) if mention.column]
    beside = {link.named for link in links}
    measured = {mention.column for mention in _mentions(d) if mention not in beside}
    circular = {*d.answers, *measured} & {link.column for link in links}
    hows = [step.arguments.get("how") for step in d.scope.first]
    features: Features = {
        "coverage": len(explained & content) / max(len(content), 1),
        "left": float(len(content - explained)),
        "named": sum(m.score for m in mentions) / len(mentions) if mentions else 0.0,
        "circular": float(bool(circular)),
        "asked": d.asked,
        "linked": sum(use.score for use in _links(d)),
        "unlinked": sum(link.score for link in links if link not in d.uses),
        "dropped": d.scope.conditions.dropped,
        "uses": float(len(d.uses)),
        "steps": float(len(d.steps) - len(d.scope.first)),
        "joins": float(len(d.scope.first)),
        "semi": float("semi" in hows),
        "anti": float("anti" in hows),
        "strangers": float(_strangers(question, explained)),
        **_head(d, explained),
        "columns asked": float(_columns_asked(question, explained)),
        "unsure": float(sum(u.op == "contains" and not u.flags for u in _links(d))),
        "doubled": float(_count_overlaps(d)),
        "meant": float(sum(is_only_meant(d.scope, mention) for mention in mentions)),
    }
    return features | _of_answers(d, measured) | _of_cues(d) | _of_rules(d)


def _of_answers(d: Derivation, measured: set[str]) -> Features:
    """What is told, and of which tables: an identifier, the end of a group, two sides at once."""
    links, features = d.scope.conditions.links, Features()
    if any(d.scope.index.is_identifier(column) for column in _find_measures(d)):
        features["measures an id"] = 1.0
    if d.answers and d.scope.index.is_identifier(d.answers[0]):
        features["answers an id"] = 1.0
    if d.rules[-2:-1] and d.rules[-2].startswith("top") and _of_groups(d):
        features["end of a group"] = 1.0
    if _sides_at_once(d):
        features["sides at once"] = 1.0
    names = {*d.answers, *measured, *(link.column for link in links if link in d.uses)}
    if d.scope.owned:
        features["idle tables"] = float(sum(not names & columns for columns in d.scope.owned))
    return features


def _of_cues(d: Derivation) -> Features:
    """How many cues of each kind nothing explains, nor a name that is hardly said."""
    question = d.scope.question
    part = [mention for mention in _mentions(d) if mention.score < HALF]
    heard = explain_places(question, [use for use in d.uses if use not in part])
    heard = heard.union(*(mention.slot for mention in part))
    idle = Counter(c.kind for c in question.cues if c.among(HEARD) and not heard & c.places)
    return {f"ignored {kind}": float(number) for kind, number in idle.items()}


def _of_rules(d: Derivation) -> Features:
    """Which rules were applied for which word that asks, and what they compare."""
    question, last = d.scope.question, d.rules[-1] if d.rules else ""
    features = {f"rule {rule}": 1.0 for rule in d.rules}
    features[f"ask {asking(question)}, {last}"] = 1.0
    features[f"first {_first(question)}, {last.split()[0] if last else ''}"] = 1.0
    features[f"chain {'; '.join(rule.split()[0] for rule in d.rules)}"] = 1.0
    for use in _links(d):
        what = "level" if use.flags else "text" if isinstance(use.value, str) else "number"
        features[f"compares {what} {use.op} {use.part}".rstrip()] = 1.0
    return features


def _links(d: Derivation) -> list[ValueLink]:
    return [use for use in d.uses if isinstance(use, ValueLink)]


def _mentions(d: Derivation) -> list[Mention]:
    return [use for use in d.uses if isinstance(use, Mention)]


def _sides_at_once(d: Derivation) -> bool:
    """Whether values that ``and`` joins are measured together: the mean for men and women."""
    words = d.scope.question.words
    sides = [u for u in d.uses if isinstance(u, ValueLink) and u.op == "in"
             and isinstance(u.value, list) and len(u.value) == 2]  # fmt: skip
    pairs = [u for u in sides if u.start and words[u.start - 1].text == "for"
              and any(words[p].text in ("and", "vs", "versus") for p in u.places)]  # fmt: skip
    apart = {str(key) for step in d.steps for key in _ensure_list(step.arguments.get("keys"))}
    single = d.steps and d.steps[-1].name == "Aggregate" and not d.scope.cues("count", "sum")
    return bool(single) and any(u.column not in apart for u in pairs)


def _ensure_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _of_groups(d: Derivation) -> bool:
    """Whether the most of something is asked of what several rows have: the team with most runs."""
    words = d.scope.question.words
    most = any(words[c.end - 1].text in QUANTITIES for c in d.scope.cues("extreme"))
    column = d.answers[0] if d.answers else ""
    texts = d.scope.kinds.get(column) == "text" and column not in d.scope.index.naming
    return most and texts and repeats(d.scope.index, column)


def _count_overlaps(d: Derivation) -> int:
    """How many words are taken for the names of two columns at once, slots aside."""
    spots: dict[str, frozenset[int]] = {}
    for use in _mentions(d):
        if use.column:
            spots[use.column] = spots.get(use.column, frozenset()) | (use.places - use.slot)
    places = [place for own in spots.values() for place in own]
    return len(places) - len(set(places))


def _first(question: Question) -> str:
    """The kind of cue that comes right after the asking word, as in ``what is the highest``."""
    asks = [cue for cue in question.cues if cue.kind == "wh"]
    start = asks[0].end if asks else 0
    later = next((cue for cue in question.cues if cue.start >= start and cue.kind != "wh"), None)
    if later is None or question.content(start, later.start):
        return "none"
    return f"{'asked ' if asks else ''}{later.kind}"


def _find_measures(d: Derivation) -> set[str]:
    """Columns that a step orders by or makes an aggregate of."""
    columns = set()
    for step in d.steps[len(d.scope.first) :]:
        for name in ("by", "measures"):
            items = step.arguments.get(name)
            for one in items if isinstance(items, list) else ():
                if isinstance(one, dict) and one.get("function") not in ("count", "count distinct"):
                    columns.add(str(one.get("column")))
    return columns


def _head(d: Derivation, explained: set[int]) -> Features:
    """Whether the noun that the question asks for, as in ``which boat``, is what is answered."""
    question = d.scope.question
    for cue in question.cue("wh", "count"):
        if cue.value in ("what", "rows", "show") and (noun := _noun_behind(question, cue)):
            heads = {m.column for m in d.scope.named if m.places & noun and m.score >= HEAD}
            names = {m.column for m in _mentions(d) if m.places & noun}
            return {
                "headless": float(not explained & noun),
                f"head {cue.value} answered": float(bool(heads & {*d.answers})),
                f"head {cue.value} missed": float(bool(heads) and not heads & {*d.answers, *names}),
            }
    return {}


def _noun_behind(question: Question, cue: Cue) -> set[int]:
    """Places of the noun that stands behind an asking word, as far as words say something."""
    numbers = {number.place for number in question.numbers}
    passed = numbers.union(*(c.places for c in question.cue(*PASSED)))
    places = [p for p in range(cue.end, len(question.words)) if p not in passed]
    if cue.kind == "wh" and places and not question.content(places[0], places[0] + 1):
        places = [p for p in places if question.content(p, p + 1)]
    run: list[int] = []
    for place in places:
        if not question.content(place, place + 1) or (run and place > run[-1] + 1):
            break
        run.append(place)
    return {*run}


def _strangers(question: Question, explained: set[int]) -> int:
    """How many names, written with a capital, nothing in the table explains."""
    return sum(
        place > 0
        and place not in explained
        and question.text[word.start].isupper()
        and word.text not in lexicon().stopwords
        for place, word in enumerate(question.words)
    )


def _columns_asked(question: Question, explained: set[int]) -> bool:
    """Whether the question wants the names of columns, which no rule gives."""
    texts = [word.text for word in question.words]
    for cue in question.cue("column"):
        before = next((p for p in range(cue.start - 1, -1, -1) if texts[p] in SINGULAR), None)
        if before is not None and question.content(before + 1, cue.start) == cue.start - before - 1:
            return not cue.places & explained
    return False


def run_features(d: Derivation, rows: Sequence[Mapping[str, Any]] | None) -> Features:
    """What a run shows: failure, emptiness, how much came out and of which type."""
    if rows is None:
        return {"failed": 1.0}
    if not rows:
        return {"empty": 1.0}
    question = d.scope.question
    ask = asking(question)
    cells = [cell for row in rows for cell in row.values()]
    some = [cell for cell in cells if cell is not None]
    if not some:
        return {"null": 1.0}
    size = "one" if len(cells) == 1 else "few" if len(rows) <= FEW else "many"
    kind = _kind(some)
    plural = _plural(question)
    features = {
        f"gives {size}, {plural}": 1.0,
        f"gives {kind} for {ask}": 1.0,
        f"gives {size} for {ask}": 1.0,
        "wide answer": float(len(rows[0]) > 2),
        "log rows": math.log(len(rows)),
    }
    if kind == "number" and len(cells) == 1:
        features["gives zero"] = float(some[0] == 0)
        features["gives count one"] = float(d.rules[-1].startswith("count") and some[0] == 1)
    text = cell_words(question.text)
    echoed = [c for c in some[:5] if isinstance(c, str) and _within(cell_words(c), text)]
    if "levels" in d.rules and len(echoed) < len(some[:5]):
        echoed = []  # what the question names is one of those it asks for
    choice = " or " in question.text
    features["echo of a choice" if choice else "echo"] = float(bool(echoed))
    return features


def _within(words: tuple[str, ...], text: tuple[str, ...]) -> bool:
    size = len(words)
    return size > 0 and any(text[i : i + size] == words for i in range(len(text) - size + 1))


def _plural(question: Question) -> str:
    """Whether the noun after the asking word is plural, as far as its ending tells."""
    cues = [c for c in question.cue("wh") if c.value in ("what", "show", "who")]
    if not cues:
        return "unsaid"
    for word in question.words[cues[0].end : cues[0].end + 4]:
        if word.text in ("are", "were"):
            return "plural"
        if word.text in ("is", "was"):
            return "singular"
        if word.text.endswith("s") and not word.text.endswith("ss") and len(word.text) > 3:
            return "plural"
        if word.text not in lexicon().stopwords:
            return "singular"
    return "unsaid"


def _kind(cells: Sequence[Any]) -> str:
    first = cells[0]
    if isinstance(first, bool):
        return "boolean"
    if isinstance(first, int | float):
        return "year" if float(first).is_integer() and int(first) in YEARS else "number"
    if isinstance(first, str):
        return "digits" if first[:1].isdigit() else "text"
    return "date"
