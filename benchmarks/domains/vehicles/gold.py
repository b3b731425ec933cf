"""Gold answers to the questions about car variants and their tests, by plain pandas."""

from __future__ import annotations

import numpy as np
import pandas as pd

UNANSWERABLE: dict[str, str] = {
    "vehicles-16": "no hydrogen cars among the fuels (H is hybrid)",
    "vehicles-22": "road tests end at 200 km/h",
    "vehicles-26": "no gravel among the surfaces",
    "vehicles-27": "nothing about test drivers",
    "vehicles-28": "registrations start in 2019",
}
SEGMENT: dict[str, str] = {
    "A": "mini",
    "B": "small",
    "C": "medium",
    "D": "large",
    "E": "executive",
    "J": "sport utility",
    "M": "multi-purpose",
    "S": "sports",
}
ORIGIN: dict[str, str] = {"A": "Asia", "E": "Europe", "U": "United States"}


def _car(row: pd.Series, value: float) -> list[object]:
    """Acceptable forms of one car: model, maker with model, ids, and each with the number."""
    names: list[object] = [
        row["carline"],
        f"{row['Mk']} {row['carline']}",
        int(row["id"]),
        row["TAN"],
    ]
    pairs: list[object] = [[[n, float(value)]] for n in names]
    return names + pairs + [[[row["Mk"], row["carline"], float(value)]]]


def _pooled(block: pd.DataFrame) -> float:
    """Mean of all cells that are there."""
    return float(np.nanmean(block.to_numpy(dtype=float)))


def _three(block: pd.DataFrame) -> list[float]:
    """Mean of runs: pooled, of the rows' means, of the columns' means."""
    return [_pooled(block), float(block.mean(axis=1).mean()), float(block.mean().mean())]


def answers(frame: pd.DataFrame) -> dict[str, list[object]]:
    """Acceptable answers by question id."""
    f = frame
    out: dict[str, list[object]] = {k: [] for k in UNANSWERABLE}
    out["vehicles-1"] = [len(f)]
    out["vehicles-2"] = [float(f["price"].mean())]
    top = f.loc[f["hp"].idxmax()]
    out["vehicles-3"] = _car(top, top["hp"])
    out["vehicles-4"] = [int((f["Ft"] == "E").sum())]
    out["vehicles-5"] = [float(f.loc[f["VClass"] == "A", "m.kg"].max())]
    out["vehicles-6"] = [int((f["ncap.star"] == 5).sum())]
    dsl = f[f["Ft"] == "D"]
    out["vehicles-7"] = [float(dsl["Ewltp"].mean()), float(dsl["Enedc"].mean())]
    dry = f[[f"brk.dry_100_{i}" for i in range(1, 6)]]
    seg = {str(k): _three(b) for k, b in dry.groupby(f["VClass"])}
    out["vehicles-8"] = [
        [[names.get(k, k), v[i]] for k, v in seg.items()]
        for i in range(3)
        for names in ({}, SEGMENT)
    ]
    out["vehicles-9"] = [int(((f["VClass"] == "J") & (f["drv"] == "4")).sum())]
    ten = f.sort_values("Nm.max", ascending=False, kind="stable").head(10)
    out["vehicles-10"] = [
        [[m, c, float(t)] for m, c, t in zip(ten[mk], ten["carline"], ten["Nm.max"])]
        for mk in ("Mk", "mfr_code")
    ]
    share = float((f.loc[f["model_yr"] == 2020, "Ft"] == "P").mean())
    out["vehicles-11"] = [100 * share, share]
    out["vehicles-12"] = [int(f["Cx"].isna().sum())]
    out["vehicles-13"] = [int((f["price"].between(20000, 30000) & (f["drv"] != "F")).sum())]
    noise = f[[f"dBA.F_130_r{r}" for r in (1, 2, 3)]]
    ev, pet = _three(noise[f["Ft"] == "E"]), _three(noise[f["Ft"] == "P"])
    out["vehicles-14"] = [ev[0] < pet[0], "yes"]
    for a, b in zip(ev, pet):
        out["vehicles-14"] += [[["E", a], ["P", b]], [["electric", a], ["petrol", b]], [a, b]]
    front, rear = f["eq.htd.st.f"] == 1, f["eq.htd.st.r"] == 1
    heat = pd.DataFrame({"front": front, "rear": rear, "any": front | rear})
    org = heat.groupby(f["origin"]).sum()
    out["vehicles-15"] = [
        [[names.get(k, k), *(int(org.loc[k, c]) for c in cols)] for k in org.index]
        for cols in (["any"], ["front"], ["front", "rear"])
        for names in ({}, ORIGIN)
    ]
    out["vehicles-17"] = [int(f["reg_2021m03"].sum())]
    fast = f.loc[f["acc0_100"].idxmin()]
    out["vehicles-18"] = [float(fast["acc0_100"]), *_car(fast, fast["acc0_100"])]
    snow = f[[f"brk.snw_080_{i}" for i in range(1, 6)]]
    dry80 = f[[f"brk.dry_080_{i}" for i in range(1, 6)]]
    paired = snow.to_numpy() - dry80.to_numpy()
    out["vehicles-19"] = [a - b for a, b in zip(_three(snow), _three(dry80))]
    out["vehicles-19"].append(float(np.nanmean(paired)))
    reg = f[[f"reg_{y}m{m:02d}" for y in range(2019, 2024) for m in range(1, 13)]]
    means = reg.mean()
    col, best = str(means.idxmax()), float(means.max())
    month = means.groupby(means.index.str[-2:]).mean()
    long = reg.melt().dropna()
    cells = long.groupby(long["variable"].str[-2:])["value"].mean()
    name = pd.Timestamp(2019, int(str(month.idxmax())), 1).month_name()
    out["vehicles-20"] = [
        col,
        col[4:],
        f"{col[4:8]}-{col[-2:]}",
        f"{name} {col[4:8]}",
        [[col, best]],
        [[f"{col[4:8]}-{col[-2:]}", best]],
        name,
        int(str(month.idxmax())),
        [[name, float(month.max())]],
        [[name, float(cells.max())]],
    ]
    burn = f[f["Ft"].isin(["P", "D"])]
    out["vehicles-21"] = [float(burn[c].corr(burn["l100.comb"])) for c in ("m.kg", "wt.lb")]
    rv1, rv5 = f["rv.pct_12m"], f["rv.pct_60m"]
    out["vehicles-23"] = [float(rv1.mean() - rv5.mean()), float((rv1 - rv5).mean())]
    eng = f.groupby("Mk")["cmp.eng.y3"].median()
    mk, med = str(eng.idxmax()), float(eng.max())
    out["vehicles-24"] = [mk, mk.upper(), [[mk, med]], [[mk.upper(), med]]]
    far = f[(f["Ft"] == "E") & (f["range.km"] > 400)].sort_values("price")
    out["vehicles-25"] = _car(far.iloc[1], far["price"].iloc[1])
    return out
