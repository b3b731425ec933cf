"""A wide panel of homes for sale or rent: 940 rows and 1,135 columns, one row a dwelling.

Naming habits come from the Ames assessor file (openintro, modeldata), AER HousePrices and Ecdat
Housing (``recroom``, ``fullbase``, ``airco``), wooldridge hprice1/kielmc (``lprice``, ``cbd``),
the American Housing Survey (``HOWH``-like ratings, ``TOTRMS``) and portal exports (days on market).
Suffixes: ``_r1``..``_r8`` rounds, ``_18q1`` quarters, ``_wk01`` weeks on the market, ``h00`` hours.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

N = 940
ROUNDS = range(1, 9)
QUARTERS = [f"{y}q{q}" for y in range(18, 24) for q in range(1, 5)]
WEEKS = [f"{w:02d}" for w in range(1, 27)]
NBHD = ["CBD", "OldTn", "HrbSd", "MillR", "UnivD", "WestPk", "LakeV", "NrthG", "Frmld"]
NB_FX = dict(zip(NBHD, [0.25, 0.05, 0.40, -0.35, 0.10, 0.15, 0.55, -0.15, -0.25]))
BTYPE = ["1Fam", "2FmCon", "Duplx", "TwnhsE", "TwnhsI", "Apt", "MobHm"]
BT_FX = dict(zip(BTYPE, [0.15, 0.0, -0.05, 0.05, -0.05, -0.2, -0.7]))
HEAT = ["GasA", "GasW", "Elec", "HtPmp", "Oil", "Wood", "Dist"]
ROOF = ["CompShg", "Metal", "Tile", "WdShngl", "Slate", "TarGrv", "Membran"]
EXT1 = [
    "VinylSd",
    "BrkFace",
    "WdSdng",
    "HdBoard",
    "MetalSd",
    "Stucco",
    "CemntBd",
    "Stone",
    "AsbShng",
]
QUAL = ["Po", "Fa", "TA", "Gd", "Ex"]
HAS = [
    "driveway",
    "recroom",
    "fullbase",
    "gashw",
    "airco",
    "ctrlair",
    "frplc",
    "wdstove",
    "garage",
    "carport",
    "pool",
    "hottub",
    "sauna",
    "deck",
    "patio",
    "porch",
    "balc",
    "fence",
    "gate",
    "elev",
    "doorman",
    "intercom",
    "alarm",
    "smokedet",
    "codet",
    "sprnklr",
    "solarpv",
    "solarth",
    "evchg",
    "battery",
    "hvac_hrv",
    "dblglz",
    "trplglz",
    "atticins",
    "wallins",
    "florht",
    "dishw",
    "washer",
    "dryer",
    "disp",
    "range_gas",
    "range_ind",
    "micro",
    "wine_clr",
    "walkin",
    "ensuite",
    "guestwc",
    "den",
    "homeoff",
    "gym",
    "library",
    "workshop",
    "storage",
    "bikerm",
    "attic",
    "cellar",
    "laundryrm",
    "shed",
    "grnhouse",
    "garden",
    "terrace_rf",
    "view_wtr",
    "view_city",
    "view_mtn",
    "furn",
    "pets_ok",
    "smk_ok",
    "wchair",
    "ramp",
    "stairlift",
    "wdwkshutr",
    "skylight",
    "vaultclg",
    "hardwd",
    "fiber",
    "cable",
    "satdish",
    "smart_thrm",
    "smartlock",
    "well",
    "septic",
    "cistern",
    "sumppump",
    "bbq",
    "playgrd",
    "tennis",
    "concierge",
]
NEAR = [
    "primsch",
    "secsch",
    "univ",
    "daycare",
    "hosp",
    "gp",
    "pharm",
    "super",
    "conv",
    "bus",
    "rail",
    "metro",
    "hwy",
    "airport",
    "park",
    "beach",
    "river",
    "library",
    "police",
    "fire",
    "landfill",
    "indust",
]
APPL = [
    "fridge",
    "frzr",
    "stove",
    "dishw",
    "wash",
    "dry",
    "wboiler",
    "ac",
    "dehum",
    "tv",
    "pc",
    "ev",
]
SATQ = "abcdefghijkl"
MEAS: dict[str, tuple[float, float, float, float]] = {  # mean, trend a round, noise, price loading
    "hhinc": (61000, 2100, 9000, 17000),
    "mortpmt": (1250, 35, 150, 420),
    "rent": (1180, 62, 110, 330),
    "taxann": (3100, 95, 240, 1100),
    "insann": (940, 48, 90, 210),
    "hoafee": (140, 6, 45, 40),
    "elecmo": (112, 5.5, 21, 12),
    "gasmo": (74, 3.1, 19, 7),
    "watrmo": (41, 1.4, 9, 4),
    "trshmo": (23, 0.7, 4, 0.5),
    "intnetmo": (52, 1.9, 9, 2),
    "maintann": (1450, 70, 520, 210),
    "rprcst": (820, 25, 640, 90),
    "templiv": (20.1, 0.12, 1.1, 0.35),
    "tempbed": (18.3, 0.1, 1.3, 0.3),
    "rhpct": (51, -0.4, 6, -1.2),
    "co2ppm": (890, -14, 150, -20),
    "radonbq": (68, 0.5, 24, -1),
    "pm25": (11.5, -0.6, 3.1, -0.8),
    "noisedb": (47, 0.25, 5.2, -0.9),
    "luxday": (310, 2, 80, 22),
    "leakach": (6.8, -0.2, 1.4, -0.7),
}


def _yn(flag: np.ndarray) -> np.ndarray:
    """Y/N text from a boolean array."""
    return np.where(flag, "Y", "N")


def _holes(x: np.ndarray, rng: np.random.Generator, share: float, dec: int = 0) -> np.ndarray:
    """Rounded floats with a share of cells missing."""
    out = np.round(np.asarray(x, dtype=float), dec)
    out[rng.random(len(out)) < share] = np.nan
    return out


def _text(x: np.ndarray, gone: np.ndarray) -> np.ndarray:
    """Text with None where ``gone``."""
    out = np.asarray(x, dtype=object).copy()
    out[gone] = None
    return out


def make(seed: int = 0) -> pd.DataFrame:
    """Build the table (deterministic for a seed)."""
    rng = np.random.default_rng(seed)
    c: dict[str, object] = {}
    nb = rng.choice(NBHD, N, p=[0.1, 0.13, 0.08, 0.14, 0.12, 0.12, 0.07, 0.14, 0.1])
    bt = rng.choice(BTYPE, N, p=[0.46, 0.06, 0.06, 0.12, 0.07, 0.19, 0.04])
    nbfx = np.array([NB_FX[k] for k in nb])
    z = rng.normal(0, 0.6, N) + nbfx * 1.6 + np.array([BT_FX[k] for k in bt])
    yr = np.clip(1968 + 22 * rng.normal(size=N) + 8 * z, 1890, 2017).astype(int)
    sqft = np.clip(np.exp(7.35 + 0.26 * z + rng.normal(0, 0.17, N)), 320, 7200).round()
    lot = np.exp(8.7 + 0.25 * z + rng.normal(0, 0.5, N)) * np.where(bt == "Apt", 0.2, 1)
    lot = lot * np.where(nb == "Frmld", 3.1, 1)
    cbd = np.abs(np.where(nb == "CBD", 0.6, 5.5) + rng.normal(0, 1.6, N)) + (nb == "Frmld") * 9
    price = np.exp(12.15 + 0.33 * z + 0.00019 * (sqft - 1600) + rng.normal(0, 0.09, N))
    price[417], sqft[417], lot[417] = 6_850_000, 9_640, 412_000  # the county's one estate
    renter = rng.random(N) < 1 / (1 + np.exp(0.9 + 0.8 * z - 1.6 * (bt == "Apt")))
    heat = rng.choice(HEAT, N, p=[0.42, 0.12, 0.15, 0.13, 0.08, 0.05, 0.05])
    roof = rng.choice(ROOF, N, p=[0.55, 0.1, 0.1, 0.08, 0.05, 0.07, 0.05])
    ext1 = rng.choice(EXT1, N, p=[0.3, 0.15, 0.12, 0.1, 0.1, 0.08, 0.07, 0.04, 0.04])
    qn = np.clip(np.round(2 + 0.75 * z + rng.normal(0, 0.6, N)), 0, 4).astype(int)
    bed = np.clip(np.round(sqft / 620 + rng.normal(0, 0.6, N)), 0, 8).astype(int)
    listed = pd.Timestamp("2018-01-02") + pd.to_timedelta(rng.integers(0, 2100, N), unit="D")
    dom = np.clip(rng.gamma(2.2, 19, N) * np.where(nb == "MillR", 1.9, 1), 1, 360).round()
    c["PID"] = 526300000 + np.arange(N) * 1010 + rng.integers(0, 900, N)
    c["serial"] = [f"HH{i:05d}" for i in range(1, N + 1)]
    c["nbhd"], c["bldgtype"] = nb, bt
    c["zoning"] = rng.choice(["RL", "RM", "RH", "FV", "C"], N, p=[0.55, 0.25, 0.08, 0.08, 0.04])
    c["urbrur"] = np.where(cbd > 9, "R", np.where(cbd > 5, "S", "U"))
    c["saletype"] = rng.choice(["WD", "New", "COD", "Con", "Oth"], N, p=[0.7, 0.1, 0.1, 0.06, 0.04])
    c["offer"] = np.where(renter, "RENT", "SALE")
    c["list_dt"] = listed
    c["close_dt"] = pd.Series(listed + pd.to_timedelta(dom + 31, unit="D")).where(
        rng.random(N) > 0.11
    )
    c["price"], c["lprice"] = price.round(-2), np.log(price).round(4)
    c["assess"] = _holes(price * rng.normal(0.91, 0.05, N), rng, 0.03, -2)
    c["origlist"] = (price * rng.normal(1.05, 0.03, N)).round(-2)
    c["sqrft"], c["area_m2"] = sqft, (sqft * 0.092903).round(1)
    c["lotsize"], c["lotsz_ac"] = lot.round(), (lot / 43560).round(3)
    c["lotfrnt"] = _holes(np.sqrt(lot) * rng.normal(0.8, 0.1, N), rng, 0.17)
    c["bsmt_sf"] = (sqft * 0.45 * (rng.random(N) < 0.6)).round()
    c["garage_sf"] = (rng.choice([0, 240, 480, 720], N) + rng.integers(0, 60, N)).astype(float)
    c["bdrms"], c["bathfull"] = bed, np.clip((bed * 0.6 + z * 0.3).round(), 1, 6).astype(int)
    c["bathhalf"] = rng.integers(0, 3, N)
    c["totrms"], c["stories"] = bed + rng.integers(2, 5, N), rng.choice([1, 1.5, 2, 3], N)
    c["floorno"] = np.where(bt == "Apt", rng.integers(0, 15, N).astype(float), np.nan)
    c["yrbuilt"], c["yrremod"] = yr, np.minimum(yr + rng.integers(0, 45, N), 2020)
    c["age"], c["agesq"] = 2023 - yr, (2023 - yr) ** 2
    for k, share in {
        "overqual": 0,
        "extcond": 0.01,
        "kitchqu": 0.02,
        "heatqc": 0.03,
        "bsmtcond": 0.2,
        "garcond": 0.25,
    }.items():
        q = np.clip(qn + rng.integers(-1, 2, N) * (k != "overqual"), 0, 4)
        c[k] = _text(np.array(QUAL, dtype=object)[q], rng.random(N) < share)
    c["heating"], c["roofmatl"], c["ext1st"] = heat, roof, ext1
    c["fndtn"] = rng.choice(["PConc", "CBlock", "BrkTil", "Slab", "Stone"], N)
    c["ctrlair"] = _yn(rng.random(N) < 0.35 + 0.2 * (z > 0) + 0.3 * (yr > 1990))
    c["paved"] = rng.choice(["Y", "P", "N"], N, p=[0.85, 0.07, 0.08])
    c["functl"] = rng.choice(
        ["Typ", "Min1", "Min2", "Mod", "Maj"], N, p=[0.8, 0.08, 0.06, 0.04, 0.02]
    )
    epc = np.clip(
        np.round(
            88
            - 0.42 * (2023 - yr)
            + 14 * (heat == "HtPmp")
            - 9 * (heat == "Oil")
            + rng.normal(0, 7, N)
        ),
        8,
        99,
    )
    c["epcsap"], c["epcband"] = (
        epc,
        np.array(list("GFEDCBA"), dtype=object)[np.digitize(epc, [21, 39, 55, 69, 81, 92])],
    )
    c["kwh_m2"] = _holes(310 - 2.1 * epc + rng.normal(0, 14, N), rng, 0.05, 1)
    c["dom"], c["nshow"] = dom, rng.poisson(3 + dom / 12)
    c["noffer"], c["pricecut"] = rng.poisson(1.8 + 1.2 * (nb == "HrbSd")), _yn(dom > 55)
    c["sellerage"], c["sellersex"] = (
        _holes(rng.normal(57, 13, N), rng, 0.08),
        _text(rng.choice(["M", "F"], N), rng.random(N) < 0.06),
    )
    c["agentid"], c["commpct"] = rng.integers(101, 164, N), rng.normal(4.9, 0.6, N).round(2)
    c["floodzn"] = np.where((nb == "HrbSd") | (rng.random(N) < 0.07), "AE", "X")
    c["fintype"] = rng.choice(["CONV", "FHA", "VA", "CASH"], N, p=[0.6, 0.17, 0.08, 0.15])
    c["cbd"], c["cbd_km"] = cbd.round(2), (cbd * 1.609344).round(2)
    c["lat"], c["lon"] = (42.03 + rng.normal(0, 0.04, N)).round(5), (-93.63 - cbd / 60).round(5)
    c["tract"], c["leasehd"] = rng.integers(1, 28, N), _yn((bt == "Apt") & (rng.random(N) < 0.5))
    c["basewt"], c["lngwt"] = rng.gamma(9, 12, N).round(3), _holes(rng.gamma(8, 15, N), rng, 0.1, 3)
    for h in HAS:
        a, b = rng.normal(-0.8, 1.1), rng.normal(0.15, 0.4)
        b = {"pool": 1.9, "view_wtr": 1.2, "wine_clr": 1.6, "concierge": 1.1}.get(h, b)
        lin = a + b * z + 1.8 * (nb == "LakeV") * (h == "view_wtr")
        lin = lin + 3 * (bt == "Apt") * (h in ("elev", "doorman", "intercom")) - 2 * (h == "pool")
        c[f"has_{h}"] = (rng.random(N) < 1 / (1 + np.exp(-lin))).astype(int)
    for p, codes, v in (
        ("nb", NBHD, nb),
        ("bt", BTYPE, bt),
        ("heat", HEAT, heat),
        ("roof", ROOF, roof),
        ("ext", EXT1, ext1),
    ):
        c |= {f"{p}_{k}": (v == k).astype(int) for k in codes}
    for k in NEAR:
        d = np.exp(6.3 + 0.09 * cbd + rng.normal(rng.normal(0, 0.5), 0.5, N)).round()
        c[f"dist_{k}"], c[f"walk_{k}"] = d, _holes(d / 78, rng, 0.04, 1)
        c[f"nr_{k}"] = (d < 500).astype(int)
    for k in range(1, 9):
        there = k <= bed + 3
        area = np.where(there, np.exp(2.7 + 0.15 * z - 0.05 * k + rng.normal(0, 0.2, N)), np.nan)
        c[f"rm{k}_use"] = _text(rng.choice(["LIV", "BED", "KIT", "DIN", "OFF", "UTL"], N), ~there)
        c[f"rm{k}_m2"] = area.round(1)
        c[f"rm{k}_nwin"] = np.where(there, rng.integers(0, 5, N), np.nan)
        clg = rng.normal(255 - 0.1 * (yr - 1960), 9, N).round()
        c[f"rm{k}_clght"] = np.where(there, clg, np.nan)
        c[f"rm{k}_flr"] = _text(rng.choice(["WD", "CPT", "TIL", "LAM", "VNL"], N), ~there)
    stay = np.ones(N, bool)
    for r in ROUNDS:
        stay &= rng.random(N) > 0.02 * (r > 1)
        gone = ~stay
        c[f"intdt_r{r}"] = pd.Series(
            pd.Timestamp(2015 + r, 3, 1) + pd.to_timedelta(rng.integers(0, 120, N), unit="D")
        ).where(stay)
        c[f"respst_r{r}"] = np.where(stay, "C", "X")
        ten = np.where(renter, "R", np.where(rng.random(N) < 0.3 + 0.04 * r, "O", "M"))
        c[f"tenure_r{r}"] = _text(ten, gone)
        c[f"occ_r{r}"] = _text(_yn(rng.random(N) < 0.94 - 0.1 * (nb == "MillR")), gone)
        est = price * (0.72 + 0.055 * r + 0.03 * r * (nb == "HrbSd")) * rng.normal(1, 0.05, N)
        hh = rng.poisson(1.5, N) + 1.0
        own = {
            "estval": est.round(-3),
            "lestval": np.log(est).round(4),
            "hhsize": hh,
            "nkids": np.minimum(rng.poisson(0.7, N), hh - 1),
            "nadlt": np.maximum(hh - 1, 1),
            "hhage": np.clip(rng.normal(45 + r, 13, N), 19, 95).round(),
            "howh": np.clip((6.8 + 0.5 * z + rng.normal(0, 1.2, N)).round(), 1, 10),
            "hown": np.clip((6.4 + 2.2 * nbfx + 0.08 * r + rng.normal(0, 1.3, N)).round(), 1, 10),
            "moved": (rng.random(N) < 0.09 + 0.14 * renter).astype(float),
        }
        for k, (m, tr, sd, ld) in MEAS.items():
            v = m + tr * (r - 1) + ld * z + rng.normal(0, sd, N)
            v = v + (k == "gasmo") * 38 * np.isin(heat, ["GasA", "GasW"]) * (1.2 if r == 7 else 1)
            v = v + (k == "elecmo") * 64 * (heat == "Elec")
            v = v + (k == "radonbq") * 95 * (nb == "NrthG")
            v = np.where((k == "rent") & ~renter | (k == "mortpmt") & (ten != "M"), np.nan, v)
            own[k] = np.maximum(v, 0).round(1)
        if r == 5:
            own["co2ppm"][88] = 4870.0
        for i in range(1, 17):
            p = 0.05 + 0.012 * (i % 5) + 0.002 * (2018 - yr) + 0.12 * (i == 3) * renter
            p = np.clip(p, 0.01, 0.9)
            own[f"flt{i:02d}"] = (rng.random(N) < p).astype(float)
        for k in APPL:
            p = {"ev": 0.02 + 0.03 * r, "ac": 0.3 + 0.04 * r, "fridge": 0.98}.get(k, 0.6)
            own[f"appl_{k}"] = (rng.random(N) < p + 0.05 * np.tanh(z)).astype(float)
        for i, k in enumerate(SATQ):
            v = 3.4 + 0.3 * z - 0.05 * i + 0.1 * (r - 4) * (k == "f") + rng.normal(0, 0.9, N)
            own[f"q4{k}"] = np.clip(v.round(), 1, 5)
        for k, v in own.items():
            c[f"{k}_r{r}"] = _holes(np.where(gone, np.nan, v), rng, 0.02, 4)
    for t, q in enumerate(QUARTERS):
        up = 1 + 0.011 * t + 0.02 * (t > 9) - 0.05 * (t > 20)
        c[f"avm_{q}"] = _holes(price / 1000 * 0.78 * up * rng.normal(1, 0.02, N), rng, 0.02, 1)
        rnt = (1100 + 310 * z) * (1 + 0.013 * t) + rng.normal(0, 30, N)
        c[f"mktrnt_{q}"] = _holes(np.maximum(rnt, 150), rng, 0.03)
        c[f"vac_{q}"] = (rng.random(N) < 0.04 + 0.06 * (nb == "MillR")).astype(int)
    for t, w in enumerate(WEEKS):
        on = dom >= 7 * t
        c[f"vw_wk{w}"] = np.where(on, rng.poisson(150 * np.exp(-0.13 * t) + 8, N), np.nan)
        c[f"enq_wk{w}"] = np.where(on, rng.poisson(6 * np.exp(-0.11 * t) + 0.4, N), np.nan)
        c[f"askp_wk{w}"] = np.where(on, (price * (1.05 - 0.004 * t)).round(-2), np.nan)
    for h in range(24):
        c[f"kwh_wi_h{h:02d}"] = _holes(
            (0.5 + 0.7 * np.exp(-(((h - 19) / 3) ** 2)) + 0.9 * (heat == "Elec"))
            * sqft
            / 1600
            * rng.gamma(20, 0.05, N),
            rng,
            0.06,
            3,
        )
        c[f"kwh_su_h{h:02d}"] = _holes(
            (0.35 + 0.5 * np.exp(-(((h - 17) / 4) ** 2))) * sqft / 1600 * rng.gamma(20, 0.05, N),
            rng,
            0.06,
            3,
        )
    for y in range(2004, 2024):
        a = price * (0.5 + 0.02 * (y - 2004) - 0.06 * (2009 <= y <= 2012)) * rng.normal(1, 0.02, N)
        built = yr < y
        c[f"av{y}"], c[f"txbill{y}"] = (
            np.where(built, a.round(-2), np.nan),
            np.where(built, (a * 0.0128).round(2), np.nan),
        )
    return pd.DataFrame(c)
