"""Examples of every action, over small frames that have of everything: the contract tests run them.

They speak of the columns of `PLOTS`, and for a second input of those of `CITIES`.
"""

from datetime import date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
from said import said

from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.sources.graphs.facts import read_relations, write_relations
from wideleaf.tools.tables.relations import FACT, Relation

PLOTS = pl.DataFrame(
    {
        "plot": [1, 2, 2, 3, None, 5, 6, 6],
        "city": ["Århus", "århus ", "Åbo", None, "Bergen", "北京", "Bergen", "Bergen"],
        "height": [1.5, float("nan"), 2.5, None, -0.5, 0.0, 2.5, 2.5],
        "leaf_1": [1, 2, None, None, 5, 6, 7, 7],
        "leaf_2": [None, 2, 3, None, 5, 0, 7, 7],
        "leaf_30": [1, 2, 3, None, 5, 6, -7, -7],
        "sown": [date(2024, 2, 29), None, *[date(2023, 12, 31)] * 6],
        "seen": [datetime(2024, 3, 1, 12), None, *[datetime(2024, 1, 1, 6, 30)] * 6],
        "good": [True, False, None, True, True, False, True, True],
        "note": ["1,250", " 7 ", "x", None, "", "-3.5", "5%", "1e3"],
    }
)
CITIES = pl.DataFrame(
    {
        "city": ["Bergen", "Århus", None, "Bergen"],
        "plot": [1.0, 2.0, None, 6.0],
        "rain": [9, 8, 7, 6],
    }
)

# What an action needs beside these two tables: rows like those of PLOTS, or indicators.
OTHER_PLOTS = pl.concat([PLOTS.tail(5), PLOTS.head(2), PLOTS.head(1)]).select(
    pl.col("plot").cast(pl.Float64), pl.col(reversed(PLOTS.columns[1:]))
)
LATER_PLOTS = PLOTS.tail(7).unique("plot", keep="first", maintain_order=True)
LATER_PLOTS = LATER_PLOTS.with_columns(
    pl.col("height").fill_null(0.5), note=pl.when(pl.col("plot") > 4).then("note")
)
MARKED = PLOTS.with_columns(
    crop_Oats=pl.Series([1, 0, 0, 1, None, 0, 0, 0]),
    crop_Rye=pl.Series([0.0, 1.0, 0.0, 1.0, 1.0, None, 0.0, 0.0]),
    crop_Wheat=pl.Series([False, False, True, False, None, None, False, True]),
)
MANY = pl.concat(  # rows to learn from, each unlike the others
    [PLOTS.with_columns(pl.col("height") + place, pl.col("leaf_1") * place) for place in range(5)]
)
SEASONS = pl.DataFrame(  # three years of months in two cities, with a gap and a null
    {
        "city": [city for city in ("Bergen", "Åbo") for _ in range(36)],
        "sown": [date(2020 + m // 12, m % 12 + 1, 1) for _ in range(2) for m in range(36)],
        "plot": [2020 + m // 12 for _ in range(2) for m in range(36)],
        "height": [
            None if m == 7 else c + m / 4 + (m % 12 - 5.5) ** 2 / 8 + (m * 7 % 5) / 10
            for c in range(2)
            for m in range(36)
        ],
    }
).filter(pl.col("sown") != date(2021, 5, 1))
LISTED = PLOTS.with_columns(
    tags=pl.Series(["wet; dry", "wet", "", None, " dry;wet ;cold", "a;;b", ";", "x"]),
    items=pl.Series(
        ["['a', \"it's\"]", "[1, 2.5]", "[]", None, "[None, 'b']", "", "[x y]", "['É']"]
    ),
)
FRAMES: dict[str, tuple[pl.DataFrame, ...]] = {
    "Split": (LISTED,),
    "Union": (PLOTS, OTHER_PLOTS),
    "Intersect": (PLOTS, OTHER_PLOTS),
    "Difference": (PLOTS, OTHER_PLOTS),
    "Compare": (PLOTS.head(6).unique("plot", keep="first", maintain_order=True), LATER_PLOTS),
    "FromOneHot": (MARKED,),
    "Chart": (CITIES,),
    "Predict": (MANY,),
    "Associate": (MANY,),
    "Test": (MANY,),
    "Fit": (MANY,),
    "Trend": (SEASONS,),
}

FACTS = pl.DataFrame(
    [
        ("Ada", "born in", "Bergen"),
        ("Ada", "knows", "Bo"),
        ("Ada", "knows", "Åse"),
        ("Ada", "length", "1.7"),
        ("Bo", "born in", "Åbo"),
        ("Bo", "length", "1,250"),
        ("Bo", "knows", "Ada"),
        ("Cy", "born in", "bergen "),
        ("Cy", "length", "1.7"),
        ("Cy", "died", "1999-12-31"),
        ("Dee", "died", "2001-01-02"),
        ("Dee", "length", "tall"),
        ("Dee", "knows", "Ada"),
        ("Ada", "weight", "70.5"),
        ("Bo", "weight", "82"),
        ("Dee", "weight", "70.5"),
        ("Bergen", "rain", "2250"),
        ("Åbo", "rain", "700"),
        ("Eve", "number", "7"),
        (None, "knows", "Eve"),
        ("Eve", "knows", None),
    ],
    schema=["head", "relation", "tail"],
    orient="row",
)
REIGNS = pl.DataFrame(
    [
        ("Ada", "leads", "Bergen", 1990, 1994),
        ("Bo", "leads", "Bergen", 1994, 1999),
        ("Bo", "leads", "Åbo", 2001, 2001),
        ("Cy", "leads", "Åbo", None, 1990),
        ("Dee", "leads", "Bergen", 2000, None),
        ("Eve", "leads", "Bergen", None, None),
        ("Ada", "plays", "chess", 1994, 1994),
        ("Ada", "plays", "go", 1994, 1996),
    ],
    schema=["head", "relation", "tail", "start", "end"],
    orient="row",
)
DAYS = REIGNS.with_columns(
    pl.when(pl.col(name).is_not_null()).then(pl.date(pl.col(name), month, day)).alias(name)
    for name, month, day in (("start", 3, 1), ("end", 10, 31))
)
NAMED = pl.DataFrame({"place": [1, 2, 3, 4], "name": ["Ada", "bo ", None, "nobody"]})
TOWNS = pl.DataFrame({"city": ["Bergen", "Åbo", None, "Bergen"]})
SIZES = pl.DataFrame({"size": [1.7, 2.5, None, 700.0]})
YEARS = pl.DataFrame({"time": [1994, 1999, None]})
ROWS = pl.DataFrame({"row_number": [2, 5, 8, 2, None], "city": ["a", None, "b", "a", "c"]})
GETS: list[tuple[tuple[pl.DataFrame, ...], dict[str, Any]]] = [
    ((FACTS,), {}),
    ((FACTS,), {"head": "ada"}),
    ((FACTS,), {"relation": "born in"}),
    ((FACTS,), {"relation": "length"}),
    ((FACTS,), {"relation": "rain", "head": ["Bergen", "Åbo"], "beside": True}),
    ((FACTS,), {"key": "died", "head": "Cy"}),
    ((FACTS,), {"relation": "born in", "tail": "BERGEN"}),
    ((FACTS,), {"relation": "born in", "tail": "Bergen", "tail_cmp": "!="}),
    ((FACTS,), {"relation": "number", "tail": 7}),
    ((FACTS,), {"relation": "length", "tail": 1.7, "tail_cmp": ">"}),
    ((FACTS,), {"key": "length", "value": "1250", "value_cmp": ">="}),
    ((FACTS,), {"relation": "born in", "key": "knows", "value": "Ada"}),
    ((FACTS,), {"relation": "born in", "tail": ["Bergen", "Åbo"], "key": "length"}),
    ((FACTS,), {"relation": "length", "tail": 1.7, "key": "died", "value": "1999-12-31"}),
    ((FACTS,), {"relation": "born in", "key": "rain", "head": "Ada"}),
    ((FACTS, NAMED), {"relation": "knows", "heads": 1}),
    ((FACTS, NAMED), {"relation": "knows", "tails": 1, "beside": True}),
    ((FACTS, NAMED), {"relation": "knows", "tails": 1, "tail_cmp": "!="}),
    ((FACTS, SIZES), {"relation": "length", "tails": 1, "tail_cmp": "<="}),
    ((FACTS, SIZES, NAMED), {"relation": "rain", "key": "length", "tails": 1, "values": 1}),
    ((FACTS, NAMED, TOWNS), {"relation": "knows", "tails": 1, "key": "born in", "values": 2}),
    ((REIGNS,), {"relation": "leads", "tail": "Bergen"}),
    ((REIGNS,), {"relation": "leads", "tail": "Bergen", "key": "time"}),
    ((REIGNS,), {"head": "Ada", "key": "start_time"}),
    ((REIGNS,), {"relation": "leads", "head": "Bo", "key": "end_time"}),
    ((REIGNS,), {"relation": "leads", "tail": "Bergen", "key": "time", "value": 1994}),
    (
        (REIGNS,),
        {"relation": "leads", "head": "Ada", "key": "time", "value": [1993, 2020]},
    ),
    (
        (REIGNS,),
        {
            "relation": "leads",
            "tail": "Bergen",
            "key": "start_time",
            "value": 1994,
            "value_cmp": ">=",
        },
    ),
    (
        (REIGNS,),
        {"relation": "leads", "tail": "Bergen", "key": "time", "value": 1994, "value_cmp": "!="},
    ),
    ((REIGNS, YEARS), {"relation": "leads", "tail": "Bergen", "key": "time", "values": 1}),
    (
        (REIGNS, YEARS, NAMED),
        {"relation": "leads", "heads": 2, "key": "end_time", "values": 1, "value_cmp": "<"},
    ),
    ((DAYS,), {"relation": "leads", "tail": "Bergen", "key": "time", "value": "1994-05"}),
    (
        (DAYS,),
        {
            "relation": "leads",
            "tail": "Bergen",
            "key": "end_time",
            "value": "1999-10-31",
            "value_cmp": "<=",
        },
    ),
    ((DAYS,), {"relation": "plays", "key": "time", "tail": "go"}),
    ((PLOTS,), {}),
    ((PLOTS,), {"relation": "city"}),
    ((PLOTS,), {"relation": "city", "tail": "bergen"}),
    ((PLOTS,), {"relation": "height", "tail": 0, "tail_cmp": ">", "key": "city"}),
    ((PLOTS,), {"relation": "note", "key": "plot", "value": [1, 6], "beside": True}),
    ((PLOTS,), {"relation": "sown", "tail": "2023", "key": "city", "value": "Bergen"}),
    ((PLOTS,), {"relation": "city", "key": "note", "head": 5}),
    ((PLOTS,), {"key": "note", "value": 7}),
    ((PLOTS,), {"key": "note", "value": 7, "value_cmp": "<"}),
    ((PLOTS,), {"relation": "good", "head": [1, "[line_3]"]}),
    ((PLOTS, TOWNS), {"relation": "plot", "key": "city", "values": 1}),
    ((PLOTS, TOWNS), {"relation": "city", "tails": 1, "tail_cmp": "!="}),
    ((PLOTS, ROWS), {"relation": "city", "heads": 1, "shift": -1}),
    ((PLOTS, ROWS), {"heads": 1, "shift": 1}),
    ((PLOTS, SIZES), {"key": "height", "values": 1, "value_cmp": ">"}),
    ((PLOTS,), {"relation": "city", "head": 2, "shift": 1, "beside": True}),
    ((FACTS,), {"relation": "weight"}),
    ((FACTS,), {"relation": "weight", "tail": 70.5, "beside": True}),
    ((FACTS, SIZES), {"relation": "weight", "tails": 1, "tail_cmp": ">="}),
    ((FACTS,), {"relation": "died", "tail": "2000-05-05", "tail_cmp": "<", "key": "length"}),
]
"""Frames and arguments of Get: over facts, over facts with times, and over the rows of a table."""


def frames_of(name: str, place: int = 0) -> tuple[pl.DataFrame, ...]:
    """The input frames of an action's example, its optional ones behind."""
    if name == "Get":
        return GETS[place][0]
    return FRAMES.get(name, (PLOTS, CITIES))[: len(find_action(name).inputs)]


def relations_of(frame: pl.DataFrame) -> tuple[Relation, ...]:
    """The relations of a frame of facts, as a source of it lists them; of other frames none."""
    if not {*frame.columns} >= {*FACT}:
        return ()
    if id(frame) not in _LISTED:
        with TemporaryDirectory() as folder:
            write_relations(frame.lazy(), listing := Path(folder) / "listing", "facts")
            _LISTED[id(frame)] = (frame, read_relations(listing))
    return _LISTED[id(frame)][1]


_LISTED: dict[int, tuple[pl.DataFrame, tuple[Relation, ...]]] = {}
"""The relations of frames, each with the frame, whose id is its own as long as it lives."""


EXAMPLES: dict[str, list[dict[str, Any]]] = {
    "Get": [arguments for _, arguments in GETS],
    "Describe": [{}, {"columns": ["height", "leaf_*"]}],
    "Sample": [{"n": 3}, {"n": 1000, "seed": 7}],
    "Select": [{"columns": ["height", "leaf_{1..2}"]}],
    "Filter": [
        {"where": {"column": "height", "op": ">", "value": "1"}},
        {"where": [{"column": "city", "op": "==", "value": "ÅRHUS"}]},
        {
            "where": {
                "any": [
                    {"column": "plot", "op": "in", "value": [1, 2.0]},
                    {"not": {"column": "city", "op": "starts with", "value": "b"}},
                    {"all": [{"column": "sown", "op": "<", "value": "2024-01-01"}]},
                    {"column": "seen", "op": "between", "value": ["2024-01-01", "2024-01-01"]},
                    {"column": "good", "op": "==", "value": "true"},
                    {"column": "leaf_1", "op": "!=", "other": "leaf_2"},
                ]
            }
        },
        {"where": {"column": "city", "op": "==", "value": "nowhere"}},
        {
            "where": {
                "any": [
                    {"column": "sown", "op": "==", "value": "2024-02"},
                    {"column": "seen", "op": ">", "value": "today - 3 days"},
                    {"column": "seen", "part": "weekday", "op": "in", "value": ["Monday", 7]},
                    {"column": "city", "op": "matches", "value": "^[^a-z]\\w+$"},
                    {"column": "note", "op": "is empty"},
                    {"column": "city", "op": "not like", "value": "%e%"},
                ]
            }
        },
    ],
    "DropNulls": [
        {},
        {"columns": ["leaf_*", "height"]},
        {"columns": ["plot", "city"], "how": "all"},
    ],
    "Derive": [
        {"name": "ratio", "expression": {"op": "/", "args": ["height", "leaf_2"]}},
        {"name": "leaf mean", "expression": {"row": "mean", "columns": "leaf_*"}},
        {
            "name": "above",
            "expression": {"row": "count", "columns": ["leaf_*"], "op": ">", "value": 2},
        },
        {"name": "height", "expression": {"op": "round", "args": ["height", 1]}},
        {"name": "number", "expression": {"cast": "number", "of": "note"}},
        {
            "name": "size",
            "expression": {
                "if": {"column": "city", "op": "==", "value": "bergen"},
                "then": {"value": "big"},
                "else": {"op": "lower", "args": ["city"]},
            },
        },
        {"name": "days", "expression": {"op": "days between", "args": ["sown", "seen"]}},
        {"name": "best", "expression": {"row": "which max", "columns": "leaf_*"}},
        {"name": "due", "expression": {"op": "add days", "args": ["sown", "plot"]}},
        {
            "name": "letters",
            "expression": {
                "cases": [
                    {
                        "if": {"column": "height", "op": ">", "value": 1},
                        "then": {"op": "extract", "args": ["city", "^(\\w{2})"]},
                    }
                ],
                "else": {"op": "format date", "args": ["seen", "DD.MM.YYYY"]},
            },
        },
        {"name": "share", "expression": {"cast": "number", "of": "note", "format": "5%"}},
        {"name": "tall", "expression": {"test": {"column": "height", "op": ">", "value": 1}}},
    ],
    "Sort": [
        {"by": "-height"},
        {"by": [{"column": "height", "descending": True}, "plot"], "limit": 2},
    ],
    "Group": [
        {"keys": "city"},
        {"keys": ["good"], "measures": [{"function": "mean", "column": "height"}]},
        {"keys": ["city", "good"], "measures": [{"function": "sum", "column": "leaf_*"}]},
        {
            "keys": ["good"],
            "measures": [
                {"function": "mode", "column": "city"},
                {"function": "first", "column": "note", "order": ["-height", "plot"]},
                {"function": "last", "column": "leaf_*", "order": "seen"},
            ],
        },
        {
            "keys": "city",
            "measures": [
                {"function": "quantile", "q": 0.9, "column": "height"},
                {"function": "weighted mean", "column": "height", "weight": "leaf_1"},
                {"function": "share"},
                {"function": "range", "column": "plot"},
            ],
        },
        {
            "keys": "good",
            "measures": [
                {"function": "iqr", "column": "leaf_*"},
                {"function": "mad", "column": "height"},
                {"function": "std", "column": "plot", "population": True},
                {"function": "confidence interval", "column": "leaf_1"},
                {"function": "skewness", "column": "leaf_2"},
            ],
        },
        {
            "keys": "city",
            "measures": [
                {"function": "string_agg", "column": "note", "order": "-height", "name": "notes"},
                {"function": "list distinct", "column": "good"},
                {"function": "list", "column": "seen"},
                {"function": "max", "column": "sown"},
            ],
        },
    ],
    "Aggregate": [
        {"measures": [{"function": "count"}, {"function": "median", "column": "height"}]},
        {"measures": [{"function": "count distinct", "column": "city", "name": "cities"}]},
        {
            "measures": [
                {"function": "mode", "column": "leaf_*"},
                {"function": "first", "column": "height", "order": "sown"},
                {"function": "share", "column": "height"},
                {"function": "all", "column": "good"},
            ]
        },
        {
            "measures": [
                {"function": "iqr", "column": "plot"},
                {"function": "sem", "column": "leaf_1", "name": "error"},
                {"function": "geometric mean", "column": "leaf_30"},
            ]
        },
        {
            "measures": [
                {"function": "unique list", "column": "leaf_*"},
                {"function": "list", "column": "height"},
            ]
        },
    ],
    "Join": [
        {"on": "city", "how": "left"},
        {"on": [{"left": "plot", "right": "plot"}]},
        {"on": ["city"], "how": "full"},
        {"on": ["city"], "how": "semi"},
        {"on": ["plot"], "how": "anti"},
        {"on": [{"left": "leaf_1", "right": "rain"}], "how": "right"},
        {"how": "cross"},
        {"how": "asof", "nearest": {"left": "height", "right": "plot"}, "direction": "after"},
        {"how": "asof", "nearest": "plot", "on": "city", "direction": "nearest", "tolerance": 1},
    ],
    "Distinct": [
        {},
        {"columns": "city"},
        {"columns": ["good", "leaf_{1..2}"]},
    ],
    "Union": [{}, {"distinct": True}],
    "Intersect": [{}, {"distinct": False}],
    "Difference": [{}, {"distinct": False}],
    "Compare": [{"on": "plot"}, {"on": ["plot", "city"], "columns": ["height", "note"]}],
    "Pivot": [
        {"columns": "city", "index": "good"},
        {"columns": "city", "index": ["good", "plot"], "value": "height", "headers": "numbers"},
        {"columns": "good", "index": "city", "value": "leaf_1", "function": "mean"},
        {"columns": "sown", "index": "plot", "value": "note", "function": "max"},
        {"columns": "seen", "index": "plot", "value": "height", "function": "count distinct"},
        {"columns": "height", "index": "good", "function": "share"},
    ],
    "Unpivot": [
        {"columns": "leaf_*"},
        {"columns": "leaf_{1..2}", "keep": ["city", "plot"], "name": "leaf", "value": "n"},
        {"columns": ["height", "plot"], "keep": "note", "drop_nulls": True},
    ],
    "FromOneHot": [
        {"columns": "crop_*", "name": "crop"},
        {"columns": ["crop_Rye", "crop_Oats"], "name": "crop_oats"},
        {"columns": ["good", "crop_Rye"], "name": "what"},
    ],
    "Bin": [
        {"column": "height", "edges": [None, 0, 2, None], "closed": "left"},
        {"column": "leaf_1", "count": 3},
        {"column": "plot", "quantiles": 4, "number": True, "name": "quarter"},
        {"column": "height", "edges": [-1, 1, 2], "labels": ["low", "high"]},
    ],
    "Normalise": [
        {"columns": "leaf_2"},
        {"columns": ["leaf_30", "height"], "method": "min max", "low": -1, "replace": True},
        {"columns": ["height", "leaf_1"], "method": "robust"},
        {"columns": "good", "method": "log1p"},
        {"columns": ["height", "plot"], "method": "rank", "by": "good"},
        {"columns": "height", "by": ["city"], "population": True},
        {"columns": ["height", "leaf_30"], "method": "max_abs", "by": "plot"},
    ],
    "Impute": [
        {"columns": ["height", "leaf_*"], "method": "mean"},
        {"columns": ["height", "leaf_1"], "method": "median", "by": "city"},
        {"columns": ["city", "good", "sown"], "method": "mode", "by": "plot", "fallback": False},
        {"columns": ["height", "plot"], "method": "value", "value": 0.5},
        {"columns": ["city", "leaf_*"], "method": "ffill", "order": ["-seen", "note"]},
        {"columns": ["height", "leaf_1"], "method": "interpolate", "order": "plot"},
        {"columns": ["height", "leaf_1"], "method": "knn", "neighbours": 2, "with": "leaf_{2..30}"},
        {"columns": ["note", "leaf_2"], "method": "next", "order": "height", "by": "good"},
        {"columns": ["sown"], "method": "value", "value": "2024-05-31"},
        {"columns": ["city", "height"], "method": "mode", "by": "good"},
    ],
    "Split": [
        {"column": "tags", "separator": ";"},
        {"column": "items", "name": "item", "place": "number"},
        {"column": "city", "separator": "space", "names": ["city 1", "city 2"]},
        {"column": "items", "separator": "list", "into": "columns"},
        {"column": "tags", "separator": ";", "count": 2, "strip": False},
    ],
    "Chart": [
        {"form": "bar", "x": "plot", "y": "rain"},
        {"form": "line chart", "x": "rain", "y": "plot", "title": "Plots"},
        {"form": "histogram", "y": "rain", "bins": 4},
        {},
    ],
    "Window": [
        {"function": "rank", "order": "-height", "by": "good"},
        {"function": "lag", "column": "height", "by": ["city"], "order": ["plot", "-seen"]},
        {"function": "running_total", "column": "leaf_1", "order": "sown", "name": "so far"},
        {"function": "rolling max", "column": "height", "n": 3, "order": ["note", "plot"]},
        {"function": "group sum", "column": "height", "by": "city"},
        {"function": "group count", "by": ["good", "sown"], "name": "rows"},
    ],
    "Position": [{}, {"name": "place"}],
    "Resample": [
        {"time": "sown", "every": "month", "by": "city"},
        {
            "time": "seen",
            "every": "6 hours",
            "measures": [{"function": "sum", "column": "leaf_*"}],
            "fill": "zero",
        },
        {
            "time": "sown",
            "every": "2 weeks",
            "by": ["good"],
            "measures": [{"function": "max", "column": "city"}],
            "fill": "previous",
        },
    ],
    "Correlate": [
        {"column": "height"},
        {"column": "leaf_1", "with": ["height", "leaf_{2..30}"], "method": "spearman"},
        {"with": ["height", "leaf_*", "good"], "method": "kendall", "limit": 3},
        {"column": "plot", "with": "leaf_*", "by": "good"},
        {"with": ["plot", "city", "good", "note"], "method": "mixed"},
        {"by": ["sown", "good"], "limit": 1},
    ],
    "PCA": [{"columns": ["leaf_*", "height"]}, {"columns": "leaf_*", "n": 3, "scale": False}],
    "Anomaly": [
        {"columns": ["height", "leaf_*"]},
        {"columns": "height", "method": "z-score", "by": "good", "threshold": 1},
        {"columns": ["height", "plot"], "method": "z-score", "population": True},
        {"columns": ["plot"], "method": "iqr"},
        {"columns": "leaf_*", "method": "isolation forest"},
    ],
    "Cluster": [
        {"columns": ["leaf_*", "height"], "k": 2},
        {"columns": ["leaf_*", "good"], "method": "hierarchical", "k": 2, "nulls": "mean"},
        {"columns": "leaf_*", "method": "hdbscan", "smallest": 2, "result": "profiles"},
    ],
    "Predict": [
        {"target": "height", "features": ["leaf_*", "city"]},
        {"target": "good", "features": ["plot", "leaf_*"], "result": "predictions"},
        {"target": "city", "features": "height", "model": "forest", "result": "importances"},
        {"target": "city", "features": ["height", "leaf_*"], "result": "coefficients"},
        {
            "target": "height",
            "features": ["leaf_*", "plot"],
            "model": "decision tree",
            "depth": 2,
            "time": "plot",
            "folds": 2,
        },
        {
            "target": "good",
            "features": "leaf_*",
            "model": "naive bayes",
            "result": "predictions",
            "groups": "note",
        },
    ],
    "Test": [
        {"test": "t-test", "columns": "height", "between": "good"},
        {
            "test": "welch",
            "columns": ["height", "leaf_*"],
            "between": "city",
            "groups": ["BERGEN", "北京"],
            "alternative": "less",
        },
        {"test": "paired t", "columns": ["leaf_1", "leaf_2"], "by": "good"},
        {"test": "one sample t-test", "columns": ["height", "plot"], "value": 2.5},
        {"test": "mann-whitney", "columns": ["height", "leaf_1"]},
        {"test": "wilcoxon", "columns": ["leaf_1", "leaf_30"]},
        {"test": "chi2", "columns": ["city", "note"], "between": "good"},
        {"test": "chi-square", "columns": ["city", "plot"]},
        {
            "test": "fisher exact",
            "columns": "good",
            "between": "city",
            "groups": ["århus", "bergen"],
        },
        {
            "test": "test of proportions",
            "columns": "good",
            "between": "city",
            "groups": ["århus", "bergen"],
        },
        {"test": "anova", "columns": "height", "between": "city"},
        {"test": "kruskal", "columns": ["leaf_*"], "by": ["city"]},
        {"test": "levene", "columns": ["height", "leaf_1"], "between": "sown", "alpha": 0.01},
        {"test": "normality", "columns": ["height", "leaf_*"], "by": "good"},
        {"test": "d'agostino", "columns": "height"},
        {"test": "ks", "columns": "height"},
        {"test": "kolmogorov", "columns": ["height"], "between": "plot", "groups": [2, 6.0]},
    ],
    "Fit": [
        {"target": "height", "features": ["leaf_*", "city"]},
        {
            "target": "height",
            "features": ["leaf_1", "plot"],
            "robust": True,
            "result": "summary",
            "order": "leaf_30",
        },
        {
            "target": "height",
            "features": ["leaf_1", "plot"],
            "result": "residuals",
            "intercept": False,
        },
        {"target": "good", "features": ["height", "plot"], "model": "logit", "result": "residuals"},
        {"target": "plot", "features": "height", "model": "poisson", "result": "summary"},
        {"target": "plot", "model": "distribution", "result": "summary"},
        {"target": "height", "model": "distribution", "distributions": ["normal", "logistic"]},
    ],
    "Associate": [
        {"where": {"column": "city", "op": "==", "value": "bergen"}, "columns": ["height", "note"]},
        {"column": "height", "columns": ["leaf_*", "city", "good"]},
        {"column": "city", "columns": ["height", "plot", "good"]},
        {"where": {"column": "good", "op": "==", "value": True}, "columns": ["leaf_*", "city"]},
    ],
    "Trend": [
        {"time": "sown", "column": "height", "by": "city"},
        {"time": "plot", "column": "height"},
        {"time": "sown", "column": "height", "result": "seasonality"},
        {"time": "plot", "column": "height", "by": ["city"], "result": "growth"},
        {"time": "sown", "column": "height", "by": "city", "result": "seasonality", "period": 6},
    ],
    "Runs": [
        {"order": "plot", "where": {"column": "height", "op": ">", "value": 0}},
        {"order": ["-seen", "plot"], "column": "city", "by": "good", "limit": 1},
        {
            "order": "sown",
            "where": {"column": "city", "op": "in", "value": ["bergen", "Åbo"]},
            "by": ["good", "note"],
            "steps": "consecutive",
        },
        {"order": "-plot", "column": "good", "steps": "consecutive", "limit": 2},
    ],
    "Judge": [
        said("Judge", {"columns": "note", "criterion": "a number"}, PLOTS),
        said("Judge", {"columns": ["city", "note"], "criterion": "so", "into": "so"}, PLOTS),
        said("Judge", {"columns": ["city"], "criterion": "far", "quote": True}, PLOTS),
    ],
    "Label": [
        said("Label", {"columns": ["city"], "classes": ["north", "south"]}, PLOTS),
        said(
            "Label",
            {"columns": ["city", "plot"], "classes": ["a", "b"], "into": "part", "quote": True},
            PLOTS,
        ),
    ],
    "Extract": [
        said("Extract", {"columns": ["note"], "fields": ["first"]}, PLOTS),
        said(
            "Extract",
            {
                "columns": ["note", "city"],
                "fields": [
                    {"name": "n", "kind": "number"},
                    {"name": "yes", "kind": "boolean"},
                    {"name": "day", "kind": "date"},
                ],
                "quote": True,
            },
            PLOTS,
        ),
    ],
    "Match": [
        said("Match", {"columns": ["city"], "other": ["city"]}, PLOTS, CITIES),
        said("Match", {"columns": ["city"], "other": "city", "how": "left"}, PLOTS, CITIES),
    ],
    "Rank": [said("Rank", {"columns": ["city"], "criterion": "cold", "n": 3}, PLOTS)],
    "Summarise": [
        said("Summarise", {"columns": ["note"]}, PLOTS),
        said("Summarise", {"columns": ["note"], "by": ["city", "good"]}, PLOTS),
    ],
    "Craft": [  # engines may list rows in another order, so the code puts its own in one
        {
            "task": "the mean height of each city, the tallest first",
            "signature": "tall(plots) -> city: text, height: number",
            "code": "def tall(plots):\n    found = plots.groupby('city')['height'].mean()\n"
            "    return found.reset_index().sort_values(['height', 'city'])",
            "function": "tall",
        },
        {
            "task": "plots with a leaf, with their day and what was noted",
            "code": "kept = df[df['leaf_1'].notna()][['height', 'sown', 'seen', 'note']]\n"
            "result = kept.sort_values(['height', 'note'])",
        },
        {
            "task": "rows of good plots in a row",
            "signature": "-> number",
            "code": "def runs(df):\n    return (df['good'] == True).sum()",
            "function": "runs",
            "headers": "numbers",
        },
    ],
}
