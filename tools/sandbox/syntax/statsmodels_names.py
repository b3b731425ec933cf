"""What model-written code may use of statsmodels: models of arrays, tests, and attributes."""

from typing import Final

from wideleaf.tools.sandbox.syntax.names import words

STATSMODELS: Final = {
    "statsmodels.api": words(
        """
        GLM GLS Logit MNLogit MixedLM NegativeBinomial OLS Poisson Probit QuantReg RLM WLS
        add_constant
        """
    ),
    "statsmodels.api.families": words(
        "Binomial Gamma Gaussian InverseGaussian NegativeBinomial Poisson Tweedie"
    ),
    "statsmodels.nonparametric.smoothers_lowess": words("lowess"),
    "statsmodels.stats.diagnostic": words(
        "acorr_breusch_godfrey acorr_ljungbox het_breuschpagan het_goldfeldquandt het_white"
        " kstest_normal lilliefors linear_rainbow normal_ad"
    ),
    "statsmodels.stats.multicomp": words("pairwise_tukeyhsd"),
    "statsmodels.stats.multitest": words("fdrcorrection multipletests"),
    "statsmodels.stats.outliers_influence": words("variance_inflation_factor"),
    "statsmodels.stats.power": words(
        "FTestAnovaPower NormalIndPower TTestIndPower TTestPower tt_ind_solve_power tt_solve_power"
    ),
    "statsmodels.stats.proportion": words(
        "proportion_confint proportion_effectsize proportions_chisquare proportions_ztest"
    ),
    "statsmodels.stats.stattools": words("durbin_watson jarque_bera medcouple omni_normtest"),
    "statsmodels.stats.weightstats": words("DescrStatsW ttest_ind ztest"),
    "statsmodels.tsa.ar_model": words("AutoReg"),
    "statsmodels.tsa.holtwinters": words("ExponentialSmoothing Holt SimpleExpSmoothing"),
    "statsmodels.tsa.seasonal": words("STL seasonal_decompose"),
    "statsmodels.tsa.stattools": words("acf adfuller ccf coint grangercausalitytests kpss pacf"),
}
"""No formulas: they are texts that are run as Python. Nothing that loads, saves or draws."""
STATSMODELS_VALUES: Final = words(
    """
    HC0_se HC1_se HC2_se HC3_se aic aicc bic bse bse_fe centered_tss compare_f_test
    compare_lr_test condition_number conf_int confint cooks_distance cov_HC3 cov_params cov_re
    cov_type deviance df_model df_resid dffits eigenvals ess f_pvalue fe_params fit
    fit_regularized fittedvalues forecast fvalue get_influence get_margeff get_prediction
    get_robustcov_results groupsunique hat_matrix_diag hqic llf llnull llr llr_pvalue margeff
    margeff_se meandiffs mse_model mse_resid mse_total nobs null_deviance observed outlier_test
    params pearson_chi2 pred_table predict predicted_mean prsquared pseudo_rsquared pvalues
    q_crit random_effects reject resid resid_deviance resid_pearson resid_response
    resid_studentized_external resid_studentized_internal rsquared rsquared_adj scale se_mean
    season seasonal sigma2 solve_power sse ssr std_ddof std_mean summary_frame tconfint_mean
    trend ttest_mean tvalues uncentered_tss var_ddof weights zconfint_mean
    """
)
"""Attributes of what these make. Without `from_formula`, `t_test` and `f_test`, which take texts,
without `summary`, which is a text to print, and without `model`, `save` and `load`."""
