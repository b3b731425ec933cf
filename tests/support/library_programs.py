"""Programs that between them use every name of scipy, scikit-learn and statsmodels that may be."""

import numpy as np
import polars as pl

ROWS = 60


def library_frame() -> pl.DataFrame:
    """Numbers that hang together, groups, and two kinds of counts."""
    chance = np.random.default_rng(7)
    x, z = chance.normal(size=ROWS), chance.normal(size=ROWS)
    y = 3.0 + 2.0 * x - z + chance.normal(scale=0.5, size=ROWS)
    return pl.DataFrame(
        {
            "x": x,
            "z": z,
            "y": y,
            "positive": np.exp(y / 4),
            "group": ["a", "b", "c"] * (ROWS // 3),
            "won": (y + chance.normal(scale=2.0, size=ROWS) > 3).astype(int),
            "goals": chance.poisson(3, size=ROWS),
        }
    )


PROGRAMS: dict[str, str] = {}


def _add(name: str, code: str) -> None:
    PROGRAMS[name] = code.strip() + "\n"


_add(
    "tests of one sample",
    """
from scipy import stats
x, y, p = df["x"], df["y"], df["positive"]
result = {
    "shapiro": stats.shapiro(x).pvalue,
    "normaltest": stats.normaltest(x).pvalue,
    "jarque_bera": stats.jarque_bera(x).statistic,
    "skewtest": stats.skewtest(x).pvalue,
    "kurtosistest": stats.kurtosistest(x).pvalue,
    "anderson": stats.anderson(x, method="interpolate").statistic,
    "old anderson": float(stats.anderson(x).significance_level[0]),
    "kstest": stats.kstest(x, "norm").pvalue,
    "ks_1samp": stats.ks_1samp(x, stats.norm.cdf).pvalue,
    "cramervonmises": stats.cramervonmises(x, "norm").pvalue,
    "ttest_1samp": stats.ttest_1samp(x, 0).confidence_interval().low,
    "wilcoxon": stats.wilcoxon(x).pvalue,
    "binomtest": stats.binomtest(int(df["won"].sum()), len(df)).proportion_ci().high,
    "quantile_test": stats.quantile_test(x, q=0, p=0.5).pvalue,
    "chisquare": stats.chisquare(df["group"].value_counts()).pvalue,
    "power_divergence": stats.power_divergence([10, 12, 8], lambda_="log-likelihood").pvalue,
    "monte_carlo_test": stats.monte_carlo_test(
        x.to_numpy(), stats.norm.rvs, lambda a, axis: np.mean(a, axis=axis), n_resamples=200
    ).pvalue,
}
""",
)
_add(
    "tests of two samples",
    """
from scipy import stats
x, y = df["x"].to_numpy(), df["y"].to_numpy()
won = df["won"].astype(bool)
a, b = df.loc[won, "x"], df.loc[~won, "x"]
result = {
    "ttest_ind": stats.ttest_ind(a, b, equal_var=False).pvalue,
    "ttest_ind by permutations": stats.ttest_ind(
        a, b, method=stats.PermutationMethod(n_resamples=50, rng=1)
    ).pvalue,
    "from stats": stats.ttest_ind_from_stats(1, 2, 30, 1.5, 2, 30).pvalue,
    "ttest_rel": stats.ttest_rel(x, y).pvalue,
    "mannwhitneyu": stats.mannwhitneyu(a, b).pvalue,
    "ranksums": stats.ranksums(a, b).pvalue,
    "brunnermunzel": stats.brunnermunzel(a, b).pvalue,
    "mood": stats.mood(a, b).pvalue,
    "ansari": stats.ansari(a, b).pvalue,
    "ks_2samp": stats.ks_2samp(a, b).statistic_location,
    "cramervonmises_2samp": stats.cramervonmises_2samp(a, b).pvalue,
    "anderson_ksamp": stats.anderson_ksamp(
        [a, b], variant="midrank", method=stats.PermutationMethod(n_resamples=20, rng=1)
    ).pvalue,
    "epps_singleton_2samp": stats.epps_singleton_2samp(a, b).pvalue,
    "energy_distance": stats.energy_distance(a, b),
    "wasserstein_distance": stats.wasserstein_distance(a, b),
    "poisson_means_test": stats.poisson_means_test(12, 100, 20, 110).pvalue,
    "permutation_test": stats.permutation_test(
        (a, b), lambda u, v: u.mean() - v.mean(), n_resamples=99, rng=1
    ).pvalue,
}
""",
)
_add(
    "tests of several samples and of tables",
    """
from scipy import stats
from scipy.stats import contingency
parts = [rows["y"].to_numpy() for _, rows in df.groupby("group")]
table = pd.crosstab(df["group"], df["won"])
two = table.iloc[:2]
result = {
    "f_oneway": stats.f_oneway(*parts).pvalue,
    "kruskal": stats.kruskal(*parts).pvalue,
    "alexandergovern": stats.alexandergovern(*parts).pvalue,
    "friedmanchisquare": stats.friedmanchisquare(*parts).pvalue,
    "levene": stats.levene(*parts).pvalue,
    "bartlett": stats.bartlett(*parts).pvalue,
    "fligner": stats.fligner(*parts).pvalue,
    "tukey_hsd": float(stats.tukey_hsd(*parts).pvalue[0, 1]),
    "dunnett": float(stats.dunnett(*parts[1:], control=parts[0], rng=1).pvalue[0]),
    "median_test": stats.median_test(*parts).pvalue,
    "obrientransform": float(stats.obrientransform(*parts)[0][0]),
    "page_trend_test": stats.page_trend_test(np.array(parts).T).pvalue,
    "chi2_contingency": stats.chi2_contingency(table).dof,
    "fisher_exact": stats.fisher_exact(two).pvalue,
    "barnard_exact": stats.barnard_exact([[7, 2], [3, 8]], n=8).pvalue,
    "boschloo_exact": stats.boschloo_exact([[7, 2], [3, 8]], n=8).pvalue,
    "combine_pvalues": stats.combine_pvalues([0.1, 0.03]).pvalue,
    "false_discovery_control": stats.false_discovery_control([0.1, 0.03]).tolist(),
    "association": contingency.association(table, method="cramer"),
    "expected_freq": float(contingency.expected_freq(table)[0, 0]),
    "crosstab": int(contingency.crosstab(df["won"], df["goals"]).count.sum()),
    "odds_ratio": contingency.odds_ratio([[7, 2], [3, 8]]).statistic,
    "margins": int(contingency.margins(table.to_numpy())[0].sum()),
    "relative_risk": contingency.relative_risk(7, 9, 3, 11).relative_risk,
}
""",
)
_add(
    "correlations",
    """
import scipy.stats as st
x, y = df["x"], df["y"]
line = st.linregress(x, y)
result = {
    "linregress": [line.slope, line.intercept, line.rvalue, line.pvalue, line.stderr],
    "intercept_stderr": line.intercept_stderr,
    "pearsonr": st.pearsonr(x, y).confidence_interval().high,
    "by bootstrap": st.pearsonr(x, y).confidence_interval(
        method=st.BootstrapMethod(n_resamples=40, rng=1)
    ).high,
    "by chance": st.pearsonr(
        x, y, method=st.MonteCarloMethod(n_resamples=40, rvs=(st.norm.rvs, st.norm.rvs))
    ).pvalue,
    "spearmanr": st.spearmanr(x, y).statistic,
    "kendalltau": st.kendalltau(x, y).statistic,
    "weightedtau": st.weightedtau(x, y).statistic,
    "somersd": st.somersd(df["won"], df["goals"]).statistic,
    "pointbiserialr": st.pointbiserialr(df["won"], y).correlation,
    "chatterjeexi": st.chatterjeexi(x, y).statistic,
    "theilslopes": st.theilslopes(y, x).low_slope,
    "siegelslopes": st.siegelslopes(y, x).slope,
}
""",
)
_add(
    "figures of a sample",
    """
from scipy import stats
x, p = df["x"].to_numpy(), df["positive"].to_numpy()
told = stats.describe(x)
boot = stats.bootstrap((x,), np.mean, n_resamples=100, rng=1)
result = {
    "describe": [told.nobs, *told.minmax, told.mean, told.variance, told.skewness, told.kurtosis],
    "zscore": float(stats.zscore(x)[0]),
    "zmap": float(stats.zmap(x, x)[0]),
    "gzscore": float(stats.gzscore(p)[0]),
    "means": [stats.gmean(p), stats.hmean(p), stats.pmean(p, 2), stats.trim_mean(x, 0.1)],
    "trimmed": [stats.tmean(x), stats.tstd(x), stats.tvar(x), stats.tsem(x)],
    "ends": [stats.tmin(x), stats.tmax(x)],
    "cut": [len(stats.trimboth(x, 0.1)), len(stats.trim1(x, 0.1)), len(stats.sigmaclip(x).clipped)],
    "spread": [stats.iqr(x), stats.median_abs_deviation(x), stats.variation(p), stats.gstd(p)],
    "moments": [stats.skew(x), stats.kurtosis(x), stats.moment(x, 3), stats.sem(x)],
    "k": [stats.kstat(x), float(stats.lmoment(x, 2)), stats.expectile(x)],
    "mode": int(stats.mode(df["goals"]).count),
    "ranks": [stats.rankdata(x)[0], stats.tiecorrect(stats.rankdata(df["goals"]))],
    "at": [stats.percentileofscore(x, 0), stats.scoreatpercentile(x, 30)],
    "quantile": float(stats.quantile(x, 0.3)),
    "entropy": [stats.entropy([0.2, 0.8]), stats.differential_entropy(x)],
    "circle": [stats.circmean(p), stats.circstd(p), stats.circvar(p)],
    "counts": stats.cumfreq(x).cumcount.tolist() + stats.relfreq(x).frequency.tolist(),
    "binned": stats.binned_statistic(x, df["y"], "mean", bins=3).statistic.tolist(),
    "in two": stats.binned_statistic_2d(x, p, df["y"], "count", bins=2).statistic.ravel().tolist(),
    "ecdf": float(stats.ecdf(x).cdf.evaluate(0.0)),
    "bootstrap": [boot.confidence_interval.low, boot.standard_error],
    "bayes_mvs": stats.bayes_mvs(x)[0].minmax[0],
    "boxcox": [stats.boxcox(p)[1], stats.boxcox_llf(0.5, p), stats.boxcox_normmax(p)],
    "yeojohnson": [stats.yeojohnson(x)[1], stats.yeojohnson_llf(0.5, x)],
    "yeojohnson_normmax": stats.yeojohnson_normmax(x),
    "kde": float(stats.gaussian_kde(x).evaluate([0.0])[0]),
    "area": stats.gaussian_kde(x).integrate_box_1d(-1, 1),
}
""",
)
_add(
    "distributions",
    """
from scipy import stats
from scipy.stats import norm, t, chi2, f
plain = [
    norm(0, 1), t(9), chi2(3), f(3, 9), stats.beta(2, 3), stats.cauchy(), stats.expon(),
    stats.exponnorm(1), stats.gamma(2), stats.genextreme(0.1), stats.gengamma(2, 1),
    stats.genpareto(0.1), stats.gompertz(1), stats.gumbel_l(), stats.gumbel_r(), stats.halfnorm(),
    stats.invgamma(3), stats.invgauss(1), stats.laplace(), stats.levy(), stats.logistic(),
    stats.lognorm(0.5), stats.loguniform(1, 2), stats.lomax(2), stats.maxwell(), stats.ncf(3, 9, 1),
    stats.nct(9, 1), stats.ncx2(3, 1), stats.pareto(2), stats.pearson3(1), stats.powerlaw(2),
    stats.rayleigh(), stats.skewnorm(1), stats.triang(0.5), stats.truncnorm(-1, 1), stats.uniform(),
    stats.vonmises(1), stats.weibull_max(1.5), stats.weibull_min(1.5),
]
counted = [
    stats.bernoulli(0.3), stats.betabinom(9, 2, 3), stats.binom(9, 0.3), stats.geom(0.3),
    stats.hypergeom(20, 7, 5), stats.nbinom(3, 0.4), stats.poisson(2), stats.randint(1, 7),
    stats.skellam(2, 1), stats.zipf(3),
]
many = [
    stats.multivariate_normal.pdf([0, 0], [0, 0]), stats.multinomial.pmf([1, 2], 3, [0.4, 0.6]),
    stats.multivariate_t.pdf([0, 0], df=3), stats.dirichlet.pdf([0.4, 0.6], [1, 2]),
]
one = norm(1, 2)
result = {
    "plain": [float(d.cdf(0.6)) for d in plain],
    "counted": [float(d.pmf(2)) for d in counted],
    "many": [float(np.sum(v)) for v in many],
    "one": [one.pdf(0), one.sf(0), one.ppf(0.3), one.isf(0.3), one.logpdf(0), one.logcdf(0)],
    "moments": [one.mean(), one.std(), one.var(), one.median(), one.moment(3)],
    "entropy": float(one.entropy()),
    "ends": [*one.interval(0.9), *stats.uniform.support(), float(one.expect(lambda v: v * v))],
    "chance": norm.rvs(size=2, random_state=1).tolist(),
    "fit": list(norm.fit(df["x"])),
    "range": float(stats.studentized_range.sf(3.5, 3, 20)),
}
""",
)
_add(
    "searches",
    """
from scipy import optimize
from scipy.optimize import curve_fit, minimize
x, y = df["x"].to_numpy(), df["y"].to_numpy()
def line(v, a, b):
    return a + b * v
def square(v):
    return float(np.sum((np.asarray(v) - 2.0) ** 2))
def cubic(v):
    return v**3 - 2.0
params, spread = curve_fit(line, x, y)
bounds = optimize.Bounds([0, 0], [1, 1])
flat = optimize.LinearConstraint([[1, 1]], -np.inf, 1)
curved = optimize.NonlinearConstraint(lambda v: v[0] ** 2, -np.inf, 0.2)
least = optimize.least_squares(lambda p: line(x, *p) - y, [0.0, 0.0])
plan = optimize.linprog([-1, -2], A_ub=[[1, 1], [1, 3]], b_ub=[4, 6])
whole = optimize.milp([-1, -2], constraints=optimize.LinearConstraint([[1, 3]], -np.inf, 7),
                      integrality=[1, 1], bounds=optimize.Bounds(0, 3))
rows, columns = optimize.linear_sum_assignment([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
found = [
    *params, *minimize(square, [0.0, 0.0], method="Nelder-Mead").x,
    *minimize(square, [0.0, 0.0], bounds=bounds).x,
    *minimize(square, [0.0, 0.0], constraints=[flat], method="SLSQP").x,
    *minimize(square, [0.1, 0.1], constraints=[flat, curved], method="trust-constr").x,
    optimize.minimize_scalar(square).x, optimize.fminbound(square, 0, 5), *least.x,
    *optimize.leastsq(lambda p: line(x, *p) - y, [0.0, 0.0])[0],
    *optimize.fmin(square, [0.0], disp=False), *optimize.fmin_bfgs(square, [0.0], disp=False),
    optimize.golden(square), *optimize.lsq_linear(np.c_[np.ones(60), x], y).x,
    *optimize.nnls(np.c_[np.ones(60), x], y)[0], *plan.x, plan.fun, *whole.x,
    optimize.brentq(cubic, 0, 2), optimize.brenth(cubic, 0, 2), optimize.bisect(cubic, 0, 2),
    optimize.ridder(cubic, 0, 2), optimize.toms748(cubic, 0, 2), optimize.newton(cubic, 1.0),
    *optimize.fsolve(cubic, 1.0), optimize.root(cubic, 1.0).x[0],
    optimize.root_scalar(cubic, bracket=[0, 2]).root, float(optimize.fixed_point(np.cos, 0.5)),
    *optimize.basinhopping(square, [0.0], niter=3, rng=1).x,
    *optimize.dual_annealing(square, [(-5, 5)], maxiter=20, rng=1).x,
    *optimize.approx_fprime([1.0, 1.0], square), *optimize.isotonic_regression([1, 3, 2]).x,
    *rows, *columns,
]
result = [round(float(v), 4) for v in found] + [plan.status, bool(least.success), least.nfev > 0]
""",
)
_add(
    "signals",
    """
from scipy import signal
from scipy.signal import find_peaks, savgol_filter
v = np.sin(np.arange(60) / 3) + df["x"].to_numpy() / 10
w = np.cos(np.arange(60) / 3)
peaks, about = find_peaks(v, height=0)
b, a = signal.butter(3, 0.2)
sections = signal.butter(3, 0.2, output="sos")
parts = [
    v[peaks], about["peak_heights"], savgol_filter(v, 7, 2), signal.savgol_coeffs(7, 2),
    signal.peak_prominences(v, peaks)[0], signal.peak_widths(v, peaks)[0],
    signal.argrelmax(v)[0], signal.argrelmin(v)[0], signal.argrelextrema(v, np.greater)[0],
    signal.filtfilt(b, a, v), signal.lfilter(b, a, v), signal.lfilter_zi(b, a),
    signal.sosfilt(sections, v), signal.sosfiltfilt(sections, v), signal.detrend(v),
    signal.buttord(0.2, 0.3, 3, 40), *signal.cheby1(2, 3, 0.2), *signal.cheby2(2, 30, 0.2),
    *signal.iirfilter(2, [0.1, 0.2]), *signal.iirnotch(0.2, 30), signal.firwin(5, 0.2),
    np.abs(signal.freqz(b, a, 8)[1]), signal.convolve(v, w, "same"), signal.correlate(v, w, "same"),
    signal.fftconvolve(v, w, "same"), signal.correlation_lags(60, 60),
    signal.deconvolve(signal.convolve(v, [1, 2]), [1, 2])[0], signal.medfilt(v, 3),
    signal.wiener(v, 5), signal.resample(v, 20), signal.resample_poly(v, 1, 2),
    signal.decimate(v, 2), signal.get_window("hann", 5), np.abs(signal.hilbert(v)),
    signal.periodogram(v)[1], signal.welch(v, nperseg=32)[1],
    np.abs(signal.csd(v, w, nperseg=32)[1]), signal.coherence(v, w, nperseg=32)[1],
    signal.spectrogram(v, nperseg=16)[2].ravel(), np.abs(signal.stft(v, nperseg=16)[2]).ravel(),
    signal.lombscargle(np.arange(60.0), v, [0.3, 0.6]),
]
result = [round(float(np.sum(part)), 5) for part in parts]
""",
)
_add(
    "curves",
    """
from scipy import interpolate
from scipy.interpolate import CubicSpline, interp1d
x = np.arange(8.0)
y = np.sin(x)
cubic = CubicSpline(x, y)
smooth = interpolate.UnivariateSpline(x, y, s=0.1)
curves = [
    cubic, cubic.derivative(), cubic.antiderivative(), interp1d(x, y, kind="quadratic"),
    interpolate.PchipInterpolator(x, y), interpolate.Akima1DInterpolator(x, y),
    interpolate.BarycentricInterpolator(x, y), interpolate.CubicHermiteSpline(x, y, np.cos(x)),
    interpolate.InterpolatedUnivariateSpline(x, y), smooth, interpolate.make_interp_spline(x, y),
    interpolate.make_smoothing_spline(x, y), interpolate.lagrange(x[:4], y[:4]),
]
result = [float(curve(2.5)) for curve in curves] + [
    float(cubic.integrate(0, 3)), len(cubic.roots()), len(cubic.solve(0.5)),
    float(smooth.get_residual()), len(smooth.get_knots()), len(smooth.get_coeffs()),
    float(smooth.integral(0, 3)), float(smooth.derivatives(1.0)[1]),
    float(interpolate.pchip_interpolate(x, y, 2.5)),
    float(interpolate.interpn((x, x), np.add.outer(x, y), [[1.5, 2.5]])[0]),
]
""",
)
_add(
    "regressors",
    """
from sklearn import linear_model
from sklearn.ensemble import (
    AdaBoostRegressor, BaggingRegressor, ExtraTreesRegressor, GradientBoostingRegressor,
    HistGradientBoostingRegressor, RandomForestRegressor, StackingRegressor, VotingRegressor,
)
from sklearn.linear_model import Lasso, LinearRegression, Ridge
from sklearn.neighbors import KNeighborsRegressor, RadiusNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor, ExtraTreeRegressor, export_text
X, y, counts = df[["x", "z"]], df["y"], df["goals"]
tree = DecisionTreeRegressor(max_depth=2, random_state=0)
two = [("a", Ridge()), ("b", tree)]
models = [
    LinearRegression(), Ridge(alpha=2), linear_model.RidgeCV(), Lasso(alpha=0.1),
    linear_model.LassoCV(cv=3), linear_model.ElasticNet(alpha=0.1), linear_model.ElasticNetCV(cv=3),
    linear_model.Lars(), linear_model.LarsCV(cv=3), linear_model.LassoLars(alpha=0.1),
    linear_model.LassoLarsCV(cv=3), linear_model.LassoLarsIC(), linear_model.BayesianRidge(),
    linear_model.ARDRegression(), linear_model.HuberRegressor(), linear_model.QuantileRegressor(),
    linear_model.RANSACRegressor(random_state=0), linear_model.SGDRegressor(random_state=0),
    linear_model.TheilSenRegressor(random_state=0), tree, ExtraTreeRegressor(random_state=0),
    KNeighborsRegressor(), RadiusNeighborsRegressor(radius=3.0),
    RandomForestRegressor(9, random_state=0, n_jobs=-1), ExtraTreesRegressor(9, random_state=0),
    GradientBoostingRegressor(n_estimators=9), HistGradientBoostingRegressor(max_iter=9),
    AdaBoostRegressor(n_estimators=9, random_state=0), BaggingRegressor(random_state=0, n_jobs=2),
    VotingRegressor(two), StackingRegressor(two, cv=3),
]
counting = [
    linear_model.PoissonRegressor(), linear_model.TweedieRegressor(power=1),
]
gamma = linear_model.GammaRegressor().fit(X, df["positive"])
ridge = Ridge().fit(X, y)
forest = RandomForestRegressor(9, random_state=0, oob_score=True).fit(X, y)
told = export_text(tree.fit(X, y), feature_names=["x", "z"])
path = linear_model.lasso_path(X.to_numpy(), y.to_numpy(), n_alphas=3)
result = [float(m.fit(X, y).score(X, y)) for m in models]
result += [float(m.fit(X, counts).score(X, counts)) for m in counting]
result += [float(gamma.score(X, df["positive"])), *ridge.coef_, ridge.intercept_, len(told)]
result += [*tree.cost_complexity_pruning_path(X, y).ccp_alphas[:1]]
result += [*forest.feature_importances_, tree.get_depth(), tree.get_n_leaves(), path[1].sum()]
result += [*linear_model.ridge_regression(X, y, 1.0), ridge.n_features_in_, forest.oob_score_ > 0]
result += [sum(1 for _ in models[25].staged_predict(X)), models[2].alpha_, *ridge.feature_names_in_]
""",
)
_add(
    "classifiers",
    """
from sklearn.ensemble import (
    AdaBoostClassifier, BaggingClassifier, ExtraTreesClassifier, GradientBoostingClassifier,
    HistGradientBoostingClassifier, IsolationForest, RandomForestClassifier, StackingClassifier,
    VotingClassifier,
)
from sklearn.linear_model import (
    LogisticRegression, LogisticRegressionCV, Perceptron, RidgeClassifier, RidgeClassifierCV,
    SGDClassifier,
)
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB
from sklearn.neighbors import (
    KNeighborsClassifier, KernelDensity, LocalOutlierFactor, NearestCentroid, NearestNeighbors,
    RadiusNeighborsClassifier,
)
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier
X, y = df[["x", "z"]], df["group"]
counts = df[["goals", "won"]]
two = [("a", GaussianNB()), ("b", DecisionTreeClassifier(max_depth=2, random_state=0))]
models = [
    LogisticRegression(), LogisticRegressionCV(Cs=3, cv=3, use_legacy_attributes=False),
    Perceptron(random_state=0),
    RidgeClassifier(), RidgeClassifierCV(), SGDClassifier(random_state=0), GaussianNB(),
    BernoulliNB(), DecisionTreeClassifier(random_state=0), ExtraTreeClassifier(random_state=0),
    KNeighborsClassifier(), RadiusNeighborsClassifier(3.0), NearestCentroid(),
    RandomForestClassifier(9, random_state=0, n_jobs=2), ExtraTreesClassifier(9, random_state=0),
    GradientBoostingClassifier(n_estimators=5), HistGradientBoostingClassifier(max_iter=5),
    AdaBoostClassifier(n_estimators=5, random_state=0), BaggingClassifier(random_state=0),
    VotingClassifier(two), StackingClassifier(two, cv=3),
]
counting = [CategoricalNB(), ComplementNB(), MultinomialNB()]
logit = LogisticRegression().fit(X, df["won"])
near = NearestNeighbors(n_neighbors=2).fit(X)
result = [float(m.fit(X, y).score(X, y)) for m in models]
result += [float(m.fit(counts, y).score(counts, y)) for m in counting]
result += [*logit.coef_[0], *logit.intercept_, *logit.classes_, *logit.n_iter_]
result += [float(logit.predict_proba(X)[0, 1]), float(logit.decision_function(X)[0])]
result += [float(near.kneighbors(X)[0].sum()), len(near.radius_neighbors(X, 0.5)[0])]
result += [int(IsolationForest(n_estimators=9, random_state=0).fit_predict(X).sum())]
forest = RandomForestClassifier(30, oob_score=True, random_state=0).fit(X, y)
result += [float(forest.oob_decision_function_[0].max())]
result += [int(LocalOutlierFactor(5).fit_predict(X).sum())]
result += [float(KernelDensity().fit(X).score_samples(X).sum())]
result += [float(models[6].theta_.sum()), float(models[6].var_.sum()), *models[6].class_prior_]
""",
)
_add(
    "groups of like rows",
    """
from sklearn.cluster import (
    AffinityPropagation, AgglomerativeClustering, BisectingKMeans, DBSCAN, HDBSCAN, KMeans,
    MeanShift, MiniBatchKMeans, OPTICS, SpectralClustering, estimate_bandwidth,
)
from sklearn.decomposition import (
    NMF, PCA, FactorAnalysis, FastICA, IncrementalPCA, KernelPCA, SparsePCA, TruncatedSVD,
)
from sklearn.metrics import silhouette_score
X = df[["x", "z", "y"]]
models = [
    KMeans(n_clusters=3, n_init=3, random_state=0), MiniBatchKMeans(3, random_state=0),
    BisectingKMeans(3, random_state=0), AgglomerativeClustering(3), DBSCAN(eps=1.0),
    HDBSCAN(min_cluster_size=5, copy=True), MeanShift(bandwidth=2.0), OPTICS(min_samples=5),
    SpectralClustering(3, random_state=0), AffinityPropagation(random_state=0),
]
kmeans = models[0].fit(X)
pca = PCA(2).fit(X)
parts = [
    pca, FactorAnalysis(2, random_state=0), FastICA(2, random_state=0), IncrementalPCA(2),
    KernelPCA(2, kernel="rbf"), SparsePCA(2, random_state=0, max_iter=20), TruncatedSVD(2),
]
labels = [m.fit_predict(X) for m in models]
result = [int(pd.Series(one).nunique()) for one in labels]
result += [float(kmeans.inertia_), float(kmeans.cluster_centers_.sum()), *kmeans.labels_.tolist()]
result += [float(silhouette_score(X, kmeans.labels_)), float(estimate_bandwidth(X, random_state=0))]
result += [round(float(np.abs(m.fit_transform(X)).sum()), 3) for m in parts]
result += [*pca.explained_variance_ratio_, *pca.mean_, *pca.singular_values_]
nmf = NMF(2, max_iter=500, random_state=0)
result += [float(nmf.fit_transform(df[["positive", "goals"]]).sum())]
""",
)
_add(
    "preparing",
    """
from sklearn import preprocessing
from sklearn.compose import (
    ColumnTransformer, TransformedTargetRegressor, make_column_selector, make_column_transformer,
)
from sklearn.impute import KNNImputer, MissingIndicator, SimpleImputer
from sklearn.linear_model import Ridge
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline, make_union
from sklearn.preprocessing import LabelEncoder, OneHotEncoder, StandardScaler
X, y = df[["x", "z"]], df["y"]
holes = X.mask(X > 1)
shapes = [
    StandardScaler(), preprocessing.MinMaxScaler(), preprocessing.MaxAbsScaler(),
    preprocessing.RobustScaler(), preprocessing.Normalizer(), preprocessing.Binarizer(),
    preprocessing.PowerTransformer(), preprocessing.QuantileTransformer(n_quantiles=10),
    preprocessing.PolynomialFeatures(2), preprocessing.SplineTransformer(n_knots=3),
    preprocessing.KBinsDiscretizer(3, encode="ordinal", quantile_method="averaged_inverted_cdf"),
    preprocessing.FunctionTransformer(np.abs), make_union(StandardScaler(), "passthrough"),
    FeatureUnion([("a", StandardScaler())]), make_pipeline(StandardScaler(), StandardScaler()),
    SimpleImputer(strategy="median"), KNNImputer(),
]
functions = [
    preprocessing.scale, preprocessing.minmax_scale, preprocessing.maxabs_scale,
    preprocessing.robust_scale, preprocessing.normalize, preprocessing.binarize,
    preprocessing.power_transform, lambda v: preprocessing.quantile_transform(v, n_quantiles=9),
]
words = OneHotEncoder(handle_unknown="ignore")
mixed = ColumnTransformer(
    [("n", StandardScaler(), ["x"]), ("w", OneHotEncoder(sparse_output=False), ["group"])]
)
chosen = make_column_transformer(
    (StandardScaler(), make_column_selector(dtype_include="number")), remainder="drop"
)
line = Pipeline([("scale", StandardScaler()), ("fit", Ridge())]).fit(X, y)
logged = TransformedTargetRegressor(Ridge(), func=np.log, inverse_func=np.exp)
codes = LabelEncoder().fit(df["group"])
named = StandardScaler().set_output(transform="pandas").fit_transform(X)
result = [float(np.sum(one.fit_transform(X))) for one in shapes]
result += [float(np.sum(one(X))) for one in functions]
result += [float(words.fit_transform(df[["group"]]).toarray().sum())]
result += [float(mixed.fit_transform(df).sum()), *mixed.get_feature_names_out()]
result += [float(chosen.fit_transform(df).sum()), *named.columns]
result += [float(line.score(X, y)), *line.named_steps["fit"].coef_, *line.predict(X[:2])]
result += [float(logged.fit(X, df["positive"]).score(X, df["positive"]))]
result += [*codes.transform(["b", "c"]), *codes.inverse_transform([0]), *codes.classes_]
result += [float(KNNImputer().fit_transform(holes).sum()), *SimpleImputer().fit(holes).statistics_]
result += [int(MissingIndicator().fit_transform(holes).sum())]
result += [int(preprocessing.LabelBinarizer().fit_transform(df["group"]).sum())]
result += [int(preprocessing.label_binarize(df["group"], classes=["a", "b", "c"]).sum())]
result += [int(preprocessing.MultiLabelBinarizer().fit_transform([{"a"}, {"a", "b"}]).sum())]
result += [float(preprocessing.OrdinalEncoder().fit_transform(df[["group"]]).sum())]
""",
)
_add(
    "how good a model is",
    """
from sklearn import metrics
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import mean_absolute_error, r2_score
from sklearn.metrics.pairwise import (
    cosine_distances, cosine_similarity, haversine_distances, manhattan_distances,
    nan_euclidean_distances,
)
from sklearn.model_selection import cross_val_predict
X, y, won = df[["x", "z"]], df["y"], df["won"]
told = cross_val_predict(Ridge(), X, y, cv=5)
odds = cross_val_predict(LogisticRegression(), X, won, cv=5, method="predict_proba")[:, 1]
guess = (odds > 0.5).astype(int)
a, b, p = y.to_numpy(), told, df["positive"].to_numpy()
numbers = [
    mean_absolute_error, r2_score, metrics.mean_squared_error, metrics.root_mean_squared_error,
    metrics.median_absolute_error, metrics.max_error, metrics.explained_variance_score,
    metrics.mean_absolute_percentage_error, metrics.mean_pinball_loss,
    metrics.d2_absolute_error_score,
]
positive = [
    metrics.mean_squared_log_error, metrics.root_mean_squared_log_error,
    metrics.mean_poisson_deviance, metrics.mean_gamma_deviance, metrics.mean_tweedie_deviance,
]
labels = [
    metrics.accuracy_score, metrics.balanced_accuracy_score, metrics.precision_score,
    metrics.recall_score, metrics.f1_score, metrics.jaccard_score, metrics.matthews_corrcoef,
    metrics.cohen_kappa_score, metrics.hamming_loss, metrics.zero_one_loss,
    metrics.adjusted_rand_score, metrics.rand_score, metrics.adjusted_mutual_info_score,
    metrics.mutual_info_score, metrics.normalized_mutual_info_score, metrics.homogeneity_score,
    metrics.completeness_score, metrics.v_measure_score, metrics.fowlkes_mallows_score,
]
scores = [
    metrics.roc_auc_score, metrics.average_precision_score, metrics.log_loss,
    metrics.brier_score_loss,
]
wide = X.to_numpy()
result = [float(one(a, b)) for one in numbers] + [float(one(p, p + 1)) for one in positive]
result += [float(one(won, guess)) for one in labels] + [float(one(won, odds)) for one in scores]
result += [float(metrics.fbeta_score(won, guess, beta=2)), metrics.auc([0, 1], [0, 1])]
result += metrics.confusion_matrix(won, guess).ravel().tolist()
result += metrics.multilabel_confusion_matrix(won, guess).ravel().tolist()
result += [metrics.classification_report(won, guess, output_dict=True)["accuracy"]]
result += [float(one[0]) for one in metrics.precision_recall_fscore_support(won, guess)]
result += [len(one) for one in metrics.roc_curve(won, odds)]
result += [len(one) for one in metrics.precision_recall_curve(won, odds)]
result += [float(metrics.top_k_accuracy_score(won, odds, k=1))]
result += [float(metrics.ndcg_score([[3, 2, 1]], [[0.3, 0.2, 0.1]]))]
result += [float(one(wide, won)) for one in (
    metrics.silhouette_score, metrics.calinski_harabasz_score, metrics.davies_bouldin_score,
)]
result += [float(metrics.silhouette_samples(wide, won)[0])]
result += [float(one(wide).sum()) for one in (
    metrics.pairwise_distances, metrics.euclidean_distances, cosine_distances, cosine_similarity,
    haversine_distances, manhattan_distances, nan_euclidean_distances,
)]
""",
)
_add(
    "choosing a model",
    """
from sklearn import model_selection as ms
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import Ridge
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score, train_test_split
X, y, groups = df[["x", "z"]], df["y"], df["goals"]
train, test, known, held = train_test_split(X, y, test_size=0.25, random_state=3)
error = mean_absolute_error(held, Ridge().fit(train, known).predict(test))
grid = GridSearchCV(Ridge(), {"alpha": [0.1, 1.0, 10.0]}, cv=3, n_jobs=2).fit(X, y)
tried = ms.RandomizedSearchCV(Ridge(), {"alpha": [1, 2, 3]}, n_iter=2, random_state=0).fit(X, y)
splits = [
    KFold(3, shuffle=True, random_state=0),
    ms.RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
    ms.ShuffleSplit(3, random_state=0), ms.TimeSeriesSplit(3), ms.LeaveOneOut(), ms.GroupKFold(3),
    ms.GroupShuffleSplit(3, random_state=0), ms.LeaveOneGroupOut(), ms.PredefinedSplit(df["won"]),
]
by_class = [
    ms.StratifiedKFold(3), ms.StratifiedShuffleSplit(3, random_state=0), ms.StratifiedGroupKFold(3),
    ms.RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0),
]
result = [float(error), float(grid.best_score_), grid.best_params_["alpha"], tried.best_index_]
result += grid.cv_results_["mean_test_score"].tolist() + [*grid.best_estimator_.coef_]
result += [sum(len(b) for _, b in one.split(X, df["won"], groups)) for one in splits + by_class]
result += cross_val_score(RandomForestRegressor(5, random_state=0), X, y, cv=3).tolist()
result += cross_val_score(Ridge(), X, y, scoring="neg_mean_absolute_error").tolist()
own = ms.cross_validate(Ridge(), X, y, scoring=lambda m, a, b: m.score(a, b))
result += own["test_score"].tolist()
result += [float(np.sum(one)) for one in ms.learning_curve(Ridge(), X, y, train_sizes=[0.5])]
result += [float(np.sum(one)) for one in ms.validation_curve(
    Ridge(), X, y, param_name="alpha", param_range=[1, 2])]
result += [float(ms.permutation_test_score(Ridge(), X, y, n_permutations=5, random_state=0)[2])]
result += [len(ms.ParameterGrid({"alpha": [1, 2]})), KFold(4).get_n_splits()]
""",
)
_add(
    "models with standard errors",
    """
import statsmodels.api as sm
X = sm.add_constant(df[["x", "z"]])
y, won, goals = df["y"], df["won"], df["goals"]
ols = sm.OLS(y, X).fit()
robust = sm.OLS(y, X).fit(cov_type="HC3")
wls = sm.WLS(y, X, weights=df["positive"]).fit()
logit = sm.Logit(won, X).fit(disp=0)
poisson = sm.GLM(goals, X, family=sm.families.Poisson()).fit()
mixed = sm.MixedLM(y, X, groups=df["group"]).fit()
influence = ols.get_influence()
others = [
    sm.GLS(y, X), sm.RLM(y, X), sm.QuantReg(y, X),
    sm.GLM(df["positive"], X, family=sm.families.Gaussian()),
    sm.GLM(won, X, family=sm.families.Binomial()),
    sm.GLM(goals, X, family=sm.families.NegativeBinomial(alpha=1.0)),
    sm.GLM(goals, X, family=sm.families.Tweedie(var_power=1.0)),
]
result = ols.params.tolist() + ols.pvalues.tolist() + ols.bse.tolist() + ols.tvalues.tolist()
result += ols.conf_int().to_numpy().ravel().tolist() + robust.bse.tolist() + wls.params.tolist()
result += [ols.rsquared, ols.rsquared_adj, ols.fvalue, ols.f_pvalue, ols.aic, ols.bic, ols.llf]
result += [ols.ssr, ols.mse_resid, ols.df_resid, ols.nobs, ols.condition_number, *ols.HC3_se]
result += [*ols.predict(X.head(2)), ols.resid.sum() < 1, ols.fittedvalues.sum(), ols.scale]
result += ols.get_prediction(X.head(2)).summary_frame()["obs_ci_lower"].tolist()
result += [float(influence.cooks_distance[0].max()), float(influence.hat_matrix_diag.max())]
result += [*logit.params, logit.prsquared, logit.llr_pvalue, *logit.get_margeff().margeff]
result += [*poisson.params, poisson.deviance, poisson.pearson_chi2]
result += [*mixed.fe_params, float(mixed.cov_re.iloc[0, 0])]
result += [float(m.fit().params.iloc[0]) for m in others]
for family in (sm.families.Gamma(), sm.families.InverseGaussian()):
    result += [float(sm.GLM(df["positive"], X[["const"]], family=family).fit().params.iloc[0])]
result += [float(sm.Probit(won, X).fit(disp=0).params.iloc[0])]
result += [float(sm.Poisson(goals, X).fit(disp=0).params.iloc[0])]
result += [float(sm.MNLogit(df["group"], X).fit(disp=0).params.iloc[0, 0])]
""",
)
_add(
    "tests by statsmodels",
    """
from statsmodels.nonparametric.smoothers_lowess import lowess
from statsmodels.stats import diagnostic, power, proportion
from statsmodels.stats.multicomp import pairwise_tukeyhsd
from statsmodels.stats.multitest import fdrcorrection, multipletests
from statsmodels.stats.outliers_influence import variance_inflation_factor
from statsmodels.stats.stattools import durbin_watson, jarque_bera, medcouple, omni_normtest
from statsmodels.stats.weightstats import DescrStatsW, ttest_ind, ztest
import statsmodels.api as sm
x, z, y = df["x"], df["z"], df["y"]
X = sm.add_constant(df[["x", "z"]])
fit = sm.OLS(y, X).fit()
tukey = pairwise_tukeyhsd(y, df["group"])
weighed = DescrStatsW(x.to_numpy(), weights=df["positive"].to_numpy())
result = [durbin_watson(fit.resid), *jarque_bera(fit.resid), float(medcouple(x)), *omni_normtest(x)]
result += [*diagnostic.het_breuschpagan(fit.resid, X), *diagnostic.het_white(fit.resid, X)]
result += [*diagnostic.het_goldfeldquandt(y, X.to_numpy())[:2]]
result += [*diagnostic.acorr_breusch_godfrey(fit, nlags=2)]
result += diagnostic.acorr_ljungbox(x, lags=[3])["lb_pvalue"].tolist()
result += [*diagnostic.lilliefors(x), *diagnostic.kstest_normal(x), *diagnostic.normal_ad(x)]
result += [*diagnostic.linear_rainbow(fit), variance_inflation_factor(X.to_numpy(), 1)]
result += tukey.meandiffs.tolist() + tukey.reject.tolist() + tukey.pvalues.tolist()
result += multipletests([0.01, 0.04, 0.2], method="holm")[1].tolist()
result += fdrcorrection([0.01, 0.04, 0.2])[1].tolist()
result += [*ttest_ind(x, z), *ztest(x, value=0), float(weighed.mean), float(weighed.std)]
result += [float(power.TTestIndPower().solve_power(effect_size=0.5, power=0.8, alpha=0.05))]
result += [float(power.TTestPower().power(0.5, 20, 0.05))]
result += [float(power.NormalIndPower().solve_power(effect_size=0.5, power=0.8, alpha=0.05))]
result += [float(power.FTestAnovaPower().solve_power(0.3, power=0.8, alpha=0.05, k_groups=3))]
result += [float(power.tt_ind_solve_power(0.5, power=0.8, alpha=0.05))]
result += [float(power.tt_solve_power(0.5, power=0.8, alpha=0.05))]
result += [*proportion.proportions_ztest([20, 30], [50, 60])]
result += [*proportion.proportion_confint(20, 50)]
result += [proportion.proportion_effectsize(0.4, 0.5)]
result += [proportion.proportions_chisquare([20, 30], [50, 60])[1]]
result += [float(lowess(y, x)[0, 1])]
""",
)
_add(
    "series in time",
    """
from statsmodels.tsa.ar_model import AutoReg
from statsmodels.tsa.holtwinters import ExponentialSmoothing, Holt, SimpleExpSmoothing
from statsmodels.tsa.seasonal import STL, seasonal_decompose
from statsmodels.tsa.stattools import (
    acf, adfuller, ccf, coint, grangercausalitytests, kpss, pacf,
)
v = df["x"].cumsum() + np.tile([0.0, 1.0, 2.0, 1.0], 15)
parts = seasonal_decompose(v, period=4)
loess = STL(v, period=4).fit()
smooth = ExponentialSmoothing(v, trend="add", seasonal="add", seasonal_periods=4).fit()
auto = AutoReg(v, lags=2).fit()
result = [adfuller(v)[1], *acf(v, nlags=3), *pacf(v, nlags=3), kpss(df["x"], nlags=2)[0]]
result += [parts.seasonal.iloc[0], parts.trend.iloc[10], parts.resid.iloc[10]]
result += [parts.observed.iloc[0]]
result += [loess.trend.iloc[0], *smooth.forecast(2), *auto.params, *auto.forecast(2)]
result += [smooth.sse]
result += [*Holt(v, initialization_method="estimated").fit().forecast(1)]
result += [*SimpleExpSmoothing(v, initialization_method="estimated").fit().forecast(1)]
result += [float(ccf(v, df["y"])[0]), coint(v, df["y"].cumsum())[1]]
result += [grangercausalitytests(df[["x", "y"]], maxlag=[1])[1][0]["ssr_ftest"][1]]
""",
)
