"""Layouts: the tables of the papers that evaluations are put into, by parts and measures."""

from __future__ import annotations

from typing import NamedTuple

from wideleaf.graph.options.strategies import PROGRAMS
from wideleaf_evaluation.comparison.evaluations import Evaluation
from wideleaf_evaluation.errors.judge import ErrorClass
from wideleaf_evaluation.outcomes import OUTCOMES
from wideleaf_evaluation.rows import EvalRow

OVERALL = "Overall"
"""The part that is reckoned out of the others, each weighted by its questions."""


class Part(NamedTuple):
    """A set of questions, or a part of one.

    Attributes:
        name: What the paper calls it.
        sets: Readers' names and files of questions whose rows belong to it.
        types: Only rows one of whose type, subtype and hardness is among these; empty for all.
        measures: What is told of it; empty for the layout's.
    """

    name: str
    sets: tuple[tuple[str, str], ...] = ()
    types: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()

    def rows_of(self, evaluation: Evaluation) -> tuple[EvalRow, ...]:
        """The rows of an evaluation that belong to this part."""
        settings = evaluation.settings
        if (settings.set, settings.file) not in self.sets:
            return ()
        types = set(self.types)
        return tuple(
            row
            for row in evaluation.rows
            if not types or types & {row.type, row.subtype, row.hardness}
        )


class Layout(NamedTuple):
    """A table of a paper.

    Attributes:
        paper: Whose.
        table: Which.
        title: What it tells.
        parts: The sets of questions.
        measures: What is told of each.
        downwards: Whether parts stand one under the other, and not side by side.
        note: What the reader should know of the published figures.
        strategies: Whose evaluations belong here; empty for all.
    """

    paper: str
    table: str
    title: str
    parts: tuple[Part, ...]
    measures: tuple[str, ...]
    downwards: bool = False
    note: str = ""
    strategies: tuple[str, ...] = ()

    def measures_of(self, part: Part) -> tuple[str, ...]:
        """What is told of a part."""
        return part.measures or self.measures


FACTS = Part("FC", (("tablebench", ""),), ("FactChecking",))
NUMBERS = Part("NR", (("tablebench", ""),), ("NumericalReasoning",))
BEYOND = Part("WikiSQL-E", (("wikisql_e", ""), ("wikisql", "hard")))
WIKISQL = Part("WikiSQL", (("wikisql", ""),))
WEBQSP = Part("WebQSP", (("webqsp_retrieved", ""),))
CRON = Part("CronQuestions", (("cronquestions_sample", ""),))
SPIDER = (("spider", ""),)
AGRONOMY = (("agronomy", ""),)
HARDNESS = tuple(
    Part(name.title(), SPIDER, (name,)) for name in ("easy", "medium", "hard", "extra")
)

STAND_IN = "WikiSQL-E of ours may be the questions of wikisql's --file hard: see the last table."

LAYOUTS: tuple[Layout, ...] = (
    Layout(
        "CRAFTQA",
        "table 2",
        "complex reasoning",
        (FACTS, NUMBERS, BEYOND, Part(OVERALL)),
        ("DA",),
        note=STAND_IN,
    ),
    Layout(
        "CRAFTQA",
        "table 3",
        "standard reasoning over tables, graphs and temporal graphs",
        (
            WEBQSP._replace(measures=("Hit@1", "all gold")),
            WIKISQL._replace(measures=("DA",)),
            CRON,
        ),
        ("Hit@1",),
        note="The code of TrustUQA, which CRAFTQA compares with, tells 'all gold' of WebQSP under "
        "the name of Hit@1.",
    ),
    Layout(
        "CRAFTQA",
        "table 4",
        "what each part is worth",
        (FACTS, NUMBERS, BEYOND),
        ("DA", "F1"),
        note=STAND_IN,
    ),
    Layout(
        "CRAFTQA",
        "table 6",
        "reasoning steps",
        (WEBQSP, CRON, WIKISQL, FACTS, NUMBERS, BEYOND),
        ("average steps", "most steps"),
        downwards=True,
        note=STAND_IN,
    ),
    Layout(
        "CRAFTQA",
        "table 7",
        "questions that need more than the functions given",
        (BEYOND, FACTS, NUMBERS),
        ("CDA", "DA", "F1"),
        downwards=True,
        note=STAND_IN,
    ),
    Layout(
        "CRAFTQA",
        "table 9",
        "one model and another, on TableBench",
        (FACTS, NUMBERS, Part(OVERALL)),
        ("CDA", "DA", "F1"),
    ),
    Layout(
        "TSO",
        "table 1",
        "Spider with the schema (TSO) and with names of tables alone (TSO-)",
        (Part("All", SPIDER), *HARDNESS),
        ("EM",),
        note="TSO's own rule for a match is not published.",
    ),
    Layout(
        "TSO",
        "table 2",
        "outcomes of the 20 agronomic questions by hardness",
        (Part("All", AGRONOMY), *(part._replace(sets=AGRONOMY) for part in HARDNESS[:3])),
        tuple(OUTCOMES),
        downwards=True,
        note="The published ones are over a table that is not public, ours over its twin.",
    ),
    Layout(
        "DataFrame QA",
        "figure 3",
        "programs for WikiSQL",
        (WIKISQL,),
        ("pass@1",),
        note="Of the figure's bars, the paper's text gives these numbers.",
        strategies=PROGRAMS,
    ),
    Layout(
        "DataFrame QA",
        "figure 4",
        "programs for UCI-DataFrameQA",
        (Part("UCI-DataFrameQA", (("uci_dataframeqa", ""),)),),
        ("pass@1",),
        note="Of the figure's bars, the paper's text gives this number.",
        strategies=PROGRAMS,
    ),
    Layout(
        "DataFrame QA",
        "figure 5",
        "error classes on WikiSQL, in percent of the wrong answers",
        (WIKISQL,),
        tuple(str(one) for one in ErrorClass),
        note="The figure is a picture without numbers.",
        strategies=PROGRAMS,
    ),
)
