from __future__ import annotations

from typing import Any

import narwhals as nw
import polars as pl
import pytest
from acting import tries
from hypothesis import given, settings
from hypothesis import strategies as st

from wideleaf.agents.planner.links.categories import find_categories
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.proposals import Proposals, propose
from wideleaf.graph.context import Context
from wideleaf.tools.steps.trial import try_plan
from wideleaf.tools.tables.families import Indicators, read_indicators
from wideleaf.tools.tables.table import Table

LEAST = Context().least_confidence
HIVES = 24
KEEPERS = ("Ashgrove", "Birch.Hill", "Birch.Hill.East", "Cold.Spring")
FACING = ("North", "East", "South", "West")
FLOWERS = ("Clover", "Heather", "Lime")


def one_hot(stem: str, levels: tuple[str, ...], chosen: list[int | None]) -> dict[str, list[int]]:
    return {f"{stem}{level}": [int(n == c) for c in chosen] for n, level in enumerate(levels)}


KEEPER = [n % 4 for n in range(HIVES)]
SIDE = [(n // 2) % 4 for n in range(HIVES)]
LAST = [(n * 5 + 1) % 3 if n % 8 else None for n in range(HIVES)]
HONEY = [10.0 + (n * 7) % 11 for n in range(HIVES)]
MITES = [float(n % 6) for n in range(HIVES)]
APIARY = pl.DataFrame(
    {"FIELD_hive": [f"hive {n}" for n in range(HIVES)], "YLD_honey_kg": HONEY, "YLD_mites": MITES}
    | one_hot("FIELD_Keeper", KEEPERS, KEEPER)
    | one_hot("FIELD_Facing_side", FACING, SIDE)
    | one_hot("FIELD_Forage_minus_1_plant", FLOWERS, LAST)
    | one_hot("FIELD_Forage_minus_2_plant", FLOWERS, [n % 2 for n in range(HIVES)])
    | one_hot("FIELD_Forage_minus_3_plant", FLOWERS, [n % 3 for n in range(HIVES)])
    | {f"SKY_NDVI_mean_{d}": [0.1 * ((n * d + n) % 5) for n in range(HIVES)] for d in range(20)}
    | {f"SKY_EVI_mean_{day}": [0.2 * ((n * day) % 7) for n in range(HIVES)] for day in range(20)}
    | {f"SOIL_{name}": [float((n * k) % 13) for n in range(HIVES)]
       for k, name in enumerate(("acidity", "clay", "sand", "humus"), start=3)}
)  # fmt: skip


def proposed(question: str, frame: pl.DataFrame = APIARY) -> Proposals:
    return propose(question, {"apiary": Table(nw.from_native(frame.lazy()))})


def best(question: str, frame: pl.DataFrame = APIARY) -> list[tuple[Any, ...]]:
    found = proposed(question, frame)
    tables = {"apiary": Table(nw.from_native(frame.lazy()))}
    assert found.plans and found.plans[0].confidence >= LEAST, found.understood
    made = try_plan(found.plans[0].steps, tables)
    return [tuple(row.values()) for row in made.rows(50)]


def means(chosen: list[int | None], levels: tuple[str, ...]) -> dict[str, float]:
    sums = {level: [h for h, c in zip(HONEY, chosen, strict=True) if c == n]
            for n, level in enumerate(levels)}  # fmt: skip
    return {level: sum(cells) / len(cells) for level, cells in sums.items()}


def test_the_levels_of_a_category_are_listed_each_once() -> None:
    rows = best("List all the keepers.")
    assert sorted(rows) == [(keeper,) for keeper in KEEPERS]


def test_a_level_that_no_row_has_is_not_listed() -> None:
    some = APIARY.filter(pl.col("FIELD_KeeperAshgrove") == 0)
    assert ("Ashgrove",) not in best("List all the keepers.", some)


def test_rows_without_a_level_give_no_group_and_no_name() -> None:
    rows = best("List the different plants of the forage one year before.")
    assert sorted(rows) == [(flower,) for flower in FLOWERS]


def test_an_average_for_each_level_groups_by_the_category() -> None:
    rows = dict(best("What is the average honey for each keeper?"))
    assert rows == pytest.approx(means(KEEPER, KEEPERS))


def test_two_levels_are_compared_side_by_side() -> None:
    question = "Compare the average honey between hives with northern and southern facing sides."
    wanted = means(SIDE, FACING)
    assert dict(best(question)) == pytest.approx({one: wanted[one] for one in ("North", "South")})


def test_a_level_is_a_condition_on_its_own_column() -> None:
    plan = proposed("What is the average honey where the keeper is Ashgrove?").plans[0]
    where = next(step for step in plan.steps if step.name == "Filter").arguments["where"]
    assert where == [{"column": "FIELD_KeeperAshgrove", "op": "==", "value": 1}]


def test_words_of_a_name_list_the_levels_that_have_them() -> None:
    rows = best("List all the keepers under Birch Hill.")
    assert sorted(rows) == [("Birch.Hill",), ("Birch.Hill.East",)]


def test_a_year_before_says_which_of_several_categories_is_meant() -> None:
    question = "What is the average honey where the plant of the forage one year before was lime?"
    assert best(question) == [(pytest.approx(means(LAST, FLOWERS)["Lime"]),)]


def test_high_is_at_or_above_the_upper_quartile_and_is_said_to_be_an_assumption() -> None:
    question = "What is the average honey for hives with high mites?"
    border = APIARY["YLD_mites"].quantile(0.75, "linear")
    wanted = APIARY.filter(pl.col("YLD_mites") >= border)["YLD_honey_kg"].mean()
    assert best(question) == [(pytest.approx(wanted),)]
    assert "assumption" in proposed(question).plans[0].reading


def test_a_sum_over_first_days_is_related_to_a_column() -> None:
    question = "How does cumulative NDVI over the first 9 days relate to honey?"
    days = APIARY.select(pl.sum_horizontal([f"SKY_NDVI_mean_{day}" for day in range(10)]))
    wanted = pl.DataFrame({"a": days.to_series(), "b": HONEY}).select(pl.corr("a", "b")).item()
    assert best(question) == [(pytest.approx(wanted),)]


def test_components_are_found_of_the_columns_that_words_name_together() -> None:
    plan = proposed("Perform PCA on the soil columns and show the top 2 principal components.")
    steps = {step.name: step.arguments for step in plan.plans[0].steps}
    assert plan.plans[0].confidence >= LEAST
    assert steps["PCA"]["n"] == 2
    names = [f"SOIL_{name}" for name in ("acidity", "clay", "sand", "humus")]
    assert steps["PCA"]["columns"] == names


def test_less_than_a_number_of_components_is_one_less() -> None:
    plan = proposed("Reduce the dimensionality of SOIL using PCA to less than 4 dimensions.")
    steps = {step.name: step.arguments for step in plan.plans[0].steps}
    assert steps["PCA"]["n"] == 3


def test_a_prediction_takes_the_columns_whose_written_out_names_are_said() -> None:
    plan = proposed("Predict honey using the vegetation indices and evaluate the accuracy.").plans[
        0
    ]
    (step,) = plan.steps
    assert step.name == "Predict" and step.arguments["target"] == ["YLD_honey_kg"]
    assert step.arguments["features"] == ["SKY_NDVI_mean_*", "SKY_EVI_mean_*"]


def test_a_prediction_from_columns_that_no_word_names_is_refused() -> None:
    found = proposed("Predict the honey using the moods of the bees.")
    assert all(plan.confidence < LEAST for plan in found.plans)


def test_columns_of_several_at_once_are_no_category() -> None:
    both = APIARY.with_columns(pl.lit(1).alias("FIELD_KeeperAshgrove"))
    found = proposed("List all the keepers.", both)
    assert not any("FromOneHot" in str(plan.steps) for plan in found.plans)


def test_a_day_of_a_series_is_no_level() -> None:
    names = tuple((f"SKY_EvapoTrans_mean_{day}", "number") for day in range(5))
    assert find_categories(names, (False,) * 5) == ()


def test_dummy_columns_of_small_types_are_a_category_by_their_underscore() -> None:
    frame = pl.DataFrame(
        {"kg": [1.0, 3.0, 5.0]}
        | {f"tea_kind_{k}": [k == "oolong", k == "mint", k == "green"] for k in
           ("oolong", "mint", "green")}
    )  # fmt: skip
    index = TableIndex(Table(nw.from_native(frame.lazy())))
    assert index.category("tea_kind") is not None
    assert sorted(best("What is the mean kg for each tea kind?", frame)) == [
        ("green", 5.0), ("mint", 3.0), ("oolong", 1.0)
    ]  # fmt: skip


@settings(max_examples=tries(25))
@given(
    st.lists(
        st.lists(st.sampled_from([0, 1, None, 2]), min_size=3, max_size=3), min_size=1, max_size=8
    )
)
def test_indicators_are_read_as_their_cells_say(cells: list[list[int | None]]) -> None:
    frame = pl.DataFrame(cells, schema={name: pl.Int64 for name in "abc"}, orient="row")
    found = read_indicators(Table(nw.from_native(frame.lazy())), tuple("abc"))
    if any(cell == 2 for row in cells for cell in row):
        assert not found.plain and not found.category
        return
    counts = [sum(cell == 1 for cell in row) for row in cells]
    several, none = sum(c > 1 for c in counts), counts.count(0)
    assert found == Indicators(True, several, none)
