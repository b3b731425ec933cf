"""The demo: its tables, its questions with their answers, and what it leaves the reader with."""

import contextlib
import io
import shlex
from pathlib import Path

import pandas as pd
import pytest

from wideleaf.graph.demo_table import DAYS, DISTRICTS, HOMES, make_demo_tables
from wideleaf.graph.shell.shell import main
from wideleaf.graph.shell.start import NEXT_QUESTION, QUESTIONS
from wideleaf.tools.tables.families import find_families

README = Path(__file__).parents[3] / "README.md"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def tables(place):
    return tuple(map(pd.read_parquet, make_demo_tables(place)))


def test_the_table_is_wide_and_its_columns_are_families(tables):
    homes, districts = tables
    assert homes.shape == (HOMES, 2197) and homes["home"].is_unique
    families = {family.stem: len(family.members) for family in find_families(tuple(homes.columns))}
    assert [size for stem, size in families.items() if stem.endswith("_day_")] == [DAYS] * 6
    assert set(homes["district"]) == set(districts["district"]) == set(DISTRICTS)
    readings = homes.filter(like="_day_")
    assert (readings.min() >= 0).all() and 0 < readings.isna().mean().mean() < 0.02


def test_it_is_the_same_table_each_time_and_is_made_once(tmp_path, tables):
    paths = make_demo_tables(tmp_path / "a" / "b")
    for path, table in zip(paths, tables, strict=True):
        pd.testing.assert_frame_equal(pd.read_parquet(path), table)
    assert sorted(one.name for one in paths[0].parent.iterdir()) == [p.name for p in paths[::-1]]
    before = [path.stat().st_mtime_ns for path in paths]
    assert [path.stat().st_mtime_ns for path in make_demo_tables(paths[0].parent)] == before


def expected(homes, districts):
    january = homes[[f"electricity_kwh_day_{day}" for day in range(1, 32)]].mean(axis=1)
    large = districts.loc[districts["inhabitants"] > 20_000, "district"]
    return (
        homes.groupby("heating")["electricity_kwh_day_15"].mean().to_dict(),
        january[homes["heating"] == "heat pump"].mean(),
        homes.loc[homes["district"].isin(large), "floor_area_m2"].mean(),
    )


@pytest.fixture(scope="module")
def out(place, tables):
    """What the demo prints."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        assert main(["demo", "--folder", str(place)]) == 0
    return printed.getvalue()


def test_every_question_of_the_demo_has_its_answer_and_no_other_reading(out, tables):
    parts = out.split("\n=== ")[1:]
    assert [part.splitlines()[0] for part in parts] == [*QUESTIONS]
    answers = [part.split("\nAnswer: ")[1] for part in parts]
    by_heating, january, area = expected(*tables)
    for heating, mean in by_heating.items():
        assert f"\n{heating} | {mean:.4f}\n" in answers[0]
    assert f": {january:.6g}\n" in answers[1]
    assert f": {area:.6g}\n" in answers[2]
    assert "it would be" not in out and "Not used" not in out


def test_a_preview_shows_what_the_question_speaks_of_and_what_is_new(out):
    headers = [line.strip() for line in out.splitlines() if line.startswith("    home | ")]
    days = " | ".join(f"electricity_kwh_day_{day}" for day in (1, 2, 3))
    assert headers == [
        f"home | heating | {days}",
        f"home | mean electricity_kwh_day_(1..31) | heating | {days}",
        "home | floor_area_m2 | inhabitants",
        "home | floor_area_m2 | inhabitants",
    ]


def test_the_commands_it_ends_with_work(out, tables, monkeypatch, tmp_path, capsys):
    drawn, asked = (shlex.split(line) for line in out.splitlines()[-2:])
    monkeypatch.chdir(tmp_path)
    assert main(drawn[1:]) == 0
    assert "<svg" in (tmp_path / "tree.svg").read_text("utf-8")
    assert asked[2] == NEXT_QUESTION
    assert main(asked[1:]) == 0
    thirsty = tables[0].groupby("district")["water_litres_day_200"].mean().idxmax()
    assert f"\ndistrict: {thirsty}\n" in capsys.readouterr().out
