"""Compute the gold answers about the panel's people with pandas and write questions.jsonl."""

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
            id=f"panel-{len(out) + 1}",
            table="panel",
            question=question,
            answers=uniq(answers),
            unanswerable=not answers,
            note=note,
            columns=list(cols),
        )
    )


q(
    "How many of the people in the study come from the North East?",
    [(d.region == "North East").sum()],
    "(d.region=='North East').sum()",
    ["region"],
)
q(
    "What was people's own average monthly income in wave 3?",
    [d.w3_income.mean()],
    "d.w3_income.mean()",
    ["w3_income"],
)
q(
    "How many people smoked at the time of wave 5?",
    [(d.w5_smoker == 1).sum()],
    "(d.w5_smoker==1).sum()",
    ["w5_smoker"],
)
f = d[d.sex == "Female"]
wk = f.w2_employment_status.isin(["Employed full-time", "Employed part-time", "Self-employed"])
u = f.w2_union_member
q(
    "What share of working women belonged to a trade union in wave 2?",
    pct((u == 1).sum(), u.notna().sum())
    + pct((wk & (u == 1)).sum(), (wk & u.notna()).sum(), wk.sum()),
    "d[d.sex=='Female'].w2_union_member.mean() (asked of workers only); alt: explicit employment-status condition, of those answering or of all working women",
    ["sex", "w2_union_member", "w2_employment_status"],
)
q(
    "How happy with life were people in wave 8 on average, by their level of education?",
    [rows(d.groupby("education_highest").w8_satisfaction_life.mean())],
    "d.groupby('education_highest').w8_satisfaction_life.mean()",
    ["education_highest", "w8_satisfaction_life"],
)
q(
    "How many people strongly agreed in wave 4 that the climate problem is exaggerated?",
    [(d.w4_agree_climate_exaggerated == 5).sum()],
    "(d.w4_agree_climate_exaggerated==5).sum()",
    ["w4_agree_climate_exaggerated"],
)
x = d[["w1_spend_groceries", "w8_spend_groceries"]]
p = x.dropna()
a, b = x.mean()
e, g = p.mean()
q(
    "By how much did average monthly food shopping bills go up between the first wave and the last?",
    chg(a, b) + chg(e, g),
    "d.w8_spend_groceries.mean()-d.w1_spend_groceries.mean(); alt: those who answered both",
    list(x.columns),
)
s = d.groupby("region").w6_household_income.median().nlargest(3)
q(
    "Which three regions had the highest median household income in wave 6?",
    [rows(s), [[k] for k in s.index]],
    "d.groupby('region').w6_household_income.median().nlargest(3)",
    ["region", "w6_household_income"],
)
q(
    "How many people turned down the interview in wave 7?",
    [(d.w7_interview_outcome == "Refusal").sum()],
    "(d.w7_interview_outcome=='Refusal').sum()",
    ["w7_interview_outcome"],
)
q(
    "How many Londoners did not have a car in wave 4?",
    [((d.region == "London") & (d.w4_has_car == 0)).sum()],
    "((d.region=='London')&(d.w4_has_car==0)).sum()",
    ["region", "w4_has_car"],
)
s = d.groupby("w5_long_term_illness").w5_satisfaction_health.mean()
w, o = s[1], s[0]
q(
    "In wave 5, were people with a lasting illness less content with their health than those without?",
    [
        bool(w < o),
        [["with illness", w], ["without illness", o]],
        [["without illness", o], ["with illness", w]],
        [[1, w], [0, o]],
        [[0, o], [1, w]],
        [[w, o]],
        "with illness" if w < o else "without illness",
    ],
    "d.groupby('w5_long_term_illness').w5_satisfaction_health.mean()",
    ["w5_long_term_illness", "w5_satisfaction_health"],
)
q(
    "For how many people do we have no figure for their own income in wave 2?",
    [d.w2_income.isna().sum()],
    "d.w2_income.isna().sum()",
    ["w2_income"],
)
q(
    "How many had both a dog and a cat at home in wave 1?",
    [((d.w1_has_dog == 1) & (d.w1_has_cat == 1)).sum()],
    "((d.w1_has_dog==1)&(d.w1_has_cat==1)).sum()",
    ["w1_has_dog", "w1_has_cat"],
)
q("What was the average blood pressure reading in wave 3?", [], "no blood pressure", [])
t = d.nlargest(6, "w3_debt_total")
v = t.w3_debt_total.tolist()
assert v[4] > v[5]
t = t.head(5)
q(
    "Who are the five people with the biggest debts in wave 3?",
    [t[["respondent_id", "w3_debt_total"]].values.tolist(), [[i] for i in t.respondent_id]],
    "d.nlargest(5,'w3_debt_total')",
    ["respondent_id", "w3_debt_total"],
)
a, b = d.w6_trust_police.mean(), d.w6_trust_newspapers.mean()
q(
    "Did people trust the police or the newspapers more in wave 6?",
    [
        "police" if a > b else "newspapers",
        [["police", a], ["newspapers", b]],
        [[a, b]],
        [["police" if a > b else "newspapers", max(a, b)]],
    ],
    "d.w6_trust_police.mean() vs d.w6_trust_newspapers.mean()",
    ["w6_trust_police", "w6_trust_newspapers"],
)
r = d.w1_housing_tenure.isin(["Rented privately", "Rented from council or housing association"])
o = d.w8_housing_tenure.isin(["Owned outright", "Owned with mortgage"])
q(
    "How many people who were renting in wave 1 owned their home by wave 8?",
    [(r & o).sum()],
    "(w1 tenure in both rented labels) & (w8 tenure in both owned labels)",
    ["w1_housing_tenure", "w8_housing_tenure"],
)
q("What was the average income in wave 10?", [], "only waves 1 to 8", [])
q(
    "When was the oldest person in the panel born?",
    [d.birth_year.min()],
    "d.birth_year.min()",
    ["birth_year"],
)
s = d.w8_marital_status.value_counts()
q(
    "How many people fall under each marital status at wave 8?",
    [rows(s), rows(s) + [[None, d.w8_marital_status.isna().sum()]]],
    "d.w8_marital_status.value_counts()",
    ["w8_marital_status"],
)
m = d[(d.sex == "Male") & (d.w3_employment_status == "Employed full-time")]
q(
    "How many minutes did men in full-time jobs spend getting to work in wave 3, on average?",
    [m.w3_commute_minutes.mean()],
    "d[(d.sex=='Male')&(d.w3_employment_status=='Employed full-time')].w3_commute_minutes.mean()",
    ["sex", "w3_employment_status", "w3_commute_minutes"],
)
q(
    "How many hours of volunteering a month did people do on average in wave 3?",
    [],
    "volunteering asked in waves 2, 4, 6, 8 only",
    [],
)
c = "w%d_works_from_home"
a = pct((d.w6_works_from_home == 1).sum(), d.w6_works_from_home.notna().sum())
b = pct((d.w7_works_from_home == 1).sum(), d.w7_works_from_home.notna().sum())
pr = d[[c % 6, c % 7]].dropna()
q(
    "How many percentage points did the share of workers doing their job from home rise from wave 6 to wave 7?",
    [
        b[1] - a[1],
        b[0] - a[0],
        100 * (pr.iloc[:, 1].mean() - pr.iloc[:, 0].mean()),
        [[a[0], b[0]]],
        [[a[1], b[1]]],
        [[a[0], b[0], b[0] - a[0]]],
        [[a[1], b[1], b[1] - a[1]]],
    ],
    "100*(d.w7_works_from_home.mean()-d.w6_works_from_home.mean()); alt: answered both",
    [c % 6, c % 7],
)
q(
    "What share of respondents drove an electric car in wave 8?",
    [],
    "car ownership only, no fuel type",
    [],
)
q("How many languages does the average respondent speak?", [], "no languages", [])

assert len(out) == 25 and sum(o["unanswerable"] for o in out) == 5
with (Path(__file__).parent / "questions.jsonl").open("w") as lines:
    for o in out:
        lines.write(json.dumps(o, ensure_ascii=False) + "\n")
