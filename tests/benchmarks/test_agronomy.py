import json
import re
from pathlib import Path

import agronomy_gold as gold_code
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from agronomy import cells, table
from agronomy.columns import SERIES
from agronomy.groups import CROPS, FIELD, MANAGEMENT
from agronomy.names import FULL_COLUMNS, day_name, fixed_names, series_days
from agronomy.table import make_agronomy_table

from wideleaf_evaluation.registry import score, scorers_of
from wideleaf_evaluation.scorers.agronomy import CHECKS
from wideleaf_evaluation.scorers.cells import Prediction
from wideleaf_evaluation.sets import load_set

pytestmark = pytest.mark.slow

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
COLUMN_QUESTIONS = {"column_questions_held.jsonl": 200, "column_questions_dev.jsonl": 100}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return make_agronomy_table(tmp_path_factory.mktemp("twin") / "twin.parquet", 500, 2_400, 3)


@pytest.fixture(scope="module")
def twin(path):
    return pd.read_parquet(path)


@pytest.fixture(scope="module")
def answers(path):
    wanted = [one for one in gold_code.questions() if one != "agronomy-20"]
    return gold_code.gold(path, wanted)


def column_lines(name):
    return [json.loads(line) for line in (BENCHMARKS / name).read_text("utf-8").splitlines()]


def full_names():
    fixed = fixed_names(True)
    return [*fixed, *(day_name(*pair) for pair in series_days(FULL_COLUMNS - len(fixed)))]


def meant(reference, names):
    """What a reference stands for: a name, `stem*`, or a range of days `stem{a..b}`."""
    if span := re.fullmatch(r"(.*)_\{(-?\d+)\.\.(-?\d+)\}", reference):
        days = range(int(span[2]), int(span[3]) + 1)
        return [day_name(span[1], day) for day in days]
    if reference.endswith("*"):
        return [name for name in names if name.startswith(reference[:-1])]
    return [reference]


def test_the_full_width_is_that_of_the_paper_with_its_names():
    names = full_names()
    assert len(names) == len(set(names)) == FULL_COLUMNS == 8_058
    assert {name.split("_")[0] for name in names} == {
        *("MANDom", "PHENDom", "METADom", "ENVDom", "BOMDom", "SatDom")
    }
    assert {
        *("MANDom_BreederBayer.CropScience", "MANDom_Series_nameEarly.Conventional"),
        *("MANDom_Orientation_sub_cropNorth", "PHENDom_yield_pct_of_average"),
        *("PHENDom_X1000.grain.weight_6", "METADom_Crop_rotation_minus_4_sub_cropField.Pea"),
        *("METADom_Soil_test_class_60cm_Bray", "METADom_previous_crop_same_sub_cropTRUE"),
        *("BOMDom_max_temperature_mean_.80", "BOMDom_rainfall_mean_250", "SatDom_MIR_mean_60"),
        *("SatDom_LST_night_mean_70", "SatDom_EvapoTrans_mean_80", "PHENDom_Weed_score"),
    } <= set(names)
    assert all(f"{series}_.80" in names and f"{series}_250" in names for series in SERIES)


@pytest.mark.parametrize("seed", [0, 9])
def test_a_seed_gives_one_table_whatever_is_made_at_once(tmp_path, monkeypatch, seed):
    for module in (table, cells):
        monkeypatch.setattr(module, "BLOCK", 64)
    one, three = (
        make_agronomy_table(tmp_path / f"{n}.parquet", 450, 320, seed, blocks_at_once=n)
        for n in (1, 3)
    )
    assert pq.ParquetFile(one).num_row_groups == 8
    assert pq.ParquetFile(three).num_row_groups == 3
    pd.testing.assert_frame_equal(pd.read_parquet(one), pd.read_parquet(three))
    other = make_agronomy_table(tmp_path / "other.parquet", 450, 320, seed + 1)
    assert not pd.read_parquet(one).equals(pd.read_parquet(other))


def test_more_columns_or_rows_leave_the_cells_of_a_day_alone(tmp_path, path, twin):
    """A day is of its trial, its series and the seed; levels depend on the width class alone."""
    wider = make_agronomy_table(tmp_path / "t.parquet", 500, 2_600, 3)
    names = ["SatDom_NDVI_mean_10", "PHENDom_yield_t_ha", "MANDom_BreederNorthplain"]
    pd.testing.assert_frame_equal(pd.read_parquet(wider, columns=names), twin[names])
    longer = make_agronomy_table(tmp_path / "u.parquet", 700, 2_400, 3)
    found = pd.read_parquet(longer, columns=names)
    pd.testing.assert_frame_equal(found.iloc[:500], twin[names])


def test_progress_is_told_to_the_end_and_nothing_is_left_beside_the_file(tmp_path):
    told = []
    make_agronomy_table(
        tmp_path / "t.parquet", 9, 400, progress=lambda done, total: told.append((done, total))
    )
    assert told[-1] == (400, 400)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert [one.name for one in tmp_path.iterdir()] == ["t.parquet"]
    with pytest.raises(ValueError, match="0 rows are asked for"):
        make_agronomy_table(tmp_path / "u.parquet", 0, 400)


def test_a_table_wider_than_the_papers_has_other_statistics(tmp_path):
    found = pd.read_parquet(make_agronomy_table(tmp_path / "t.parquet", 40, 8_200))
    more = [name for name in found if "_sd_" in name]
    assert found.shape == (40, 8_200)
    assert len(more) == 8_200 - FULL_COLUMNS
    assert (found[more].min() >= 0).all()
    assert found["SatDom_NDVI_sd_0"].mean() < 0.1


def test_relations_are_planted(twin):
    grain, water = twin["PHENDom_yield_t_ha"], twin["PHENDom_Waterlogging"]
    green = twin.filter(regex="^SatDom_NDVI_mean_").mean(axis=1)
    assert grain.corr(twin.filter(regex="^BOMDom_rainfall_mean_").mean(axis=1)) > 0.3
    assert grain.corr(green) > 0.5
    assert abs(grain.corr(twin.filter(regex="^BOMDom_wind_speed_mean_").mean(axis=1))) < 0.15
    after = {
        crop: grain[twin[f"METADom_previous_crop_sub_crop{crop}"] == 1].mean() for crop in CROPS
    }
    assert after["Wheat"] < after["Canola"] < after["Field.Pea"]
    assert water.corr(twin["METADom_Soil_test_class_10cm_Colwell"]) > 0.7
    height, bred = twin["PHENDom_Plant_height_cm"], twin.filter(regex="^MANDom_Breeder")
    means = [height[bred[breeder] == 1].mean() for breeder in bred]
    assert np.ptp(means) > 15
    weight = twin.filter(regex="grain.weight").mean(axis=1)
    assert weight[water >= 6].mean() < weight[water <= 2].mean() - 3


def test_groups_choose_one_level_and_the_crop_before_is_told_twice(twin):
    for group in (*MANAGEMENT, *FIELD):
        chosen = twin[[f"{group.stem}{level}" for level in group.levels]]
        assert (chosen.sum(axis=1) == 1).all(), group.stem
    for crop in CROPS:
        before = twin[f"METADom_previous_crop_sub_crop{crop}"]
        assert (before == twin[f"METADom_Crop_rotation_minus_1_sub_crop{crop}"]).all()
    missing = twin.isna().mean()
    assert missing[twin.filter(regex="^SatDom").columns].mean() == pytest.approx(0.04, abs=0.005)
    assert missing["MANDom_trial_code"] == 0 < missing["PHENDom_Waterlogging"]


def test_every_question_has_gold_columns_and_a_rule_and_a_check():
    names = set(full_names())
    asked = gold_code.questions()
    assert [line["hardness"] for line in asked.values()] == (
        ["easy"] * 10 + ["medium"] * 5 + ["hard"] * 5
    )
    for line in asked.values():
        assert len(line["rule"]) > 40
        assert line["checker"]["name"] in CHECKS
        for references in line["gold_columns"]:
            for reference in references:
                columns = meant(reference, names)
                assert columns, reference
                assert names.issuperset(columns), reference


def test_the_easy_gold_is_that_of_the_cells(answers, twin):
    assert answers["agronomy-1"] == [pytest.approx(twin["PHENDom_yield_t_ha"].mean(), rel=1e-5)]
    assert answers["agronomy-4"] == [twin["PHENDom_Waterlogging"].count()]
    assert answers["agronomy-9"] == [pytest.approx(twin["SatDom_LST_night_mean_20"].min())]
    assert set(answers["agronomy-3"]) == {
        *("Early.Conventional", "Early.Conventional.Main", "Early.Conventional.Irrigated")
    }
    assert len(answers["agronomy-12"]) == len(answers["agronomy-10"]) == 24
    north, south = answers["agronomy-14"]
    assert north > south
    assert 0.3 < answers["agronomy-18"]["r2"] < 0.6


def test_numbers_and_lists_are_judged(answers):
    right = gold_code.right
    for number in (1, 2, 5, 6, 8, 9, 11):
        one = f"agronomy-{number}"
        (value,) = answers[one]
        assert right(one, value, answers[one])
        assert right(one, pd.DataFrame({"mean": [value]}), answers[one])
        assert not right(one, value * 1.02, answers[one])
        assert not right(one, None, answers[one])
        assert not right(one, pd.DataFrame({"x": np.linspace(-100, 100, 5000)}), answers[one])
    (count,) = answers["agronomy-4"]
    assert right("agronomy-4", count, answers["agronomy-4"])
    assert not right("agronomy-4", count + 1, answers["agronomy-4"])
    for one, stem in (
        ("agronomy-3", "MANDom_Series_name"),
        ("agronomy-7", "METADom_Crop_rotation_minus_1_sub_crop"),
        ("agronomy-10", "MANDom_Breeder"),
    ):
        names = answers[one]
        assert right(one, names[::-1], answers[one])
        assert right(one, [f"{stem}{name}" for name in names], answers[one])
        assert right(one, pd.DataFrame([[3] * len(names)], columns=names), answers[one])
        counted = pd.DataFrame({"level": [n.replace(".", " ") for n in names], "rows": 5})
        assert right(one, counted, answers[one])
        assert not right(one, names[1:], answers[one])
        assert not right(one, [*names, "Nobody"], answers[one])


def test_mappings_and_comparisons_are_judged(answers):
    right, means = gold_code.right, answers["agronomy-12"]
    tall = pd.DataFrame({"breeder": list(means), "mean": list(means.values())})
    wide = pd.DataFrame([list(means.values())], columns=[f"MANDom_Breeder{n}" for n in means])
    assert right("agronomy-12", tall.sample(frac=1, random_state=0), means)
    assert right("agronomy-12", wide, means)
    assert right("agronomy-12", means, means)
    assert not right("agronomy-12", tall.iloc[1:], means)
    assert not right("agronomy-12", tall.assign(mean=np.roll(tall["mean"], 1)), means)
    north, south = pair = answers["agronomy-14"]
    assert right("agronomy-14", pd.DataFrame({"side": ["N", "S"], "evi": [north, south]}), pair)
    assert right("agronomy-14", south - north, pair)
    assert right(
        "agronomy-14", pd.DataFrame({"N": north + np.arange(-9, 10) / 99, "S": south}), pair
    )
    assert not right("agronomy-14", [north, north], pair)
    weights = answers["agronomy-13"]
    assert right("agronomy-13", weights["all"][0], weights)
    each = pd.DataFrame({"observation": range(1, 7), "mean": weights["each"]})
    assert right("agronomy-13", each, weights)
    assert not right("agronomy-13", each.iloc[:1], weights)
    assert not right("agronomy-13", each.assign(mean=each["mean"] * 1.05), weights)
    assert right("agronomy-15", answers["agronomy-15"][0], answers["agronomy-15"])
    assert not right("agronomy-15", 0.05, answers["agronomy-15"])
    days = pd.DataFrame({"day": range(81), "correlation": answers["agronomy-15"][0]})
    assert not right("agronomy-15", days, answers["agronomy-15"])


def test_all_trials_together_are_no_answer_for_those_with_high_waterlogging(answers, twin):
    overall = float(np.nanmean(twin.filter(regex="grain.weight").to_numpy()))
    assert not gold_code.right("agronomy-13", overall, answers["agronomy-13"])


def test_components_are_judged_by_shares_or_scores(answers):
    right, gold = gold_code.right, answers["agronomy-16"]
    shares, scores = gold[0]["shares"], gold[0]["scores"]
    table = pd.DataFrame(-scores["values"][:, ::-1], columns=["PC1", "PC2", "PC3"])
    assert right("agronomy-16", pd.DataFrame({"share": shares}), gold)
    assert right("agronomy-16", pd.DataFrame({"percent": [100 * one for one in shares]}), gold)
    assert right("agronomy-16", table, gold)
    shuffled = table.assign(MANDom_trial_code=scores["codes"]).sample(frac=1, random_state=1)
    assert right("agronomy-16", shuffled, gold)
    assert not right("agronomy-16", shuffled.drop(columns="MANDom_trial_code"), gold)
    assert not right("agronomy-16", table[["PC1", "PC2"]], gold)
    assert not right("agronomy-16", pd.DataFrame({"share": [0.4, 0.3, 0.2]}), gold)
    gold = answers["agronomy-17"]
    first = dict(gold["first"][0])
    frame = pd.DataFrame({"MANDom_trial_code": gold["codes"]})
    frame["PC1"] = [first[code] for code in gold["codes"]]
    assert right("agronomy-17", frame, gold)
    assert not right("agronomy-17", frame.iloc[::2], gold)
    assert not right("agronomy-17", frame.assign(PC1=np.arange(len(frame))), gold)
    many = frame.assign(**{f"PC{n}": 0.0 for n in range(2, 25)})
    assert not right("agronomy-17", many, gold)


def test_models_are_judged_on_trials_they_did_not_learn_from(answers, twin):
    right, gold = gold_code.right, answers["agronomy-18"]
    scores = pd.DataFrame({"metric": ["R2", "RMSE"], "value": [gold["r2"], gold["rmse"]]})
    assert right("agronomy-18", scores, gold)
    assert not right("agronomy-18", scores.assign(value=[0.97, 0.1]), gold)
    observed = twin["PHENDom_yield_t_ha"]
    noise = np.random.default_rng(0).normal(scale=gold["rmse"], size=len(observed))
    frame = pd.DataFrame({"observed": observed, "predicted": observed + noise})
    assert right("agronomy-18", frame, gold)
    assert right("agronomy-18", pd.concat([twin, frame], axis=1), gold)
    assert not right("agronomy-18", frame.assign(predicted=observed), gold)
    soil = answers["agronomy-19"]
    found = pd.DataFrame(
        {"column": list(soil["tests"]), "correlation": [v[0] for v in soil["tests"].values()]}
    )
    assert right("agronomy-19", found.head(3), soil)
    assert right("agronomy-19", found.head(1), soil)
    assert not right("agronomy-19", soil["r2"], soil)
    assert not right("agronomy-19", found.assign(correlation=0.05), soil)
    assert not right("agronomy-19", "yes", soil)
    gold = {"majority": 0.15, "reference": 0.3}
    assert right("agronomy-20", pd.DataFrame({"metric": ["accuracy"], "value": [0.28]}), gold)
    assert right("agronomy-20", 28.0, gold)
    assert not right("agronomy-20", 0.15, gold)
    assert not right("agronomy-20", 0.99, gold)


def test_the_breeder_can_be_told_better_than_by_chance(path):
    found = gold_code.gold(path, ["agronomy-20"])["agronomy-20"]
    assert found["reference"] > 1.3 * found["majority"]


def test_the_twin_with_its_questions_is_a_set_that_the_same_rules_score(path, answers):
    """The gold comes back from the file as the checks take it."""
    file = path.with_name("questions.jsonl")
    gold_code.main([str(path), "--questions", str(file)])
    items = {item.id: item for item in load_set(path.parent, name="agronomy", half="")}
    assert list(items) == list(gold_code.questions())
    assert {item.sources for item in items.values()} == {(str(path),)}
    assert [one.name for one in scorers_of("agronomy")] == ["rule"]
    components = np.asarray(answers["agronomy-16"][0]["scores"]["values"])
    frames = {
        "agronomy-3": pd.DataFrame({"series": answers["agronomy-3"]}),
        "agronomy-4": pd.DataFrame({"count": answers["agronomy-4"]}),
        "agronomy-16": pd.DataFrame(components, columns=["PC1", "PC2", "PC3"]),
        "agronomy-18": pd.DataFrame({"metric": ["R2"], "value": [answers["agronomy-18"]["r2"]]}),
    }
    for one, frame in frames.items():
        cells = tuple(frame.head(2).itertuples(index=False, name=None))
        for answer, is_right in ((frame, 1.0), (frame.iloc[:0], 0.0)):
            prediction = Prediction(tuple(frame.columns), cells, frame=answer)
            assert score(items[one], prediction) == {"rule": is_right}
    assert score(items["agronomy-4"], Prediction(value=answers["agronomy-4"][0]))["rule"] == 1.0
    assert score(items["agronomy-4"], Prediction()) == {"rule": 0.0}


def test_what_is_no_answer_and_a_table_too_long_are_refused(path, monkeypatch):
    with pytest.raises(TypeError, match="is no answer"):
        gold_code.right("agronomy-1", object(), [1.0])
    monkeypatch.setattr(gold_code, "SMALL", 100)
    assert gold_code.gold(path, ["agronomy-4"])
    with pytest.raises(ValueError, match="500 rows are too many"):
        gold_code.gold(path, ["agronomy-16"])


@pytest.mark.parametrize(("name", "count"), COLUMN_QUESTIONS.items())
def test_column_questions_have_gold_in_the_full_table(name, count):
    names, lines = set(full_names()), column_lines(name)
    assert len({line["question"] for line in lines}) == len(lines) == count
    for line in lines:
        for references in line["gold_columns"]:
            for reference in references:
                columns = meant(reference, names)
                assert columns and names.issuperset(columns), line


def test_the_two_sets_of_column_questions_share_no_question():
    held, development = map(column_lines, COLUMN_QUESTIONS)
    words = [{line["question"].casefold() for line in lines} for lines in (held, development)]
    assert not words[0] & words[1]


def test_gene_paraphrases_are_one_for_each_probe():
    lines = column_lines("gene_paraphrases.jsonl")
    assert len({line["question"] for line in lines}) == len(lines) == 200
    assert len({line["probe"] for line in lines}) == 200
    assert all([line["probe"]] == line["gold_columns"][0] for line in lines)
