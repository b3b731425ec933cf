"""Compute the gold answers about the school districts with pandas and write questions.jsonl."""

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
            id=f"schools-{len(out) + 1}",
            table="schools",
            question=question,
            answers=uniq(answers),
            unanswerable=un,
            note=note,
            columns=list(cols),
        )
    )


N = ["dist_name", "leaid"]
x = (d.prog_dual_lang == 1).sum()
q(
    "How many districts offer a dual language programme?",
    [x],
    "(d.prog_dual_lang==1).sum()",
    ["prog_dual_lang"],
)
m = d.MATH_G8_2019
w = d.MATH_G8_NTEST_2019
k = m.notna() & w.notna()
q(
    "What was the average maths score of eighth graders in 2019?",
    [m.mean(), np.average(m[k], weights=w[k])],
    "d.MATH_G8_2019.mean(); alt weighted by number tested",
    ["MATH_G8_2019", "MATH_G8_NTEST_2019"],
)
q(
    "Which five districts had the most fourth graders in the 2017-18 school year?",
    top(d, "enr_g04_1718", 5, N),
    "d.nlargest(5,'enr_g04_1718')",
    ["dist_name", "enr_g04_1718"],
)
g = d.groupby("locale").att_rate_all_2122.mean()
gw = (
    d.dropna(subset=["att_rate_all_2122", "enr_total_2122"])
    .groupby("locale")
    .apply(
        lambda t: np.average(t.att_rate_all_2122, weights=t.enr_total_2122), include_groups=False
    )
)
q(
    "Compare attendance in 2021-22 between city, suburban, town and rural districts: what's the average rate for each?",
    groups(g) + groups(gw),
    "d.groupby('locale').att_rate_all_2122.mean(); alt weighted by enrolment",
    ["locale", "att_rate_all_2122", "enr_total_2122"],
)
q(
    "How many school districts are there in each county?",
    groups(d.groupby("county_name").size()),
    "d.groupby('county_name').size()",
    ["county_name"],
)
f = d["prog_4day_week"]
q(
    "What share of districts run on a four-day week?",
    share((f == 1).mean(), f.mean()),
    "(d.prog_4day_week==1).mean(); alt over reporting districts",
    ["prog_4day_week"],
)
a = ((d.prog_gifted == 1) & (d.prog_ib == 0)).sum()
b = ((d.prog_gifted == 1) & (d.prog_ib != 1)).sum()
q(
    "How many districts have a gifted programme but no International Baccalaureate?",
    [a, b],
    "((d.prog_gifted==1)&(d.prog_ib==0)).sum(); alt empty IB counted as no",
    ["prog_gifted", "prog_ib"],
)
e1, e2 = d.enr_total_1819, d.enr_total_2021
k = e1.notna() & e2.notna()
q(
    "By what percentage did the state's total enrolment change from 2018-19 to 2020-21?",
    pct(e2.sum() / e1.sum() - 1, e2[k].sum() / e1[k].sum() - 1),
    "d.enr_total_2021.sum()/d.enr_total_1819.sum()-1; alt districts with both",
    ["enr_total_1819", "enr_total_2021"],
)
g = d.groupby("county_name").GRAD4_ALL_2022.mean().sort_values(ascending=False)
q(
    "Which county had the best average four-year graduation rate in 2022?",
    [g.index[0], [[g.index[0], g.iloc[0]]]],
    "d.groupby('county_name').GRAD4_ALL_2022.mean().idxmax()",
    ["county_name", "GRAD4_ALL_2022"],
)
y, n = (d[d.prog_title1 == v].ELA_G3_2022.mean() for v in (1, 0))
q(
    "Did Title I districts score lower than the others in third-grade English language arts in 2022?",
    versus(y, n, ["Title I", 1, "yes"], ["not Title I", 0, "no"], y < n)[:-5]
    + [[[y, n]], [[n, y]], "Title I", y - n, n - y],
    "d.groupby('prog_title1').ELA_G3_2022.mean()",
    ["prog_title1", "ELA_G3_2022"],
)
t = d.SAT_AVG_2021.isna()
q(
    "How many districts have no SAT average on record for 2021?",
    [t.sum()],
    "d.SAT_AVG_2021.isna().sum()",
    ["SAT_AVG_2021"],
)
r = d[d.locale == "RURAL"]
k = r.dropna(subset=["avg_tch_salary_2223", "tch_fte_2223"])
q(
    "How much did teachers in rural districts earn on average in 2022-23?",
    [r.avg_tch_salary_2223.mean(), np.average(k.avg_tch_salary_2223, weights=k.tch_fte_2223)],
    "d[d.locale=='RURAL'].avg_tch_salary_2223.mean(); alt weighted by teachers",
    ["locale", "avg_tch_salary_2223", "tch_fte_2223"],
)
x = ((d.dist_type_cd == "ELEM") & (d.pct_frl_1819 > 50)).sum()
q(
    "How many districts of type ELEM had more than half their pupils on free or reduced-price lunch in 2018-19?",
    [x],
    "((d.dist_type_cd=='ELEM')&(d.pct_frl_1819>50)).sum()",
    ["dist_type_cd", "pct_frl_1819"],
)
x = d[d.locale == "CITY"].stu_tch_ratio_1920.median()
q(
    "What is the median number of pupils per teacher in city districts for 2019-20?",
    [x],
    "d[d.locale=='CITY'].stu_tch_ratio_1920.median()",
    ["locale", "stu_tch_ratio_1920"],
)
o = d.exp_pp_fy20.idxmax()
nm, li, v = d.loc[o, ["dist_name", "leaid", "exp_pp_fy20"]]
assert (d.exp_pp_fy20 == v).sum() == 1
q(
    "Which district spent the most per pupil in fiscal year 2020, and how much was it?",
    [[[nm, v]], [[li, v]], [[nm, li, v]], [[li, nm, v]]],
    "d.loc[d.exp_pp_fy20.idxmax(),['dist_name','exp_pp_fy20']]",
    ["dist_name", "exp_pp_fy20"],
)
x = ((d.disc_oss_n_1819 > 100) & (d.prog_sro_police == 1)).sum()
q(
    "How many districts with a police officer in school handed out more than 100 out-of-school suspensions in 2018-19?",
    [x],
    "((d.disc_oss_n_1819>100)&(d.prog_sro_police==1)).sum()",
    ["disc_oss_n_1819", "prog_sro_police"],
)
q(
    "How many kindergartners were enrolled statewide in 2022-23?",
    [d.enr_kg_2223.sum()],
    "d.enr_kg_2223.sum()",
    ["enr_kg_2223"],
)
x = (d.SCI_G8_PPROF_2021 < d.SCI_G8_PPROF_2019).sum()
q(
    "In how many districts did the percentage of 8th graders proficient in science go down between 2019 and 2021?",
    [x],
    "(d.SCI_G8_PPROF_2021<d.SCI_G8_PPROF_2019).sum()",
    ["SCI_G8_PPROF_2019", "SCI_G8_PPROF_2021"],
)
gr = d.enr_total_2223 / d.enr_total_1415 - 1
q(
    "Name the ten districts whose enrolment grew fastest, in percent, between 2014-15 and 2022-23.",
    top(d, gr * 100, 10, N) + top(d, gr, 10, N)[1::2],
    "(d.enr_total_2223/d.enr_total_1415-1).nlargest(10)",
    ["dist_name", "enr_total_1415", "enr_total_2223"],
)
h, bl = d.GRAD4_HISP_2019.mean(), d.GRAD4_BLACK_2019.mean()
k = d.GRAD4_HISP_2019.notna() & d.GRAD4_BLACK_2019.notna()
hk, bk = d.GRAD4_HISP_2019[k].mean(), d.GRAD4_BLACK_2019[k].mean()
assert (h > bl) == (hk > bk)
q(
    "On average, was the 2019 four-year graduation rate of Hispanic students higher than that of Black students?",
    versus(h, bl, ["Hispanic"], ["Black"], h > bl)
    + versus(hk, bk, ["Hispanic"], ["Black"], hk > bk),
    "d.GRAD4_HISP_2019.mean()>d.GRAD4_BLACK_2019.mean(); alt districts with both",
    ["GRAD4_HISP_2019", "GRAD4_BLACK_2019"],
)
for t, why in [
    (
        "What did a school lunch cost on average in 2021-22?",
        "lunch price not recorded (only share on free/reduced lunch, food spending not shown per meal)",
    ),
    (
        "What was the average maths score in grade 8 in spring 2020?",
        "no spring tests in 2020: no such column",
    ),
    (
        "What is the average age of school principals in rural districts?",
        "principals' age not recorded",
    ),
    (
        "How did third graders do in science in 2019 on average?",
        "science tested in grades 5 and 8 only",
    ),
    ("How many pupils cycled to school in 2018-19?", "only bus riders recorded"),
]:
    q(t, un=True, note=why)

assert len(out) == 25 and sum(o["unanswerable"] for o in out) == 5
with (Path(__file__).parent / "questions.jsonl").open("w") as lines:
    for o in out:
        lines.write(json.dumps(o, ensure_ascii=False) + "\n")
