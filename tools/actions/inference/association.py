"""Association: how much a column, or several at once, go together with another of any kind."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import narwhals as nw

from wideleaf.tools.actions.joining.keys import fresh_names
from wideleaf.tools.actions.learning.predict import Predict
from wideleaf.tools.actions.sequences.slopes import finite, scale
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact, caveats
from wideleaf.tools.tables.table import Kind, Table
from wideleaf.tools.work import one_thread

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

Sort = Literal["yes/no", "number", "category"]
Found = tuple[float | None, float | None, bool]
KINDS: tuple[Kind, ...] = ("number", "boolean", "text")
MIN_PAIRS = 3
MAX_LEVELS = 50
"""A text of more values is none that rows share."""
MIN_EXPECTED = 5
"""Rows that a cell of a table is expected to have, for the test of chi squared."""
YES = "true"
MAX_NUMBERS = 2_000_000
MAX_FEATURES = 2_000
"""So many numbers and columns at most are learnt from beside a note."""
FOLDS = 5
TOGETHER: dict[Sort, str] = {"yes/no": "AUC", "number": "R2", "category": "accuracy"}
KNOWN_NOTHING = {"AUC": 0.5, "R2": 0.0}
"""What knowing nothing scores; of an accuracy that is the share of the largest class."""


class Effect(NamedTuple):
    """How two columns go together; None where that is not defined.

    Attributes:
        name: Of the measure.
        size: From -1 to 1 where it has a sign, else from 0 to 1.
        inside: The mean where the target is true, or the share of the level.
        outside: The same where it is false.
        level: The commonest level, of a text.
        p_value: Of no association.
        rows: How many have both.
        thin: Whether the test had cells of few rows.
    """

    name: str | None
    size: float | None
    inside: float | None
    outside: float | None
    level: str | None
    p_value: float | None
    rows: int
    thin: bool = False


def tell_thin(tests: int) -> list[Fact]:
    """A caveat of how many tests were of tables with cells of few rows."""
    text = f"{tests} tests are rough: under {MIN_EXPECTED} rows are expected in a cell of "
    return caveats((tests, f"{text}their table"))


def effect_of(target: pl.Series, sort: Sort, candidate: pl.Series) -> Effect:
    """How a candidate goes together with a target, over the rows that have both.

    Args:
        target: Numbers, truth values or texts.
        sort: What it is taken for.
        candidate: Numbers, truth values or texts, of the same rows.
    """
    import polars as pl

    both = pl.DataFrame([target.alias("target"), candidate.alias("one")]).drop_nulls()
    both = both.filter(*(pl.col(n).is_finite() for n, d in both.schema.items() if d.is_float()))
    # The order in which an engine lists rows must not show in the last digits of a sum.
    both = both.sort("target", "one")
    targets, one, rows = both["target"], both["one"], len(both)
    effect = Effect(None, None, None, None, None, None, rows)
    if sort == "yes/no" and rows:
        marks, level = _marks(one)
        here = targets.to_numpy()
        effect = effect._replace(
            inside=_mean(marks[here]), outside=_mean(marks[~here]), level=level
        )
    if rows < MIN_PAIRS or targets.n_unique() < 2 or one.n_unique() < 2:
        return effect
    kinds: dict[Any, Sort] = {pl.String: "category", pl.Boolean: "yes/no"}
    name, measure = MEASURES[frozenset({sort, kinds.get(one.dtype, "number")})]
    size, p_value, thin = measure(targets, one)
    label = None if size is None else name
    return effect._replace(name=label, size=size, p_value=p_value, thin=thin)


def _marks(one: pl.Series) -> tuple[np.ndarray[Any, Any], str | None]:
    """A column as numbers; a text as whether it is its commonest level, which is named."""
    import polars as pl

    if one.dtype != pl.String:
        return one.cast(pl.Float64).to_numpy(), YES if one.dtype == pl.Boolean else None
    counts = one.value_counts(name="rows").sort(["rows", one.name], descending=[True, False])
    level = str(counts[one.name][0])
    return (one == level).cast(pl.Float64).to_numpy(), level


def _mean(cells: np.ndarray[Any, Any]) -> float | None:
    import numpy as np

    if not len(cells):
        return None
    scaled, power = scale(cells)
    # Of equal cells the mean is the cell, however their sum was rounded.
    return float(np.clip(np.ldexp(scaled.mean(), power), cells.min(), cells.max()))


def _codes(cells: pl.Series) -> np.ndarray[Any, Any] | None:
    """The place of each cell among the levels; None where hardly any rows share one."""
    levels = cells.n_unique()
    if levels > MAX_LEVELS or 2 * levels > len(cells):
        return None
    return cells.rank("dense").to_numpy().astype(int) - 1


def _pearson(left: pl.Series, right: pl.Series) -> Found:
    import polars as pl

    from wideleaf.tools.actions.inference.hypothesis_tests import correlate_pair

    one, other = (side.cast(pl.Float64).to_numpy() for side in (left, right))
    size, p_value, _ = correlate_pair(one, other, "pearson")
    return finite(size), finite(p_value), False


def _eta(left: pl.Series, right: pl.Series) -> Found:
    """The root of the share of variance between the levels, and the p-value of the F test."""
    import numpy as np
    import polars as pl

    from wideleaf.tools.actions.inference.hypothesis_tests import anova

    number, category = (left, right) if left.dtype.is_numeric() else (right, left)
    codes, cells = _codes(category), scale(number.cast(pl.Float64).to_numpy())[0]
    if codes is None:
        return NONE
    parts = [cells[codes == code] for code in range(codes.max() + 1)]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # of groups without a spread
        outcome = anova(parts, 0, "two-sided")
    if outcome.effect_size is None:
        return NONE
    return min(math.sqrt(outcome.effect_size), 1.0), finite(outcome.p_value), False


def _cramer(left: pl.Series, right: pl.Series) -> Found:
    """Cramér's V and the p-value of the table of levels, of a small one of 2 x 2 by Fisher."""
    import numpy as np
    from scipy import stats  # type: ignore[import-untyped]

    codes = [_codes(left), _codes(right)]
    if codes[0] is None or codes[1] is None:
        return NONE
    counts = stats.contingency.crosstab(*codes).count
    outcome = stats.chi2_contingency(counts, correction=False)
    size = finite(stats.contingency.association(counts, method="cramer"))
    thin = bool((outcome.expected_freq < MIN_EXPECTED).any())
    if thin and np.shape(counts) == (2, 2):
        return size, finite(stats.fisher_exact(counts).pvalue), False
    return size, finite(outcome.pvalue), thin


def _phi(left: pl.Series, right: pl.Series) -> Found:
    """The correlation of two of true and false, tested by their table."""
    size, p_value, thin = _cramer(left, right)
    return None if size is None else _pearson(left, right)[0], p_value, thin


NONE: Found = None, None, False
MEASURES: dict[frozenset[Sort], tuple[str, Callable[[pl.Series, pl.Series], Found]]] = {
    frozenset({"number"}): ("Pearson r", _pearson),
    frozenset({"number", "yes/no"}): ("point-biserial r", _pearson),
    frozenset({"number", "category"}): ("eta", _eta),
    frozenset({"yes/no"}): ("phi", _phi),
    frozenset({"yes/no", "category"}): ("Cramér's V", _cramer),
    frozenset({"category"}): ("Cramér's V", _cramer),
}
"""What measures two columns of such kinds: its name, and its size, p-value and whether a level has
too few rows to test it well."""


class Joint(NamedTuple):
    """How well all columns together tell the target.

    Attributes:
        measure: ``AUC``, ``R2`` or ``accuracy``.
        score: By rows of folds that no model was fitted to.
        base: What knowing nothing scores.
        rows: How many were scored.
        features: Columns that were learnt from.
    """

    measure: str
    score: float
    base: float
    rows: int
    features: int


def judge_together(
    table: Table, target: nw.Expr, sort: Sort, columns: Sequence[str]
) -> Joint | str:
    """Learn the target from all columns, by folds; or say why that is not done.

    Args:
        table: The table.
        target: The target's cells.
        sort: What it is taken for.
        columns: What to learn from.
    """
    columns = _few_levels(table, columns)
    if not columns:
        return "no column can be learnt from"
    rows = table.count()
    if len(columns) > MAX_FEATURES or rows * len(columns) > MAX_NUMBERS:
        return f"{rows} rows x {len(columns)} columns are many; Predict learns from more"
    (name,) = fresh_names("target", 1, table)
    subset = Table(table.frame.select(target.alias(name), *map(nw.col, columns)))
    try:
        return _assess_joint(subset, name, columns, sort)
    except ActionError as error:
        return error.text


def _assess_joint(subset: Table, name: str, columns: Sequence[str], sort: Sort) -> Joint | str:
    from wideleaf.tools.actions.learning.models import learn
    from wideleaf.tools.actions.learning.scores import scores
    from wideleaf.tools.actions.learning.splits import split_rows

    model: Literal["ridge", "logistic"] = "ridge" if sort == "number" else "logistic"
    action = Predict(target=(name,), features=tuple(columns), model=model, folds=FOLDS)
    with one_thread():
        split = split_rows(action, subset)
        metrics = {one.metric: one.value for one in scores(split, learn(action, split))}
    score = metrics[measure := TOGETHER[sort]]
    if score is None:
        return "its numbers are too near to each other"
    base = KNOWN_NOTHING.get(measure, metrics.get("share of the largest class") or 0.0)
    return Joint(measure, score, base, len(split.judged), len({*split.data.owners}))


def _few_levels(table: Table, columns: Sequence[str]) -> list[str]:
    """The columns without texts of many values, each of which would be a feature."""
    texts = [name for name in columns if table.kind(name) == "text"]
    if not texts:
        return list(columns)
    from wideleaf.tools.actions.learning.training_data import MAX_LEVELS

    selection = [nw.col(name).n_unique().alias(str(at)) for at, name in enumerate(texts)]
    counts = table.frame.select(*selection).collect().row(0)
    many = {name for name, count in zip(texts, counts, strict=True) if count > MAX_LEVELS}
    return [name for name in columns if name not in many]
