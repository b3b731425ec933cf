"""Compute the gold answers of fifth.jsonl, more questions to six wide tables."""

import importlib
import json
import math
from pathlib import Path

import numpy as np
import pandas as pd

NAMES = ["hospital", "foods", "airports", "schools", "bikes", "panel"]
H, F, A, S, B, P = [importlib.import_module(f"domains.{n}.table").make() for n in NAMES]
out, cnt = [], {}


def clean(x):
    if isinstance(x, (list, tuple)):
        return [clean(y) for y in x]
    if isinstance(x, (bool, np.bool_)):
        return bool(x)
    if isinstance(x, (int, np.integer)):
        return int(x)
    if isinstance(x, (float, np.floating)):
        return None if math.isnan(x) else float(x)
    if isinstance(x, pd.Timestamp):
        return str(x.date())
    if x is None or x is pd.NA:
        return None
    return str(x)


def q(table, question, answers, note=""):
    cnt[table] = cnt.get(table, 0) + 1
    un = answers is None
    out.append(
        {
            "id": f"{table}-{cnt[table]}",
            "table": table,
            "question": question,
            "answers": [] if un else clean(answers),
            "unanswerable": un,
            "note": note,
        }
    )


def rows(s, labels=None):
    """Series -> list of gold readings: codes, and words in their place."""
    r = [[k, v] for k, v in s.items()]
    return [r] + ([[[labels[k], v] for k, v in s.items()]] if labels else [])


def pair(l1, v1, l2, v2):
    return [[[l1, v1], [l2, v2]], [[v1, v2]]]


def top(k, v, more=()):
    return [k, [[k, v]], *more]


SITE = {"N": "Northside", "S": "St Anne", "C": "Central campus"}
WARD = {
    "CAR": "cardiology",
    "GMD": "general medicine",
    "SUR": "general surgery",
    "ORT": "orthopaedics",
    "NEU": "neurology",
    "RSP": "respiratory",
    "ONC": "oncology",
    "GER": "geriatrics",
}
SEX = {1: "male", 2: "female"}
ORG = {
    "E_COLI": "Escherichia coli",
    "S_AUR": "Staphylococcus aureus",
    "KLEB": "Klebsiella",
    "PSEUD": "Pseudomonas",
    "ENTC": "Enterococcus",
    "CANDA": "Candida",
}
HUB = {"L": "large hub", "M": "medium hub", "S": "small hub", "N": "non-hub"}
PWR = {"G": "grid", "S": "solar", "B": "replaceable battery"}

# ---------------------------------------------------------------- hospital
t = "hospital"
q(t, "how many stays involved covid?", [(H.DX_COVID == 1).sum()], "diagnosis flag")
q(
    t,
    "average length of stay at each of the three sites",
    rows(H.groupby("FAC_CD").LOS_D.mean(), SITE),
)
q(t, "What was the highest potassium anyone had on day 3 of their stay?", [H.LAB_K_D3.max()])
q(
    t,
    "mean of the peak heart rate on the second day, men versus women",
    rows(H.groupby("SEX_CD").VS_HR_MX_D2.mean(), SEX),
    "maximum heart rate day 2",
)
g = H.groupby("WRD_ADM").CHG_TOT.mean().sort_values(ascending=False)
k, v = g.index[0], g.iloc[0]
q(
    t,
    "which admitting ward has the highest total bill on average?",
    [k, WARD[k], [[k, v]], [[WARD[k], v]]],
)
d = H[H.DX_PNA == 1]
q(
    t,
    "what percent of pneumonia stays ended in a readmission within 30 days",
    [d.READM30_FL.mean() * 100, (d.READM30_FL == 1).sum() / len(d) * 100],
    "of known; of all pneumonia stays",
)
q(
    t,
    "How many stays were diabetics (type 1 or type 2) over 70 who ended up on a ventilator?",
    [
        (((H.DX_DM1 == 1) | (H.DX_DM2 == 1)) & (H.AGE_ADM > 70) & (H.VENT_FL == 1)).sum(),
        (
            ((H.DX_DM1 == 1) | (H.DX_DM2 == 1))
            & (H.AGE_ADM > 70)
            & ((H.VENT_FL == 1) | (H.NIV_FL == 1))
        ).sum(),
    ],
    "invasive ventilator; or with BiPAP/CPAP",
)
b2 = H[["LAB_CRP_D1", "LAB_CRP_DSC"]].dropna()
q(
    t,
    "is CRP lower by the time they leave? give me the average on day 1 and the average of the last one before discharge",
    pair("day 1", H.LAB_CRP_D1.mean(), "before discharge", H.LAB_CRP_DSC.mean())
    + pair("day 1", b2.LAB_CRP_D1.mean(), "before discharge", b2.LAB_CRP_DSC.mean())
    + [bool(H.LAB_CRP_DSC.mean() < H.LAB_CRP_D1.mean())],
    "each column; paired",
)
q(t, "how do patients rate the food on average", [H.SAT_Q06.mean()])
q(
    t,
    "top 3 bugs grown from the urine cultures and how often each was found",
    rows(H.CUL_URN_ORG.value_counts().head(3), ORG),
)
q(t, "average potassium on day 10", None, "days 1 to 7 only")
q(t, "which surgeon did the most hip replacements?", None, "no surgeon recorded")

# ---------------------------------------------------------------- foods
t = "foods"
i = F["Vitamin C (mg)"].idxmax()
q(
    t,
    "Which food has the most vitamin C per 100 g?",
    top(
        F["Food name"][i],
        F["Vitamin C (mg)"][i],
        ([[F["Food code"][i], F["Food name"][i], F["Vitamin C (mg)"][i]]],),
    ),
)
q(
    t,
    "how many foods are both vegan and organic",
    [((F["Suitable for vegans"] == 1) & (F["Organic certified"] == 1)).sum()],
)
q(
    t,
    "average total sugar for every food group, sweetest first",
    rows(F.groupby("Food group")["Total sugars (g)"].mean().sort_values(ascending=False)),
    "per 100 g",
)
d = F[F["Food group"] == "Fish and seafood"].nlargest(5, "Omega-3 fatty acids, total (g)")
q(
    t,
    "top 5 fish and seafood items for omega 3",
    [
        d[["Food name", "Omega-3 fatty acids, total (g)"]].values.tolist(),
        [[x] for x in d["Food name"]],
    ],
    "per 100 g",
)
c = F[F.Category == "Chocolate"]
q(
    t,
    "what did chocolate cost per kilo on average in 2019, and in 2023?",
    pair(
        "2019",
        c["Average price 2019 (EUR/kg)"].mean(),
        "2023",
        c["Average price 2023 (EUR/kg)"].mean(),
    ),
)
q(
    t,
    "how many foods contain peanuts or tree nuts but no milk?",
    [
        (
            ((F["Contains peanut"] == 1) | (F["Contains tree nuts"] == 1))
            & (F["Contains milk"] == 0)
        ).sum()
    ],
)
g = F.groupby("Brand")["Taste panel: Overall liking (0-10)"].mean().sort_values(ascending=False)
q(t, "which brand did the taste panel like best overall, on average", top(g.index[0], g.iloc[0]))
m = F.groupby("Category")["Salt (g)"].mean()
ch, cr = m["Cheese"], m["Crisps and savoury snacks"]
q(
    t,
    "does cheese have more salt in it than crisps on average?",
    [bool(ch > cr), *pair("Cheese", ch, "Crisps and savoury snacks", cr)],
    "grams of salt per 100 g",
)
q(
    t,
    "count of foods for each nutri-score letter",
    rows(F["Nutri-Score"].value_counts().sort_index())
    + [
        [[k, v] for k, v in F["Nutri-Score"].value_counts().sort_index().items()]
        + [[None, F["Nutri-Score"].isna().sum()]]
    ],
)
q(t, "How many foods have over 20 micrograms of mercury?", [(F["Mercury (µg)"] > 20).sum()])
q(t, "average price per kilo of cheese in 2017", None, "prices 2019 to 2023 only")
q(t, "how many of these are sold in Sweden", None, "Sweden is not among the markets")

# ---------------------------------------------------------------- airports
t = "airports"
i = A.pax_2019m07.idxmax()
q(
    t,
    "which airport handled the most passengers in july 2019?",
    top(A.apt_name[i], A.pax_2019m07[i], ([[A.iata_cd[i], A.apt_name[i], A.pax_2019m07[i]]],)),
)
q(
    t,
    "total passengers across all airports in april 2019 versus april 2020",
    pair("April 2019", A.pax_2019m04.sum(), "April 2020", A.pax_2020m04.sum()),
)
q(t, "How many airports have a sauna?", [(A.fac_sauna == 1).sum()])
q(
    t,
    "top 5 countries by tonnes of freight in december 2022",
    rows(A.groupby("ctry_name").frt_t_2022m12.sum().nlargest(5))
    + [
        [[x] for x in A.groupby("ctry_name").frt_t_2022m12.sum().nlargest(5).index],
        *rows(A.groupby("iso_ctry").frt_t_2022m12.sum().nlargest(5)),
    ],
)
q(
    t,
    "average percent of flights leaving on time in July 2022 for large, medium, small and non hubs",
    rows(A.groupby("hub_cat").otp_pct_2022m07.mean(), HUB),
    "mean over airports",
)
q(
    t,
    "how many airports have a grass main runway that is lit at night",
    [((A.rwy1_surf == "GRS") & (A.rwy1_lit == 1)).sum()],
)
i = A.rwy2_len_m.idxmax()
q(
    t,
    "who has the longest second runway and how long is it?",
    top(A.apt_name[i], A.rwy2_len_m[i], (A.rwy2_len_m[i],)),
)
d = A[A.ctry_name == "Norway"]
q(
    t,
    "what percentage of the norwegian airports are privately owned",
    [(d.own_cd == "R").mean() * 100],
)
q(
    t,
    "total minutes of delay caused by air traffic control at French airports in the third quarter of 2019",
    [A[A.ctry_name == "France"].dly_atc_min_2019q3.sum()],
)
d = A[A.bird_strk_2019 > 250]
q(
    t,
    "list the airports with more than 250 bird strikes in 2019",
    [
        [[x] for x in d.apt_name],
        d[["apt_name", "bird_strk_2019"]].values.tolist(),
        [[x] for x in d.iata_cd],
    ],
)
q(t, "How many passengers were there in all in March 2016?", None, "2017 to 2022 only")
q(t, "which airport has the most restaurants", None, "not recorded")

# ---------------------------------------------------------------- schools
t = "schools"
q(t, "how many pupils were there in total in the 2022-23 school year", [S.enr_total_2223.sum()])
i = S.MATH_G5_2019.idxmax()
q(
    t,
    "Which district had the best average fifth grade math score in spring 2019?",
    top(S.dist_name[i], S.MATH_G5_2019[i]),
)
q(
    t,
    "average four-year graduation rate in 2022 for cities, suburbs, towns and rural districts",
    rows(S.groupby("locale").GRAD4_ALL_2022.mean()),
    "unweighted over districts",
)
q(
    t,
    "how many charters run a four day week?",
    [((S.dist_type_cd == "CHTR") & (S.prog_4day_week == 1)).sum()],
)
d = S.nlargest(5, "enr_pk_2021")
q(
    t,
    "top 5 districts by pre-k enrollment in 2020-21",
    [d[["dist_name", "enr_pk_2021"]].values.tolist(), [[x] for x in d.dist_name]],
)
m = S.groupby("locale").avg_tch_salary_2223.mean()
q(
    t,
    "do teachers get paid more in city districts than rural ones? compare the average salary in 2022-23",
    pair("CITY", m["CITY"], "RURAL", m["RURAL"])
    + [bool(m["CITY"] > m["RURAL"]), m["CITY"] - m["RURAL"]],
    "unweighted over districts",
)
q(
    t,
    "what percent of districts offer the international baccalaureate",
    [S.prog_ib.mean() * 100, (S.prog_ib == 1).sum() / len(S) * 100],
    "of those known; of all",
)
q(
    t,
    "what's the correlation between free or reduced lunch share and 8th grade math percent proficient in 2022-23?",
    [
        S.pct_frl_2223.corr(S.MATH_G8_PPROF_2023),
        S.pct_frl_2223.corr(S.MATH_G8_PPROF_2023, method="spearman"),
    ],
    "Pearson; Spearman",
)
q(
    t,
    "how many districts spent more than 20,000 dollars per pupil in fiscal 2023",
    [(S.exp_pp_fy23 > 20000).sum()],
)
q(
    t,
    "mean attendance rate in 2018-19 and in 2020-21, all grades",
    pair("2018-19", S.att_rate_all_1819.mean(), "2020-21", S.att_rate_all_2021.mean()),
    "unweighted over districts",
)
q(t, "what was the average 4th grade maths score in spring 2020?", None, "no tests in spring 2020")
q(t, "which superintendent is paid the most?", None, "only the year the superintendent started")

# ---------------------------------------------------------------- bikes
t = "bikes"
q(t, "how many stations are active right now", [(B.stat_cd == "A").sum()])
i = B.trips_start_tot_2023.idxmax()
q(
    t,
    "Which station had the most trips starting from it in 2023?",
    top(
        B.stn_name[i],
        B.trips_start_tot_2023[i],
        (
            B.stn_id[i],
            [[B.stn_id[i], B.stn_name[i], B.trips_start_tot_2023[i]]],
            [[B.stn_id[i], B.trips_start_tot_2023[i]]],
        ),
    ),
)
q(
    t,
    "total trips by casual riders in june 2021, per district",
    rows(B.groupby("district").trips_start_cas_2021_06.sum()),
)
w = B[["dur_avg_min_2022_08", "trips_start_2022_08"]].dropna()
q(
    t,
    "how long was a typical trip in august 2022 - average minutes",
    [B.dur_avg_min_2022_08.mean(), np.average(w.iloc[:, 0], weights=w.iloc[:, 1])],
    "mean of stations; weighted by trips",
)
q(
    t,
    "how many stations have a toilet as well as lockers?",
    [((B.amen_toilet == 1) & (B.amen_locker == 1)).sum()],
)
d = B.nlargest(5, "empty_hrs_2020_09")
q(
    t,
    "the 5 stations that stood empty for the most hours in september 2020",
    [
        d[["stn_name", "empty_hrs_2020_09"]].values.tolist(),
        [[x] for x in d.stn_name],
        [[x] for x in d.stn_id],
        d[["stn_id", "empty_hrs_2020_09"]].values.tolist(),
    ],
)
m = B.groupby("pwr_src_cd").trips_start_wkdy_h08.mean()
q(
    t,
    "solar stations vs grid powered ones: average number of trips started between 8 and 9 in the morning on weekdays",
    [r for s in (["G", "S"],) for r in rows(m[s], PWR)] + [[[m["S"], m["G"]]], [[m["G"], m["S"]]]],
)
q(
    t,
    "how far is it on average from a station to the nearest hospital in metres?",
    [B.dist_hosp_m.mean()],
)
w = B[["trips_start_ebk_2023_05", "trips_start_2023_05"]].dropna()
q(
    t,
    "What percentage of all the trips started in May 2023 were on an e-bike?",
    [
        B.trips_start_ebk_2023_05.sum() / B.trips_start_2023_05.sum() * 100,
        w.iloc[:, 0].sum() / w.iloc[:, 1].sum() * 100,
    ],
    "ratio of sums; where both known",
)
g = B.groupby("district").outage_cnt_2021_02.sum().sort_values(ascending=False)
q(t, "which district had the most outages in total in february 2021", top(g.index[0], g.iloc[0]))
q(t, "how many trips started in march 2017?", None, "2018 to 2023 only")
q(t, "how many bikes were stolen in 2022", None, "not recorded")

# ---------------------------------------------------------------- panel
t = "panel"
q(t, "average personal monthly income in wave 4", [P.w4_income.mean()])
q(t, "How many people smoked in wave 8?", [(P.w8_smoker == 1).sum()])
w = P[["w1_satisfaction_life", "w8_satisfaction_life"]].dropna()
q(
    t,
    "how satisfied with life were people in 2014 compared to 2021? averages please",
    pair("2014", P.w1_satisfaction_life.mean(), "2021", P.w8_satisfaction_life.mean())
    + pair("2014", w.iloc[:, 0].mean(), "2021", w.iloc[:, 1].mean()),
    "waves 1 and 8; paired",
)
q(
    t,
    "hours of sleep by region in wave 5, on average",
    rows(P.groupby("region").w5_sleep_hours.mean()),
)
q(
    t,
    "what percent worked from home in wave 6",
    [P.w6_works_from_home.mean() * 100, (P.w6_works_from_home == 1).sum() / len(P) * 100],
    "of those asked; of all",
)
v = P.w7_party_supported.value_counts()
q(t, "which party had the most supporters in wave 7?", top(v.index[0], v.iloc[0]))
o = P[[f"w{i}_interview_outcome" for i in range(1, 9)]]
q(
    t,
    "how many respondents gave a full interview in every single one of the eight waves",
    [(o == "Full interview").all(axis=1).sum()],
)
m = P.groupby("education_highest").w2_trust_parliament.mean()
dg = P[P.education_highest.isin(["Degree", "Postgraduate degree"])].w2_trust_parliament.mean()
q(
    t,
    "trust in parliament in the second wave: people with a degree against people with no qualifications, mean score",
    pair("Degree", m["Degree"], "No qualification", m["No qualification"])
    + pair("Degree", dg, "No qualification", m["No qualification"]),
    "degree alone; with postgraduate",
)
q(
    t,
    "how many people were smokers in wave 1 but not any more in wave 8",
    [((P.w1_smoker == 1) & (P.w8_smoker == 0)).sum()],
)
q(
    t,
    "How many dog owners in wave 7 had no garden?",
    [((P.w7_has_dog == 1) & (P.w7_has_garden == 0)).sum()],
)
q(
    t,
    "how many close friends did people have on average in wave 5?",
    None,
    "asked in waves 1, 4 and 7 only",
)
q(t, "what's the most common religion?", None, "only attendance is recorded")

text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in out)
Path(__file__).with_name("fifth.jsonl").write_text(text, encoding="utf-8")
print(len(out), sum(one["unanswerable"] for one in out), cnt)
