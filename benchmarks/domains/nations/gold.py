"""Gold answers to the questions about the country file, by plain pandas."""

import pandas as pd

UNANSWERABLE: dict[str, str] = {
    "nations-25": "there is nothing on vaccination",
    "nations-26": "unemployment begins in 1990",
    "nations-27": "there is nothing on inheritance tax",
    "nations-28": "no region is Oceania",
}
REGIONS = {
    "EAP": "East Asia and Pacific",
    "ECA": "Europe and Central Asia",
    "LAC": "Latin America and Caribbean",
    "MNA": "Middle East and North Africa",
    "NAM": "North America",
    "SAS": "South Asia",
    "SSF": "Sub-Saharan Africa",
}
INCOME = {"L": "low", "LM": "lower middle", "UM": "upper middle", "H": "high"}


def _named(f: pd.DataFrame, column: str) -> list[object]:
    """The rows of f as name, as code, and each with its number in a column."""
    out: list[object] = []
    for key in ("cname", "iso3"):
        names = [str(v) for v in f[key]]
        out.append(names[0] if len(names) == 1 else names)
        out.append([[k, float(v)] for k, v in zip(names, f[column], strict=True)])
    return out


def _nth(f: pd.DataFrame, column: str, place: int = 1) -> pd.DataFrame:
    """The row or tied rows that hold a place, counted from the largest."""
    value = f[column].sort_values(ascending=False).iloc[place - 1]
    return f[f[column] == value]


def _labelled(rows: list[list[object]], names: dict[str, str]) -> list[object]:
    """Rows that begin with a code, as they are and with its meaning."""
    return [rows, [[names[str(r[0])], *r[1:]] for r in rows]]


def _independence(f: pd.DataFrame) -> list[object]:
    """The latest date of independence, with name or code."""
    top = f[f["indep_dt"] == f["indep_dt"].max()].iloc[0]
    date = f"{top['indep_dt']:%Y-%m-%d}"
    out: list[object] = []
    for name in (str(top["cname"]), str(top["iso3"])):
        out += [[date, name], [name, date], [[name, date]]]
    return out


def _internet(f: pd.DataFrame) -> list[object]:
    """All areas tied at the top for internet use, and the first five of them in file order."""
    tied = _nth(f, "wdi_internet_2018", 5)
    return [*_named(tied, "wdi_internet_2018"), *_named(tied.head(5), "wdi_internet_2018")]


def _gdp(f: pd.DataFrame) -> list[object]:
    """GDP per head of high and low income areas: mean of areas, of years, of all cells."""
    cols = [f"wdi_gdpcapcon2015_{y}" for y in range(2010, 2016)]
    by = f.groupby("incgrp")[cols]
    means = [
        f[cols].mean(axis=1).groupby(f["incgrp"]).mean(),
        by.mean().mean(axis=1),
        by.sum().sum(axis=1) / by.count().sum(axis=1),
    ]
    out: list[object] = []
    for m in means:
        pair: list[list[object]] = [[k, float(m[k])] for k in ("H", "L")]
        out += [*_labelled(pair, INCOME), [float(m["H"]), float(m["L"])]]
    return out


def _life(f: pd.DataFrame) -> list[object]:
    """The lowest and the highest female life expectancy of 1995, bare and with the names."""
    col = "wdi_lifexpf_1995"
    ends = f.loc[[f[col].idxmin(), f[col].idxmax()]]
    low, high = (float(v) for v in ends[col])
    return [[low, high], *_named(ends, col)[1::2]]


def answers(frame: pd.DataFrame) -> dict[str, list[object]]:
    """Every acceptable answer to each question."""
    f = frame
    out: dict[str, list[object]] = {key: [] for key in UNANSWERABLE}
    out["nations-1"] = [len(f)]
    out["nations-2"] = _named(_nth(f, "area_km2"), "area_km2")
    out["nations-3"] = [float(f["wdi_lifexp_2015"].mean())]
    out["nations-4"] = [int((f["status"] == "F").sum())]
    out["nations-5"] = [int((f["drive_side"] == "L").sum())]
    out["nations-6"] = [int(f.loc[f["iso3"] == "BRA", "ccode"].iloc[0])]
    out["nations-7"] = _independence(f)
    fert = f.groupby("region")["wdi_fertility_2005"].mean()
    out["nations-8"] = _labelled([[str(k), float(v)] for k, v in fert.items()], REGIONS)
    out["nations-9"] = [int(((f["region"] == "SSF") & (f["fh_status10"] == "NF")).sum())]
    out["nations-10"] = _internet(f)
    french = float((f.loc[f["status"] == "S", "legor"] == "fr").mean())
    out["nations-11"] = [100 * french, french]
    out["nations-12"] = [int(f["wdi_unempyilo_2020"].isna().sum())]
    out["nations-13"] = _named(f[f["wdi_popurb_2000"].between(40, 45)], "wdi_popurb_2000")
    out["nations-14"] = _gdp(f)
    out["nations-15"] = [int(f["regime"].isin(["PARL", "SEMI"]).sum())]
    out["nations-16"] = [int(((f["regime"] == "PRES") & (f["region"] != "LAC")).sum())]
    out["nations-17"] = [float(f["elc_solar_twh_2022"].sum())]
    out["nations-18"] = _life(f)
    cut = f[["iso3", "cname"]].assign(cut=f["wdi_mortinf_1990"] - f["wdi_mortinf_2022"])
    out["nations-19"] = _named(_nth(cut, "cut"), "cut")
    polity = f[[f"p_polity2_{y}" for y in range(1990, 2023)]].mean()
    col = str(polity.idxmax())
    year, top = col[-4:], float(polity.max())
    out["nations-20"] = [int(year), year, col, [[year, top]], [[int(year), top]], [[col, top]]]
    gini = f[f["exr_regime"] == "FLT"].groupby("region")["gini_net"].median()
    best, level = str(gini.idxmax()), float(gini.max())
    out["nations-21"] = [best, REGIONS[best], [[best, level]], [[REGIONS[best], level]]]
    out["nations-22"] = [float(f["ti_cpi"].corr(f["undp_hdi"]))]
    mid = f.groupby("incgrp")[["wdi_elerenew_2015", "wdi_forest_2015"]].median()
    rows: list[list[object]] = [[str(k), float(a), float(b)] for k, a, b in mid.itertuples()]
    out["nations-23"] = _labelled(rows, INCOME)
    out["nations-24"] = _named(_nth(f, "bl_asy25f_2015", 4), "bl_asy25f_2015")
    return out
