"""Features: what speaks for and against a form, as named numbers for the log-linear model."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise

from wideleaf.agents.planner.paths.attachment import Attachment
from wideleaf.agents.planner.paths.forms import EVERY, Form, Outcome
from wideleaf.agents.planner.paths.growth import NEAR, returns
from wideleaf.agents.planner.paths.reading import Reading
from wideleaf.agents.planner.paths.relation_words import CODE, KINDS, Hearing, name_parts
from wideleaf.agents.planner.paths.topics import Topic
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.word_classes import in_class
from wideleaf.tools.knowledge.fact_index import FactIndex, Step, fold_name

SAID, FITS = 0.5, 0.3
_NUMBER = re.compile(r"[-+]?[\d.,]+(?:-\d+)*")

Features = dict[str, float]


@lru_cache(maxsize=1)
def weights() -> Mapping[str, float]:
    """The fitted weights, read once."""
    place = files("wideleaf.agents.planner.paths").joinpath("weights.txt")
    lines = place.read_text("utf-8").splitlines()
    pairs = [line.rsplit(maxsplit=1) for line in lines if line and not line.startswith("#")]
    return {name: float(value) for name, value in pairs}


def used_places(form: Form, reading: Reading) -> set[int]:
    """Places of the words that a form accounts for besides its path."""
    cover = {*form.topic.span.places}
    if form.second is not None:
        cover |= form.second.span.places
    if form.moment is not None:
        cover |= form.moment.span.places if form.moment.fact else reading.dated
        cover |= _cued(reading, form.moment.when)
    if form.pick:
        cover |= _cued(reading, form.pick)
    if form.rank is not None:
        cover |= form.rank.span.places
    if form.asked in ("start", "end"):
        cover |= _cued(reading, "moment") | _cued(reading, form.asked)
    if form.asked == "count":
        cover |= _cued(reading, "count")
    if form.others or returns(form.path):
        cover |= _cued(reading, "shared")
    if reading.asks == "who":
        cover |= _cued(reading, "person")
    return cover


def _cued(reading: Reading, *kinds: str) -> set[int]:
    return {p for cue in reading.cue(*kinds) for p in cue.span.places}


def describe(
    form: Form,
    reading: Reading,
    topics: Sequence[Topic],
    index: FactIndex,
    hearing: Hearing,
    fit: Attachment,
    outcome: Outcome,
    near: float,
) -> Features:
    """What speaks for and against a form."""
    topic, size, tokens = form.topic, len(fit.said), reading.tokens
    rest = sum(tokens[p].weight * (1 - min(1.0, fit.score.get(p, 0.0))) for p in fit.left)
    vague = sum(max(0.0, 1 - s) * tokens[p].weight for p, s in fit.score.items())
    features: Features = {
        "gain": fit.gain,
        "least said": min(fit.said),
        "unsaid": float(sum(s < SAID for s in fit.said)),
        "unsaid of many": _unsaid_of_many(form, fit, hearing),
        "named": sum(fit.named) / size,
        "left": rest,
        "vague": vague,
        f"hops {size}": 1.0,
        "near": near,
        "order": float(fit.order),
        "topic": topic.score,
        "topic exact": float(topic.exact),
        "topic cased": float(topic.cased),
        "topic size": math.log(1 + topic.telling),
    }
    cover = {p for one in (topic, form.second, form.moment) if one for p in one.span.places}
    return (
        features
        | _describe_names(topic, reading, topics, fit, cover)
        | {"doubled": float(fit.doubled)}
        | _describe_return(form, reading, fit)
        | _describe_second(form, reading, hearing, fit, cover)
        | _describe_rank(form, reading, hearing)
        | _describe_time(form, reading, index, outcome)
        | _describe_answer(form, reading, topics, index, hearing, fit, outcome)
    )


def _describe_names(
    topic: Topic, reading: Reading, topics: Sequence[Topic], fit: Attachment, cover: set[int]
) -> Features:
    """Names that a form makes nothing of, or that hold the name of its topic."""
    tokens = reading.tokens
    free = [one for one in topics if one.exact and one.telling and not one.span.places & cover]
    proper = [one for one in free if one.cased and tokens[one.span.start].capital]
    unsaid = [one for one in free if not one.span.places <= fit.score.keys()]
    places = {p for one in unsaid for p in one.span.places if tokens[p].weight == 1}
    inside = any(one.exact and topic.span.places < one.span.places for one in topics)
    return {
        "unused name": float(len({p for one in proper for p in one.span.places})),
        "unused": float(len(places)),
        "inside": float(inside),
    }


def _describe_return(form: Form, reading: Reading, fit: Attachment) -> Features:
    """Whether the path goes back, and whether the question speaks of what is shared."""
    path = form.path
    company = any(cue.span.end == form.topic.span.start for cue in reading.cue("company"))
    shared = company or bool(reading.cue("shared"))
    if returns(path):
        same = [i for i, (a, b) in enumerate(pairwise(path)) if a.relation == b.relation]
        twice = min(min(fit.said[i : i + 2]) for i in same) >= SAID
        how = "cue" if shared else "twice" if twice else "no cue"
        where = "" if returns(path[-2:]) else " on the way"
        return {f"returns{where}, {how}, others {form.others}": 1.0}
    features: Features = {"shared unused": 1.0} if shared else {}
    if len(set(path)) < len(fit.said):
        features["repeats"] = 1.0
    return features


def _describe_second(
    form: Form, reading: Reading, hearing: Hearing, fit: Attachment, cover: set[int]
) -> Features:
    if form.second is None:
        return {}
    features = {"second": form.second.score, "second exact": float(form.second.exact)}
    if form.link is not None:
        scores = hearing.scores(form.link.relation)
        beside = [p for p in range(len(reading.tokens)) if p not in cover]
        features["link said"] = max((float(scores[p]) for p in beside), default=0.0)
        features["link early"] = float(form.at < len(fit.said))
    return features


def _describe_rank(form: Form, reading: Reading, hearing: Hearing) -> Features:
    rank = form.rank
    if rank is None:
        return {"extreme unused": 1.0} if reading.extremes and not form.pick else {}
    features = {
        "rank counts" if rank.counts else "rank compares": 1.0,
        "rank of all": float(form.topic.node == EVERY),
    }
    if rank.counts:
        noun = _find_noun(reading)
        scores = hearing.scores(rank.step.relation)
        fits = noun is not None and bool(scores[noun] >= SAID)
        features[f"rank back {rank.step.back}, asked {fits}"] = 1.0
    return features


def _describe_time(form: Form, reading: Reading, index: FactIndex, outcome: Outcome) -> Features:
    """Whether a time is asked for, and what the form makes of each word that tells one."""
    features: Features = {}
    if form.asked in ("start", "end"):
        start, end = (bool(reading.cue(kind)) for kind in ("start", "end"))
        features[f"time for {reading.asks}"] = 1.0
        features[f"asked {form.asked}, cues {start} {end}"] = 1.0
        features["time of many"] = math.log(max(1, len(outcome.values)))
        features["time without tail"] = float(form.second is None)
    elif index.temporal and reading.asks == "when":
        features["no time for when"] = 1.0
    features |= _describe_moment(form, reading, index)
    cued: set[str] = {cue.kind for cue in reading.cues} if index.temporal else set()
    for kind in ("first", "last"):
        is_pick = form.pick == kind
        if is_pick or kind in cued:
            features[f"{kind} {'picked' if is_pick else 'not picked'}, cue {kind in cued}"] = 1.0
    for kind in ("before", "after"):
        unmet = form.moment is None or form.moment.when != kind
        if kind in cued and unmet and form.asked == "nodes":
            features[f"{kind} unused"] = 1.0
    return features


def _describe_moment(form: Form, reading: Reading, index: FactIndex) -> Features:
    """How the time of facts compares, and whether a cue says so."""
    moment = form.moment
    if moment is None:
        unused = index.temporal and reading.years and form.asked == "nodes"
        return {"year unused": 1.0} if unused else {}
    at = moment.span.start
    if moment.fact is None:
        cues = reading.cue("before", "after", "start", "end")
        near = {cue.kind for cue in cues if 0 < at - cue.span.start <= NEAR + 1}
        how = "cue" if moment.when in near else "other cue" if near else "no cue"
        return {f"moment {moment.when}, {how}": 1.0}
    cued = any(cue.span.end <= at + 1 for cue in reading.cue(moment.when))
    shared = moment.when == "in" and bool(reading.cue("shared", "company"))
    _, step, other = moment.fact
    same = step.relation == form.path[-1].relation and other == form.topic.node
    return {
        f"fact {moment.when}, cue {cued or ('shared' if shared else False)}": 1.0,
        "fact same": float(same),
        f"fact and pick {form.pick}": 1.0,
    }


def _describe_answer(
    form: Form,
    reading: Reading,
    topics: Sequence[Topic],
    index: FactIndex,
    hearing: Hearing,
    fit: Attachment,
    outcome: Outcome,
) -> Features:
    asks, last, nodes = reading.asks, form.path[-1], outcome.nodes
    if form.asked == "count":
        measured = last.relation in index.measured and not last.back
        return {"count for count": 1.0, "count of numbers": float(measured)}
    features: Features = {"no count for count": 1.0} if asks == "count" else {}
    if form.asked != "nodes":
        return features
    names = [index.names[n] for n in nodes[:20]]
    if not names:
        return features | {"empty": 1.0}
    noun = _find_noun(reading)
    sort = " sort" if asks == "what" and noun is not None else ""
    numbers = sum(bool(_NUMBER.fullmatch(name)) for name in names) / len(names)
    others = {one.node for one in topics if one.exact and one.node != form.topic.node}
    features["codes"] = sum(bool(CODE.fullmatch(name)) for name in names) / len(names)
    features[f"numbers for {asks}{sort}"] = numbers
    features["many"] = math.log(len(nodes))
    features["topic among"] = float(form.topic.node in nodes[:200])
    features["echo"] = float(bool(others.intersection(nodes[:20].tolist())))
    if noun is not None:
        features["named as asked"] = _share_named(reading.tokens[noun].stem, names)
    return features | _describe_kind(form.path, asks, hearing, fit)


def _describe_kind(path: Sequence[Step], asks: str, hearing: Hearing, fit: Attachment) -> Features:
    """Whether the last hop leads to the kind of node that the asking word wants."""
    features: Features = {}
    if (by := _doing(path[-1])) and asks in ("who", "what"):
        features[f"{asks}, {by}"] = 1.0
    if fit.asked and asks in KINDS:
        before = len(path) > 1 and hearing.fits(KINDS[asks], path[-2]) >= FITS
        features[f"asked only, {'again' if before else 'new'}"] = 1.0
    for kind, phrase in KINDS.items():
        name = f"{kind} fits" if asks == kind else f"{kind} fits another"
        features[name] = hearing.fits(phrase, path[-1])
    return features


def left_places(fit: Attachment, form: Form, reading: Reading) -> tuple[int, ...]:
    """Places of words that tell something and that a form does not use.

    A noun that only says what kind of thing is asked for, or what the topic is, tells nothing more:
    it stands behind the asking word, or beside the name.
    """
    cover = used_places(form, reading)
    tokens = reading.tokens
    beside = {form.topic.span.start - 1, form.topic.span.end}
    places = []
    for place in fit.left:
        before = tokens[place - 1].text if place else ""
        slight = place in beside or in_class(before, "question", "request")
        proper = tokens[place].capital and place > 0
        if place not in cover and (proper or not slight):
            places.append(place)
    return tuple(places)


def _unsaid_of_many(form: Form, fit: Attachment, hearing: Hearing) -> float:
    """How many hops of a longer path no word says, but those from or to a node without a name."""
    if len(form.path) == 1 or len(fit.said) != len(form.path):
        return 0.0
    blank = [hearing.words.is_blank(step) for step in form.path]
    free = [blank[i] or (i > 0 and blank[i - 1]) for i in range(len(blank))]
    return float(sum(s < SAID and not f for s, f in zip(fit.said, free, strict=True)))


def _doing(step: Step) -> str:
    """Whether a hop leads to who did something, or from there to what was done, as far as told."""
    if "by" not in name_parts(step.relation)[0][1:]:
        return ""
    return "done" if step.back else "doer"


def _share_named(noun: str, names: Sequence[str]) -> float:
    """The share of some names that hold a noun, as in ``Harbour Building``."""
    return sum(noun in map(stem, fold_name(name).split()) for name in names) / len(names)


def _find_noun(reading: Reading) -> int | None:
    """The place of the noun that stands behind the asking word."""
    for place, token in enumerate(reading.tokens[1:], 1):
        if reading.tokens[place - 1].text in ("what", "which") and token.weight == 1:
            return place
    return None
