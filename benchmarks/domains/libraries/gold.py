"""Gold answers for the questions about the public library table, straight from the columns."""

from __future__ import annotations

import numpy as np
import pandas as pd

UNANSWERABLE: dict[str, str] = {
    "libraries-15": "the survey starts in fiscal year 2010",
    "libraries-18": "website visits start in fiscal year 2018",
    "libraries-19": "no titles in the table",
    "libraries-25": "no home addresses in the table",
}
BASIS = {
    "LD": "library district",
    "NP": "nonprofit",
    "CC": "city and county",
    "MJ": "multi-jurisdictional",
    "SD": "school district",
}
KEYS = ("LIBNAME", "FSCSKEY", "LIBID")


def _plain(value: object) -> object:
    """A numpy scalar as a Python one, whole floats as integers, lists all through."""
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _pair(frame: pd.DataFrame, col: str) -> list[object]:
    """Who has the most, and how much, as asked together."""
    row = frame.loc[frame[col].idxmax()]
    rows: list[object] = [[[row[k], row[col]]] for k in KEYS]
    return rows + [[row["LIBNAME"], row[col]], [[row["LIBNAME"], row["FSCSKEY"], row[col]]]]


def _named(frame: pd.DataFrame, rank: int, col: str) -> list[object]:
    """The one at a rank, by name or code, with or without its number."""
    row = frame.sort_values(col, ascending=False).iloc[rank - 1]
    return [row[k] for k in KEYS] + [[[row[k], row[col]]] for k in KEYS]


def _rows(values: pd.Series, labels: dict[str, str] | None = None) -> list[object]:
    return [[k if labels is None else labels[str(k)], v] for k, v in values.items()]


def answers(frame: pd.DataFrame) -> dict[str, list[object]]:
    """Acceptable answers by question id."""
    f = frame
    out: dict[str, list[object]] = {k: [] for k in UNANSWERABLE}
    q = "libraries-"
    out[q + "1"] = [len(f)]
    out[q + "2"] = _pair(f, "VISITS_FY19")
    out[q + "3"] = [f["POPU_LSA_FY22"].mean()]
    out[q + "4"] = [f["TOTCIR_FY15"].sum()]
    out[q + "5"] = [(f["C_LEGBAS"] == "CO").sum()]
    out[q + "6"] = _pair(f, "SQ_FEET")
    out[q + "7"] = [(f["LOCALE_ADD"] == "43").sum(), (f["LOCALE_MOD"] == "43").sum()]
    top = f.nlargest(5, "TOTINCM_FY18")
    out[q + "8"] = [
        top["LIBNAME"].tolist(),
        top[["LIBNAME", "TOTINCM_FY18"]].to_numpy().tolist(),
        top[["FSCSKEY", "LIBNAME", "TOTINCM_FY18"]].to_numpy().tolist(),
    ]
    fines = (f["FINEFREE"] == 0).mean()
    out[q + "9"] = [fines * 100, fines]
    reg = f.groupby("BKMOB_FY21")["REGBOR_FY21"].mean()
    with_, without = reg[1.0], reg[0.0]
    out[q + "10"] = [
        [[1, with_], [0, without]],
        [["with bookmobile", with_], ["without bookmobile", without]],
        [["yes", with_], ["no", without]],
        [[True, with_], [False, without]],
        [with_, without],
        [[with_, without]],
    ]
    out[q + "11"] = [f["POPU_LSA_FY20"].between(10_000, 25_000).sum()]
    spent = [f[f"TOTOPEXP_FY{y}"].sum() for y in range(10, 15)]
    out[q + "12"] = [
        [[2000 + y, v] for y, v in zip(range(10, 15), spent)],
        [[str(2000 + y), v] for y, v in zip(range(10, 15), spent)],
        [[f"FY{y}", v] for y, v in zip(range(10, 15), spent)],
        [[f"TOTOPEXP_FY{y}", v] for y, v in zip(range(10, 15), spent)],
        spent,
        [spent],
    ]
    out[q + "13"] = [f["SQ_FEET"].isna().sum()]
    med = f.groupby("C_ADMIN")["BKVOL_FY21"].median().reindex(["SO", "MA", "MO"])
    out[q + "14"] = [_rows(med), med.tolist()]
    out[q + "16"] = [((f["C_RELATN"] == "NO") & (f["POPU_LSA_FY22"] > 50_000)).sum()]
    per = f.loc[~f["C_LEGBAS"].isin(["CI", "CO"]), "C_LEGBAS"].value_counts()
    out[q + "17"] = [_rows(per), _rows(per, BASIS)]
    dist = f["C_LEGBAS"].isin(["SD", "LD"])
    out[q + "20"] = [f.loc[dist, "TOTSTAFF_FY22"].mean()]
    vis = f[["VISITS_FY19", "VISITS_FY20"]]
    out[q + "21"] = []
    for part in (vis, vis.dropna()):
        a, b = part.sum()
        drop = 1 - b / a
        out[q + "21"] += [drop * 100, drop, -drop * 100, -drop]
    loan = pd.Series({y: f[f"LOANTO_FY{y}"].mean() for y in range(10, 23)})
    best = int(loan.idxmax())
    names = [2000 + best, str(2000 + best), f"FY{best}", f"FY{2000 + best}", f"LOANTO_FY{best}"]
    out[q + "22"] = names + [[[k, loan[best]]] for k in names]
    both = (f["CENTLIB_FY22"] > 0) & (f["BRANLIB_FY22"] > 0)
    out[q + "23"] = []
    for mask in (f["C_ADMIN"] == "MA", both):
        for key in ("STATNAME", "STABR"):
            m = f[mask].groupby(key)["TOTSTAFF_FY22"].median()
            out[q + "23"] += [m.idxmax(), [[m.idxmax(), m.max()]]]
    out[q + "24"] = [f["POPU_LSA_FY22"].corr(f["TOTCIR_FY22"])]
    out[q + "26"] = _named(f, 3, "TOTOPEXP_FY13")
    out[q + "27"] = [(f["WIFISESS_FY19"] > f["PITUSR_FY19"]).sum()]
    out[q + "28"] = []
    for key in ("STATNAME", "STABR"):
        tab = f.groupby(key)[["ADATTEN_FY17", "HRS_OPEN_FY17"]].mean().reset_index()
        out[q + "28"].append(tab.to_numpy().tolist())
    clean: dict[str, list[object]] = {}
    for k, vals in out.items():
        clean[k] = []
        for v in (_plain(x) for x in vals):
            if not any(repr(v) == repr(w) for w in clean[k]):
                clean[k].append(v)
    return clean
