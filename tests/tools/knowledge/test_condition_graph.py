"""Get equals the condition graph in dicts and lists, on random graphs, tables and programs."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import narwhals as nw
import polars as pl
from acting import tries
from action_examples import relations_of
from condition_graph import ConditionGraph, Fact, Found, compares
from hypothesis import given, settings
from hypothesis import strategies as st

from wideleaf.tools.actions.get import Get
from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

NAMES = ("a", "b", "c", "d")
TAILS = {"r": NAMES, "s": (*NAMES, "e"), "n": ("1", "2", "3", "1.5"), "x": ("1", "2", "b")}
"""Relations of random graphs: of entities, of numbers, and of both."""
YEARS = (None, 1990, 1992, 1995, 2000)
CELLS: dict[str, tuple[Any, ...]] = {
    "name": (*NAMES, None), "p": (1, 2, 3, None), "q": (0.5, 1.5, 2.0, None)
}  # fmt: skip
ORDERS = ("<", "<=", ">", ">=")
PATTERNS = (
    "", "head", "relation", "relation head", "key head", "relation tail", "relation value",
    "key value", "key tail", "relation key value", "relation tail key", "relation tail key value",
    "relation key head",
)  # fmt: skip
TIMED = (
    "relation time", "head time", "tail relation time", "relation head time", "head tail time",
    "relation head tail time", "relation head time value", "relation tail time value",
)  # fmt: skip


class World(NamedTuple):
    """A graph or table as Get sees it, and as the reference does."""

    table: Table
    reference: ConditionGraph
    values: dict[str, tuple[Any, ...]]
    heads: tuple[Any, ...]


def graph_of(draw: random.Random, temporal: bool) -> World:
    facts: list[Fact] = []
    for _ in range(draw.randint(1, 14)):
        relation = draw.choice(list(TAILS))
        years = sorted((draw.choice(YEARS) for _ in "se"), key=lambda year: year or 0)
        if None in years and draw.random() < 0.5:
            years.reverse()  # an open end rather than an open start
        start, end = years if temporal else (None, None)
        facts.append((draw.choice(NAMES), relation, draw.choice(TAILS[relation]), start, end))
    facts = list(dict.fromkeys(facts))
    schema = {"head": pl.String, "relation": pl.String, "tail": pl.String,
              "start": pl.Int64, "end": pl.Int64}  # fmt: skip
    frame = pl.DataFrame(facts, schema=schema, orient="row")
    frame = frame if temporal else frame.select("head", "relation", "tail")
    table = Table(nw.from_native(frame.lazy()), relations=relations_of(frame))
    reference = ConditionGraph.of_facts(facts, temporal=temporal)
    return World(table, reference, TAILS, (*NAMES, "z"))


def table_of(draw: random.Random) -> World:
    count = draw.randint(1, 6)
    rows = [{name: draw.choice(cells) for name, cells in CELLS.items()} for _ in range(count)]
    schema = {"name": pl.String, "p": pl.Int64, "q": pl.Float64}
    table = Table(nw.from_native(pl.DataFrame(rows, schema=schema).lazy()))
    values = {name: cells[:-1] for name, cells in CELLS.items()}
    return World(table, ConditionGraph.of_rows(rows), values, tuple(range(1, count + 2)))


class Question(NamedTuple):
    """Arguments of a Get with its frames, and the same for the reference."""

    arguments: dict[str, Any]
    frames: list[Table]
    asked: dict[str, Any]


def question(draw: random.Random, world: World) -> Question:
    """A random call of a random pattern, with literals, lists of them, or frames."""
    timed = world.reference.temporal and draw.random() < 0.6
    named = draw.choice(TIMED if timed else PATTERNS).split()
    made = Question({}, [], {})
    for name in ("relation", "key"):
        if name in named:
            made.arguments[name] = draw.choice(list(world.values))
    if "time" in named:
        made.arguments["key"] = draw.choice(("time", "start_time", "end_time"))
    made.asked.update(made.arguments)
    if "head" in named:
        give(draw, world, made, "head", world.heads, ordered=False)
    if "tail" in named:
        name = made.arguments.get("relation" if "relation" in named else "key", "")
        give(draw, world, made, "tail", world.values.get(name, NAMES))
    if "value" in named:
        if "time" in named:
            give(draw, world, made, "value", (1989, 1991, 1992, 1995, 2001))
        else:
            name = made.arguments["key" if "key" in named else "relation"]
            give(draw, world, made, "value", world.values[name])
    return made


def give(
    draw: random.Random, world: World, made: Question, side: str, cells: Any, ordered: bool = True
) -> None:
    """A side as literals or as a frame, with a comparison that its cells have."""
    numeric = all(compares(cell, ">", [-1]) for cell in cells)
    sign = "=" if draw.random() < 0.5 else "!="
    if numeric and draw.random() < 0.5:
        sign = draw.choice(ORDERS)
    sign = sign if ordered else "="
    chosen = [draw.choice(cells) for _ in range(draw.randint(1, 3))]
    if draw.random() < 0.35 and (side != "value" or sign != "!="):
        rows = world.reference.table and side == "head"
        kind = pl.Int64 if rows or all(isinstance(one, int) for one in chosen) else None
        cast = [float(one) for one in chosen] if numeric and kind is None else chosen
        frame = pl.DataFrame({"row_number" if rows else "cell": [*cast, None]}, schema_overrides={})
        made.frames.append(Table(nw.from_native(frame.lazy())))
        made.arguments[f"{side}s"] = len(made.frames)
        made.asked[side] = [*chosen, None]
    else:
        several = sign in ("=", "!=") and len(chosen) > 1
        made.arguments[side] = tuple(chosen) if several else chosen[0]
        made.asked[side] = chosen if several else chosen[:1]
    if ordered:
        made.arguments[f"{side}_cmp"] = made.asked[f"{side}_cmp"] = sign


def items_of(table: Table) -> list[Any]:
    return [row[0] for row in table.frame.collect().rows()]


def ordered(items: list[Any]) -> list[Any]:
    return sorted(items, key=lambda one: (one is None, one if one is not None else 0))


def same(found: Table, wanted: Found, *, table: bool) -> bool:
    """Whether a frame holds what the reference gives: each once, or as often; rows in order."""
    items = items_of(found)
    if table and wanted.kind == "values":
        return items == wanted.items
    return ordered(items) == ordered(wanted.items)


def check(draw: random.Random, world: World) -> None:
    made = question(draw, world)
    wanted = world.reference.get(**made.asked)
    try:
        action = Get(**made.arguments).resolve(world.table, *made.frames)
    except ActionError as error:
        assert error.kind == "not found", (made, error.text)
        assert not wanted.items, (made, error.text, wanted)
        return
    found = action.run(world.table, *made.frames)
    assert same(found, wanted, table=world.reference.table), (
        made.arguments, made.asked, items_of(found), wanted, world.reference.facts
    )  # fmt: skip


@settings(derandomize=True, max_examples=tries(100))
@given(st.integers(0, 10**9))
def test_get_of_a_random_graph_is_what_the_reference_gives(seed: int) -> None:
    draw = random.Random(seed)
    check(draw, graph_of(draw, temporal=draw.random() < 0.5))


@settings(derandomize=True, max_examples=tries(100))
@given(st.integers(0, 10**9))
def test_get_of_a_random_table_is_what_the_reference_gives(seed: int) -> None:
    draw = random.Random(seed)
    check(draw, table_of(draw))


class Frame(NamedTuple):
    """A frame of a program and what the reference has for it."""

    table: Table
    items: list[Any]
    numeric: bool


def run(name: str, arguments: dict[str, Any], *tables: Table) -> Table:
    return find_action(name).model_validate(arguments).resolve(*tables).run(*tables)


SETS = {"Union": set.union, "Intersect": set.intersection, "Difference": set.difference}
MEASURES = {"sum": sum, "min": min, "max": max, "count": len,
            "mean": lambda bag: sum(bag) / len(bag)}  # fmt: skip


def step(draw: random.Random, world: World, frames: list[Frame]) -> Frame | None:
    """One step of a program on the frames so far."""
    names = [one for one in frames if not one.numeric]
    bags = [one for one in frames if one.numeric]
    act = draw.choice(("get", "get", "set", "negation", "measure", "keep"))
    if act == "get":
        relation, side = draw.choice(list(TAILS)), draw.choice(("head", "tail"))
        given = [one for one in names if side == "head" or relation in "rs"]
        if not given:
            return None
        one = draw.choice(given)
        arguments = {"relation": relation, f"{side}s": 1}
        wanted = world.reference.get(relation, **{side: one.items})
        try:
            made = run("Get", arguments, world.table, one.table)
        except ActionError as error:
            assert error.kind == "not found" and not wanted.items
            return None
        return Frame(made, wanted.items, wanted.kind == "numbers")
    if act == "set" and len(names) > 1:
        one, other, name = draw.choice(names), draw.choice(names), draw.choice(list(SETS))
        items = SETS[name](set(one.items), set(other.items))
        return Frame(run(name, {"distinct": True}, one.table, other.table), list(items), False)
    if act == "negation" and names:
        one = draw.choice(names)
        every = run("Get", {}, world.table)
        items = set(world.reference.subjects) - set(one.items)
        return Frame(run("Difference", {"distinct": True}, every, one.table), list(items), False)
    if act == "measure" and bags:
        one, name = draw.choice(bags), draw.choice(list(MEASURES))
        if not one.items:
            return None
        measure = {"function": name, "column": one.table.columns[-1]}
        made = run("Aggregate", {"measures": [measure]}, one.table)
        return Frame(made, [MEASURES[name](one.items)], True)
    if act == "keep" and bags:
        one, sign, bound = draw.choice(bags), draw.choice(ORDERS), draw.choice((1, 1.5, 2))
        where = {"column": one.table.columns[-1], "op": sign, "value": bound}
        items = [item for item in one.items if compares(item, sign, [bound])]
        return Frame(run("Filter", {"where": where}, one.table), items, True)
    return None


@settings(derandomize=True, max_examples=tries(50))
@given(st.integers(0, 10**9))
def test_a_random_program_of_several_steps_is_what_sets_and_bags_give(seed: int) -> None:
    draw = random.Random(seed)
    world = graph_of(draw, temporal=draw.random() < 0.3)
    frames = [Frame(run("Get", {}, world.table), world.reference.subjects, False)]
    for _ in range(draw.randint(3, 10)):
        if (made := step(draw, world, frames)) is not None:
            frames.append(made)
            same_items = [*map(float, made.items)] if made.numeric else made.items
            found = [*map(float, items_of(made.table))] if made.numeric else items_of(made.table)
            assert ordered(found) == ordered(same_items), (world.reference.facts, seed)
