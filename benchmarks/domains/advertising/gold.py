"""Gold answers to the asked questions about the advertiser's customers, by plain pandas code."""

import numpy as np
import pandas as pd

UNANSWERABLE: dict[str, str] = {
    "advertising-8": "there is no diamond tier; a count of them is 0",
    "advertising-11": "what customers spend at rivals is not recorded",
    "advertising-13": "social is not split by platform, there is nothing on TikTok",
    "advertising-25": "the tracker has twelve waves, there is no wave 15",
    "advertising-28": "no credit card numbers are recorded",
}
IDS = ["custid", "CONTROLN"]
TIERS = {"BRZ": "bronze", "SLV": "silver", "GLD": "gold", "PLT": "platinum"}


def py(value: object) -> object:
    """Return the value as a plain Python object."""
    return value.item() if hasattr(value, "item") else value


def share(part: float, whole: float) -> list[object]:
    """Return a share as a percentage and as a fraction."""
    return [py(100 * part / whole), py(part / whole)]


def rows(series: pd.Series) -> list[object]:
    """Return a series as rows of label and value."""
    return [[py(k), py(v)] for k, v in series.items()]


def answers(frame: pd.DataFrame) -> dict[str, list[object]]:
    """Return the acceptable answers of each question."""
    out: dict[str, list[object]] = {q: [] for q in UNANSWERABLE}
    out["advertising-8"] = [0, False]
    out["advertising-1"] = [int((frame["cellgrp"] == "CTL").sum())]
    out["advertising-2"] = [py(frame["AGE"].mean())]
    best = frame.loc[frame["clv36"].idxmax()]
    out["advertising-3"] = [[[py(best[i]), py(best["clv36"])]] for i in IDS]
    out["advertising-4"] = [int((frame["tier"] == "PLT").sum())]
    out["advertising-5"] = [len(frame)]
    out["advertising-6"] = [py(frame["distmi"].max())]
    out["advertising-7"] = [int((frame["OSOURCE"] == "CAT").sum())]
    out["advertising-9"] = [py(frame["cost_dm_l00"].sum())]

    net = frame.groupby("GENDER")["net_m24"].mean()
    blank = py(frame.loc[frame["GENDER"].isna(), "net_m24"].mean())
    unknown = py(frame.loc[frame["GENDER"].fillna("U") == "U", "net_m24"].mean())
    two = rows(net[["F", "M"]])
    out["advertising-10"] = [rows(net), [*rows(net), [None, blank]], two, [*two, ["U", unknown]]]

    out["advertising-12"] = share(int(frame["optin_eml"].sum()), len(frame))
    top = frame["STATE"].value_counts().head(3)
    out["advertising-14"] = [list(top.index), rows(top)]
    out["advertising-15"] = [int(frame["AGE"].isna().sum())]
    married = frame["MARITAL"] == "M"
    out["advertising-16"] = [int((married & frame["AGE"].between(30, 45)).sum())]
    opened, clicked = frame["em012_opn"] == 1, frame["em012_clk"] == 1
    out["advertising-17"] = [int((opened & ~clicked).sum())]
    out["advertising-18"] = [py(frame["RAMNT_5"].mean())]
    got = frame[frame["cpn07_iss"] == 1]
    out["advertising-19"] = []
    for part in share(int((got["cpn07_rdm"] == 1).sum()), len(got)):
        out["advertising-19"] += [part, [len(got), part], [[len(got), part]]]
    out["advertising-20"] = [int(frame["MARITAL"].isin(["D", "W"]).sum())]

    moves = []
    for weighted in (False, True):
        level = []
        for wave in ("01", "12"):
            asked = frame[frame[f"cons_own_w{wave}"].notna()]
            weight = asked[f"wgt_w{wave}"] if weighted else np.ones(len(asked))
            level.append(py(np.average(asked[f"cons_own_w{wave}"], weights=weight)))
        moves.append(level[1] - level[0])
    out["advertising-21"] = [m * k for m in moves for k in (100, 1)]

    clicks = frame.filter(regex=r"^clk_sem_l\d{2}$").mean()
    most = str(clicks.idxmax())
    lag = most[-2:]
    labels = list(dict.fromkeys([int(lag), str(int(lag)), lag, f"l{lag}", most]))
    out["advertising-22"] = [*labels, *([[k, py(clicks.max())]] for k in labels)]

    web = frame[frame["OSOURCE"] == "WEB"]
    dist = web.groupby("tier")["distkm"].median()
    tier = str(dist.idxmax())
    labels = [tier, TIERS[tier]]
    out["advertising-23"] = [*labels, *([[k, py(dist.max())]] for k in labels)]

    cpc = [py(frame[f"cost_{c}_l00"].sum() / frame[f"clk_{c}_l00"].sum()) for c in ("dsp", "soc")]
    out["advertising-24"] = [
        [["dsp", cpc[0]], ["soc", cpc[1]]],
        [["display", cpc[0]], ["social", cpc[1]]],
        cpc,
    ]
    known = frame[["INCOME", "clv36"]].dropna()
    out["advertising-26"] = [
        py(known["INCOME"].corr(known["clv36"])),
        py(known["INCOME"].rank().corr(known["clv36"].rank())),
    ]
    out["advertising-27"] = [int((frame["attr_lt_sem"] > frame["attr_ft_sem"]).sum())]
    return out
