"""Compute the gold answers about the foods with pandas and write questions.jsonl."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
from table import make

d = make()
out = []


def py(x):
    if isinstance(x, (list, tuple)):
        return [py(y) for y in x]
    if isinstance(x, pd.Timestamp):
        return x.date().isoformat()
    if isinstance(x, np.bool_):
        return bool(x)
    if isinstance(x, np.integer):
        return int(x)
    if isinstance(x, (float, np.floating)):
        assert not np.isnan(x)
        x = round(float(x), 6)
        return int(x) if x == int(x) else x
    return x


def rows(s):
    return [[k, v] for k, v in s.items()]


def keys(s):
    return [[k] for k in s.index]


def share(x):
    return [x, x * 100]


def dd(l):
    return list({repr(a): a for a in l}.values())


def q(question, note="", cols=(), *ans):
    assert set(cols) <= set(d.columns), question
    out.append(
        dict(
            id=f"foods-{len(out) + 1}",
            table="foods",
            question=question,
            answers=dd([py(a) for a in ans]),
            unanswerable=not ans,
            note=note,
            columns=list(cols),
        )
    )


q(
    "How many foods are in the table for each food group?",
    "d['Food group'].value_counts()",
    ["Food group"],
    rows(d["Food group"].value_counts()),
)
q(
    "What's the average protein in cheese?",
    "d[Category=='Cheese']['Protein (g)'].mean()",
    ["Category", "Protein (g)"],
    d[d.Category == "Cheese"]["Protein (g)"].mean(),
)
q(
    "How many foods contain peanuts?",
    "(d['Contains peanut']==1).sum()",
    ["Contains peanut"],
    (d["Contains peanut"] == 1).sum(),
)
q(
    "How many foods have no glycaemic index given?",
    "isna().sum()",
    ["Glycaemic index"],
    d["Glycaemic index"].isna().sum(),
)
x = d.nlargest(10, "Vitamin C (mg)")
v = d["Vitamin C (mg)"].nlargest(11).values
assert v[9] > v[10]
q(
    "Which ten foods have the most vitamin C?",
    "d.nlargest(10,'Vitamin C (mg)')",
    ["Food name", "Vitamin C (mg)"],
    [[a] for a in x["Food name"]],
    x[["Food name", "Vitamin C (mg)"]].values.tolist(),
)
q("How many days does a frozen product keep on average once it has been opened?")
q(
    "What share of the foods is suitable for vegans?",
    "mean of flag",
    ["Suitable for vegans"],
    *share((d["Suitable for vegans"] == 1).mean()),
)
q(
    "How many vegetarian foods are not suitable for vegans?",
    "(veg==1)&(vegan==0)",
    ["Suitable for vegetarians", "Suitable for vegans"],
    ((d["Suitable for vegetarians"] == 1) & (d["Suitable for vegans"] == 0)).sum(),
)
q(
    "How much oleic acid (18:1 n-9) is there on average in vegetable oils?",
    "d[Category=='Vegetable oils']['18:1 n-9 (g)'].mean()",
    ["Category", "18:1 n-9 (g)"],
    d[d.Category == "Vegetable oils"]["18:1 n-9 (g)"].mean(),
)
a = d[d.Category == "Oily fish"]["Omega-3 fatty acids, total (g)"].mean()
b = d[d.Category == "White fish"]["Omega-3 fatty acids, total (g)"].mean()
q(
    "Does oily fish have more omega-3 than white fish on average?",
    "means by Category",
    ["Category", "Omega-3 fatty acids, total (g)"],
    a > b,
    [["Oily fish", a], ["White fish", b]],
    "Oily fish" if a > b else "White fish",
    a - b,
)
q("Which foods were recalled from the shops for contamination?")
k = d["Launch date"].dt.year == 2015
q(
    "How many products came onto the market in 2015?",
    "Launch date year 2015",
    ["Launch date"],
    k.sum(),
)
s = d[d["Nutri-Score"].notna()]["Nutri-Score"].value_counts()
n = (d["Nutri-Score"] == "E").sum()
q(
    "What percentage of the foods got an E on the Nutri-Score?",
    "(=='E').mean(); alt of rated foods",
    ["Nutri-Score"],
    n / len(d) * 100,
    n / len(d),
    n / s.sum() * 100,
    n / s.sum(),
)
s = (
    d[d["NOVA processing class (1-4)"] == 4]
    .groupby("Food group")["Salt (g)"]
    .mean()
    .sort_values(ascending=False)
)
q(
    "For ultra-processed foods, what is the average salt per food group, saltiest first?",
    "d[NOVA==4].groupby('Food group')['Salt (g)'].mean().sort desc",
    ["NOVA processing class (1-4)", "Food group", "Salt (g)"],
    rows(s),
)
k = d[(d["Food group"] == "Cereals and bakery") & (d["Contains gluten"] == 0)]
q(
    "How many cereal and bakery foods are free of gluten, going by the ingredients?",
    "(group)&(Contains gluten==0); alt also no traces",
    ["Food group", "Contains gluten"],
    len(k),
    (k["May contain traces of gluten"] == 0).sum(),
)
q("What is the typical cooking time of pasta and rice dishes?")
c = d["Calcium (mg) per serving"]
x = d.loc[c.idxmax()]
assert (c == c.max()).sum() == 1
q(
    "Which food gives the most calcium in one serving?",
    "d.loc[d['Calcium (mg) per serving'].idxmax()]",
    ["Food name", "Calcium (mg) per serving"],
    x["Food name"],
    [[x["Food name"], c.max()]],
)
a = d["Average price 2019 (EUR/kg)"]
b = d["Average price 2023 (EUR/kg)"]
both = a.notna() & b.notna()
q(
    "By how much did the average price per kilo change between 2019 and 2023?",
    "mean 2023 - mean 2019; alts: foods priced in both years, percent, the two means",
    ["Average price 2019 (EUR/kg)", "Average price 2023 (EUR/kg)"],
    b.mean() - a.mean(),
    (b - a).mean(),
    (b.mean() / a.mean() - 1) * 100,
    b.mean() / a.mean() - 1,
    (b[both].mean() / a[both].mean() - 1) * 100,
    [[a.mean(), b.mean()]],
    [[2019, a.mean()], [2023, b.mean()]],
    [["2019", a.mean()], ["2023", b.mean()]],
)
q(
    "How many foods with no milk in them are still labelled as possibly having traces of milk and sold in Germany?",
    "(milk==0)&(traces==1)&(Germany==1)",
    ["Contains milk", "May contain traces of milk", "Sold in Germany"],
    (
        (d["Contains milk"] == 0)
        & (d["May contain traces of milk"] == 1)
        & (d["Sold in Germany"] == 1)
    ).sum(),
)
y = d["Vitamin D, year of analysis"]
q(
    "For how many foods was vitamin D last analysed before 2010?",
    "(year<2010).sum()",
    ["Vitamin D, year of analysis"],
    (y < 2010).sum(),
)
q("In which factory is each of the Alto products made?")
m = d[d.Category == "Chocolate"]
q(
    "What is the middle (median) weight of the second portion listed for chocolate?",
    "median of 'Portion 2 weight (g)' for Chocolate",
    ["Category", "Portion 2 weight (g)"],
    m["Portion 2 weight (g)"].median(),
)
s = d.groupby("Brand")["Organic certified"].mean().sort_values(ascending=False)
s2 = (
    d[d.Brand != "unbranded"]
    .groupby("Brand")["Organic certified"]
    .mean()
    .sort_values(ascending=False)
)
assert s.iloc[2] > s.iloc[3]
t3 = s.head(3)
u3 = s2.head(3)
q(
    "Which three brands have the largest share of organic products?",
    "groupby('Brand')['Organic certified'].mean().nlargest(3); alt without 'unbranded'",
    ["Brand", "Organic certified"],
    keys(t3),
    rows(t3),
    rows(t3 * 100),
    *([keys(u3), rows(u3), rows(u3 * 100)] if list(u3.index) != list(t3.index) else []),
)
k = d[(d["Iron (mg)"] > 3) & (d["Suitable for vegans"] == 1)]
q(
    "How many vegan foods have more than 3 mg of iron and their iron value comes from a laboratory analysis rather than a label or a calculation?",
    "(vegan)&(Iron>3)&(method=='analysed')",
    ["Suitable for vegans", "Iron (mg)", "Iron, method"],
    (k["Iron, method"] == "analysed").sum(),
)
q("How many shops in Denmark stock each brand?")

assert len(out) == 25 and sum(o["unanswerable"] for o in out) == 5
with (Path(__file__).parent / "questions.jsonl").open("w") as lines:
    for o in out:
        lines.write(json.dumps(o, ensure_ascii=False) + "\n")
