"""Every function of an expression against the same in plain Python, on every engine."""

import math
import re
import statistics
import tempfile
import time
from calendar import monthrange
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from acting import of_one, run, table, tries
from hypothesis import given, settings
from hypothesis import strategies as st
from on_engines import engine_for, every_engine
from pydantic import TypeAdapter, ValidationError

from wideleaf.tools.errors import ActionError
from wideleaf.tools.expressions.derivation import Builder
from wideleaf.tools.expressions.expression import Expression
from wideleaf.tools.expressions.formulas import resolve_expression
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call

Row = dict[str, Any]
Reference = Callable[[Row], Any]
SCHEMA = {
    "a": pl.Float64, "b": pl.Float64, "n": pl.Int32, "t": pl.String, "u": pl.String,
    "d": pl.Date, "e": pl.Date, "m": pl.Datetime("us"), "k": pl.Datetime("us"), "p": pl.Boolean,
    "x_1": pl.Float64, "x_2": pl.Float64, "x_3": pl.Int64, "y": pl.Int64,
}  # fmt: skip
WORDS = (
    "a", "A b", " Århus\u00a0", "ÅRHUS", "", "  ", "x,y,,z", "7", " 1,250 ", "12.5%", "$3", "(4)",
    "2024-02-29", "31.12.2023", "1.2.2024", "yes", "No", "true", "0", "Σίσυφος ΑΣ", "straße",
    "日本,語", "2024-01-05 06:07", "2024-13-01", "$1\\2", "a-b_c9", "İx",
    "B12-ab", "5 May 2023", "3,5 €",
)  # fmt: skip
quarters = st.integers(-12, 12).map(lambda n: n / 4)
days = st.dates(date(1899, 1, 1), date(2101, 12, 31)) | st.sampled_from(
    [date(2024, 2, 29), date(2024, 1, 31), date(2020, 12, 31), date(2021, 1, 3), date(2023, 1, 1)]
)
times = st.datetimes(datetime(1899, 1, 1), datetime(2101, 1, 1)).map(
    lambda t: t.replace(microsecond=t.microsecond // 250_000 * 250_000)
)
CELLS: dict[str, st.SearchStrategy[Any]] = {
    "a": quarters | st.just(math.nan), "b": quarters, "n": st.integers(-40, 40),
    "t": st.sampled_from(WORDS), "u": st.sampled_from(WORDS), "d": days, "e": days, "m": times,
    "k": times, "p": st.booleans(), "x_1": quarters, "x_2": quarters, "x_3": st.integers(-2, 2),
    "y": st.integers(-5, 5) | st.integers(1990, 2030),
}  # fmt: skip
row_of = st.fixed_dictionaries({name: st.none() | cell for name, cell in CELLS.items()})
rows_of = st.lists(row_of, min_size=0, max_size=6)


def op(name: str, *args: Any) -> dict[str, Any]:
    return {"op": name, "args": list(args)}


def of(*columns: str) -> Callable[[Callable[..., Any]], Reference]:
    """A reference that is null where one of its columns is."""

    def wrapped(function: Callable[..., Any]) -> Reference:
        def reference(row: Row) -> Any:
            cells = [row[name] for name in columns]
            return None if any(cell is None for cell in cells) else function(*cells)

        return reference

    return wrapped


def midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day)


def months_later(day: date, count: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + count, 12)
    return day.replace(year=year, month=month + 1, day=min(day.day, monthrange(year, month + 1)[1]))


def months_between(start: date, end: date) -> int:
    if end < start and (moved := -months_between(end, start)) != 0:
        return moved
    months = (end.year - start.year) * 12 + end.month - start.month

    def within(moment: date) -> tuple[Any, ...]:
        clock = moment.time() if isinstance(moment, datetime) else datetime.min.time()
        return moment.day, clock

    early = within(end) < within(start)
    return months - early if months - early >= 0 else 0


def made_date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def part_of(text: str, delimiter: str, number: int) -> str | None:
    parts = text.split(delimiter)
    place = number - 1 if number > 0 else len(parts) + number
    return parts[place] if 0 <= place < len(parts) else None


def plain_number(text: str) -> float | None:
    text = text.strip()
    if not re.fullmatch(r"[+-]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?", text, re.ASCII):
        return None
    return float(text.replace(",", ""))


def number_formed(pattern: str, read: Callable[[str], float]) -> Callable[[str], float | None]:
    return lambda text: read(text.strip()) if re.fullmatch(pattern, text.strip()) else None


def iso_date(text: str) -> date | None:
    text = text.strip()
    return made_date(*map(int, text.split("-"))) if re.fullmatch(r"\d{4}-\d\d-\d\d", text) else None


def iso_time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        return None


def dotted(text: str) -> date | None:
    found = re.fullmatch(r"(\d{1,2})\.(\d{1,2})\.(\d{4})", text.strip())
    return made_date(int(found[3]), int(found[2]), int(found[1])) if found else None


def boolean(text: str) -> bool | None:
    word = text.strip().lower()
    return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}.get(word)


def shown(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)


def lowered(text: str) -> str:
    return text.replace("Σ", "σ").lower()


def present(row: Row) -> list[tuple[str, float]]:
    return [(name, row[name]) for name in ("x_1", "x_2", "x_3") if row[name] is not None]


def spread(row: Row) -> float | None:
    values = [value for _, value in present(row)]
    return statistics.stdev(values) if len(values) > 1 else None


def extreme(best: Callable[..., Any]) -> Reference:
    return lambda row: best(present(row), key=lambda cell: cell[1])[0] if present(row) else None


def of_list(place: int) -> Reference:
    return lambda row: present(row)[place][1] if present(row) else None


ROW = "x_*"
CASES: dict[str, tuple[Any, Reference]] = {
    "//": (op("//", "a", "b"), of("a", "b")(lambda a, b: math.floor(a / b) if b else None)),
    "sign": (op("sign", "a"), of("a")(lambda a: (a > 0) - (a < 0))),
    "clip": (op("clip", "a", -1, "b"), of("a", "b")(lambda a, b: min(max(a, -1), b))),
    "log": (op("log", "a", 2), of("a")(lambda a: math.log2(a) if a > 0 else None)),
    "null if": (op("null if", "a", "b"), lambda r: None if r["a"] == r["b"] else r["a"]),
    "coalesce": (op("coalesce", "t", "u"), lambda r: r["u"] if r["t"] is None else r["t"]),
    "concat": (
        op("concat", "t", {"value": "/"}, "n", {"value": "/"}, "b", {"value": "/"}, "d", "p"),
        of("t", "n", "b", "d", "p")(
            lambda t, n, b, d, p: f"{t}/{n}/{shown(b)}/{d}{str(p).lower()}"
        ),
    ),
    "lower": (op("lower", "t"), of("t")(lowered)),
    "upper": (op("upper", "t"), of("t")(str.upper)),
    "title": (op("title", "t"), of("t")(lambda t: lowered(t).title())),
    "trim": (op("trim", "t"), of("t")(str.strip)),
    "length": (op("length", "t"), of("t")(len)),
    "left": (op("left", "t", 2), of("t")(lambda t: t[:2])),
    "right": (op("right", "t", 2), of("t")(lambda t: t[-2:])),
    "right 0": (op("right", "t", 0), of("t")(lambda t: "")),
    "substring": (op("substring", "t", 2, 3), of("t")(lambda t: t[1:4])),
    "substring -": (op("substring", "t", -3), of("t")(lambda t: t[-3:])),
    "position": (op("position", "t", ","), of("t")(lambda t: t.find(",") + 1)),
    "replace": (op("replace", "t", ",", "$1\\"), of("t")(lambda t: t.replace(",", "$1\\"))),
    "replace pattern": (
        op("replace pattern", "t", r"([a-z])[-,]([a-z])", r"\2$\1\\"),
        of("t")(lambda t: re.sub(r"([a-z])[-,]([a-z])", r"\2$\1\\", t)),
    ),
    "extract": (
        op("extract", "t", r"\d+"),
        of("t")(lambda t: m[0] if (m := re.search(r"[0-9]+", t)) else None),
    ),
    "extract group": (
        op("extract", "t", r"(?i)([a-z])([^a-z]|$)", 2),
        of("t")(lambda t: m[2] if (m := re.search(r"([a-zA-Zİ])([^a-zA-Z]|$)", t)) else None),
    ),
    "extract word": (
        op("extract", "t", r"\b\w+"),
        of("t")(lambda t: m[0] if (m := re.search(r"\b\w+", t)) else None),
    ),
    "split part": (op("split part", "t", ",", 2), of("t")(lambda t: part_of(t, ",", 2))),
    "split part -": (op("split part", "t", ",", -2), of("t")(lambda t: part_of(t, ",", -2))),
    "split long": (op("split part", "t", "1.", 1), of("t")(lambda t: part_of(t, "1.", 1))),
    "pad left": (op("pad left", "t", 4, "é"), of("t")(lambda t: t.rjust(4, "é"))),
    "pad right": (op("pad right", "t", 4), of("t")(lambda t: t.ljust(4))),
    "quarter": (op("quarter", "d"), of("d")(lambda d: (d.month + 2) // 3)),
    "week": (op("week", "d"), of("d")(lambda d: d.isocalendar()[1])),
    "weekday": (op("weekday", "m"), of("m")(datetime.isoweekday)),
    "hour": (op("hour", "m"), of("m")(lambda m: m.hour)),
    "minute": (op("minute", "m"), of("m")(lambda m: m.minute)),
    "second": (op("second", "m"), of("m")(lambda m: m.second)),
    "days in month": (op("days in month", "d"), of("d")(lambda d: monthrange(d.year, d.month)[1])),
    "date": (op("date", "y", "n", "x_3"), of("y", "n", "x_3")(made_date)),
    "truncate week": (
        op("truncate", "d", "week"), of("d")(lambda d: d - timedelta(days=d.weekday()))
    ),
    "truncate month": (op("truncate", "d", "months"), of("d")(lambda d: d.replace(day=1))),
    "truncate quarter": (
        op("truncate", "m", "quarter"),
        of("m")(lambda m: datetime(m.year, (m.month - 1) // 3 * 3 + 1, 1)),
    ),
    "truncate hour": (
        op("truncate", "m", "hour"), of("m")(lambda m: m.replace(minute=0, second=0, microsecond=0))
    ),
    "truncate day": (op("truncate", "m", "day"), of("m")(midnight)),
    "format date": (
        op("format date", "d", "%d.%m.%Y %B %a"), of("d")(lambda d: d.strftime("%d.%m.%Y %B %a"))
    ),
    "format time": (
        op("format date", "m", "YYYY/MM/DD HH:MM:SS"),
        of("m")(lambda m: m.strftime("%Y/%m/%d %H:%M:%S")),
    ),
    "add days": (op("add days", "d", "n"), of("d", "n")(lambda d, n: d + timedelta(days=n))),
    "add part days": (op("add days", "m", "b"), of("m", "b")(lambda m, b: m + timedelta(days=b))),
    "add months": (op("add months", "d", "n"), of("d", "n")(months_later)),
    "add months to a time": (op("add months", "m", -1), of("m")(lambda m: months_later(m, -1))),
    "add hours": (op("add hours", "m", "b"), of("m", "b")(lambda m, b: m + timedelta(hours=b))),
    "days between": (op("days between", "d", "e"), of("d", "e")(lambda d, e: (e - d).days)),
    "months between": (op("months between", "m", "k"), of("m", "k")(months_between)),
    "years between": (
        op("years between", "d", "e"), of("d", "e")(lambda d, e: int(months_between(d, e) / 12))
    ),
    "number": ({"cast": "number", "of": "t"}, of("t")(plain_number)),
    "percent": (
        {"cast": "number", "of": "t", "format": "5%"},
        of("t")(number_formed(r"\d+(\.\d+)?%", lambda t: float(t[:-1]) / 100)),
    ),
    "money": (
        {"cast": "number", "of": "t", "format": "1.234,5 €"},
        of("t")(number_formed(r"\d+(,\d+)?( €)?|\d{1,3}\.\d{3}", lambda t: float(
            t.replace(" €", "").replace(".", "").replace(",", ".")))),
    ),
    "brackets": (
        {"cast": "number", "of": "t", "format": "($1,234)"},
        of("t")(number_formed(r"\(4\)|\$?[\d,]*\d", lambda t: -4.0 if t == "(4)" else float(
            t.replace("$", "").replace(",", "")))),
    ),
    "text": ({"cast": "text", "of": "b"}, of("b")(shown)),
    "time as text": (
        {"cast": "text", "of": "m"}, of("m")(lambda m: str(m.replace(tzinfo=None)))
    ),
    "day": ({"cast": "date", "of": "t"}, of("t")(iso_date)),
    "dotted day": ({"cast": "date", "of": "t", "format": "DD.MM.YYYY"}, of("t")(dotted)),
    "named day": (
        {"cast": "date", "of": "t", "format": "%d %B %Y"},
        of("t")(lambda t: date(2023, 5, 5) if t == "5 May 2023" else None),
    ),
    "time": ({"cast": "datetime", "of": "t"}, of("t")(iso_time)),
    "formed time": (
        {"cast": "datetime", "of": "t", "format": "YYYY-MM-DD HH:mm"},
        of("t")(lambda t: iso_time(t) if ":" in t else None),
    ),
    "midnight": ({"cast": "datetime", "of": "d"}, of("d")(midnight)),
    "boolean": ({"cast": "boolean", "of": "t"}, of("t")(boolean)),
    "boolean of number": (
        {"cast": "boolean", "of": "x_3"}, of("x_3")(lambda x: bool(x) if x in (0, 1) else None)
    ),
    "cases": (
        {"cases": [{"if": {"column": "n", "op": ">", "value": 9}, "then": "a"},
                   {"if": {"column": "n", "op": "<", "value": -9}, "then": op("-", "a")}],
         "else": 0.5},
        lambda r: (r["a"] if r["n"] > 9 else -r["a"] if r["n"] < -9 and r["a"] is not None
                   else None if r["n"] < -9 else 0.5) if r["n"] is not None else 0.5,
    ),
    "test": (
        {"test": {"column": "t", "op": "starts with", "value": "å"}},
        of("t")(lambda t: t.lower().startswith("å")),
    ),
    "comparison as a function": (op(">=", "a", "b"), of("a", "b")(lambda a, b: a >= b)),
    "row std": ({"row": "std", "columns": ROW}, spread),
    "which max": ({"row": "which max", "columns": ROW}, extreme(max)),
    "which min": ({"row": "which min", "columns": ROW}, extreme(min)),
    "row first": ({"row": "first", "columns": ROW}, of_list(0)),
    "row last": ({"row": "last", "columns": ROW}, of_list(-1)),
    "latest": (
        {"row": "max", "columns": ["d", "e"]},
        lambda r: max((x for x in (r["d"], r["e"]) if x is not None), default=None),
    ),
}  # fmt: skip
EXPRESSIONS: TypeAdapter[Any] = TypeAdapter(Expression)


def made(rows: list[Row], engine: str, names: list[str]) -> list[Row]:
    """The results of expressions over rows that went through a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        frame = pl.DataFrame(rows, schema=SCHEMA).with_row_index("i")
        frame.write_parquet(path)
        given_table = Table(engine_for(engine).scan(path))
        wanted: dict[str, Any] = {}
        for name in names:
            parsed = EXPRESSIONS.validate_python(CASES[name][0])
            wanted[f"= {name}"], _ = resolve_expression(parsed, given_table)
        result = Builder(given_table).columns(wanted)
        found = result.select("i", *wanted).collect("polars").to_native().sort("i").to_dicts()
        return [{name: one[f"= {name}"] for name in names} for one in found]


def same(found: Any, expected: Any) -> bool:
    if isinstance(expected, float) or (isinstance(found, float) and expected is not None):
        return found is not None and math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12)
    return bool(found == expected)


def check(rows: list[Row], engine: str, names: list[str]) -> None:
    found = made(rows, engine, names)
    rows = [
        {k: None if isinstance(v, float) and math.isnan(v) else v for k, v in row.items()}
        for row in rows
    ]
    assert len(found) == len(rows)
    wrong = [
        (name, one[name], CASES[name][1](row), [v for v in row.values() if v is not None])
        for row, one in zip(rows, found, strict=True)
        for name in names
        if not same(one[name], CASES[name][1](row))
    ]
    assert not wrong, wrong[:3]


AT_ONCE = 26
ENDS = [date(2020 + n % 5, 1 + n % 12, 28 + (n % 12 != 1) * (n % 3)) for n in range(60)]
EVERY_WORD = [
    dict.fromkeys(SCHEMA) | {"t": word, "u": WORDS[-place], "n": place, "d": day, "e": other,
     "m": datetime(2024, 1, 31, 23, 59, 59, 250_000), "k": datetime(2023, 2, 28), "y": 2023 + place,
     "a": 0.5 * place - 3, "b": 0.0, "x_1": 1.0, "x_2": 1.0, "x_3": place % 4, "p": True}
    for place, (word, day, other) in enumerate(
        zip(WORDS, ENDS,
            [date(2024, 2, 29), date(2021, 1, 1), date(1999, 12, 31)] * 20, strict=False))
]  # fmt: skip


@every_engine
def test_every_function_gives_what_python_gives_for_every_sort_of_text(engine: str) -> None:
    names = sorted(CASES)
    for first in range(0, len(names), AT_ONCE):
        check(EVERY_WORD, engine, names[first : first + AT_ONCE])


some = st.lists(st.sampled_from(sorted(CASES)), min_size=6, max_size=6, unique=True)


@pytest.mark.slow
@given(rows_of)
@settings(derandomize=True, max_examples=tries(15))
def test_every_function_gives_what_python_gives_on_polars(rows: list[Row]) -> None:
    check(rows, "polars", sorted(CASES))


@pytest.mark.slow
@given(rows_of, some)
@settings(derandomize=True, max_examples=tries(25))
def test_functions_give_what_python_gives_on_duckdb(rows: list[Row], names: list[str]) -> None:
    check(rows, "duckdb", names)


@pytest.mark.spark
@given(st.lists(row_of, min_size=4, max_size=6), some)
@settings(derandomize=True, max_examples=tries(3))
def test_functions_give_what_python_gives_on_spark(rows: list[Row], names: list[str]) -> None:
    check(rows, "spark", names)


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        (op("extract", "t", "(?=a)"), "look-ahead"),
        (op("extract", "t", "a", 1), "has 0 groups, so none is 1"),
        (op("replace pattern", "t", "a*", "b"), "also matches empty text"),
        (op("replace pattern", "t", "(a)", r"\2"), "speaks of group 2"),
        (op("replace pattern", "t", r"\ba", "b"), "cannot be replaced"),
        (op("replace", "t", "", "b"), "a text that is not empty"),
        (op("replace", "t", "a"), "takes 3 to 3 arguments, not 2: a column, then"),
        (op("substring", "t", 0), "a place from 1"),
        (op("left", "t", -1), "a number of characters"),
        (op("split part", "t", ",", 0), "a part from 1 to 100"),
        (op("truncate", "d", "decade"), "one of year, quarter"),
        (op("format date", "d", "%Q"), "the directive '%Q'"),
        (op("format date", "d", "--"), "no part of a date"),
        (op("hour", "d"), "'hour' takes datetime, but 'd' is date"),
        (op("add days", "d", "t"), "'add days' takes number, but 't' is text"),
        (op("log", "a", 1), "a base above 0"),
        ({"cast": "date", "of": "t", "format": "DD.MM."}, "no year"),
        ({"cast": "number", "of": "t", "format": "euro"}, "shows no number"),
        ({"cast": "number", "of": "p", "format": "5%"}, "takes no format"),
        ({"row": "which max", "columns": ["a", "d"]}, "of one kind"),
        ({"row": "which max", "columns": ["t"]}, "'t' is text"),
    ],
)
def test_a_call_that_does_not_fit_is_refused(expression: Any, words: str) -> None:
    with pytest.raises(ActionError) as caught:
        run("Derive", table([], SCHEMA), name="r", expression=expression)
    assert words in caught.value.text


def test_more_cases_than_an_engine_can_plan_are_refused() -> None:
    cases = [{"if": {"column": "n", "op": ">", "value": 1}, "then": 1}] * 51
    with pytest.raises(ValidationError, match="at most 50"):
        run("Derive", table([], SCHEMA), name="r", expression={"cases": cases})


def test_an_impossible_sum_of_days_is_null_and_no_error() -> None:
    far = op("add days", "v", 10**9)
    assert of_one([date(2024, 1, 1)], far, pl.Date) == [None]
    assert of_one([date(9999, 12, 31)], op("add days", "v", 1), pl.Date) == [None]
    assert of_one([date(2024, 1, 31)], op("add months", "v", 1), pl.Date) == [date(2024, 2, 29)]


def test_one_group_is_what_is_extracted_and_all_of_it_without() -> None:
    assert of_one(["id=12;"], op("extract", "v", r"id=(\d+)"), pl.String) == ["12"]
    assert of_one(["id=12;"], op("extract", "v", r"id=(\d+)", 0), pl.String) == ["id=12"]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_family_of_331_columns_plans_fast(engine: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({f"v_{n}": [float((n * k) % 97) for k in range(3)] for n in range(331)})
    frame.write_parquet(tmp_path / "wide.parquet")
    wide = Table(engine_for(engine).scan(tmp_path / "wide.parquet"))
    for row in ("which max", "std", "sum", "mean", "count", "last"):
        started = time.process_time()
        made = run("Derive", wide, name="r", expression={"row": row, "columns": "v_*"})
        found = made.frame.select("r").collect("polars").to_native()["r"].to_list()
        assert time.process_time() - started < 15
        assert len(found) == 3
        if row == "which max":
            assert found[1] == "v_96" and found[0] == "v_0"


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_number_too_large_for_a_whole_one_has_a_text(engine: str, tmp_path: Path) -> None:
    pl.DataFrame({"v": [1e308, 2.0, None]}).write_parquet(tmp_path / "one.parquet")
    one = Table(engine_for(engine).scan(tmp_path / "one.parquet"))
    for of, texts in ((1e308, ["1e+308"] * 3), ("v", ["1e+308", "2", None])):
        made = run("Derive", one, name="r", expression={"cast": "text", "of": of}).rows(3)
        assert [row["r"] for row in made] == texts


@pytest.mark.spark
@pytest.mark.xfail(
    strict=True, reason="Spark writes numbers with decimals from 10 millions on as 1.2E7"
)
def test_a_large_number_with_decimals_is_the_same_text_on_spark(tmp_path: Path) -> None:
    texts = []
    for engine in ("polars", "spark"):
        pl.DataFrame({"v": [12345678.9]}).write_parquet(tmp_path / "one.parquet")
        one = Table(engine_for(engine).scan(tmp_path / "one.parquet"))
        texts.append(run("Derive", one, name="r", expression={"cast": "text", "of": "v"}).rows(1))
    assert texts[0] == texts[1]


# Cases as models write them, and what is said where one does not fit.


def over(least: float, then: float, **more: Any) -> dict[str, Any]:
    return {"if": {"column": "a", "op": ">", "value": least}, "then": then} | more


def test_an_else_inside_the_last_case_is_the_one_beside_the_cases():
    beside = TypeAdapter(Expression).validate_python(
        {"cases": [over(2, 20), over(1, 10)], "else": 0}
    )
    for cases in (
        [over(2, 20), over(1, 10, **{"else": 0})],
        [over(2, 20), over(1, 10), {"else": 0}],
    ):
        assert TypeAdapter(Expression).validate_python({"cases": cases}) == beside


def test_an_else_that_could_be_another_is_refused_with_where_it_belongs():
    first = {"cases": [over(2, 20, **{"else": 0}), over(1, 10)]}
    twice = {"cases": [over(2, 20, **{"else": 0})], "else": 1}
    for wrong in (first, twice):
        with pytest.raises(ActionError, match=r"case 1 has an else; else stands beside cases"):
            read_call(Call(name="Derive", arguments={"name": "x", "expression": wrong}))


def test_what_does_not_fit_is_told_without_what_follows_from_it():
    given = {"measures": [{"function": "first", "column": "a"}]}
    with pytest.raises(ActionError) as error:
        read_call(Call(name="Aggregate", arguments=given))
    assert error.value.text == (
        "Aggregate's arguments do not fit: measures.0: 'first' needs order, the columns that say "
        "which row comes first"
    )
    with pytest.raises(ActionError, match="at least 1 item"):
        read_call(Call(name="Aggregate", arguments={"measures": []}))
