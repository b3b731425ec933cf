"""What model-written code may use of scipy: functions of its modules, attributes of results."""

from typing import Final

from wideleaf.tools.sandbox.syntax.names import words

_STATS: Final = words(
    """
    BootstrapMethod ConstantInputWarning DegenerateDataWarning FitError MonteCarloMethod
    NearConstantInputWarning PermutationMethod alexandergovern anderson anderson_ksamp ansari
    barnard_exact bartlett bayes_mvs bernoulli beta betabinom binned_statistic
    binned_statistic_2d binom binomtest bootstrap boschloo_exact boxcox boxcox_llf
    boxcox_normmax brunnermunzel cauchy chatterjeexi chi2 chi2_contingency chisquare circmean
    circstd circvar combine_pvalues cramervonmises cramervonmises_2samp cumfreq describe
    differential_entropy dirichlet dunnett ecdf energy_distance entropy epps_singleton_2samp
    expectile expon exponnorm f f_oneway false_discovery_control fisher_exact fligner
    friedmanchisquare gamma gaussian_kde genextreme gengamma genpareto geom gmean gompertz gstd
    gumbel_l gumbel_r gzscore halfnorm hmean hypergeom invgamma invgauss iqr jarque_bera
    kendalltau kruskal ks_1samp ks_2samp kstat kstest kurtosis kurtosistest laplace levene levy
    linregress lmoment logistic lognorm loguniform lomax mannwhitneyu maxwell
    median_abs_deviation median_test mode moment monte_carlo_test mood multinomial
    multivariate_normal multivariate_t nbinom ncf nct ncx2 norm normaltest obrientransform
    page_trend_test pareto pearson3 pearsonr percentileofscore permutation_test pmean
    pointbiserialr poisson poisson_means_test power_divergence powerlaw quantile quantile_test
    randint rankdata ranksums rayleigh relfreq scoreatpercentile sem shapiro siegelslopes
    sigmaclip skellam skew skewnorm skewtest somersd spearmanr studentized_range t theilslopes
    tiecorrect tmax tmean tmin triang trim1 trim_mean trimboth truncnorm tsem tstd ttest_1samp
    ttest_ind ttest_ind_from_stats ttest_rel tukey_hsd tvar uniform variation vonmises
    wasserstein_distance weibull_max weibull_min weightedtau wilcoxon yeojohnson yeojohnson_llf
    yeojohnson_normmax zipf zmap zscore
    """
)
"""No class to derive from (its parameters' names become code), nothing that starts workers."""
_OPTIMIZE: Final = words(
    """
    Bounds LinearConstraint NonlinearConstraint OptimizeWarning approx_fprime basinhopping bisect
    brenth brentq curve_fit dual_annealing fixed_point fmin fmin_bfgs fminbound fsolve golden
    isotonic_regression least_squares leastsq linear_sum_assignment linprog lsq_linear milp
    minimize minimize_scalar newton nnls ridder root root_scalar toms748
    """
)
_SIGNAL: Final = words(
    """
    argrelextrema argrelmax argrelmin butter buttord cheby1 cheby2 coherence convolve correlate
    correlation_lags csd decimate deconvolve detrend fftconvolve filtfilt find_peaks firwin
    freqz get_window hilbert iirfilter iirnotch lfilter lfilter_zi lombscargle medfilt
    peak_prominences peak_widths periodogram resample resample_poly savgol_coeffs savgol_filter
    sosfilt sosfiltfilt spectrogram stft welch wiener
    """
)
_INTERPOLATE: Final = words(
    """
    Akima1DInterpolator BarycentricInterpolator CubicHermiteSpline CubicSpline
    InterpolatedUnivariateSpline PchipInterpolator UnivariateSpline interp1d interpn lagrange
    make_interp_spline make_smoothing_spline pchip_interpolate
    """
)

SCIPY: Final = {
    "scipy.stats": _STATS,
    "scipy.stats.contingency": words(
        "association crosstab expected_freq margins odds_ratio relative_risk"
    ),
    "scipy.optimize": _OPTIMIZE,
    "scipy.signal": _SIGNAL,
    "scipy.interpolate": _INTERPOLATE,
}
SCIPY_VALUES: Final = words(
    """
    active_mask alternative antiderivative bin_edges binnumber binsize bootstrap_distribution
    clipped confidence_interval converged correlation cost cov covariance critical_values
    cumcount derivative derivatives df dof entropy eqlin evaluate expect expected_freq
    extrapoints fit flag frequency fun function_calls get_coeffs get_knots get_residual grad
    hess hess_inv high high_slope ineqlin integral integrate integrate_box_1d intercept_stderr
    interval isf iterations jac k kurtosis logcdf logpdf logpmf logsf low low_slope lower
    lowerlimit marginals minmax mip_gap moment neff nfev nhev nit njev nobs null_distribution
    optimality pmf ppf probabilities proportion_ci proportion_estimate pvalue quantiles
    relative_risk residual root rvalue rvs sf significance_level skewness slack solve
    standard_error statistic statistic_location statistic_sign stats status stderr success
    support upper x x_edge y_edge
    """
)
"""Attributes of what these make: distributions, results of tests and searches, curves."""
