"""Works out the gold answers with pandas and writes questions.jsonl."""

import json
import math

import numpy as np
import pandas as pd
from tables import NAMES, table

OUT = []
COUNT = {}


def clean(x):
    if x is None:
        return None
    if isinstance(x, (bool, np.bool_)):
        return bool(x)
    if isinstance(x, (int, np.integer)):
        return int(x)
    if isinstance(x, (float, np.floating)):
        return None if math.isnan(x) else float(x)
    if isinstance(x, (list, tuple)):
        return [clean(v) for v in x]
    if isinstance(x, str):
        return x
    raise TypeError(type(x))


def q(tab, question, *answers, note="", no=False):
    COUNT[tab] = COUNT.get(tab, 0) + 1
    assert no == (not answers), question
    OUT.append(
        {
            "id": f"{tab}-{COUNT[tab]}",
            "table": tab,
            "question": question,
            "answers": [clean(a) for a in answers],
            "unanswerable": no,
            "note": note,
        }
    )


def rows(s):
    """A series to rows [key, value]."""
    return [[k, v] for k, v in s.items()]


def col(xs):
    return [[x] for x in xs]


def scaled(rs, f=100):
    return [[*r[:-1], r[-1] * f] for r in rs]


MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]

# ---------------------------------------------------------------- brexit_polls
T = "brexit_polls"
d = table(T)
q(
    T,
    "how many different polling companies are in here?",
    d.pollster.nunique(),
    note="names as written",
)
vc = d.pollster.value_counts()
q(T, "which pollster put out the most polls", vc.index[0], [[vc.index[0], vc.iloc[0]]])
g = rows(d.groupby("poll_type").remain.mean())
q(T, "average remain share online vs by phone", g, scaled(g), note="share, or in percent")
q(T, "how many polls had leave in the lead?", (d.leave > d.remain).sum())
b = d.loc[d.samplesize.idxmax()]
assert (d.samplesize == b.samplesize).sum() == 1
q(
    T,
    "biggest sample size and who did that poll",
    [[b.samplesize, b.pollster]],
    [[b.pollster, b.samplesize]],
)
ans = []
for c in ("enddate", "startdate"):
    s = d.groupby(d[c].str[:7]).leave.mean()
    assert list(s.index) == [f"2016-0{i}" for i in range(1, 7)]
    g = rows(s)
    ans += [
        g,
        [[int(k[5:]), v] for k, v in g],
        [[MONTHS[int(k[5:]) - 1], v] for k, v in g],
        [[k + "-01", v] for k, v in g],
    ]
q(
    T,
    "how did support for leave change month by month? just the averages",
    *ans,
    note="month of the end date, or of the start date; label as year-month, number, name or first day",
)
days = (pd.to_datetime(d.enddate) - pd.to_datetime(d.startdate)).dt.days
q(
    T,
    "on average how many days did a poll take from start to finish",
    days.mean(),
    days.mean() + 1,
    note="end minus start, or both days counted",
)
q(T, "How did people in Scotland say they would vote?", no=True, note="no region")

# ---------------------------------------------------------------- companies
T = "companies"
d = table(T)
r = int(d.marketvalue.rank(ascending=False, method="min")[d.name == "Wal-Mart Stores"].iloc[0])
q(
    T,
    "where does wal-mart rank by market value?",
    r,
    [["Wal-Mart Stores", r]],
    [["Wal-Mart Stores", 243.74, r]],
    [["Wal-Mart Stores", r, 243.74]],
    note="1 is the highest market value",
)
assert d.loc[d.name == "Wal-Mart Stores", "marketvalue"].item() == 243.74
t = d.nlargest(10, "profits")
assert t.profits.nunique() == 10
q(T, "top 10 most profitable companies", t[["name", "profits"]].values.tolist(), col(t.name))
vc = d[d.country != "United States"].country.value_counts()
q(
    T,
    "apart from the US, which country has the most companies on the list",
    vc.index[0],
    [[vc.index[0], vc.iloc[0]]],
)
q(
    T,
    "whats the combined market value of the canadian banks",
    d[(d.country == "Canada") & (d.category == "Banking")].marketvalue.sum(),
)
p = d.profits
q(
    T,
    "how many companies made between 1 and 2 billion in profit",
    ((p >= 1) & (p <= 2)).sum(),
    ((p > 1) & (p < 2)).sum(),
    note="ends in, or out; figures are in billions",
)
g = d.groupby("category")[["profits", "sales"]].sum()
m = (g.profits / g.sales).sort_values(ascending=False)
g2 = d.dropna(subset=["profits"]).groupby("category")[["profits", "sales"]].sum()
m2 = (g2.profits / g2.sales).sort_values(ascending=False)
assert m.index[0] == m2.index[0]
k = m.index[0]
ans = [k] + [[[k, v]] for v in dict.fromkeys([m[k], m[k] * 100, m2[k], m2[k] * 100])]
q(T, "Which industry has the best profit margin (total profit divided by total sales)?", *ans)
q(T, "how many people work at toyota", no=True, note="no number of staff")
q(T, "what was tesla's profit?", no=True, note="no such company in the table")
assert not d.name.str.contains("tesla", case=False).any()

# ---------------------------------------------------------------- hurricanes
T = "hurricanes"
d = table(T)
b = d.loc[d.deaths.idxmax()]
q(
    T,
    "which hurricane was the deadliest?",
    b.Name,
    [[b.Name, b.deaths]],
    [[b.Name, b.Year, b.deaths]],
    [[b.Name, b.Year]],
)
q(T, "how many of these hit florida", d.AffectedStates.str.contains("FL").sum())
g = rows(d.groupby("mf").deaths.mean())
q(
    T,
    "do hurricanes with women's names kill more people on average than the ones with men's names",
    True,
    "f",
    g,
    [["f", g[0][1]]],
    note="average deaths by sex of the name",
)
assert g[0][0] == "f" and g[0][1] > g[1][1]
s = d.firstLF.str[5:7].astype(int).value_counts().sort_index()
g = rows(s)
q(
    T,
    "how many made landfall in each month",
    g,
    [[MONTHS[k - 1], v] for k, v in g],
    [[f"{k:02d}", v] for k, v in g],
    [[MONTHS[k - 1][:3], v] for k, v in g],
    note="months with none left out; month as number or name",
)
ans = []
for c in ("NDAM2014", "BaseDam2014"):
    t = d.nlargest(5, c)
    a = [t[["Name", c]].values.tolist(), t[["Name", "Year", c]].values.tolist(), col(t.Name)]
    ans += [x for x in a if x not in ans]
q(
    T,
    "top 5 costliest storms in 2014 dollars",
    *ans,
    note="normalised damage, or base damage in 2014 dollars",
)
b = d[d.Name == "Camille"].iloc[0]
q(
    T,
    "how many died in camille and how fast were the winds",
    [[b.deaths, b["LF.WindsMPH"]]],
    [["Camille", b.deaths, b["LF.WindsMPH"]]],
)
t = d[d.Year.between(1990, 1999) & (d["LF.times"] > 1)]
q(
    T,
    "Which hurricanes from the 90s made landfall more than once?",
    col(t.Name),
    t[["Name", "Year"]].values.tolist(),
    t[["Name", "LF.times"]].values.tolist(),
    t[["Name", "Year", "LF.times"]].values.tolist(),
)
q(T, "how much rain did hurricane floyd bring?", no=True, note="no rainfall")

# ---------------------------------------------------------------- marriages
T = "marriages"
d = table(T)
w = d.pivot(index="bookpageID", columns="person", values="age")
q(
    T,
    "in how many couples was the bride older than the groom?",
    (w.Bride > w.Groom).sum(),
    note="the two rows of a couple share the book page",
)
g = rows(d.groupby("person").age.mean())
q(T, "average age of brides and grooms", g)
vc = d.sign.value_counts()
assert vc.iloc[0] > vc.iloc[1]
q(T, "most common star sign", vc.index[0], [[vc.index[0], vc.iloc[0]]])
c = d.drop_duplicates("bookpageID")
assert len(c) == 49
q(
    T,
    "how many weddings were NOT performed by a marriage official",
    (c.officialTitle != "MARRIAGE OFFICIAL").sum(),
    note="a wedding is two rows",
)
br = d[d.person == "Bride"]
f = (br.prevcount == 0).mean()
q(T, "what % of the brides were getting married for the first time?", f * 100, f)
q(
    T,
    "how many couples waited more than 2 weeks between applying and the ceremony",
    (c.delay > 14).sum(),
    note="a couple is two rows",
)
n = d.isna().sum()
q(
    T,
    "any missing values? how many per column",
    rows(n),
    rows(n[n > 0]),
    note="all columns, or only those with some",
)
q(T, "How many of the couples already had children together?", no=True, note="no children")

# ---------------------------------------------------------------- covid_tests
T = "covid_tests"
d = table(T)
q(T, "what columns does this table have?", col(d.columns))
q(T, "how many different people got tested", d.subject_id.nunique(), note="distinct subjects")
pos = d.result.eq("positive")
g = rows(pos.groupby(d.gender).mean())
v = d[d.result != "invalid"]
g2 = rows(v.result.eq("positive").groupby(v.gender).mean())
q(
    T,
    "percentage of tests that were positive, men vs women",
    scaled(g),
    g,
    scaled(g2),
    g2,
    note="of all tests, or of the valid ones",
)
vc = d.clinic_name.value_counts()
assert vc.iloc[0] > vc.iloc[1] > vc.iloc[2]
q(T, "which clinic did the second most tests?", vc.index[1], [[vc.index[1], vc.iloc[1]]])
k = d[pos & (d.age < 18)]
q(
    T,
    "how many kids under 18 tested positive",
    len(k),
    k.subject_id.nunique(),
    note="tests, or distinct subjects",
)
vc = d.pan_day.value_counts()
q(
    T,
    "busiest day for testing and number of tests that day",
    [[vc.index[0], vc.iloc[0]]],
    [[vc.iloc[0], vc.index[0]]],
    note="day of the pandemic",
)
q(T, "In how many records is the payer missing?", d.payor_group.isna().sum())
q(
    T,
    "how many of the people who tested positive had been vaccinated",
    no=True,
    note="no vaccination",
)

# ---------------------------------------------------------------- telecom_customers
T = "telecom_customers"
d = table(T)
left = d.churn.eq("Yes")
q(T, "how many customers have left us?", left.sum())
g = rows(left.groupby(d.contract).mean())
q(T, "churn rate by contract type", g, scaled(g))
g = rows(
    d[d.internet_service.isin(["DSL", "Fiber optic"])]
    .groupby("internet_service")
    .monthly_charges.mean()
)
q(T, "average monthly bill, fiber vs dsl", g)
q(
    T,
    "how many seniors pay by electronic check and are on paperless billing",
    (
        d.senior_citizen.eq(1) & d.payment_method.eq("Electronic check") & d.paperless_billing.eq(1)
    ).sum(),
)
s = d.monthly_charges
q(T, "min, max and average monthly charge", [[s.min(), s.max(), s.mean()]])
q(
    T,
    "How many women with no partner and no dependents are on a one or two year contract?",
    (
        d.female.eq(1)
        & d.partner.eq(0)
        & d.dependents.eq(0)
        & d.contract.isin(["One year", "Two year"])
    ).sum(),
)
vc = d[~left].payment_method.value_counts()
assert vc.iloc[0] > vc.iloc[1]
q(
    T,
    "most popular way of paying among the customers who stayed",
    vc.index[0],
    [[vc.index[0], vc.iloc[0]]],
)
q(T, "which city do most of our customers live in", no=True, note="no city")

# ---------------------------------------------------------------- restaurant_tips
T = "restaurant_tips"
d = table(T)
q(T, "show me the first 5 rows", d.head(5).values.tolist())
q(T, "what's the biggest tip anyone left", d.tip.max())
a = rows((d.tip / d.total_bill).groupby(d.day).mean())
t = d.groupby("day")[["tip", "total_bill"]].sum()
b = rows(t.tip / t.total_bill)
q(
    T,
    "average tip as a percentage of the bill for each day",
    scaled(a),
    a,
    scaled(b),
    b,
    note="mean of the percentages, or total tip over total bill",
)
g = d.groupby("smoker").tip.mean()
assert g["Yes"] > g["No"]
q(T, "do smokers tip more than non smokers on average?", True, rows(g), "Yes")
q(
    T,
    "how many groups of 4 or more on a sunday spent over 30",
    (d["size"].ge(4) & d.day.eq("Sun") & d.total_bill.gt(30)).sum(),
)
q(
    T,
    "what do all the bills add up to at lunch and at dinner",
    rows(d.groupby("time").total_bill.sum()),
)
q(
    T,
    "are there any duplicate rows?",
    True,
    int(d.duplicated().sum()),
    int(d.duplicated(keep=False).sum()),
    d[d.duplicated()].values.tolist(),
    d[d.duplicated(keep=False)].values.tolist(),
    [[*r, 2] for r in d[d.duplicated()].values.tolist()],
    note="yes; one row is a copy of another (two rows alike)",
)
q(T, "Which server made the most in tips?", no=True, note="no server")

# ---------------------------------------------------------------- air_crashes
T = "air_crashes"
d = table(T)
s = d.groupby("date").Fatalities.sum()
k = s.idxmax()
assert k == d.loc[d.Fatalities.idxmax(), "date"]
q(
    T,
    "on what date did the most people die?",
    k,
    [[k, s[k]]],
    [[k, d.Fatalities.max()]],
    note="all crashes of the day, or the one crash",
)
vc = d.Cause.value_counts()
q(T, "number of crashes for each cause, most first", rows(vc))
t = d[d.Phase.eq("landing") & d.Cause.eq("weather")]
q(T, "how many people were killed in bad weather landings", t.Fatalities.sum())
vc = d.Phase.value_counts()
q(T, "what phases of flight are there in the data", col(vc.index), rows(vc))
s = d.groupby("Year").Fatalities.sum()
x = s.diff()
assert (x == x.min()).sum() == 1
k = x.idxmin()
q(
    T,
    "In which year did deaths fall the most compared with the year before?",
    k,
    [[k, x[k]]],
    [[k, -x[k]]],
    [[k, s[k], s[k - 1]]],
    [[k, s[k - 1], s[k]]],
    [[k, s[k], x[k]]],
    [[k, s[k], s[k - 1], x[k]]],
)
q(
    T,
    "crashes from 2000 to 2005 that weren't human error - how many?",
    (d.Year.between(2000, 2005) & d.Cause.ne("human error")).sum(),
    note="both years in; unknown cause counts as not",
)
s = d.groupby("Phase").Fatalities.mean()
q(T, "which stage of the flight has the most deaths per crash", s.idxmax(), [[s.idxmax(), s.max()]])
q(T, "which airline had the most crashes", no=True, note="no airline")

# ---------------------------------------------------------------- bundesliga
T = "bundesliga"
d = table(T)
diff = d.HomeGoals - d.AwayGoals
b = d.loc[diff.idxmax()]
assert (diff == diff.max()).sum() == 1
q(
    T,
    "biggest home win ever",
    [[b.HomeTeam, b.AwayTeam, b.HomeGoals, b.AwayGoals]],
    [[b.HomeTeam, b.AwayTeam, b.HomeGoals, b.AwayGoals, int(diff.max())]],
    b.HomeTeam,
    int(diff.max()),
    [[b.HomeTeam, int(diff.max())]],
    [d.loc[diff.idxmax()].tolist()],
    [[*d.loc[diff.idxmax()].tolist(), int(diff.max())]],
    note="largest margin; teams and score",
)
t = d[d.HomeTeam.eq("Bayern Muenchen") & d.Year.eq(2008)]
q(T, "how many home games did bayern win in the 2008 season", (t.HomeGoals > t.AwayGoals).sum())
f = (d.HomeGoals == d.AwayGoals).mean()
q(T, "what share of matches ended in a draw?", f, f * 100)
s = d.groupby("AwayTeam").AwayGoals.sum().sort_values(ascending=False)
q(T, "which team has scored the most goals away from home", s.index[0], [[s.index[0], s.iloc[0]]])
D, S = "Borussia Dortmund", "Schalke 04"
h = d[d.HomeTeam.eq(D) & d.AwayTeam.eq(S)]
a = d[d.HomeTeam.eq(S) & d.AwayTeam.eq(D)]
q(
    T,
    "how many times did dortmund beat schalke?",
    int((h.HomeGoals > h.AwayGoals).sum() + (a.AwayGoals > a.HomeGoals).sum()),
    note="home and away",
)
tot = d.HomeGoals + d.AwayGoals
ans = []
for y in (d.Year, d.Date.str[:4].astype(float)):
    m = y.notna()
    s = tot[m].groupby((y[m] // 10 * 10).astype(int)).mean()
    ans += [rows(s), [[f"{k}s", v] for k, v in s.items()]]
q(T, "Average goals per game by decade", *ans, note="decade of the season's year, or of the date")
q(T, "who is bayern's all time top scorer", no=True, note="no players")
q(
    T,
    "what was the score the last time bayern played RB Leipzig",
    no=True,
    note="no such club in the table",
)
assert not (d.HomeTeam.str.contains("RB|RasenBall").any())

# ---------------------------------------------------------------- boston_marathon
T = "boston_marathon"
d = table(T)
q(
    T,
    "who won the men's open in 1975?",
    d[d.Event.eq("Men's open division") & d.Year.eq(1975)].Champion.item(),
)
vc = d.Country.value_counts().head(6)
assert vc.iloc[4] > vc.iloc[5]
q(T, "top 5 countries by number of wins", rows(vc.head(5)), col(vc.head(5).index))
vc = d.Champion.value_counts()
assert vc.iloc[0] > vc.iloc[1]
q(T, "who's won it the most times, any category", vc.index[0], [[vc.index[0], vc.iloc[0]]])
t = d[d.Event.eq("Women's open champion")]
b = t.loc[t.Time.astype(str).sort_values().index[0]]
assert (t.Time == b.Time).sum() == 1
q(
    T,
    "fastest women's open time and who ran it",
    [[b.Time, b.Champion]],
    [[b.Champion, b.Time]],
    [[b.Champion, b.Year, b.Time]],
    [[b.Year, b.Champion, b.Time]],
)
q(
    T,
    "How many races have Kenyans won since 2000?",
    (d.Country.eq("Kenya") & d.Year.ge(2000)).sum(),
    (d.Country.eq("Kenya") & d.Year.gt(2000)).sum(),
    note="2000 in, or out",
)
t = d[d.Year.eq(2018)]
q(
    T,
    "list the 2018 winners",
    col(t.Champion),
    t[["Event", "Champion"]].values.tolist(),
    t[["Champion", "Event"]].values.tolist(),
    t[["Event", "Champion", "Country", "Time"]].values.tolist(),
    t.values.tolist(),
)
t = d[d.Event.eq("Men's wheelchair") & d.Year.between(2010, 2019)]
sec = pd.to_timedelta(t.Time).dt.total_seconds().mean()
i = int(sec)
assert len(t) == 10 and t.Time.notna().all()
stamps = dict.fromkeys(
    f"{x // 3600:02d}:{x % 3600 // 60:02d}:{x % 60:02d}" for x in (i, round(sec))
)
q(
    T,
    "average winning time in the mens wheelchair race from 2010 to 2019",
    *stamps,
    sec,
    sec / 60,
    sec / 3600,
    note="as a time of day, seconds, minutes or hours",
)
q(T, "who won the women's race in 2022", no=True, note="the table ends in 2019")
assert d.Year.max() == 2019

# ---------------------------------------------------------------- artworks
T = "artworks"
d = table(T)
q(T, "how many pieces by damien hirst are there?", d.artist.eq("Hirst, Damien").sum())
vc = d.artist.value_counts()
q(T, "which artist has the most works", vc.index[0], [[vc.index[0], vc.iloc[0]]])
q(T, "how many artists have only one work in here", (vc == 1).sum())
m = d.medium.value_counts()
assert m.iloc[4] > m.iloc[5]
q(T, "5 most common mediums", rows(m.head(5)), col(m.head(5).index))
y = d.year.value_counts()
y = y[y > 300]
q(T, "In which years were there more than 300 works?", col(y.index), rows(y))
t = d[d.artist.eq("Freud, Lucian")]
q(T, "titles and years of everything by lucian freud", t[["title", "year"]].values.tolist())
q(
    T,
    "how many works mention photograph in the medium",
    d.medium.str.contains("photograph", case=False).sum(),
    d.medium.str.contains(r"\bphotograph\b", case=False).sum(),
    note="with photographs and the like, or the bare word",
)
q(T, "whats the most expensive painting here", no=True, note="no price")

# ---------------------------------------------------------------- developers
T = "developers"
d = table(T)
s = d.groupby("Country").Salary.mean()
x = s["United States"] - s["United Kingdom"]
q(
    T,
    "how much more do american developers make on average than british ones",
    x,
    [["United Kingdom", s["United Kingdom"]], ["United States", s["United States"]]],
    [[s["United States"], s["United Kingdom"], x]],
    note="difference of the averages",
)
q(T, "median pay for remote workers vs everyone else", rows(d.groupby("Remote").Salary.median()))
q(
    T,
    "how many web developers are there in germany?",
    (d.Country.eq("Germany") & d.Web_developer.eq(1)).sum(),
)
f = d.Hobby.mean()
q(T, "what percentage of people code as a hobby", f * 100, f)
s = d.groupby("Country").CareerSatisfaction.mean().sort_values(ascending=False)
q(
    T,
    "In which country are people happiest with their career?",
    s.index[0],
    [[s.index[0], s.iloc[0]]],
    note="highest average satisfaction",
)
q(
    T,
    "is there a correlation between years of coding and salary",
    d.YearsCodedJob.corr(d.Salary),
    True,
    note="Pearson; yes",
)
q(
    T,
    "how many are both data scientists and machine learning specialists but not web developers",
    (d.Data_scientist.eq(1) & d.Machine_learning_specialist.eq(1) & d.Web_developer.eq(0)).sum(),
)
q(T, "do women get paid less than men", no=True, note="no gender")

assert list(COUNT) == NAMES and set(COUNT.values()) == {8}, COUNT
with open("questions.jsonl", "w") as fh:
    for o in OUT:
        fh.write(json.dumps(o, ensure_ascii=False) + "\n")
print(len(OUT), sum(o["unanswerable"] for o in OUT))
