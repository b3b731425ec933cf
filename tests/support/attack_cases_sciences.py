"""Attacks by way of scipy, scikit-learn and statsmodels: all but what computes there."""

from attack_cases import ENVIRON, KERNEL, POISON, READ, RESOURCE, RUN, WRITE, Attack

_CAT = '("cat SECRET_FILE").read()'
_A = [
    (
        "globals of an estimator's method",
        """
from sklearn.linear_model import Ridge
made = Ridge.fit.__globals__["__builtins__"]
result = made["__import__"]("os").popen"""
        + _CAT,
        RUN,
    ),
    (
        "globals beneath a decorator",
        """
from sklearn.linear_model import Ridge
result = Ridge().fit.__wrapped__.__globals__["__builtins__"]["open"]("SECRET_FILE").read()
""",
        READ,
    ),
    (
        "globals of a distribution",
        """
from scipy import stats
result = stats.norm.cdf.__func__.__globals__["__builtins__"]["open"]("SECRET_FILE").read()
""",
        READ,
    ),
    (
        "modules of an estimator's class",
        """
from sklearn.cluster import KMeans
import sys
result = sys.modules[KMeans.__module__].__builtins__["open"]("SECRET_FILE").read()
""",
        READ,
    ),
]
_C = [
    (
        "metrics to the module table",
        "from sklearn.metrics import pairwise\n"
        'result = pairwise.warnings.sys.modules["os"].popen' + _CAT,
        RUN,
    ),
    (
        "statsmodels to os",
        "import statsmodels.api as sm\nresult = sm.tools.print_version.os.popen" + _CAT,
        RUN,
    ),
    (
        "statsmodels to shutil",
        "import statsmodels.api as sm\n"
        'sm.datasets.utils.shutil.copy("SECRET_FILE", "OUT_FOLDER/copied")',
        WRITE,
    ),
    ("scipy to os", "import scipy\nresult = str(dict(scipy.io.wavfile.os.environ))", ENVIRON),
    (
        "utils of scikit-learn",
        "from sklearn.utils import parallel\n"
        'result = parallel.warnings.sys.modules["os"].popen' + _CAT,
        RUN,
    ),
]
_D = [
    (
        "a scorer that calls a writer",
        """
from sklearn.metrics import make_scorer
make_scorer(lambda a, b: 0, response_method=["to_csv"])(df, "OUT_FOLDER/scorer.csv", None)
""",
        WRITE,
    ),
    (
        "a getter of importances that walks",
        """
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import Ridge
X = df[["a"]]
chosen = SelectFromModel(Ridge(), importance_getter="fit.__globals__").fit(X, X["a"])
try:
    chosen.get_support()
except Exception as error:
    result = GOT if "warn" in str(error) or "object" in str(error) else ""
""",
        RUN,
    ),
]
_E = [
    (
        "a formula that runs a program",
        """
import statsmodels.formula.api as smf
smf.ols("a ~ __import__('os').system('touch OUT_FOLDER/formula')", df).fit()
""",
        RUN,
    ),
    (
        "a formula by the class",
        """
import statsmodels.api as sm
sm.OLS.from_formula("a ~ __import__('os').system('touch OUT_FOLDER/classy')", df)
""",
        RUN,
    ),
    (
        "a design matrix of patsy",
        """
import patsy
patsy.dmatrix("open('OUT_FOLDER/patsy', 'w') and a", df)
""",
        WRITE,
    ),
    (
        "a design matrix of formulaic",
        """
import formulaic
formulaic.model_matrix("{__import__('os').system('touch OUT_FOLDER/formulaic') + a}", df)
""",
        RUN,
    ),
    (
        "a formula smuggled beside the arrays",
        """
import statsmodels.api as sm
made = sm.OLS(df["a"], df[["a"]], formula="a", model_spec="__import__('os').popen('id') and a")
made.fit().predict(df)
result = "went through"
""",
        RUN,
    ),
    (
        "a formula smuggled by stars",
        """
import statsmodels.api as sm
more = {"formula": "a", "model_" + "spec": "__import__('os').system('touch OUT_FOLDER/spec') + a"}
sm.OLS(df["a"], df[["a"]], **more).fit().predict(df)
result = "went through"
""",
        RUN,
    ),
]
_F = [
    ("a pickle by joblib", 'import joblib\njoblib.load("SECRET_PICKLE")', RUN),
    (
        "a pickle by statsmodels",
        'import statsmodels.api as sm\nsm.load_pickle("SECRET_PICKLE")',
        RUN,
    ),
    (
        "a pickle by a class of results",
        """
import statsmodels.api as sm
sm.OLS(df["a"], df[["a"]]).fit().load("SECRET_PICKLE")
""",
        RUN,
    ),
]
_G = [
    (
        "a folder as texts",
        """
from sklearn.datasets import load_files
import os
result = str(load_files(os.path.dirname(os.path.dirname("SECRET_FILE")))["data"])
""",
        READ,
    ),
    (
        "a vectoriser of files",
        """
from sklearn.feature_extraction.text import CountVectorizer
made = CountVectorizer(input="filename", token_pattern=r"\\S+", lowercase=False)
result = str(made.fit(["SECRET_FILE"]).vocabulary_)
""",
        READ,
    ),
    (
        "a map of a file as an array",
        """
from sklearn.preprocessing import FunctionTransformer
made = FunctionTransformer(lambda path: np.memmap(path, dtype="u1", mode="r"))
result = bytes(made.fit_transform("SECRET_FILE")).decode()
""",
        READ,
    ),
    ("scipy's data sets", "import scipy.io\nresult = scipy.io.loadmat('SECRET_FILE')", READ),
]
_NOT_LIVE = frozenset(
    {
        "scipy's data sets",
        "a folder as texts",
        "a scorer that calls a writer",  # it asks a frame for tags first, and there are none
        "a formula smuggled beside the arrays",  # kept with the data, and not asked for
        "a formula smuggled by stars",
    }
)
_H = [
    (
        "a cache of a pipeline",
        """
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
made = make_pipeline(StandardScaler(), StandardScaler(), memory="OUT_FOLDER/cache")
made.fit(df[["a"]])
""",
        WRITE,
    ),
    (
        "a cache of a clustering",
        """
from sklearn.cluster import AgglomerativeClustering
AgglomerativeClustering(2, memory="OUT_FOLDER/cached").fit(df[["a"]])
""",
        WRITE,
    ),
    (
        "a cache set afterwards",
        """
from sklearn.cluster import AgglomerativeClustering
AgglomerativeClustering(2).set_params(memory="OUT_FOLDER/later").fit(df[["a"]])
""",
        WRITE,
    ),
    (
        "a tree drawn to a file",
        """
from sklearn.tree import DecisionTreeRegressor, export_graphviz
export_graphviz(DecisionTreeRegressor().fit(df[["a"]], df["a"]), out_file="OUT_FOLDER/tree.dot")
""",
        WRITE,
    ),
    (
        "results saved",
        """
import statsmodels.api as sm
sm.OLS(df["a"], df[["a"]]).fit().save("OUT_FOLDER/results.pkl")
""",
        WRITE,
    ),
    (
        "an array dumped by joblib",
        'import joblib\njoblib.dump(df, "OUT_FOLDER/frame.joblib")',
        WRITE,
    ),
    (
        "an array in Matlab's form",
        'from scipy.io import savemat\nsavemat("OUT_FOLDER/a.mat", {"a": df["a"].to_numpy()})',
        WRITE,
    ),
]
_CACHES = [
    (
        "a cache among the parameters to try",
        """
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
made = make_pipeline(StandardScaler(), StandardScaler(), Ridge())
GridSearchCV(made, {"memory": ["OUT_FOLDER/tried"]}, cv=3).fit(df[["a"]], df["a"])
""",
    ),
    (
        "a cache by stars",
        """
from sklearn.cluster import AgglomerativeClustering
AgglomerativeClustering(2, **{"mem" + "ory": "OUT_FOLDER/starred"}).fit(df[["a"]])
""",
    ),
]
"""The allow-list sees no word of these: what holds them is the wall, and a refusal as they run."""
_POISON = [
    (
        "settings of scikit-learn",
        "import sklearn\nsklearn.set_config(assume_finite=True)",
        'import sklearn\nresult = GOT if sklearn.get_config()["assume_finite"] else ""',
    ),
    (
        "a patched estimator",
        "from sklearn.linear_model import Ridge\nRidge.fit = lambda *a: 1",
        "from sklearn.linear_model import Ridge\n"
        'result = GOT if Ridge().fit(df[["a"]], df["a"]) == 1 else ""',
    ),
]
_J = [
    (
        "scipy's low-level callable",
        """
import ctypes
from scipy import LowLevelCallable, integrate
system = ctypes.CDLL(None).system
system.restype, system.argtypes = ctypes.c_double, [ctypes.c_double]
integrate.quad(LowLevelCallable(system), 0, 1)
""",
    ),
    (
        "a sparse matrix of made-up places",
        """
from sklearn.preprocessing import OneHotEncoder
kind = type(OneHotEncoder().fit_transform(df[["a"]]))
far = np.array([2**31 - 1, 2**30], dtype="int32")
result = kind((np.ones(2), far, np.array([0, 1, 2], dtype="int32")), shape=(2, 3)).toarray()
""",
    ),
    (
        "a sparse matrix whose places are written",
        """
from sklearn.preprocessing import OneHotEncoder
made = OneHotEncoder().fit_transform(df[["a"]])
made.indices[:] = 2**31 - 1
result = made.toarray().sum()
""",
    ),
    (
        "a tree whose branches are written",
        """
from sklearn.tree import DecisionTreeRegressor
made = DecisionTreeRegressor().fit(df[["a"]], df["a"])
made.tree_.children_left[0] = 2**40
result = made.predict(df[["a"]]).sum()
""",
    ),
    (
        "a memory file by joblib",
        """
from joblib import Parallel, delayed
import os
done = Parallel(2, max_nbytes=1)(delayed(os.getpid)() for _ in range(4))
result = GOT if len({*done} - {os.getpid()}) else ""
""",
    ),
]
_K = [
    (
        "workers of a forest",
        """
import os
from sklearn.ensemble import BaggingRegressor
from sklearn.preprocessing import FunctionTransformer
from sklearn.model_selection import cross_val_score
pids = cross_val_score(
    BaggingRegressor(n_jobs=2), df[["a"]], df["a"], cv=2, n_jobs=2,
    scoring=lambda *given: float(os.getpid()),
)
result = GOT if {*pids} - {float(os.getpid())} else ""
""",
    ),
    (
        "workers of a search",
        """
from scipy.optimize import differential_evolution
result = GOT if differential_evolution(lambda v: v[0] ** 2, [(-1, 1)], workers=2).success else ""
""",
    ),
    (
        "workers in the options of a search",
        """
from scipy.optimize import least_squares
result = GOT if least_squares(lambda v: v, [1.0], **{"work" + "ers": 2}).success else ""
""",
    ),
    (
        "threads of joblib",
        """
from joblib import Parallel, delayed
import threading
done = Parallel(64, backend="threading")(delayed(threading.get_ident)() for _ in range(640))
result = GOT if len({*done}) > 1 else ""
""",
    ),
    (
        "a pool of threads",
        """
from multiprocessing.pool import ThreadPool
result = GOT if ThreadPool(8).map(abs, [1]) else ""
""",
    ),
]
TIME, MEMORY, FAILED, RESULT = "code time", "code memory", "code failed", "code result"
_BOMBS = [
    (
        "a forest of a million",
        "from sklearn.ensemble import RandomForestRegressor\n"
        'RandomForestRegressor(10**6, n_jobs=-1).fit(df[["a"]], df["a"])',
    ),
    (
        "boosting without an end",
        "from sklearn.ensemble import HistGradientBoostingRegressor\n"
        "HistGradientBoostingRegressor(max_iter=10**8).fit(np.ones((10**4, 2)), np.ones(10**4))",
    ),
    (
        "all distances of a million",
        "from sklearn.metrics import pairwise_distances\npairwise_distances(np.ones((10**6, 2)))",
    ),
    (
        "polynomials of a degree",
        "from sklearn.preprocessing import PolynomialFeatures\n"
        "PolynomialFeatures(40).fit_transform(np.ones((100, 20)))",
    ),
    (
        "permutations of a test",
        "from scipy import stats\n"
        "stats.permutation_test((np.arange(50.0), np.arange(50.0)), lambda a, b: a.mean(), "
        "n_resamples=10**9, batch=1)",
    ),
    (
        "a search that goes nowhere",
        "from scipy import optimize\n"
        "while True:\n    optimize.dual_annealing(lambda v: v[0], [(-1, 1)], maxiter=10**9)",
    ),
    (
        "a distribution of a trillion",
        "from scipy.stats import norm\nresult = len(norm.rvs(size=10**12))",
    ),
    (
        "a kernel of all rows",
        "import statsmodels.api as sm\n"
        "sm.GLS(np.ones(10**5), np.ones((10**5, 1)), np.eye(10**5)).fit()",
    ),
]
ATTACKS = [
    *(Attack("A", name, code, escape) for name, code, escape in _A),
    *(Attack("C", name, code, escape) for name, code, escape in _C),
    *(Attack("D", name, code, escape, live=name not in _NOT_LIVE) for name, code, escape in _D),
    *(Attack("E", name, code, escape, live=name not in _NOT_LIVE) for name, code, escape in _E),
    *(Attack("F", name, code, escape) for name, code, escape in _F),
    *(Attack("G", name, code, escape, live=name not in _NOT_LIVE) for name, code, escape in _G),
    *(Attack("H", name, code, escape) for name, code, escape in _H),
    *(Attack("H", name, code, POISON, then=then, live=False) for name, code, then in _POISON),
    *(Attack("E", name, code, WRITE) for name, code in _CACHES),
    *(Attack("J", name, code, KERNEL, live=False) for name, code in _J),
    *(Attack("K", name, code, RESOURCE, live=False) for name, code in _K),
    *(
        Attack(
            "K",
            name,
            code,
            RESOURCE,
            seconds=0.5,
            memory_mb=128,
            live=False,
            must=(TIME, MEMORY, FAILED, RESULT),
        )
        for name, code in _BOMBS
    ),
]
