"""Features: what speaks for and against a form, as named numbers for the log-linear model."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

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
    used = {*form.topic.span.places}
    if form.second is not None:
        used |= form.second.span.places
    if form.moment is not None:
        used |= form.moment.span.places if form.moment.fact else reading.dated
        used |= _cued(reading, form.moment.when)
    if form.pick:
        used |= _cued(reading, form.pick)
    if form.rank is not None:
        used |= form.rank.span.places
    if form.asked in ("start", "end"):
        used |= _cued(reading, "moment") | _cued(reading, form.asked)
    if form.asked == "count":
        used |= _cued(reading, "count")
    if form.others or returns(form.path):
        used |= _cued(reading, "shared")
    if reading.asks == "who":
        used |= _cued(reading, "person")
    return used


def _cued(reading: Reading, *kinds: str) -> set[int]:
    return {p for cue in reading.cue(*kinds) for p in cue.span.places}


def describe(
    form: Form,
    reading: Reading,
    topics: Sequence[Topic],
    index: FactIndex,
    hearing: Hearing,
    told: Attachment,
    outcome: Outcome,
    near: float,
) -> Features:
    """What speaks for and against a form."""
    path, topic = form.path, form.topic
    size = len(told.said)
    tokens = reading.tokens
    left = sum(tokens[p].weight * (1 - min(1.0, told.score.get(p, 0.0))) for p in told.left)
    vague = sum(max(0.0, 1 - s) * tokens[p].weight for p, s in told.score.items())
    found: Features = {
        "gain": told.gain,
        "least said": min(told.said),
        "unsaid": float(sum(s < SAID for s in told.said)),
        "unsaid of many": _unsaid_of_many(form, told, hearing),
        "named": sum(told.named) / size,
        "left": left,
        "vague": vague,
        f"hops {size}": 1.0,
        "near": near,
        "order": float(told.order),
        "topic": topic.score,
        "topic exact": float(topic.exact),
        "topic cased": float(topic.cased),
        "topic size": math.log(1 + topic.telling),
    }
    spans = [topic.span, *([form.second.span] if form.second else [])]
    if form.moment is not None:
        spans.append(form.moment.span)
    covered = {p for span in spans for p in span.places}
    free = [one for one in topics if one.exact and one.telling and not one.span.places & covered]
    proper = [one for one in free if one.cased and tokens[one.span.start].capital]
    found["unused name"] = float(len({p for one in proper for p in one.span.places}))
    unused = [one for one in free if not one.span.places <= told.score.keys()]
    found["unused"] = float(
        len({p for one in unused for p in one.span.places if tokens[p].weight == 1})
    )
    found["inside"] = float(
        any(
            one.exact and one.span != topic.span and topic.span.places < one.span.places
            for one in topics
        )
    )
    found["doubled"] = float(told.doubled)
    company = any(cue.span.end == topic.span.start for cue in reading.cue("company"))
    shared = company or bool(reading.cue("shared"))
    if returns(path):
        pairs = [
            (told.said[i], told.said[i + 1])
            for i in range(len(path) - 1)
            if path[i + 1].relation == path[i].relation
        ]
        how = "cue" if shared else "twice" if min(map(min, pairs)) >= SAID else "no cue"
        where = "" if returns(path[-2:]) else " on the way"
        found[f"returns{where}, {how}, others {form.others}"] = 1.0
    elif shared:
        found["shared unused"] = 1.0
    if len(set(path)) < size and not returns(path):
        found["repeats"] = 1.0
    if form.second is not None:
        found["second"] = form.second.score
        found["second exact"] = float(form.second.exact)
        if form.link is not None:
            said = hearing.scores(form.link.relation)
            beside = [p for p in range(len(tokens)) if p not in covered]
            found["link said"] = max((float(said[p]) for p in beside), default=0.0)
            found["link early"] = float(form.at < size)
    if form.rank is not None:
        found["rank counts" if form.rank.counts else "rank compares"] = 1.0
        found["rank of all"] = float(topic.node == EVERY)
        if form.rank.counts:
            asked = _asked_noun(reading)
            scores = hearing.scores(form.rank.step.relation)
            meant = asked is not None and bool(scores[asked] >= SAID)
            found[f"rank back {form.rank.step.back}, asked {meant}"] = 1.0
    elif reading.extremes and not form.pick:
        found["extreme unused"] = 1.0
    asks = reading.asks
    found |= _times(form, reading, index, outcome)
    found |= _answers(form, asks, index, hearing, outcome, topic, topics, reading, told)
    return found


def _times(form: Form, reading: Reading, index: FactIndex, outcome: Outcome) -> Features:
    found: Features = {}
    asks = reading.asks
    if form.asked in ("start", "end"):
        found[f"time for {asks}"] = 1.0
        cue = {k: bool(reading.cue(k)) for k in ("start", "end")}
        found[f"asked {form.asked}, cues {cue['start']} {cue['end']}"] = 1.0
        found["time of many"] = math.log(max(1, len(outcome.values)))
        found["time without tail"] = float(form.second is None)
    elif index.temporal and asks == "when":
        found["no time for when"] = 1.0
    years = index.temporal and bool(reading.years)
    moment = form.moment
    if moment is not None and moment.fact is None:
        at = moment.span.start
        near = {
            kind
            for kind in ("before", "after", "start", "end")
            for cue in reading.cue(kind)
            if 0 < at - cue.span.start <= NEAR + 1
        }
        how = "cue" if moment.when in near else "other cue" if near else "no cue"
        found[f"moment {moment.when}, {how}"] = 1.0
    elif moment is not None and moment.fact is not None:
        cued = any(cue.span.end <= moment.span.start + 1 for cue in reading.cue(moment.when))
        shared = moment.when == "in" and bool(reading.cue("shared", "company"))
        found[f"fact {moment.when}, cue {cued or ('shared' if shared else False)}"] = 1.0
        _, step, other = moment.fact
        same = step.relation == form.path[-1].relation and other == form.topic.node
        found["fact same"] = float(same)
        found[f"fact and pick {form.pick}"] = 1.0
    elif years and form.asked == "nodes":
        found["year unused"] = 1.0
    for kind in ("first", "last"):
        said = bool(reading.cue(kind)) and index.temporal
        if said or form.pick == kind:
            found[f"{kind} {'picked' if form.pick == kind else 'not picked'}, cue {said}"] = 1.0
    for kind in ("before", "after"):
        unmet = moment is None or moment.when != kind
        if index.temporal and reading.cue(kind) and unmet and form.asked == "nodes":
            found[f"{kind} unused"] = 1.0
    return found


def _answers(
    form: Form,
    asks: str,
    index: FactIndex,
    hearing: Hearing,
    outcome: Outcome,
    topic: Topic,
    topics: Sequence[Topic],
    reading: Reading,
    told: Attachment,
) -> Features:
    found: Features = {}
    if form.asked == "count":
        found["count for count"] = 1.0
        found["count of numbers"] = float(
            form.path[-1].relation in index.measured and not form.path[-1].back
        )
        return found
    if asks == "count":
        found["no count for count"] = 1.0
    if form.asked != "nodes":
        return found
    names = [index.names[n] for n in outcome.nodes[:20]]
    if not names:
        found["empty"] = 1.0
        return found
    codes = sum(bool(CODE.fullmatch(name)) for name in names) / len(names)
    numbers = sum(bool(_NUMBER.fullmatch(name)) for name in names) / len(names)
    found["codes"] = codes
    noun = _asked_noun(reading)
    sort = " sort" if asks == "what" and noun is not None else ""
    found[f"numbers for {asks}{sort}"] = numbers
    found["many"] = math.log(len(outcome.nodes))
    found["topic among"] = float(topic.node in outcome.nodes[:200])
    given = {one.node for one in topics if one.exact and one.node != topic.node}
    found["echo"] = float(bool(given.intersection(outcome.nodes[:20].tolist())))
    last = form.path[-1]
    if noun is not None:
        said_noun = _share_named(reading.tokens[noun].stem, names)
        found["named as asked"] = said_noun
    if (by := _doing(last)) and asks in ("who", "what"):
        found[f"{asks}, {by}"] = 1.0
    if told.asked and asks in KINDS:
        before = len(form.path) > 1 and hearing.fits(KINDS[asks], form.path[-2]) >= FITS
        found[f"asked only, {'again' if before else 'new'}"] = 1.0
    for kind, said in KINDS.items():
        fit = hearing.fits(said, last)
        if asks == kind:
            found[f"{kind} fits"] = fit
        else:
            found[f"{kind} fits another"] = fit
    return found


def left_places(told: Attachment, form: Form, reading: Reading) -> tuple[int, ...]:
    """Places of words that tell something and that a form does not use.

    A noun that only says what kind of thing is asked for, or what the topic is, tells nothing more:
    it stands behind the asking word, or beside the name.
    """
    used = used_places(form, reading)
    tokens = reading.tokens
    beside = {form.topic.span.start - 1, form.topic.span.end}
    kept = []
    for place in told.left:
        before = tokens[place - 1].text if place else ""
        slight = place in beside or in_class(before, "question", "request")
        proper = tokens[place].capital and place > 0
        if place not in used and (proper or not slight):
            kept.append(place)
    return tuple(kept)


def _unsaid_of_many(form: Form, told: Attachment, hearing: Hearing) -> float:
    """How many hops of a longer path no word says, but those from or to a node without a name."""
    if len(form.path) == 1 or len(told.said) != len(form.path):
        return 0.0
    blank = [hearing.words.is_blank(step) for step in form.path]
    free = [blank[i] or (i > 0 and blank[i - 1]) for i in range(len(blank))]
    return float(sum(s < SAID and not f for s, f in zip(told.said, free, strict=True)))


def _doing(step: Step) -> str:
    """Whether a hop leads to who did something, or from there to what was done, as far as told."""
    if "by" not in name_parts(step.relation)[0][1:]:
        return ""
    return "done" if step.back else "doer"


def _share_named(noun: str, names: Sequence[str]) -> float:
    """The share of some names that hold a noun, as in ``Harbour Building``."""
    return sum(noun in map(stem, fold_name(name).split()) for name in names) / len(names)


def _asked_noun(reading: Reading) -> int | None:
    """The place of the noun that stands behind the asking word."""
    for place, token in enumerate(reading.tokens[1:], 1):
        if reading.tokens[place - 1].text in ("what", "which") and token.weight == 1:
            return place
    return None
