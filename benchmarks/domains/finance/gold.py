"""Gold answers for the questions about the listed companies, straight from the columns."""

from __future__ import annotations

import numpy as np
import pandas as pd

UNANSWERABLE: dict[str, str] = {
    "finance-17": "no emissions in the table",
    "finance-19": "analysts' estimates start in the first quarter of 2019",
    "finance-21": "the quarters end with 2021",
    "finance-27": "no Tokyo exchange in the table",
    "finance-28": "no religion in the table",
}
KEYS = ("conm", "tic", "gvkey")


def _plain(value: object) -> object:
    """A numpy scalar as a Python one, whole floats as integers, lists all through."""
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _pair(row: pd.Series, col: str) -> list[object]:
    """Who and how much, as asked together."""
    rows: list[object] = [[[row[k], row[col]]] for k in KEYS]
    return rows + [
        [[row[col], row["conm"]]],
        [row["conm"], row[col]],
        [[row["conm"], row["tic"], row[col]]],
        [[row["gvkey"], row["conm"], row[col]]],
    ]


def answers(frame: pd.DataFrame) -> dict[str, list[object]]:
    """Acceptable answers by question id."""
    f = frame
    out: dict[str, list[object]] = {k: [] for k in UNANSWERABLE}
    q = "finance-"
    out[q + "1"] = [len(f)]
    out[q + "2"] = _pair(f.loc[f["sale_2020"].idxmax()], "sale_2020")
    out[q + "3"] = [f["ceo_age"].mean()]
    out[q + "4"] = [(f["exchg"] == 14).sum()]
    out[q + "5"] = [f["ni_2018"].sum()]
    out[q + "6"] = [((f["costat"] == "I") & (f["dlrsn"] == "02")).sum()]
    out[q + "7"] = _pair(f.loc[f["beta60"].idxmin()], "beta60")
    out[q + "8"] = [f["prccq_2019q3"].median()]
    out[q + "9"] = []
    for col in ("mkvaltq_2021q4", "mktcap_bn"):
        top = f.nlargest(10, col)
        for cols in (
            ["conm", "tic"],
            ["conm", "tic", col],
            ["tic", "conm"],
            ["tic", "conm", col],
            ["gvkey", "conm", "tic", col],
        ):
            out[q + "9"].append(top[cols].to_numpy().tolist())
    women = (f["ceo_sex"] == "F").mean()
    out[q + "10"] = [women * 100, women]
    out[q + "11"] = []
    for col in (f["emp_2021"], f["employees"] / 1000):
        per = col.groupby(f["gsecnm"]).mean()
        out[q + "11"].append([[k, v] for k, v in per.items()])
    out[q + "12"] = [f["xrd_2016"].isna().sum()]
    out[q + "13"] = [f["at_2019"].between(500, 1000).sum()]
    out[q + "14"] = [(~f["au"].isin(["4", "5", "6", "7"])).sum()]
    capx = [f"capx_{y}" for y in range(2012, 2016)]
    spend = f.assign(total=f[capx].sum(axis=1)).nlargest(1, "total").iloc[0]
    out[q + "15"] = [spend[k] for k in KEYS] + [[[spend[k], spend["total"]]] for k in KEYS]
    listed = (f["costat"] == "A") & (f["exchg"] == 11)
    out[q + "16"] = [(listed & (f["d_sp500"] == 1)).sum()]
    qual = f.loc[f["auop"] == "2", "salary"].mean()
    unq = f.loc[f["auop"] == "1", "salary"].mean()
    out[q + "18"] = [
        [["2", qual], ["1", unq]],
        [[2, qual], [1, unq]],
        [["qualified", qual], ["unqualified", unq]],
        [qual, unq],
        [[qual, unq]],
    ]
    n1, n9 = (int((f["dlrsn"] == k).sum()) for k in ("01", "09"))
    out[q + "20"] = [
        [["01", n1], ["09", n9]],
        [["acquired", n1], ["private", n9]],
        [["taken over", n1], ["went private", n9]],
        [n1, n9],
        [[n1, n9]],
    ]
    sales = f[["saleq_2020q1", "saleq_2020q2"]]
    out[q + "22"] = []
    for part in (sales, sales.dropna()):
        a, b = part.sum()
        out[q + "22"] += [(b / a - 1) * 100, b / a - 1]
    ni = f.filter(regex=r"^niq_\d{4}q\d$").mean()
    col = str(ni.idxmax())
    year, num = col[4:8], col[-1]
    names = [f"{year}q{num}", f"{year}Q{num}", f"{year} Q{num}", f"Q{num} {year}", col]
    out[q + "23"] = names + [[[k, ni[col]]] for k in names]
    out[q + "24"] = []
    pays = f[f["dv_2021"] > 0]
    for key in ("gsecnm", "gsector"):
        m = pays.groupby(key)["at_2021"].median()
        out[q + "24"] += [m.idxmax(), [[m.idxmax(), m.max()]]]
    out[q + "25"] = [(f["xrd_2021"] > f["capx_2021"]).sum()]
    out[q + "26"] = [f["bonus"].corr(f["salary"])]
    clean: dict[str, list[object]] = {}
    for k, vals in out.items():
        clean[k] = []
        for v in (_plain(x) for x in vals):
            if not any(repr(v) == repr(w) for w in clean[k]):
                clean[k].append(v)
    return clean
