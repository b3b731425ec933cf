"""Compute the gold answers with pandas and write questions.jsonl."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
from tables import NAMES, table

T = {name: table(name) for name in NAMES}
out = []
n = {}


def cl(x):
    if isinstance(x, (list, tuple)):
        return [cl(i) for i in x]
    if hasattr(x, "tolist") and not isinstance(x, np.generic):
        return [cl(i) for i in x.tolist()]
    if isinstance(x, np.bool_):
        return bool(x)
    if isinstance(x, np.integer):
        return int(x)
    if isinstance(x, np.floating):
        return float(x)
    return x


def q(t, s, a, note, un=False):
    n[t] = n.get(t, 0) + 1
    out.append(
        dict(
            id=f"{t}-{n[t]}",
            table=t,
            question=s,
            answers=[] if un else cl(a),
            unanswerable=un,
            note=note,
        )
    )


def rows(s):
    return [[*(k if isinstance(k, tuple) else (k,)), v] for k, v in s.items()]


def df(d):
    return d.values.tolist()


def uniq(l):
    r = []
    for x in l:
        x = cl(x)
        if x not in r:
            r.append(x)
    return r


# titanic
d = T["titanic"]
t = "titanic"
y = d.survived == "yes"
d["y"] = y
q(t, "how many people died", [int((~y).sum())], "survived==no")
q(
    t,
    "What share of the passengers made it out alive?",
    [y.mean(), y.mean() * 100],
    "mean survived==yes",
)
s = d.groupby("sex").y.mean()
c = d[y].sex.value_counts().sort_index()
q(
    t,
    "did women have a better chance of surviving than men?",
    [
        True,
        rows(s),
        rows(s * 100),
        rows(s.sort_values(ascending=False)),
        rows(s.sort_values(ascending=False) * 100),
    ],
    "survival rate by sex",
)
q(
    t,
    "average age per class",
    [rows(d.groupby("passengerClass").age.mean())],
    "mean age by class, NaN skipped",
)
q(t, "for how many passengers don't we know the age?", [int(d.age.isna().sum())], "age isna")
k = d[d.age < 10]
q(
    t,
    "kids under 10, how many of them survived?",
    [int(k.y.sum()), [[int(k.y.sum()), len(k)]]],
    "age<10 & yes",
)
m = (d.sex == "female") & (d.passengerClass == "1st") & ~y
q(t, "women in first class who died - number?", [int(m.sum())], "female, 1st, no")
o = d[d.age == d.age.max()]
q(
    t,
    "How old was the oldest person on board and did they survive?",
    [
        [[o.age.iloc[0], o.survived.iloc[0]]],
        [o.age.iloc[0], o.survived.iloc[0]],
        df(o[["survived", "sex", "age", "passengerClass"]]),
        [[o.age.iloc[0], True]],
    ],
    "max age row(s): " + str(df(o[["survived", "sex", "age", "passengerClass"]])),
)
p = d.groupby("passengerClass").y.mean()
x = p["1st"] - p["3rd"]
q(
    t,
    "how much higher was the survival rate in 1st class compared to 3rd class",
    [
        x,
        x * 100,
        [[p["1st"], p["3rd"], x]],
        [["1st", p["1st"]], ["3rd", p["3rd"]]],
        [["1st", p["1st"] * 100], ["3rd", p["3rd"] * 100]],
    ],
    "difference of rates",
)
q(t, "Which passengers came on board in Southampton?", [], "no port of embarkation", True)
q(t, "what did a 1st class ticket cost on average?", [], "no fare", True)

# storms
d = T["storms"]
t = "storms"
d["date"] = pd.to_datetime(d[["year", "month", "day"]])
d["ds"] = d.date.dt.strftime("%Y-%m-%d")
q(t, "how many different storm names are in here?", [d.name.nunique()], "nunique name")
b = d[d.wind == d.wind.max()]
by = b[["name", "year"]].drop_duplicates()
q(
    t,
    "which storm had the strongest wind ever, and how strong was it",
    [
        by.assign(w=d.wind.max()).drop(columns="year").values.tolist(),
        [by.name.iloc[0], d.wind.max()],
        by.assign(w=d.wind.max()).values.tolist(),
    ]
    + ([by.name.iloc[0]] if len(by) == 1 else [by.name.tolist()]),
    "max wind",
)
k = d[(d.name == "Katrina") & (d.year == 2005)]
q(t, "lowest pressure of Katrina in 2005?", [k.pressure.min()], "min pressure Katrina 2005")
h = d[(d.category == 5) & (d.year >= 2000)][["name", "year"]].drop_duplicates()
q(
    t,
    "list all storms since 2000 that reached category 5",
    uniq([h.values.tolist(), h.name.tolist(), h.name.drop_duplicates().tolist()]),
    'category==5, year>=2000, distinct name+year; "since" inclusive',
)
s = d.drop_duplicates(["name", "year"]).groupby("year").size().sort_values(ascending=False)
# alt: attribute storm to start year
top = s[s == s.max()]
q(
    t,
    "In which year were there the most storms?",
    uniq(([top.index[0]] if len(top) == 1 else []) + [top.index.tolist(), rows(top)]),
    "distinct names per year",
)
hh = d[(d.status == "hurricane") & (d.year.between(1990, 1999))]
a = hh[["name", "year"]].drop_duplicates()
q(
    t,
    "How many hurricanes were there in the nineties?",
    uniq([len(a)]),
    "distinct name+year with status hurricane, 1990-1999",
)
mo = d.groupby("month").size().sort_values(ascending=False)
md = (
    d.drop_duplicates(["name", "year", "month"])
    .groupby("month")
    .size()
    .sort_values(ascending=False)
)
q(
    t,
    "busiest month for storms?",
    uniq(
        [
            mo.index[0],
            "September",
            [[9, mo[9]]],
            [[9, md[9]]],
            [["September", mo[9]]],
            [["September", md[9]]],
        ]
    ),
    "both rows and distinct storms give 9",
)
e = k.sort_values(["date", "hour"])
s3 = d[(d.name == "Sandy")]
q(
    t,
    "When did Sandy start and when did it end? just the dates",
    [[[s3.ds.min(), s3.ds.max()]], [s3.ds.min(), s3.ds.max()]],
    "min and max date of Sandy",
)
mx = d.groupby(["name", "year"]).wind.max().reset_index()
mx = mx[mx.year == 2017].sort_values("wind", ascending=False)
m5 = mx.head(3)
q(
    t,
    "top 3 storms of 2017 by wind speed",
    [
        m5[["name", "wind"]].values.tolist(),
        m5.name.tolist(),
        m5[["name", "year", "wind"]].values.tolist(),
    ],
    "max wind per storm in 2017",
)
q(
    t,
    "percentage of entries where the size of the hurricane wind field is missing",
    [d.hurricane_force_diameter.isna().mean() * 100, d.hurricane_force_diameter.isna().mean()],
    "isna share",
)
q(t, "how many people got killed by hurricane Andrew?", [], "no deaths", True)

# mpg
d = T["mpg"]
t = "mpg"
q(t, "how many toyotas are there?", [int((d.manufacturer == "toyota").sum())], "rows")
m = d[d.cty == d.cty.max()]
q(
    t,
    "Which car goes furthest on a gallon in the city?",
    uniq(
        [
            m.model.unique()[0],
            [[m.manufacturer.iloc[0], m.model.iloc[0], m.cty.max()]],
            [[m.manufacturer.iloc[0], m.model.iloc[0]]],
            [[m.model.iloc[0], m.cty.max()]],
            " ".join([m.manufacturer.iloc[0], m.model.iloc[0]]),
            m[
                [
                    "manufacturer",
                    "model",
                    "displ",
                    "year",
                    "cyl",
                    "trans",
                    "drv",
                    "cty",
                    "hwy",
                    "fl",
                    "class",
                ]
            ].values.tolist(),
        ]
    ),
    "max cty",
)
s = d.groupby("class").hwy.mean()
sd = s.sort_values(ascending=False)
q(t, "avg highway mileage by type of car, best first", [rows(sd)], "mean hwy by class desc")
x = d.groupby("year").hwy.mean()
x2 = d.groupby("year").cty.mean()
q(
    t,
    "did the cars get better mileage in town between 1999 and 2008?",
    [
        False,
        rows(x2),
        x2[2008] - x2[1999],
        [[1999, x2[1999], x[1999]], [2008, x2[2008], x[2008]]],
        [[1999, x[1999], x2[1999]], [2008, x[2008], x2[2008]]],
    ],
    "mean hwy and cty by year; cty is lower in 2008: %s %s" % (x.to_dict(), x2.to_dict()),
)
q(
    t,
    "manual vs automatic - how many of each",
    [
        [
            ["automatic", int(d.trans.str.startswith("auto").sum())],
            ["manual", int(d.trans.str.startswith("manual").sum())],
        ],
        [
            ["manual", int(d.trans.str.startswith("manual").sum())],
            ["automatic", int(d.trans.str.startswith("auto").sum())],
        ],
        [
            ["auto", int(d.trans.str.startswith("auto").sum())],
            ["manual", int(d.trans.str.startswith("manual").sum())],
        ],
        [int(d.trans.str.startswith("manual").sum()), int(d.trans.str.startswith("auto").sum())],
        [[int(d.trans.str.startswith("manual").sum()), int(d.trans.str.startswith("auto").sum())]],
    ],
    "trans prefix",
)
f = d[(d["class"] == "suv") & (d.cyl == 4) & (d.hwy > 25)]
q(
    t,
    "4 cylinder SUVs that do more than 25 mpg on the highway, which models?",
    uniq(
        [
            f.model.unique(),
            f.model.tolist(),
            f[["manufacturer", "model"]].drop_duplicates().values.tolist(),
            f[["manufacturer", "model", "hwy"]].values.tolist(),
            f[["model", "hwy"]].values.tolist(),
            f[["model", "hwy"]].drop_duplicates().values.tolist(),
        ]
    ),
    "suv, cyl 4, hwy>25",
)
g = d.groupby("manufacturer").model.nunique()
g = g[g == g.max()]
q(
    t,
    "which brand has the most different models",
    uniq(([g.index[0]] if len(g) == 1 else []) + [g.index.tolist(), rows(g)]),
    "nunique model per manufacturer",
)
h = d.groupby("manufacturer").cty.mean()
q(
    t,
    "how much better is honda than ford in city mileage on average?",
    [
        h["honda"] - h["ford"],
        [["honda", h["honda"]], ["ford", h["ford"]]],
        [["ford", h["ford"]], ["honda", h["honda"]]],
        [[h["honda"], h["ford"], h["honda"] - h["ford"]]],
    ],
    "mean cty diff",
)
q(
    t,
    "What percent of the cars from 2008 have four wheel drive?",
    [(d[d.year == 2008].drv == "4").mean() * 100, (d[d.year == 2008].drv == "4").mean()],
    "drv==4 among 2008",
)
q(t, "any BMWs in the list?", [False, 0, []], "manufacturer bmw: 0 rows")
q(t, "whats the cheapest car", [], "no price", True)

# murders
d = T["murders"]
t = "murders"
d["r"] = d.total / d.population * 1e5
q(t, "how many murders were there altogether?", [d.total.sum()], "sum")
a = d.nlargest(5, "total")
q(
    t,
    "top 5 states by number of murders",
    [a[["state", "total"]].values.tolist(), a.state.tolist()],
    "nlargest total",
)
r = d.nlargest(3, "r")
L = d.nsmallest(1, "r")
q(
    t,
    "Which state is the safest if you look at murders per 100,000 people?",
    [L.state.iloc[0], [[L.state.iloc[0], L.r.iloc[0]]], [[L.state.iloc[0], L.r.iloc[0] / 1e5]]],
    "min rate",
)
q(t, "murder rate in Louisiana per 100k", [d.set_index("state").r["Louisiana"]], "total/pop*1e5")
z = d.groupby("region").population.sum()
zs = z.sort_values(ascending=False)
q(t, "people living in each region", [rows(z), rows(zs)], "sum pop by region")
g = d.groupby("region")[["total", "population"]].sum()
rt = g.total / g.population * 1e5
q(
    t,
    "Is the murder rate higher in the South or in the West?",
    [
        "South",
        [["South", rt["South"]], ["West", rt["West"]]],
        [["South", rt["South"] / 1e5], ["West", rt["West"] / 1e5]],
        [["South", d[d.region == "South"].r.mean()], ["West", d[d.region == "West"].r.mean()]],
    ],
    "pooled rate (alt: mean of state rates)",
)
u = d[(d.total < 10)].sort_values("state")
q(
    t,
    "states w/ fewer than 10 murders pls",
    [
        u.state.tolist(),
        u[["state", "total"]].values.tolist(),
        u.sort_values("total")[["state", "total"]].values.tolist(),
    ],
    "total<10",
)
p = d.sort_values("population", ascending=False).iloc[2]
q(
    t,
    "third biggest state by population?",
    [p.state, [[p.state, p.population]]],
    "3rd by population",
)
ca, tx = d.set_index("state").total["California"], d.set_index("state").total["Texas"]
q(t, "how many more murders did California have than Texas", [ca - tx, [[ca, tx, ca - tx]]], "diff")
sh = d[d.region == "South"].total.sum() / d.total.sum()
q(t, "What part of all the murders happened in the south?", [sh, sh * 100], "share")
q(t, "how many of the murders were committed with a knife?", [], "no weapon", True)

# gapminder
d = T["gapminder"]
t = "gapminder"
G = lambda c, y: d[(d.country == c) & (d.year == y)].iloc[0]
q(
    t,
    "how many countries per continent?",
    [
        rows(d.groupby("continent").country.nunique()),
        rows(d.groupby("continent").country.nunique().sort_values(ascending=False)),
    ],
    "nunique country",
)
q(t, "life expectancy in japan 2007", [G("Japan", 2007).lifeExp], "lookup")
a = d[d.year == 2007].nlargest(5, "gdpPercap")
q(
    t,
    "5 richest countries per head in 2007",
    [a.country.tolist(), a[["country", "gdpPercap"]].values.tolist()],
    "nlargest gdpPercap 2007",
)
x = G("China", 2007)["pop"] - G("China", 1952)["pop"]
q(
    t,
    "By how much did the population of China grow from 1952 to 2007?",
    [x, x / G("China", 1952)["pop"] * 100, x / G("China", 1952)["pop"]],
    "difference (alt: percent)",
)
w = d[d.year == 2007].groupby("continent").lifeExp.mean()
q(
    t,
    "Where do people live longer on average in 2007, Europe or the Americas, and by how many years?",
    [
        [["Europe", w["Europe"] - w["Americas"]]],
        w["Europe"] - w["Americas"],
        ["Europe", w["Europe"] - w["Americas"]],
        [["Europe", w["Europe"]], ["Americas", w["Americas"]]],
        [["Americas", w["Americas"]], ["Europe", w["Europe"]]],
        [[w["Europe"], w["Americas"], w["Europe"] - w["Americas"]]],
    ],
    "unweighted mean over countries 2007; last alternatives pop weighted below",
)
D = d[d.year == 2007]
W = {c: np.average(v.lifeExp, weights=v["pop"]) for c, v in D.groupby("continent")}
out[-1]["answers"] += cl(
    [
        W["Europe"] - W["Americas"],
        [["Europe", W["Europe"]], ["Americas", W["Americas"]]],
        [["Europe", W["Europe"] - W["Americas"]]],
    ]
)
f = d[(d.continent == "Africa") & (d.year == 2007) & (d.lifeExp > 70)].sort_values("country")
q(
    t,
    "african countries where people got older than 70 on average in 2007",
    [
        f.country.tolist(),
        f[["country", "lifeExp"]].values.tolist(),
        f.sort_values("lifeExp", ascending=False)[["country", "lifeExp"]].values.tolist(),
    ],
    "filter",
)
P = d.pivot(index="country", columns="year", values="lifeExp")
dd = P[2007] - P[1952]
dn = dd[dd < 0].sort_values()
q(
    t,
    "are there countries where life expectancy was lower in 2007 than in 1952? which ones",
    [
        dn.index.tolist(),
        rows(dn),
        [[c, P[1952][c], P[2007][c]] for c in dn.index],
        [[c, P[2007][c], P[1952][c]] for c in dn.index],
    ]
    + ([dn.index[0]] if len(dn) == 1 else []),
    "2007<1952",
)
wp = d.groupby("year")["pop"].sum()
q(t, "total population of all countries for every year", [rows(wp)], "sum by year")
lo = d[d.year == 1972].nsmallest(2, "gdpPercap").iloc[1]
q(
    t,
    "second poorest country in 1972 (gdp per person)",
    [lo.country, [[lo.country, lo.gdpPercap]]],
    "2nd smallest",
)
q(
    t,
    "how many countries had over 100 million inhabitants in 1997?",
    [int(((d.year == 1997) & (d["pop"] > 1e8)).sum())],
    "count",
)
q(t, "Which country has the highest unemployment?", [], "no unemployment", True)

# schools
d = T["schools"]
t = "schools"
d["str"] = d.students / d.teachers
d["sc"] = (d.read + d.math) / 2
q(
    t,
    "how many school districts are in Los Angeles county?",
    [int((d.county == "Los Angeles").sum())],
    "count",
)
q(t, "total number of kids in all the schools", [d.students.sum()], "sum students")
a = d.nlargest(1, "math")
q(
    t,
    "who has the best math score?",
    [
        a.school.iloc[0],
        a[["school", "math"]].values.tolist(),
        a[["school", "county", "math"]].values.tolist(),
    ],
    "max math",
)
x = d.students.sum() / d.teachers.sum()
q(
    t,
    "On average how many students does one teacher have?",
    [d.str.mean(), x],
    "mean of ratios / overall ratio",
)
g = d.groupby("county").income.mean().sort_values(ascending=False).head(5)
q(
    t,
    "the 5 counties with the highest average income",
    [g.index.tolist(), rows(g)],
    "mean income by county (unweighted)",
)
m = d.groupby("grades").read.mean()
q(
    t,
    "do the schools up to 6th grade read better than the ones up to 8th grade?",
    [bool(m["KK-06"] > m["KK-08"]), rows(m), rows(m[::-1])],
    "mean read by grades: %s" % m.to_dict(),
)
n0 = int((d.computer == 0).sum())
q(t, "schools without a single computer - how many", [n0], "computer==0")
z = d[(d.lunch > 80) & (d.read > 640)].sort_values("school")
q(
    t,
    "which schools have more than 80% of kids on reduced lunch but still a reading score above 640?",
    uniq(
        [z.school.tolist(), z[["school", "lunch", "read"]].values.tolist()]
        + ([z.school.iloc[0]] if len(z) == 1 else [])
    ),
    "lunch>80 & read>640",
)
e = d.sort_values("expenditure", ascending=False)
dif = e.expenditure.iloc[0] - e.expenditure.iloc[-1]
q(
    t,
    "how much more does the school with the highest spending per student spend compared to the one with the lowest",
    [
        dif,
        [[e.expenditure.iloc[0], e.expenditure.iloc[-1], dif]],
        [[e.school.iloc[0], e.expenditure.iloc[0]], [e.school.iloc[-1], e.expenditure.iloc[-1]]],
        e.expenditure.iloc[0] / e.expenditure.iloc[-1],
    ],
    "max-min expenditure",
)
s = (d.english > 50).mean()
q(
    t,
    "In what share of the schools are more than half of the kids still learning English?",
    [s, s * 100],
    "mean english>50",
)
q(t, "how many of the students are girls?", [], "no gender", True)

with (Path(__file__).parent / "questions.jsonl").open("w") as lines:
    for o in out:
        if not (o["table"] == "mpg" and "BMW" in o["question"]):
            o["answers"] = uniq(o["answers"])
        lines.write(json.dumps(o, allow_nan=False) + "\n")
