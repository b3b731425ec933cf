"""Wide store table of a grocery chain: 640 rows (one per shop) and 3,187 columns.

Naming habits come from Dominick's Finer Foods (department sales such as GROCERY, CUSTCOUN and
GROCCOUP, neighbourhood columns such as AGE60, HSIZEAVG, SSTRDIST), Ecdat's Clothing (nown,
nfull, npart, hoursw, inv1, inv2), the Rossmann and Walmart store files (CompetitionDistance,
Promo2SinceWeek, MarkDown1-5, Fuel_Price) and the 4-5-4 retail calendar (fiscal weeks).
"""

from __future__ import annotations

import numpy as np
import pandas as pd

N = 640
WEEKS = range(1, 53)
# code: (share of sales, margin in per cent, dollars per unit)
DEPTS: dict[str, tuple[float, float, float]] = {
    "groc": (0.265, 24, 3.1),
    "dairy": (0.088, 27, 3.4),
    "froz": (0.070, 30, 4.2),
    "meat": (0.112, 26, 7.9),
    "fish": (0.018, 28, 9.4),
    "prod": (0.101, 33, 2.6),
    "bakery": (0.038, 45, 3.9),
    "deli": (0.041, 42, 6.2),
    "beer": (0.034, 21, 11.3),
    "wine": (0.022, 27, 12.8),
    "floral": (0.009, 46, 10.5),
    "haba": (0.039, 31, 5.8),
    "pharm": (0.071, 22, 31.0),
    "gm": (0.037, 36, 8.8),
    "pet": (0.019, 29, 7.1),
    "baby": (0.016, 23, 9.9),
    "tobac": (0.020, 14, 8.4),
}
OPTIONAL = {
    "fish": 0.70,
    "bakery": 0.85,
    "deli": 0.84,
    "wine": 0.66,
    "floral": 0.58,
    "pharm": 0.48,
    "baby": 0.86,
    "tobac": 0.74,
}
BASKET = [
    "milk",
    "eggs",
    "bread",
    "bananas",
    "chicken",
    "coffee",
    "oj",
    "cereal",
    "tp",
    "ldet",
    "cola",
    "ice_crm",
]
FEATURES = {
    "atm": 0.8,
    "fuel": 0.3,
    "carwash": 0.1,
    "selfck": 0.62,
    "clickcol": 0.45,
    "deliv": 0.33,
    "saladbar": 0.4,
    "cafe": 0.28,
    "photo": 0.12,
    "bank": 0.18,
    "evchg": 0.16,
    "bottle": 0.5,
    "clinic": 0.09,
    "lotto": 0.7,
    "propane": 0.55,
    "coinstar": 0.48,
}
CITIES = {
    "NE": ["NYC", "BOS", "PHL"],
    "MW": ["CHI", "DET"],
    "SO": ["ATL", "DAL", "MIA"],
    "WE": ["LAX", "SEA"],
}


def _season(dept: str, week: np.ndarray) -> np.ndarray:
    """Seasonal factor of a department; fiscal week 1 is the first week of February."""
    peak = {
        "floral": (2, 1.5, 1.9),
        "beer": (22, 6, 0.55),
        "baby": (30, 9, 0.02),
        "wine": (47, 2.5, 0.95),
        "meat": (43, 1.6, 0.55),
        "gm": (46, 3, 1.1),
        "froz": (24, 7, 0.25),
        "bakery": (46, 2.5, 0.5),
        "pharm": (50, 6, 0.15),
    }
    mid, width, size = peak.get(dept, (46, 2.2, 0.28))
    return 1 + size * np.exp(-0.5 * ((week - mid) / width) ** 2)


def make(seed: int = 0) -> pd.DataFrame:
    """Return the table; the same seed gives the same table."""
    rng = np.random.default_rng(seed)
    c: dict[str, object] = {}
    sttype = rng.choice(["H", "S", "C", "D"], N, p=[0.14, 0.46, 0.25, 0.15])
    region = rng.choice(["NE", "MW", "SO", "WE"], N, p=[0.29, 0.31, 0.24, 0.16])
    urb = rng.choice(["U", "S", "R"], N, p=[0.36, 0.43, 0.21])
    base = pd.Series(sttype).map({"H": 98000, "S": 44000, "C": 9000, "D": 21000}).to_numpy()
    sqft = np.round(base * np.exp(rng.normal(0, 0.18, N)), -1)
    income = 52 + 9 * (urb == "S") - 8 * (urb == "R") + 6 * (region == "NE") + rng.normal(0, 9, N)
    flag = 117  # the flagship: far more sales than its size explains
    level = (
        sqft
        * (9.1 + 3.0 * (sttype == "C") + 1.6 * (sttype == "D"))
        * np.exp(0.008 * (income - 55) + rng.normal(0, 0.14, N))
    )
    level[flag] *= 3.4
    opened = pd.Timestamp("1962-03-01") + pd.to_timedelta(rng.integers(0, 20900, N), "D")
    newst = rng.choice(np.setdiff1d(np.arange(N), [flag]), 17, replace=False)
    first = np.ones(N, dtype=int)
    first[newst] = rng.integers(5, 40, len(newst))
    opened = pd.Series(opened).astype("datetime64[ns]")
    opened.iloc[newst] = pd.Timestamp("2022-01-30") + pd.to_timedelta((first[newst] - 1) * 7, "D")

    def gaps(x: np.ndarray, share: float) -> np.ndarray:
        x = np.asarray(x, dtype=float).copy()
        x[rng.random(N) < share] = np.nan
        return x

    def words(x: np.ndarray, share: float) -> np.ndarray:
        x = np.asarray(x, dtype=object).copy()
        x[rng.random(N) < share] = None
        return x

    # --- identity, site and lease
    c["storenum"] = 1001 + 3 * np.arange(N)
    c["zone"] = rng.integers(1, 17, N)
    c["dist_mgr_id"] = np.array([f"DM{v:03d}" for v in rng.integers(1, 48, N)], dtype=object)
    c["sttype"], c["region"], c["urb"] = (v.astype(object) for v in (sttype, region, urb))
    c["mktcity"] = words(np.array([rng.choice(CITIES[v]) for v in region]), 0.28)
    c["opendate"] = opened.to_numpy()
    remod = pd.Series(pd.Timestamp("2009-01-04") + pd.to_timedelta(rng.integers(0, 4700, N), "D"))
    c["lastremod"] = remod.where((rng.random(N) < 0.61) & (remod > opened))
    c["assort"] = np.where(sttype == "H", "c", rng.choice(["a", "b", "c"], N)).astype(object)
    c["own_lease"] = rng.choice(["O", "L", "G"], N, p=[0.31, 0.62, 0.07]).astype(object)
    c["rent_sqft"] = np.where(c["own_lease"] == "O", np.nan, (9 + 0.22 * income).round(2))
    c["gross_sqft"], c["ssize"] = (sqft * 1.31).round(), sqft
    c["ssize_m2"] = (sqft * 0.09290304).round(1)
    c["nlanes"] = np.maximum(2, sqft / 4300 + rng.normal(0, 1, N)).round().astype(int)
    c["nselfck"] = np.maximum(0, sqft / 9500 + rng.normal(0, 2, N)).round().astype(int)
    c["parkspc"] = np.where(urb == "U", 0.3, 1) * sqft // 190
    c["nfloors"] = 1 + ((urb == "U") & (rng.random(N) < 0.2)).astype(int)
    dc_mi = np.exp(rng.normal(3.9, 0.5, N) + 0.4 * (urb == "R"))
    c["dcdist"], c["dcdist_km"] = dc_mi.round(1), (dc_mi * 1.609344).round(1)
    c["open24"] = np.where(rng.random(N) < 0.17 + 0.2 * (urb == "U"), "Y", "N").astype(object)
    c["hrs_open_wk"] = np.where(c["open24"] == "Y", 168, rng.choice([98, 105, 112, 119], N))
    c["pos_sys"] = words(rng.choice(["NCR", "TOSH", "IBM4", "DN"], N), 0.03)
    c["union"] = (rng.random(N) < np.where(region == "SO", 0.08, 0.57)).astype(int)
    c["mgr_sex"] = words(rng.choice(["M", "F"], N, p=[0.64, 0.36]), 0.04)
    c["mgr_tenure_yrs"] = gaps(rng.gamma(2, 3.1, N).round(1), 0.04)
    # --- staff and stock
    hours = level / 118 * np.exp(rng.normal(0, 0.09, N))
    c["hoursw"] = hours.round()
    c["nfull"], c["npart"] = (hours * 0.42 / 39).round(), (hours * 0.58 / 21).round()
    c["naux"] = rng.poisson(2.4, N)
    turn = 62 - 0.55 * (income - 55) - 14 * np.asarray(c["union"]) + rng.normal(0, 9, N)
    c["turnov_pct"] = gaps(turn.clip(4).round(1), 0.05)
    c["wagest"] = (
        11.2 + 0.07 * income + 1.9 * np.asarray(c["union"]) + rng.normal(0, 0.5, N)
    ).round(2)
    c["inv1"] = (level * 2.5 * np.exp(rng.normal(0, 0.1, N))).round()
    c["inv2"] = (np.asarray(c["inv1"]) * rng.normal(1.03, 0.05, N)).round()
    # --- neighbourhood and competition
    c["INCOME"] = gaps(np.log(income * 1000).round(4), 0.02)
    c["hhinc_k"] = gaps(income.round(1), 0.02)
    c["AGE9"], c["AGE60"] = rng.beta(14, 90, N).round(4), rng.beta(16, 75, N).round(4)
    c["ETHNIC"], c["EDUC"] = rng.beta(1.5, 7, N).round(4), rng.beta(5, 16, N).round(4)
    c["NOCAR"] = (rng.beta(2, 22, N) + 0.17 * (urb == "U")).round(4)
    c["HSIZEAVG"] = rng.normal(2.63, 0.23, N).round(3)
    c["HSIZE1"], c["HSIZE567"] = rng.beta(20, 62, N).round(4), rng.beta(8, 62, N).round(4)
    c["WORKWOM"], c["RETIRED"] = rng.beta(40, 70, N).round(4), rng.beta(12, 68, N).round(4)
    c["DENSITY"] = gaps((np.exp(rng.normal(6, 0.5, N) + 2.1 * (urb == "U"))).round(1), 0.02)
    c["CompetitionDistance"] = gaps((np.exp(rng.normal(7, 0.8, N))).round(-1), 0.03)
    c["CompetitionOpenSinceMonth"] = gaps(rng.integers(1, 13, N), 0.31)
    c["CompetitionOpenSinceYear"] = gaps(rng.integers(1990, 2023, N), 0.31)
    c["SSTRDIST"], c["SSTRVOL"] = rng.gamma(2, 2.1, N).round(3), rng.gamma(6, 0.2, N).round(3)
    c["CPDIST5"], c["CPWVOL5"] = rng.gamma(4, 0.5, N).round(3), rng.beta(4, 6, N).round(3)
    promo2 = (rng.random(N) < 0.49).astype(int)
    c["Promo2"] = promo2
    c["Promo2SinceWeek"] = np.where(promo2 == 1, rng.integers(1, 53, N), np.nan)
    months = rng.choice(["Jan,Apr,Jul,Oct", "Feb,May,Aug,Nov", "Mar,Jun,Sept,Dec"], N)
    c["PromoInterval"] = np.where(promo2 == 1, months.astype(object), None)
    has = {
        f: (rng.random(N) < p + 0.15 * (sttype == "H") - 0.1 * (sttype == "C")).astype(int)
        for f, p in FEATURES.items()
    }
    dep = {d: np.where(sttype == "H", True, rng.random(N) < OPTIONAL.get(d, 1)) for d in DEPTS}
    dep["pharm"] &= sttype != "C"
    c |= {f"has_{f}": v for f, v in has.items()}
    c |= {f"dept_{d}": dep[d].astype(int) for d in OPTIONAL}

    # --- families by fiscal week
    week = np.arange(1, 53)
    infl = 1 + 0.0011 * (week - 1)
    closed = week[None, :] < first[:, None]
    shut = np.ones((N, 52))
    shut[(region == "WE"), 21] = 0.58  # strike in the western region, week 22
    for i in rng.choice(N, 9, replace=False):  # closed for refurbishment
        shut[i, (w := int(rng.integers(8, 38))) : w + 3] = 0
    promo = (rng.random((N, 52)) < 0.34).astype(int)
    total = np.zeros((N, 52))
    cogs: dict[str, np.ndarray] = {}
    units: dict[str, np.ndarray] = {}
    for d, (share, _, price) in DEPTS.items():
        tilt = np.exp(
            rng.normal(0, 0.13, N)
            + (0.6 if d in ("beer", "tobac") else 0) * (sttype == "C")
            + (0.018 if d in ("wine", "fish") else 0) * (income - 55)
        )
        s = (level * share * tilt)[:, None] * _season(d, week) * infl * shut
        s = s * (1 + 0.11 * promo) * np.exp(rng.normal(0, 0.07, (N, 52)))
        s = np.where(closed | ~dep[d][:, None], np.nan, s).round(2)
        total += np.nan_to_num(s)
        cogs[d] = np.nan_to_num(s).reshape(N, 4, 13).sum(axis=2)
        units[d] = (s / (price * infl * np.exp(rng.normal(0, 0.04, (N, 1))))).round()
        c |= {f"sls_{d}_w{w:02d}": s[:, w - 1] for w in WEEKS}
    for d in DEPTS:
        c |= {f"unt_{d}_w{w:02d}": units[d][:, w - 1] for w in WEEKS}
    tot = np.where(closed, np.nan, total)
    usual = np.where(shut > 0, total / np.maximum(shut, 0.01), level[:, None] * infl)
    ly = np.where(first[:, None] > 1, np.nan, usual / rng.normal(1.034, 0.03, (N, 1)))
    cust = tot / (21 + 0.16 * income + 14 * (sttype == "H") - 11 * (sttype == "C"))[:, None]
    temp = (
        52
        - 24 * np.cos((week - 25) / 52 * 2 * np.pi + np.pi)
        + pd.Series(region).map({"NE": -2, "MW": -3, "SO": 11, "WE": 4}).to_numpy()[:, None]
    )
    weekly: dict[str, np.ndarray] = {
        "sls_tot_w": tot.round(2),
        "ly_sls_tot_w": ly.round(2),
        "custcoun_w": cust.round(),
        "lbrhrs_w": np.where(closed, np.nan, hours[:, None] * (0.7 + 0.3 * shut)).round(1),
        "promo_w": promo,
        "oos_pct_w": rng.gamma(4, 1.1, (N, 52)).round(2),
        "Temperature_w": (temp + rng.normal(0, 4, (N, 52))).round(1),
        "Fuel_Price_w": (
            3.3
            + 0.9 * np.sin(week / 52 * np.pi)
            + 0.6 * (region == "WE")[:, None]
            + rng.normal(0, 0.06, (N, 52))
        ).round(3),
    }
    for k in range(1, 6):
        md = rng.gamma(1.3, level[:, None] * 0.004 * (1 + (k == 3) * 2.5 * (week > 42)), (N, 52))
        weekly[f"MarkDown{k}_w"] = np.where(rng.random((N, 52)) < 0.22, np.nan, md.round(2))
    for d in ("groc", "dairy", "meat", "haba"):
        weekly[f"{d}coup_w"] = (tot * 0.004 * rng.gamma(3, 0.33, (N, 52))).round(2)
    c |= {f"{p}{w:02d}": m[:, w - 1] for p, m in weekly.items() for w in WEEKS}

    # --- families by four-week period (13) and by quarter (4)
    shrk = 1.1 + 0.9 * (urb == "U") + 0.5 * np.asarray(has["selfck"])
    for d in DEPTS:
        fresh = 2.4 if d in ("prod", "fish", "bakery", "floral", "deli") else 1.0
        for p in range(1, 14):
            v = (shrk * fresh * np.exp(rng.normal(0, 0.2, N))).round(2)
            c[f"shrk_{d}_p{p:02d}"] = np.where(dep[d] & (first <= 4 * p - 3), v, np.nan)
    for d, (_, margin, _) in DEPTS.items():
        for q in range(4):
            v = margin - 0.35 * q + 1.8 * (sttype == "C") - 2.5 * (sttype == "D")
            ok = cogs[d][:, q] > 0
            c[f"gm_pct_{d}_q{q + 1}"] = np.where(ok, (v + rng.normal(0, 1, N)).round(2), np.nan)
            v = (20 + 14 * (sttype == "D") + 0.8 * q + rng.normal(0, 3, N)).clip(1).round(1)
            c[f"pl_shr_{d}_q{q + 1}"] = np.where(ok, v, np.nan)
    for n, item in enumerate(BASKET):
        for q in range(4):
            v = (1.6 + 0.62 * n) * (1 + 0.022 * q + 0.09 * (sttype == "C") - 0.08 * (sttype == "D"))
            v = v * (1 + (0.19 if item == "eggs" else 0) * (q == 3)) * rng.normal(1, 0.03, N)
            c[f"p_{item}_q{q + 1}"] = gaps(v.round(2), 0.01)
    mood = rng.normal(0, 0.5, N) - 0.02 * turn  # many leavers, unhappy customers
    for item in range(1, 13):
        for q in range(1, 5):
            v = (8.9 + mood + 0.1 * item - 0.05 * q + rng.normal(0, 0.5, N)).clip(1, 10)
            c[f"csat{item}_q{q}"] = gaps(v.round(1), 0.03)
    frame = pd.DataFrame(c)
    for name in frame.columns:
        if not pd.api.types.is_numeric_dtype(frame[name]):
            if pd.api.types.is_datetime64_any_dtype(frame[name]):
                frame[name] = frame[name].astype("datetime64[ns]")
            else:
                text = frame[name].astype(object)
                frame[name] = text.where(text.notna(), None)
    return frame
