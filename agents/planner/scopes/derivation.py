"""Derivations: plans that grow step by step from a scope, and a plan as the planner hands it on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple, Self

from pydantic import BaseModel, JsonValue

from wideleaf.agents.planner.links.categories import Category
from wideleaf.agents.planner.links.lexicon import Cue, Question, lexicon
from wideleaf.agents.planner.links.mentions import WHOLE, Mention
from wideleaf.agents.planner.links.name_words import name_parts
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.agents.planner.scopes.conditions import SLOTTED, Conditions
from wideleaf.agents.planner.scopes.formulas import ColumnFormula
from wideleaf.agents.planner.scopes.targets import Target, score_targets
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.units import unit_of
from wideleaf.tools.tree.call import Call

Use = Cue | Mention | ValueLink
Arguments = dict[str, JsonValue]
CALLED = 0.7
"""A column named so well holds an average if its name says so, too."""
ORDERED = ("number", "date", "datetime")


@dataclass(frozen=True)
class JoinScope:
    """One table, or tables joined, with one set of conditions: what a derivation starts from.

    Attributes:
        question: The question.
        index: What is known of the table.
        label: How plans name the table.
        named: Columns that the question may name.
        made: Columns that can be made of others, by the name they get.
        conditions: Which rows are meant.
        first: Steps that make the table, such as joins.
        uses: What those explain.
        spoken: The table in words.
        owned: Of a join: the columns of each table.
    """

    question: Question
    index: TableIndex
    label: str
    named: tuple[Mention, ...]
    made: dict[str, ColumnFormula] = field(default_factory=dict)
    conditions: Conditions = field(default_factory=Conditions)
    first: tuple[Call, ...] = ()
    uses: tuple[Use, ...] = ()
    spoken: str = ""
    owned: tuple[frozenset[str], ...] = ()

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Each column's kind, those that can be made included."""
        extra = {name: "text" if one.category else one.kind for name, one in self.made.items()}
        return {**self.index.kinds, **extra}

    def there(self, column: str) -> bool:
        """Whether the table has a column, or a category or decade can be made of what it has."""
        formula = self.made.get(column)
        return column in self.index.kinds or bool(formula and (formula.category or formula.groups))

    def category(self, column: str) -> Category | None:
        """The category that a column is to be, if it is one."""
        formula = self.made.get(column)
        return formula.category if formula else None

    @cached_property
    def asked(self) -> list[Target]:
        """Columns that the question may ask for, best first."""
        return score_targets(self.question, self.index, self.label, self.named, self.conditions)

    @cached_property
    def free(self) -> list[Mention]:
        """Mentions outside the conditions."""
        links = self.conditions.links
        cover = {place for link in links for place in link.places}
        compared = {k.column for k in links if k.op in ("==", "in") and not k.part}
        return [m for m in self.named if m.column not in compared and not m.places & cover]

    def orders(self, mentions: Iterable[Mention]) -> list[Mention]:
        """Those mentions whose columns have an order; text that reads as numbers is made so."""
        orders = []
        for mention in mentions:
            if mention.score < WHOLE and self.index.is_identifier(mention.column):
                continue
            if self.kinds[mention.column] in ORDERED:
                orders.append(mention)
            elif (number := self.index.as_number(mention.column)) in self.made:
                orders.append(mention._replace(column=number))
        return orders

    def cues(self, *kinds: str) -> list[Cue]:
        """Cues outside the conditions and outside names that hold them whole."""
        return [cue for cue in self._free_cues if cue.among(kinds)]

    @cached_property
    def _free_cues(self) -> list[Cue]:
        links = self.conditions.links
        spans = [link.places for link in links]
        spans += [link.named.places for link in links if link.named]
        spans += [m.slot for m in self.free if m.score >= SLOTTED]
        spans += [
            m.places
            for m in self.free
            if len(m.places) > 1
            and m.score >= WHOLE
            and not m.slot
            and not m.several
            and not self._straddles(m)
        ]
        return [
            cue
            for cue in self.question.cues
            if not any(cue.places <= span for span in spans)
            and not (cue.kind == "mean" and self._names_average(cue))
            and not _of_a_noun(self.question, cue)
            and not (cue.kind == "range" and self._names_column(cue))
        ]

    def _straddles(self, mention: Mention) -> bool:
        """Whether a name's words stand apart around one of another: average *close* price."""
        inner = {*range(mention.start, mention.end)} - mention.places
        return any(
            m.score >= WHOLE and m.places & inner and m.places & mention.places
            and m.column != mention.column for m in self.free
        )  # fmt: skip

    def _names_average(self, cue: Cue) -> bool:
        """Whether a column is called an average itself, as a player's batting average is."""
        return any(
            m.score >= CALLED and cue.places < m.places and len(m.places - cue.places) <= 1
            and any({"average", "mean"} & {part.stem, *part.long} for part in name_parts(m.column))
            and max(m.places - cue.places) == cue.start - 1
            for m in self.free
        )  # fmt: skip

    def _names_column(self, cue: Cue) -> bool:
        """Whether a column is called by the words of a cue, as a car's range is."""
        return any(m.score >= WHOLE / 2 and cue.places & m.places for m in self.free)

    def direction(self, cue: Cue, column: str) -> bool:
        """Whether a superlative or comparative means the top, by what is compared."""
        timely = self.kinds.get(column) in ("date", "datetime") or self.index.yearly(column)
        word = self.question.words[cue.end - 1].text
        turns = word in ("worst", "best") and self._harmful(column)  # the worst noise is loudest
        turns = turns or (word in lexicon().classes["swiftness"] and self.lasts(column))
        return turns != {
            "max": True, "min": False, "old": not timely, "new": timely,
            "late": True, "early": False, ">": True, ">=": True, "<": False, "<=": False,
        }[cue.value]  # fmt: skip

    def lasts(self, column: str) -> bool:
        """Whether a column says how long something took, so that the fastest has the least."""
        timed = unit_of(column) or ("", "")
        return timed[0] == "time" or not {"time", "duration"}.isdisjoint(header_words(column))

    def _harmful(self, column: str) -> bool:
        """Whether a column counts or measures what nobody wants more of."""
        words = {*header_words(column), *header_words(self.index.table.about.get(column, ""))}
        words |= {word for m in self.named if m.column == column for word in self._words(m)}
        return bool({stem(word) for word in words} & _harms())

    def _words(self, mention: Mention) -> list[str]:
        return [self.question.words[place].text for place in mention.places]

    def follows(self, cue: Cue, mention: Mention, most: int = 1) -> bool:
        """Whether a mention stands just after a cue."""
        return mention.start >= cue.end and self.question.content(cue.end, mention.start) <= most


@lru_cache(maxsize=1)
def _harms() -> frozenset[str]:
    return frozenset(map(stem, lexicon().classes["harm"]))


def _of_a_noun(question: Question, cue: Cue) -> bool:
    """Whether ``number of`` belongs to the word before it, as in the serial number of."""
    if cue.kind != "count" or cue.start == 0 or question.words[cue.start].text != "number":
        return False
    before = question.words[cue.start - 1].text
    has_cue = any(c.end == cue.start for c in question.cues)
    return before not in lexicon().stopwords and before not in ("exact", "whole") and not has_cue


class Derivation(NamedTuple):
    """A typed plan under growth; every rule adds steps and says what they explain.

    Attributes:
        scope: What it starts from.
        table: The frame so far: a leaf's label, or ``$0``, ``$1``, ... for a step's.
        steps: The calls so far.
        thoughts: Why, one a step.
        said: The answer in words.
        where: The rows in words.
        uses: What of the question is explained.
        rules: Names of the rules applied, each with the cue it goes by.
        answers: Columns of the answer, once there is one.
        asked: How likely they are what is asked for, 0 to 1.
    """

    scope: JoinScope
    table: str
    steps: tuple[Call, ...] = ()
    thoughts: tuple[str, ...] = ()
    said: str = ""
    where: tuple[str, ...] = ()
    uses: tuple[Use, ...] = ()
    rules: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    asked: float = 0.0

    def then(self, action: str, thought: str, arguments: Arguments) -> Self:
        """Add a step on the frame so far, or on those that the arguments name."""
        inputs = {} if "left" in arguments or "table" in arguments else {"table": self.table}
        call = Call(name=action, arguments={**inputs, **arguments})
        return self._replace(
            table=f"${len(self.steps)}",
            steps=(*self.steps, call),
            thoughts=(*self.thoughts, thought),
        )

    def by(self, rule: str, *uses: Use, said: str = "", where: str = "") -> Self:
        """Say which rule was applied and what it explains."""
        return self._replace(
            rules=(*self.rules, rule),
            uses=(*self.uses, *uses),
            said=said or self.said,
            where=(*self.where, where) if where else self.where,
        )

    def need(self, *columns: str) -> Self:
        """Make those of some columns that are yet to be made."""
        grown = self
        makers = ("Derive", "FromOneHot")
        names = {call.arguments.get("name") for call in self.steps if call.name in makers}
        for column in dict.fromkeys(columns):
            if column in self.scope.made and column not in names:
                formula = self.scope.made[column]
                if formula.category:
                    thought = f"Its {len(formula.category.columns)} indicators are one category."
                    reference: list[JsonValue] = [*formula.category.reference]
                    indicators: Arguments = {"columns": reference, "name": column}
                    grown = grown.then("FromOneHot", thought, indicators)
                    continue
                arguments: Arguments = {"name": column, "expression": formula.expression}
                grown = grown.then("Derive", f"Make {column}.", arguments)
                if formula.cue and formula.cue not in grown.uses:
                    grown = grown._replace(uses=(*grown.uses, formula.cue))
        return grown

    def answer(self, columns: Sequence[str], asked: float = 0.5) -> Self:
        """Say which columns hold the answer."""
        return self._replace(answers=tuple(columns), asked=asked)

    @property
    def ended(self) -> bool:
        """Whether its rows are those at an end: the highest, the first ten."""
        return any(rule.startswith("top") for rule in self.rules)

    @property
    def reading(self) -> str:
        """What was understood, in a sentence."""
        rows = f", where {' and '.join(self.where)}" if self.where else ""
        return f"{self.said} of {self.scope.spoken or self.scope.label}{rows}"


class PlanProposal(BaseModel, frozen=True):
    """A plan the planner believes in.

    Attributes:
        steps: The calls in order. An input (``table``, ``left``, ``right``) is a leaf's label,
            or ``$0``, ``$1``, ... for the frame of an earlier step.
        thoughts: Why, one a step.
        score: How good it looks beside the others; higher is better.
        confidence: How likely its answer is right, 0 to 1, as calibrated.
        reading: What was understood, in a sentence.
        same: Whether it gives the same answer as a better plan.
        empty: Whether no row fits though it explains nearly every word, or a condition on a
            named column asks for a value that the column does not hold.
        remarks: What an answer by this plan begins with: words of the question that it does not
            use, and values that are nowhere.
        unused: Those words.
        dropped: Whether it leaves a condition of the question out.
        tallies: Whether a frame without rows is no end, because its rows are counted or listed.
    """

    steps: tuple[Call, ...]
    thoughts: tuple[str, ...]
    score: float = 0.0
    confidence: float = 0.0
    reading: str = ""
    same: bool = False
    empty: bool = False
    remarks: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    dropped: bool = False
    tallies: bool = False


def finish_plan(d: Derivation) -> PlanProposal:
    """The plan of a finished derivation, rounded where the question says to how many decimals."""
    digits = decimals(d.scope.question)
    if digits is not None:
        for column in d.answers:
            if column not in d.scope.kinds or d.scope.kinds[column] == "number":
                rounding: JsonValue = {"op": "round", "args": [column, digits]}
                thought = f"Round to {digits} decimals as asked."
                d = d.then("Derive", thought, {"name": column, "expression": rounding})
    return PlanProposal(steps=d.steps, thoughts=d.thoughts, reading=d.reading)


def decimals(question: Question) -> int | None:
    """How many decimals the question wishes for; None if it does not say."""
    for cue in question.cue("decimals"):
        for number in question.numbers:
            if number.place == (cue.end if cue.value == "to" else cue.start - 1):
                return int(number.value)
    return None
