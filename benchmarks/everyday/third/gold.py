"""Compute the gold answers with pandas and write questions.jsonl."""

import itertools
import json
from pathlib import Path

import pandas as pd
from tables import NAMES, table

T = {name: table(name) for name in NAMES}
out = []
n_of = {}


def py(v):
    if isinstance(v, (list, tuple)):
        return [py(x) for x in v]
    if isinstance(v, pd.Timestamp):
        return v.strftime("%Y-%m-%d")
    if hasattr(v, "item"):
        v = v.item()
    if isinstance(v, float):
        return None if v != v else int(v) if v == int(v) else round(v, 6)
    return v


def q(t, question, *answers, note):
    n_of[t] = n_of.get(t, 0) + 1
    out.append(
        dict(
            id=f"{t}-{n_of[t]}",
            table=t,
            question=question,
            answers=list({json.dumps(a): a for a in py(answers)}.values()),
            unanswerable=not answers,
            note=note,
        )
    )


def tab(s):
    return [[*(k if isinstance(k, tuple) else (k,)), v] for k, v in s.items()]


def names(x):
    return [[v] for v in x]


def rows(d, *cols):
    return d[list(cols)].astype(object).values.tolist()


def share(mask):
    return [100 * mask.mean(), mask.mean()]


def cmp(s, first, second):
    """Is `first` above `second`: yes or no, both values, the winner, the difference."""
    a, b = s[first], s[second]
    big = first if a > b else second
    return [bool(a > b), tab(s), big, a - b, abs(a - b), [[a, b]], [[b, a]], [[big, max(a, b)]]]


def named(df, val, one=False):
    """Name the cars in every way that an answer may."""
    df = df.assign(full=df.mfr + " " + df.model)
    o = [
        rows(df, "model"),
        rows(df, "mfr", "model"),
        rows(df, "mfr", "model", val),
        rows(df, "model", val),
        rows(df, "full"),
        rows(df, "full", val),
    ]
    if one:
        r = df.iloc[0]
        o = [r.model, r.full, *o]
    return o


def bnamed(df, val, one=False):
    o = [
        rows(df, "name"),
        rows(df, "name", val),
        rows(df, "name", "team"),
        rows(df, "name", "team", val),
    ]
    if one:
        o = [df.iloc[0]["name"], *o]
    return o


def topn(df, val, n, fn, asc=False):
    s = df.dropna(subset=[val]).sort_values(val, ascending=asc, kind="stable")
    a = s.head(n)
    cut = a[val].iloc[-1]
    allt = s[s[val] <= cut] if asc else s[s[val] >= cut]
    tied = len(allt) > n
    o = fn(a, val)
    if tied:
        o += fn(allt, val)
        # other choices of the tied tail
        sure = s[s[val] < cut] if asc else s[s[val] > cut]
        tie = s[s[val] == cut]
        k = n - len(sure)
        if len(tie) <= 8:
            for c in itertools.combinations(range(len(tie)), k):
                o += fn(pd.concat([sure, tie.iloc[list(c)]]), val)
    return o


# ---- mcu
t = "mcu_films"
d = T[t]
d["dt"] = pd.to_datetime(d.release_date, format="%m/%d/%Y")
d["mins"] = d.length_hrs * 60 + d.length_min
w = d.nlargest(1, "gross_world").iloc[0]
q(
    t,
    "which movie made the most money worldwide",
    w.movie,
    [[w.movie, w.gross_world]],
    note="max gross_world",
)
x = d.nlargest(5, "gross_us")
q(
    t,
    "top 5 films by us gross",
    rows(x, "movie", "gross_us"),
    names(x.movie),
    note="top 5 gross_us",
)
x = d[d.dt.dt.year == 2018]
q(t, "How many Marvel movies came out in 2018?", len(x), names(x.movie), note="release year 2018")
q(
    t,
    "What's the average opening weekend?",
    d.opening_weekend_us.mean(),
    note="mean opening_weekend_us",
)
x = d[d.gross_world > 1e9].sort_values("gross_world", ascending=False)
q(
    t,
    "which movies made over a billion dollars worldwide",
    names(x.movie),
    rows(x, "movie", "gross_world"),
    note="gross_world>1e9",
)
x = d.nlargest(1, "mins").iloc[0]
q(
    t,
    "What is the longest movie?",
    x.movie,
    [[x.movie, x.mins]],
    [[x.movie, x.length_hrs, x.length_min]],
    [[x.movie, x.mins / 60]],
    note="hrs*60+min",
)
q(
    t,
    "how many of the films run longer than two hours?",
    int((d.mins > 120).sum()),
    note="hrs*60+min > 120",
)
x = d[d.movie == "Black Panther"].iloc[0]
q(
    t,
    "When did Black Panther come out?",
    x["dt"],
    x.release_date,
    [[x.movie, x["dt"]]],
    2018,
    note="release_date",
)
q(t, "who directed Thor?", note="no director")
x = d[d.movie.str.contains("Avengers")]
q(
    t,
    "total worldwide gross of all the Avengers movies",
    x.gross_world.sum(),
    note="name contains Avengers, sum gross_world: " + ", ".join(x.movie),
)
a = d.set_index("movie").gross_world
u = d.set_index("movie").gross_us
pair = [["Doctor Strange", a["Doctor Strange"]], ["Ant-Man", a["Ant-Man"]]]
us = [["Doctor Strange", u["Doctor Strange"]], ["Ant-Man", u["Ant-Man"]]]
win = a["Doctor Strange"] > a["Ant-Man"]
assert win == (u["Doctor Strange"] > u["Ant-Man"])
q(
    t,
    "Did Doctor Strange make more than Ant-Man?",
    bool(win),
    pair,
    us,
    [[n, u[n], a[n]] for n in ("Doctor Strange", "Ant-Man")],
    "Doctor Strange" if win else "Ant-Man",
    a["Doctor Strange"] - a["Ant-Man"],
    u["Doctor Strange"] - u["Ant-Man"],
    note="gross_world (or us)",
)
q(t, "What rating did Iron Man 3 get from the critics?", note="no rating")

# ---- nba
t = "nba_players"
d = T[t]
d["full"] = d.first_name + " " + d.last_name.fillna("")
d["full"] = d.full.str.strip()
x = d.team.value_counts()
xa = d.team_abbr.value_counts()
q(t, "how many players are there on each team", tab(x), tab(xa), note="count by team")
x = d[d.height == d.height.max()]
q(
    t,
    "who's the tallest player?",
    names(x.full),
    rows(x, "first_name", "last_name"),
    rows(x, "first_name", "last_name", "height"),
    rows(x, "full", "height"),
    *x.full,
    *[[[r.full, r.height]] for r in x.itertuples()],
    *[[[r.first_name, r.last_name, r.height]] for r in x.itertuples()],
    *[[[r.first_name, r.last_name]] for r in x.itertuples()],
    *x.last_name,
    note="max height, ties",
)
q(
    t,
    "average height by position",
    tab(d.groupby("position").height.mean()),
    note="mean height in inches by position",
)
l = d[d.team == "Lakers"]
q(
    t,
    "How many guards do the Lakers have?",
    int((l.position == "Guard").sum()),
    int(l.position.str.contains("Guard").sum()),
    note="position Guard exactly; or containing Guard",
)
x = d[d.number == 23]
q(
    t,
    "which players wear number 23?",
    rows(x, "first_name", "last_name"),
    names(x.full),
    rows(x, "full", "team"),
    rows(x, "first_name", "last_name", "team"),
    rows(x, "first_name", "last_name", "number"),
    names(x.last_name),
    note="number==23",
)
x = d.last_name.value_counts()
q(t, "most common last name", x.index[0], [[x.index[0], x.iloc[0]]], note="mode last_name")
q(
    t,
    "What percentage of the players are centers?",
    *share(d.position == "Center"),
    *share(d.position.str.contains("Center")),
    note="Center exactly; or containing Center",
)
q(t, "how much does LeBron James earn?", note="no salary")
x = d.groupby("team").height.mean().sort_values(ascending=False)
ab = d.drop_duplicates("team").set_index("team").team_abbr
q(
    t,
    "Which team is the tallest on average?",
    x.index[0],
    [[x.index[0], x.iloc[0]]],
    ab[x.index[0]],
    [[ab[x.index[0]], x.iloc[0]]],
    note="mean height by team, max",
)
x = d[d.number.isna()]
q(
    t,
    "are there any players without a jersey number?",
    True,
    len(x),
    names(x.full),
    rows(x, "first_name", "last_name"),
    *([x.full.iloc[0]] if len(x) == 1 else []),
    note="number missing",
)
q(t, "how many guys are over 7 feet tall", int((d.height > 84).sum()), note="height > 84 in")
q(t, "How many points per game did Stephen Curry average?", note="no points")

# ---- pizzas
t = "pizzas"
d = T[t]
d["dt"] = pd.to_datetime(d.date)
q(t, "how many pizzas were sold in total?", len(d), note="rows (one pizza each)")
x = d.name.value_counts()
rv = d.groupby("name").price.sum().sort_values(ascending=False)
q(
    t,
    "best selling pizza",
    x.index[0],
    [[x.index[0], x.iloc[0]]],
    rv.index[0],
    [[rv.index[0], rv.iloc[0]]],
    note="most rows by name; alt: most revenue",
)
q(t, "avg price by size", tab(d.groupby("size").price.mean()), note="mean price by size")
q(
    t,
    "How much money did they make in July?",
    d[d.dt.dt.month == 7].price.sum(),
    note="sum price July 2015",
)
x = d.date.value_counts().head(4)
o = d.groupby("date").id.nunique().sort_values(ascending=False)
r = d.groupby("date").price.sum().sort_values(ascending=False)
q(
    t,
    "what were the three busiest days",
    tab(x.head(3)),
    names(x.index[:3]),
    tab(o.head(3)),
    names(o.index[:3]),
    note="pizzas by date; alt: orders by date",
)
q(
    t,
    "What share of the pizzas were veggie?",
    *share(d.type == "veggie"),
    note="type veggie / all",
)
q(t, "how many different orders were there", d.id.nunique(), note="distinct id")
c = d.type.value_counts()
pair = [["chicken", c["chicken"]], ["veggie", c["veggie"]]]
q(
    t,
    "did they sell more chicken or veggie pizzas?",
    max(pair, key=lambda z: z[1])[0],
    pair,
    [max(pair, key=lambda z: z[1])],
    c["chicken"] > c["veggie"],
    note="count by type",
)
m = d[d.price == d.price.max()]
mr = m.iloc[0]
q(
    t,
    "Which pizza is the most expensive?",
    mr["name"],
    [[mr["name"], mr.price]],
    [[mr["name"], mr["size"], mr.price]],
    [[mr["name"], mr["size"]]],
    *(lambda s: [s.index[0], [[s.index[0], s.iloc[0]]]])(
        d.groupby("name").price.mean().sort_values(ascending=False)
    ),
    note="max price; alt: highest mean price by name",
)
q(
    t,
    "how many large pepperoni pizzas were ordered on december 31?",
    int(((d.name == "pepperoni") & (d["size"] == "L") & (d.date == "2015-12-31")).sum()),
    note="name pepperoni, size L, 2015-12-31",
)
q(
    t,
    "How many pizzas were delivered and how many were picked up?",
    note="no delivery info",
)
q(t, "whats the average tip", note="no tips")

# ---- penguins
t = "penguins"
d = T[t]
q(t, "What columns are there?", names(d.columns), note="column names")
q(
    t,
    "average weight by species",
    tab(d.groupby("species").body_mass_g.mean()),
    [[k, v / 1000] for k, v in d.groupby("species").body_mass_g.mean().items()],
    note="mean body_mass_g",
)
q(
    t,
    "How many penguins live on Dream island?",
    int((d.island == "Dream").sum()),
    note="island Dream",
)
g = d.groupby("species").flipper_length_mm.mean().sort_values(ascending=False)
gm = d.groupby("species").flipper_length_mm.max().sort_values(ascending=False)
q(
    t,
    "which species has the longest flippers",
    g.index[0],
    [[g.index[0], g.iloc[0]]],
    gm.index[0],
    [[gm.index[0], gm.iloc[0]]],
    note="mean (or max) flipper length",
)
q(t, "how many penguins have no sex written down?", int(d.sex.isna().sum()), note="sex missing")
b = d.groupby("species").bill_length_mm.mean()
df = b["Chinstrap"] - b["Adelie"]
q(
    t,
    "How much longer is the average chinstrap bill than the average adelie bill?",
    df,
    [["Adelie", b["Adelie"]], ["Chinstrap", b["Chinstrap"]]],
    100 * df / b["Adelie"],
    note="difference of mean bill_length_mm",
)
e = d[d.species == "Gentoo"]
q(
    t,
    "what percent of the gentoos are female",
    *share(e.sex == "female"),
    *share(e.sex.dropna() == "female"),
    note="female/all Gentoo; alt: of known sex",
)
s = d.groupby("sex").body_mass_g.mean()
q(
    t,
    "Are the males heavier than the females?",
    bool(s["male"] > s["female"]),
    tab(s),
    "male",
    s["male"] - s["female"],
    [["male", s["male"]]],
    note="mean body_mass_g by sex",
)
m = d.body_mass_g
q(
    t,
    "how many penguins weigh between 4 and 5 kilos?",
    int(m.between(4000, 5000).sum()),
    int(((m > 4000) & (m < 5000)).sum()),
    int(((m >= 4000) & (m < 5000)).sum()),
    note="body_mass_g 4000..5000, ends in or out",
)
q(t, "how many eggs did the adelie penguins lay?", note="no eggs")
q(
    t,
    "penguins seen in 2008 that were not on biscoe, how many?",
    int(((d.year == 2008) & (d.island != "Biscoe")).sum()),
    note="year 2008, island != Biscoe",
)
q(t, "whats the average weight of the emperor penguins", note="no Emperor species")

# ---- arrests
t = "arrests"
d = T[t]
q(t, "arrests per year", tab(d.year.value_counts().sort_index()), note="count by year")
q(t, "What is the average age of the people arrested?", d.age.mean(), note="mean age")
q(
    t,
    "what percent of them were released?",
    *share(d.released == "Yes"),
    note="released Yes / all",
)
rr = (d.released == "Yes").groupby(d.colour).mean()
rc = (d.released == "Yes").groupby(d.colour).sum()
q(
    t,
    "Were black people released less often than white people?",
    bool(rr["Black"] < rr["White"]),
    tab(rr),
    [[k, 100 * v] for k, v in rr.items()],
    tab(rc),
    tab(d.groupby(["colour", "released"]).size()),
    "Black",
    rr["White"] - rr["Black"],
    100 * (rr["White"] - rr["Black"]),
    note="release rate by colour (counts agree)",
)
q(
    t,
    "how many girls under 18 were arrested",
    int(((d.sex == "Female") & (d.age < 18)).sum()),
    note="Female and age<18",
)
y = d.year.value_counts()
q(
    t,
    "which year had the most arrests?",
    y.index[0],
    [[y.index[0], y.iloc[0]]],
    note="max count by year",
)
q(
    t,
    "How many of the people arrested had no job and were not citizens?",
    int(((d.employed == "No") & (d.citizen == "No")).sum()),
    note="employed No and citizen No",
)
q(t, "how old was the youngest person arrested", d.age.min(), note="min age")
q(t, "how much marijuana were they carrying on average?", note="no quantity")
q(
    t,
    "how many people had more than three previous checks?",
    int((d.checks > 3).sum()),
    note="checks>3",
)
q(t, "Which neighbourhood had the most arrests?", note="no place")
a = d.groupby("employed").age.mean()
q(
    t,
    "compare the avg age of people with a job and people without",
    [["Yes", a["Yes"]], ["No", a["No"]]],
    a["Yes"] - a["No"],
    a["No"] - a["Yes"],
    note="mean age by employed",
)

# ---- london
t = "london_murders"
d = T[t]
d["dt"] = pd.to_datetime(d.date)
q(t, "number of murders per year", tab(d.year.value_counts().sort_index()), note="count by year")
b = d.borough.value_counts()
q(
    t,
    "Which five boroughs had the most murders?",
    names(b.index[:5]),
    tab(b.head(5)),
    note="top 5 by count",
)
q(
    t,
    "how many people were killed in hackney in 2008",
    int(((d.borough == "Hackney") & (d.year == 2008)).sum()),
    note="borough Hackney, year 2008",
)
x = d[d.age == d.age.max()]
q(
    t,
    "who was the oldest victim?",
    *(x.forename.tolist()),
    names(x.forename),
    rows(x, "forename", "age"),
    *([[r] for r in rows(x, "forename", "age")]),
    note="max age",
)
q(
    t,
    "average age of the victims in Lambeth",
    d[d.borough == "Lambeth"].age.mean(),
    note="mean age in Lambeth",
)
q(t, "What weapon was used most often?", note="no weapon")
q(t, "how many of the victims were teenagers?", int(d.age.between(13, 19).sum()), note="age 13..19")
q(
    t,
    "How many murders happened in December?",
    int((d.dt.dt.month == 12).sum()),
    tab(d[d.dt.dt.month == 12].year.value_counts().sort_index()),
    note="month 12, all years",
)
y = d.date.value_counts()
q(t, "what was the deadliest day", y.index[0], [[y.index[0], y.iloc[0]]], note="most rows by date")
q(t, "How many of the killers were caught?", note="no outcome")
q(
    t,
    "were there more murders in Hackney than in Camden?",
    bool(b["Hackney"] > b["Camden"]),
    [["Hackney", b["Hackney"]], ["Camden", b["Camden"]]],
    "Hackney" if b["Hackney"] > b["Camden"] else "Camden",
    b["Hackney"] - b["Camden"],
    [["Hackney", b["Hackney"]]],
    note="count by borough",
)
f = b[b < 10]
q(
    t,
    "which boroughs had fewer than ten murders",
    names(f.index),
    tab(f),
    note="count by borough <10",
)

# ---------- gtcars
g = T["gtcars"]
s = g.ctry_origin.value_counts()
q("gtcars", "how many cars are there from each country", tab(s), note="count by ctry_origin")
q(
    "gtcars",
    "whats the most expensive car",
    *named(g.nlargest(1, "msrp", keep="all"), "msrp", True),
    note="max msrp",
)
q(
    "gtcars",
    "avg price by body style",
    tab(g.groupby("bdy_style").msrp.mean()),
    note="mean msrp by bdy_style",
)
q("gtcars", "How many Ferraris are in the list?", (g.mfr == "Ferrari").sum(), note="mfr == Ferrari")
v = sorted(g.hp.unique())[-3]
d = g[g.hp == v]
r3 = g.sort_values("hp", ascending=False, kind="stable").iloc[2:3]
q(
    "gtcars",
    "Which car has the third most horsepower?",
    *named(d, "hp", len(d) == 1),
    *named(r3, "hp", True),
    *([a for i in range(len(d)) for a in named(d.iloc[[i]], "hp", True)] if len(d) > 1 else []),
    note="third highest hp (distinct value or row)",
)
q(
    "gtcars",
    "top 5 cars by highway mpg",
    *topn(g, "mpg_h", 5, named),
    note="top 5 mpg_h, tie readings",
)
q(
    "gtcars",
    "do german cars cost more than italian ones on average?",
    *cmp(
        g[g.ctry_origin.isin(["Germany", "Italy"])].groupby("ctry_origin").msrp.mean(),
        "Germany",
        "Italy",
    ),
    note="mean msrp Germany vs Italy",
)
q(
    "gtcars",
    "what percentage of the cars are convertibles?",
    *share(g.bdy_style == "convertible"),
    note="share bdy_style convertible",
)
d = g[(g.msrp < 100000) & (g.hp > 500)]
q(
    "gtcars",
    "Which cars under $100,000 have more than 500 horsepower?",
    *named(d, "msrp"),
    *named(d, "hp"),
    *[
        rows(d.assign(full=d.mfr + " " + d.model), *c)
        for c in (
            ("mfr", "model", "msrp", "hp"),
            ("mfr", "model", "hp", "msrp"),
            ("model", "msrp", "hp"),
            ("model", "hp", "msrp"),
            ("full", "hp", "msrp"),
            ("full", "msrp", "hp"),
        )
    ],
    *([d.model.iloc[0]] if len(d) == 1 else []),
    note="msrp<100000 and hp>500",
)
d = g[g.mpg_c.isna() | g.mpg_h.isna()]
q(
    "gtcars",
    "which car is missing its mpg",
    *named(d, "mpg_c", len(d) == 1),
    note="mpg_c / mpg_h null",
)
q("gtcars", "how long does each car take to go from 0 to 60?", note="no acceleration column")
q("gtcars", "What is the cheapest Toyota?", note="no Toyota in mfr")

# ---------- births
b = T["births"]
q(
    "births",
    "What columns does this table have?",
    [[c] for c in b.columns],
    [[c, i] for c, i in zip(b.columns, b.dtypes.astype(str).replace("object", "str"), strict=True)],
    ", ".join(b.columns),
    note="column names",
)
q(
    "births",
    "how many babies were born prematurely?",
    (b.premie == "premie").sum(),
    (b.weeks < 37).sum(),
    note="premie == premie",
)
q(
    "births",
    "average birth weight for smokers vs non smokers",
    tab(b.dropna(subset=["habit"]).groupby("habit").weight.mean()),
    tab(b.assign(habit=b.habit.fillna("")).groupby("habit").weight.mean()),
    [
        [None if k == "" else k, v]
        for k, v in tab(b.assign(habit=b.habit.fillna("")).groupby("habit").weight.mean())
    ],
    note="mean weight by habit; nulls left out, or shown as own group",
)
q(
    "births",
    "how heavy was the heaviest baby",
    b.weight.max(),
    [[b.weight.max()]],
    note="max weight",
)
q(
    "births",
    "what percent of the moms are not married",
    *share(b.marital == "not married"),
    note="share not married",
)
q("births", "how many dads have no age recorded?", b.fage.isna().sum(), note="fage null")
m, f = b.mage.mean(), b.fage.mean()
q(
    "births",
    "average age of mothers and fathers",
    [[m, f]],
    [[f, m]],
    [["mage", m], ["fage", f]],
    [["fage", f], ["mage", m]],
    [["mothers", m], ["fathers", f]],
    [[m], [f]],
    note="means of mage and fage (nulls skipped)",
)
q(
    "births",
    "How many boys weighed more than 9 pounds?",
    ((b.sex == "male") & (b.weight > 9)).sum(),
    note="sex male and weight>9",
)
q(
    "births",
    "did mature moms have more hospital visits than younger moms?",
    *cmp(b.groupby("mature").visits.mean(), "mature mom", "younger mom"),
    tab(b.groupby("mature").visits.median()),
    note="mean visits by mature",
)
q(
    "births",
    "how many mothers were between 20 and 25 years old",
    b.mage.between(20, 25).sum(),
    ((b.mage > 20) & (b.mage < 25)).sum(),
    note="mage 20..25 inclusive; alt exclusive",
)
q("births", "which hospital had the most births", note="no hospital column")
q("births", "what is the average height of the babies?", note="no height/length column")

# ---------- salaries
s_ = T["salaries"]
q(
    "salaries",
    "how many people are NOT full professors",
    (s_["rank"] != "Prof").sum(),
    tab(s_[s_["rank"] != "Prof"]["rank"].value_counts()),
    note="rank != Prof",
)
q(
    "salaries",
    "do men earn more than women?",
    *cmp(s_.groupby("sex").salary.mean(), "Male", "Female"),
    tab(s_.groupby("sex").salary.median()),
    note="mean salary by sex (median alt)",
)
q(
    "salaries",
    "avg salary by rank",
    tab(s_.groupby("rank").salary.mean()),
    note="mean salary by rank",
)
v = s_[s_.sex == "Female"].salary.max()
d = s_[(s_.sex == "Female") & (s_.salary == v)]
q(
    "salaries",
    "what is the highest salary any woman gets",
    v,
    [[v]],
    rows(d, *s_.columns),
    note="max salary where Female",
)
q(
    "salaries",
    "how many female full professors are there",
    ((s_.sex == "Female") & (s_["rank"] == "Prof")).sum(),
    note="Female and Prof",
)
q("salaries", "What share of the staff are women?", *share(s_.sex == "Female"), note="share Female")
mm = s_.groupby("discipline").salary.mean()
md = s_.groupby("discipline").salary.median()
q(
    "salaries",
    "salary difference between discipline A and B",
    mm["B"] - mm["A"],
    mm["A"] - mm["B"],
    tab(mm),
    md["B"] - md["A"],
    md["A"] - md["B"],
    tab(md),
    note="difference of mean salary (either sign; median alt; two-row table)",
)
q("salaries", "how many people make over 150k", (s_.salary > 150000).sum(), note="salary > 150000")
q(
    "salaries",
    "median salary of professors with more than 20 years of service",
    s_[(s_["rank"] == "Prof") & (s_["yrs.service"] > 20)].salary.median(),
    s_[s_["yrs.service"] > 20].salary.median(),
    note="Prof & yrs.service>20 median; alt all ranks are professors",
)
vc = s_["rank"].value_counts()
k = vc.idxmin()
q(
    "salaries",
    "Which rank has the fewest people?",
    k,
    [[k, vc[k]]],
    [[k]],
    note="least frequent rank",
)
q("salaries", "what are the names of the five best paid professors", note="no names")
q("salaries", "how many of them have children?", note="no children column")

# ---------- loans
l = T["loans"]
n, total = len(l), l.loan_amount.sum()
q(
    "loans",
    "how many loans are there in total and how much money was lent",
    [[n, total]],
    [[total, n]],
    [[n], [total]],
    [["count", n], ["total", total]],
    note="row count and sum loan_amount",
)
q(
    "loans",
    "average interest rate for each grade",
    tab(l.groupby("grade").interest_rate.mean()),
    note="mean interest_rate by grade",
)
vc = l.state.value_counts()
q(
    "loans",
    "which five states have the most loans",
    [[k] for k in vc.index[:5]],
    tab(vc.head(5)),
    note="top 5 state counts",
)
vc = l.loan_purpose.value_counts()
k = vc.idxmax()
q(
    "loans",
    "what is the most common reason for taking a loan",
    k,
    [[k, vc[k]]],
    [[k]],
    note="mode of loan_purpose",
)
q(
    "loans",
    "how many people rent their home?",
    (l.homeownership == "RENT").sum(),
    note="homeownership RENT",
)
q(
    "loans",
    "what percentage of loans are fully paid",
    *share(l.loan_status == "Fully Paid"),
    note="share Fully Paid",
)
q(
    "loans",
    "Do joint applications borrow more than individual ones?",
    *cmp(l.groupby("application_type").loan_amount.mean(), "joint", "individual"),
    tab(l.groupby("application_type").loan_amount.median()),
    note="mean loan_amount by application_type",
)
c = l.state.isin(["CA", "TX"])
late = l.loan_status.str.startswith("Late")
grace = l.loan_status == "In Grace Period"
q(
    "loans",
    "how many loans in california or texas are late",
    (c & late).sum(),
    tab(l[c & late].state.value_counts()),
    (c & (late | grace)).sum(),
    tab(l[c & late].loan_status.value_counts()),
    note="state CA or TX, status Late (16-30) or Late (31-120); alt with In Grace Period",
)
d = l[l.loan_purpose == "vacation"]
v = d.loan_amount.max()
q(
    "loans",
    "biggest loan taken for a vacation",
    v,
    [[v]],
    rows(d[d.loan_amount == v], "state", "loan_amount"),
    note="max loan_amount where vacation",
)
w = l.emp_title.isna().sum()
blank = (l.emp_title.fillna("x").str.strip() == "").sum()
q(
    "loans",
    "how many borrowers didn't give a job title",
    w,
    w + blank,
    note="emp_title null (blank strings alt)",
)
q(
    "loans",
    "what is the average credit score of borrowers",
    note="no credit score column (grade is not a score)",
)
q("loans", "average age of people who borrow for a car", note="no borrower age")

# ---------- batting
p = T["batting"]
q(
    "batting",
    "who hit the most home runs",
    *bnamed(p.nlargest(1, "home_run", keep="all"), "home_run", True),
    note="max home_run",
)
q(
    "batting",
    "top ten players by RBIs",
    *topn(p, "rbi", 10, bnamed),
    note="top 10 rbi with tie readings",
)
q(
    "batting",
    "How many players does each team have?",
    tab(p.team.value_counts()),
    tab(p.groupby("team").name.nunique()),
    note="rows per team; alt distinct names",
)
r = p.groupby("team").run.sum().sort_values(ascending=False)
q(
    "batting",
    "which team scored the most runs",
    r.index[0],
    [[r.index[0], r.iloc[0]]],
    [[r.index[0]]],
    note="team with max sum of run",
)
d = p[p.at_bat >= 300]
q(
    "batting",
    "who has the best batting average with at least 300 at bats?",
    *bnamed(d.nlargest(1, "bat_avg", keep="all"), "bat_avg", True),
    note="max bat_avg with at_bat>=300",
)
q(
    "batting",
    "how many players hit more than thirty homers",
    (p.home_run > 30).sum(),
    note="home_run>30",
)
v = sorted(p.stolen_base.unique())[-2]
d = p[p.stolen_base == v]
q(
    "batting",
    "who stole the second most bases",
    *bnamed(d, "stolen_base", len(d) == 1),
    note="second highest stolen_base",
)
d = p[(p.walk > p.strike_out) & (p.at_bat >= 400)]
q(
    "batting",
    "Which players had more walks than strikeouts and at least 400 at bats?",
    *bnamed(d, "walk"),
    rows(d, "name", "walk", "strike_out"),
    rows(d, "name", "team", "walk", "strike_out"),
    rows(d, "name", "walk", "strike_out", "at_bat"),
    rows(d, "name", "at_bat", "walk", "strike_out"),
    note="walk>strike_out and at_bat>=400",
)
q(
    "batting",
    "average number of hits for catchers",
    p[p.position == "C"].hit.mean(),
    note="mean hit where position C",
)
q(
    "batting",
    "how many yankees or red sox players are there",
    p.team.isin(["NYY", "BOS"]).sum(),
    tab(p[p.team.isin(["NYY", "BOS"])].team.value_counts()),
    p[p.team.isin(["NYY", "BOS"])].name.nunique(),
    note="team NYY or BOS; alt per team",
)
q("batting", "who is the highest paid player", note="no pay column")
q("batting", "how old is Ichiro Suzuki", note="no age column")

# ---------- weather
w = T["weather"]
w["dt"] = pd.to_datetime(w.date)
w["y"] = w.dt.dt.year
w["mo"] = w.dt.dt.month
d = w[w.temp_max == w.temp_max.max()]
q(
    "weather",
    "what was the hottest day",
    d.date.iloc[0],
    rows(d, "date", "temp_max"),
    rows(d, "date"),
    rows(d, "date", "temp_max", "temp_min"),
    note="date of max temp_max",
)
q("weather", "how many days did it snow", (w.weather == "snow").sum(), note="weather == snow")
r = w.groupby("y").precipitation.sum()
rr = w[w.weather == "rain"].groupby("y").precipitation.sum()
rc = w[w.weather == "rain"].groupby("y").size()
o = []
for x in (r, rr, rc):
    k = x.idxmax()
    o += [k, str(k), [[k, x.max()]], [[k]]]
q(
    "weather",
    "which year had the most rain",
    *o,
    note="year of max total precipitation; alt: precipitation on rain days; number of rain days",
)
mn = w.groupby("mo").temp_max.mean()
months = pd.date_range("2012-01-01", periods=12, freq="MS").strftime("%B").tolist()
ym = w.groupby(w.date.str[:7]).temp_max.mean()
q(
    "weather",
    "average high temperature per month",
    tab(mn),
    [[nm, v] for nm, v in zip(months, mn, strict=True)],
    [[nm[:3], v] for nm, v in zip(months, mn, strict=True)],
    tab(ym),
    [[k + "-01", v] for k, v in tab(ym)],
    [[int(k[:4]), int(k[5:]), v] for k, v in tab(ym)],
    note="mean temp_max per calendar month (12) or per year-month (48)",
)
q(
    "weather",
    "How many days were below freezing?",
    (w.temp_min < 0).sum(),
    (w.temp_max < 0).sum(),
    note="temp_min<0; alt temp_max<0 (all day)",
)
q(
    "weather",
    "What percent of days were sunny?",
    *share(w.weather == "sun"),
    note="share weather == sun",
)
d = w[w.y == 2014]
d = d[d.precipitation == d.precipitation.max()]
q(
    "weather",
    "wettest day in 2014",
    d.date.iloc[0],
    rows(d, "date", "precipitation"),
    rows(d, "date"),
    note="date of max precipitation in 2014",
)
x = w[w.weather.isin(["rain", "sun"])].groupby("weather").wind.mean()
x2 = w.groupby(w.precipitation > 0).wind.mean()
q(
    "weather",
    "average wind speed on rainy days vs sunny days",
    tab(x),
    [[x["rain"], x["sun"]]],
    x["rain"] - x["sun"],
    [["rain", x2[True]], ["sun", x["sun"]]],
    note="mean wind by weather rain / sun; alt rainy = precipitation>0",
)
q(
    "weather",
    "How many days in July 2015 were hotter than 30 degrees?",
    ((w.y == 2015) & (w.mo == 7) & (w.temp_max > 30)).sum(),
    note="July 2015 temp_max>30",
)
a, z = w.date.min(), w.date.max()
q(
    "weather",
    "what's the date range of the data",
    [[a, z]],
    [[a], [z]],
    [["min", a], ["max", z]],
    f"{a} to {z}",
    note="min and max date",
)
q("weather", "what was the average humidity", note="no humidity column")
q("weather", "how much did it rain in 2016", note="no 2016 data (ends 2015-12-31)")


assert set(n_of.values()) == {12}
with (Path(__file__).parent / "questions.jsonl").open("w") as lines:
    for o in out:
        lines.write(json.dumps(o, ensure_ascii=False) + "\n")
