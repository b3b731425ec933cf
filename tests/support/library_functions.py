"""Legitimate functions that import scipy, scikit-learn or statsmodels, as a model writes them."""

from craft_functions import Crafted

LINE = {
    "x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0],
    "y": [2.1, 3.9, 6.2, 7.8, 10.1, 12.2, 13.8, 16.1],
    "group": ["a", "a", "b", "b", "a", "a", "b", "b"],
}
FUNCTIONS: list[Crafted] = []


def _add(name: str, code: str, answer: object) -> None:
    FUNCTIONS.append(Crafted(name, code, [LINE], answer))


_add(
    "normality",
    """
from scipy import stats

def normality(df):
    statistic, pvalue = stats.shapiro(df["y"].dropna())
    return {"statistic": round(float(statistic), 4), "normal": bool(pvalue > 0.05)}
""",
    {"statistic": 0.9738, "normal": True},
)
_add(
    "compare",
    """
import pandas as pd
from scipy.stats import ttest_ind

def compare(df: pd.DataFrame) -> float:
    a = df.loc[df["group"] == "a", "y"]
    b = df.loc[df["group"] == "b", "y"]
    return round(float(ttest_ind(a, b, equal_var=False).pvalue), 4)
""",
    0.2929,
)
_add(
    "held_out",
    """
from sklearn.linear_model import Ridge
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import train_test_split

def held_out(df):
    train, test = train_test_split(df, test_size=0.25, random_state=42)
    model = Ridge(alpha=1.0).fit(train[["x"]], train["y"])
    return round(float(mean_absolute_error(test["y"], model.predict(test[["x"]]))), 3)
""",
    0.305,
)
_add(
    "clusters",
    """
from sklearn.cluster import KMeans
from sklearn.preprocessing import StandardScaler

def clusters(df):
    scaler = StandardScaler()
    scaled = scaler.fit_transform(df[["x", "y"]])
    model = KMeans(n_clusters=2, n_init=10, random_state=0)
    labels = model.fit_predict(scaled)
    again = model.predict(scaler.transform(df[["x", "y"]]))
    out = df[["x"]].assign(cluster=labels, again=again)
    return out.groupby("cluster")["x"].count().sort_values().tolist()
""",
    [4, 4],
)
_add(
    "ols",
    """
import statsmodels.api as sm

def ols(df):
    X = sm.add_constant(df[["x"]])
    fitted = sm.OLS(df["y"], X).fit()
    low, high = fitted.conf_int().loc["x"]
    return [round(v, 3) for v in (*fitted.params, low, high, fitted.rsquared)]
""",
    [0.036, 1.998, 1.93, 2.066, 0.999],
)
_add(
    "trend",
    """
import scipy.stats as st

def trend(df):
    line = st.linregress(df["x"], df["y"])
    return [round(float(v), 3) for v in (line.slope, line.intercept, line.rvalue, line.stderr)]
""",
    [1.998, 0.036, 0.999, 0.028],
)
_add(
    "outliers",
    """
from scipy import stats

def outliers(df):
    z = df.groupby("group")["y"].transform(stats.zscore)
    return df.assign(z=z.round(3)).loc[z.abs() > 1.2, ["x", "z"]]
""",
    [[6.0, 1.223], [8.0, 1.251]],
)
_add(
    "pipeline",
    """
import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestRegressor
from sklearn.impute import SimpleImputer
from sklearn.model_selection import KFold, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

def pipeline(df):
    prepare = ColumnTransformer([
        ("numbers", make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), ["x"]),
        ("words", OneHotEncoder(handle_unknown="ignore"), ["group"]),
    ])
    forest = RandomForestRegressor(n_estimators=20, random_state=0, n_jobs=-1)
    model = Pipeline([("prepare", prepare), ("model", forest)])
    folds = KFold(n_splits=4, shuffle=True, random_state=0)
    scores = cross_val_score(
        model, df[["x", "group"]], df["y"], cv=folds, scoring="neg_mean_absolute_error"
    )
    return bool(np.all(scores < 0))
""",
    True,
)
