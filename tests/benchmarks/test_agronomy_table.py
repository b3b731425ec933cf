import pandas as pd
import pytest
from agronomy.columns import SERIES
from agronomy.table import make_agronomy_table

from wideleaf.tools.tables.families import find_families


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return make_agronomy_table(tmp_path_factory.mktemp("trials") / "trials.parquet")


@pytest.fixture(scope="module")
def trials(path):
    return pd.read_parquet(path)


@pytest.mark.parametrize(("rows", "columns"), [(50, 300), (7, 1201), (3, 8000)])
def test_it_has_exactly_the_shape_asked_for(tmp_path, rows, columns):
    written = make_agronomy_table(tmp_path / "sub" / "t.parquet", rows, columns)
    frame = pd.read_parquet(written)
    assert frame.shape == (rows, columns)
    assert frame.columns.is_unique
    assert [p.name for p in written.parent.iterdir()] == ["t.parquet"]


def test_the_default_is_wide(trials):
    assert trials.shape == (400, 1200)


@pytest.mark.parametrize("columns", [100, 40_000])
def test_an_impossible_width_is_refused(tmp_path, columns):
    with pytest.raises(ValueError, match="of them can be series"):
        make_agronomy_table(tmp_path / "t.parquet", 10, columns)


def test_a_seed_gives_one_table(tmp_path):
    first, same, other = (
        make_agronomy_table(tmp_path / f"{n}.parquet", 60, 400, seed)
        for n, seed in enumerate((1, 1, 2))
    )
    assert first.read_bytes() == same.read_bytes()
    assert first.read_bytes() != other.read_bytes()


def test_names_are_those_of_the_families(trials):
    families = {family.stem for family in find_families(tuple(trials.columns))}
    assert {f"{name}_" for name in SERIES} <= families
    assert {"MANDom_Breeder", "METADom_previous_crop_sub_crop"} <= families
    assert "SatDom_NDVI_mean_.80" in trials
    assert "PHENDom_X1000.grain.weight_2" in trials


def test_yield_follows_rain_ndvi_and_the_previous_crop(trials):
    grain = trials["PHENDom_yield_t_ha"]
    rain = trials.filter(like="BOMDom_rainfall_mean_").mean(axis=1)
    ndvi = trials.filter(like="SatDom_NDVI_mean_").mean(axis=1)
    noise = trials.filter(like="BOMDom_wind_speed_mean_").mean(axis=1)
    assert grain.corr(rain) > 0.3
    assert grain.corr(ndvi) > 0.4
    assert abs(grain.corr(noise)) < 0.15
    after_wheat = trials["METADom_previous_crop_sub_cropWheat"] == 1
    after_pea = trials["METADom_previous_crop_sub_cropField.Pea"] == 1
    assert grain[after_pea].mean() - grain[after_wheat].mean() > 0.8


def test_waterlogging_follows_the_soil(trials):
    score = trials["PHENDom_Waterlogging"]
    assert score.corr(trials["METADom_Soil_test_class_60cm_Colwell"]) > 0.6
    assert score.dropna().between(0, 9).all()


def test_indicators_are_one_of_each_group_and_cells_are_missing(trials):
    for stem in ("MANDom_Breeder", "METADom_previous_crop_sub_crop", "MANDom_Series_name"):
        assert (trials.filter(regex=f"^{stem}").sum(axis=1) == 1).all()
    assert trials["PHENDom_Waterlogging"].isna().mean() > 0.2
    assert 0 < trials["SatDom_NDVI_mean_10"].isna().sum() < 40
