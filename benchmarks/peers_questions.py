"""Writes seeded tables and 40 plain-language questions with computed answers into a folder.

    python benchmarks/peers_questions.py FOLDER

The tables are invented. Every answer is computed from the clean data in memory; ``check`` computes
it again, with other code, from the written files.
"""

import csv
import json
import re
import sqlite3
import statistics as st
import sys
from collections import Counter, defaultdict
from datetime import date
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pyarrow.parquet as pq

KINDS = {"e": "everyday", "w": "wide", "j": "joins", "m": "messy"}
FILES = {
    "survey": ["resident_survey.parquet", "survey_codebook.csv"],
    "hospital": ["patients.csv", "admissions.csv", "wards.csv", "glucose.csv"],
}
# Per question: "# id type rounding files | how the answer is derived", then the wording.
# Rounding: "=" exact, "~" relative 0.001, "dN" N decimals are asked for.
QUESTIONS = """
# e01 list = orders_2023.csv | region North, returned no; sum of quantity by rep, largest three
Top three sales reps by units sold in the North region? Leave out returned orders. Best first.
# e02 text = orders_2023.csv | returned no; net revenue summed by month of order_date, largest
Net revenue of an order is quantity times unit price less the discount percentage (no shipping).
Which month of 2023, by order date, had the most of it, ignoring returned orders? As YYYY-MM.
# e03 number d1 orders_2023.csv | invoice, ship_date given; share with ship - order date > 5 days
Of the orders paid by invoice that have been shipped, what percentage went out more than 5 days
after the order date? One decimal is enough.
# e04 number ~ staff.csv | weekly_hours >= 38; difference of the two median annual salaries
How much higher (in EUR) is the median annual salary in Engineering than in Customer Service,
looking only at people who work 38 hours a week or more?
# e05 table d2 staff.csv | mean of sick_days_2023 by site, blanks left out
Average sick days in 2023 per site, two decimals, leaving out people without an entry? Any order.
# e06 none = staff.csv | the staff table has no column about commuting or distance
What is the average one-way commuting distance, in km, of the people who work at the Lund site?
# e07 number = er_visits.csv | walk-in, age >= 65, hour >= 22 or < 6, disposition admitted; rows
How many walk-in patients aged 65 or over who arrived between 22:00 and 05:59 were then admitted?
# e08 text = er_visits.csv | triage 2 and 3; median wait_min by weekday of arrival, largest
Triage levels 2 and 3 together: on which weekday (by arrival) is the median waiting time longest?
# e09 number d3 er_visits.csv | arrival_mode ambulance; Pearson correlation, complete pairs
Pearson correlation between age and treatment time for patients who came by ambulance, skipping
visits without a treatment time. Three decimals.
# e10 number = er_visits.csv | visits per calendar day of arrived_at; days with more than 20
On how many days did more than 20 patients arrive?
# w01 number d2 survey | satisfaction item on these opening hours, age_group 65+; mean of 1-5
How satisfied are respondents aged 65 and over with the opening hours of the Harbour swimming pool?
Mean on the 1-to-5 scale, two decimals, without "does not apply" and "no answer".
# w02 list = survey | satisfaction items of service Hillside library; lowest three means of 1-5
Looking only at the satisfaction items about the Hillside library, which three get the lowest mean
rating (does not apply / no answer excluded)? Give me the item codes, lowest first.
# w03 number = survey | satisfaction items on cleanliness; number with mean of 1-5 above 3.2
For how many of the services we asked about is satisfaction with cleanliness above 3.2 on average
across all respondents? Codes 8 and 9 are not ratings, so leave them out.
# w04 number d1 water_daily.csv | schools, 31 columns of March 2021; mean of all readings given
What did a school use per day in March 2021, in litres? I mean the average over all daily readings
of all school meters in that month; blank readings are to be ignored. One decimal.
# w05 number = water_daily.csv | apartment buildings; row sum of 2023 below row sum of 2022
How many apartment-building meters used less water in all of 2023 than in all of 2022 (blank = 0)?
# w06 text = expression_tpm.parquet | carcinoma rows; gene column with the largest mean
Which gene has the highest mean expression among the carcinoma samples?
# w07 number = expression_tpm.parquet | KRT<number>; mean carcinoma / mean healthy >= 2
Among the keratin genes (name is KRT followed by a number, so not the KRTAP ones), how many have a
mean in carcinoma at least twice their mean in healthy tissue?
# w08 none = expression_tpm.parquet | there is no column MYCN, only MYC and MYCL
What's the mean expression of MYCN in the adenoma group?
# w09 text = water_daily.csv | sum of each 2022 column over all rows; header of the largest
On which day of 2022 did all meters together record the highest consumption? Date as YYYY-MM-DD.
# w10 text = survey | opening hours items; mean importance minus mean satisfaction by service
For which service does the average importance of the opening hours exceed the average satisfaction
with them by the most points (does not apply / no answer excluded)? Name the service.
# j01 number ~ shop.sqlite | lines x orders x distinct products; many skus are listed twice
What is the total value (quantity times the unit price on the line) of Garden tools sold on orders
that were not cancelled? Each order line counts once.
# j02 number = shop.sqlite | customer_id that never occurs in orders.cust
How many customers on file never placed an order? A cancelled order still counts as placed.
# j03 list = shop.sqlite | status delivered; value by country, orders of unknown customers drop out
Top three customer countries by value of delivered orders (qty x unit price), highest first.
# j04 number d2 hospital | distinct diabetics by number in patient_id; mg/dL divided by 18
Mean glucose over all measurements of patients registered with diabetes, in mmol/L to two decimals
(1 mmol/L = 18 mg/dL). Some people were registered twice; count their measurements once only.
# j05 text = hospital | distinct women, discharge date given; mean nights by ward_name, largest
Name the ward on which female patients stayed longest on average, counting nights from admission
to discharge. Only finished stays, please.
# j06 number = hospital | admissions whose pat_no matches no patient_id
How many admissions can't be traced to anyone in the patient register?
# j07 table = hospital | wards x admissions, discharge date given; sum of nights by ward_name
Total nights spent on each named ward, from admission to discharge, all finished stays (whether or
not the patient is in the register)? Any order will do.
# j08 number d1 hospital | distinct people with a value above 11.1 (mg/dL / 18) / distinct people
What percentage of the people in the patient register had at least one glucose value above
11.1 mmol/L (18 mg/dL = 1 mmol/L)? Everybody counts once; one decimal.
# j09 number = shop.sqlite | known customers with uncancelled lines in both categories
How many customers on file have bought both Seeds and Pots (in any orders that weren't cancelled)?
# j10 number d2 shop.sqlite | uncancelled orders of Polish customers / all Polish customers
On average, how many orders has a customer from Poland placed, cancelled ones not counted? Customers
without any order belong in the average too, as 0. Two decimals.
# m01 number = branch_takings.xlsx | South branches, July to September, without subtotals
What were the total takings of the South region in the third quarter?
# m02 text = branch_takings.xlsx | branches with 12 figures; Jul-Dec / Jan-Jun, largest
Which branch grew most, in percent, from H1 to H2 of 2023? Skip branches with any month missing.
# m03 number ~ bestellungen.csv | Ort Köln, June; sum of Betrag
What is the total amount (Betrag) we ordered from suppliers in Köln in June 2023?
# m04 text = bestellungen.csv | mean Betrag by Warengruppe, largest
Which product group (Warengruppe) has the highest average order amount?
# m05 number ~ donations.csv | April to June 2023, bank transfer in any spelling; sum
How much came in by bank transfer in the second quarter of 2023, ignoring gifts without an amount?
# m06 number = donations.csv | online in any spelling with amount n/a, -, . or blank
For how many of the online donations was no amount recorded?
# m07 number d1 lab_sheet.xlsx | instruments of B12 from the upper table; mean Recovery below
Average recovery, in percent with one decimal, of all samples measured on an instrument that stands
in room B12? Samples without a recovery value are left out.
# m08 number ~ lab_sheet.xlsx | groundwater in any spelling, µg/L divided by 1000; median
Median nitrate of the groundwater samples in mg/L, ignoring those not measured?
# m09 number = bestellungen.csv | Warengruppe Elektrogeräte, Betrag > 5000; rows
How many Elektrogeräte orders came to more than 5,000 euros?
# m10 none = branch_takings.xlsx | the workbook covers 2023 only; nothing for 2022
What did the North region take in the fourth quarter of 2022?
"""

PLACES = [
    "library",
    "swimming pool",
    "citizens' office",
    "health centre",
    "youth club",
    "sports hall",
    "park",
    "day nursery",
    "recycling centre",
    "weekly market",
    "adult education centre",
    "community centre",
]
QUARTERS = ["Harbour", "Hillside", "Northfield", "Old Town"]
ASPECTS = [
    "opening hours",
    "cleanliness",
    "friendliness of staff",
    "waiting times",
    "prices and fees",
    "signposting",
    "step-free access",
    "safety after dark",
    "distance from home",
    "online information",
    "noise level",
    "lighting",
    "telephone reachability",
    "handling of complaints",
    "condition of the equipment",
    "range of offers",
    "parking spaces",
    "bicycle stands",
    "bus and tram connection",
    "expertise of staff",
    "clarity of forms",
    "speed of processing",
    "offers for children",
    "offers for older people",
]
TOWNS = "Whitby Durham Ripon York Lewes Rye Deal Poole Ely Diss Cromer Maldon Ross Tenby Conwy Bude"


def rank(series, n=1, largest=True):
    """The first n labels of a series in order; fails where the places are too close to call."""
    s = series.sort_values(ascending=not largest)
    v = s.to_numpy(float)[: n + 1]
    assert (abs(np.diff(v)) > 0.003 * abs(v[:-1])).all(), s.head(n + 1)
    return s.index[:n].tolist() if n > 1 else s.index[0]


def fake(rng, n, **columns):
    """A frame of n random rows: "a;b", lists and weights are choices, pairs ranges, "{}" counts."""
    f = {}
    for name, c in columns.items():
        if isinstance(c, str) and "{" in c:
            f[name] = [c.format(k) for k in range(1, n + 1)]
        elif isinstance(c, dict):
            f[name] = rng.choice(list(c), n, p=np.array(list(c.values())) / sum(c.values()))
        elif isinstance(c, tuple) and isinstance(c[0], str):
            f[name] = np.sort(rng.choice(pd.date_range(*c), n))
        elif isinstance(c, tuple):
            f[name] = rng.integers(*c, n, endpoint=True)
        else:
            f[name] = rng.choice(c.split(";") if isinstance(c, str) else c, n)
    return pd.DataFrame(f)


def blank(rng, series, share):
    """A copy of the series with a random share of its entries missing."""
    return pd.Series(series).mask(rng.random(len(series)) < share)


def make_everyday(out):
    """Orders, staff and emergency visits as ordinary CSV files."""
    gold, rng, n = {}, np.random.default_rng(101), 4200
    price = {"Copy paper": 4.9, "Toner XL": 74, "Desk lamp": 39.5, "Chair": 189, "Label roll": 8.4}
    o = fake(
        rng, n, order_id="SO-23{:05d}", order_date=("2023-01-01", "2023-12-31"),
        region="North;East;South;West", quantity=(1, 40), product=list(price),
        sales_rep="Aalto;Berg;Castillo;Dahl;Farkas;Gruber;Hofer;Ivanova;Jansen;Kaya;Lindqvist;Moreau",
        customer_type={"business": 60, "public sector": 25, "private": 15},
        discount_pct=[0, 0, 0, 5, 10, 15], shipping_eur=[0, 4.9, 9.9, 24.5],
        payment={"invoice": 55, "card": 30, "direct debit": 15}, returned={"no": 93, "yes": 7},
    )  # fmt: skip
    lag = pd.to_timedelta(blank(rng, 1 + rng.poisson(3, n), 0.03), unit="D")
    o["ship_date"] = o.order_date + lag
    o["unit_price_eur"] = (o["product"].map(price) * rng.choice([0.95, 1, 1.05], n)).round(2)
    o.to_csv(out / "orders_2023.csv", index=False)
    kept = o[o.returned == "no"]
    gold["e01"] = rank(kept[kept.region == "North"].groupby("sales_rep").quantity.sum(), 3)
    net = kept.quantity * kept.unit_price_eur * (1 - kept.discount_pct / 100)
    gold["e02"] = rank(net.groupby(kept.order_date.dt.strftime("%Y-%m")).sum())
    inv = o[(o.payment == "invoice") & o.ship_date.notna()]
    gold["e03"] = 100 * ((inv.ship_date - inv.order_date).dt.days > 5).mean()

    rng, n = np.random.default_rng(102), 640
    pay = {"Engineering": 55, "Customer Service": 46, "Finance": 59, "Logistics": 39}
    s = fake(
        rng, n, employee_id="E{:04d}", department=[*pay, "Engineering", "Logistics"], gender="f;m",
        site={"Lund": 30, "Graz": 25, "Porto": 20, "Ghent": 15, "Tartu": 10}, job_level=(1, 5),
        birth_year=(1959, 2002), hired_on=("2005-01-01", "2023-11-30"), training_days=(0, 7),
        contract={"permanent": 85, "fixed-term": 15}, home_office_days_per_week=(0, 3),
        weekly_hours={20: 8, 25: 6, 30: 10, 36: 8, 38: 30, 40: 38},
    )  # fmt: skip
    full = s.department.map(pay) * 1000 * (0.8 + 0.08 * s.job_level) * rng.normal(1, 0.08, n)
    s["annual_salary_eur"] = (full * s.weekly_hours / 40).round(-1).astype(int)
    s["sick_days_2023"] = blank(rng, rng.poisson(rng.gamma(3, 3, n)), 0.05).astype("Int64")
    s.to_csv(out / "staff.csv", index=False)
    med = s[s.weekly_hours >= 38].groupby("department").annual_salary_eur.median()
    gold["e04"], gold["e06"] = med["Engineering"] - med["Customer Service"], None
    gold["e05"] = [[k, float(v)] for k, v in s.groupby("site").sick_days_2023.mean().items()]

    rng, n = np.random.default_rng(103), 5000
    v = fake(
        rng, n, visit_id="V{:05d}", arrived_at=("2023-07-01", "2024-06-30"), sex="female;male",
        arrival_mode={"walk-in": 56, "ambulance": 27, "referral": 14, "police": 3}, age=(0, 96),
        triage_level={1: 3, 2: 17, 3: 42, 4: 28, 5: 10}, lab_tests=(0, 6), minute=(0, 59),
        complaint="chest pain;fall;fever;abdominal pain;cut;headache", imaging="none;X-ray;CT",
        hour=dict(enumerate([3, 2, 2, 2, 2, 2, 3, 4, 6, *[6] * 9, 5, 5, 4, 3, 2, 1])),
    )  # fmt: skip
    v["arrived_at"] += pd.to_timedelta(v.pop("hour") * 60 + v.pop("minute"), unit="min")
    v["disposition"] = np.where(rng.random(n) < 0.15 + 0.003 * v.age, "admitted", "discharged")
    v.loc[gone := rng.random(n) < 0.04, "disposition"] = "left without being seen"
    busy = v.arrived_at.dt.day_name().map({"Monday": 1.1, "Thursday": 1.3}).fillna(1)
    wait = (rng.gamma(2.5, 6, n) * (1 + v.triage_level) * busy).round().astype("Int64")
    care = (rng.gamma(3, 25, n) + 1.1 * v.age).round().astype("Int64")
    v["wait_min"], v["treatment_min"] = wait.mask(gone), care.mask(gone)
    v = v.sort_values("arrived_at", ignore_index=True)
    v.to_csv(out / "er_visits.csv", index=False, date_format="%Y-%m-%d %H:%M")
    hit = (v.arrival_mode == "walk-in") & (v.age >= 65) & (v.disposition == "admitted")
    gold["e07"] = int((hit & v.arrived_at.dt.hour.isin([22, 23, 0, 1, 2, 3, 4, 5])).sum())
    urgent = v[v.triage_level.isin([2, 3])]
    gold["e08"] = rank(urgent.groupby(urgent.arrived_at.dt.day_name()).wait_min.median())
    lift = v[(v.arrival_mode == "ambulance") & v.treatment_min.notna()]
    gold["e09"] = lift.age.corr(lift.treatment_min.astype(int))
    gold["e10"] = int((v.arrived_at.dt.date.value_counts() > 20).sum())
    return gold


def make_wide(out):
    """A survey with codebook, daily meter readings and gene expression."""
    gold, rng, n, items = {}, np.random.default_rng(201), 1500, []
    services = rng.permutation([f"{q} {p}" for q in QUARTERS for p in PLACES])
    for topic, service in enumerate(services, 1):
        use = {*rng.permutation(ASPECTS)[: rng.integers(19, 24)]}
        use |= {"opening hours"} if "swimming pool" in service else set()
        asks = [("sat", f"How satisfied are you with: {a}?", a) for a in sorted(use)]
        asks += [("imp", f"How important is this to you: {a}?", a) for a in sorted(use)]
        order = enumerate(rng.permutation(len(asks)), 1)
        items += [(f"Q{topic}_{pos}", service, *asks[k]) for pos, k in order]
    b = pd.DataFrame(items, columns=["code", "service", "kind", "question", "aspect"])
    who = fake(
        rng, n, respondent_id="R{:05d}", age_group={"18-29": 2, "30-44": 3, "45-64": 3, "65+": 2},
        household_size=(1, 5), lives_in=QUARTERS, gender="female;male",
    )  # fmt: skip
    level = 3.15 + rng.normal(0, 0.55, len(b)) + 0.5 * (b.kind == "imp").to_numpy()
    level = level + 0.25 * (who[["age_group"]] == "65+").to_numpy() + rng.normal(0, 0.3, (n, 1))
    score = np.clip(np.rint(level + rng.normal(0, 1, (n, len(b)))), 1, 5)
    lost = rng.random(score.shape)
    score = np.where(lost < 0.06, 8, np.where(lost < 0.1, 9, score)).astype("int8")
    grid = pd.DataFrame(score, columns=b.code.tolist())
    pd.concat([who, grid], axis=1).to_parquet(out / "resident_survey.parquet", index=False)
    b["scale"] = "1 = not at all ... 5 = very; 8 = does not apply; 9 = no answer"
    b.drop(columns=["kind", "aspect"]).to_csv(out / "survey_codebook.csv", index=False)
    mean, sat = grid.where(grid <= 5).mean(), b[b.kind == "sat"].set_index("code")
    hours = b[b.aspect == "opening hours"].pivot(index="service", columns="kind", values="code")
    old = grid.loc[who.age_group == "65+", hours.sat["Harbour swimming pool"]]
    gold["w01"] = old[old <= 5].mean()
    gold["w02"] = rank(mean[sat.index[sat.service == "Hillside library"]], 3, False)
    gold["w03"] = int((mean[sat.index[sat.aspect == "cleanliness"]] > 3.2).sum())
    gold["w10"] = rank(hours.imp.map(mean) - hours.sat.map(mean))

    rng, n = np.random.default_rng(207), 320
    use = {"apartment building": 3400, "detached house": 340, "school": 2600, "office": 1500}
    m = fake(
        rng, n, meter_id="WM-{:04d}", district=QUARTERS, installed=(2005, 2017),
        building_type=[*use, "apartment building", "detached house"],
    )  # fmt: skip
    days = pd.date_range("2018-01-01", "2023-12-31")
    wave = 1 + 0.12 * np.sin(np.arange(len(days)) / 58.1 - 1.7) + rng.normal(0, 0.03, len(days))
    flow = (m.building_type.map(use).to_numpy() * rng.lognormal(0, 0.35, n))[:, None] * wave
    flow = flow * (1 + rng.normal(0, 0.05, (n, 6))[:, days.year - 2018])
    work = m.building_type.isin(["school", "office"]).to_numpy()[:, None]
    flow = flow * np.where(work & (days.day_of_week >= 5), 0.25, 1)
    flow = np.rint(flow * rng.lognormal(0, 0.12, flow.shape))
    flow = pd.DataFrame(flow, columns=days.strftime("%Y-%m-%d"))
    flow = flow.mask(rng.random(flow.shape) < 0.006)
    pd.concat([m, flow.astype("Int64")], axis=1).to_csv(out / "water_daily.csv", index=False)
    march = flow.loc[m.building_type == "school", flow.columns.str.startswith("2021-03")]
    gold["w04"] = march.stack().mean()
    y22, y23 = flow.loc[:, days.year == 2022], flow.loc[:, days.year == 2023]
    fell = y23.sum(axis=1) < y22.sum(axis=1)
    gold["w05"] = int((fell & (m.building_type == "apartment building")).sum())
    gold["w09"] = rank(y22.sum())

    rng, n = np.random.default_rng(211), 260
    names = [f"{g}{i}" for g in ("ZNF", "TMEM", "CCDC", "LRRC", "FBXO") for i in range(1, 400)]
    names += [f"{g}{i}A{j}" for g in ("SLC", "COL") for i in range(1, 53) for j in range(1, 19)]
    names += [f"{g}{i}{c}" for g in ("FAM", "OR") for i in range(3, 200) for c in "ABCD"]
    names += [f"KRTAP{i}-{j}" for i in range(1, 30) for j in range(1, 7)]
    names = [*rng.choice(names, 4500, replace=False), *[f"KRT{i}" for i in range(1, 87)]]
    names += [
        "TP53",
        "BRCA1",
        "BRCA2",
        "MYC",
        "MYCL",
        "EGFR",
        "ERBB2",
        "KRAS",
        "BRAF",
        "PTEN",
        "APC",
        "CDH1",
        "VIM",
        "ACTB",
        "GAPDH",
    ]
    names, size = list(rng.permutation(names)), len(names)
    keratin = np.array([re.fullmatch(r"KRT\d+", g) is not None for g in names])
    group = {"healthy": 35, "adenoma": 25, "carcinoma": 40}
    info = fake(rng, n, sample_id="S{:03d}", tissue_group=group, sex="F;M", age=(31, 87))
    change = rng.lognormal(0, 0.3, size) * np.where(keratin, rng.lognormal(0.6, 0.4, size), 1)
    power = info.tissue_group.map({"healthy": 0, "adenoma": 0.5, "carcinoma": 1})
    tpm = rng.lognormal(1.6, 1.3, size) * change ** power.to_numpy()[:, None]
    tpm = (tpm * rng.lognormal(0, 0.5, (n, size))).round(2).astype("float32")
    x = pd.DataFrame(tpm, columns=names)
    pd.concat([info, x], axis=1).to_parquet(out / "expression_tpm.parquet", index=False)
    mean = x.astype(float).groupby(info.tissue_group).mean()
    gold["w06"] = rank(mean.loc["carcinoma"])
    ratio = (mean.loc["carcinoma"] / mean.loc["healthy"])[keratin]
    gold["w07"], gold["w08"] = int((ratio >= 2).sum()), None
    return gold


def make_joins(out):
    """A web shop in SQLite and a hospital in CSV files."""
    gold, rng = {}, np.random.default_rng(301)
    land = "Austria;Belgium;Denmark;France;Netherlands;Poland;Spain"
    cust = fake(rng, 420, name="Garden Centre No {}", signup_year=(2019, 2023), country=land)
    cust.insert(0, "customer_id", np.arange(1, 421))
    prod = fake(rng, 160, sku="GX-{:03d}", category="Garden tools;Seeds;Pots;Irrigation;Furniture")
    prod["list_price"], prod["catalogue"] = rng.gamma(3, 9, 160).round(1) + 2, 2022
    again = prod[rng.random(160) < 0.6].assign(catalogue=2023)
    again["list_price"] += 0.95
    orders = fake(
        rng, 1900, order_no="{}", cust=[*range(1, 380), 901, 902, 903, 904],
        order_date=("2022-01-01", "2023-12-31"),
        status={"delivered": 80, "cancelled": 12, "open": 8},
    ).astype({"order_no": int, "order_date": str})  # fmt: skip
    lines = fake(rng, 5200, order_no=(1, 1900), item=list(prod.sku), qty=(1, 24))
    price = lines.item.map(prod.set_index("sku").list_price)
    lines["unit_price"] = (price * rng.choice([0.9, 1, 1], 5200)).round(2)
    listed = pd.concat([prod, again]).sort_values(["sku", "catalogue"])
    con = sqlite3.connect(out / "shop.sqlite")
    tables = {"customers": cust, "orders": orders, "order_lines": lines, "products": listed}
    for name, frame in tables.items():
        frame.to_sql(name, con, index=False, if_exists="replace")
    con.close()
    full = lines.merge(orders, on="order_no").merge(prod, left_on="item", right_on="sku")
    full["value"] = full.qty * full.unit_price
    sold = full[full.status != "cancelled"]
    gold["j01"] = sold[sold.category == "Garden tools"].value.sum()
    gold["j02"] = int((~cust.customer_id.isin(orders.cust)).sum())
    done = full[full.status == "delivered"].merge(cust, left_on="cust", right_on="customer_id")
    gold["j03"] = rank(done.groupby("country").value.sum(), 3)
    pair = sold[sold.category.isin(["Seeds", "Pots"]) & sold.cust.isin(cust.customer_id)]
    gold["j09"] = int((pair.groupby("cust").category.nunique() == 2).sum())
    poles = cust.customer_id[cust.country == "Poland"]
    gold["j10"] = orders[orders.status != "cancelled"].cust.isin(poles).sum() / len(poles)

    rng, n = np.random.default_rng(302), 900
    pat = fake(
        rng, n, patient_id="", birth_date=("1932-01-01", "2012-12-31"), sex="f;m",
        postcode=(8000, 8064), diabetes={"yes": 18, "no": 82},
    )  # fmt: skip
    pat.index = rng.choice(np.arange(11, 9000), n, replace=False)
    pat["patient_id"] = [f"P-{k:05d}" for k in pat.index]
    file = pd.concat([pat, pat.sample(90, random_state=10)]).sample(frac=1, random_state=4)
    file.to_csv(out / "patients.csv", index=False)
    known = [*pat.index, *rng.choice(np.arange(9001, 9999), 30, replace=False)]
    wards = fake(rng, 8, code="W{}", beds=(14, 40))
    wards["ward_name"] = [
        "Cardiology",
        "Surgery",
        "Neurology",
        "Geriatrics",
        "Oncology",
        "Urology",
        "ENT",
        "Eye",
    ]
    wards.to_csv(out / "wards.csv", index=False)
    length = dict(zip([*wards.code, "W77"], [4, 5, 7, 6, 6, 8, 4, 2, 2], strict=True))
    dates = ("2023-01-01", "2023-12-31")
    adm = fake(rng, 2600, admission="A{:04d}", pat_no=known, ward=list(length), admitted_on=dates)
    nights = pd.to_timedelta(rng.poisson(adm.ward.map(length)), unit="D")
    adm["discharged_on"] = blank(rng, adm.admitted_on + nights, 0.04)
    adm.to_csv(out / "admissions.csv", index=False)
    g = fake(rng, 3100, pat_no=known, sampled_on=dates, unit=["mmol/L", "mmol/L", "mg/dL"])
    sick, in_mg = g.pat_no.map(pat.diabetes) == "yes", g.unit == "mg/dL"
    mmol = rng.normal(np.where(sick, 9.1, 5.4), np.where(sick, 1.9, 0.6)).clip(2.8)
    g["value"] = np.where(in_mg, (mmol * 18).round(), mmol.round(1))
    g.to_csv(out / "glucose.csv", index=False)
    mmol = g.value.where(~in_mg, g.value / 18)
    gold["j04"] = mmol[sick].mean()
    gold["j06"] = int((~adm.pat_no.isin(pat.index)).sum())
    adm = adm.merge(wards, left_on="ward", right_on="code")
    adm["nights"] = (adm.discharged_on - adm.admitted_on).dt.days
    gold["j05"] = rank(adm[adm.pat_no.map(pat.sex) == "f"].groupby("ward_name").nights.mean())
    gold["j07"] = [[k, int(v)] for k, v in adm.groupby("ward_name").nights.sum().items()]
    gold["j08"] = 100 * pat.index.isin(g.pat_no[mmol > 11.1]).mean()
    return gold


def make_messy(out):
    """Two workbooks and two CSV files as people really leave them behind."""
    gold, rng = {}, np.random.default_rng(401)
    months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    clean = pd.DataFrame({"region": np.repeat(["North", "South", "East", "West"], 4)})
    clean["branch"] = TOWNS.split()
    trend = rng.lognormal(9.8, 0.3, (16, 1)) * np.linspace(1, rng.normal(1.1, 0.15, 16), 12).T
    clean[months] = (trend * rng.normal(1, 0.06, (16, 12))).round()
    for row, m in ((1, "Feb"), (6, "May"), (6, "Aug"), (10, "Nov"), (15, "Aug")):
        clean.loc[row, m] = np.nan
    ws = (wb := openpyxl.Workbook()).active
    quarters = [cell for q in (1, 2, 3, 4) for cell in (f"Q{q} 2023", None, None)]
    ws.append(["Harbour Coffee Ltd: takings by branch, January to December 2023, in GBP"])
    ws.append(["Prepared by Finance on 12 January 2024, unaudited"])
    for row in ([], ["Region", "Branch", *quarters, "Year"], [None, None, *months, None]):
        ws.append(row)
    merged = ["A1:O1", "A4:A5", "B4:B5", "O4:O5", "C4:E4", "F4:H4", "I4:K4", "L4:N4"]
    for area, part in [*clean.groupby("region", sort=False), ("", clean)]:
        for row in part.itertuples() if area else ():
            cells = ["n/a" if np.isnan(x) else int(x) for x in row[3:]]
            ws.append([None if row[0] % 4 else area, row[2], *cells, int(np.nansum(row[3:]))])
        merged += [f"A{ws.max_row - 3}:A{ws.max_row}"] if area else []
        sums = [int(x) for x in part[months].sum()]
        ws.append([f"Subtotal {area}" if area else "Total", None, *sums, sum(sums)])
    ws.append(["n/a: branch closed for refurbishment or figure not reported"])
    for span in merged:
        ws.merge_cells(span)
    wb.save(out / "branch_takings.xlsx")
    gold["m01"], gold["m10"] = clean.loc[clean.region == "South", months[6:9]].sum().sum(), None
    whole = clean.dropna().set_index("branch")
    gold["m02"] = rank(whole[months[6:]].sum(axis=1) / whole[months[:6]].sum(axis=1))

    rng, n = np.random.default_rng(402), 900
    goods = {"Büromöbel": 640, "Werkzeug": 210, "Schreibwaren": 60, "Elektrogeräte": 590}
    firms = {"Müller & Söhne": "Köln", "Weiß GmbH": "Köln", "Jäger": "Münster", "Böhm": "Lübeck"}
    d = fake(
        rng, n, nr="B23{:04d}", tag=("2023-01-02", "2023-12-29"), firma=list(firms),
        gruppe=list(goods), menge=(1, 14), ziel=[14, 30],
    )  # fmt: skip
    swap = str.maketrans(",.", ".,")
    d["preis"] = (d.gruppe.map(goods) * rng.lognormal(0, 0.4, n)).round(2)
    d["betrag"] = (d.menge * d.preis).round(2)
    text = ["Städtischer Eigenbetrieb;;;;;;;;", "Bestellübersicht 2023;;;;;;;;", ";;;;;;;;"]
    text += ["Bestell-Nr;Datum;Lieferant;Ort;Warengruppe;Menge;Einzelpreis;Betrag (EUR);Ziel"]
    for x in d.itertuples():
        cells = [x.nr, f"{x.tag:%d.%m.%Y}", x.firma, firms[x.firma], x.gruppe, str(x.menge)]
        cells += [f"{y:,.2f}".translate(swap) for y in (x.preis, x.betrag)]
        text.append(";".join([*cells, f"{x.ziel} Tage"]))
    text += [f"Summe;;;;;{d.menge.sum()};;{d.betrag.sum():,.2f};".translate(swap), ""]
    (out / "bestellungen.csv").write_text("\r\n".join(text), encoding="latin-1", newline="")
    gold["m03"] = d[(d.firma.map(firms) == "Köln") & (d.tag.dt.month == 6)].betrag.sum()
    gold["m04"] = rank(d.groupby("gruppe").betrag.mean())
    gold["m09"] = int(((d.gruppe == "Elektrogeräte") & (d.betrag > 5000)).sum())

    rng, n = np.random.default_rng(403), 700
    d = fake(
        rng, n, receipt="R{:04d}", tag=("2022-07-01", "2023-12-31"), sent="yes;no;n/a",
        channel={"bank transfer": 40, "online": 35, "cash": 15, "cheque": 10}, none="n/a;-;.;",
        money=["€{:,.2f}", "{:,.2f} EUR", "EUR {:.2f}", "{:.2f}"],
        shape=["%Y-%m-%d", "%d %B %Y", "%d.%m.%Y", "%b %d, %Y"],
    )  # fmt: skip
    d["amount"] = blank(rng, rng.lognormal(4.6, 1, n).round(2), 0.09)
    looks = [str, str.capitalize, str.upper, "{} ".format, " {}".format]
    t = pd.DataFrame({"Receipt": d.receipt})
    t["Received on"] = [x.tag.strftime(x.shape) for x in d.itertuples()]
    t["Channel "] = [looks[rng.integers(5)](x) for x in d.channel]
    t["Amount"] = d.none.where(d.amount.isna(), list(map(str.format, d.money, d.amount)))
    t["Thank-you letter"] = d.sent
    t.loc[n] = ["TOTAL", "", "", f"€{d.amount.sum():,.2f}", ""]
    t.to_csv(out / "donations.csv", index=False)
    spring = d.tag.between("2023-04-01", "2023-06-30") & (d.channel == "bank transfer")
    gold["m05"] = d[spring].amount.sum()
    gold["m06"] = int(d[d.channel == "online"].amount.isna().sum())

    rng, n = np.random.default_rng(404), 160
    room = {"IC-1": "B12", "IC-2": "B14", "IC-3": "B12", "IC-4": "C03", "IC-5": "B14"}
    d = fake(
        rng, n, number="N24-{:03d}", tag=("2024-03-04", "2024-03-28"), none="-;n/a",
        matrix="Groundwater;Surface water;Drinking water", tool=list(room), micro=[0, 0, 1],
    )  # fmt: skip
    d["no3"] = blank(rng, rng.gamma(4, 5, n).round(1), 0.08)
    rate = rng.normal(np.where(d.tool.map(room) == "B12", 91.5, 98.5), 3.5)
    d["recovery"] = blank(rng, rate.round(1), 0.1)
    ws = (wb := openpyxl.Workbook()).active
    head = ["Sample", "Taken on", "Matrix", "Instrument", "Nitrate", "Recovery"]
    rooms = [["ID", "Room"], *[[k, room[k] + " "] for k in room]]
    for row in (["Water laboratory"], [], ["Instruments"], *rooms, [], [], ["Samples"], head):
        ws.append(row)
    for x in d.itertuples():
        kind = [x.matrix, x.matrix.lower(), x.matrix + " "][rng.integers(3)]
        no3 = f"{x.no3 * 1000:,.0f} µg/L" if x.micro else f"{x.no3} mg/L"
        no3 = "not measured" if np.isnan(x.no3) else no3
        rate = x.none if np.isnan(x.recovery) else f"{x.recovery} %"
        ws.append([x.number, f"{x.tag:%d/%m/%Y}", kind, x.tool, no3, rate])
    ws.append(["160 samples in all; recovery of the spiked duplicate"])
    wb.save(out / "lab_sheet.xlsx")
    gold["m07"] = d[d.tool.map(room) == "B12"].recovery.mean()
    gold["m08"] = d[d.matrix == "Groundwater"].no3.median()
    return gold


def read(path, skip=0, encoding="utf-8", **how):
    """The rows of a CSV file as dictionaries of text, after some leading lines."""
    return list(csv.DictReader(path.read_text(encoding).splitlines()[skip:], **how))


def by(pairs, statistic=st.fmean):
    """The mean (or another statistic) by key of (key, value) pairs."""
    box = defaultdict(list)
    for key, value in pairs:
        box[key].append(value)
    return {key: statistic(box[key]) for key in sorted(box)}


def recheck_everyday(d):
    """Second computation of the everyday answers with plain loops."""
    units, net, late, day = Counter(), Counter(), [], date.fromisoformat
    for x in read(d / "orders_2023.csv"):
        if x["returned"] == "no":
            units[x["sales_rep"]] += int(x["quantity"]) * (x["region"] == "North")
            euro = float(x["unit_price_eur"]) * (100 - int(x["discount_pct"]))
            net[x["order_date"][:7]] += int(x["quantity"]) * euro
        if x["payment"] == "invoice" and x["ship_date"]:
            late.append((day(x["ship_date"]) - day(x["order_date"])).days > 5)
    r = {"e01": [k for k, _ in units.most_common(3)], "e02": max(net, key=net.get)}
    r["e03"] = 100 * st.fmean(late)
    s = read(d / "staff.csv")
    full = [x for x in s if x["weekly_hours"] in ("38", "40")]
    mid = by(((x["department"], int(x["annual_salary_eur"])) for x in full), st.median)
    r["e04"] = mid["Engineering"] - mid["Customer Service"]
    sick = by((x["site"], int(x["sick_days_2023"])) for x in s if x["sick_days_2023"])
    r["e05"] = [list(x) for x in sick.items()]
    r["e06"] = "found" if re.search("commut|distan|km|travel", " ".join(s[0])) else None
    v, r["e07"], waits, pairs = read(d / "er_visits.csv"), 0, [], []
    for x in v:
        old = int(x["age"]) > 64 and x["arrival_mode"] == "walk-in"
        night = not "06" <= x["arrived_at"][11:13] < "22"
        r["e07"] += night and old and x["disposition"] == "admitted"
        if x["wait_min"] and x["triage_level"] in "23":
            waits.append((f"{day(x['arrived_at'][:10]):%A}", int(x["wait_min"])))
        if x["arrival_mode"] == "ambulance" and x["treatment_min"]:
            pairs.append((int(x["age"]), int(x["treatment_min"])))
    wait = by(waits, st.median)
    r["e08"], r["e09"] = max(wait, key=wait.get), st.correlation(*zip(*pairs, strict=True))
    r["e10"] = sum(k > 20 for k in Counter(x["arrived_at"][:10] for x in v).values())
    return r


def recheck_wide(d):
    """Second computation of the wide answers column by column from Arrow and plain CSV."""
    t, march, fell, year = pq.read_table(d / "resident_survey.parquet"), [], 0, Counter()
    old, where = np.array(t["age_group"].to_pylist()) == "65+", defaultdict(dict)
    for x in read(d / "survey_codebook.csv"):
        where[x["question"]][x["service"]] = x["code"]

    def score(code, keep=True):
        x = t[code].to_numpy()
        return float(x[(x < 8) & keep].astype(float).mean())

    fine = where["How satisfied are you with: opening hours?"]
    need = where["How important is this to you: opening hours?"]
    r = {"w01": score(fine["Harbour swimming pool"], old)}
    codes = [w.get("Hillside library") for q, w in where.items() if "satisfied" in q]
    r["w02"] = sorted(filter(None, codes), key=score)[:3]
    clean = where["How satisfied are you with: cleanliness?"]
    r["w03"] = sum(score(c) > 3.2 for c in clean.values())
    r["w10"] = max(need, key=lambda s: score(need[s]) - score(fine[s]))
    for x in read(d / "water_daily.csv"):
        use = {k: int(v or 0) for k, v in x.items() if k[:2] == "20"}
        year.update({k: v for k, v in use.items() if k[:4] == "2022"})
        if x["building_type"] == "school":
            march += [use[k] for k in use if k[:7] == "2021-03" and x[k]]
        if x["building_type"] == "apartment building":
            total = by(((k[:4], v) for k, v in use.items()), sum)
            fell += total["2023"] < total["2022"]
    r |= {"w04": st.fmean(march), "w05": fell, "w09": max(year, key=year.get)}
    t = pq.read_table(d / "expression_tpm.parquet")
    group, names = np.array(t["tissue_group"].to_pylist()), t.column_names[4:]
    tpm = np.column_stack([t[g].to_numpy().astype(float) for g in names])
    cancer, sound = (tpm[group == k].mean(axis=0) for k in ("carcinoma", "healthy"))
    twice = [g for g, up in zip(names, cancer / sound >= 2, strict=True) if up]
    r["w07"] = sum(g[:3] == "KRT" and g[3:].isdigit() for g in twice)
    return r | {"w06": names[cancer.argmax()], "w08": "found" if "MYCN" in names else None}


def recheck_joins(d):
    """Second computation of the answers over several tables, in SQL."""
    con = sqlite3.connect(":memory:")
    con.execute("ATTACH ? AS shop", [str(d / "shop.sqlite")])
    for path in d.glob("*.csv"):
        rows = read(path)
        con.execute(f"CREATE TABLE {path.stem} ({', '.join(f'{c} NUMERIC' for c in rows[0])})")
        con.executemany(f"INSERT INTO {path.stem} VALUES (:{', :'.join(rows[0])})", rows)
    pat = "SELECT CAST(substr(patient_id, 3) AS INTEGER) AS pat_no FROM patients"
    mmol = "CASE unit WHEN 'mg/dL' THEN value / 18.0 ELSE value END"
    value = "sum(qty * unit_price) FROM order_lines JOIN orders USING (order_no)"
    stay = """(julianday(discharged_on) - julianday(admitted_on)) FROM admissions
        JOIN wards ON ward = code WHERE discharged_on <> ''"""
    bought = """SELECT cust FROM orders JOIN order_lines USING (order_no) JOIN products
        ON item = sku WHERE status <> 'cancelled' AND category"""
    sql, tools = {}, "SELECT sku FROM products WHERE category = 'Garden tools'"
    sql["j01"] = f"SELECT {value} WHERE status <> 'cancelled' AND item IN ({tools})"
    sql["j02"] = "SELECT count(*) FROM customers WHERE customer_id NOT IN (SELECT cust FROM orders)"
    sql["j03"] = f"""SELECT country, {value} JOIN customers ON cust = customer_id
        WHERE status = 'delivered' GROUP BY 1 ORDER BY 2 DESC LIMIT 3"""
    sql["j04"] = f"SELECT avg({mmol}) FROM glucose WHERE pat_no IN ({pat} WHERE diabetes = 'yes')"
    sql["j05"] = f"""SELECT ward_name, avg{stay} AND pat_no IN ({pat} WHERE sex = 'f')
        GROUP BY 1 ORDER BY 2 DESC LIMIT 1"""
    sql["j06"] = f"SELECT count(*) FROM admissions WHERE pat_no NOT IN ({pat})"
    sql["j07"] = f"SELECT ward_name, sum{stay} GROUP BY 1 ORDER BY 1"
    sql["j08"] = f"""SELECT 100.0 * count(DISTINCT pat_no) / (SELECT count(DISTINCT patient_id)
        FROM patients) FROM glucose WHERE {mmol} > 11.1 AND pat_no IN ({pat})"""
    sql["j09"] = f"""SELECT count(*) FROM customers WHERE customer_id IN ({bought} = 'Seeds')
        AND customer_id IN ({bought} = 'Pots')"""
    sql["j10"] = """SELECT 1.0 * count(order_no) / count(DISTINCT customer_id) FROM customers
        LEFT JOIN orders ON cust = customer_id AND status <> 'cancelled' WHERE country = 'Poland'"""
    got = {k: con.execute(q).fetchall() for k, q in sql.items()}
    con.close()
    r = {k: rows[0][0] for k, rows in got.items()}
    return r | {"j03": [x[0] for x in got["j03"]], "j07": [list(x) for x in got["j07"]]}


def recheck_messy(d):
    """Second computation of the messy answers from the text in the files."""

    def number(text):
        return float(re.sub(r"[^\d.]", "", text))

    sheet = list(openpyxl.load_workbook(d / "branch_takings.xlsx").active.values)
    area, south, growth, r = None, 0, {}, {"m05": 0, "m06": 0}
    for row in sheet[5:]:
        area = row[0] or area
        south += sum(x for x in row[8:11] if x != "n/a") if row[1] and area == "South" else 0
        if row[1] and "n/a" not in row:
            growth[row[1]] = sum(row[8:14]) / sum(row[2:8])
    r |= {"m01": south, "m02": max(growth, key=growth.get)}
    r["m10"] = "found" if "2022" in " ".join(map(str, sum(sheet[:5], ()))) else None
    rows = [[*x.values()] for x in read(d / "bestellungen.csv", 3, "latin-1", delimiter=";")][:-1]
    rows = [(x, number(x[7].replace(".", "").replace(",", "."))) for x in rows]
    r["m03"] = sum(c for x, c in rows if x[3] == "Köln" and x[1][3:] == "06.2023")
    group = by((x[4], c) for x, c in rows)
    r["m04"] = max(group, key=group.get)
    r["m09"] = sum(c > 5000 and x[4] == "Elektrogeräte" for x, c in rows)
    months = re.compile(r"2023-0[456]-|\.0[456]\.2023|(Apr|May|Jun)[a-z]* .*2023")
    for x in read(d / "donations.csv")[:-1]:
        kind, known = x["Channel "].strip().lower(), any(c.isdigit() for c in x["Amount"])
        r["m06"] += kind == "online" and not known
        if known and kind == "bank transfer" and months.search(x["Received on"]):
            r["m05"] += number(x["Amount"])
    sheet = list(openpyxl.load_workbook(d / "lab_sheet.xlsx").active.values)
    room = {x[0]: x[1].strip() for x in sheet if str(x[0]).startswith("IC-")}
    samples = [x for x in sheet if str(x[0]).startswith("N24-")]
    r["m07"] = st.fmean(number(x[5]) for x in samples if "%" in x[5] and room[x[3]] == "B12")
    no3 = [x[4] for x in samples if x[2].strip().lower() == "groundwater" and "/L" in x[4]]
    r["m08"] = st.median(number(x) / (1000 if "µ" in x else 1) for x in no3)
    return r


def settle(value, how):
    """An answer in plain Python values, numbers rounded to the decimals asked for (or four)."""
    if isinstance(value, list):
        return [settle(v, how) for v in value]
    if value is None or isinstance(value, str):
        return value
    return round(float(value), None if how == "=" else int(how[1:] or 4))


def questions():
    """The question blocks above as (id, type, rounding, files, note, wording)."""
    for block in QUESTIONS.strip("\n# ").split("\n# "):
        head, text = block.split("\n", 1)
        (name, type_, how, file), note = head.split(" | ")[0].split(), head.split(" | ")[1]
        yield name, type_, how, FILES.get(file, [file]), note, " ".join(text.split())


def check(folder):
    """Computes every answer again from the written files; fails where one differs."""
    folder, again = Path(folder), {}
    for kind in KINDS.values():
        again |= globals()[f"recheck_{kind}"](folder / kind)
    asked = [json.loads(x) for x in (folder / "questions.jsonl").read_text("utf-8").splitlines()]
    assert len(asked) == len(again) == 40 and sum(q["gold"] is None for q in asked) == 3
    for q, (name, _, how, *_) in zip(asked, questions(), strict=True):
        assert q["gold"] == settle(again[name], how), (name, q["gold"], again[name])


def write(folder):
    """Writes all tables and questions.jsonl into the folder."""
    folder, gold, lines = Path(folder), {}, []
    for kind in KINDS.values():
        (folder / kind).mkdir(parents=True, exist_ok=True)
        gold |= globals()[f"make_{kind}"](folder / kind)
    for name, type_, how, files, note, text in questions():
        kind, value = KINDS[name[0]], settle(gold[name], how)
        tolerance = 0 if how == "=" else 0.001
        if how[0] == "d":
            least = min(abs(v[1]) for v in value) if type_ == "table" else abs(value)
            tolerance = round(max(0.0005, 0.51 * 10 ** -int(how[1:]) / least), 6)
        q = {"id": name, "kind": kind, "files": [f"{kind}/{f}" for f in files], "question": text}
        q |= {"gold": value, "type": type_, "tolerance": tolerance, "note": note}
        lines.append(json.dumps(q, ensure_ascii=False) + "\n")
    (folder / "questions.jsonl").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    write(sys.argv[1])
    check(sys.argv[1])
    print("40 questions written and checked twice")
