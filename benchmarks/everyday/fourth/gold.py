"""Compute the gold answers with pandas and write questions.jsonl."""

import itertools
import json
from pathlib import Path

import numpy as np
from tables import NAMES, table

c, p, s, d, w, e = [table(name) for name in NAMES]
s["item"] = s["item"].str.strip()
out = []
n_of = {}


def js(o):
    if isinstance(o, (list, tuple)):
        return [js(i) for i in o]
    if isinstance(o, np.generic):
        o = o.item()
    return None if o != o else o


def q(t, question, *answers, note):
    n_of[t] = n_of.get(t, 0) + 1
    out.append(
        dict(
            id=f"{t}-{n_of[t]}",
            table=t,
            question=question,
            answers=list({json.dumps(a): a for a in js(answers)}.values()),
            unanswerable=not answers,
            note=note,
        )
    )


def ser(x):
    return [[k, v] for k, v in x.items()]


def names(x):
    return [[k] for k in x]


def rows(df):
    return df.values.tolist()


def share(m):
    f = m.mean()
    return [f, f * 100, round(f * 100, 1), round(f * 100, 2)]


def one(k, v=None, *extra):  # name / with value
    out = [k, [[k]]]
    if v is not None:
        out.append([[k, v]])
    return out + list(extra)


def comp(g, first, second):  # is first > second?
    a, b = g[first], g[second]
    win = first if a > b else second
    return [
        bool(a > b),
        [[first, a], [second, b]],
        win,
        [[win]],
        [[win, max(a, b)]],
        [[a, b]],
        a - b,
    ]


def topn(df, col, n, lab):
    df = df.sort_values(col, ascending=False, kind="stable")
    k = df[col].iloc[n - 1]
    out = []
    for sub in [df.head(n)] + ([df[df[col] >= k]] if (df[col] >= k).sum() > n else []):
        for l in lab:
            out += [rows(sub[[l]]), rows(sub[[l, col]])]
    if (df[col] >= k).sum() > n:  # each choice of the tied last places
        sure = df[df[col] > k]
        tied = df[df[col] == k]
        for cmb in list(itertools.combinations(tied.index, n - len(sure)))[1:12]:
            sub = df.loc[list(sure.index) + list(cmb)]
            for l in lab:
                out += [rows(sub[[l]]), rows(sub[[l, col]])]
    return out


def ext(df, col, lab):
    t = df[df[col] == df[col].max()]
    return (
        one(t[lab].iloc[0], t[col].iloc[0])
        if len(t) == 1
        else [names(t[lab]), rows(t[[lab, col]])]
        + list(t[lab])
        + [[[k]] for k in t[lab]]
        + [[[k, t[col].iloc[0]]] for k in t[lab]]
    )


def over(o, y):
    return [
        bool(o < y),
        [["over 50", o], ["50 or younger", y]],
        [[True, o], [False, y]],
        [[o, y]],
        o - y,
        y - o,
        "50 or younger" if o < y else "over 50",
    ]


# cars93
q("cars93", "which columns are there", names(c.columns), note="list of columns")
x = c.sort_values("Price", ascending=False)
t = x.iloc[2]
t2 = c.sort_values("Max.Price", ascending=False).iloc[2]
q(
    "cars93",
    "what's the third most expensive car?",
    *one(t.Make, t.Price),
    t.Model,
    [[t.Model]],
    [[t.Model, t.Price]],
    [[t.Manufacturer, t.Model]],
    [[t.Manufacturer, t.Model, t.Price]],
    *([*one(t2.Make, t2["Max.Price"]), t2.Model] if t2.Make != t.Make else []),
    note="Price desc, third (alt by Max.Price)",
)
q(
    "cars93",
    "How many of the cars have no air bags?",
    int(c.AirBags.isna().sum()),
    note="AirBags None/blank",
)
g = c.groupby("Type").Horsepower.mean()
q("cars93", "avg horsepower by type", ser(g), note="mean Horsepower by Type")
q(
    "cars93",
    "top five cars for city mpg",
    *topn(c, "MPG.city", 5, ["Make", "Model"]),
    note="MPG.city desc 5",
)
q(
    "cars93",
    "What percent of the cars come from outside the US?",
    *share(c.Origin == "non-USA"),
    note="share of Origin non-USA",
)
g = c.groupby("Origin")["MPG.highway"].mean()
q(
    "cars93",
    "do foreign cars get better highway gas mileage than american ones?",
    *comp(g, "non-USA", "USA"),
    note="mean MPG.highway by Origin",
)
x = c[c.Passengers >= 7].sort_values("Price")
t = x.iloc[0]
t2 = x.sort_values("Min.Price").iloc[0]
q(
    "cars93",
    "whats the cheapest car that seats 7 or more people",
    *one(t.Make, t.Price),
    t.Model,
    [[t.Model]],
    [[t.Model, t.Price]],
    [[t.Manufacturer, t.Model]],
    [[t.Manufacturer, t.Model, t.Price]],
    *([*one(t2.Make, t2["Min.Price"]), t2.Model] if t2.Make != t.Make else []),
    note="Passengers>=7, lowest Price (alt Min.Price)",
)
m = c.Manufacturer.isin(["Ford", "Chevrolet"]) & (c.Price < 15)
m2 = c.Manufacturer.isin(["Ford", "Chevrolet"]) & (c["Min.Price"] < 15)
q(
    "cars93",
    "how many fords or chevrolets cost less than 15 thousand dollars",
    int(m.sum()),
    int(m2.sum()),
    ser(c[m].Manufacturer.value_counts()),
    note="Price in thousands < 15 (midrange Price; alt Min.Price)",
)
v = c.Manufacturer.value_counts()
mx = v[v == v.max()]
q(
    "cars93",
    "Which manufacturer has the most models?",
    ser(mx),
    names(mx.index),
    *[k for k in mx.index],
    *[[[k]] for k in mx.index],
    *[[[k, int(v[k])]] for k in mx.index],
    note="count by Manufacturer; tie",
)
q("cars93", "what is the top speed of the Corvette", note="not in the table")
q("cars93", "How many Honda Civics were sold in 1993?", note="not in the table")

# planes
q("planes", "how many planes are in here", len(p), int(p.tailnum.nunique()), note="row count")
y = p[p.year == p.year.min()]
q(
    "planes",
    "What is the tail number of the oldest plane, and what year was it built?",
    rows(y.assign(year=y.year.astype(int))[["tailnum", "year"]]),
    note="min year",
)
q(
    "planes",
    "number of planes for each kind of engine",
    ser(p.engine.value_counts()),
    note="count by engine",
)
v = p.manufacturer.value_counts()
merged = p.manufacturer.replace(
    {
        "AIRBUS INDUSTRIE": "AIRBUS",
        "MCDONNELL DOUGLAS AIRCRAFT CO": "MCDONNELL DOUGLAS",
        "MCDONNELL DOUGLAS CORPORATION": "MCDONNELL DOUGLAS",
    }
).value_counts()
q(
    "planes",
    "top 3 manufacturers by number of planes",
    ser(v.head(3)),
    names(v.head(3).index),
    ser(merged.head(3)),
    names(merged.head(3).index),
    note="count by manufacturer as written; alt merges the spellings of one maker",
)
q("planes", "how many planes don't have a year", int(p.year.isna().sum()), note="year missing")
q(
    "planes",
    "average number of seats on a boeing",
    p[p.manufacturer == "BOEING"].seats.mean(),
    [["BOEING", p[p.manufacturer == "BOEING"].seats.mean()]],
    note="mean seats, manufacturer BOEING",
)
q(
    "planes",
    "What percentage of planes have no speed listed?",
    *share(p.speed.isna()),
    note="share speed missing",
)
q(
    "planes",
    "How many planes have more than two engines?",
    int((p.engines > 2).sum()),
    note="engines > 2",
)
mm = p[p.seats == p.seats.max()].model.unique()
q(
    "planes",
    "which model seats the most people",
    names(mm),
    [[k, int(p.seats.max())] for k in mm],
    *list(mm if len(mm) == 1 else []),
    note="model(s) with max seats",
)
q(
    "planes",
    "how many planes were built between 1990 and 1999",
    int(p.year.between(1990, 1999).sum()),
    note="year 1990..1999 inclusive",
)
q("planes", "which airline owns the most planes?", note="not in the table")
q("planes", "how much does a 757-232 weigh", note="not in the table")

# starbucks
q("starbucks", "What food has the most calories?", *ext(s, "calories", "item"), note="max calories")
q(
    "starbucks",
    "average calories by type",
    ser(s.groupby("type").calories.mean()),
    note="mean calories by type",
)
q("starbucks", "how many items have zero fiber", int((s.fiber == 0).sum()), note="fiber == 0")
t = s[s.protein > 20]
q(
    "starbucks",
    "list everything with more than 20 grams of protein",
    names(t.item),
    rows(t[["item", "protein"]]),
    rows(t),
    note="protein > 20",
)
q("starbucks", "top 5 fattiest items", *topn(s, "fat", 5, ["item"]), note="fat desc 5")
q(
    "starbucks",
    "how many bakery things are under 300 calories",
    int(((s.type == "bakery") & (s.calories < 300)).sum()),
    note="type bakery, calories<300",
)
g = s.groupby("type").protein.mean()
q(
    "starbucks",
    "Which type of food has the highest protein on average?",
    *one(g.idxmax(), g.max()),
    note="mean protein by type, max",
)
q(
    "starbucks",
    "what share of the menu is bakery",
    *share(s.type == "bakery"),
    (s.type == "bakery").sum() / len(s),
    note="share of bakery",
)
g = s.groupby("type").calories.mean()
q(
    "starbucks",
    "do sandwiches have more calories than bakery items on average?",
    *comp(g, "sandwich", "bakery"),
    note="mean calories, sandwich vs bakery",
)
vals = sorted(s.carb.unique(), reverse=True)
sec = s[s.carb == vals[1]]
first = s[s.carb == vals[0]]
a = [names(sec.item), rows(sec[["item", "carb"]])]
for k in sec.item:
    a += one(k, int(vals[1]))
if len(first) > 1:
    for k in first.item:
        a += one(k, int(vals[0]))
q(
    "starbucks",
    "What is the second highest carb item?",
    *a,
    note="carb, second highest (either tied reading)",
)
q("starbucks", "how much sugar is in the blueberry scone", note="not in the table")
q("starbucks", "whats the cheapest thing on the menu", note="not in the table")

# diamonds
q("diamonds", "avg price by cut", ser(d.groupby("cut").price.mean()), note="mean price by cut")
q(
    "diamonds",
    "How many diamonds cost over $10,000?",
    int((d.price > 10000).sum()),
    note="price>10000",
)
q("diamonds", "how many carats is the biggest diamond", d.carat.max(), note="max carat")
v = d.clarity.value_counts()
q(
    "diamonds",
    "which clarity is the most common",
    *one(v.index[0], int(v.iloc[0])),
    note="mode of clarity",
)
q(
    "diamonds",
    "what fraction of the diamonds are ideal cut",
    *share(d.cut == "Ideal"),
    note="share Ideal",
)
z = d.isna().sum()
q(
    "diamonds",
    "are there any missing values?",
    False,
    0,
    "no",
    ser(z),
    note=f"total missing {int(z.sum())}",
)
q(
    "diamonds",
    "median price of diamonds that are exactly 1 carat",
    d[d.carat == 1].price.median(),
    note="carat==1.0 median price",
)
m = d.cut.isin(["Premium", "Ideal"]) & (d.color == "D")
q(
    "diamonds",
    "How many premium or ideal diamonds are color D?",
    int(m.sum()),
    ser(d[m].cut.value_counts()),
    note="cut in Premium, Ideal and color D",
)
q(
    "diamonds",
    "average carat for each color, biggest first",
    ser(d.groupby("color").carat.mean().sort_values(ascending=False)),
    note="mean carat by color desc",
)
f = d[d.cut == "Fair"].price
q(
    "diamonds",
    "what are the lowest and highest price for the fair ones",
    [[int(f.min()), int(f.max())]],
    [["min", int(f.min())], ["max", int(f.max())]],
    [["Fair", int(f.min()), int(f.max())]],
    [[int(f.min())], [int(f.max())]],
    note="cut Fair min and max price",
)
q("diamonds", "which store sold the most expensive diamond?", note="not in the table")
q("diamonds", "avg price of lab grown diamonds", note="not in the table")

# wages
g = w.groupby("gender").wage.mean()
q("wages", "Do men earn more than women?", *comp(g, "male", "female"), note="mean wage by gender")
q("wages", "whats the average wage", w.wage.mean(), note="mean wage")
q("wages", "how many people are in a union", int((w.union == "yes").sum()), note="union yes")
g = w.groupby("occupation").wage.mean().nlargest(3)
q(
    "wages",
    "top three best paid occupations on average",
    ser(g),
    names(g.index),
    note="mean wage by occupation top 3",
)
q(
    "wages",
    "What percentage of the women are married?",
    *share(w[w.gender == "female"].married == "yes"),
    note="married share among female",
)
g = w.groupby("region").wage.mean()
q(
    "wages",
    "average pay in the south compared to everywhere else",
    [["south", g["south"]], ["other", g["other"]]],
    [[g["south"], g["other"]]],
    g["south"] - g["other"],
    g["other"] - g["south"],
    note="mean wage by region",
)
q(
    "wages",
    "how many people have 16 or more years of education",
    int((w.education >= 16).sum()),
    note="education>=16",
)
t = w[w.wage == w.wage.max()]
q(
    "wages",
    "How much does the highest paid person make per hour and what kind of job do they have?",
    rows(t[["wage", "occupation"]]),
    rows(t[["occupation", "wage"]]),
    rows(t[["wage", "occupation", "sector"]]),
    note="row(s) with max wage",
)
g = w.groupby("union").wage.mean()
q(
    "wages",
    "what's the difference in average wage between union and non-union people",
    g["yes"] - g["no"],
    g["no"] - g["yes"],
    [["yes", g["yes"]], ["no", g["no"]]],
    note="mean wage union yes minus no",
)
q(
    "wages",
    "how many people in their thirties aren't married",
    int((w.age.between(30, 39) & (w.married == "no")).sum()),
    note="age 30..39, married no",
)
q("wages", "how many kids do they have on average", note="not in the table")
q("wages", "What is the average wage in California?", note="not in the table")

# evals
q(
    "evals",
    "How many different professors are there?",
    int(e.prof_id.nunique()),
    note="distinct prof_id",
)
pm = e.groupby("prof_id").agg(
    score=("score", "mean"),
    gender=("gender", "first"),
    rank=("rank", "first"),
    age=("age", "first"),
)
q(
    "evals",
    "average score for men and women",
    ser(e.groupby("gender").score.mean()),
    ser(pm.groupby("gender").score.mean()),
    note="mean score by gender (courses); alt mean over professors",
)
g = e.groupby("rank").score.mean()
q(
    "evals",
    "which rank of professor gets the best scores on average",
    *one(g.idxmax(), g.max()),
    note="mean score by rank, best",
)
mn, mx = int(e.age.min()), int(e.age.max())
q(
    "evals",
    "how old are the youngest and oldest professors",
    [[mn, mx]],
    [["min", mn], ["max", mx]],
    [[mn], [mx]],
    [["youngest", mn], ["oldest", mx]],
    note="min and max age",
)
st = e.cls_students.sort_values(ascending=False)
u = sorted(e.cls_students.unique(), reverse=True)
r = e[e.cls_students == u[1]]
a = [int(u[1])] + ([int(st.iloc[1])] if st.iloc[1] != u[1] else [])
a += [[[int(i), int(u[1])]] for i in r.course_id]
q(
    "evals",
    "What is the number of students in the second biggest class?",
    *a,
    note="second largest cls_students",
)
q(
    "evals",
    "how many classes have fewer than twenty students",
    int((e.cls_students < 20).sum()),
    note="cls_students<20",
)
q(
    "evals",
    "What percent of the courses are taught by someone who is not a minority?",
    *share(e.ethnicity == "not minority"),
    note="share ethnicity not minority",
)


a = over(e[e.age > 50].score.mean(), e[e.age <= 50].score.mean())
q(
    "evals",
    "do professors over 50 get lower scores than the younger ones?",
    *a,
    *over(pm[pm.age > 50].score.mean(), pm[pm.age <= 50].score.mean())[1:4],
    note="mean score age>50 vs <=50; alt mean over professors",
)
q(
    "evals",
    "5 courses where the most students filled out the evaluation",
    *topn(e, "cls_did_eval", 5, ["course_id"]),
    note="cls_did_eval desc 5",
)
q(
    "evals",
    "How many upper level courses are not taught by tenured professors?",
    int(((e.cls_level == "upper") & (e["rank"] != "tenured")).sum()),
    note="upper level, rank not tenured",
)
q("evals", "which department is professor 12 in", note="not in the table")
q("evals", "what is the average salary of the tenured professors?", note="not in the table")

assert set(n_of.values()) == {12}
with (Path(__file__).parent / "questions.jsonl").open("w") as lines:
    for o in out:
        lines.write(json.dumps(o) + "\n")
