"""Gold answers to the questions about the retail table, by independent pandas code."""

from __future__ import annotations

import numpy as np
import pandas as pd

UNANSWERABLE: dict[str, str] = {
    "retail-17": "there is no warehouse club format",
    "retail-20": "no figures on sick leave",
    "retail-25": "no phone numbers",
    "retail-28": "the table covers fiscal 2022 (and last year's totals), not 2019",
}
FORMATS = {"H": "hypermarket", "S": "supermarket", "C": "convenience", "D": "discounter"}


def _rows(series: pd.Series) -> list[list[object]]:
    """Rows [label, value] of a series, in plain Python types."""
    return [[k.item() if hasattr(k, "item") else k, float(v)] for k, v in series.items()]


def _named(frame: pd.DataFrame, column: str, count: int) -> pd.Series:
    """The largest values of a column, labelled by store number."""
    return frame.set_index("storenum")[column].nlargest(count)


def answers(frame: pd.DataFrame) -> dict[str, list[object]]:
    """Acceptable answers by question id."""
    f = frame
    out: dict[str, list[object]] = {}
    out["retail-1"] = [int(f["storenum"].nunique())]
    store, area = _rows(_named(f, "ssize", 1))[0]
    out["retail-2"] = [[[store, area]], [area, store]]
    out["retail-3"] = [float(f["wagest"].mean())]
    out["retail-4"] = [int((f["sttype"] == "D").sum())]
    out["retail-5"] = [round(float(f["sls_tot_w10"].sum()), 2)]
    out["retail-6"] = [int((f["open24"] == "Y").sum())]
    first = f.loc[f["opendate"].idxmin()]
    store, day = int(first["storenum"]), first["opendate"].strftime("%Y-%m-%d")
    out["retail-7"] = [[[store, day]], [day, store]]
    rows = _rows(f.groupby("sttype")["sls_dairy_w47"].mean())
    out["retail-8"] = [rows, [[FORMATS[str(k)], v] for k, v in rows]]
    rows = _rows(_named(f, "custcoun_w43", 5))
    out["retail-9"] = [[k for k, _ in rows], rows]
    share = float((f["has_fuel"] == 1).mean())
    out["retail-10"] = [100 * share, share]
    both = (f["has_saladbar"] == 1) & (f["has_evchg"] == 1)
    out["retail-11"] = [int((both & (f["region"] == "WE")).sum())]
    out["retail-12"] = [int(f["lastremod"].isna().sum())]
    weeks = [f"sls_pharm_w{w:02d}" for w in range(1, 14)]
    out["retail-13"] = [round(float(f[weeks].sum().sum()), 2)]
    spaces = f["parkspc"]
    out["retail-14"] = [
        int(((spaces >= 100) & (spaces <= 200)).sum()),
        int(((spaces > 100) & (spaces < 200)).sum()),
    ]
    mean = f.groupby("union")["lbrhrs_w20"].mean()
    yes, no = float(mean[1]), float(mean[0])
    out["retail-15"] = [
        [[1, yes], [0, no]],
        [["union", yes], ["non-union", no]],
        [["unionised", yes], ["not unionised", no]],
        [yes, no],
    ]
    out["retail-16"] = [int(((f["urb"] == "R") & (f["sttype"] != "S")).sum())]
    out["retail-18"] = [float(f.loc[f["own_lease"].isin(["L", "G"]), "rent_sqft"].mean())]
    low, high = float(f["p_milk_q3"].min()), float(f["p_milk_q3"].max())
    out["retail-19"] = [
        [low, high],
        [[low, high]],
        [["min", low], ["max", high]],
        [["lowest", low], ["highest", high]],
    ]
    change = float(f["sls_tot_w26"].sum() / f["ly_sls_tot_w26"].sum() - 1)
    out["retail-21"] = [100 * change, change]
    weekly = f[[f"oos_pct_w{w:02d}" for w in range(1, 53)]].mean()
    column, rate = str(weekly.idxmax()), float(weekly.max())
    week = int(column[-2:])
    out["retail-22"] = [
        week,
        f"week {week}",
        f"w{week:02d}",
        column,
        [[week, rate]],
        [[f"week {week}", rate]],
        [[column, rate]],
    ]
    female = f[f["mgr_sex"] == "F"].groupby("region")["turnov_pct"].median()
    region, value = str(female.idxmax()), float(female.max())
    name = {"NE": "Northeast", "MW": "Midwest", "SO": "South", "WE": "West"}[region]
    out["retail-23"] = [region, name, [[region, value]], [[name, value]]]
    private = f["pl_shr_groc_q4"]
    out["retail-24"] = [
        float(x.corr(private)) for x in (f["INCOME"], f["hhinc_k"], np.exp(f["INCOME"]))
    ]
    year = f[[f"sls_tot_w{w:02d}" for w in range(1, 53)]].sum(axis=1)
    year.index = f["storenum"]
    store, total = _rows(year.nlargest(4))[3]
    out["retail-26"] = [store, [[store, round(float(total), 2)]]]
    out["retail-27"] = [int((f["unt_froz_w08"] > f["unt_dairy_w08"]).sum())]
    return out
