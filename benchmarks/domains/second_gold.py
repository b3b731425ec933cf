"""Compute the gold answers of second.jsonl, more questions to three described tables."""

import json
from pathlib import Path

import numpy as np
import pandas as pd

from domains.cohort.table import make as make_cohort
from domains.housing.table import make as make_housing
from domains.nations.table import make as make_nations

H, N, C = make_housing(), make_nations(), make_cohort()
out = []
cnt = {}


def cv(x):
    if isinstance(x, (list, tuple)):
        return [cv(i) for i in x]
    if isinstance(x, (np.bool_, bool)):
        return bool(x)
    if isinstance(x, np.integer):
        return int(x)
    if isinstance(x, (float, np.floating)):
        assert not np.isnan(x)
        return float(x)
    return x


def q(t, text, ans, note, un=False):
    cnt[t] = cnt.get(t, 0) + 1
    a = []
    for x in ans:
        x = cv(x)
        if x not in a:
            a.append(x)
    out.append(
        dict(id=f"{t}-f{cnt[t]}", table=t, question=text, answers=a, unanswerable=un, note=note)
    )


def sh(num, *dens):
    r = []
    for d in dens:
        r += [num / d, 100 * num / d]
    return r


IDS = {
    "housing": ["serial", "PID"],
    "nations": ["cname", "iso3", "ccode"],
    "cohort": ["eid", "hhidpn"],
}


def top(t, D, col, k=1, asc=False, n=None):
    s = D.dropna(subset=[col]).sort_values(col, ascending=asc)
    v = s[col].values
    m = n or k
    assert len(v) <= m or len(set(v[: m + 1])) == m + 1, (col, v[: m + 1])
    r = []
    if n:
        h = s.head(n)
        for i in IDS[t]:
            r += [list(h[i]), [list(x) for x in zip(h[i], h[col])]]
    else:
        x = s.iloc[k - 1]
        for i in IDS[t]:
            r += [x[i], [[x[i], x[col]]]]
    return r


def grp(s, *maps):
    r = [[[k, v] for k, v in s.items()]]
    for m in maps:
        r.append([[m.get(k, k), v] for k, v in s.items()])
    return r


def occ(s, mx=True, labels=()):
    k = s.idxmax() if mx else s.idxmin()
    v = s[k]
    r = [k, [[k, v]]]
    for m in labels:
        r += [m[k], [[m[k], v]]]
    return r


def two(a, b, la, lb):
    return [[a, b], [b, a], [[a, b]], [[la, a], [lb, b]], [[lb, b], [la, a]]]


# ---------------- housing
t = "housing"
NB = dict(
    CBD="city centre",
    OldTn="Old Town",
    HrbSd="Harbor Side",
    MillR="Mill Row",
    UnivD="University District",
    WestPk="West Park",
    LakeV="Lake View",
    NrthG="North Gate",
    Frmld="farmland",
)
BT = {
    "1Fam": "single family detached",
    "2FmCon": "two-family conversion",
    "Duplx": "duplex",
    "TwnhsE": "townhouse end",
    "TwnhsI": "townhouse inside",
    "Apt": "apartment",
    "MobHm": "mobile home",
}
q(
    t,
    "How many of the dwellings are in Old Town?",
    [int((H.nbhd == "OldTn").sum())],
    "nbhd=='OldTn' count",
)
q(
    t,
    "rentals with a swimming pool - how many?",
    [int(((H.offer == "RENT") & (H.has_pool == 1)).sum())],
    "offer=RENT & has_pool=1",
)
x = H[(H.nbhd == "HrbSd")]
q(
    t,
    "What's the median living area, in square metres, of homes in Harbor Side?",
    [x.area_m2.median()],
    "median area_m2, nbhd HrbSd",
)
q(
    t,
    "What did households earn on average per year in the 2020 round?",
    [H.hhinc_r5.mean()],
    "mean hhinc_r5 (2016=r1 -> 2020=r5)",
)
s = H.groupby("nbhd").rent_r7.mean()
q(
    t,
    "average monthly rent tenants paid in 2022, by neighbourhood",
    grp(s, NB),
    "mean rent_r7 by nbhd (2022=r7)",
)
q(
    t,
    "Which home fetched the third-highest sale price? Give me its household serial number.",
    top(t, H, "price", 3) + top(t, H[H.offer == "SALE"], "price", 3),
    "3rd highest price; alt only offer=SALE",
)
q(t, "top 5 biggest lots, which homes are they", top(t, H, "lotsize", n=5), "top 5 lotsize")
L = H[H.nbhd == "LakeV"]
a, b = L.avm_18q1, L.avm_23q4
q(
    t,
    "By how much did the average automated valuation of Lake View homes rise between the first quarter of 2018 and the last quarter of 2023?",
    [b.mean() - a.mean(), (b - a).mean(), 1000 * (b.mean() - a.mean()), 1000 * (b - a).mean()],
    "avm_23q4 - avm_18q1, nbhd LakeV; thousand USD or USD",
)
qs = [f"{y}q{i}" for y in range(18, 24) for i in range(1, 5)]
s = pd.Series({f"20{k[:2]}Q{k[3]}": H["mktrnt_" + k].mean() for k in qs})
q(
    t,
    "In which quarter did the market rent hit its highest average?",
    occ(
        s,
        True,
        [{k: k.replace("Q", " Q") for k in s.index}, {k: f"{k[2:4]}q{k[5]}" for k in s.index}],
    ),
    "argmax over quarters of mean mktrnt_YYqN",
)
a = H[H.bldgtype == "1Fam"].dom.median()
b = H[H.bldgtype == "Apt"].dom.median()
q(
    t,
    "Do detached houses take longer to sell than apartments? Compare the median days on the market.",
    two(a, b, "1Fam", "Apt")
    + [[[BT["1Fam"], a], [BT["Apt"], b]], [["detached", a], ["apartment", b]]],
    "median dom by bldgtype 1Fam vs Apt",
)
q(
    t,
    "What share of listings had their asking price cut?",
    sh((H.pricecut == "Y").sum(), H.pricecut.notna().sum()),
    "pricecut=Y / all",
)
q(
    t,
    "for how many homes is the basement condition not recorded?",
    [int(H.bsmtcond.isna().sum())],
    "bsmtcond missing",
)
q(
    t,
    "Count the homes that have both electric solar panels and a charger for an electric car but no home battery.",
    [int(((H.has_solarpv == 1) & (H.has_evchg == 1) & (H.has_battery == 0)).sum())],
    "has_solarpv=1 & has_evchg=1 & has_battery=0",
)
q(
    t,
    "How many tenants' homes had damp walls as well as mould in the 2019 round?",
    [int(((H.tenure_r4 == "R") & (H.flt01_r4 == 1) & (H.flt02_r4 == 1)).sum())],
    "tenure_r4=R & flt01_r4=1 & flt02_r4=1",
)
g = H.dropna(subset=["price", "sqrft"])
s1 = (g.price / g.sqrft).groupby(g.bldgtype).mean()
s2 = g.groupby("bldgtype").price.sum() / g.groupby("bldgtype").sqrft.sum()
s3 = (g.price / g.sqrft).groupby(g.bldgtype).median()
q(
    t,
    "I'd like the price per square foot of living area for each building type, on average please",
    grp(s1, BT) + grp(s2, BT),
    "mean(price/sqrft) by bldgtype; alt ratio of sums",
)
q(t, "correlation between price and cbd_km?", [H.price.corr(H.cbd_km)], "Pearson price, cbd_km")
s = pd.Series({i: H[f"kwh_wi_h{i:02d}"].mean() for i in range(24)})
q(
    t,
    "At what hour of the day do homes use the most electricity in winter, on average?",
    occ(
        s,
        True,
        [
            {i: f"h{i:02d}" for i in range(24)},
            {i: f"{i:02d}" for i in range(24)},
            {i: f"{i:02d}:00" for i in range(24)},
        ],
    ),
    "argmax mean kwh_wi_hHH",
)
q(t, "How many homes were burgled in the past year?", [], "no crime data", True)
q(t, "what's the ethnic background of the households in Mill Row", [], "no ethnicity", True)
q(t, "How far is it on average to the nearest cinema?", [], "no cinema among 22 places", True)
# ---------------- nations
t = "nations"
q(
    t,
    "How many sovereign states have no access to the sea?",
    [int(((N.status == "S") & (N.d_llock == 1)).sum())],
    "status S & d_llock=1",
)
q(
    t,
    "EU members where people drive on the left: how many",
    [int(((N.d_eu == 1) & (N.drive_side == "L")).sum())],
    "d_eu=1 & drive_side L",
)
RG = dict(
    EAP="East Asia and Pacific",
    ECA="Europe and Central Asia",
    LAC="Latin America and Caribbean",
    MNA="Middle East and North Africa",
    NAM="North America",
    SAS="South Asia",
    SSF="Sub-Saharan Africa",
)
q(
    t,
    "Life expectancy in 2010, average by region?",
    grp(N.groupby("region").wdi_lifexp_2010.mean(), RG),
    "mean wdi_lifexp_2010 by region",
)
q(
    t,
    "Which country had the largest share of women in parliament in 2018?",
    top(t, N, "wdi_wip_2018"),
    "max wdi_wip_2018",
)
q(
    t,
    "Name the third-largest country or area by surface area.",
    top(t, N, "area_km2", 3),
    "3rd area_km2",
)
q(
    t,
    "top five wind power producers in 2020, with how much they generated",
    top(t, N, "elc_wind_twh_2020", n=5),
    "top 5 elc_wind_twh_2020",
)
x = N[N.region == "SSF"]
a, b = x.wdi_internet_2000, x.wdi_internet_2020
q(
    t,
    "By how many percentage points did internet use in Sub-Saharan Africa grow from 2000 to 2020, on average?",
    [b.mean() - a.mean(), (b - a).mean()],
    "wdi_internet 2000->2020, SSF; diff of means or mean paired diff",
)
s = pd.Series({y: N[f"wdi_inflation_{y}"].mean() for y in range(1990, 2023)})
q(
    t,
    "In what year between 1990 and 2022 was inflation worst, averaged over all countries?",
    occ(s),
    "argmax mean wdi_inflation_Y",
)
q(
    t,
    "median number of births per woman among low income countries back in 1995",
    [N[N.incgrp == "L"].wdi_fertility_1995.median()],
    "median wdi_fertility_1995, incgrp L",
)
a = N[N.fh_status22 == "F"].wdi_gdpcapcon2015_2022.mean()
b = N[N.fh_status22 == "NF"].wdi_gdpcapcon2015_2022.mean()
q(
    t,
    "How does average GDP per head in 2022 compare between countries rated free and those rated not free that year?",
    two(a, b, "F", "NF") + [[["free", a], ["not free", b]], a - b, a / b],
    "mean wdi_gdpcapcon2015_2022 by fh_status22",
)
n = (N.fh_status22 == "F").sum()
q(
    t,
    "What share of countries with a freedom rating was free in 2022?",
    sh(n, N.fh_status22.notna().sum()),
    "fh_status22=F / non-missing",
)
q(
    t,
    "For how many rows do we have no human development score?",
    [int(N.undp_hdi.isna().sum())],
    "undp_hdi missing",
)
q(
    t,
    "So how many people lived in South Asia altogether in 2019, in millions?",
    [N[N.region == "SAS"].pop2019.sum(), 1e6 * N[N.region == "SAS"].pop2019.sum()],
    "sum pop2019, region SAS",
)
q(t, "correlate undp_hdi with ti_cpi", [N.undp_hdi.corr(N.ti_cpi)], "Pearson")
N["_r"] = N.wdi_unempyilo_2015 / N.wdi_unempilo_2015
N["_r"] = N["_r"].replace(np.inf, np.nan)
q(
    t,
    "In which country was youth unemployment highest relative to total unemployment in 2015?",
    top(t, N, "_r"),
    "max wdi_unempyilo_2015/wdi_unempilo_2015",
)
IG = dict(L="low", LM="lower middle", UM="upper middle", H="high")
s = N.groupby("incgrp").bl_asy25f_2010.mean()
q(
    t,
    "Average years of schooling for women aged 25 and over in 2010, broken down by income group",
    grp(s, IG),
    "mean bl_asy25f_2010 by incgrp",
)
q(
    t,
    "How many presidential systems in Latin America and the Caribbean had a house price index above 130 in the fourth quarter of 2022?",
    [int(((N.regime == "PRES") & (N.region == "LAC") & (N.hpi_2022q4 > 130)).sum())],
    "regime PRES, region LAC, hpi_2022q4>130",
)
q(t, "Which country won the most Olympic medals?", [], "not in table", True)
q(
    t,
    "How many prisoners per 100,000 inhabitants did Algeria have in 2015?",
    [],
    "no prison data",
    True,
)
q(t, "what is the official language of each country in South Asia", [], "no language name", True)
# ---------------- cohort
t = "cohort"
q(
    t,
    "How many women were current smokers when they were recruited?",
    [int(((C.ragender == "F") & (C.p20116 == "Current")).sum())],
    "ragender F & p20116 Current",
)
q(
    t,
    "mean BMI at the baseline visit per region",
    grp(
        C.groupby("region").p21001_i0.mean(),
        dict(
            NW="North West",
            NE="North East",
            SC="Scotland",
            WA="Wales",
            YH="Yorkshire and the Humber",
            SE="South East",
            SW="South West",
            WM="West Midlands",
            EM="East Midlands",
            EE="East of England",
            LN="London",
            LO="London",
        ),
    ),
    "mean p21001_i0 by region",
)
a, b = C.p30780_i0, C.p30780_i1
q(
    t,
    "How did average LDL cholesterol change from the baseline visit to the first repeat?",
    [b.mean() - a.mean(), (b - a).mean()],
    "p30780_i1 - p30780_i0; diff of means, paired mean",
)
q(
    t,
    "Which participant weighed the second most at baseline on the clinic's scales?",
    top(t, C, "p21002_i0", 2),
    "2nd p21002_i0",
)
q(
    t,
    "Average age at death of those known to have died?",
    [C.p40007.mean(), C[C.is_dead == 1].p40007.mean()],
    "mean p40007",
)
s = pd.Series({w: C[f"r{w}cesd"].mean() for w in range(1, 9)})
q(
    t,
    "In which wave were people most depressed on average, going by the total depression score?",
    occ(
        s,
        True,
        [
            {w: f"wave {w}" for w in s.index},
            {w: f"W{w}" for w in s.index},
            {w: 2006 + 2 * w for w in s.index},
        ],
    ),
    "argmax mean r{w}cesd",
)
n = C.p1180_i0.isin(["ME", "DE"]).sum()
q(
    t,
    "What percentage of those who answered at baseline were evening people, definitely or more so?",
    sh(n, C.p1180_i0.notna().sum()),
    "p1180_i0 in ME,DE / answered",
)
q(
    t,
    "wave 3: number of people who ever had both diabetes and high blood pressure",
    [int(((C.r3diabe == 1) & (C.r3hibpe == 1)).sum())],
    "r3diabe & r3hibpe",
)
cols = [c for c in C if c.startswith("p20002_i0_a")]
m = (C[cols].apply(pd.to_numeric, errors="coerce") == 1111).any(axis=1)
q(
    t,
    "How many people listed asthma among their self-reported illnesses at the baseline visit?",
    [int(m.sum())],
    "any " + ",".join(cols) + "==1111",
)
g = C.groupby("r4mode").h4itot.median()
q(
    t,
    "Median household income in wave 4 for post, telephone and web respondents",
    grp(g, dict(P="post", T="telephone", W="web")),
    "median h4itot by r4mode",
)
a = C[C.ragender == "M"].p47_i2.mean()
b = C[C.ragender == "F"].p47_i2.mean()
q(
    t,
    "Right-hand grip at the second repeat visit, men against women, on average?",
    two(a, b, "M", "F") + [[["men", a], ["women", b]], [[1, a], [0, b]], [[0, b], [1, a]], a - b],
    "mean p47_i2 by sex",
)
q(
    t,
    "How many participants have no vitamin D result from the baseline visit?",
    [int(C.p30890_i0.isna().sum())],
    "p30890_i0 missing",
)
q(
    t,
    "Who are the five richest by total household wealth in wave 5?",
    top(t, C, "h5atotb", n=5),
    "top 5 h5atotb",
)
q(
    t,
    "is there a correlation between body fat percentage and C-reactive protein at baseline? how strong",
    [C.p23099_i0.corr(C.p30710_i0)],
    "Pearson p23099_i0,p30710_i0",
)
w = [f"inw{i}" for i in range(1, 9)]
q(
    t,
    "How many people took part in all eight questionnaire waves?",
    [int((C[w] == 1).all(axis=1).sum())],
    "inw1..inw8 all 1",
)
x = C[C.inw7 == 1]
q(
    t,
    "In the wave during the pandemic, what share reported that their husband, wife or partner had died since the wave before?",
    sh((C.r7lbevt01 == 1).sum(), C.r7lbevt01.notna().sum(), (C.inw7 == 1).sum()),
    "r7lbevt01=1 / answered; alt / inw7",
)
q(
    t,
    "mean p4080_i0_a0 among those who were examined in Glasgow",
    [C[C.p54_i0 == "Glasgow"].p4080_i0_a0.mean()],
    "mean p4080_i0_a0, p54_i0 Glasgow",
)
q(t, "How many participants have been vaccinated against Covid?", [], "no vaccination", True)
q(t, "Which party did the respondents vote for in the last election?", [], "no voting", True)
q(t, "share of people with red hair", [], "no hair colour", True)
with (Path(__file__).parent / "second.jsonl").open("w") as lines:
    for o in out:
        lines.write(json.dumps(o, ensure_ascii=False, allow_nan=False) + "\n")
