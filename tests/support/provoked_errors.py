"""Some hundred ways to go wrong with pandas and the libraries, for what is told of an error."""

from __future__ import annotations

import collections
import datetime
import functools
import itertools
import math
import re
import statistics
import warnings
from typing import Any

import numpy as np
import pandas as pd
import sklearn.linear_model
import sklearn.metrics
import sklearn.preprocessing
import statsmodels.api as sm
from scipy import stats

FILE = "<program>"
MODULES = (collections, datetime, functools, itertools, math, re, statistics)


def raised(case: str, frame: pd.DataFrame) -> tuple[str, str, int, str]:
    """Type, message, line and code of what a line of code raises."""
    code = f"def step(df, other):\n    {case}"
    scope: dict[str, Any] = {module.__name__: module for module in MODULES}
    scope |= {"pd": pd, "np": np, "stats": stats, "sm": sm, "sklearn": sklearn}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(code, FILE, "exec"), scope)
        try:
            scope["step"](frame, frame.copy())
        except Exception as error:
            line, trace = 0, error.__traceback__
            while trace is not None:
                if trace.tb_frame.f_code.co_filename == FILE:
                    line = trace.tb_lineno
                trace = trace.tb_next
            return type(error).__name__, str(error), line, code
    raise AssertionError(f"{case} raises nothing")


CASES = """
return df["teem"]
return df[["teem","points"]]
return df[["teem","pints"]]
return df.loc["x"]
return df.loc[df["team"].iloc[0]]
return df.set_index("team").loc["zz"]
return df.set_index("team").loc[["zz","somewherea"]]
return df.groupby("teem").size()
return df.sort_values("pint")
return df.sort_values(["pint","team"])
return df.drop(columns=["pint"])
return df.drop(columns="pint")
return df.rename(columns={"a":"b"}, errors="raise")
return df.teem
return df["team"].foo
return df.groupby("team").foo
return df.groupby("team").rank_all()
return np.foo
return pd.foo
return "a".foo
return (3).foo
return None.foo
return df["note"].astype(float)
return float(df["note"].iloc[0])
return int(df["note"].iloc[0])
return pd.to_numeric(df["note"])
return df["points"].astype(int)
return df["team"] + df["n"]
return df["team"] - df["team"]
return df["team"] > 3
return df["team"].iloc[0] + 3
return df["team"].iloc[0] > 3
return 3 + "x"
return df["day"] + 3
return df["day"] > 3
return df["day"] > "foo"
return df["day"] + df["day"]
return df.iloc[905]
return df.iloc[:, 99]
return df["n"].iloc[905551]
return np.array([1,2])[7]
return [1,2][7]
return ()[0]
return df.set_index("team").reindex(["a"])
return pd.concat([])
if df["n"]: return 1
if df: return 1
if df["n"].to_numpy() > 1: return 1
return df[df["n"]>1 and df["won"]]
return 1/0
return 1%0
return 1.0//0
return foo
return math.sqrt(-1)
return math.log(0)
return df.sort_values("n", foo=1)
return df.head(1,2,3)
return pd.to_datetime(df["note"])
return pd.to_datetime(df["note"], format="%Y-%m-%d")
return pd.to_datetime(df["n"]*10**12, unit="s")
return pd.Timestamp("somewhere")
return pd.Timestamp("20200230")
return datetime.datetime.strptime(df["note"].iloc[0], "%Y-%m-%d")
return df["n"].str.upper()
return df["team"].dt.year
return df["n"].cat.codes
return df.str.upper()
return df.groupby("won")["team"].mean()
return df["team"].mean()
return df.mean()
return df["team"].sum()/2
return df.groupby("won").agg({"teem":"mean"})
return df.groupby("won").agg(x=("teem","mean"))
return df.groupby("won").agg("foo")
return df["n"].agg("foo")
return df.groupby("won").agg(x="mean")
return df.merge(other, on="teem")
return df.merge(other, left_on="team", right_on="n")
return df.merge(other, left_on=["team","n"], right_on=["n"])
return df.merge(pd.concat([other,other]), on="n", validate="1:1")
return df.pivot(index="team", columns="won", values="n").loc["x"]
return df.pivot(index="team", columns="team", values="teem")
return pd.concat([df,df]).pivot(index="team", columns="won", values="n")
return df.pivot_table(index="team", values="note", aggfunc="mean")
return df.melt(id_vars=["teem"])
return df.explode("teem")
return df.nlargest(3, "team")
return df["team"].nlargest(3)
return df["team"].quantile(0.5)
return df["n"].quantile(5)
return df.query("teem > 3")
return df.query("team >")
return df.eval("a b")
return df["n"].rolling("3D").mean()
return df.set_index("team").rolling("3D").mean()
return df.rolling(3).mean()
return df.resample("D").sum()
return df.set_index("day").resample("FOO").sum()
return pd.cut(df["n"], bins=[3,2,1])
return pd.cut(df["n"], bins=3, labels=["a"])
return pd.qcut(pd.Series([1,1,1,1]), 4)
return pd.Series([], dtype=float).idxmax()
return max([])
return df["team"].iloc[5:].iloc[0]
return statistics.mean([])
return statistics.stdev([1])
return df["n"].item()
return int("x")
return {}["somewhere"]
return {}[df["team"].iloc[0]]
return {[]: 1}
return df["team"].map(lambda v: v[99])
return df.apply(lambda r: r["teem"], axis=1)
return df["points"].map(int)
return df["n"]("x")
return df()
return None[0]
return (3)[0]
return len(3)
return sum(df["team"])
return sorted(list(df["team"])+[3])
return ",".join([1])
return "a"*"b"
return re.compile("(")
raise ValueError(df["team"].iloc[0])
assert False, df["team"].iloc[0]
assert df is None
raise KeyError(df["n"].iloc[0])
return np.array([1,2])+np.array([1,2,3])
return np.array([[1,2],[3,4]]) @ np.array([1,2,3])
return np.array([1,2]).reshape(3)
return np.concatenate([])
return np.corrcoef(df["team"], df["n"])
return np.polyfit(df["n"], df["team"], 1)
return df.corr()
return df["n"].corr(df["team"])
return df["n"].corr(df["n"], method="foo")
return df.fillna()
return df.fillna(method="ffill")
return df.append(df)
return df["n"].iteritems()
return df["day"].dt.foo
return df["team"].str.foo()
return df["team"].str.extract("abc")
return df.iloc["a"]
return df.iloc[0, "n"]
return df.loc[:, "a":"b"]
return df.at[0, "zz"]
return df.iat[0, 99]
return df[df["won"].iloc[:2]]
return df[[True, False]]
return df.loc[pd.Series([True, None, False])]
return df.drop_duplicates(subset=["teem"])
return df.dropna(subset=["teem"])
return df.insert(0, "team", 1)
return df.set_index("teem")
return df.groupby("won")["teem"].sum()
return df.groupby("won")[["teem","n"]].sum()
return df.groupby("won")["n"].get_group("zz")
return df["n"].rank(method="foo")
return df["n"].astype("foo")
return df.sample(99)
return df["n"].values.foo
return df.values.mean()
return datetime.date(2020, 2, 30)
return datetime.timedelta("x")
return pd.date_range("x", "y")
return df["day"].dt.strftime("%Y") - 1
return df["n"] & df["team"]
return ~df["team"]
return -df["team"]
return round("x", 1)
return abs("x")
return range(2.5)
return [1,2][1.5]
return "x"["y"]
return int(df["points"].iloc[2])
return int(None)
return float("somewhere")
return int(float("inf"))
return 10.0**400
return next(iter([]))
return [].pop()
return [1].index(7)
return [1].remove(7)
return "abc".index("somewhere")
return pd.to_timedelta("somewhere")
return df["n"].replace(3)
return df.loc[0, ["teem"]]
return pd.crosstab(df["team"], df["n"], values=df["n"])
return df.transform("sum")
return df.unstack().foo
return df.stack().loc[9]
return df.set_index("team").to_dict("foo")
return pd.DataFrame({"a":[1],"b":[1,2]})
return pd.DataFrame({"a":1})
return pd.DataFrame([1,2], columns=["a","b"])
return pd.DataFrame([[1,2]], columns=["a"])
return df["n"].isin("x")
return df["team"].astype("int64")
return df["team"].astype("datetime64[ns]")
return df["won"] - df["won"]
return df["team"].diff()
return df["team"].cumsum().foo
return df["team"].std()
return df["team"].median()
return np.mean(df["team"])
return np.sqrt(df["team"])
return np.where(df["team"]>1, 1, 0)
return df["n"].apply(lambda x: x.upper())
return df["team"].apply(lambda x: x/2)
return df["team"].map(float)
return np.log("x")
return math.floor("x")
return math.floor(float("nan"))
return sklearn.linear_model.Ridge().fit(df[["points"]], df["n"])
return sklearn.linear_model.Ridge().fit(df[["n"]], df["points"])
return sklearn.linear_model.Ridge().fit(df[["team"]], df["n"])
return sklearn.linear_model.Ridge().fit(df["n"], df["n"])
return sklearn.linear_model.Ridge().fit(df["n"].to_numpy(), df["n"])
return sklearn.linear_model.Ridge().fit(df[["n"]], df["n"].head(2))
return sklearn.linear_model.Ridge().fit(df[["n"]].head(0), df["n"].head(0))
return sklearn.linear_model.Ridge().fit(df[["n"]], df["n"]).predict(df[["n", "won"]])
return sklearn.linear_model.Ridge().fit(df[["n"]], df["n"]).predict(df[["points"]])
return sklearn.linear_model.Ridge().predict(df[["n"]])
return sklearn.linear_model.LogisticRegression().fit(df[["n"]], [1, 1, 1])
return sklearn.linear_model.LogisticRegression().fit(df[["n"]], df["n"] + 0.5)
return sklearn.preprocessing.LabelEncoder().fit(df["team"]).transform(["elsewhere"])
return sklearn.preprocessing.OneHotEncoder().fit(df[["note"]]).transform(df[["team"]])
return sklearn.metrics.r2_score(df["n"], df["n"].head(2))
return sm.OLS(df["n"], df[["points"]]).fit()
return sm.OLS(df["n"], df[["team"]]).fit()
return sm.OLS(df["n"], df[["n"]].set_index("n")).fit()
return sm.OLS(df["n"], df[["n", "won"]].set_index("n")).fit()
return stats.linregress(df["n"], [1.0, 2.0])
return stats.linregress([1.0, 1.0], [1.0, 2.0])
return stats.pearsonr(df["n"], [1.0])
""".strip().split("\n")
