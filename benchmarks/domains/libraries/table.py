"""Wide table of 800 public library systems by 1,238 columns, annual survey merged by year.

Naming habits: Public Libraries Survey (system data file: STABR, FSCSKEY, C_RELATN, POPU_LSA,
F_ flags), state annual report forms, district files such as AER::CASchools and the wave
suffixes of AER::STAR. Columns: 1238 (fiscal years 10 to 22 as suffix, some items start late).
"""

from __future__ import annotations

import numpy as np
import pandas as pd

YEARS = list(range(10, 23))
COVID = np.array([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0.72, 0.41, 0.66])

# name, kind (P in person, D digital, B shelf stock, M money, S staff, K plain), per head,
# spread (log sd), first fiscal year
SPEC = """
CENTLIB K 0 0 10|BRANLIB K 0 0 10|BKMOB K 0 0 10|MASTER S .00011 .35 10|OTHLIB S .00006 .5 10
OTHPAID S .00034 .35 10|LOCGVT M 34 .4 10|STGVT M 2.6 .7 10|FEDGVT M .25 1.1 10
OTHINCM M 2.8 .8 10|SALARIES M 17.5 .35 10|BENEFIT M 5.6 .4 10|PRMATEXP M 2.4 .4 10
ELMATEXP D .42 .6 10|OTHMATEX M .55 .6 10|OTHOPEXP M 7.4 .45 10|CAP_REV M 1.9 1.3 10
CAPITAL M 1.8 1.3 10|BKVOL B 2.6 .45 10|EBOOK D .35 .9 10|AUDIO_PH B .16 .5 10
AUDIO_DL D .14 .8 10|VIDEO_PH B .24 .5 10|VIDEO_DL D .02 1.1 13|EC_LO_OT K .00013 .9 16
EC_ST K .0002 .6 16|SUBSCRIP B .0052 .5 10|VISITS P 4.9 .4 10|REFERENC P .85 .7 10
REGBOR K .53 .3 10|PHYSCIR P 7.2 .42 10|ELMATCIR D .38 .7 13|KIDCIRCL P 2.7 .45 10
ELINFO D .6 1.0 16|LOANTO P .2 .8 10|LOANFM P .21 .8 10|KIDPRO P .0135 .5 10
YAPRO P .0021 .7 10|ADULTPRO P .0062 .6 12|KIDATTEN P .26 .5 10|YAATTEN P .029 .8 10
ADATTEN P .082 .7 12|GPTERMS K .00095 .45 10|PITUSR P .95 .5 10|WIFISESS P 1.1 .9 14
WEBVISIT D 1.6 .8 18|ONPRO P .019 .5 19|OFFPRO P .0022 .9 19|VIRPRO K .0016 .9 20
HOLDS D .55 .6 15|NEWCARD P .075 .5 10|VOLHRS P .11 .9 11|MTGUSE P .013 .8 12
"""
SUMS = {
    "LIBRARIA": ("MASTER", "OTHLIB"),
    "TOTSTAFF": ("MASTER", "OTHLIB", "OTHPAID"),
    "TOTINCM": ("LOCGVT", "STGVT", "FEDGVT", "OTHINCM"),
    "STAFFEXP": ("SALARIES", "BENEFIT"),
    "TOTEXPCO": ("PRMATEXP", "ELMATEXP", "OTHMATEX"),
    "TOTOPEXP": ("SALARIES", "BENEFIT", "PRMATEXP", "ELMATEXP", "OTHMATEX", "OTHOPEXP"),
    "TOTCIR": ("PHYSCIR", "ELMATCIR"),
    "TOTPRO": ("KIDPRO", "YAPRO", "ADULTPRO"),
    "TOTATTEN": ("KIDATTEN", "YAATTEN", "ADATTEN"),
}
STATES = {  # code: (name, region, FIPS, lat, lon, funding)
    "OH": ("OHIO", "03", "39", 40.3, -82.8, 1.5),
    "IL": ("ILLINOIS", "03", "17", 40.0, -89.2, 1.3),
    "IA": ("IOWA", "04", "19", 42.0, -93.5, 0.9),
    "KS": ("KANSAS", "04", "20", 38.5, -98.3, 1.0),
    "ME": ("MAINE", "01", "23", 45.3, -69.2, 0.9),
    "MS": ("MISSISSIPPI", "05", "28", 32.7, -89.7, 0.5),
    "NY": ("NEW YORK", "02", "36", 42.9, -75.5, 1.35),
    "OR": ("OREGON", "08", "41", 43.9, -120.6, 1.2),
    "TX": ("TEXAS", "06", "48", 31.5, -99.3, 0.6),
    "UT": ("UTAH", "07", "49", 39.3, -111.7, 0.95),
    "WA": ("WASHINGTON", "08", "53", 47.4, -120.5, 1.4),
    "GA": ("GEORGIA", "05", "13", 32.6, -83.4, 0.6),
}
SVC = [
    "NOTARY",
    "PASSPRT",
    "TAXHELP",
    "MAKER",
    "3DPRT",
    "SCAN",
    "FAX",
    "COLORPRT",
    "HOTSPOT",
    "LAPTOP",
    "TABLET",
    "CHROMBK",
    "MUSPASS",
    "SEEDS",
    "TOOLS",
    "GAMES",
    "TELESC",
    "BOARDG",
    "INSTR",
    "CURBSD",
    "LOCKER",
    "DRIVUP",
    "HOMEBND",
    "BYMAIL",
    "DEPOSIT",
    "ESL",
    "GED",
    "CITIZ",
    "HOMEWK",
    "SUMREAD",
    "1000BK",
    "STORYT",
    "TEENRM",
    "QUIETRM",
    "STUDYRM",
    "MTGRM",
    "CAFE",
    "BKSTORE",
    "FRIENDSH",
    "PODCAST",
    "RECSTUD",
    "VR",
    "TELEHLTH",
    "SOCWORK",
    "NARCAN",
    "CHARGEEV",
    "SOLAR",
]
LANGS = [
    "SPA",
    "CHI",
    "VIE",
    "KOR",
    "RUS",
    "ARA",
    "SOM",
    "TAG",
    "FRE",
    "GER",
    "HMN",
    "JPN",
    "POR",
    "POL",
    "HIN",
    "NAV",
    "ASL",
    "OTH",
]
DBS = [
    "ANCEST",
    "HERQST",
    "CONSRPT",
    "VALLINE",
    "LINKLRN",
    "MANGO",
    "TUTOR",
    "LEGALF",
    "HLTHRES",
    "NEWSBK",
    "REFUSA",
    "EBSCO",
]
ILS = ["SIERRA", "KOHA", "EVERGREEN", "SYMPHONY", "POLARIS", "APOLLO", "NONE"]
POSN = ["DIR", "ASTDIR", "DEPTHD", "LIBN1", "LIBN2", "YSLIBN", "PARA", "CLERK", "PAGE", "IT"]


def make(seed: int = 0) -> pd.DataFrame:
    """Build the table."""
    g = np.random.default_rng(seed)
    n, t = 800, len(YEARS)
    st = g.choice(
        list(STATES), n, p=[0.12, 0.15, 0.13, 0.08, 0.06, 0.04, 0.15, 0.06, 0.1, 0.04, 0.03, 0.04]
    )
    info = [STATES[s] for s in st]
    fund = np.array([i[5] for i in info])
    pop = np.exp(g.normal(9.4, 1.35, n)).clip(350, 1.6e6)
    pop[17] = 3_912_000  # one very large county system
    growth = g.normal(0.004, 0.01, n) + np.isin(st, ["TX", "UT", "WA"]) * 0.009
    popy = pop[:, None] * np.exp(growth[:, None] * (np.arange(t) - t + 1))
    locale = np.where(
        pop > 150e3,
        g.choice(["11", "12"], n),
        np.where(
            pop > 30e3,
            g.choice(["13", "21", "22"], n),
            np.where(
                pop > 8e3, g.choice(["23", "31", "32", "41"], n), g.choice(["33", "42", "43"], n)
            ),
        ),
    )
    quality = g.normal(0, 0.3, n) + np.log(fund) * 0.7
    legb = g.choice(
        ["CI", "CO", "LD", "NP", "MJ", "SD", "CC"], n, p=[0.5, 0.1, 0.17, 0.12, 0.05, 0.03, 0.03]
    )
    quality += (legb == "LD") * 0.35  # library districts are better funded
    branch = np.where(pop > 25e3, np.round((pop / 45e3) ** 0.9 * np.exp(g.normal(0, 0.3, n))), 0)
    yr_found = g.integers(1871, 1995, n)

    c: dict[str, object] = {
        "STABR": st,
        "FSCSKEY": [f"{s}{k:04d}" for s, k in zip(st, range(1, n + 1))],
        "LIBID": [f"{s}-{k}" for s, k in zip(st, g.permutation(9000)[:n] + 1000)],
    }
    first = [
        "CEDAR",
        "MAPLE",
        "OAK",
        "FAIR",
        "SPRING",
        "CLEAR",
        "RIVER",
        "GLEN",
        "LAKE",
        "STONE",
        "MILL",
        "NORTH",
        "WEST",
        "GRAND",
    ]
    last = [
        "FIELD",
        "VIEW",
        "TON",
        "BURG",
        "PORT",
        "FORD",
        "DALE",
        "WOOD",
        "VILLE",
        "HAVEN",
        "BROOK",
    ]
    city = [a + b for a, b in zip(g.choice(first, n), g.choice(last, n))]
    kind = np.where(
        np.isin(legb, ["CO", "MJ"]),
        " COUNTY LIBRARY",
        g.choice(
            [" PUBLIC LIBRARY", " FREE LIBRARY", " MEMORIAL LIBRARY"], n, p=[0.75, 0.12, 0.13]
        ),
    )
    c["LIBNAME"] = [a + b for a, b in zip(city, kind)]
    c["CITY"] = city
    c["ZIP"] = [f"{z:05d}" for z in g.integers(1000, 99000, n)]
    c["ZIP4"] = [None if u < 0.2 else f"{int(u * 9999):04d}" for u in g.random(n)]
    c["CNTY"] = g.choice(
        ["CLAY", "WAYNE", "LINCOLN", "MONROE", "GRANT", "POLK", "UNION", "LEE", "MARION", "CASS"], n
    )
    c["C_RELATN"] = g.choice(["HQ", "ME", "NO"], n, p=[0.04, 0.72, 0.24])
    c["C_LEGBAS"] = legb
    c["C_ADMIN"] = np.where(branch == 0, "SO", g.choice(["MA", "MO"], n, p=[0.3, 0.7]))
    c["C_FSCS"] = g.choice(["Y", "N"], n, p=[0.975, 0.025])
    c["GEOCODE"] = np.where(legb == "CO", "CO1", g.choice(["CI1", "MA1", "OTH", "SD1"], n))
    c["LSABOUND"] = g.choice(["Y", "N"], n, p=[0.08, 0.92])
    start = pd.Timestamp("2021-01-01") + pd.to_timedelta(g.choice([0, 90, 181, 273], n), "D")
    c["STARTDAT"], c["ENDDATE"] = start, start + pd.Timedelta(days=364)
    c["SUBMITDT"] = pd.Timestamp("2022-09-01") + pd.to_timedelta(g.integers(0, 210, n), "D")
    c["OBEREG"] = [i[1] for i in info]
    c["STATNAME"] = [i[0] for i in info]
    c["RSTATUS"] = g.choice([1, 2, 3, 4], n, p=[0.86, 0.09, 0.03, 0.02])
    c["STATSTRU"] = g.choice(["00", "02", "03", "13", "23"], n, p=[0.93, 0.02, 0.02, 0.02, 0.01])
    c["INCITSST"] = [i[2] for i in info]
    c["INCITSCO"] = [f"{k:03d}" for k in g.integers(0, 90, n) * 2 + 1]
    c["LATITUDE"] = np.round([i[3] for i in info] + g.normal(0, 0.9, n), 5)
    c["LONGITUD"] = np.round([i[4] for i in info] + g.normal(0, 1.1, n), 5)
    c["CNTYPOP"] = np.round(pop * np.exp(np.abs(g.normal(0, 0.9, n)))).astype(int)
    c["LOCALE_ADD"] = locale
    c["LOCALE_MOD"] = np.where(g.random(n) < 0.9, locale, "31")
    c["CBSA"] = [
        None if x in ("42", "43") else str(k)
        for x, k in zip(locale, g.integers(1010, 4980, n) * 10)
    ]
    c["MICROF"] = g.choice(["0", "1", "M"], n, p=[0.7, 0.2, 0.1])
    c["YR_FOUND"], c["YR_BLDG"] = yr_found, np.minimum(yr_found + g.integers(0, 110, n), 2021)
    sqft = np.round(pop**0.85 * 2.6 * np.exp(quality * 0.5 + g.normal(0, 0.3, n)))
    c["SQ_FEET"], c["SQ_METRES"] = sqft, np.round(sqft * 0.092903, 1)
    c["SHELF_LF"] = np.round(sqft * 0.17 * np.exp(g.normal(0, 0.2, n)))
    c["DIR_SX"] = g.choice(["F", "M"], n, p=[0.78, 0.22])
    c["DIR_MLS"] = np.where(g.random(n) < 1 / (1 + np.exp(-(np.log(pop) - 8.8))), "Y", "N")
    c["DIR_TEN_YR"] = np.round(g.gamma(1.6, 5, n), 1)
    c["BOARD_N"] = g.choice([5, 7, 9, 11], n, p=[0.35, 0.4, 0.2, 0.05])
    c["BOARD_EL"] = np.where(legb == "LD", "Y", g.choice(["Y", "N"], n, p=[0.15, 0.85]))
    ff = g.random(n) < 1 / (1 + np.exp(-(quality * 2 + 0.2)))
    c["FINEFREE"], c["FINEFRYR"] = ff.astype(int), np.where(ff, g.integers(2015, 2023, n), np.nan)
    c["FINE_DAY_C"] = np.where(ff, np.nan, g.choice([5, 10, 15, 20, 25], n))
    c["ILS_VEND"] = np.where(pop < 1500, "NONE", g.choice(ILS[:6], n))
    c["CONSORT"] = g.choice(["Y", "N"], n, p=[0.66, 0.34])
    c["NRCARD"] = np.round(g.gamma(3, 16, n) * np.exp(quality))
    c["MAXLOAN"] = g.choice([10, 20, 25, 30, 50, 99], n)
    wk = g.choice([2, 3, 4], n, p=[0.45, 0.5, 0.05])
    c["LOANPR_D"], c["LOANPR_WK"] = wk * 7, wk
    mi = np.round(g.gamma(2, 4.2, n) + np.isin(locale, ["42", "43"]) * 7, 1)
    c["NEXTLIB_MI"], c["NEXTLIB_KM"] = mi, np.round(mi * 1.609, 1)
    tier = np.round(np.log2(pop / 200) / 1.5 + g.normal(0, 0.7, n))
    c["INTSPEED"] = np.clip(tier, 1, 8).astype(int)
    c["MBPS_DN"] = np.round(2.0 ** c["INTSPEED"] * 8 * np.exp(g.normal(0, 0.3, n)))
    c["MBPS_UP"] = np.round(c["MBPS_DN"] * g.choice([0.1, 0.5, 1], n))
    c["MEDINC"] = np.round(np.exp(g.normal(10.95, 0.22, n) + quality * 0.3), -2)
    c["PCT_POV"] = np.round(np.clip(46 - 3.1 * c["MEDINC"] / 6000 + g.normal(0, 3, n), 2, 45), 1)
    c["PCT_U18"], c["PCT_65UP"] = np.round(g.normal(22.5, 3, n), 1), np.round(g.normal(18, 4, n), 1)
    c["PCT_LEP"] = np.round(g.gamma(1.4, 3, n) + (st == "TX") * 6, 1)
    c["LEVYRATE"] = np.where(np.isin(legb, ["LD", "MJ"]), np.round(g.gamma(4, 0.25, n), 3), np.nan)
    c["LEVYDT"] = pd.to_datetime(np.where(np.isin(legb, ["LD", "MJ"]), "2018-11-06", None))

    # yearly survey items
    y: dict[str, np.ndarray] = {"POPU_LSA": popy, "POPU_UND": popy * g.uniform(0.93, 1, n)[:, None]}
    first_year = {"POPU_LSA": 10, "POPU_UND": 10}
    steps = np.arange(t)
    for line in SPEC.strip().replace("\n", "|").split("|"):
        name, k, per, sd, y0 = line.split()
        q = {"P": 0.7, "D": 1.0, "B": 0.6, "M": 1.0, "S": 0.9, "K": 0.3}[k] * quality
        path = {
            "P": COVID * np.exp(-0.018 * steps),
            "D": np.exp(0.16 * (steps - 9)),
            "B": np.exp(-0.022 * steps),
            "M": np.exp(0.024 * (steps - 5)),
            "S": np.exp(0.003 * steps),
            "K": np.ones(t),
        }[k]
        u = (
            float(per)
            * (pop / 9000) ** (-0.12 if k in "BP" else 0.02)
            * np.exp(q + g.normal(0, float(sd), n))
        )
        y[name] = popy * u[:, None] * path * np.exp(g.normal(0, 0.06, (n, t)))
        first_year[name] = int(y0)
    y["CENTLIB"] = np.ones((n, t)) * (np.asarray(c["C_ADMIN"]) != "MO")[:, None]
    y["BRANLIB"] = np.repeat(branch[:, None], t, 1)
    y["BKMOB"] = np.repeat(((pop > 40e3) & (g.random(n) < 0.4)).astype(float)[:, None], t, 1)
    y["VIRPRO"] = y["VIRPRO"] * np.where(np.array(YEARS) == 21, 2.4, 1)
    y["BKVOL"][311] *= 9  # a former research collection
    for name, parts in SUMS.items():
        y[name] = sum(y[p] * (np.array(YEARS) >= first_year[p]) for p in parts)
        first_year[name] = min(first_year[p] for p in parts)
    y["HRS_OPEN"] = np.clip(
        1900 * (1 + branch[:, None]) * np.exp(0.2 * quality[:, None] + g.normal(0, 0.1, (n, t))),
        700,
        None,
    ) * (1 - (1 - COVID) * 0.5)
    first_year["HRS_OPEN"] = 10
    for name, v in y.items():
        v = np.round(v, 2 if name in ("MASTER", "OTHLIB", "OTHPAID", "LIBRARIA", "TOTSTAFF") else 0)
        v[g.random((n, t)) < 0.02] = np.nan
        for j, yy in enumerate(YEARS):
            if yy >= first_year[name]:
                c[f"{name}_FY{yy}"] = v[:, j]
    for name in y:  # imputation flag of the last year
        c["F_" + name.replace("_", "")[:6]] = g.choice(
            ["R_24", "I_24", "H_24", "U_24", "N_24"], n, p=[0.9, 0.04, 0.03, 0.01, 0.02]
        )

    fy = {k: np.nan_to_num(v[:, -1]) for k, v in y.items()}
    season = np.array([0.95, 0.92, 1.02, 0.98, 0.97, 1.32, 1.38, 1.16, 0.92, 0.94, 0.84, 0.68])
    for stem, src in (
        ("VIS", "VISITS"),
        ("CIRC", "TOTCIR"),
        ("PC", "PITUSR"),
        ("WIFI", "WIFISESS"),
    ):
        for m in range(12):
            c[f"{stem}_M{m + 1:02d}"] = np.round(
                fy[src]
                / 12
                * season[m] ** (1.4 if stem == "CIRC" else 1)
                * np.exp(g.normal(0, 0.07, n))
            )
    ddc = np.array([0.03, 0.03, 0.06, 0.15, 0.02, 0.1, 0.2, 0.16, 0.09, 0.16])
    for grp, sh in (("AD", 0.36), ("JU", 0.21)):
        for what, src in (("VOL", "BKVOL"), ("CIR", "PHYSCIR")):
            for d in range(10):
                c[f"{grp}{what}_{d}00"] = np.round(
                    fy[src] * sh * ddc[d] * np.exp(g.normal(0, 0.3, n))
                )
            c[f"{grp}{what}_FIC"] = np.round(fy[src] * sh * 0.8 * np.exp(g.normal(0, 0.2, n)))
            c[f"{grp}{what}_BIO"] = np.round(fy[src] * sh * 0.06 * np.exp(g.normal(0, 0.3, n)))
    for who, sh in (("AD", 0.5), ("YA", 0.08), ("JU", 0.42)):
        for fmt, s2 in (
            ("BK", 0.68),
            ("LP", 0.04),
            ("DVD", 0.18),
            ("CD", 0.05),
            ("PER", 0.03),
            ("EQ", 0.02),
        ):
            c[f"CIR_{who}_{fmt}"] = np.round(fy["PHYSCIR"] * sh * s2 * np.exp(g.normal(0, 0.35, n)))
    for d, h in zip(["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"], (8.5, 9, 9, 9, 7.5, 5, 1.2)):
        for sfx, f in (("", 1.0), ("_SUM", 0.94)):
            v = np.clip(h * f + quality * 2 + g.normal(0, 1, n), 0, 13)
            c[f"HR_{d}{sfx}"] = np.round(v * 2) / 2
    for age, s in (("K0_5", 0.45), ("K6_11", 0.22), ("YA", 0.1), ("ADULT", 0.18), ("GEN", 0.05)):
        for dl, s2 in (("ON", 0.8), ("OFF", 0.09), ("VIR", 0.11)):
            k = np.round(fy["TOTPRO"] * s * s2 * np.exp(g.normal(0, 0.5, n)))
            c[f"{age}_{dl}PRO"] = k
            c[f"{age}_{dl}ATT"] = np.round(k * 14 * np.exp(g.normal(0, 0.4, n)))
    for i, s in enumerate(SVC):
        lin = g.normal(-0.4, 1.1) + 1.2 * quality + 0.35 * (np.log(pop) - 9.4) * (i % 3)
        c["SVC_" + s] = (g.random(n) < 1 / (1 + np.exp(-lin))).astype(int)
    for i, s in enumerate(LANGS):
        lin = 1.6 - 0.35 * i + 0.5 * (np.log(pop) - 9.4) + 0.08 * np.asarray(c["PCT_LEP"])
        has = g.random(n) < 1 / (1 + np.exp(-lin))
        c["LANG_" + s] = has.astype(int)
        vol = np.round(fy["BKVOL"] * 0.03 / (i + 1) * g.gamma(2, 0.5, n))
        c["LVOL_" + s] = np.where(has, vol, np.nan)
    for s in DBS:
        has = g.random(n) < 1 / (1 + np.exp(-quality))
        c[f"DB_{s}_YN"] = np.where(has, "Y", "N")
        c[f"DB_{s}_USE"] = np.where(has, np.round(pop * 0.03 * g.gamma(1, 1, n)), np.nan)
    for i, p in enumerate(POSN):
        lo = np.round(
            (34 - 2.3 * i)
            * np.exp(quality * 0.25 + 0.05 * (np.log(pop) - 9) + g.normal(0, 0.08, n)),
            2,
        )
        c[f"SAL_{p}_MN"], c[f"SAL_{p}_MX"] = lo, np.round(lo * g.uniform(1.15, 1.6, n), 2)
        c[f"FTE_{p}"] = np.round(fy["TOTSTAFF"] * (1 + i) / 60 * g.gamma(3, 0.33, n), 2)
    for b in range(1, 11):
        for item, val in (("SQFT", 6500.0), ("HRSYR", 1850.0), ("VIS", 32000.0)):
            v = np.round(val * np.exp(quality * 0.4 + g.normal(-0.04 * b, 0.35, n)))
            c[f"BR{b:02d}_{item}"] = np.where(branch >= b, v, np.nan)
    for q in range(1, 19):
        v = g.normal(3.9, 0.25) + 0.25 * quality + g.normal(0, 0.25, n)
        if q == 7:
            v = 1.6 + 0.22 * np.asarray(c["HR_SUN"]) + g.normal(0, 0.2, n)  # follows Sunday opening
        c[f"PS_Q{q:02d}"] = np.where(g.random(n) < 0.35, np.nan, np.round(np.clip(v, 1, 5), 2))
    return pd.DataFrame(c)
