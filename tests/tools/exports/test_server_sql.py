"""Exported SQL on a real PostgreSQL: the engine's rows, or a refusal by name."""

from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest
from action_examples import EXAMPLES, frames_of
from database_servers import empty_postgresql
from plan_sql_cases import alike, grown, leaf, quoted, ranked

from wideleaf.tools.errors import ActionError
from wideleaf.tools.exports.query import plan_sql

pytestmark = pytest.mark.servers
NO_QUERY = ("Describe", "Sample", "Correlate", "PCA", "Anomaly", "Cluster", "Predict", "Craft",
            "Split", "Associate", "Trend", "Test", "Fit")  # fmt: skip
REFUSED = {
    *(("Get", place) for place in range(34, 50)),  # by their place, which rows have none of
    ("Position", 0), ("Position", 1),
    ("Filter", 4), ("Derive", 9), ("Derive", 10),  # patterns with classes of Unicode
    ("Group", 5), ("Normalise", 2), ("Impute", 1),  # medians beside rows
    ("Impute", 6),
}  # fmt: skip
BY_LOCALE = {("Derive", 5)}
"""What the locale of the server decides: the small letter of another than the 26."""
TYPES = {"number": "double precision", "boolean": "boolean", "date": "date",
         "datetime": "timestamp", "text": "text"}  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:
    psycopg = pytest.importorskip("psycopg")
    with empty_postgresql() as url, psycopg.connect(url, autocommit=True) as connection:
        yield connection


def asked(server: Any, sql: str, frames: dict[str, pl.DataFrame]) -> tuple[list[str], list[Any]]:
    for label, frame in frames.items():
        table = leaf(frame)
        types = {
            name: "bigint" if dtype.is_integer() else TYPES[table.kind(name)]
            for name, dtype in table.schema.items()
        }
        columns = ", ".join(f"{quoted(name)} {dtype}" for name, dtype in types.items())
        server.execute(f"DROP TABLE IF EXISTS {quoted(label)}")
        server.execute(f"CREATE TABLE {quoted(label)} ({columns})")
        marks = ", ".join(["%s"] * len(types))
        with server.cursor() as cursor:
            rows = frame.fill_nan(None).rows()
            cursor.executemany(f"INSERT INTO {quoted(label)} VALUES ({marks})", rows)
    found = server.execute(sql)
    return [one.name for one in found.description], found.fetchall()


@pytest.mark.parametrize(
    ("name", "place"),
    [(name, place) for name, examples in EXAMPLES.items() for place in range(len(examples))
     if name not in NO_QUERY and (name, place) not in BY_LOCALE],
)  # fmt: skip
def test_an_example_gives_the_engines_frame_or_is_refused_by_name(
    server: Any, name: str, place: int
) -> None:
    frames = dict(zip(("plots", "cities", "others"), frames_of(name, place), strict=False))
    plan, answer = grown(frames, [(name, EXAMPLES[name][place], list(frames))])
    leaves = {label: leaf(frame) for label, frame in frames.items()}
    if (name, place) in REFUSED:
        with pytest.raises(ActionError, match=rf"step 'T1' \({name}\) cannot be said in postgres"):
            plan_sql(plan, leaves, "postgres")
        return
    headers, rows = asked(server, plan_sql(plan, leaves, "postgres"), frames)
    wanted = answer.frame.collect().rows()
    assert headers == list(answer.columns)
    assert len(rows) == len(wanted)
    for row, other in zip(sorted(rows, key=ranked), sorted(wanted, key=ranked), strict=True):
        assert all(map(alike, row, other)), (row, other)
