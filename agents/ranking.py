"""Ranking: what speaks for a reading as a few named numbers, weighed; then a cheap trial run."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from importlib.resources import files

from wideleaf.agents.lexicon import Cue, Question, lexicon
from wideleaf.agents.mentions import Mention
from wideleaf.agents.plans import Planned
from wideleaf.agents.scene import Reading
from wideleaf.agents.values import ValueLink
from wideleaf.tools.action import Call
from wideleaf.tools.errors import ActionError
from wideleaf.tools.step import read_call
from wideleaf.tools.table import Table

COUNTED_CUES = ("extreme", "mean", "sum", "median", "count", "distinct", "each", "missing", "also")
HALF = 0.7
"""A name covered less than this does not explain a phrase in it, such as ``average``."""
TRIAL_ROWS = 1000
FEW = 4
"""A question of how many has at most so many rows as an answer."""
SINGULAR = ("what", "which", "who")


@lru_cache(maxsize=1)
def weights() -> dict[str, float]:
    """The weights, read once."""
    lines = files("wideleaf.agents").joinpath("weights.txt").read_text("utf-8").splitlines()
    pairs = [line.split() for line in lines if line and not line.startswith("#")]
    return {name: float(value) for name, value in pairs}


def weigh(features: Mapping[str, float]) -> float:
    """The log-linear score."""
    return sum(weights()[name] * value for name, value in features.items())


def explained_places(
    question: Question, reading: Reading, but: Collection[Cue | Mention] = ()
) -> set[int]:
    """Places of the question's words that a reading accounts for, some uses left out."""
    told: list[Cue | Mention | ValueLink] = [use for use in reading.uses if use not in but]
    told += reading.conditions.links
    told += [link.named for link in reading.conditions.links if link.named]
    told += question.cue("wh", "decimals", "alphabetic")
    return {place for one in told for place in one.places}


def features(question: Question, reading: Reading) -> dict[str, float]:
    """What speaks for and against a reading before it is run."""
    links = reading.conditions.links
    explained = explained_places(question, reading)
    content = {
        place for place, word in enumerate(question.words) if word.text not in lexicon().stopwords
    }
    cues = [cue for cue in question.cues if cue.kind in COUNTED_CUES]
    part = [use for use in reading.uses if isinstance(use, Mention) and use.score < HALF]
    heard = explained_places(question, reading, part).union(*(use.slot for use in part))
    ignored = [c for c in cues if not heard & c.places]
    used = [c for c in cues if c in reading.uses]
    named = [use.score for use in reading.uses if isinstance(use, Mention)]
    columns = {reading.measure, *reading.targets}
    return {
        "named": sum(named) / len(named) if named else 0.0,
        "circular": float(any(link.column in columns for link in links)),
        "coverage": len(explained & content) / max(len(content), 1),
        "asked": reading.asked,
        "linked": sum(link.score for link in links),
        "dropped": reading.conditions.dropped,
        "explained": float(len(used)),
        "ignored": float(len(ignored)),
        "steps": float(len(reading.uses)),
        "head": float(_headless(question, explained)),
        "beyond": float(_beyond(question, explained)),
        "unsure": sum(link.op == "contains" for link in links),
    }


def _headless(question: Question, explained: set[int]) -> bool:
    """Whether the noun that the question asks for, as in ``which boat``, is left out."""
    numbers = {number.place for number in question.numbers}
    for cue in question.cue("wh"):
        if cue.value == "what":
            place = next((p for p in range(cue.end, len(question.words)) if p not in numbers), None)
            if place is not None and question.content(place, place + 1):
                return place not in explained
    return False


def _beyond(question: Question, explained: set[int]) -> bool:
    """Whether the question wants what no reading gives, such as the names of columns."""
    unheard = [c for c in question.cue("beyond", "difference", "each") if not c.places & explained]
    texts = [word.text for word in question.words]
    for cue in question.cue("column"):
        before = next((p for p in range(cue.start - 1, -1, -1) if texts[p] in SINGULAR), None)
        if before is not None and question.content(before + 1, cue.start) == cue.start - before - 1:
            unheard.append(cue)
    return bool(unheard)


def try_plan(plan: Planned, tables: Mapping[str, Table]) -> Table:
    """Run a plan on the side; nothing enters a tree.

    Raises:
        ActionError: If a step does not fit.
    """
    made: dict[str, Table] = dict(tables)
    result = None
    for place, step in enumerate(plan.steps):
        action = read_call(bare(step))
        inputs = [made[label] for label in labels(step)]
        result = made[f"${place}"] = action.resolve(*inputs).run(*inputs)
    if result is None:
        raise ActionError("a plan without steps", kind="argument")
    return result


def labels(step: Call) -> list[str]:
    """The labels of a step's input frames, in order."""
    return [
        str(step.arguments[name]) for name in ("table", "left", "right") if name in step.arguments
    ]


def bare(step: Call) -> Call:
    """The step without its input labels."""
    kept = {k: v for k, v in step.arguments.items() if k not in ("table", "left", "right")}
    return Call(name=step.name, arguments=kept)


def trial(question: Question, plan: Planned, tables: Mapping[str, Table]) -> dict[str, float]:
    """Features that a run shows: failure, an empty result, many rows where a count is asked."""
    try:
        rows = try_plan(plan, tables).rows(TRIAL_ROWS)
    except ActionError:
        return {"failed": 1.0}
    if not rows:
        return {"empty": 1.0}
    crowded = len(rows) > FEW and bool(question.cue("count"))
    return {"crowded": float(crowded)}
