"""Legitimate functions as a good model would write them, each with frames and its answer."""

from typing import Any, NamedTuple


class Crafted(NamedTuple):
    """A function, what it gets, and what it gives."""

    name: str
    code: str
    frames: list[dict[str, list[Any]]]
    answer: Any


FUNCTIONS: list[Crafted] = []


def _add(code: str, *frames: dict[str, list[Any]], answer: Any) -> None:
    tops = [line for line in code.splitlines() if line.startswith("def ")]
    name = tops[-1].removeprefix("def ").split("(")[0]
    FUNCTIONS.append(Crafted(name, code, list(frames), answer))


GAMES = {"team": ["a", "a", "a", "b", "b", "a"], "won": [1, 1, 0, 1, 1, 1]}
_add(
    '''
import pandas as pd

def longest_streak(games: pd.DataFrame) -> int:
    """The longest run of wins of any team."""
    best = 0
    for _, rows in games.groupby("team"):
        won = rows["won"].astype(bool)
        run = (won != won.shift()).cumsum()
        lengths = won.groupby(run).sum()
        best = max(best, int(lengths.max()))
    return best
''',
    GAMES,
    answer=2,
)
_add(
    """
from itertools import groupby

def streaks(df):
    out = {}
    for team, rows in df.groupby("team", sort=True):
        runs = (sum(1 for _ in g) for k, g in groupby(rows["won"].tolist()) if k == 1)
        out[team] = max(runs, default=0)
    return out
""",
    GAMES,
    answer={"a": 2, "b": 2},
)
_add(
    """
import pandas as pd

def islands(df):
    s = df["year"].sort_values().drop_duplicates()
    group = s - pd.Series(range(len(s)), index=s.index)
    out = s.groupby(group).agg(first="min", last="max", years="size").reset_index(drop=True)
    return out
""",
    {"year": [2000, 2001, 2003, 2004, 2005, 2009]},
    answer=[[2000, 2001, 2], [2003, 2005, 3], [2009, 2009, 1]],
)
_add(
    """
import functools

def edit_distance(df):
    @functools.lru_cache(maxsize=None)
    def d(i, j):
        if i == 0 or j == 0:
            return i + j
        return min(d(i - 1, j) + 1, d(i, j - 1) + 1, d(i - 1, j - 1) + (a[i - 1] != b[j - 1]))

    total = 0
    for a, b in zip(df["one"], df["two"]):
        d.cache_clear()
        total += d(len(a), len(b))
    return total
""",
    {"one": ["kitten", "flaw"], "two": ["sitting", "lawn"]},
    answer=5,
)
_add(
    """
def levenshtein(left: str, right: str) -> int:
    previous = list(range(len(right) + 1))
    for i, a in enumerate(left, start=1):
        current = [i]
        for j, b in enumerate(right, start=1):
            current.append(min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a != b)))
        previous = current
    return previous[-1]


def closest(names):
    words = names["name"].dropna().unique().tolist()
    pairs = [(levenshtein(a, b), a, b) for i, a in enumerate(words) for b in words[i + 1:]]
    return list(min(pairs))[1:]
""",
    {"name": ["Meier", "Maier", "Schmidt", "Schulz"]},
    answer=["Meier", "Maier"],
)
_add(
    """
import numpy as np
import pandas as pd

def business_days(orders):
    start = pd.to_datetime(orders["ordered"]).values.astype("datetime64[D]")
    end = pd.to_datetime(orders["sent"]).values.astype("datetime64[D]")
    orders = orders.assign(days=np.busday_count(start, end))
    return float(orders.days.mean())
""",
    {"ordered": ["2024-01-05", "2024-01-08"], "sent": ["2024-01-09", "2024-01-09"]},
    answer=1.5,
)
_add(
    """
import pandas as pd

def sessions(clicks):
    clicks = clicks.copy()
    clicks["at"] = pd.to_datetime(clicks["at"])
    clicks = clicks.sort_values(["user", "at"])
    gap = clicks.groupby("user")["at"].diff()
    new = gap.isna() | (gap > pd.Timedelta(minutes=30))
    clicks["session"] = new.groupby(clicks["user"]).cumsum().astype(int)
    return clicks.groupby("user", as_index=False).agg(
        sessions=("session", "max"), clicks=("at", "count")
    )
""",
    {
        "user": ["u", "u", "u", "v"],
        "at": ["2024-01-01 10:00", "2024-01-01 10:20", "2024-01-01 12:00", "2024-01-01 09:00"],
    },
    answer=[["u", 2, 3], ["v", 1, 1]],
)
_add(
    """
from collections import defaultdict

K = 32
START = 1500.0

def expected(a: float, b: float) -> float:
    return 1 / (1 + 10 ** ((b - a) / 400))

def elo(matches):
    rating = defaultdict(lambda: START)
    for row in matches.itertuples(index=False):
        e = expected(rating[row.home], rating[row.away])
        home, away = row.goals_home, row.goals_away
        score = 1.0 if home > away else 0.5 if home == away else 0.0
        rating[row.home] += K * (score - e)
        rating[row.away] -= K * (score - e)
    return {team: round(points, 1) for team, points in sorted(rating.items())}
""",
    {"home": ["x", "y"], "away": ["y", "x"], "goals_home": [1, 0], "goals_away": [0, 0]},
    answer={"x": 1514.5, "y": 1485.5},
)
_add(
    """
def running_balance(entries):
    balance, low = 0.0, 0.0
    lows = []
    for kind, amount in zip(entries["kind"], entries["amount"]):
        match kind:
            case "in":
                balance += amount
            case "out" | "fee":
                balance -= amount
            case _:
                continue
        low = min(low, balance)
        lows.append(low)
    return lows
""",
    {"kind": ["in", "out", "fee", "?"], "amount": [10.0, 15.0, 1.0, 99.0]},
    answer=[0.0, -5.0, -6.0],
)
_add(
    r"""
import re

SCORE = re.compile(r"(\d+)\s*-\s*(\d+)\s*(?:\((\d+)-(\d+)\))?")

def goals(df):
    total = 0
    for text in df["score"].astype(str):
        if (m := SCORE.search(text)) is None:
            continue
        home, away = int(m.group(1)), int(m[2])
        total += home + away
    return total
""",
    {"score": ["3-1 (2-0)", "0 - 0", "n/a"]},
    answer=4,
)
_add(
    r"""
def half_time_leads(df):
    parts = df["score"].str.extract(r"(?P<h>\d+)-(?P<a>\d+)(?: \((?P<hh>\d+)-(?P<ha>\d+)\))?")
    parts = parts.apply(lambda c: c.astype(float))
    return int((parts["hh"] > parts.ha).sum())
""",
    {"score": ["3-1 (2-0)", "0-0 (0-0)", "1-0"]},
    answer=1,
)
_add(
    """
import numpy as np

def weighted_median(df):
    ordered = df.sort_values("price")
    cumulated = ordered["weight"].cumsum()
    cutoff = ordered["weight"].sum() / 2
    return float(ordered.loc[cumulated >= cutoff, "price"].iloc[0])
""",
    {"price": [1.0, 5.0, 3.0], "weight": [1.0, 1.0, 5.0]},
    answer=3.0,
)
_add(
    """
import pandas as pd

def weighted_means(df):
    def mean(g):
        w = g["weight"]
        return (g["price"] * w).sum() / w.sum() if w.sum() else float("nan")

    return df.groupby("kind")[["price", "weight"]].apply(mean).rename("mean").reset_index()
""",
    {"kind": ["a", "a", "b"], "price": [1.0, 3.0, 5.0], "weight": [1.0, 3.0, 2.0]},
    answer=[["a", 2.5], ["b", 5.0]],
)
_add(
    """
from datetime import date, datetime, timedelta

def easter(df):
    days = []
    for y in df["year"]:
        y = int(y)
        a, b, c = y % 19, y // 100, y % 100
        d, e = divmod(b, 4)
        f = (b + 8) // 25
        g = (b - f + 1) // 3
        h = (19 * a + b - d - g + 15) % 30
        i, k = divmod(c, 4)
        m = (32 + 2 * e + 2 * i - h - k) % 7
        n = (a + 11 * h + 22 * m) // 451
        month, day = divmod(h + m - 7 * n + 114, 31)
        days.append(date(y, month, day + 1).isoformat())
    return days
""",
    {"year": [2023, 2024]},
    answer=["2023-04-09", "2024-03-31"],
)
_add(
    r"""
import re
from datetime import timedelta

def seconds(df):
    def parse(text):
        if not isinstance(text, str):
            return None
        m = re.fullmatch(r"(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)", text.strip())
        if not m:
            return None
        hours, minutes, secs = m.groups(default="0")
        length = timedelta(hours=int(hours), minutes=int(minutes), seconds=float(secs))
        return length.total_seconds()

    return df["time"].map(parse).dropna().min()
""",
    {"time": ["1:02:03", "59:59.5", None, "dnf"]},
    answer=3599.5,
)
_add(
    r"""
def money(df):
    clean = (
        df["pay"]
        .str.replace(r"[$,\s]", "", regex=True)
        .str.replace("k", "000", regex=False)
    )
    import pandas as pd

    return float(pd.to_numeric(clean, errors="coerce").sum())
""",
    {"pay": ["$1,200", "3k", "unknown"]},
    answer=4200.0,
)
_add(
    """
def roman(df):
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}

    def number(text):
        total = 0
        for one, after in zip(text, text[1:] + " "):
            total += -values[one] if values.get(after, 0) > values[one] else values[one]
        return total

    return [number(one) for one in df["no"]]
""",
    {"no": ["XIV", "MCMXC"]},
    answer=[14, 1990],
)
_add(
    """
import heapq

def shortest(edges):
    graph = {}
    for a, b, w in edges[["a", "b", "w"]].itertuples(index=False, name=None):
        graph.setdefault(a, []).append((w, b))
        graph.setdefault(b, []).append((w, a))
    queue, seen = [(0.0, "s")], set()
    while queue:
        cost, node = heapq.heappop(queue)
        if node == "t":
            return cost
        if node in seen:
            continue
        seen.add(node)
        for weight, other in graph.get(node, []):
            if other not in seen:
                heapq.heappush(queue, (cost + weight, other))
    raise ValueError("there is no way from s to t")
""",
    {"a": ["s", "s", "m"], "b": ["m", "t", "t"], "w": [1.0, 5.0, 1.5]},
    answer=2.5,
)
_add(
    """
def components(df):
    parent = {}

    def find(x):
        parent.setdefault(x, x)
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for _, row in df.iterrows():
        parent[find(row["a"])] = find(row["b"])
    return len({find(x) for x in list(parent)})
""",
    {"a": [1, 2, 5], "b": [2, 3, 6]},
    answer=2,
)
_add(
    """
import numpy as np

def gini(df):
    x = np.sort(df["income"].to_numpy(dtype=float))
    n = x.size
    index = np.arange(1, n + 1)
    return round(float((2 * index - n - 1) @ x / (n * x.sum())), 4)
""",
    {"income": [1.0, 1.0, 2.0, 4.0]},
    answer=0.3125,
)
_add(
    """
import numpy as np

def trend(df):
    y = df["value"].to_numpy(dtype=float)
    x = np.arange(len(y))
    slope, intercept = np.polyfit(x, y, 1)
    following = np.polyval([slope, intercept], len(y))
    return {"slope": round(float(slope), 3), "next": round(float(following), 3)}
""",
    {"value": [1.0, 3.0, 5.0]},
    answer={"slope": 2.0, "next": 7.0},
)
_add(
    """
import numpy as np

def regression(df):
    X = np.column_stack([np.ones(len(df)), df["x1"], df["x2"]])
    beta, *_ = np.linalg.lstsq(X, df["y"].values, rcond=None)
    return [round(float(b), 6) for b in beta]
""",
    {"x1": [0.0, 1.0, 0.0, 1.0], "x2": [0.0, 0.0, 1.0, 1.0], "y": [1.0, 3.0, 4.0, 6.0]},
    answer=[1.0, 2.0, 3.0],
)
_add(
    """
def moving(df):
    out = df.sort_values("day")
    by_shop = out.groupby("shop")["sold"]
    out["mean3"] = by_shop.transform(lambda s: s.rolling(3, min_periods=1).mean())
    return out.loc[out["mean3"].idxmax(), "day"]
""",
    {"shop": ["a"] * 4, "day": [1, 2, 3, 4], "sold": [1.0, 9.0, 9.0, 1.0]},
    answer=3,
)
_add(
    """
import pandas as pd

def cohorts(orders):
    orders = orders.assign(month=pd.to_datetime(orders["at"]).dt.to_period("M"))
    first = orders.groupby("user")["month"].transform("min")
    orders["age"] = (orders["month"] - first).map(lambda d: d.n)
    cohort = first.astype(str).rename("cohort")
    table = orders.pivot_table(
        index=cohort, columns="age", values="user", aggfunc="nunique", fill_value=0
    )
    table.columns = [f"m{c}" for c in table.columns]
    return table.reset_index()
""",
    {"user": ["u", "u", "v"], "at": ["2024-01-03", "2024-02-01", "2024-02-02"]},
    answer=[["2024-01", 1, 1], ["2024-02", 1, 0]],
)
_add(
    """
import pandas as pd

def overlaps(bookings):
    events = []
    for row in bookings.itertuples():
        events += [(row.start, 1), (row.end, -1)]
    most = now = 0
    for _, change in sorted(events):
        now += change
        most = max(most, now)
    return most
""",
    {"start": [1, 2, 3, 9], "end": [4, 5, 6, 10]},
    answer=3,
)
_add(
    """
from bisect import bisect_right

GRADES = [(0, "F"), (50, "D"), (65, "C"), (80, "B"), (90, "A")]

def grades(df):
    limits = [low for low, _ in GRADES]
    letters = df["points"].apply(lambda p: GRADES[bisect_right(limits, p) - 1][1])
    return letters.value_counts().sort_index().to_dict()
""",
    {"points": [95, 50, 49, 66, 90]},
    answer={"A": 2, "C": 1, "D": 1, "F": 1},
)
_add(
    """
from collections import Counter
import string

def top_words(df, n=2):
    stop = {"the", "a", "of"}
    counts = Counter()
    for text in df["text"].fillna(""):
        words = text.lower().translate(str.maketrans("", "", string.punctuation)).split()
        counts.update(w for w in words if w not in stop)
    ordered = sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))
    return [f"{word}: {count:,}" for word, count in ordered[:n]]
""",
    {"text": ["The cat, the dog!", "a cat of Mine."]},
    answer=["cat: 2", "dog: 1"],
)
_add(
    """
import math

def haversine(lat1, lon1, lat2, lon2):
    p = math.pi / 180
    a = 0.5 - math.cos((lat2 - lat1) * p) / 2
    a += math.cos(lat1 * p) * math.cos(lat2 * p) * (1 - math.cos((lon2 - lon1) * p)) / 2
    return 12742 * math.asin(math.sqrt(a))

def farthest(cities):
    rows = [row for _, row in cities.set_index("city").iterrows()]
    best = max(
        ((haversine(a.lat, a.lon, b.lat, b.lon), a.name, b.name) for a in rows for b in rows),
        key=lambda t: t[0],
    )
    return round(best[0])
""",
    {"city": ["x", "y"], "lat": [0.0, 0.0], "lon": [0.0, 180.0]},
    answer=20015,
)
_add(
    """
from decimal import Decimal, ROUND_HALF_UP

def invoice(df):
    lines = zip(df["price"], df["quantity"])
    total = sum((Decimal(str(p)) * int(q) for p, q in lines), Decimal("0"))
    return str((total * Decimal("1.19")).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP))
""",
    {"price": [1.99, 0.5], "quantity": [3, 1]},
    answer="7.70",
)
_add(
    """
from fractions import Fraction

def portions(df):
    total = sum(map(Fraction, df["share"]))
    return f"{total.numerator}/{total.denominator}"
""",
    {"share": ["1/3", "1/6", "1/4"]},
    answer="3/4",
)
_add(
    """
from statistics import median, pstdev

def robust(df):
    result = df.groupby("g")["v"].agg(middle=median, spread=pstdev, n=len)
    return result.query("n > 1").reset_index()
""",
    {"g": ["a", "a", "b"], "v": [1.0, 3.0, 9.0]},
    answer=[["a", 2.0, 1.0, 2]],
)
_add(
    """
import numpy as np
import pandas as pd

def outliers(df):
    num = df.select_dtypes(include=[np.number])
    q1, q3 = num.quantile(0.25), num.quantile(0.75)
    iqr = q3 - q1
    mask = (num < q1 - 1.5 * iqr) | (num > q3 + 1.5 * iqr)
    out = mask.sum().rename_axis("column").reset_index(name="outliers")
    return out.sort_values("outliers", ascending=False).head(1)
""",
    {"p": [1, 2, 3, 2, 100], "q": [1, 1, 1, 1, 1]},
    answer=[["p", 1]],
)
_add(
    """
def standings(df):
    home = df[["home", "hg", "ag"]].set_axis(["team", "gf", "ga"], axis=1)
    away = df[["away", "ag", "hg"]].set_axis(["team", "gf", "ga"], axis=1)
    import pandas as pd
    import numpy as np

    both = pd.concat([home, away], ignore_index=True)
    both["points"] = np.select([both.gf > both.ga, both.gf == both.ga], [3, 1], default=0)
    table = both.groupby("team").agg({"points": "sum", "gf": "sum", "ga": "sum"})
    table["diff"] = table.gf - table.ga
    return table.sort_values(["points", "diff"], ascending=False).reset_index()[["team", "points"]]
""",
    {"home": ["a", "b"], "away": ["b", "a"], "hg": [2, 1], "ag": [0, 1]},
    answer=[["a", 4], ["b", 1]],
)
_add(
    """
def merge_intervals(df):
    out = []
    for start, end in sorted(zip(df["from"], df["to"])):
        if out and start <= out[-1][1]:
            out[-1][1] = max(out[-1][1], end)
        else:
            out.append([start, end])
    return sum(b - a for a, b in out)
""",
    {"from": [1, 2, 10], "to": [3, 6, 12]},
    answer=7,
)
_add(
    """
import pandas as pd

def join_near(left, right):
    left, right = left.sort_values("t"), right.sort_values("t")
    joined = pd.merge_asof(left, right, on="t", direction="nearest", suffixes=("", "_r"))
    joined["gap"] = (joined["v"] - joined["w"]).abs()
    return joined[["t", "gap"]]
""",
    {"t": [1, 5], "v": [1.0, 2.0]},
    {"t": [2, 6], "w": [4.0, 2.5]},
    answer=[[1, 3.0], [5, 0.5]],
)
_add(
    """
def anti_join(customers, orders):
    merged = customers.merge(orders, how="left", on="id", indicator=True)
    return merged.loc[merged["_merge"] == "left_only", "name"].tolist()
""",
    {"id": [1, 2], "name": ["p", "q"]},
    {"id": [2], "sum": [9]},
    answer=["p"],
)
_add(
    """
def primes(df):
    def is_prime(n):
        if n < 2:
            return False
        return all(n % k for k in range(2, int(n ** 0.5) + 1))

    return df[df["n"].apply(is_prime)]["n"].tolist()
""",
    {"n": [1, 2, 9, 13]},
    answer=[2, 13],
)
_add(
    r"""
import re

def dates(df):
    months = "jan feb mar apr may jun jul aug sep oct nov dec".split()

    def year(text):
        try:
            found = re.search(r"\b(1[89]|20)\d{2}\b", text)
            return int(found.group()) if found else None
        except TypeError:
            return None

    years = df["when"].map(year)
    early = [m for m in months if df["when"].str.lower().str.contains(m, na=False).any()]
    return {"first": int(years.min()), "months": ",".join(early)}
""",
    {"when": ["4 May 1999", "June 2003", "long ago", None]},
    answer={"first": 1999, "months": "may,jun"},
)
_add(
    """
import numpy as np
import pandas as pd

def bootstrap(df, rounds=200):
    rng = np.random.default_rng(0)
    values = df["x"].dropna().to_numpy()
    draws = (rng.choice(values, size=values.size, replace=True) for _ in range(rounds))
    means = np.array([draw.mean() for draw in draws])
    low, high = np.percentile(means, [2.5, 97.5])
    return bool(low <= values.mean() <= high)
""",
    {"x": [1.0, 2.0, 3.0, 4.0]},
    answer=True,
)
_add(
    """
from collections import deque

def first_repeat(df):
    window = deque(maxlen=3)
    for position, value in enumerate(df["v"].tolist()):
        if value in window:
            return position
        window.append(value)
    return -1
""",
    {"v": [1, 2, 3, 4, 1, 4]},
    answer=5,
)
_add(
    """
import pandas as pd

def wide(df):
    numeric = df.columns[df.dtypes.apply(pd.api.types.is_numeric_dtype)].tolist()
    funcs = ["min", "max"]
    summary = df[numeric].agg(funcs).T
    summary.index.name = "column"
    return summary.reset_index()
""",
    {"name": ["x", "y"], "p": [1, 2], "q": [5, 3]},
    answer=[["p", 1, 2], ["q", 3, 5]],
)
_add(
    """
from typing import Dict, List, Optional

def knapsack(df) -> Optional[int]:
    best: Dict[int, int] = {0: 0}
    items: List = list(zip(df["weight"], df["worth"]))
    for weight, worth in items:
        for used, value in list(best.items()):
            total = used + weight
            if total <= 10 and best.get(total, -1) < value + worth:
                best[total] = value + worth
    return int(max(best.values()))
""",
    {"weight": [6, 5, 5], "worth": [10, 6, 7]},
    answer=13,
)
