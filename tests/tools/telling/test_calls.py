"""Calls in one line: for a model as JSON, for a person in short."""

import pytest

from wideleaf.tools.telling.calls import call_text
from wideleaf.tools.tree.call import Call

COLD = {"column": "t", "op": "<", "value": 0}
WET = {"column": "rain", "op": ">=", "other": "mean rain"}
MARCH = {"column": "day", "op": "==", "value": 3, "part": "month"}


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"where": COLD}, "where=t < 0"),
        ({"where": {"all": [COLD]}}, "where=t < 0"),
        ({"where": {"all": [COLD, {"any": [WET, MARCH]}]}},
         "where=t < 0 and (rain >= mean rain or month of day == 3)"),
        ({"where": {"not": {"column": "t", "op": "is null", "value": None}}},
         "where=not (t is null)"),
        ({"where": {"column": "s", "op": "in", "value": ["a", "b"]}}, 'where=s in ["a", "b"]'),
        ({"where": {"column": "paid", "op": "==", "value": False}}, "where=paid == false"),
        ({"measures": [{"function": "mean", "column": "t", "name": "mean of t"}]},
         "measures=[mean(t)]"),
        ({"measures": [{"function": "count", "name": "n"}]}, 'measures=[count() as "n"]'),
        ({"measures": [{"function": "quantile", "column": "t", "q": 0.9}]},
         "measures=[quantile(t, 0.9)]"),
        ({"by": [{"column": "t", "descending": True}, {"column": "u", "descending": False}]},
         "by=[t descending, u]"),
        # What is of no such form stays as it is.
        ({"columns": {"t": "x"}}, 'columns={t: "x"}'),
        ({"where": {**COLD, "figure": {"mean": "t"}}},
         'where={column: "t", op: "<", value: 0, figure: {mean: "t"}}'),
    ],
)  # fmt: skip
def test_a_person_reads_conditions_measures_and_orders_in_short(
    arguments: dict[str, object], text: str
) -> None:
    call = Call.model_validate({"name": "Step", "arguments": arguments})
    assert call_text(call, 400, short=True) == f"Step({text})"
    first = next(iter(arguments.values()))
    assert ("{" in call_text(call, 400)) == ("{" in str(first))
