"""What SQL says, the actions can do: queries of every kind, as plans, against SQLite itself."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from on_engines import engine_for
from reading import read_sources
from sql_answers import by_actions, by_sqlite, same, schema_of
from sql_plans import translate
from sql_relations import Schema, UnexpressibleError

from wideleaf.tools.sources.opening import Catalog
from wideleaf.tools.tables.table import Table

ORCHARD = """
CREATE TABLE grower (id INTEGER PRIMARY KEY, name TEXT NOT NULL, region TEXT, born INTEGER);
INSERT INTO grower VALUES
    (1, 'Ada', 'north', 1970), (2, 'Björn', 'North', 1980), (3, 'Chen', NULL, NULL),
    (4, 'Dilara', 'south', 1990), (5, 'ada', 'south', 1975), (6, 'Étienne', 'west', 1980);
CREATE TABLE plot (id INTEGER PRIMARY KEY, grower INTEGER, crop TEXT, area REAL, code TEXT);
INSERT INTO plot VALUES
    (10, 1, 'apple', 2.5, '7'), (11, 1, 'pear', 1.0, '12'), (12, 2, 'apple', NULL, '9'),
    (13, 4, 'plum', 4.0, '12'), (14, 4, 'apple', 4.0, 'x'), (15, NULL, 'pear', 0.5, NULL),
    (16, 5, 'APPLE', 3.5, '30'), (17, 9, 'fig', 1.5, '100');
CREATE TABLE harvest (plot INTEGER, year INTEGER, tons INTEGER, picked TEXT);
INSERT INTO harvest VALUES
    (10, 2022, 7, '2022-09-01'), (10, 2023, 8, '2023-09-03'), (11, 2022, 3, '2022-08-20'),
    (12, 2022, 5, '2022-09-10'), (13, 2023, NULL, NULL), (13, 2022, 9, '2022-07-30'),
    (14, 2023, 8, '2023-09-01'), (16, 2023, -7, '2023-10-02'), (99, 2023, 4, '2023-09-09');
"""

QUERIES = {
    "all columns": "SELECT * FROM grower",
    "names in any case, aliases": "SELECT G.NAME AS n, g.Born FROM GROWER g WHERE N = n",
    "a comparison": "SELECT name FROM grower WHERE born >= 1980",
    "text compares exactly": "SELECT id FROM grower WHERE name = 'ada' OR region = 'North'",
    "double quotes may be a text": 'SELECT "name" FROM grower WHERE region = "south"',
    "nulls match nothing": "SELECT name FROM grower WHERE NOT (region = 'south' AND born < 1980)",
    "is null": "SELECT name FROM grower WHERE region IS NULL OR born IS NOT NULL AND born = 1970",
    "between and in": "SELECT id FROM plot WHERE area BETWEEN 1 AND 3 OR crop IN ('fig', 'plum')",
    "not in a list": "SELECT id FROM plot WHERE crop NOT IN ('apple', 'pear')",
    "like": "SELECT id FROM plot WHERE crop LIKE '%APP%' AND crop NOT LIKE 'A%LE ' ",
    "like at the ends": "SELECT name FROM grower WHERE name LIKE 'a%' OR name LIKE '%N'",
    "like with a place for any mark": "SELECT name FROM grower WHERE name LIKE 'Ch_n'",
    "text beside a number": "SELECT id FROM plot WHERE code = 12 OR code > 7",
    "a number beside text": "SELECT id FROM plot WHERE id < '12' AND area <> '2.5'",
    "a number is less than any text": "SELECT id FROM plot WHERE area < 'many'",
    "dates are texts": (
        "SELECT plot FROM harvest WHERE picked > '2022-09-01' AND picked < '2023-09-03'"
    ),
    "two columns": "SELECT id FROM plot WHERE id - 9 <> area AND grower = grower",
    "arithmetic": "SELECT tons / 2, tons * 1.0 / 2, tons % 4, -tons + 1 FROM harvest",
    "functions": "SELECT upper(crop), length(crop), round(area, 0), abs(area - 3) FROM plot",
    "parts of texts": (
        "SELECT substr(name, 2, 3), replace(name, 'a', '*'), instr(name, 'd') FROM grower"
    ),
    "parts of dates": "SELECT strftime('%Y', picked), strftime('%m-%d', picked) FROM harvest",
    "like on dates": "SELECT plot FROM harvest WHERE picked LIKE '2022-0%'",
    "text put together": "SELECT crop || '/' || code FROM plot",
    "coalesce and nullif": "SELECT coalesce(region, 'none'), nullif(region, 'south') FROM grower",
    "case": "SELECT CASE WHEN area > 3 THEN 'big' WHEN area > 1 THEN 'mid' ELSE '?' END FROM plot",
    "case of a value": "SELECT CASE crop WHEN 'apple' THEN 1 WHEN 'pear' THEN 2 END FROM plot",
    "cast": "SELECT CAST(area AS INTEGER), CAST(id AS TEXT), CAST(code AS INTEGER) FROM plot",
    "a condition as a value": "SELECT id, area > 2, crop = 'apple' FROM plot",
    "distinct": "SELECT DISTINCT region, born FROM grower",
    "distinct in order": "SELECT DISTINCT year FROM harvest ORDER BY year DESC",
    "aggregates": "SELECT count(*), count(area), sum(area), avg(area), min(crop) FROM plot",
    "aggregates of nothing": "SELECT count(*), sum(area), max(crop) FROM plot WHERE area > 99",
    "count distinct": "SELECT count(DISTINCT crop), count(DISTINCT grower) FROM plot",
    "sum of a case": "SELECT sum(CASE WHEN crop = 'apple' THEN 1 ELSE 0 END) FROM plot",
    "average of texts": "SELECT avg(code), max(code) FROM plot",
    "groups": "SELECT crop, count(*), sum(area) / count(*) FROM plot GROUP BY crop",
    "a null is a group": "SELECT region, count(*) FROM grower GROUP BY 1",
    "grouped by an expression": "SELECT born / 10 AS decade, count(*) FROM grower GROUP BY decade",
    "having": "SELECT crop FROM plot GROUP BY crop HAVING count(*) > 1 AND max(area) > 2",
    "having alone": "SELECT max(area) FROM plot HAVING count(*) > 100",
    "a column beside max": "SELECT crop, id, max(area) FROM plot WHERE id <> 13 GROUP BY crop",
    "a column beside min of all": "SELECT id, min(area) FROM plot",
    "ordered": "SELECT name FROM grower ORDER BY born DESC, name",
    "nulls come first": "SELECT id FROM plot ORDER BY grower, area DESC, id",
    "nulls last if told": "SELECT id FROM plot ORDER BY grower NULLS LAST, id DESC",
    "ordered by an expression": "SELECT id FROM plot ORDER BY abs(area - 2), id LIMIT 4",
    "ordered by a count": "SELECT crop FROM plot GROUP BY crop ORDER BY count(*) DESC LIMIT 1",
    "limit cuts ties": "SELECT id FROM plot WHERE area IS NOT NULL ORDER BY area DESC LIMIT 1",
    "limit among nulls": "SELECT id FROM grower ORDER BY region LIMIT 1",
    "offset": "SELECT id FROM plot ORDER BY area, id LIMIT 3 OFFSET 2",
    "no rows": "SELECT id, crop FROM plot ORDER BY id LIMIT 0",
    "join": "SELECT g.name, p.crop FROM grower g JOIN plot p ON g.id = p.grower",
    "names that clash": "SELECT p.id, g.id, g.name FROM plot p JOIN grower g ON p.grower = g.id",
    "join of three": (
        "SELECT name, crop, tons FROM grower JOIN plot ON grower.id = plot.grower "
        "JOIN harvest ON plot.id = harvest.plot WHERE year = 2022"
    ),
    "left join": "SELECT name, crop FROM grower LEFT JOIN plot ON grower.id = grower",
    "without a match": (
        "SELECT name FROM grower g LEFT JOIN plot p ON g.id = p.grower WHERE p.grower IS NULL"
    ),
    "left join with a condition": (
        "SELECT name, crop FROM grower g LEFT JOIN plot p ON g.id = p.grower AND p.area > 3"
    ),
    "right join": "SELECT name, crop FROM grower g RIGHT JOIN plot p ON g.id = p.grower",
    "full join": "SELECT g.id, p.grower FROM grower g FULL JOIN plot p ON g.id = p.grower",
    "self join": "SELECT a.id, b.id FROM plot a JOIN plot b ON a.crop = b.crop AND a.id < b.id",
    "comma join": "SELECT name, crop FROM grower, plot WHERE grower.id = plot.grower",
    "using": "SELECT * FROM plot JOIN (SELECT id, name FROM grower) USING (id)",
    "joined on text and number": "SELECT a.id FROM plot a JOIN harvest h ON a.code = h.tons",
    "in a sub-query": "SELECT name FROM grower WHERE id IN (SELECT grower FROM plot)",
    "not in a sub-query": (
        "SELECT name FROM grower WHERE id NOT IN (SELECT grower FROM plot WHERE grower IS NOT NULL)"
    ),
    "not in with nulls": "SELECT name FROM grower WHERE id NOT IN (SELECT grower FROM plot)",
    "a null not in": "SELECT id FROM plot WHERE grower NOT IN (SELECT id FROM grower)",
    "not in nothing": (
        "SELECT id FROM plot WHERE grower NOT IN (SELECT id FROM grower WHERE id > 9)"
    ),
    "in or": "SELECT id FROM grower WHERE born = 1990 OR id IN (SELECT plot - 9 FROM harvest)",
    "exists": (
        "SELECT name FROM grower g WHERE EXISTS "
        "(SELECT 1 FROM plot p WHERE p.grower = g.id AND p.area > 2)"
    ),
    "not exists": (
        "SELECT id FROM plot WHERE NOT EXISTS (SELECT * FROM harvest WHERE plot = plot.id)"
    ),
    "union": "SELECT region FROM grower UNION SELECT crop FROM plot",
    "union all": "SELECT id FROM grower UNION ALL SELECT plot FROM harvest",
    "intersect": "SELECT id - 9 FROM plot INTERSECT SELECT id FROM grower ORDER BY 1 DESC",
    "except": "SELECT grower FROM plot EXCEPT SELECT id FROM grower",
    "rows in another order of columns": (
        "SELECT id, grower FROM plot EXCEPT SELECT grower, id FROM plot"
    ),
    "a query as a table": "SELECT max(n) FROM (SELECT crop, count(*) AS n FROM plot GROUP BY crop)",
    "with": "WITH big AS (SELECT * FROM plot WHERE area > 2) SELECT crop FROM big WHERE id < 14",
    "rank": "SELECT id, rank() OVER (PARTITION BY crop ORDER BY area DESC) FROM plot",
    "a total beside each row": "SELECT id, sum(area) OVER (PARTITION BY crop) FROM plot",
    "cross join": "SELECT g.id, p.id FROM grower g CROSS JOIN plot p WHERE g.id > 4",
    "joined on either": (
        "SELECT p.id, h.tons FROM plot p JOIN harvest h ON p.id = h.plot OR p.grower = h.tons"
    ),
    "joined on less": "SELECT a.id, b.id FROM grower a JOIN grower b ON a.born < b.born",
    "above the average": "SELECT id FROM plot WHERE area > (SELECT avg(area) FROM plot)",
    "a value of its own query": "SELECT name, (SELECT max(area) FROM plot) - id FROM grower",
    "the group that is first": (
        "SELECT name FROM grower WHERE id = "
        "(SELECT grower FROM plot GROUP BY grower ORDER BY count(*) DESC, grower LIMIT 1)"
    ),
    "compared with its own group": (
        "SELECT id FROM plot p WHERE area >= (SELECT max(area) FROM plot q WHERE q.crop = p.crop)"
    ),
    "how many it has": (
        "SELECT name, (SELECT count(*) FROM plot WHERE grower = grower.id) FROM grower"
    ),
    "exists at all": "SELECT name FROM grower WHERE EXISTS (SELECT 1 FROM plot WHERE area > 3)",
}
BEYOND = {
    "SELECT id FROM plot LIMIT 2": "limit without order",
    "SELECT group_concat(crop) FROM plot": "aggregate",
    "SELECT id FROM plot WHERE crop GLOB 'a*'": "glob",
    "SELECT max(id) FROM plot p WHERE EXISTS (SELECT 1 FROM grower g WHERE g.id > p.grower)": (
        "correlated sub-query, other than by equality"
    ),
    "SELECT crop FROM orchards": "unknown table",
    "SELECT colour FROM plot": "unknown column",
}
Made = tuple[Path, dict[str, Table], Schema]


@pytest.fixture(scope="module")
def orchard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("orchard") / "orchard.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(ORCHARD)
    return path


@pytest.fixture(scope="module", params=["polars", "duckdb"])
def made(orchard: Path, request: pytest.FixtureRequest) -> Made:
    sources = read_sources(str(orchard), orchard.parent / "read")
    catalog = Catalog(sources, engine_for(request.param))
    tables = {source.name: catalog.table(source.name) for source in sources}
    return orchard, tables, schema_of(orchard, tables)


@pytest.mark.parametrize("sql", QUERIES.values(), ids=QUERIES)
def test_a_plan_of_actions_gives_what_sqlite_gives(sql: str, made: Made) -> None:
    path, tables, schema = made
    plan = translate(sql, schema)
    ours, theirs = by_actions(plan, tables), by_sqlite(sql, path)
    assert same(ours, theirs, ordered=plan.ordered), (ours, theirs, plan.steps)


@pytest.mark.parametrize(("sql", "kind"), BEYOND.items(), ids=BEYOND.values())
def test_what_cannot_be_expressed_is_named(sql: str, kind: str, made: Made) -> None:
    with pytest.raises(UnexpressibleError) as caught:
        translate(sql, made[2])
    assert caught.value.kind == kind


def test_the_queries_tell_results_apart(orchard: Path) -> None:
    results = [by_sqlite(sql, orchard) for sql in QUERIES.values()]
    assert sum(not rows for rows in results) <= 5
    assert len({repr(rows) for rows in results}) > len(results) - 10


@pytest.mark.spark
@pytest.mark.parametrize("name", ["join of three", "not in with nulls", "intersect", "offset"])
def test_spark_gives_it_too(name: str, orchard: Path) -> None:
    sources = read_sources(str(orchard), orchard.parent / "read")
    catalog = Catalog(sources, engine_for("spark"))
    tables = {source.name: catalog.table(source.name) for source in sources}
    plan = translate(QUERIES[name], schema_of(orchard, tables))
    ours, theirs = by_actions(plan, tables), by_sqlite(QUERIES[name], orchard)
    assert same(ours, theirs, ordered=plan.ordered)
