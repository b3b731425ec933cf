"""Compute the gold answers about the airports with pandas and write questions.jsonl."""

import json
from pathlib import Path

import numpy as np
from table import make

d = make()
out = []


def py(x):
    if isinstance(x, (list, tuple)):
        return [py(i) for i in x]
    if isinstance(x, (np.bool_, bool)):
        return bool(x)
    if isinstance(x, (np.integer, int)):
        return int(x)
    if isinstance(x, (np.floating, float)):
        assert np.isfinite(x), x
        return int(x) if float(x).is_integer() else round(float(x), 6)
    return x


def uniq(a):
    return list({json.dumps(x): x for x in map(py, a)}.values())


def share(*ks):
    return [v for k in ks for v in (k, k * 100)]


def pct(*fs):
    return [v for f in fs for v in (f * 100, f, abs(f) * 100, abs(f))]


def top(d, val, n, names, asc=False):
    """Names lists, names with value, for every naming column (and both names together)."""
    v = d[val] if isinstance(val, str) else val
    o = v.dropna().sort_values(ascending=asc, kind="stable")
    assert n >= len(o) or o.iloc[n - 1] != o.iloc[n], "tie at the cut"
    o = o.head(n)
    out = []
    for c in names:
        x = d.loc[o.index, c]
        out += [[[a] for a in x], [[a, b] for a, b in zip(x, o)]]
    if len(names) > 1:
        x, y = d.loc[o.index, names[0]], d.loc[o.index, names[1]]
        out += [
            [[a, b] for a, b in zip(x, y)],
            [[a, b, c] for a, b, c in zip(x, y, o)],
            [[b, a, c] for a, b, c in zip(x, y, o)],
        ]
    if n == 1:
        out = [o2[0][0] for o2 in out if len(o2[0]) == 1] + out
    return out


def groups(g, lab=None):
    out = [[[k, v] for k, v in g.items()]]
    if lab:
        out.append([[lab[k], v] for k, v in g.items()])
    return out


def versus(yes, no, ly, ln, answer):
    """A yes/no comparison: truth, the two-row table, the pair, the winner, the difference."""
    out = [bool(answer)]
    for a, b in zip(ly, ln):
        out += [[[a, yes], [b, no]]]
    out += [[[yes, no]], [[no, yes]]]
    w = ly if yes > no else ln
    return out + [i for i in w if isinstance(i, str)] + [yes - no, abs(yes - no)]


def q(question, answers=(), note="", cols=(), un=False):
    assert bool(answers) != un, question
    assert set(cols) <= set(d.columns), question
    out.append(
        dict(
            id=f"airports-{len(out) + 1}",
            table="airports",
            question=question,
            answers=uniq(answers),
            unanswerable=un,
            note=note,
            columns=list(cols),
        )
    )


N = ["apt_name", "iata_cd"]
HL = {"L": "large hub", "M": "medium hub", "S": "small hub", "N": "non-hub"}
q(
    "How many passengers did all the airports together handle in March 2019?",
    [d.pax_2019m03.sum()],
    "d.pax_2019m03.sum()",
    ["pax_2019m03"],
)
q(
    "Top ten airports for freight in December 2021?",
    top(d, "frt_t_2021m12", 10, N),
    "d.nlargest(10,'frt_t_2021m12')",
    ["apt_name", "frt_t_2021m12"],
)
q(
    "How many large hubs are there?",
    [(d.hub_cat == "L").sum()],
    "(d.hub_cat=='L').sum()",
    ["hub_cat"],
)
q(
    "What is the average length of the main runway for each hub category?",
    groups(d.groupby("hub_cat").rwy1_len_m.mean(), HL),
    "d.groupby('hub_cat').rwy1_len_m.mean()",
    ["hub_cat", "rwy1_len_m"],
)
a = ((d.fac_customs == 1) & (d.fac_deice == 0)).sum()
b = ((d.fac_customs == 1) & (d.fac_deice != 1)).sum()
q(
    "How many airports have customs but nowhere to de-ice aircraft?",
    [a, b],
    "((d.fac_customs==1)&(d.fac_deice==0)).sum(); alt empty counted as no",
    ["fac_customs", "fac_deice"],
)
g = d.groupby("ctry_name").size()
g2 = d.groupby("iso_ctry").size()
q(
    "Number of airports per country, please.",
    groups(g) + groups(g2),
    "d.groupby('ctry_name').size()",
    ["ctry_name", "iso_ctry"],
)
a, b = d.pax_2019m04, d.pax_2020m04
k = a.notna() & b.notna()
q(
    "By how many percent did passenger numbers fall from April 2019 to April 2020?",
    pct(b.sum() / a.sum() - 1, b[k].sum() / a[k].sum() - 1),
    "d.pax_2020m04.sum()/d.pax_2019m04.sum()-1; alt airports with both",
    ["pax_2019m04", "pax_2020m04"],
)
q(
    "When did the airport with IATA code XFL open?",
    [d.loc[d.iata_cd == "XFL", "open_dt"].item()],
    "d.loc[d.iata_cd=='XFL','open_dt']",
    ["iata_cd", "open_dt"],
)
q(
    "How many airports have a grass main runway?",
    [(d.rwy1_surf == "GRS").sum()],
    "(d.rwy1_surf=='GRS').sum()",
    ["rwy1_surf"],
)
q(
    "What proportion of airports is privately owned?",
    share((d.own_cd == "R").mean()),
    "(d.own_cd=='R').mean()",
    ["own_cd"],
)
y, n = d.dly_wx_min_2018q1.sum(), d.dly_sec_min_2018q1.sum()
q(
    "Did bad weather cause more minutes of delay than security in the first quarter of 2018?",
    versus(y, n, ["weather"], ["security"], y > n)
    + [[["weather", d.dly_wx_min_2018q1.mean()], ["security", d.dly_sec_min_2018q1.mean()]]],
    "d.dly_wx_min_2018q1.sum()>d.dly_sec_min_2018q1.sum()",
    ["dly_wx_min_2018q1", "dly_sec_min_2018q1"],
)
k = d.dropna(subset=["otp_pct_2022m07", "mov_2022m07"])
gw = k.groupby("hub_cat").apply(
    lambda t: np.average(t.otp_pct_2022m07, weights=t.mov_2022m07), include_groups=False
)
q(
    "How punctual were flights in July 2022? Give the average on-time percentage by hub category.",
    groups(d.groupby("hub_cat").otp_pct_2022m07.mean(), HL) + groups(gw, HL),
    "d.groupby('hub_cat').otp_pct_2022m07.mean(); alt weighted by movements",
    ["hub_cat", "otp_pct_2022m07", "mov_2022m07"],
)
q(
    "How many airports didn't report any freight figure for June 2020?",
    [d.frt_t_2020m06.isna().sum()],
    "d.frt_t_2020m06.isna().sum()",
    ["frt_t_2020m06"],
)
q(
    "Which airport cancelled the most flights in January 2018?",
    top(d, "cxl_2018m01", 1, N),
    "d.loc[d.cxl_2018m01.idxmax(),'apt_name']",
    ["apt_name", "cxl_2018m01"],
)
q(
    "How many international passengers used German airports in August 2019?",
    [d[d.iso_ctry == "DE"].pax_intl_2019m08.sum()],
    "d[d.iso_ctry=='DE'].pax_intl_2019m08.sum()",
    ["iso_ctry", "pax_intl_2019m08"],
)
x = ((d.slot_lvl == 3) & (d.n_rwy >= 2)).sum()
q(
    "How many fully slot-coordinated airports (level 3) have at least two runways?",
    [x],
    "((d.slot_lvl==3)&(d.n_rwy>=2)).sum()",
    ["slot_lvl", "n_rwy"],
)
cs = [f"pax_2019m{m:02d}" for m in range(1, 13)]
s1, s2 = d[cs].sum(axis=1), d[cs].sum(axis=1, min_count=12)
q(
    "Which five airports had the most passengers over the whole of 2019?",
    top(d, s1, 5, N) + top(d, s2, 5, N),
    "d[[pax_2019m01..12]].sum(axis=1).nlargest(5); alt only complete years",
    ["apt_name"] + cs,
)
x = ((d.svc_nightcurf == "Y") & (d.pax_2019m07 > 100000)).sum()
q(
    "How many airports with a night curfew handled over 100,000 passengers in July 2019?",
    [x],
    "((d.svc_nightcurf=='Y')&(d.pax_2019m07>100000)).sum()",
    ["svc_nightcurf", "pax_2019m07"],
)
y, n = (d[d.fac_raillnk == v].pax_2022m05.mean() for v in (1, 0))
q(
    "Are airports with a train connection to town busier, in average passengers in May 2022, than those without?",
    versus(y, n, ["rail link", 1, "yes"], ["no rail link", 0, "no"], y > n),
    "d.groupby('fac_raillnk').pax_2022m05.mean()",
    ["fac_raillnk", "pax_2022m05"],
)
x = d[d.hub_cat == "M"].n_park_sp.median()
q(
    "What's the median number of public parking spaces at medium hubs?",
    [x],
    "d[d.hub_cat=='M'].n_park_sp.median()",
    ["hub_cat", "n_park_sp"],
)
for t, why in [
    ("How many passengers flew in March 2014?", "monthly figures start January 2017"),
    ("How many suitcases were lost at large hubs in 2019?", "lost baggage not recorded"),
    (
        "What was the average ticket price from Spanish airports in summer 2021?",
        "fares not recorded (only airport charges)",
    ),
    (
        "How long did people queue at security on average in July 2022?",
        "queue times not recorded (security delay minutes are of flights, by quarter)",
    ),
    ("Which airline carried the most passengers in 2019?", "no figures by airline"),
]:
    q(t, un=True, note=why)

assert len(out) == 25 and sum(o["unanswerable"] for o in out) == 5
with (Path(__file__).parent / "questions.jsonl").open("w") as lines:
    for o in out:
        lines.write(json.dumps(o, ensure_ascii=False) + "\n")
