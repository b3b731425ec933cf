"""Follow-ups proposed: an earlier plan changed, or its rows asked of, ranked and made sure of."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from wideleaf.agents.planner.candidates import denotation, narrow_trial
from wideleaf.agents.planner.coverage.idle_cues import TELLING as TELLING_CUES
from wideleaf.agents.planner.coverage.remarks import (
    Leftovers,
    find_leftovers,
    find_unmatched,
    remarks_of,
)
from wideleaf.agents.planner.followups.changes import changes
from wideleaf.agents.planner.followups.earlier import (
    Calls,
    Change,
    Earlier,
    measures_of,
    read_earlier,
    summary_place,
)
from wideleaf.agents.planner.followups.group_changes import same_groups
from wideleaf.agents.planner.followups.plans import Continuation, continue_plan
from wideleaf.agents.planner.followups.reading import Message
from wideleaf.agents.planner.followups.removals import take_back
from wideleaf.agents.planner.followups.rows import propose_on_rows
from wideleaf.agents.planner.followups.stages import as_before, left_values, stages
from wideleaf.agents.planner.links.lexicon import Cue
from wideleaf.agents.planner.links.limits import find_limits
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.table_index import TableIndex, index_table
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.agents.planner.proposals import PARTLY, Proposals
from wideleaf.agents.planner.scopes.database import Database, database_of
from wideleaf.agents.planner.scopes.derivation import JoinScope, PlanProposal
from wideleaf.agents.turn import Exchange
from wideleaf.tools.steps.semantics import Profile
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.tree import FrameTree

TRIED, GIVEN = 10, 6
FURTHER = 0.2
"""What each further word of a phrase that is left over weighs beside its first."""
BACK = 3
"""So many answers are looked back on for one with rows that can be put in order."""
SURE = 0.85
"""How sure a message that goes on is read at best."""
UNSAID = 0.75
"""What is left of that where no word says that it goes on."""
POINTED = 0.9
"""What is left of it where it speaks of the answer's rows and the plan is changed."""
LEFT, SLIGHT, RULE, IGNORED, UNCOUNTED = 1.5, 0.25, 0.3, 1.0, 2.0
MIN_LINK = 0.6
NOTHING = "there is no earlier answer to go on from"
HELD = "there is no such thing to take back in {!r}"


class Scored(NamedTuple):
    """A changed plan with what speaks for it."""

    made: Continuation
    left: Leftovers
    score: float
    likely: float
    rows: list[dict[str, Any]] | None = None
    unseen: bool = False


def go_on(
    message: Message,
    past: Sequence[Exchange],
    tree: FrameTree,
    tables: Callable[[str], Table],
    profile: Profile = "standard",
    without: str = "",
) -> Proposals:
    """Read a message as going on from the last answer of a conversation; no model.

    Args:
        message: The person's words.
        past: What was said before, oldest first.
        tree: The conversation's tree.
        tables: Gives the frame of a node's id.
        profile: What actions mean.
        without: What of the last answer's plan the person takes back; `HELD` is said where it
            holds no such thing.
    """
    answers = [one for one in reversed(past) if one.label in tree.by_label][:BACK]
    plans = [read_earlier(tree, one.label, one.said) for one in answers]
    if not plans or plans[0] is None:
        return Proposals(understood=NOTHING)
    earlier = plans[0]
    if message.orders and _single(earlier):
        # And the 5 at the bottom: of the last answer that has several rows.
        earlier = next((one for one in plans if one and not _single(one)), earlier)
    return _go_on_from(message, earlier, tree, tables, profile, without)


def _single(earlier: Earlier) -> bool:
    """Whether an answer is one number, so that it has no rows to be put in order."""
    names = [call.name for call in earlier.calls[summary_place(earlier.calls) :]]
    return "Aggregate" in names


def _go_on_from(
    message: Message,
    earlier: Earlier,
    tree: FrameTree,
    tables: Callable[[str], Table],
    profile: Profile,
    without: str,
) -> Proposals:
    database = _database(earlier, tree, tables, profile)
    index = _index(earlier, tables)
    start = take_back(without, earlier.calls, index) if without else earlier.calls
    if start is None:
        return Proposals(understood=HELD.format(earlier.said), missing=repr(without))
    variants = _change_plan(message, earlier, database, index, start)
    asks_rows = message.points and not without
    rows = propose_on_rows(message, earlier, tree, tables, profile) if asks_rows else ()
    if variants and not message.question.cue("count"):
        # Give it to me year by year: it is what was measured before, not the number of its rows.
        rows = tuple(plan for plan in rows if not _counts(plan))
    if rows and message.counts_back:
        variants = [p for p in variants if not _chooses_anew(p, earlier)]
    weight = POINTED if rows else 1.0
    plans = [
        *rows,
        *(p.model_copy(update={"confidence": round(weight * p.confidence, 3)}) for p in variants),
    ]
    plans.sort(key=lambda plan: -plan.confidence)
    missing = ", ".join(map(repr, plans[0].unused)) if plans else ""
    if without:  # what is asked beside that must be understood, or nothing is
        plans = [plan for plan in plans if not plan.unused]
        missing = missing or repr(message.question.text)
    understood = f"it was read as going on from {earlier.said!r}"
    return Proposals(plans=tuple(plans[:GIVEN]), understood=understood, missing=missing)


def _counts(plan: PlanProposal) -> bool:
    """Whether a plan counts the rows of groups."""
    groups = (step.arguments.get("measures") for step in plan.steps if step.name == "Group")
    measures = (one for some in groups if isinstance(some, list) for one in some)
    return any(isinstance(one, dict) and one.get("function") == "count" for one in measures)


def _chooses_anew(plan: PlanProposal, earlier: Earlier) -> bool:
    """Whether a plan cuts its rows otherwise than the earlier one, whose rows are meant."""
    old = [call.arguments.get("by") for call in earlier.calls if call.arguments.get("limit")]
    new = [step.arguments.get("by") for step in plan.steps if step.arguments.get("limit")]
    return bool(new) and new != old


def _index(earlier: Earlier, tables: Callable[[str], Table]) -> TableIndex:
    """What is known of the rows that the earlier plan chose from: its table, or its joins."""
    joins = [node for node in earlier.nodes if node.action.name == "Join"]
    node = joins[-1] if joins else earlier.leaf
    return index_table(tables(node.id))


def _database(
    earlier: Earlier, tree: FrameTree, tables: Callable[[str], Table], profile: Profile
) -> Database:
    labels = dict.fromkeys((earlier.leaf.label, *earlier.others))
    return database_of({label: tables(tree[label].id) for label in labels}, (), profile)


def _change_plan(
    message: Message, earlier: Earlier, database: Database, index: TableIndex, start: Calls
) -> list[PlanProposal]:
    """The earlier plan changed, the likeliest first, run on the side.

    Args:
        message: The person's words.
        earlier: The plan.
        database: The tables that it is run on.
        index: What is known of its rows' columns.
        start: The plan without what was taken back of it.
    """
    options: dict[str, Scored] = {}
    common = (*_find_fillers(message), *as_before(message, earlier), *left_values(message, earlier))
    common = (*common, *_counts_of(message, earlier))
    for scope, calls, uses in stages(message, earlier, index, start):
        if start != earlier.calls:
            same = same_groups(scope, message, calls)
            change = Change(calls, (*uses, *common, *same), ("taken back",))
            scored = _score(scope, message, earlier, change)
            if not scored.left.telling:
                options.setdefault(str(scored.made.derivation.steps), scored)
        for change in changes(scope, message, calls):
            same = same_groups(scope, message, change.calls)
            change = change._replace(uses=(*uses, *change.uses, *common, *same))
            scored = _score(scope, message, earlier, change)
            key = str(scored.made.derivation.steps)
            if key not in options or options[key].score < scored.score:
                options[key] = scored
        if uses:
            change = Change(calls, (*uses, *common), ("column of a family",))
            scored = _score(scope, message, earlier, change)
            options.setdefault(str(scored.made.derivation.steps), scored)
    best = sorted(options.values(), key=lambda one: -one.score)[:TRIED]
    trial = narrow_trial(database, [_whole(one) for one in best])
    ran = [one._replace(rows=trial.rows(one.made.derivation.steps)) for one in best]
    ran = [one._replace(unseen=trial.unseen(_whole(one).steps, one.rows)) for one in ran]
    # The mean of no value at all is hardly what a person goes on to.
    valid = [one for one in ran if one.rows is not None and (one.unseen or not _is_void(one.rows))]
    return _sure(message, valid, database)


def _is_void(rows: Sequence[dict[str, Any]]) -> bool:
    return bool(rows) and all(cell is None for row in rows for cell in row.values())


def _whole(one: Scored) -> PlanProposal:
    return one.made.plan.model_copy(update={"steps": one.made.derivation.steps})


def _find_fillers(message: Message) -> tuple[Any, ...]:
    """Words that only say that the message goes on."""
    return (*message.cue("go", "open", "swap", "filler"), *message.cue("points", "rows"))


def _counts_of(message: Message, earlier: Earlier) -> list[Mention]:
    """Numbers that only say how many rows the answer had: the average of those 6."""
    rows = earlier.nodes[-1].rows if earlier.nodes else None
    limits = [limit for limit in find_limits(message.question) if limit.points]
    return [
        Mention("", one.place, one.place + 1, 1.0, frozenset([one.place]))
        for one in limits
        if rows is None or one.value == rows
    ]


def _score(scope: JoinScope, message: Message, earlier: Earlier, change: Change) -> Scored:
    continuation = continue_plan(scope, earlier, change)
    leftovers = find_leftovers(continuation.derivation, None, alone=False)
    sure = sum(use.score for use in change.uses if isinstance(use, Mention | ValueLink))
    over = sum(1 + FURTHER * one.count(" ") for one in leftovers.telling)
    score = sure - LEFT * over - SLIGHT * len(leftovers.slight)
    score -= IGNORED * len(_find_unused_cues(scope, message, change))
    score -= UNCOUNTED * _counts_nothing(scope, change)
    score += math.log(change.likely) - RULE * len(change.rules) - scope.conditions.dropped
    return Scored(continuation, leftovers, score, change.likely)


def _counts_nothing(scope: JoinScope, change: Change) -> bool:
    """Whether the message asks how many and the plan neither counts nor sums."""
    cover = {place for use in change.uses for place in use.places}
    counts = [c for c in scope.cues("count") if not c.places & cover]
    functions = {str(one["function"]) for one in measures_of(change.calls)}
    return bool(counts) and not functions & {"count", "count distinct", "sum"}


def _find_unused_cues(scope: JoinScope, message: Message, change: Change) -> list[Cue]:
    """Cues of which nothing was made."""
    cover = {place for use in change.uses for place in use.places}
    heard = [*scope.cues(*TELLING_CUES, "by"), *message.cue("by"), *message.cue("split")]
    heard += [c for c in scope.cues("wh") if c.value in ("when", "where", "much")]
    for kind in ("shift", "flip", "count", "all", "total", "which", "way"):
        heard += message.cue(kind)
    return [cue for cue in dict.fromkeys(heard) if not cue.places & cover]


def _sure(message: Message, ran: Sequence[Scored], database: Database) -> list[PlanProposal]:
    """The plans with how sure each is; those with one answer add up."""
    if not ran:
        return []
    mass = [math.exp(2 * (one.score - ran[0].score)) for one in ran]
    # That no row fits is no answer in which readings agree.
    answers = [str(n) if o.unseen or not o.rows else denotation(o.rows) for n, o in enumerate(ran)]
    plans, past = [], set()
    for one, answer in zip(ran, answers, strict=True):
        share = sum(m for m, a in zip(mass, answers, strict=True) if a == answer) / sum(mass)
        sure = SURE * share * _strength(one)
        sure *= 1.0 if message.says or message.fragment else UNSAID
        d, leftovers = one.made.derivation, one.left
        trial = partial(narrow_trial, database, [_whole(one)], samples=False)
        unmatched = find_unmatched(d, None if one.unseen and d.scope.first else one.rows, trial)
        plans.append(
            one.made.plan.model_copy(
                update={
                    "score": round(one.score, 4),
                    "confidence": round(min(sure, PARTLY) if leftovers.telling else sure, 3),
                    "same": answer in past,
                    "empty": one.rows == [] and not (one.unseen and not unmatched),
                    "remarks": (*remarks_of(d, leftovers, database), *unmatched),
                    "unused": leftovers.telling,
                }
            )
        )
        past.add(answer)
    return plans


def _strength(one: Scored) -> float:
    """How well the weakest of the words that a plan goes by are linked."""
    uses = [u for u in one.made.derivation.uses if isinstance(u, Mention | ValueLink)]
    least = min((u.score for u in uses), default=1.0)
    return min(1.0, 0.5 + 0.5 * least / MIN_LINK) * one.likely
