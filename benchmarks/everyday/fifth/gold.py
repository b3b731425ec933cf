"""Works out every gold answer with pandas and writes questions.jsonl."""

import json
import math
import os
from collections import Counter

import numpy as np
import pandas as pd
from tables import NAMES, table

T = {n: table(n) for n in NAMES}
OUT, _n = [], Counter()


def clean(x):
    if isinstance(x, (list, tuple)):
        return [clean(i) for i in x]
    if isinstance(x, (bool, np.bool_)):
        return bool(x)
    if isinstance(x, (int, np.integer)):
        return int(x)
    if isinstance(x, (float, np.floating)):
        return None if math.isnan(x) else float(x)
    if x is None or x is pd.NaT:
        return None
    return str(x)


def q(t, question, *answers, note=""):
    _n[t] += 1
    OUT.append(
        {
            "id": f"{t}-{_n[t]}",
            "table": t,
            "question": question,
            "answers": [clean(a) for a in answers],
            "unanswerable": False,
            "note": note,
        }
    )


def u(t, question, note):
    _n[t] += 1
    OUT.append(
        {
            "id": f"{t}-{_n[t]}",
            "table": t,
            "question": question,
            "answers": [],
            "unanswerable": True,
            "note": note,
        }
    )


def rows(x):
    """Series -> [[index, value], ...]; DataFrame -> list of rows."""
    if isinstance(x, pd.Series):
        return [[i, v] for i, v in x.items()]
    return x.values.tolist()


def cells(xs):
    return [[x] for x in xs]


def share(part, whole):
    return part / whole * 100, part / whole


# ---------------------------------------------------------------- marathon
d = T["marathon"]
w = d[(d.year == 1985) & (d.division == "Men")].name.tolist()
assert len(w) == 1
q("marathon", "who won the men's race in 1985", w[0], note="look-up")
c = d.dropna(subset=["name"]).country.value_counts()
q(
    "marathon",
    "Which country has had the most wins?",
    c.index[0],
    [[c.index[0], c.iloc[0]]],
    c.iloc[:1].index.tolist(),
    note="wins = rows with a winner, both divisions",
)
f = d[d.division == "Women"].nsmallest(1, "time_hrs").iloc[0]
q(
    "marathon",
    "what's the fastest time a woman has ever run it in?",
    f.time,
    f.time_hrs,
    [[f["name"], f.time]],
    [[f["name"], f.time_hrs]],
    [[f.year, f["name"], f.time]],
    note="minimum of the women's times",
)
q(
    "marathon",
    "how many different countries have the winners come from?",
    int(d.country.nunique()),
    note="distinct values",
)
q(
    "marathon",
    "average winning time in hours, men compared with women",
    rows(d.groupby("division").time_hrs.mean()),
    note="mean time_hrs by division",
)
x = d[d.year == 2012].note.tolist()
assert len(set(x)) == 1
q(
    "marathon",
    "why is there no winner for 2012?",
    x[0],
    cells(x),
    cells(x[:1]),
    note="the note of that year",
)
q(
    "marathon",
    "how many runners have won it more than once",
    int((d.name.value_counts() > 1).sum()),
    note="names that occur at least twice",
)
assert d.year.max() == 2020
u("marathon", "Who won the women's race in 2022?", "the table ends in 2020")

# ---------------------------------------------------------------- marriages
d = T["marriages"]
q(
    "marriages",
    "average age of the brides and of the grooms",
    rows(d.groupby("person").age.mean()),
    note="mean by group",
)
s = d.sign.value_counts()
assert s.iloc[0] > s.iloc[1]
q(
    "marriages",
    "what's the most common star sign?",
    s.index[0],
    [[s.index[0], s.iloc[0]]],
    note="mode",
)
u("marriages", "How many guests did people invite on average?", "no guests")
q(
    "marriages",
    "what percentage of these people had never been married before?",
    *share((d.prevcount == 0).sum(), len(d)),
    note="prevcount 0 of all rows",
)
o = d.officialTitle.value_counts()
ow = d.drop_duplicates("bookpageID").officialTitle.value_counts()
assert o.index[0] == ow.index[0]
q(
    "marriages",
    "what sort of official carried out the most ceremonies?",
    o.index[0],
    [[o.index[0], o.iloc[0]]],
    [[ow.index[0], ow.iloc[0]]],
    note="mode of officialTitle; counted by person or by wedding",
)
yr = pd.to_datetime(d.ceremonydate).dt.year
q(
    "marriages",
    "how many couples got married in 1998?",
    int(d[yr == 1998].bookpageID.nunique()),
    note="two rows per couple, year of the ceremony",
)
q(
    "marriages",
    "longest wait in days between applying for the licence and the wedding",
    int(d.delay.max()),
    note="max delay",
)
q(
    "marriages",
    "how old was the oldest bride",
    d[d.person == "Bride"].age.max(),
    note="max in a group",
)

# ---------------------------------------------------------------- saratoga
d = T["saratoga"]
q(
    "saratoga",
    "how many duplicate rows are there?",
    int(d.duplicated().sum()),
    int(d.duplicated(keep=False).sum()),
    note="extra copies, or all rows that have a twin",
)
g = d.groupby("centralAir").price
q(
    "saratoga",
    "what does a typical house go for with central air, and without?",
    rows(g.median()),
    rows(g.mean()),
    note="typical = median or mean",
)
m = d.groupby("newConstruction").price.mean()
q(
    "saratoga",
    "On average, how much more expensive are newly built homes than the others?",
    m["Yes"] - m["No"],
    note="difference of means",
)
q(
    "saratoga",
    "how many places have 4 or more bedrooms, at least 2 bathrooms and cost under 200 grand",
    int(((d.bedrooms >= 4) & (d.bathrooms >= 2) & (d.price < 200000)).sum()),
    note="three conditions",
)
q(
    "saratoga",
    "how many houses run on oil or electricity as their fuel and have at least one fireplace?",
    int((d.fuel.isin(["oil", "electric"]) & (d.fireplaces >= 1)).sum()),
    note="or, and",
)
q(
    "saratoga",
    "correlation between price and living space",
    d.price.corr(d.livingArea),
    note="Pearson",
)
u("saratoga", "Which neighbourhood has the dearest houses?", "no place column")
p = d.price
q(
    "saratoga",
    "lowest, median and highest price?",
    [[p.min(), p.median(), p.max()]],
    [["min", p.min()], ["median", p.median()], ["max", p.max()]],
    cells([p.min(), p.median(), p.max()]),
    note="three statistics of one column",
)

# ---------------------------------------------------------------- metro
d = T["metro"]
toks = d.lines.str.split(", ")
b = d.nlargest(1, "passengers").iloc[0]
q(
    "metro",
    "what's the busiest station?",
    b["name"],
    [[b["name"], b.passengers]],
    note="max passengers",
)
q(
    "metro",
    "How many stations are on line 4?",
    int(toks.apply(lambda v: "4" in v).sum()),
    note="4 as one of the listed lines, not 14",
)
t5 = d.nlargest(5, "passengers")
q(
    "metro",
    "top 5 stations by number of passengers",
    rows(t5[["name", "passengers"]]),
    cells(t5.name),
    note="top n",
)
q(
    "metro",
    "which stations have no passenger figure",
    cells(d[d.passengers.isna()].name),
    note="null look-up",
)
u("metro", "when did bastille open?", "no opening dates")
q(
    "metro",
    "how many stations let you change to RER A?",
    int(d.connect_rer.fillna("").str.split(", ").apply(lambda v: "A" in v).sum()),
    note="A as one of the listed RER lines",
)
r = d[d.name == "République"].lines.tolist()
assert len(r) == 1
q("metro", "Which lines stop at République?", r[0], cells(r[0].split(", ")), note="look-up")
k = toks.apply(len)
q(
    "metro",
    "how many stations are served by three or more lines?",
    int((k >= 3).sum()),
    note="number of listed lines",
)

# ---------------------------------------------------------------- cereals
d = T["cereals"]
s = d.nlargest(2, "sugars")
assert s.sugars.iloc[0] > s.sugars.iloc[1]
q(
    "cereals",
    "Which cereal has the most sugar?",
    s.name.iloc[0],
    [[s.name.iloc[0], s.sugars.iloc[0]]],
    note="superlative",
)
q(
    "cereals",
    "how many calories are in cheerios",
    d[d.name == "Cheerios"].calories.iloc[0],
    note="exact name look-up",
)
q(
    "cereals",
    "average sodium per shelf",
    rows(d.groupby("shelf").sodium.mean()),
    note="mean by group",
)
z = d[d.sugars == 0]
q(
    "cereals",
    "which ones have no sugar at all?",
    cells(z.name),
    [[n, 0.0] for n in z.name],
    note="list",
)
q(
    "cereals",
    "how many have more than 5g of fibre and fewer than 150 calories?",
    int(((d.fibre > 5) & (d.calories < 150)).sum()),
    note="two conditions",
)
g = d.groupby("mfr").sugars.mean().sort_values(ascending=False)
assert g.iloc[0] > g.iloc[1]
q(
    "cereals",
    "which manufacturer's cereals are the sweetest on average?",
    g.index[0],
    [[g.index[0], g.iloc[0]]],
    note="highest mean sugars",
)
q("cereals", "show me the first 3 rows", rows(d.head(3)), note="first look")
u("cereals", "which cereal is the cheapest", "no price")

# ---------------------------------------------------------------- colleges
d = T["colleges"]
v = d.Private.value_counts()
q(
    "colleges",
    "how many are private and how many are public?",
    rows(v),
    [["private", v["Yes"]], ["public", v["No"]]],
    [[v["Yes"], v["No"]]],
    note="counts by group",
)
s = d.nlargest(2, "Outstate")
q(
    "colleges",
    "Which college charges the most tuition for out of state students?",
    s.name.iloc[0],
    [[s.name.iloc[0], s.Outstate.iloc[0]]],
    note="superlative",
)
h = d[d.name == "Harvard University"].iloc[0]
q(
    "colleges",
    "what share of its applicants did Harvard accept?",
    *share(h.Accept, h.Apps),
    note="ratio of two columns",
)
y = d[d.name == "Yale University"].Expend.iloc[0]
assert (d.Expend == y).sum() == 1
q(
    "colleges",
    "where does Yale rank for spending per student, biggest spender first?",
    int((d.Expend > y).sum() + 1),
    [["Yale University", int((d.Expend > y).sum() + 1)]],
    note="rank of Expend",
)
u("colleges", "which state has the most colleges?", "no state")
q(
    "colleges",
    "average graduation rate of private colleges that charge over 15000 out of state",
    d[(d.Private == "Yes") & (d.Outstate > 15000)]["Grad.Rate"].mean(),
    note="mean with two conditions",
)
s = d.nlargest(2, "S.F.Ratio")
assert s["S.F.Ratio"].iloc[0] > s["S.F.Ratio"].iloc[1]
q(
    "colleges",
    "where are there the most students per teacher?",
    s.name.iloc[0],
    [[s.name.iloc[0], s["S.F.Ratio"].iloc[0]]],
    note="superlative",
)
g = d[d["Grad.Rate"] > 100]
q(
    "colleges",
    "is there any college with a graduation rate above 100%? which one",
    g.name.iloc[0],
    cells(g.name),
    rows(g[["name", "Grad.Rate"]]),
    note="odd value",
)
assert len(g) == 1

# ---------------------------------------------------------------- smokers
d = T["smokers"]
sm = d[d.smoke == "Yes"]
q("smokers", "what percent of people smoke?", *share(len(sm), len(d)), note="share")
g = (d.smoke == "Yes").groupby(d.region).mean()
q("smokers", "smoking rate by region", rows(g * 100), rows(g), note="share by group")
q(
    "smokers",
    "how many cigarettes do women who smoke get through on a weekday, on average",
    sm[sm.gender == "Female"].amt_weekdays.mean(),
    note="mean in a group",
)
q(
    "smokers",
    "how many smokers are over 60 and not married?",
    int(((sm.marital_status != "Married") & (sm.age > 60)).sum()),
    note="three conditions",
)
a, b = sm.amt_weekends.mean(), sm.amt_weekdays.mean()
q(
    "smokers",
    "Do smokers light up more on weekends than on weekdays?",
    bool(a > b),
    [[a, b]],
    [["amt_weekends", a], ["amt_weekdays", b]],
    note="compare the means of two columns",
)
u("smokers", "how many of them vape?", "nothing on vaping")
u("smokers", "What's the average blood pressure of the smokers?", "no blood pressure")
q("smokers", "how old is the oldest smoker", int(sm.age.max()), note="max in a group")

# ---------------------------------------------------------------- hawks
d = T["hawks"]
q(
    "hawks",
    "how many birds of each species are there?",
    rows(d.Species.value_counts()),
    note="counts by group",
)
q("hawks", "how much did the heaviest hawk weigh", d.Weight.max(), note="max")
na = d.isna().sum()
nb = d.apply(lambda c: (c.isna() | (c.astype(str).str.strip() == "")).sum())
q(
    "hawks",
    "which columns have missing values and how many?",
    rows(na[na > 0]),
    rows(na),
    rows(nb[nb > 0]),
    rows(nb),
    note="nulls by column, without or with cells that hold only a blank",
)
m = d.groupby("Age").Weight.mean()
q(
    "hawks",
    "do adult birds weigh more on average than immature ones?",
    bool(m["A"] > m["I"]),
    rows(m),
    note="Age A against I",
)
mo = d.Month.value_counts()
q(
    "hawks",
    "In which month were the most birds caught?",
    int(mo.index[0]),
    "October",
    [[mo.index[0], mo.iloc[0]]],
    note="mode of Month",
)
assert mo.index[0] == 10
q(
    "hawks",
    "median wing length of female SS hawks",
    d[(d.Species == "SS") & (d.Sex == "F")].Wing.median(),
    note="two conditions",
)
u("hawks", "what's the average weight of the bald eagles?", "species not there")
q(
    "hawks",
    "how many were caught between 1995 and 1999?",
    int(d.Year.between(1995, 1999).sum()),
    note="range, inclusive",
)

# ---------------------------------------------------------------- earthquakes
d = T["earthquakes"]
k = d.nlargest(1, "deaths").iloc[0]
q(
    "earthquakes",
    "which earthquake killed the most people?",
    k.area,
    [[k.area, k.deaths]],
    [[k.area, k.region, k.deaths]],
    [[k.year, k.area, k.region, k.deaths]],
    [[k.year, k.region, k.deaths]],
    [d.loc[k.name].tolist()],
    [[k.region, k.deaths]],
    k.region,
    note="superlative",
)
q(
    "earthquakes",
    "how many earthquakes hit turkey",
    int((d.region == "Turkey").sum()),
    int(d.region.fillna("").str.contains("Turkey").sum()),
    note="without or with the border quake Iran-Turkey",
)
q(
    "earthquakes",
    "How many were magnitude 8 or higher?",
    int((d.richter >= 8).sum()),
    note="count with a condition",
)
s = d.groupby("region").deaths.sum().nlargest(5)
s2 = d.assign(region=d.region.replace("Chine", "China")).groupby("region").deaths.sum().nlargest(5)
assert list(s.index) == list(s2.index)
q(
    "earthquakes",
    "top 5 countries by total deaths",
    rows(s),
    rows(s2),
    cells(s.index),
    note="as spelled, or with Chine taken as China",
)
q(
    "earthquakes",
    "how many quakes were there in the 1990s?",
    int(d.year.between(1990, 1999).sum()),
    note="decade",
)
x = d[(d.area == "San Francisco") & (d.year == 1906)].richter.tolist()
assert len(x) == 1
q(
    "earthquakes",
    "what was the magnitude of the 1906 San Francisco earthquake?",
    x[0],
    note="look-up, two conditions",
)
u("earthquakes", "how deep was the 1960 chile quake?", "no depth")
mo = d.month.value_counts()
assert mo.iloc[0] > mo.iloc[1]
q(
    "earthquakes",
    "which month has had the most earthquakes",
    mo.index[0],
    [[mo.index[0], mo.iloc[0]]],
    note="mode",
)

# ---------------------------------------------------------------- mariokart
d = T["mariokart"]
q(
    "mariokart",
    "average final price for new versus used",
    rows(d.groupby("cond").total_pr.mean()),
    note="mean by group",
)
q("mariokart", "what columns does this table have?", cells(d.columns), note="first look")
q(
    "mariokart",
    "how many listings came without a wheel?",
    int((d.wheels == 0).sum()),
    note="count with a condition",
)
q(
    "mariokart",
    "What percentage of the listings had free shipping?",
    *share((d.ship_pr == 0).sum(), len(d)),
    note="ship_pr 0, of all auctions",
)
k = d.nlargest(1, "total_pr").iloc[0]
q(
    "mariokart",
    "what was the most expensive listing and how much did it go for?",
    [[k.title, k.total_pr]],
    k.total_pr,
    [[k.id, k.title, k.total_pr]],
    [[k.id, k.total_pr]],
    [d.loc[k.name].tolist()],
    note="superlative",
)
q(
    "mariokart",
    "how many sold for between 40 and 50 dollars, shipping included",
    int(d.total_pr.between(40, 50).sum()),
    note="range, inclusive",
)
s = d.ship_sp.value_counts()
assert s.iloc[0] > s.iloc[1]
q(
    "mariokart",
    "which shipping method is used the most?",
    s.index[0],
    [[s.index[0], s.iloc[0]]],
    note="mode",
)
u("mariokart", "which country did the winning bidders live in?", "nothing on buyers")

# ---------------------------------------------------------------- bakeoff_ratings
d = T["bakeoff_ratings"]
k = d.nlargest(1, "viewers_7day").iloc[0]
q(
    "bakeoff_ratings",
    "Which episode pulled in the most viewers in its first 7 days?",
    [[k.series, k.episode, k.viewers_7day]],
    [[k.series, k.episode]],
    [[k.episode_count, k.viewers_7day]],
    int(k.episode_count),
    [[k.series, k.episode, k.uk_airdate, k.viewers_7day]],
    [d.loc[k.name].tolist()],
    note="superlative; series 7 episode 10",
)
q(
    "bakeoff_ratings",
    "average 7 day viewers for each series",
    rows(d.groupby("series").viewers_7day.mean()),
    note="mean by group",
)
q(
    "bakeoff_ratings",
    "when did series 5 start in the UK?",
    d[d.series == 5].uk_airdate.min(),
    note="earliest date of a group",
)
q(
    "bakeoff_ratings",
    "how many episodes were shown in britain in 2014",
    int((pd.to_datetime(d.uk_airdate).dt.year == 2014).sum()),
    note="year of uk_airdate",
)
q(
    "bakeoff_ratings",
    "how many episodes have no iplayer figure?",
    int(d.bbc_iplayer_requests.isna().sum()),
    note="nulls",
)
s6 = d[d.series == 6].sort_values("episode").viewers_7day
q(
    "bakeoff_ratings",
    "How many more people (in millions) watched the series 6 final than its first episode, going by the 7 day numbers?",
    s6.iloc[-1] - s6.iloc[0],
    note="difference of two look-ups",
)
u("bakeoff_ratings", "who won series 8?", "no bakers")
q(
    "bakeoff_ratings",
    "how many episodes got over 10 million viewers within a week",
    int((d.viewers_7day > 10).sum()),
    note="the column is in millions",
)

# ---------------------------------------------------------------- taxi
d = T["taxi"]
q(
    "taxi",
    "what percentage of rides got a tip?",
    *share((d.tip == "yes").sum(), len(d)),
    note="share",
)
s = d.dow.value_counts()
q(
    "taxi",
    "Which day of the week is the busiest?",
    s.index[0],
    "Thursday",
    [[s.index[0], s.iloc[0]]],
    note="mode",
)
assert s.index[0] == "Thu"
q(
    "taxi",
    "average distance per month",
    rows(d.groupby("month").distance.mean()),
    note="mean by group",
)
q(
    "taxi",
    "how many weekend trips were longer than 10 miles",
    int((d.dow.isin(["Sat", "Sun"]) & (d.distance > 10)).sum()),
    note="Saturday or Sunday, and a limit",
)
g = (d.tip == "yes").groupby(d.local).mean()
q(
    "taxi",
    "do people tip more often on local trips than on the others?",
    bool(g["yes"] > g["no"]),
    rows(g),
    rows(g * 100),
    note="compare two shares",
)
u("taxi", "what was the average fare?", "no fare")
h = d.hour.value_counts()
q(
    "taxi",
    "at what hour of the day are there the most trips?",
    int(h.index[0]),
    [[h.index[0], h.iloc[0]]],
    note="mode",
)
u("taxi", "How many passengers are usually in the cab?", "no passengers")

assert len(OUT) == 96 and set(_n.values()) == {8}, _n
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "questions.jsonl")
with open(path, "w", encoding="utf-8") as fh:
    for o in OUT:
        fh.write(json.dumps(o, ensure_ascii=False) + "\n")
print(len(OUT), "questions,", sum(o["unanswerable"] for o in OUT), "unanswerable")
