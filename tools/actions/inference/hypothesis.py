"""Test: whether a difference, a link or a form of columns is more than chance."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import narwhals as nw
from pydantic import Field, field_validator

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.inference.hypothesis_methods import (
    METHODS,
    SPELLINGS,
    Alternative,
    Method,
)
from wideleaf.tools.actions.inference.hypothesis_samples import Case, count_by_holm, gather
from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.conditions.literals import Scalar
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import MIN_FOR_STATISTICS, Fact, caveat, matter_of
from wideleaf.tools.tables.columns import (
    Column,
    Columns,
    need_kind,
    resolve_column,
    resolve_columns,
    resolve_groups,
)
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table
from wideleaf.tools.words import p_text

if TYPE_CHECKING:
    from wideleaf.tools.actions.inference.hypothesis_tests import Found

    Hypothesis = str  # checkers read no names out of a table
else:
    Hypothesis = Literal[tuple(METHODS)]
*_COUNTED, _LAST = (name for name, method in METHODS.items() if method.takes == "counts")
_OF_COUNTS = f"{', '.join(_COUNTED)} and {_LAST}"
_GROUPS = ("number", "text", "boolean", "date", "datetime")
MAX_TOLD = 5
"""So many tests are told of one by one."""
FEW = 10
"""Below so few values little shows."""
NAMES: dict[str, Any] = {
    "column": nw.String, "other": nw.String, "test": nw.String, "statistic": nw.Float64,
    "df": nw.Float64, "df_error": nw.Float64, "p_value": nw.Float64, "significant": nw.Boolean,
    "effect": nw.String, "effect_size": nw.Float64, "rows": nw.Int64, "group_1": nw.String,
    "group_2": nw.String, "size_1": nw.Int64, "size_2": nw.Int64, "centre": nw.String,
    "centre_1": nw.Float64, "centre_2": nw.Float64,
}  # fmt: skip
"""The columns of a result, behind those it is made by."""


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
    columns: Columns = Field(description=f"Numbers; for {_OF_COUNTS} categories.")
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
        if text in METHODS:
            return text
        words = "".join(" " if sign in "-_–()" else sign for sign in text if sign != "'").split()
        bare = " ".join(word for word in words if word not in ("test", "the"))
        return SPELLINGS.get(bare, bare)

    @property
    def method(self) -> Method:
        """The test, in its form for the samples that are named."""
        method = METHODS[self.test]
        if method.other and (self.between if method.takes == "each" else len(self.columns) == 1):
            return method.other
        return method

    def resolve(self, *tables: Table) -> Self:
        """Name the columns.

        Raises:
            ActionError: If one is of a kind that cannot be tested, or they are too few or too
                many for the test.
        """
        table = tables[0]
        columns = resolve_columns(self.columns, table)
        between = None if self.between is None else resolve_column(self.between, table)
        by = resolve_groups(self.by, table, "Test's")
        action = self.model_copy(update={"columns": columns, "between": between, "by": by})
        counts = action.method.takes == "counts"
        need_kind(table, columns, *(_GROUPS if counts else ("number", "boolean")), purpose="Test")
        need_kind(table, [between] if between else [], *_GROUPS, purpose="Test's between")
        action._need_distinct()
        action._need_samples()
        if self.alternative != "two-sided" and not action.method.directed:
            raise ActionError(
                f"{self.test!r} has no direction; leave alternative {self.alternative!r} out",
                kind="argument alternative",
            )
        return action

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns that the rows are about."""
        return [Need(frozenset(self.column_references(*headers)[0]))]

    def run(self, *tables: Table) -> Table:
        """Make every test.

        Raises:
            ActionError: If the columns are too large to hold in memory, groups are too many or
                not there, or no test can be made of what rows there are.
        """
        from wideleaf.tools.actions.inference import hypothesis_tests

        method, by, table = self.method, self.by or (), tables[0]
        test = partial(
            getattr(hypothesis_tests, method.call),
            value=self.value, way=self.alternative, **method.given,
        )  # fmt: skip
        outcomes = [
            (case, hypothesis_tests.run_test(test, case.samples, method.least))
            for case in gather(self, table)
        ]
        reasons = [outcome.reason for _, outcome in outcomes]
        if outcomes and all(reasons) and table.count():
            raise ActionError(
                f"{self.test!r} cannot be made of {reasons[0]}; take other columns or rows",
                kind="too few rows",
            )
        rows = []
        for case, outcome in outcomes:
            has_labels = method.takes in ("two", "pairs", "counts") and len(case.labels) == 2
            labels = case.labels if has_labels else (None, None)
            figures = hypothesis_tests.list_cells(
                outcome, case.samples, labels, case.rows, self.alpha, method.medians
            )
            rows.append([*case.key, case.column, case.other, self.test, *figures])
        names = avoid_clashes(by, [*NAMES])
        schema = {name: _plain(table.schema[name]) for name in by}
        schema |= {names[name]: dtype for name, dtype in NAMES.items()}
        cells = [dict(zip(schema, row, strict=True)) for row in rows]
        frame = nw.from_dicts(cells, schema, backend="polars").lazy("polars")
        return Table(frame, found=self._facts(outcomes))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell what was found, what it rests on, and what was left out."""
        facts: list[Fact] = self.recall(tables, result)
        return facts

    def _facts(self, outcomes: Sequence[tuple[Case, Found]]) -> list[Fact]:
        """What is told of the tests, those that could not be made among them."""
        there = [(case, outcome) for case, outcome in outcomes if not outcome.reason]
        matter = matter_of(min((self._size(*one) for one in there), default=MIN_FOR_STATISTICS))
        texts = [] if self.by or len(there) > MAX_TOLD else [self._sentence(*one) for one in there]
        texts += [self._together(there)] if len(there) > 1 else []
        facts = [caveat(text, matter) for text in texts]
        for reason, count in Counter(
            outcome.reason for _, outcome in outcomes if outcome.reason
        ).items():
            facts.append(caveat(f"{count} of {len(outcomes)} tests could not be made, of {reason}"))
        if lost := [case.lost for case, _ in outcomes if case.lost]:
            text = (
                f"Nulls leave rows out of {len(lost)} of {len(outcomes)} tests, {max(lost)} at most"
            )
            alone = f"{lost[0]} rows are left out for a null"
            facts.append(caveat(alone if len(outcomes) == 1 else text))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of values that are nearly alike
            cautions = Counter(text for one in there for text in self._cautions(*one))
        for text, count in cautions.items():
            start = f"In {count} of {len(there)} tests, {text[0]}"
            start = start if len(there) > 1 else text[0].upper()
            facts.append(caveat(start + text[1:], matter))
        # Of a larger table a statistic has one form.
        small = any(case.samples[0].shape == (2, 2) for case, _ in there)
        if there and self.method.meant and (small or self.method.takes != "counts"):
            facts.append(Fact(text=self.method.meant))
        return facts

    def _size(self, case: Case, outcome: Found) -> int:
        """How many rows a figure is of, where two samples are told apart of the smaller."""
        if self.method.takes == "counts" and outcome.centres != (None, None):
            return int(case.samples[0].sum(axis=0).min())
        return case.least if self.method.takes == "two" else case.rows

    def _sentence(self, case: Case, outcome: Found) -> str:
        """A test and its verdict."""
        method, p_value = self.method, outcome.p_value or 0.0
        what = repr(case.column)
        if case.other is not None:
            joint = "by" if self.between and method.takes != "counts" else "and"
            what += f" {joint} {case.other!r}"
        figures = ["the odds ratio is infinite"]
        if outcome.statistic is not None:
            figures = [f"{method.sign} = {outcome.statistic:.4g}"]
        if outcome.df is not None:
            below = "" if outcome.df_error is None else f" and {outcome.df_error:.4g}"
            figures.append(f"df = {outcome.df:.4g}{below}")
        verdict = method.shows if p_value < self.alpha else f"{method.lacks} was shown"
        verdict = verdict.replace("the value", f"{self.value:g}")
        verdict += "" if self.alternative == "two-sided" else f" ({self.alternative})"
        text = f"{what}: {', '.join([*figures, p_text(p_value)])}: {verdict} at {self.alpha:g}"
        if outcome.effect_size is not None and outcome.effect != "odds ratio":
            text += f"; {outcome.effect} {outcome.effect_size:.3g}"
        return f"{text}; {outcome.beside}" if outcome.beside else text

    def _together(self, outcomes: Sequence[tuple[Case, Found]]) -> str:
        """How many tests are significant, and how many where they are taken together."""
        values = [outcome.p_value or 0.0 for _, outcome in outcomes]
        alone = sum(value < self.alpha for value in values)
        rejections = count_by_holm(values, self.alpha)
        return (
            f"{alone} of {len(outcomes)} tests are significant at {self.alpha:g}, and {rejections} "
            f"by Holm's adjustment for {len(outcomes)} tests"
        )

    def _cautions(self, case: Case, outcome: Found) -> Iterator[str]:
        """What a test assumes and its samples do not show."""
        if self.method.takes != "counts" and case.least < FEW:
            yield f"a sample has under {FEW} values, so that only a large effect is significant"
        samples = [one for one in case.samples if len(one)]
        for caution in self.method.cautions:
            if text := caution(samples, outcome):
                yield text

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
        count, test, takes = len(self.columns), repr(self.test), self.method.takes
        role, text = "columns", ""
        if self.between and takes in ("each", "pairs"):
            what = "looks at each column alone" if takes == "each" else "compares two columns"
            role, text = (
                "between",
                f"{test} {what}; leave between out, or give {self.between!r} as ",
            )
            text += "by for a test in each of its groups"
        elif self.groups and not self.between:
            role = "groups"
            text = "groups are values of the column between, which is not given; name it"
        elif self.between or takes == "each":
            return
        elif takes in ("pairs", "counts") and count != 2:
            other = ", or one and between" if takes == "counts" else ""
            text = f"{test} is of two columns{other}; {count} are named"
        elif takes in ("two", "several") and count < 2:
            role, text = "between", f"{test} compares groups, and {self.columns[0]!r} is one; name "
            text += "the factor as between, or a second column"
        elif takes == "two" and count > 2:
            text = f"{test} compares two columns and {count} are named; take "
            text += f"{self.method.instead!r} for more, or name the factor as between"
        if text:
            raise ActionError(text, kind=f"argument {role}")


def _plain(dtype: Any) -> Any:
    """The type of a column that groups were made by; texts are texts."""
    return nw.String() if isinstance(dtype, (nw.Categorical, nw.Enum)) else dtype
