"""Follow-ups proposed: an earlier plan changed, or its rows asked of, ranked and made sure of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from wideleaf.agents.planner.candidates import denotation, narrow_trial
from wideleaf.agents.planner.coverage.coverage import TELLING as TELLING_CUES
from wideleaf.agents.planner.coverage.leftovers import Leftovers, find_leftovers
from wideleaf.agents.planner.coverage.remarks import remarks_of
from wideleaf.agents.planner.followups.change import Change
from wideleaf.agents.planner.followups.changes import changes
from wideleaf.agents.planner.followups.earlier import Calls, Earlier, measures_of, read_earlier
from wideleaf.agents.planner.followups.group_changes import same_groups
from wideleaf.agents.planner.followups.left_values import left_values
from wideleaf.agents.planner.followups.measure_edits import swap_columns
from wideleaf.agents.planner.followups.plans import Continuation, continue_plan
from wideleaf.agents.planner.followups.reading import Message
from wideleaf.agents.planner.followups.removals import take_back
from wideleaf.agents.planner.followups.row_changes import condition_columns
from wideleaf.agents.planner.followups.rows import propose_on_rows
from wideleaf.agents.planner.followups.siblings import in_other_family, siblings
from wideleaf.agents.planner.links.lexicon import Cue, Question
from wideleaf.agents.planner.links.limits import limit_places
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.names import name_parts
from wideleaf.agents.planner.links.number_values import comparison
from wideleaf.agents.planner.links.table_index import TableIndex, index_table
from wideleaf.agents.planner.links.values import ValueLink, plain_number
from wideleaf.agents.planner.proposals import PARTLY, Proposals
from wideleaf.agents.planner.scenes.conditions import Conditions, condition_sets
from wideleaf.agents.planner.scenes.database import Database, database_of
from wideleaf.agents.planner.scenes.derivation import PlanProposal, Scene
from wideleaf.agents.planner.scenes.scenes import scene_of
from wideleaf.agents.turn import Exchange
from wideleaf.tools.plain_data import texts_in
from wideleaf.tools.steps.semantics import Profile
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.tree import FrameTree

SETS, TRIED, GIVEN = 6, 10, 6
CARRIED = 0.5
"""How sure a number without a column is of the column that the earlier plan compared."""
AGAIN = 0.25
"""What a condition gains on a column that the earlier plan compared."""
SURE = 0.85
"""How sure a message that goes on is read at best."""
UNSAID = 0.75
"""What is left of that where no word says that it goes on."""
POINTED = 0.9
"""What is left of it where it speaks of the answer's rows and the plan is changed."""
LEFT, SLIGHT, RULE, IGNORED = 1.5, 0.25, 0.3, 1.0
LEAST_LINK = 0.6
NOTHING = "there is no earlier answer to go on from"
HELD = "there is no such thing to take back in {!r}"


class Scored(NamedTuple):
    """A changed plan with what speaks for it."""

    made: Continuation
    left: Leftovers
    score: float
    likely: float
    rows: list[dict[str, Any]] | None = None


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
    before = next((one for one in reversed(past) if one.label in tree.by_label), None)
    earlier = read_earlier(tree, before.label, before.said) if before else None
    if earlier is None:
        return Proposals(understood=NOTHING)
    database = _database(earlier, tree, tables, profile)
    index = _index(earlier, tables)
    start = take_back(without, earlier.calls, index) if without else earlier.calls
    if start is None:
        return Proposals(understood=HELD.format(earlier.said), missing=repr(without))
    changed = _changed(message, earlier, database, index, start)
    asks_rows = message.points and not without
    rows = propose_on_rows(message, earlier, tree, tables, profile) if asks_rows else ()
    if rows and message.counts_back:
        changed = [p for p in changed if not _chooses_anew(p, earlier)]
    weight = POINTED if rows else 1.0
    plans = [
        *rows,
        *(p.model_copy(update={"confidence": round(weight * p.confidence, 3)}) for p in changed),
    ]
    plans.sort(key=lambda plan: -plan.confidence)
    missing = ", ".join(map(repr, plans[0].unused)) if plans else ""
    if without:  # what is asked beside that must be understood, or nothing is
        plans = [plan for plan in plans if not plan.unused]
        missing = missing or repr(message.question.text)
    understood = f"it was read as going on from {earlier.said!r}"
    return Proposals(plans=tuple(plans[:GIVEN]), understood=understood, missing=missing)


def _chooses_anew(plan: PlanProposal, earlier: Earlier) -> bool:
    """Whether a plan cuts its rows by another measure than the one whose rows are meant."""
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


def _changed(
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
    found: dict[str, Scored] = {}
    said = (*_said(message), *_as_before(message, earlier), *left_values(message, earlier))
    for scene, calls, uses in _scenes(message, earlier, index, start):
        if start != earlier.calls:
            same = same_groups(scene, message, calls)
            change = Change(calls, (*uses, *said, *same), ("taken back",))
            scored = _score(scene, message, earlier, change)
            if not scored.left.telling:
                found.setdefault(str(scored.made.derivation.steps), scored)
        for change in changes(scene, message, calls):
            same = same_groups(scene, message, change.calls)
            change = change._replace(uses=(*uses, *change.uses, *said, *same))
            scored = _score(scene, message, earlier, change)
            key = str(scored.made.derivation.steps)
            if key not in found or found[key].score < scored.score:
                found[key] = scored
        if uses:
            change = Change(calls, (*uses, *said), ("column of a family",))
            scored = _score(scene, message, earlier, change)
            found.setdefault(str(scored.made.derivation.steps), scored)
    best = sorted(found.values(), key=lambda one: -one.score)[:TRIED]
    trial = narrow_trial(database, [_whole(one) for one in best])
    ran = [one._replace(rows=trial.rows(one.made.derivation.steps)) for one in best]
    return _sure(message, [one for one in ran if one.rows is not None], database)


def _whole(one: Scored) -> PlanProposal:
    return one.made.plan.model_copy(update={"steps": one.made.derivation.steps})


def _scenes(
    message: Message, earlier: Earlier, index: TableIndex, start: Calls
) -> Iterator[tuple[Scene, Any, tuple[Mention, ...]]]:
    """The earlier plan's table with each set of conditions, and the plan over siblings."""
    stage = scene_of(message.question, index, earlier.leaf.label)
    sets = condition_sets(message.question, index, stage.named)[:SETS]
    sets = [one for some in sets for one in _carried(message.question, index, earlier, some)]
    sets = [one for one in sets if not _strays(one, sets, condition_columns(earlier.calls))]
    for conditions in sets:
        yield replace(stage, conditions=conditions), start, ()
    columns = [c for c in _columns(earlier) if c in index.kinds]
    found = [*siblings(message.question, index, columns)]
    found = found or [*in_other_family(message.question, index, columns)]
    swaps: dict[str, Mention] = {}
    for sibling in found:
        swaps.setdefault(sibling.old, sibling.mention)
    if swaps:
        names = {old: mention.column for old, mention in swaps.items()}
        taken = frozenset().union(*(m.places for m in swaps.values()))
        for conditions in sets:
            if not any(link.places & taken for link in conditions.links):
                calls = swap_columns(start, names)
                yield replace(stage, conditions=conditions), calls, tuple(swaps.values())


def _strays(one: Conditions, sets: Sequence[Conditions], columns: Sequence[str]) -> bool:
    """Whether a value is taken of an unnamed column though the earlier plan compares another.

    In 2014, after an answer of the Year 2015, is of the Year, not of some date.
    """
    own = {k.places for some in sets for k in some.links if k.column in columns and k.op == "=="}
    return any(k.places in own and k.column not in columns and k.named is None for k in one.links)


def _columns(earlier: Earlier) -> list[str]:
    """The columns that an earlier plan speaks of."""
    said = (text for call in earlier.calls for text in texts_in(call.arguments, keys=False))
    return list(dict.fromkeys(said))


def _carried(
    question: Question, index: TableIndex, earlier: Earlier, conditions: Conditions
) -> Iterator[Conditions]:
    """Conditions with a number of no column compared with what the earlier plan compared."""
    columns = condition_columns(earlier.calls)
    links = tuple(
        link._replace(score=link.score + AGAIN) if link.column in columns else link
        for link in conditions.links
    )
    yield conditions._replace(links=links)
    taken = {place for link in links for place in link.places} | limit_places(question)
    for number in question.numbers:
        op, start, end = comparison(question, number)
        measured = [str(one["column"]) for one in measures_of(earlier.calls) if one.get("column")]
        for column in [*columns, *(measured if op != "==" else ())]:
            numeric = index.kinds.get(column) == "number"
            if numeric and number.place not in taken and not number.ordinal:
                value = plain_number(number.value)
                link = ValueLink(start, end, column, op, value, CARRIED)
                yield conditions._replace(links=(*links, link))


def _said(message: Message) -> tuple[Any, ...]:
    """Words that only say that the message goes on."""
    return message.cue("go", "open", "swap", "filler")


def _as_before(message: Message, earlier: Earlier) -> Iterator[Mention]:
    """Words that say that a value stays as it is: that year, where the earlier plan is of one."""
    stems = {p.stem for column in condition_columns(earlier.calls) for p in name_parts(column)}
    words = message.question.words
    for place in range(1, len(words)):
        if words[place - 1].text in ("that", "same", "this") and words[place].stem in stems:
            yield Mention("", place - 1, place + 1, 1.0, frozenset((place - 1, place)))


def _score(scene: Scene, message: Message, earlier: Earlier, change: Change) -> Scored:
    made = continue_plan(scene, earlier, change)
    left = find_leftovers(made.derivation, None)
    sure = sum(use.score for use in change.uses if isinstance(use, Mention | ValueLink))
    score = sure - LEFT * len(left.telling) - SLIGHT * len(left.slight)
    score -= IGNORED * len(_ignored(scene, message, change))
    score += math.log(change.likely) - RULE * len(change.rules) - scene.conditions.dropped
    return Scored(made, left, score, change.likely)


def _ignored(scene: Scene, message: Message, change: Change) -> list[Cue]:
    """Cues of which nothing was made."""
    used = {place for use in change.uses for place in use.places}
    heard = [*scene.cues(*TELLING_CUES, "by"), *message.cue("by"), *message.cue("split")]
    heard += [c for c in scene.cues("wh") if c.value in ("when", "where", "much")]
    for kind in ("shift", "flip", "count", "all", "total", "which", "way"):
        heard += message.cue(kind)
    return [cue for cue in dict.fromkeys(heard) if not cue.places & used]


def _sure(message: Message, ran: Sequence[Scored], database: Database) -> list[PlanProposal]:
    """The plans with how sure each is; those with one answer add up."""
    if not ran:
        return []
    mass = [math.exp(2 * (one.score - ran[0].score)) for one in ran]
    # That no row fits is no answer in which readings agree.
    answers = [denotation(one.rows) if one.rows else str(place) for place, one in enumerate(ran)]
    plans, seen = [], set()
    for one, answer in zip(ran, answers, strict=True):
        share = sum(m for m, a in zip(mass, answers, strict=True) if a == answer) / sum(mass)
        sure = SURE * share * _strength(one)
        sure *= 1.0 if message.says or message.fragment else UNSAID
        d, left = one.made.derivation, one.left
        plans.append(
            one.made.plan.model_copy(
                update={
                    "score": round(one.score, 4),
                    "confidence": round(min(sure, PARTLY) if left.telling else sure, 3),
                    "same": answer in seen,
                    "empty": one.rows == [],
                    "remarks": remarks_of(d, one.rows, left, database),
                    "unused": left.telling,
                }
            )
        )
        seen.add(answer)
    return plans


def _strength(one: Scored) -> float:
    """How well the weakest of the words that a plan goes by are linked."""
    uses = [u for u in one.made.derivation.uses if isinstance(u, Mention | ValueLink)]
    least = min((u.score for u in uses), default=1.0)
    return min(1.0, 0.5 + 0.5 * least / LEAST_LINK) * one.likely
