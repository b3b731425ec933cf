"""Computes the gold answers of the 78 questions and writes questions.jsonl."""

import json
import math
from typing import Any

import numpy as np
import pandas as pd
from tables import table

OUT: list[dict[str, Any]] = []


def plain(value: Any) -> Any:
    """Turn numpy and pandas values into plain JSON ones."""
    if isinstance(value, pd.DataFrame):
        return [plain(row) for row in value.values.tolist()]
    if isinstance(value, pd.Series):
        return [[plain(k), plain(v)] for k, v in value.items()]
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(v) for v in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value


def add(name: str, question: str, *answers: Any, no: bool = False, note: str = "") -> None:
    """Append one question with its accepted answers."""
    number = 1 + sum(row["table"] == name for row in OUT)
    kept: list[Any] = []
    for answer in map(plain, answers):
        if not any(json.dumps(answer) == json.dumps(k) for k in kept):
            kept.append(answer)
    OUT.append(
        {
            "id": f"{name}-{number}",
            "table": name,
            "question": question,
            "answers": kept,
            "unanswerable": no,
            "note": note,
        }
    )


def share(part: float, whole: float) -> tuple[float, float]:
    """Return a share as a percentage and as a fraction."""
    return 100 * part / whole, part / whole


def named(series: pd.Series) -> tuple[Any, list[Any]]:
    """Return the label of the largest value, and the label with the value."""
    label = series.idxmax()
    assert (series == series.max()).sum() == 1, "a tie"
    return label, [[label, series.max()]]


def oscars() -> None:
    """Questions about the acting prizes."""
    t, d = "oscars", table("oscars")
    people = d.drop_duplicates(["name", "birth_date"])
    add(t, "What are the columns in this table?", list(d.columns))
    empty = d.isna().sum()
    add(t, "is anything missing anywhere?", bool(empty.any()), int(empty.sum()), empty)
    wins = d["name"].value_counts()
    add(t, "Who has won the most times?", *named(wins))
    old = d[d["age"] == d["age"].max()]
    add(
        t,
        "who's the oldest person ever to win, and for what film?",
        old[["name", "movie"]],
        old[["name", "movie"]].iloc[0].tolist(),
        old[["name", "movie", "age"]],
        old[["name", "age", "movie"]],
    )
    add(
        t,
        "average age of best actress winners vs best actor winners",
        d.groupby("award")["age"].mean(),
    )
    both = ["England", "Canada"]
    add(
        t,
        "How many winners were born in either England or Canada?",
        d["birth_pl"].isin(both).sum(),
        people["birth_pl"].isin(both).sum(),
        note="wins, or different people",
    )
    prizes = d.groupby("movie")["award"].nunique()
    pairs = d[d["movie"].isin(prizes[prizes == 2].index)]
    assert (pairs.groupby("movie")["oscar_yr"].nunique() == 1).all()
    add(t, "which movies took both acting prizes?", sorted(pairs["movie"].unique()))
    add(t, "How many people won more than once?", (wins > 1).sum())
    row = d[(d["award"] == "Best actor") & (d["oscar_yr"] == 1995)]
    add(
        t,
        "who got best actor in 1995",
        row["name"].iloc[0],
        row[["name", "movie"]],
        note="the year of the ceremony is the only year of a prize in the table",
    )
    add(
        t,
        "What share of the winners were younger than 30?",
        *share((d["age"] < 30).sum(), len(d)),
    )
    late = d[(d["award"] == "Best actor") & (d["oscar_yr"] >= 2000)]["age"].median()
    later = d[(d["award"] == "Best actor") & (d["oscar_yr"] > 2000)]["age"].median()
    add(
        t,
        "median age of the men who won since 2000",
        late,
        later,
        note="2000 counted, or not",
    )
    add(t, "Who directed Gone With the Wind?", no=True, note="no directors")
    add(t, "how many of them were born in Brazil?", 0, no=True, note="no such birth place")


def fastfood() -> None:
    """Questions about menus."""
    t, d = "fastfood", table("fastfood")
    again = d.duplicated()
    add(
        t,
        "Are there any rows that appear twice?",
        True,
        again.sum(),
        d.duplicated(keep=False).sum(),
        list(d.loc[again, "item"]),
        d.loc[again, ["restaurant", "item"]],
        d[again],
        d[d.duplicated(keep=False)],
    )
    counts = d["restaurant"].value_counts()
    add(t, "which restaurants are covered?", sorted(counts.index), counts)
    top = d[d["calories"] == d["calories"].max()]
    assert len(top) == 1
    add(
        t,
        "What has the most calories?",
        top["item"].iloc[0],
        top[["item", "calories"]],
        top[["restaurant", "item"]],
        top[["restaurant", "item", "calories"]],
        top[["item", "restaurant", "calories"]],
    )
    add(
        t,
        "Which chain is the saltiest on average?",
        *named(d.groupby("restaurant")["sodium"].mean()),
    )
    sub = d[d["restaurant"] == "Subway"]
    add(
        t,
        "how many Subway items have fewer than 300 calories?",
        (sub["calories"] < 300).sum(),
    )
    lean = d[(d["protein"] > 40) & (d["calories"] < 600)]
    add(
        t,
        "Show me things with over 40 grams of protein but under 600 calories",
        list(lean["item"]),
        lean[["restaurant", "item"]],
        lean[["item", "protein", "calories"]],
        lean[["restaurant", "item", "protein", "calories"]],
        lean[["restaurant", "item", "calories", "protein"]],
        lean,
    )
    taco = d[d["restaurant"] == "Taco Bell"]
    add(
        t,
        "what percentage of Taco Bell's menu has no trans fat at all",
        *share((taco["trans_fat"] == 0).sum(), len(taco)),
    )
    sugar = d.groupby("restaurant")["sugar"].mean()[["Burger King", "Mcdonalds"]]
    add(
        t,
        "Does Burger King put more sugar in its food than McDonald's?",
        bool(sugar["Burger King"] > sugar["Mcdonalds"]),
        sugar,
        note="by the average item",
    )
    add(
        t,
        "median total fat at Arby's",
        d.loc[d["restaurant"] == "Arbys", "total_fat"].median(),
    )
    add(
        t,
        "How closely are calories and sodium related?",
        d["calories"].corr(d["sodium"]),
        d["calories"].rank().corr(d["sodium"].rank()),
        note="a correlation",
    )
    add(
        t,
        "how many items have chicken in the name?",
        d["item"].str.contains("chicken", case=False).sum(),
    )
    add(t, "How much does a Big Mac cost?", no=True, note="no prices")
    add(t, "how many items from Wendy's are there", 0, no=True, note="no such chain")


def countries() -> None:
    """Questions about countries."""
    t, d = "countries", table("countries")
    by = d.set_index("country")
    add(t, "Show me the first 4 rows", d.head(4))
    add(
        t,
        "how many of these places have no population figure?",
        d["population"].isna().sum(),
        list(d.loc[d["population"].isna(), "country"]),
    )
    life = by["life_exp_at_birth"].nlargest(5)
    add(t, "Top 5 places where people live longest", list(life.index), life)
    add(t, "which country has the most people?", *named(by["population"]))
    down = by["population_growth_rate"] < 0
    add(t, "In how many countries is the population shrinking?", down.sum())
    add(t, "median infant mortality", d["infant_mortality_rate"].median())
    big = by.loc[by["population"] > 100e6, "population"].sort_values(ascending=False)
    only = big.drop("European Union")
    add(
        t,
        "list the countries with over 100 million inhabitants",
        list(only.index),
        only,
        list(big.index),
        big,
        note="the European Union has a row of its own, left out or not",
    )
    dense = (by["population"] / by["area"])[by["population"] > 1e6]
    add(
        t,
        "Of the countries with more than a million people, which is the most crowded "
        "(people per unit of area)?",
        *named(dense),
    )
    ratio = by.at["Russia", "area"] / by.at["Canada", "area"]
    add(t, "How many times bigger is Russia than Canada?", ratio, note="by area")
    second = by["birth_rate"].nlargest(2).iloc[1:]
    add(
        t,
        "what's the second highest birth rate, and where?",
        second,
        [second.iloc[0], second.index[0]],
        [[second.iloc[0], second.index[0]]],
        [second.index[0], second.iloc[0]],
    )
    online = share(by.at["Iceland", "internet_users"], by.at["Iceland", "population"])
    add(t, "What fraction of Icelanders use the internet?", *online)
    add(t, "what is the GDP per head in Norway?", no=True, note="no GDP")
    add(t, "What's the death rate in Wakanda?", no=True, note="no such country")


def homes() -> None:
    """Questions about homes sold."""
    t, d = "homes", table("homes")
    add(t, "How many homes are in here?", len(d))
    add(
        t,
        "what kinds of property are there and how many of each?",
        d["type"].value_counts(),
    )
    add(
        t,
        "Average price of a three bedroom home",
        d.loc[d["beds"] == 3, "price"].mean(),
    )
    price = d.groupby("city")["price"].agg(["mean", "size"])
    ten = price.loc[price["size"] >= 10, "mean"]
    add(
        t,
        "Which town is priciest on average, looking only at towns with at least 10 homes?",
        *named(ten),
    )
    folsom = d.loc[d["city"] == "FOLSOM", "price"].min()
    add(t, "how much is the cheapest place in Folsom?", folsom)
    add(
        t,
        "How many have at least 4 bedrooms and at least 3 bathrooms?",
        ((d["beds"] >= 4) & (d["baths"] >= 3)).sum(),
    )
    add(
        t,
        "how many of the homes are not in the city of Sacramento",
        (d["city"] != "SACRAMENTO").sum(),
        note="West Sacramento is another city",
    )
    kinds = d.groupby("type")["price"].median()
    add(
        t,
        "Are condos cheaper than regular residential homes? Compare the median prices",
        kinds[["Condo", "Residential"]],
        True,
        kinds["Residential"] - kinds["Condo"],
    )
    add(
        t,
        "What's the average price per square foot?",
        (d["price"] / d["sqft"]).mean(),
        d["price"].sum() / d["sqft"].sum(),
        note="mean of the homes' own, or total over total",
    )
    add(
        t,
        "how many cost between 200 and 300 thousand dollars?",
        *(
            d["price"].between(200_000, 300_000, inclusive=ends).sum()
            for ends in ("both", "neither", "left", "right")
        ),
    )
    zips = d["zip"].value_counts()
    assert zips.iloc[2] != zips.iloc[3]
    add(t, "3 zip codes with the most homes", list(zips.index[:3]), zips.head(3))
    add(t, "Which of these homes have a swimming pool?", no=True, note="no pools")
    add(t, "how many homes are in San Diego?", 0, no=True, note="no such city")


def race() -> None:
    """Questions about a town's run."""
    t, d = "race", table("race")
    year = pd.to_datetime(d["date"]).dt.year
    five, half = d["race"] == "5k", d["race"] == "half-marathon"
    add(t, "What do we know about each runner?", list(d.columns), note="the columns")
    add(t, "for how many people is the age missing?", d["age"].isna().sum())
    first = d[half & (year == 2018)].nsmallest(1, "run_time_minutes")
    who = first.iloc[0]
    add(
        t,
        "Who won the half marathon in 2018?",
        f"{who['first_name']} {who['last_initial']}",
        who["first_name"],
        first[["first_name", "last_initial"]],
        first[["first_name", "last_initial"]].iloc[0].tolist(),
        first[["first_name", "last_initial", "run_time_minutes"]],
        first[["first_name", "run_time_minutes"]],
        first,
    )
    add(
        t,
        "how many more people ran in 2018 than in 2017?",
        (year == 2018).sum() - (year == 2017).sum(),
    )
    add(
        t,
        "average 5k time for men and for women",
        d[five].groupby("sex")["run_time_minutes"].mean(),
    )
    add(
        t,
        "From how many different states did they come?",
        d["state"].nunique(),
    )
    town = d["city"].str.strip().str.lower()
    add(
        t,
        "How many runners are from Menomonie?",
        (town == "menomonie").sum(),
        town.isin(["menomonie", "menomonie wi"]).sum(),
        town.str.contains("menomonie", na=False).sum(),
        note="however its letters are cased; with or without the rows that add wi or an e",
    )
    add(
        t,
        "what percent of the 5k runners finished in under half an hour",
        *share((d.loc[five, "run_time_minutes"] < 30).sum(), five.sum()),
    )
    add(
        t,
        "How old was the oldest runner in each race?",
        d.groupby("race")["age"].max(),
        d.groupby(["race", "date"])["age"].max().reset_index(),
        d.groupby(["date", "race"])["age"].max().reset_index(),
        note="each distance, or each distance of each year",
    )
    women = d[half & (d["sex"] == "F")].nsmallest(3, "run_time_minutes")
    add(
        t,
        "three fastest women over the half marathon, both years together",
        women[["first_name", "last_initial", "run_time_minutes"]],
        women[["first_name", "last_initial"]],
        women[["first_name", "run_time_minutes"]],
        list(women["first_name"]),
        list(women["first_name"] + " " + women["last_initial"]),
        women,
    )
    away = d.loc[d["state"] != "WI", "state"].value_counts()
    add(t, "Apart from Wisconsin, which state sent the most runners?", *named(away))
    add(t, "how many people ran the full marathon?", 0, no=True, note="no such race")
    add(t, "What was the temperature on race day in 2017?", no=True, note="no weather")


def birdstrikes() -> None:
    """Questions about planes hit by animals."""
    t, d = "birdstrikes", table("birdstrikes")
    when = pd.to_datetime(d["date"], format="%m/%d/%Y %H:%M:%S")
    add(t, "How many incidents are recorded?", len(d))
    gaps = d.isna().sum().sort_values(ascending=False)
    add(
        t,
        "which columns have gaps, and how big are they? biggest first",
        gaps[gaps > 0],
        gaps,
    )
    known = d.loc[d["operator"] != "UNKNOWN", "operator"].value_counts()
    add(t, "Which airline gets hit the most?", *named(known))
    phase = d["phase_of_flt"].value_counts()
    add(t, "during which part of a flight do most strikes happen?", *named(phase))
    years = when.dt.year.value_counts().sort_index()
    add(t, "number of strikes per year", years)
    add(
        t,
        "How many were there in Texas in 1995?",
        ((d["state"] == "TX") & (when.dt.year == 1995)).sum(),
    )
    add(
        t,
        "how high were the planes on average, by day, night, dawn and dusk?",
        d.groupby("time_of_day")["height"].mean(),
    )
    nameless = d["species"].str.startswith("UNKNOWN")
    add(
        t,
        "How many different species are in the list?",
        d["species"].nunique(),
        d.loc[~nameless, "species"].nunique(),
        note="with or without the UNKNOWN kinds",
    )
    landing = d["effect"] == "Precautionary Landing"
    exact, any_gull = d["species"] == "GULLS", d["species"].str.contains(r"GULLS?$")
    add(
        t,
        "what share of the gull strikes ended in a precautionary landing?",
        *share((landing & exact).sum(), exact.sum()),
        *share((landing & any_gull).sum(), any_gull.sum()),
        note="the kind GULLS, or every kind of gull",
    )
    deer = d["species"].isin(["WHITE-TAILED DEER", "COYOTE"])
    add(t, "How many hits were a white-tailed deer or a coyote?", deer.sum())
    month = when.dt.month.value_counts()
    number, name = month.idxmax(), when.dt.month_name().value_counts()
    add(
        t,
        "in which month of the year are there the most?",
        number,
        [[number, month.max()]],
        *named(name),
    )
    add(t, "How old were the pilots on average?", no=True, note="nothing on pilots")
    add(
        t,
        "how many strikes involved a penguin?",
        0,
        no=True,
        note="no such species",
    )


def main() -> None:
    """Write questions.jsonl."""
    for part in (oscars, fastfood, countries, homes, race, birdstrikes):
        part()
    with open("questions.jsonl", "w", encoding="utf-8") as sink:
        for row in OUT:
            sink.write(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n")


if __name__ == "__main__":
    main()
