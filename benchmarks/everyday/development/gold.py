"""Compute the gold answers with pandas and write questions.jsonl."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from tables import table

OUT: list[dict[str, Any]] = []
COUNT: dict[str, int] = {}


def plain(x: Any) -> Any:
    """Turn pandas and numpy values into plain JSON ones."""
    if isinstance(x, pd.DataFrame):
        return [[plain(v) for v in row] for row in x.itertuples(index=False)]
    if isinstance(x, pd.Series):
        return [[plain(k), plain(v)] for k, v in x.items()]
    if isinstance(x, (list, tuple, np.ndarray, pd.Index)):
        return [plain(v) for v in x]
    if x is None or x is pd.NaT or (isinstance(x, float) and np.isnan(x)):
        return None
    if isinstance(x, np.generic):
        return plain(x.item())
    if isinstance(x, pd.Timestamp):
        return x.strftime("%Y-%m-%d")
    return x


def q(name: str, text: str, *answers: Any, un: bool = False, note: str = "") -> None:
    """Record one question with every answer that is accepted."""
    COUNT[name] = COUNT.get(name, 0) + 1
    kept: list[Any] = []
    for a in map(plain, answers):
        if json.dumps(a) not in map(json.dumps, kept):
            kept.append(a)
    OUT.append(
        {
            "id": f"{name}-{COUNT[name]}",
            "table": name,
            "question": text,
            "answers": kept,
            "unanswerable": un,
            "note": note,
        }
    )


def share(part: float, whole: float) -> list[float]:
    """Return a share as a percentage and as a fraction."""
    return [100 * part / whole, part / whole]


def which(frame: pd.DataFrame, label: str, value: str) -> list[Any]:
    """Return the answers of a 'which' question with one winner: name, and name with number."""
    assert len(frame) == 1, frame[[label, value]]
    return [frame[label].iloc[0], frame[[label, value]]]


def rank_corr(a: pd.Series, b: pd.Series) -> float:
    """Return Spearman's correlation over the rows that have both values."""
    both = a.notna() & b.notna()
    return a[both].rank().corr(b[both].rank())


def best(frame: pd.DataFrame, value: str, low: bool = False) -> pd.DataFrame:
    """Return the rows with the highest (or lowest) value, ties kept."""
    return frame[frame[value] == (frame[value].min() if low else frame[value].max())]


def movies() -> None:
    """Questions about films."""
    t, n = table("movies"), "movies"
    year = pd.to_datetime(t["Release Date"], format="%b %d %Y").dt.year
    q(n, "what do we know about each film? just list the columns", list(t.columns))
    no_dir = int(t["Director"].isna().sum())
    q(n, "how many films have no director filled in", no_dir)
    hr = t[(t["Major Genre"] == "Horror") & (t["MPAA Rating"] == "R")]
    q(n, "How many R-rated horror movies are there?", len(hr))
    vc = t["Director"].value_counts()
    q(n, "who directed the most movies in here", vc.index[0], vc.head(1), note="missing is no name")
    top = t.nlargest(5, "Worldwide Gross")
    q(
        n,
        "top 5 biggest box office hits worldwide",
        list(top["Title"]),
        top[["Title", "Worldwide Gross"]],
    )
    g = t.groupby("Major Genre")["IMDB Rating"].mean().sort_values(ascending=False)
    gn = t.groupby("Major Genre", dropna=False)["IMDB Rating"].mean().sort_values(ascending=False)
    q(n, "average imdb score for every genre, best first", g, gn)
    big = t[t["Production Budget"] > 200e6].sort_values("Production Budget", ascending=False)
    q(
        n,
        "Which films cost more than 200 million dollars to make?",
        list(big["Title"]),
        big[["Title", "Production Budget"]],
    )
    q(n, "how many of these came out in the nineties?", int(year.between(1990, 1999).sum()))
    q(
        n,
        "do the critics on rotten tomatoes agree with imdb users? give me the correlation",
        t["Rotten Tomatoes Rating"].corr(t["IMDB Rating"]),
        rank_corr(t["Rotten Tomatoes Rating"], t["IMDB Rating"]),
        note="Pearson or Spearman",
    )
    by = t.groupby("MPAA Rating")["Production Budget"].median()
    q(
        n,
        "is the median budget of PG-13 films higher than that of R films, and by how much",
        by["PG-13"] - by["R"],
        [True, by["PG-13"] - by["R"]],
        True,
        by[["PG-13", "R"]],
        [by["PG-13"], by["R"], by["PG-13"] - by["R"]],
        [[by["PG-13"], by["R"], by["PG-13"] - by["R"]]],
    )
    nolan = best(t[t["Director"] == "Christopher Nolan"], "IMDB Rating")
    q(
        n,
        "what's Christopher Nolan's best film according to imdb?",
        *which(nolan, "Title", "IMDB Rating"),
    )
    q(n, "Who plays the lead in Avatar?", un=True, note="no actors in the table")
    assert not t["Director"].fillna("").str.contains("Varda").any()
    q(n, "how many movies by Agnès Varda", 0, un=True, note="director nowhere in the table")


def disasters() -> None:
    """Questions about deaths by natural disasters."""
    t, n = table("disasters"), "disasters"
    al = t[t["Entity"] == "All natural disasters"]
    k = t[t["Entity"] != "All natural disasters"]
    tot = k.groupby("Entity")["Deaths"].sum().sort_values(ascending=False)
    q(
        n,
        "what kinds of disasters are in this data",
        list(k["Entity"].unique()),
        list(t["Entity"].unique()),
        note="'All natural disasters' is a total, not a kind",
    )
    gap = sorted(set(range(1900, 2018)) - set(t["Year"]))
    assert len(gap) == 1
    q(n, "is there any year between 1900 and 2017 with no data at all? which one?", gap[0], gap)
    q(n, "How many people have died in earthquakes in total?", tot["Earthquake"])
    w = best(al, "Deaths")
    q(n, "deadliest year ever, all disasters together", *which(w, "Year", "Deaths"))
    q(
        n,
        "which three types of disaster killed the most people overall (leave out the total)",
        list(tot.index[:3]),
        tot.head(3),
    )
    wf = k[k["Entity"] == "Wildfire"]["Deaths"]
    q(
        n,
        "in years that had wildfire deaths, how many people died on average per year",
        wf.mean(),
        note="all 48 wildfire rows are above 0",
    )
    s = k[k["Year"] >= 2000].groupby("Entity")["Deaths"].sum()
    s1 = k[k["Year"] > 2000].groupby("Entity")["Deaths"].sum()
    pair = ["Earthquake", "Flood"]
    assert s["Earthquake"] > s["Flood"] and s1["Earthquake"] > s1["Flood"]
    q(
        n,
        "since 2000, what has killed more people, floods or quakes?",
        "Earthquake",
        [["Earthquake", s["Earthquake"]]],
        s[pair],
        [["Earthquake", s1["Earthquake"]]],
        s1[pair],
    )
    q(
        n,
        "what share of all the deaths is down to epidemics?",
        *share(tot["Epidemic"], al["Deaths"].sum()),
        *share(tot["Epidemic"], tot.sum()),
        note="of the total rows, or of the sum of the kinds (18 or so apart)",
    )
    ls = k[(k["Entity"] == "Landslide") & (k["Deaths"] > 1000)]
    q(n, "in how many years did landslides kill over a thousand people", len(ls))
    d = al.groupby(al["Year"] // 10 * 10)["Deaths"].sum()
    ds = d.set_axis([f"{y}s" for y in d.index])
    q(n, "total deaths per decade please, all natural disasters", d, ds)
    v = k[k["Entity"] == "Volcanic activity"].nlargest(2, "Deaths").iloc[[1]]
    q(n, "second worst year for volcanoes?", *which(v, "Year", "Deaths"))
    assert not t["Entity"].str.contains("sunami").any()
    q(
        n,
        "How many were killed by tsunamis?",
        0,
        un=True,
        note="no tsunami rows; 0 only with a word",
    )
    q(n, "which country lost the most people to drought", un=True, note="no countries")


def starwars() -> None:
    """Questions about Star Wars characters."""
    t, n = table("starwars"), "starwars"
    na = t.isna().sum().sort_values(ascending=False)
    q(
        n,
        "which column has the most gaps, and how many",
        na.index[0],
        na.head(1),
        [na.index[0], na.iloc[0]],
    )
    bald = t[t["hair_color"].isna()]["name"]
    q(
        n,
        "for whom is the hair colour simply missing?",
        list(bald),
        note="'none' is a value, not missing",
    )
    q(n, "who's the tallest character", *which(best(t, "height"), "name", "height"))
    hu = t[t["species"] == "Human"]
    q(
        n,
        "How many humans are NOT from Tatooine?",
        int((hu["homeworld"] != "Tatooine").sum()),
        int((hu["homeworld"].dropna() != "Tatooine").sum()),
        note="with, or without, the humans whose homeworld is missing",
    )
    ma = t[t["species"].isin(["Human", "Droid"])].groupby("species")["mass"].mean()
    q(n, "compare the average weight of droids and humans", ma)
    hw = t["homeworld"].value_counts()
    assert hw.iloc[0] > hw.iloc[1]
    q(n, "what planet do most of the characters come from", hw.index[0], hw.head(1))
    j = t.nlargest(2, "mass").iloc[[1]]
    q(n, "who is the heaviest after Jabba?", *which(j, "name", "mass"))
    q(
        n,
        "how many different species do we have here?",
        t["species"].nunique(),
        t["species"].nunique(dropna=False),
        note="37 named; 38 with missing as one",
    )
    c = t[(t["height"] > 200) & (t["mass"] < 90)]
    q(
        n,
        "who is over 2 metres tall but weighs under 90 kilos",
        list(c["name"]),
        c[["name", "height", "mass"]],
    )
    hm = t.set_index("name")["height"]
    q(
        n,
        "how much taller is Chewbacca than Yoda",
        hm["Chewbacca"] - hm["Yoda"],
        (hm["Chewbacca"] - hm["Yoda"]) / 100,
        hm["Chewbacca"] / hm["Yoda"],
        note="cm, metres, or times as tall",
    )
    sk = t[t["eye_color"].isin(["yellow", "orange"])]
    anyc = t[t["eye_color"].str.contains("yellow|orange")]
    q(
        n,
        "number of characters with yellow or orange eyes",
        len(sk),
        len(anyc),
        note="exactly, or also 'green, yellow'",
    )
    q(n, "what colour is Mace Windu's lightsaber?", un=True, note="no lightsabers in the table")
    assert not t["species"].fillna("").str.contains("Gamorrean").any()
    q(n, "how many Gamorreans are there", 0, un=True, note="species nowhere in the table")


def msleep() -> None:
    """Questions about the sleep of mammals."""
    t, n = table("msleep"), "msleep"
    q(n, "show me the first 3 rows", t.head(3))
    assert not t["name"].duplicated().any() and not t.duplicated().any()
    q(
        n,
        "are there animals that appear twice?",
        False,
        0,
        [],
        "no",
        note="no name and no row twice",
    )
    q(
        n,
        "how long does a giraffe sleep?",
        t.set_index("name")["sleep_total"]["Giraffe"],
        note="hours a day",
    )
    q(n, "Which animal sleeps longest?", *which(best(t, "sleep_total"), "name", "sleep_total"))
    v = t[t["vore"].isin(["carni", "herbi"])].groupby("vore")["sleep_total"].mean()
    q(
        n,
        "do meat eaters sleep more than plant eaters on average?",
        True,
        v,
        v["carni"] - v["herbi"],
        [["carni", v["carni"]]],
        [v["carni"], v["herbi"]],
        [True, v["carni"], v["herbi"]],
    )
    few = t[t["sleep_total"] < 4]
    q(n, "how many of them get less than four hours of sleep a day", len(few))
    br = t.nlargest(3, "brainwt")
    q(n, "the 3 animals with the heaviest brains", list(br["name"]), br[["name", "brainwt"]])
    dom = (t["conservation"] == "domesticated").sum()
    q(
        n,
        "what percentage of the animals are domesticated?",
        *share(dom, len(t)),
        *share(dom, t["conservation"].notna().sum()),
        note="of all, or of those with a known status",
    )
    r = t.assign(ratio=t["brainwt"] / t["bodywt"])
    w = best(r, "ratio")
    q(
        n,
        "whose brain is biggest relative to its body weight",
        *which(w, "name", "ratio"),
        [[w["name"].iloc[0], 100 * w["ratio"].iloc[0]]],
    )
    pr = t[t["order"] == "Primates"]["sleep_rem"]
    q(n, "median REM sleep among primates", pr.median())
    o = t["order"].value_counts()
    o5 = o[o >= 5]
    q(n, "which orders have at least five animals in the list, and how many each?", o5)
    q(n, "how many years does an African elephant live?", un=True, note="no lifespans")
    assert not t["name"].str.contains("oala").any()
    q(n, "how much does a koala sleep", un=True, note="no koala in the table")


def bakers() -> None:
    """Questions about the bakers of a TV baking contest."""
    t, n = table("bakers"), "bakers"
    em = [c for c in t if t[c].isna().all()]
    q(
        n,
        "are any columns completely empty? which?",
        em,
        [[c] for c in em],
        note="star_baker and series_runner_up hold only 0, which is not empty",
    )
    q(
        n,
        "how many bakers and how many seasons does this cover",
        [len(t), t["series"].nunique()],
        [[len(t), t["series"].nunique()]],
        [["bakers", len(t)], ["series", t["series"].nunique()]],
    )
    win = t[t["series_winner"] == 1].sort_values("series")
    w5 = win[win["series"] == 5]
    q(
        n,
        "Who won series 5?",
        w5["baker"].iloc[0],
        w5["baker_full"].iloc[0],
        w5[["baker", "series"]],
        w5[["baker_full", "series"]],
    )
    y = best(t, "age", low=True)
    q(
        n,
        "youngest contestant ever + age",
        *which(y, "baker_full", "age"),
        *which(y, "baker", "age"),
        [y["baker_full"].iloc[0], y["age"].iloc[0]],
        [y["baker"].iloc[0], y["age"].iloc[0]],
    )
    los = t[t["series_winner"] == 0]["age"]
    q(
        n,
        "were the winners on average younger than everybody else?",
        True,
        [[1, win["age"].mean()], [0, los.mean()]],
        [win["age"].mean(), los.mean()],
        [[win["age"].mean(), los.mean()]],
        los.mean() - win["age"].mean(),
        [True, win["age"].mean(), los.mean()],
    )
    assert win["age"].mean() < los.mean()
    tw = best(t, "technical_winner")
    q(
        n,
        "who came first in the technical challenge most often",
        *which(tw, "baker_full", "technical_winner"),
        *which(tw, "baker", "technical_winner"),
    )
    q(
        n,
        "how many people are from London",
        int((t["hometown"] == "London").sum()),
        int(t["hometown"].str.contains("London").sum()),
        note="exactly London, or also 'Enfield, London', 'South London' and so on",
    )
    q(n, "number of bakers in their thirties", int(t["age"].between(30, 39).sum()))
    one = (t["total_episodes_appeared"] == 1).sum()
    q(n, "how many were sent home after just one episode?", one)
    md = t.groupby("series")["age"].median()
    q(n, "median age of the cast for each series", md)
    first = pd.to_datetime(t["first_date_appeared"])
    q(
        n,
        "how many contestants made their first appearance between 2012 and 2014",
        int(first.dt.year.between(2012, 2014).sum()),
    )
    assert not t["hometown"].str.contains("Dublin").any()
    q(n, "how many bakers come from Dublin?", 0, un=True, note="hometown nowhere in the table")
    q(n, "what did Nadiya bake in the final", un=True, note="no bakes in this table")


def duke_forest() -> None:
    """Questions about houses for sale in Durham, North Carolina."""
    t, n = table("duke_forest"), "duke_forest"
    na = t.isna().sum()
    q(
        n,
        "which fields have missing values and how many are missing in each",
        na[na > 0],
        na[na > 0].sort_values(ascending=False),
        na,
    )
    q(n, "how many houses are listed?", len(t))
    q(n, "What does a house cost here on average?", t["price"].mean())
    q(n, "address of the priciest home", *which(best(t, "price"), "address", "price"))
    c = t[(t["bed"] >= 4) & (t["bath"] >= 3) & (t["price"] < 500_000)]
    q(n, "how many places have 4 or more bedrooms and at least 3 bathrooms for under 500k", len(c))
    ac = t.groupby("cooling")["price"].mean()
    cen, oth = ac["central"], ac["other"]
    q(
        n,
        "how much more do houses with central air go for, on average, than the rest?",
        cen - oth,
        ac,
        [cen, oth, cen - oth],
        [[cen, oth, cen - oth]],
        *share(cen - oth, oth),
        cen / oth,
    )
    p = t.assign(per=t["price"] / t["area"])
    q(
        n,
        "cheapest per square foot?",
        *which(best(p, "per", low=True), "address", "per"),
        p["per"].min(),
    )
    q(n, "built before 1950 - how many?", int((t["year_built"] < 1950).sum()))
    mb = t.groupby("bed")["price"].median()
    q(n, "typical (median) price by number of bedrooms", mb)
    q(
        n,
        "are bigger homes more expensive? correlation of living area with price",
        t["area"].corr(t["price"]),
        rank_corr(t["area"], t["price"]),
        note="Pearson or Spearman",
    )
    nog = t[~t["parking"].str.contains("garage|carport", case=False)]
    q(n, "how many have neither a garage nor a carport", len(nog))
    q(n, "which ones have a swimming pool?", un=True, note="no pools in the table")
    assert (t["type"] == "Single Family").all()
    q(n, "how many condos are for sale", 0, un=True, note="all are Single Family")


def main() -> None:
    """Write questions.jsonl next to this file."""
    for part in (movies, disasters, starwars, msleep, bakers, duke_forest):
        part()
    lines = [json.dumps(o, ensure_ascii=False, allow_nan=False) for o in OUT]
    Path(__file__).with_name("questions.jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
