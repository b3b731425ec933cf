"""The making of a report's plan: rows made ready, one analysis, and each value out of it."""

from __future__ import annotations

from collections.abc import Sequence

from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.reports import analysis as analyses
from wideleaf.agents.planner.reports.analysis import Analysis
from wideleaf.agents.planner.reports.assembly import Value, add_figures, put_together
from wideleaf.agents.planner.reports.choice import choose_analysis
from wideleaf.agents.planner.reports.chosen_rows import Chosen, choose_rows
from wideleaf.agents.planner.reports.columns import by_words, distinct, find_spots
from wideleaf.agents.planner.reports.draft import Draft
from wideleaf.agents.planner.reports.extremes import (
    Extreme,
    add_extreme,
    points_back,
    read_extreme,
    rows_like,
    value_of,
)
from wideleaf.agents.planner.reports.features import make_column
from wideleaf.agents.planner.reports.figures import Figures, Stage
from wideleaf.agents.planner.reports.learning import learns
from wideleaf.agents.planner.reports.levels import MOST_LEVELS, Level, as_rows
from wideleaf.agents.planner.reports.outliers import (
    Outliers,
    add_marked,
    mark_outliers,
    read_outliers,
)
from wideleaf.agents.planner.reports.preparation import LOG, is_other_work, mend_gaps, transform
from wideleaf.agents.planner.reports.statistic import (
    EXTREME,
    LIST,
    MEASURES,
    needs_analysis,
    own_words,
    statistic_of,
)
from wideleaf.agents.planner.scenes.derivation import PlanProposal
from wideleaf.agents.report_form import Demand, Form, words_in

SURE = 0.8


class ReportDraft:
    """The making of one plan.

    Args:
        form: What is asked, and the values that are wanted.
        label: The table's.
        index: What is known of it.
    """

    def __init__(self, form: Form, label: str, index: TableIndex) -> None:
        self.form, self.index, self.label = form, index, label
        self.draft = Draft(label)
        self.outliers: Outliers | None = read_outliers(form.text)
        self.made = ""
        self.turned: tuple[str, str] | None = None
        self.columns: list[str] = []
        self.chosen: Chosen | None = None
        self.stages: list[Stage] = []
        self.analyses: dict[str, Analysis | None] = {}

    def plan(self) -> PlanProposal | None:
        """The whole plan; None where a value is wanted that cannot be read."""
        wanted = [(demand, statistic_of(demand)) for demand in self.form.demands]
        if not self._prepare():
            return None
        made = [self.made] if self.made else []
        extreme = read_extreme(self.form, self.index, made)
        told = all(kind or self._level_of(demand) for demand, kind in wanted)
        whole = told and not self._looks_up(wanted)
        if extreme is None and (not whole or self._is_of_text()):
            return None
        figures = Figures(self, [kind for _, kind in wanted])
        rows = self.draft.frame
        found = add_extreme(extreme, self.form.task, self.draft) if extreme else ""
        kinds = {kind for _, kind in wanted}
        values: dict[str, Value] = {}
        for demand, _ in wanted:
            self.draft.frame = self._rows_of(demand, rows)
            by_groups = self.chosen is not None and self.chosen.by_groups
            value = value_of(extreme, demand, found, by_groups) if extreme else None
            if value and statistic_of(demand) == LIST:
                value = figures.tally.add_list(found, value.column, demand.name)
            if extreme and value is None and self._is_of_that(extreme, demand):
                self.draft.frame = rows_like(extreme, found, self.draft)
            elif value is None and not self._reads_groups(demand):
                return None
            value = value or self._value(demand, kinds, figures, rows)
            if value is None:
                return None
            values[demand.name] = value
        if figures.tally.is_told_twice(values):
            return None
        put = add_figures(self.draft, values, figures.tally)
        texts = figures.tally.texts | self._texts(extreme)
        put_together(self.draft, put, self.form.demands, texts)
        said = ", ".join(demand.name for demand in self.form.demands)
        return self.draft.plan(SURE, f"{said} of {self.label}, of {', '.join(self.columns[:3])}")

    def _value(self, demand: Demand, kinds: set[str], figures: Figures, rows: str) -> Value | None:
        """Where a value is to stand that is no cell of an extreme; None if it cannot be read."""
        kind, level = statistic_of(demand), self._level_of(demand)
        if level and not kind:
            return figures.level_share(demand, level, rows)
        if self.draft.frame not in self.analyses and needs_analysis(demand):
            self.analyses[self.draft.frame] = choose_analysis(self, kinds)
        return figures.value(demand, kind, self.analyses.get(self.draft.frame))

    def is_number(self, column: str) -> bool:
        """Whether a column, or one that was made before, holds numbers."""
        return column in (self.made, *(stage.column for stage in self.stages)) or (
            self.index.kinds.get(column) == "number"
        )

    @property
    def numbers(self) -> list[str]:
        """The columns of numbers that the question speaks of, the one that is meant first."""
        return [one for one in self.columns if self.is_number(one)]

    def _prepare(self) -> bool:
        task = self.form.task
        made = make_column(task, self.index, self.draft)
        if made is None:
            return False
        self.made = made
        self.chosen = choose_rows(self.form, self.index, self.draft)
        if self.chosen is None:
            return False
        spots = find_spots(task, self.index, [made] if made else [])
        spots = [spot for spot in spots if spot.column not in self.chosen.used]
        first = [spot for spot in spots if spot.quoted]
        self.columns = distinct([*first, *spots])
        if made:
            self.columns = [made, *(one for one in self.columns if one != made)]
        said = {word for demand in self.form.demands for word in own_words(demand)}
        self.columns += [
            one
            for one in self.index.of_kind("number")
            if "".join(words_in(one)) in said and one not in (*self.columns, *self.chosen.used)
        ]
        kinds = {statistic_of(demand) for demand in self.form.demands}
        if not self.columns and kinds - {"missing", "rows"}:
            return False
        texts = [one for one in self.columns if not self.is_number(one)]
        if is_other_work(task, bool(texts)):
            return False
        self._keep_stage()
        if not mend_gaps(task, self.index, self.draft, self.columns):
            return False
        self._keep_stage()
        if self.numbers and not learns(task) and not self._is_of_several():
            turned = transform(task, self.index, self.draft, self.numbers[0])
            if turned is None:
                return False
            old, new = turned
            if new != old:
                self.stages.append(Stage(self.draft.frame, old))
                self.made, self.turned = new, turned
                self.columns = [new, *self.columns]
        elif self._is_of_several() and LOG.search(task) and not self._is_logarithm():
            return False  # of a logarithm another correlation comes out
        self._keep_stage()
        if self.outliers and self.outliers.taken_out and self.numbers:
            self.draft.marked = mark_outliers(self.draft, self.numbers[0], self.outliers)
            self.draft.frame = add_marked(self.draft, self.draft.marked, odd=False)
            self._keep_stage()
        return True

    def _keep_stage(self) -> None:
        """Remember rows and column, unless nothing was done since."""
        stage = Stage(self.draft.frame, self.numbers[0] if self.numbers else "")
        if not self.stages or self.stages[-1] != stage:
            self.stages.append(stage)

    def _rows_of(self, demand: Demand, whole: str) -> str:
        """The rows that a value is of: those of the level in its name, else all."""
        level = self._level_of(demand)
        if level is None:
            return whole
        where = as_rows(level.column, [level.value])
        return self.draft.add("Filter", f"Rows of {level.value}.", {"where": where}, on=whole)

    def _level_of(self, demand: Demand) -> Level | None:
        return self.chosen.of_value.get(demand.name) if self.chosen else None

    def _looks_up(self, wanted: Sequence[tuple[Demand, str]]) -> bool:
        """Whether a value is a cell of the row of an extreme, and no figure of a column."""
        for demand, kind in wanted:
            if kind not in ("min", "max", "mode"):
                continue
            own = {*own_words(demand), *words_in(demand.slot)} - {"value", "number", "name"}
            others = [one for one in self.index.table.columns if one not in self.numbers[:1]]
            if by_words(own, others) and not by_words(own, self.numbers[:1]):
                return True
            if len(EXTREME.findall(self.form.task)) > 1 + self.form.task.lower().count("minus"):
                return True
        return False

    def _is_of_several(self) -> bool:
        """Whether correlations are wanted, which no change of scale changes."""
        return any(statistic_of(demand) == "correlation" for demand in self.form.demands)

    def _reads_groups(self, demand: Demand) -> bool:
        """Whether a value is of all rows, or of the groups that a test compares."""
        assert self.chosen is not None
        if not self.chosen.by_groups:
            return True
        return needs_analysis(demand) and analyses.test_of(self.form.text) in analyses.GROUPED

    def _is_of_that(self, extreme: Extreme, demand: Demand) -> bool:
        """Whether a figure is of the rows that have the label of the extreme, *this region*."""
        kind = statistic_of(demand)
        return kind in MEASURES and points_back(self.form.task, extreme)

    def _is_of_text(self) -> bool:
        """Whether what is named first is no number and no category, as times of day are."""
        first = next((one for one in self.columns if one != self.made), "")
        wanted = {statistic_of(demand) for demand in self.form.demands}
        return bool(
            wanted <= MEASURES | {"outliers", "outlier share"}
            and not self.made
            and not self.is_number(first)
            and not (
                self.index.kinds.get(first) in ("text", "boolean")
                and not wanted <= {"outliers", "outlier share"}
                and 0 < len(self.index.distinct(first)) <= MOST_LEVELS
            )
        )

    def _is_logarithm(self) -> bool:
        """Whether the column that was made is a logarithm."""
        made = [step.arguments.get("expression") for step in self.draft.steps]
        return any(isinstance(one, dict) and one.get("op") in ("log", "log10") for one in made)

    def _texts(self, extreme: Extreme | None) -> set[str]:
        """The labels of an extreme that are no numbers, which are not rounded."""
        labels = extreme.labels.values() if extreme else ()
        return {one for one in labels if not self.is_number(one)}
