"""Gold answers to the questions about the county housing panel, by plain pandas."""

from __future__ import annotations

import numpy as np
import pandas as pd

UNANSWERABLE: dict[str, str] = {
    "housing-15": "no landlords' names in the table",
    "housing-19": "no houseboats among the building types",
    "housing-24": "survey rounds start in 2016",
    "housing-27": "burglaries were not recorded",
    "housing-28": "page views end with week 26",
}
NAMES: dict[str, str] = {
    "CBD": "city centre",
    "OldTn": "Old Town",
    "HrbSd": "Harbor Side",
    "MillR": "Mill Row",
    "UnivD": "University District",
    "WestPk": "West Park",
    "LakeV": "Lake View",
    "NrthG": "North Gate",
    "Frmld": "farmland",
    "1Fam": "single family detached",
    "2FmCon": "two-family conversion",
    "Duplx": "duplex",
    "TwnhsE": "townhouse end",
    "TwnhsI": "townhouse inside",
    "Apt": "apartment",
    "MobHm": "mobile home",
}


def _which(code: str, value: float) -> list[object]:
    """Acceptable forms of a winner: code, meaning, and either with the number."""
    return [code, NAMES[code], [[code, float(value)]], [[NAMES[code], float(value)]]]


def _groups(series: pd.Series) -> list[object]:
    """Rows of group and value, by code and by meaning."""
    rows = [[str(k), float(v)] for k, v in series.items()]
    return [rows, [[NAMES[k], v] for k, v in rows]]


def _share(value: float) -> list[object]:
    """A share as percentage and as fraction."""
    return [100 * float(value), float(value)]


def answers(frame: pd.DataFrame) -> dict[str, list[object]]:
    """Acceptable answers by question id."""
    f = frame
    out: dict[str, list[object]] = {k: [] for k in UNANSWERABLE}
    out["housing-19"] = [0]
    out["housing-1"] = [len(f)]
    out["housing-2"] = [float(f["yrbuilt"].mean())]
    top = f.loc[f["price"].idxmax()]
    out["housing-3"] = _which(top["nbhd"], top["price"])
    out["housing-4"] = [int((f["bldgtype"] == "MobHm").sum())]
    out["housing-5"] = [int((f["has_pool"] == 1).sum())]
    out["housing-6"] = [float(f["lotsize"].max())]
    out["housing-7"] = [float(f["dom"].median())]
    out["housing-8"] = [int((f["tenure_r5"] == "R").sum())]
    out["housing-9"] = _groups(f.groupby("bldgtype")["templiv_r6"].mean())
    det = f[f["bldgtype"] == "1Fam"]
    pv, hot = det["has_solarpv"] == 1, det["has_solarth"] == 1
    out["housing-10"] = _share(pv.mean()) + _share((pv | hot).mean())
    shown = f.sort_values("nshow", ascending=False, kind="stable").head(5)
    out["housing-11"] = [
        [[r[c] for c in cols] for r in shown.astype(object).to_dict("records")]
        for cols in (
            ["serial", "nshow", "price", "nbhd"],
            ["PID", "nshow", "price", "nbhd"],
            ["serial", "price", "nbhd"],
            ["PID", "price", "nbhd"],
            ["nshow", "price", "nbhd"],
            ["price", "nbhd"],
        )
    ]
    out["housing-12"] = [int(f["yrremod"].isna().sum())]
    out["housing-13"] = [int((f["yrbuilt"].between(1950, 1969) & (f["nr_primsch"] == 1)).sum())]
    apt = f[f["bldgtype"] == "Apt"]
    yes = float(apt.loc[apt["has_elev"] == 1, "price"].mean())
    no = float(apt.loc[apt["has_elev"] == 0, "price"].mean())
    out["housing-14"] = [
        [[1, yes], [0, no]],
        [["with elevator", yes], ["without elevator", no]],
        [yes, no],
    ]
    out["housing-16"] = [float(np.nanmean(f[[f"elecmo_r{r}" for r in range(1, 5)]].to_numpy()))]
    two = f["bldgtype"].isin(["Duplx", "2FmCon"])
    out["housing-17"] = [int((two & (f["has_pets_ok"] == 0)).sum())]
    out["housing-18"] = _share((f["respst_r8"] == "X").mean())
    rad = f.groupby("nbhd")["radonbq_r7"].mean()
    out["housing-20"] = _which(str(rad.idxmax()), rad.max())
    first, last = f["avm_18q1"], f["avm_23q4"]
    out["housing-21"] = [float(last.mean() - first.mean()), float((last - first).mean())]
    hours = f[[f"kwh_wi_h{h:02d}" for h in range(24)]].mean()
    hour, kwh = int(str(hours.idxmax())[-2:]), float(hours.max())
    out["housing-22"] = [
        hour,
        f"{hour:02d}",
        f"h{hour:02d}",
        f"{hour:02d}:00",
        "7 pm",
        hours.idxmax(),
        [[hour, kwh]],
        [[hours.idxmax(), kwh]],
    ]
    out["housing-23"] = [float(f["dist_landfill"].corr(f["price"]))]
    co2 = f[f["flt01_r4"] == 1].groupby("bldgtype")["co2ppm_r4"].median()
    out["housing-25"] = _which(str(co2.idxmax()), co2.max())
    tax = f.groupby("nbhd")["txbill2023"].mean().sort_values(ascending=False)
    out["housing-26"] = _which(str(tax.index[2]), tax.iloc[2])
    return out
