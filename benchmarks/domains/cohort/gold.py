"""Gold answers to the questions about the longitudinal health and life survey."""

from __future__ import annotations

import pandas as pd

UNANSWERABLE: frozenset[str] = frozenset({"cohort-26", "cohort-27", "cohort-28"})
REGIONS = {
    "NE": "North East",
    "NW": "North West",
    "YH": "Yorkshire and the Humber",
    "EM": "East Midlands",
    "WM": "West Midlands",
    "SE": "South East",
    "SW": "South West",
    "WA": "Wales",
    "SC": "Scotland",
}
TENURE = {"OO": "owned outright", "OM": "mortgage"}
IDS = ["eid", "hhidpn"]


def _plain(v: object) -> object:
    """Numpy scalars as Python ones, whole floats as integers."""
    if isinstance(v, list):
        return [_plain(x) for x in v]
    v = v.item() if hasattr(v, "item") else v
    return int(v) if isinstance(v, float) and v.is_integer() else v


def _sexes(female: float, male: float) -> list[object]:
    """One value for each sex under the ways of naming the sexes."""
    names = [("F", "M"), (0, 1), ("female", "male"), ("women", "men")]
    return [[[w, female], [m, male]] for w, m in names]


def answers(frame: pd.DataFrame) -> dict[str, list[object]]:
    """Acceptable answers by question id."""
    f = frame.copy()
    a: dict[str, list[object]] = {}
    women, men = f["p31"] == 0, f["p31"] == 1
    a["cohort-1"] = [len(f)]
    a["cohort-2"] = [f["p21001_i0"].mean()]
    a["cohort-3"] = [f["p21003_i0"].max()]
    a["cohort-4"] = [women.sum()]
    a["cohort-5"] = [f["p40000"].notna().sum(), f["is_dead"].sum()]
    a["cohort-6"] = [(f["abo"] == "O").sum()]
    first = f[f["p53_i0"] == f["p53_i0"].min()]
    day = first["p53_i0"].iloc[0].strftime("%Y-%m-%d")
    a["cohort-7"] = [[[day, k] for k in first[c]] for c in IDS]
    a["cohort-7"] += [[day, *first[c]] for c in IDS]
    a["cohort-8"] = [f["r3cesd"].mean()]
    a["cohort-9"] = [(f["r7mode"] == "W").sum()]
    s = f[f["p680_i0"].isin(list(TENURE))].groupby("p680_i0")["p4080_i0_a0"].mean()
    a["cohort-10"] = [
        [[k, s[k]] for k in TENURE],
        [[t, s[k]] for k, t in TENURE.items()],
        [[s["OO"], s["OM"]]],
    ]
    share = (f["region"] == "SC").mean()
    a["cohort-11"] = [share * 100, share]
    a["cohort-12"] = [((f["p1180_i0"] == "DE") & (f["p20116"] == "Current")).sum()]
    rich = f.sort_values("h8atotb", ascending=False).head(5)
    a["cohort-13"] = [rich[[c, "h8atotb"]].to_numpy().tolist() for c in IDS]
    a["cohort-14"] = [f["p30760_i0"].isna().sum()]
    a["cohort-15"] = [f["p30750_i0"].between(42, 47).sum()]
    a["cohort-16"] = [f["r4mstat"].isin([1, 7]).sum()]
    a["cohort-17"] = [f.loc[f["r5lbrf"] == 5, "h5itot"].mean()]
    s = f.groupby("region")["r2casp"].mean()
    code = str(s.idxmin())
    a["cohort-18"] = [code, REGIONS[code], [[code, s.min()]], [[REGIONS[code], s.min()]]]
    chol = f["p30690_i1"]
    a["cohort-19"] = _sexes(chol[women].median(), chol[men].median())
    a["cohort-19"].append([[chol[men].median(), chol[women].median()]])
    a["cohort-20"] = [
        (f["r6weight"] - f["r1weight"]).mean(),
        f["r6weight"].mean() - f["r1weight"].mean(),
    ]
    s = pd.Series({w: f[f"h{w}itot"].mean() for w in range(1, 9)})
    w = int(s.idxmax())
    names: list[object] = [w, str(w), f"W{w}", f"wave {w}", f"h{w}itot"]
    a["cohort-21"] = [*names, *([[k, s.max()]] for k in names)]
    s = f[f["p131286"].notna()].groupby("p21000")["p189"].median()
    a["cohort-22"] = [s.idxmax(), [[s.idxmax(), s.max()]]]
    pair = f[["p24500", "p24003"]].dropna()
    a["cohort-23"] = [pair.corr().iloc[0, 1], pair.rank().corr().iloc[0, 1]]
    ratio = f["p48_i0"] / f["p49_i0"]
    a["cohort-24"] = _sexes(ratio[women].mean(), ratio[men].mean())
    third = f.sort_values("p3148_i0", ascending=False).iloc[2]
    a["cohort-25"] = [
        third["eid"],
        third["hhidpn"],
        *([[third[c], third["p3148_i0"]]] for c in IDS),
    ]
    a.update({q: [] for q in UNANSWERABLE})
    return {q: [_plain(x) for x in v] for q, v in a.items()}
