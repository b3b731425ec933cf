"""Gold answers to the questions about the league player file."""

from __future__ import annotations

from itertools import product

import pandas as pd

UNANSWERABLE: frozenset[str] = frozenset({"seasons-26", "seasons-27", "seasons-28"})
STATES = {
    "VIC": "Victoria",
    "WA": "Western Australia",
    "SA": "South Australia",
    "NSW": "New South Wales",
    "QLD": "Queensland",
    "TAS": "Tasmania",
    "NT": "Northern Territory",
}


def _plain(v: object) -> object:
    """Numpy scalars as Python ones, whole floats as integers."""
    if isinstance(v, list):
        return [_plain(x) for x in v]
    v = v.item() if hasattr(v, "item") else v
    return int(v) if isinstance(v, float) and v.is_integer() else v


def _rows(frame: pd.DataFrame, *cols: list[str]) -> list[object]:
    """The rows of a frame under every choice of one column from each list."""
    return [[[r[c] for c in pick] for _, r in frame.iterrows()] for pick in product(*cols)]


def _who(frame: pd.DataFrame, number: str) -> list[object]:
    """One player: the name, the ID, and either with the number."""
    r = frame.iloc[0]
    return [
        r["name"],
        r["player_id"],
        *_rows(frame.head(1), ["name", "player_id"], [number]),
        [[r["name"], r["club"]]],
        [[r["name"], r["club"], r[number]]],
    ]


def _ties(frame: pd.DataFrame, col: str) -> pd.DataFrame:
    """All rows at the largest value of a column."""
    return frame[frame[col] == frame[col].max()]


def _ratio(groups: object, total: str) -> pd.Series:
    """Career total over career games, pooled within each group."""
    return groups[total].sum() / groups["CGM"].sum()


def answers(frame: pd.DataFrame) -> dict[str, list[object]]:
    """Acceptable answers by question id."""
    f = frame.copy()
    f["name"] = f["first_name"] + " " + f["last_name"]
    a: dict[str, list[object]] = {}
    who, clubs = ["name", "player_id"], ["club", "club_abbr"]
    a["seasons-1"] = [len(f)]
    top = _ties(f, "ht_cm")
    a["seasons-2"] = [
        *_rows(top, who, ["ht_cm"]),
        list(top["name"]),
        list(top["player_id"]),
        [*top["name"], top["ht_cm"].iloc[0]],
    ]
    a["seasons-3"] = [f["age"].mean()]
    a["seasons-4"] = [(f["foot"] == "L").sum()]
    top = _ties(f, "wt_kg")
    a["seasons-5"] = [*_rows(top, clubs, ["wt_kg"]), *_rows(top, who, clubs, ["wt_kg"])]
    top = _ties(f, "CGL")
    a["seasons-6"] = [*_rows(top, who, ["CGL"]), *_rows(top, who, clubs, ["CGL"])]
    a["seasons-7"] = [f["capt"].sum()]
    a["seasons-8"] = []
    for key in clubs:
        g = f.groupby(key)
        for s in (g["DI_pg"].mean(), _ratio(g, "CDI")):
            a["seasons-8"].append([[k, v] for k, v in s.items()])
    a["seasons-9"] = [f["GL.2020"].sum()]
    a["seasons-10"] = [((f["draft_type"] == "F") & (f["ht_cm"] > 190)).sum()]
    top = f.sort_values("sal.2023", ascending=False).head(10)
    a["seasons-11"] = _rows(top, who, clubs, ["sal.2023", "salary_k"])
    share = f["sprint20m_s"].isna().mean()
    a["seasons-12"] = [share * 100, share]
    a["seasons-13"] = [(f["sel_R5"] == "SUS").sum()]
    top = f[f["DI_GF"].between(25, 30)]
    a["seasons-14"] = [
        list(top["name"]),
        list(top["player_id"]),
        *_rows(top, who, ["DI_GF"]),
        *_rows(top, ["name"], clubs, ["DI_GF"]),
        *_rows(top, ["name"], clubs),
    ]
    g = f[f["pos"].isin(["KFW", "KDF"])].groupby("pos")
    a["seasons-15"] = []
    for s in (g["CM_pg"].mean(), _ratio(g, "CCM")):
        a["seasons-15"] += [[[k, v] for k, v in s.items()], [[s.idxmax(), s.max()]]]
    best = g["CM_pg"].mean().idxmax()
    kind = {"KFW": "forward", "KDF": "defender"}[best]
    a["seasons-15"] = [best, f"key {kind}s", f"key {kind}", f"is_{best.lower()}", *a["seasons-15"]]
    idle = f["GM.2023"].fillna(0) == 0
    a["seasons-16"] = [((f["contract_to"] == 2024) & idle).sum()]
    a["seasons-17"] = [f["draft_type"].isin(["R", "P"]).sum()]
    s = f.groupby("inj_acl")["CGM"].mean()
    a["seasons-18"] = [
        [[1, s[1]], [0, s[0]]],
        [["Y", s[1]], ["N", s[0]]],
        [["yes", s[1]], ["no", s[0]]],
        [[True, s[1]], [False, s[0]]],
        [["knee injury", s[1]], ["no knee injury", s[0]]],
        [[s[1], s[0]]],
    ]
    top = _ties(f, "maxspd_kmh_R12")
    a["seasons-19"] = _rows(top, who, clubs, ["maxspd_kmh_R12"])
    f["jump"] = f["DI.2022"] - f["DI.2021"]
    a["seasons-20"] = _who(_ties(f, "jump"), "jump")
    s = f[[f"AF_R{k}" for k in range(1, 24)]].mean()
    k = int(str(s.idxmax()).removeprefix("AF_R"))
    a["seasons-21"] = [
        f"R{k}",
        k,
        str(k),
        f"Round {k}",
        f"AF_R{k}",
        *([[v, s.max()]] for v in (f"R{k}", k, f"Round {k}", f"AF_R{k}")),
    ]
    s = f[f["allstar.2022"] == 1].groupby("state")["sal.2022"].median()
    a["seasons-22"] = [
        s.idxmax(),
        STATES[s.idxmax()],
        [[s.idxmax(), s.max()]],
        [[STATES[s.idxmax()], s.max()]],
    ]
    pair = f[["beep", "tt3km_s"]].dropna()
    a["seasons-23"] = [pair.corr().iloc[0, 1], pair.rank().corr().iloc[0, 1]]
    a["seasons-24"] = _who(f.sort_values("CTK", ascending=False).iloc[2:3], "CTK")
    a["seasons-25"] = [(f["CHB"] > f["CKI"]).sum()]
    a.update({q: [] for q in UNANSWERABLE})
    return {q: [_plain(x) for x in v] for q, v in a.items()}
