"""Compute the gold answers about the bike stations with pandas and write questions.jsonl."""

import json
import math
from pathlib import Path

import numpy as np
from table import make

d = make()
out = []


def cl(x):
    if isinstance(x, (list, tuple)):
        return [cl(i) for i in x]
    if isinstance(x, (bool, np.bool_)):
        return bool(x)
    if isinstance(x, np.integer):
        return int(x)
    if isinstance(x, (float, np.floating)):
        x = float(x)
        assert not math.isnan(x), "nan gold"
        return int(x) if x == int(x) else round(x, 6)
    return x


def rows(s):
    return [[k, v] for k, v in s.items()]


def pct(k, *ns):
    o = []
    for n in ns:
        for v in (k / n, 100 * k / n):
            if v not in o:
                o.append(v)
    return o


def chg(x, y, first="diff"):
    d = y - x
    g = [d / x, 100 * d / x]
    o = [d] + g if first == "diff" else g[::-1] + [d]
    return o + [[[x, y]], [[x, y, d]]]


def uniq(a):
    return list({json.dumps(v): v for v in map(cl, a)}.values())


def q(question, answers, note, cols):
    assert set(cols) <= set(d.columns), question
    out.append(
        dict(
            id=f"bikes-{len(out) + 1}",
            table="bikes",
            question=question,
            answers=uniq(answers),
            unanswerable=not answers,
            note=note,
            columns=list(cols),
        )
    )


q(
    "How many bike stations are there in Harbourside?",
    [(d.district == "Harbourside").sum()],
    "(d.district=='Harbourside').sum()",
    ["district"],
)
q(
    "How many rides began across the whole city in June 2021?",
    [d.trips_start_2021_06.sum()],
    "d.trips_start_2021_06.sum()",
    ["trips_start_2021_06"],
)
m = d[d.pwr_src_cd == "S"]
q(
    "On average, how many docks does a solar-powered station have these days?",
    [m.dock_cnt.mean()],
    "d[d.pwr_src_cd=='S'].dock_cnt.mean()",
    ["pwr_src_cd", "dock_cnt"],
)
q(
    "At how many stations can I fix my bike with public tools?",
    [(d.amen_repair_stand == 1).sum()],
    "(d.amen_repair_stand==1).sum()",
    ["amen_repair_stand"],
)
t = d.nlargest(6, "trips_start_2022_08")
v = t.trips_start_2022_08.tolist()
assert v[4] > v[5]
t = t.head(5)
q(
    "Which five stations had the most people setting off in August 2022?",
    [
        t[["stn_name", "trips_start_2022_08"]].values.tolist(),
        [[x] for x in t.stn_name],
        t[["stn_id", "trips_start_2022_08"]].values.tolist(),
        [[x] for x in t.stn_id],
        t[["stn_id", "stn_name", "trips_start_2022_08"]].values.tolist(),
        t[["stn_id", "stn_name"]].values.tolist(),
    ],
    "d.nlargest(5,'trips_start_2022_08')",
    ["stn_name", "trips_start_2022_08"],
)
q(
    "For each district, how many hours was a station offline on average in January 2022?",
    [rows(d.groupby("district").outage_hrs_2022_01.mean())],
    "d.groupby('district').outage_hrs_2022_01.mean()",
    ["district", "outage_hrs_2022_01"],
)
k = ((d.amen_shelter == 1) & (d.amen_lighting == 1)).sum()
q(
    "What share of the stations are both roofed and lit?",
    pct(k, len(d)),
    "((d.amen_shelter==1)&(d.amen_lighting==1)).mean()",
    ["amen_shelter", "amen_lighting"],
)
s = d.groupby("district").trips_end_wkdy_h08.sum().sort_values(ascending=False)
q(
    "Where do most weekday riders arrive between 8 and 9 in the morning, by district?",
    [s.index[0], [[s.index[0], s.iloc[0]]], rows(s)],
    "d.groupby('district').trips_end_wkdy_h08.sum().idxmax()",
    ["district", "trips_end_wkdy_h08"],
)
q(
    "How many stations have a pump for tyres but nowhere to pay?",
    [((d.amen_air_pump == 1) & (d.amen_kiosk == 0)).sum()],
    "((d.amen_air_pump==1)&(d.amen_kiosk==0)).sum()",
    ["amen_air_pump", "amen_kiosk"],
)
a, b = d.trips_start_cas_2019_07.sum(), d.trips_start_cas_2023_07.sum()
p = d[["trips_start_cas_2019_07", "trips_start_cas_2023_07"]].dropna().sum()
q(
    "By what percentage did rides by people without a pass grow from July 2019 to July 2023?",
    chg(a, b, "pct")[:2] + chg(p.iloc[0], p.iloc[1], "pct")[:2],
    "100*(sum 2023-07 / sum 2019-07 - 1) over all stations; alt: stations with both months",
    list(p.index),
)
a, b = d.trips_start_mbr_2023_12.sum(), d.trips_start_cas_2023_12.sum()
q(
    "Did pass holders take more rides than casual users in December 2023?",
    [
        bool(a > b),
        "members" if a > b else "casual riders",
        [["members", a], ["casual riders", b]],
        [[a, b]],
    ],
    "d.trips_start_mbr_2023_12.sum()>d.trips_start_cas_2023_12.sum()",
    ["trips_start_mbr_2023_12", "trips_start_cas_2023_12"],
)
q(
    "How many stations opened in 2020 or later?",
    [(d.open_dt >= "2020-01-01").sum()],
    "(d.open_dt>='2020-01-01').sum()",
    ["open_dt"],
)
q(
    "How many people were hurt in crashes near each station in 2022?",
    [],
    "no crash or injury data",
    [],
)
q(
    "What is the middle (median) walk to the nearest metro or train for stations of type H2?",
    [d[d.stn_type_cd == "H2"].dist_metro_m.median()],
    "d[d.stn_type_cd=='H2'].dist_metro_m.median()",
    ["stn_type_cd", "dist_metro_m"],
)
g = d.groupby("stn_type_cd")
L = dict(
    F1="fixed dock station, grid power",
    F2="fixed dock station, portable base",
    H2="mobility hub with multiple modes",
    V1="virtual station (painted bay, no docks)",
    S9="seasonal station",
)
s = g.dur_avg_min_2023_05.mean()
w = g.apply(
    lambda x: (
        lambda z: (
            (z.dur_avg_min_2023_05 * z.trips_start_2023_05).sum() / z.trips_start_2023_05.sum()
        )
    )(x.dropna(subset=["dur_avg_min_2023_05", "trips_start_2023_05"])),
    include_groups=False,
)
q(
    "How long did a typical ride last in May 2023, on average, for each kind of station?",
    [rows(s), [[L[k], v] for k, v in s.items()], rows(w), [[L[k], v] for k, v in w.items()]],
    "groupby('stn_type_cd').dur_avg_min_2023_05.mean(); alt: weighted by trips",
    ["stn_type_cd", "dur_avg_min_2023_05"],
)
q(
    "For how many stations is the number of rides finishing in March 2020 missing?",
    [d.trips_end_2020_03.isna().sum()],
    "d.trips_end_2020_03.isna().sum()",
    ["trips_end_2020_03"],
)
q("How much fare money did each district take in July 2022?", [], "no revenue data", [])
x = d[["trips_end_2023_09", "trips_start_2023_09"]].dropna()
q(
    "At how many stations did more bikes arrive than leave in September 2023?",
    [(x.iloc[:, 0] > x.iloc[:, 1]).sum()],
    "(d.trips_end_2023_09>d.trips_start_2023_09).sum()",
    list(x.columns),
)
t = d.sort_values("open_dt").iloc[0]
assert (d.open_dt == t.open_dt).sum() == 1
q(
    "Which station is the oldest and when did it open?",
    [
        [[t.stn_name, t.open_dt]],
        t.stn_name,
        t.open_dt,
        [[t.stn_id, t.open_dt]],
        t.stn_id,
        [[t.stn_id, t.stn_name, t.open_dt]],
    ],
    "d.loc[d.open_dt.idxmin()]",
    ["stn_name", "open_dt"],
)
a, b = d.trips_start_ebk_2022_10.sum(), d.trips_start_2022_10.sum()
q(
    "What portion of the rides that began in October 2022 were on electric bikes?",
    pct(a, b),
    "d.trips_start_ebk_2022_10.sum()/d.trips_start_2022_10.sum()",
    ["trips_start_ebk_2022_10", "trips_start_2022_10"],
)
q(
    "How many stations with status T have more than 25 docks?",
    [((d.stat_cd == "T") & (d.dock_cnt > 25)).sum()],
    "((d.stat_cd=='T')&(d.dock_cnt>25)).sum()",
    ["stat_cd", "dock_cnt"],
)
q(
    "What was the total number of trips started in February 2016?",
    [],
    "monthly use starts in January 2018",
    [],
)
q("What is the average age of riders setting off from the Old Town?", [], "no rider ages", [])
a, b = d.trips_start_cas_sat.sum(), d.trips_start_cas_sun.sum()
q(
    "Are Saturdays or Sundays busier for casual riders?",
    [
        "Saturday" if a > b else "Sunday",
        [["Saturday", a], ["Sunday", b]],
        [[a, b]],
        "Saturdays" if a > b else "Sundays",
        [["Saturday" if a > b else "Sunday", max(a, b)]],
    ],
    "d.trips_start_cas_sat.sum() vs d.trips_start_cas_sun.sum()",
    ["trips_start_cas_sat", "trips_start_cas_sun"],
)
q(
    "How many bikes were stolen from stations in the University Quarter in 2021?",
    [],
    "no theft data",
    [],
)

assert len(out) == 25 and sum(o["unanswerable"] for o in out) == 5
with (Path(__file__).parent / "questions.jsonl").open("w") as lines:
    for o in out:
        lines.write(json.dumps(o, ensure_ascii=False) + "\n")
