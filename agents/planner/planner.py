"""The embedded planner as a thinker: the next step of its best plan, or back and the next best."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain

from wideleaf.agents.conversation.charts import read_drawing
from wideleaf.agents.conversation.remarks import read_past_chat
from wideleaf.agents.conversation.shorthand import write_out
from wideleaf.agents.planner.drawings import list_rows
from wideleaf.agents.planner.followups.choice import read_message, read_supposing
from wideleaf.agents.planner.followups.suppositions import suppose
from wideleaf.agents.planner.links.lexicon import read_words
from wideleaf.agents.planner.links.meanings import Embed, Meanings
from wideleaf.agents.planner.links.name_words import spell_fused
from wideleaf.agents.planner.links.table_index import index_table
from wideleaf.agents.planner.overviews import read_overview
from wideleaf.agents.planner.proposals import Proposals, propose
from wideleaf.agents.planner.replies import (
    Memory,
    give_up,
    goes_on,
    newest,
    next_step,
    reply,
    settle,
    take_plan,
)
from wideleaf.agents.planner.scopes.derivation import PlanProposal
from wideleaf.agents.planner.sentences import (
    Antecedents,
    ask_which,
    find_antecedents,
    read_in_parts,
)
from wideleaf.agents.planner.single_analyses import read_analysis
from wideleaf.agents.planner.suggestions import suggest_questions
from wideleaf.agents.requests import named_values
from wideleaf.agents.sampling import current_sample
from wideleaf.agents.turn import Reply, View
from wideleaf.retrieval.evidence.rewording import Rewording
from wideleaf.retrieval.selection import FEW_COLUMNS
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.number_words import scaled_numbers
from wideleaf.tools.plain_data import texts_in
from wideleaf.tools.sources.source import Link
from wideleaf.tools.steps.semantics import Profile
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import Node

Rewords = Callable[[str, Mapping[str, Table]], Rewording | None]
UNSURE = 0.5
"""Below this confidence a question about a wide table is tried in the table's own words."""
GROUPING = ("Group", "Pivot", "Resample")
SINGLE = ("Aggregate", "Correlate")
SURE_OF_MEASURES = 0.4
"""A plan that measures is kept for a chart where it is as sure."""
REWORDED = 0.85
"""So much of its sureness has a reading of the question in the words of columns."""


class EmbeddedPlanner:
    """Thinks without a model: no key, no network, the same plan every time.

    Args:
        tables: Gives the frame of a node's id.
        links: Foreign keys that are declared between the tables, by their names.
        least: Below this confidence it says what is missing instead of guessing.
        profile: What actions mean.
        reword: Writes a question in the words of the tables' columns, where it has others; asked
            where the planner is not sure, for that takes an embedder.
        paths: Reads a question as plans over graphs of facts.
        embed: Gives texts their vectors; asked where words of a question are left over.
    """

    def __init__(
        self,
        tables: Callable[[str], Table],
        links: Sequence[Link] = (),
        least: float = 0.0,
        profile: Profile = "standard",
        reword: Rewords | None = None,
        paths: Callable[[str, Mapping[str, Table]], Proposals] | None = None,
        embed: Embed | None = None,
    ) -> None:
        self.profile = profile
        self.reword = reword
        self.paths = paths
        self.meanings = Meanings(embed) if embed else None
        self.tables = tables
        self.links = links
        self.least = least
        self._last: tuple[object, Proposals] | None = None

    def think(self, view: View) -> Reply:
        """Give the next step of the best plan that has not failed."""
        memory = self._remember(view)
        best = memory.plans[0] if memory.plans else None
        if best is None or (best.confidence < self.least and not best.empty):
            return self._give_up(view, memory)
        node = newest(view.tree, memory)
        over = node is not None and (node.outcome != "ok" or node.rows == 0)
        if node is not None and over and not goes_on(memory, node):
            return self._next_best(view, memory, node)
        if node is not None:
            labels = (*memory.labels, node.label)
            memory = memory.model_copy(update={"labels": labels, "seen": None})
        elif memory.seen is not None:
            return self._next_best(view, memory, None)
        if memory.plan >= len(memory.plans):
            return self._give_up(view, memory)
        if len(memory.labels) < len(memory.plans[memory.plan].steps):
            return next_step(view, memory)
        later = memory.model_copy(update={"done": {**memory.done, memory.plan: memory.labels[-1]}})
        return settle(view, later)

    def _remember(self, view: View) -> Memory:
        if view.memory:
            return Memory.model_validate(view.memory)
        reading, sample = self._proposals(view), current_sample()
        plans = reading.plans
        if sample is not None:  # each has a plan of its own, the first the best
            plans = plans[sample.number - 1 : sample.number]
        return Memory(
            plans=plans,
            understood=reading.understood,
            missing=reading.missing,
            nearest=reading.nearest,
            there=len(reading.plans),
        )

    def _proposals(self, view: View) -> Proposals:
        """What there is to a question; the samples of a vote ask for the same."""
        key = (view.question, tuple(leaf.id for leaf in view.tree.leaves), view.past)
        if self._last is not None and self._last[0] == key:
            return self._last[1]
        leaves = {leaf.label: self.tables(leaf.id) for leaf in view.tree.leaves}

        graphs = {label: table for label, table in leaves.items() if table.relations}
        if graphs and view.past:  # the facts' own packages take their time to load
            from wideleaf.agents.planner.paths.sequels import go_on_along

        def alone(text: str) -> Proposals:
            return self._alone(text, leaves)

        supposed = None if graphs else suppose(view, self.tables, self.profile)

        def read(text: str) -> Proposals:
            if not view.past:
                return alone(text)
            text, fused = spell_fused(text, chain.from_iterable(t.columns for t in leaves.values()))
            return _taking(go_on(text), fused)

        def go_on(text: str) -> Proposals:
            if graphs and (reading := go_on_along(text, view, graphs, self.tables, alone)):
                return reading
            if supposed is not None:
                return read_supposing(supposed.saying(text), leaves, alone, self.profile)
            turn = view.model_copy(update={"question": text})
            return read_message(turn, leaves, self.tables, alone, self.profile)

        def read_scaled(text: str) -> Proposals:
            """Over 2 million is a number, where no cell says so."""
            reading, pairs = read(text), scaled_numbers(text)
            indexes = [index_table(table) for table in leaves.values()] if pairs else []
            pairs = [one for one in pairs if not any(i.in_cells(one[0]) for i in indexes)]
            for old, new in pairs:
                text = text.replace(old, new, 1)
            other = _taking(read(text), pairs) if pairs else reading
            return other if _sureness(other) > _sureness(reading) else reading

        def find(text: str) -> Antecedents:
            return find_antecedents(text, [index_table(table) for table in leaves.values()])

        def is_of_tables(word: str) -> bool:
            plain = (table for table in leaves.values() if not table.relations)
            return any(index_table(table).says(word) for table in plain)

        question = ask_which(read_past_chat(write_out(view.question, is_of_tables)))
        if view.drawn:  # the chart is drawn of the answer, whatever its form
            question = read_drawing(question) or question
        if names := named_values(question):  # one of them answered would pass for all
            reading = Proposals(missing=f"the values called {', '.join(map(repr, names))}")
        else:
            reading = read_in_parts(question, read_scaled, find)
        if view.drawn and (rows := list_rows(question, leaves)):
            reading = _with_rows(reading, rows)
        self._last = (key, reading)
        return reading

    def suggest(self, tables: Mapping[str, Table], near: Sequence[str] = ()) -> tuple[str, ...]:
        """Questions over some tables that it answers.

        Args:
            tables: By their labels.
            near: Columns to ask of before others.
        """
        # Of what is surely read no word is compared by its meaning, which takes an embedder.
        plain = EmbeddedPlanner(self.tables, self.links, profile=self.profile)
        return suggest_questions(tables, lambda text: plain._alone(text, tables), near)

    def _give_up(self, view: View, memory: Memory, why: str = "") -> Reply:
        leaves = {leaf.label: self.tables(leaf.id) for leaf in view.tree.leaves}
        return give_up(memory, leaves, partial(self.suggest, leaves), view.talks, why)

    def _alone(self, question: str, leaves: Mapping[str, Table]) -> Proposals:
        """What there is to a question by itself."""
        graphs = {label: table for label, table in leaves.items() if table.relations}
        tables = {label: table for label, table in leaves.items() if label not in graphs}
        readings = [self._of_tables(question, tables)] if tables else []
        if graphs and self.paths is not None:
            readings.append(self.paths(question, graphs))
        return max(readings, key=_sureness, default=Proposals())

    def _of_tables(self, question: str, tables: dict[str, Table]) -> Proposals:
        if (overview := read_overview(question, tables)) is not None:
            return Proposals(plans=(overview,), understood=overview.reading)
        if (analysis := read_analysis(question, tables)) is not None:
            return Proposals(plans=(analysis,), understood=analysis.reading)
        headers = chain.from_iterable(table.columns for table in tables.values())
        question, fused = spell_fused(question, headers)
        reading = _taking(self._propose(question, tables), fused)
        sure = max(_sureness(reading), 0.0)
        wide = any(len(table.columns) > FEW_COLUMNS for table in tables.values())
        if self.reword is not None and wide and sure < UNSURE:
            reading = self._try_rewording(question, tables, reading, sure)
        return reading

    def _propose(self, question: str, tables: dict[str, Table]) -> Proposals:
        return propose(question, tables, self.links, profile=self.profile, meanings=self.meanings)

    def _try_rewording(
        self, question: str, tables: dict[str, Table], reading: Proposals, sure: float
    ) -> Proposals:
        """The plans of the question in the tables' own words, where those are surer."""
        assert self.reword is not None
        other = self.reword(question, tables)
        if other is None or any(_is_code(old, tables) for old, _ in other.said):
            return reading
        again = self._propose(other.text, tables)
        unused = again.plans[0].unused if again.plans else ()
        over = {word for phrase in unused for word in phrase.split()}
        if over and (shorter := other.without(over)) is not None:
            other, again = shorter, self._propose(shorter.text, tables)
        plans = [p.model_copy(update={"confidence": round(REWORDED * p.confidence, 3)})
                 for p in again.plans]  # fmt: skip
        again = again.model_copy(update={"plans": tuple(plans)})
        if not plans or plans[0].confidence <= sure:
            return reading
        if not _uses(again.plans[0], other.said):
            return reading  # words that were only taken out of the way
        return _taking(again, other.said)

    def _next_best(self, view: View, memory: Memory, node: Node | None) -> Reply:
        """Leave a branch that failed, or that gave nothing, for the next plan."""
        if memory.done:  # what failed was a rival
            place = min(memory.done)
            best = memory.plans[place]
            note = f"Read as: {best.reading}."
            finish = Call(name="Finish", arguments={"table": memory.done[place], "note": note})
            return reply(memory, "The other reading gives nothing.", finish, best)
        reason = "this step made no frame"
        if node is not None:
            reason = node.error or "no row is left here"
        empty = memory.empty or (node.label if node and node.outcome == "ok" else "")
        later = memory.model_copy(update={"empty": empty})
        place = memory.plan + 1
        over = place >= len(memory.plans) or memory.plans[memory.plan].empty
        if over or memory.plans[place].confidence < self.least:
            return self._give_up(view, later, reason if node is not None and node.error else "")
        return take_plan(view, later, place, reason)


def _with_rows(reading: Proposals, rows: PlanProposal) -> Proposals:
    """The plans of what is to be drawn, with one that lists cells as they stand.

    It comes first where the best of the others measures nothing, or is hardly sure.
    """
    best = reading.plans[0] if reading.plans else None
    if best is None or best.empty:
        return reading.model_copy(update={"plans": (rows,)})
    names = [step.name for step in best.steps]
    drawable = any(name in GROUPING for name in names)
    if not drawable and names[-1] == "Select" and not {*names} & {*SINGLE}:
        # The same columns, and beside them what says what each row is of.
        columns, own = (texts_in([p.steps[-1].arguments], keys=False) for p in (rows, best))
        if {*own} <= {*columns}:
            sure = max(best.confidence, rows.confidence)
            rows = rows.model_copy(update={"confidence": sure})
            return reading.model_copy(update={"plans": (rows,)})
    least = SURE_OF_MEASURES if drawable else rows.confidence
    single = not drawable and {*names} & {*SINGLE}  # of one value nothing can be drawn
    if not single and best.confidence >= least:
        return reading
    return reading.model_copy(update={"plans": (rows, *reading.plans)})


def _uses(plan: PlanProposal, pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether words that stand in place of a question's name columns that a plan speaks of."""
    texts = texts_in([step.arguments for step in plan.steps], keys=False)
    there = {word for text in texts for word in header_words(text)}
    return not any(there.isdisjoint(header_words(new)) for _, new in pairs)


def _is_code(words: str, tables: Mapping[str, Table]) -> bool:
    """Whether one of some words says what a code of a table stands for: california, of CA."""
    codes = [index_table(table).coded for table in tables.values()]
    return any((word.stem,) in one for one in codes for word in read_words(words))


def _taking(reading: Proposals, pairs: Sequence[tuple[str, str]]) -> Proposals:
    """Plans of a question in other words than the person's, and which were taken for which."""
    if not pairs:
        return reading
    wording = ", ".join(f"{old!r} as {new!r}" for old, new in pairs)
    plans = tuple(
        plan.model_copy(update={"reading": f"{plan.reading}, taking {wording}"})
        for plan in reading.plans
    )
    return reading.model_copy(update={"plans": plans})


def _sureness(reading: Proposals) -> float:
    return reading.plans[0].confidence if reading.plans else -1.0
