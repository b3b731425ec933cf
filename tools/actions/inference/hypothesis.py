"""Test: whether a difference, a link or a form of columns is more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, Self

import narwhals as nw
from pydantic import Field, field_validator

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.inference.hypothesis_facts import facts_of
from wideleaf.tools.actions.inference.hypothesis_methods import (
    METHODS,
    Alternative,
    Found,
    make_test,
)
from wideleaf.tools.actions.inference.hypothesis_samples import Case, gather
from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.conditions.literals import Scalar
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.columns import (
    Column,
    Columns,
    need_kind,
    resolve_column,
    resolve_columns,
)
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table

Hypothesis = Literal[
    "t", "welch", "paired t", "one-sample t", "mann-whitney", "wilcoxon", "chi-square", "fisher",
    "anova", "kruskal", "levene", "shapiro", "kolmogorov", "d'agostino",
]  # fmt: skip
Takes = Literal["each", "pairs", "two", "several", "counts"]
Tests = list[tuple[Case, Found]]
_SPELLINGS: dict[str, Hypothesis] = {
    "student": "t", "student t": "t", "students t": "t", "independent t": "t",
    "two sample t": "t", "ttest": "t", "unpaired t": "t", "independent samples t": "t",
    "welch t": "welch", "welchs t": "welch", "welchs": "welch",
    "paired": "paired t", "dependent t": "paired t", "paired samples t": "paired t",
    "one sample t": "one-sample t", "single sample t": "one-sample t", "one sample": "one-sample t",
    "mann whitney": "mann-whitney", "mann whitney u": "mann-whitney", "u": "mann-whitney",
    "mannwhitneyu": "mann-whitney", "wilcoxon rank sum": "mann-whitney",
    "rank sum": "mann-whitney", "wilcoxon mann whitney": "mann-whitney",
    "signed rank": "wilcoxon", "wilcoxon signed rank": "wilcoxon",
    "chi square": "chi-square", "chi squared": "chi-square", "chi2": "chi-square",
    "chisquare": "chi-square", "chi": "chi-square", "pearson chi square": "chi-square",
    "independence": "chi-square", "χ²": "chi-square",
    "fisher exact": "fisher", "fishers exact": "fisher", "fishers": "fisher",
    "one way anova": "anova", "f": "anova", "analysis of variance": "anova", "f oneway": "anova",
    "kruskal wallis": "kruskal", "kruskal wallis h": "kruskal", "h": "kruskal",
    "brown forsythe": "levene", "levenes": "levene", "homogeneity of variance": "levene",
    "equal variances": "levene",
    "shapiro wilk": "shapiro", "normality": "shapiro", "normal": "shapiro",
    "ks": "kolmogorov", "kolmogorov smirnov": "kolmogorov", "lilliefors": "kolmogorov",
    "dagostino": "d'agostino", "normaltest": "d'agostino", "dagostino pearson": "d'agostino",
    "dagostino k2": "d'agostino", "k2": "d'agostino", "omnibus": "d'agostino",
}  # fmt: skip
_TAKES: dict[Hypothesis, Takes] = {
    "t": "two", "welch": "two", "mann-whitney": "two",
    "anova": "several", "kruskal": "several", "levene": "several",
    "paired t": "pairs", "chi-square": "counts", "fisher": "counts",
    "one-sample t": "each", "shapiro": "each", "d'agostino": "each",
}  # fmt: skip
_GROUPS = ("number", "text", "boolean", "date", "datetime")
NAMES: dict[str, Any] = {
    "column": nw.String, "other": nw.String, "test": nw.String, "statistic": nw.Float64,
    "df": nw.Float64, "df_error": nw.Float64, "p_value": nw.Float64, "significant": nw.Boolean,
    "effect": nw.String, "effect_size": nw.Float64, "rows": nw.Int64, "group_1": nw.String,
    "group_2": nw.String, "size_1": nw.Int64, "size_2": nw.Int64, "centre": nw.String,
    "centre_1": nw.Float64, "centre_2": nw.Float64,
}  # fmt: skip
"""The columns of a result, behind those it is made by."""
BY_MEDIANS = ("mann-whitney", "wilcoxon", "kolmogorov")
"""Tests whose centres are medians; those of others are means."""


class Test(Action):
    """Test hypotheses, a row each: statistic, p_value, effect_size, groups' sizes and centres."""

    purpose = "statistics"
    __test__: ClassVar[bool] = False  # no test of pytest's, whatever its name
    lazy = False
    phrases = (
        "t-test", "t test", "ttest", "significance test", "significant", "significantly",
        "statistically", "hypothesis test", "chi-square", "chi square", "chi squared",
        "chi2", "anova", "analysis of variance", "mann-whitney", "wilcoxon", "kruskal", "levene",
        "shapiro", "kolmogorov", "normally distributed", "normality", "fisher exact",
        "fisher's exact", "p-value", "p value", "paired test", "equal variances",
    )  # fmt: skip
    places = frozenset(("columns", "between", "by"))

    test: Hypothesis
    columns: Columns = Field(description="Numbers; for chi-square and fisher categories.")
    between: Column | None = Field(default=None, description="Its groups are compared.")
    groups: tuple[Scalar, ...] | None = Field(
        default=None, min_length=2, description="Values of between; default all."
    )
    by: Columns | None = Field(default=None, description="A test in each group.")
    value: float = Field(default=0, allow_inf_nan=False, description="The one-sample mean.")
    alternative: Alternative = "two-sided"
    alpha: float = Field(default=0.05, ge=1e-9, le=0.5)

    @field_validator("test", mode="before")
    @classmethod
    def _spelled(cls, test: object) -> object:
        text = str(test).lower().replace("’", "'").strip()
        if text in _TAKES:
            return text
        words = "".join(" " if sign in "-_–()" else sign for sign in text if sign != "'").split()
        bare = " ".join(word for word in words if word not in ("test", "the"))
        return _SPELLINGS.get(bare, bare)

    @property
    def takes(self) -> Takes:
        """What samples it is made of: each column's own, pairs, two, several, or counts."""
        if self.test == "kolmogorov":
            return "two" if self.between else "each"
        if self.test == "wilcoxon":
            return "each" if len(self.columns) == 1 else "pairs"
        return _TAKES[self.test]

    def resolve(self, *tables: Table) -> Self:
        """Name the columns.

        Raises:
            ActionError: If one is of a kind that cannot be tested, or they are too few or too
                many for the test.
        """
        table = tables[0]
        columns = resolve_columns(self.columns, table)
        between = None if self.between is None else resolve_column(self.between, table)
        by = None if self.by is None else resolve_columns(self.by, table)
        made = self.model_copy(update={"columns": columns, "between": between, "by": by})
        counts = made.takes == "counts"
        need_kind(table, columns, *(_GROUPS if counts else ("number", "boolean")), purpose="Test")
        need_kind(table, [between] if between else [], *_GROUPS, purpose="Test's between")
        need_kind(table, by or (), *_GROUPS, purpose="Test's by")
        made._need_distinct()
        made._need_samples()
        alone = self.test == "kolmogorov" and not between
        if self.alternative != "two-sided" and (alone or not METHODS[self.test].directed):
            raise ActionError(
                f"{self.test!r} has no direction; leave alternative {self.alternative!r} out",
                kind="argument alternative",
            )
        return made

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns that the rows are about."""
        return [Need(frozenset(self.column_references(*headers)[0]))]

    def run(self, *tables: Table) -> Table:
        """Make every test.

        Raises:
            ActionError: If the columns are too large to hold in memory, groups are too many or
                not there, or no test can be made of what rows there are.
        """
        made = self._made(tables[0])
        reasons = [found.reason for _, found in made]
        if made and all(reasons) and tables[0].count():
            raise ActionError(
                f"{self.test!r} cannot be made of {reasons[0]}; take other columns or rows",
                kind="too few rows",
            )
        keys = [case.key for case, _ in made]
        cells = {name: [key[at] for key in keys] for at, name in enumerate(self.by or ())}
        schema = {name: _plain(tables[0].schema[name]) for name in cells}
        names = avoid_clashes([*cells], [*NAMES])
        for at, (name, dtype) in enumerate(NAMES.items()):
            cells[names[name]] = [self._row(*one)[at] for one in made]
            schema[names[name]] = dtype
        frame = nw.from_dict(cells, schema=schema, backend="polars").lazy("polars")
        return Table(frame, found=facts_of(self, made))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell what was found, what it rests on, and what was left out."""
        found: list[Fact] | None = result.found
        return facts_of(self, self._made(tables[0])) if found is None else found

    def _made(self, table: Table) -> Tests:
        return [(case, make_test(self, case)) for case in gather(self, table)]

    def _row(self, case: Case, found: Found) -> list[Any]:
        """The cells of one test, as `NAMES` lists them."""
        significant = None if found.p_value is None else found.p_value < self.alpha
        told = self.takes in ("two", "pairs") and len(case.labels) == 2
        labels = case.labels if told else (None, None)
        sizes = map(len, case.samples) if told else (None, None)
        centre = "median" if self.test in BY_MEDIANS else "mean"
        return [
            case.column, case.other, self.test, found.statistic, found.df, found.df_error,
            found.p_value, significant, found.effect, found.effect_size, case.rows, *labels,
            *sizes, None if found.centres == (None, None) else centre, *found.centres,
        ]  # fmt: skip

    def _need_distinct(self) -> None:
        """Refuse a column in two roles."""
        groups = [name for name in (self.between, *(self.by or ())) if name is not None]
        for place, name in enumerate(groups):
            if name in self.columns or name in groups[:place]:
                role = "between" if name == self.between else "by"
                raise ActionError(
                    f"{name!r} makes groups and is itself tested or named twice; name other "
                    f"columns, or leave it out of {role}",
                    kind=f"argument {role}",
                )

    def _need_samples(self) -> None:
        """Refuse columns that do not make the samples of the test."""
        count, test, takes = len(self.columns), repr(self.test), self.takes
        if self.between and takes in ("each", "pairs"):
            what = "looks at each column alone" if takes == "each" else "compares two columns"
            raise ActionError(
                f"{test} {what}; leave between out, or give {self.between!r} as by for a test in "
                "each of its groups",
                kind="argument between",
            )
        if self.groups and not self.between:
            raise ActionError(
                "groups are values of the column between, which is not given; name it",
                kind="argument groups",
            )
        if takes == "pairs" or (takes == "counts" and not self.between):
            if count != 2:
                between = ", or one and between" if takes == "counts" else ""
                raise ActionError(
                    f"{test} is of two columns{between}; {count} are named", kind="argument columns"
                )
        elif takes in ("two", "several") and not self.between and count < 2:
            raise ActionError(
                f"{test} compares groups, and {self.columns[0]!r} is one; name the factor as "
                "between, or a second column",
                kind="argument between",
            )
        elif takes == "two" and not self.between and count > 2:
            rank = "'kruskal'" if self.test == "mann-whitney" else "'anova'"
            raise ActionError(
                f"{test} compares two columns and {count} are named; take {rank} for more, or "
                "name the factor as between",
                kind="argument columns",
            )


def _plain(dtype: Any) -> Any:
    """The type of a column that groups were made by; texts are texts."""
    return nw.String() if isinstance(dtype, (nw.Categorical, nw.Enum)) else dtype
