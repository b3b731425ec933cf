"""What pandas' methods do, by the sorts that questions and errors are told apart by."""

CHOOSING = {"isin", "between", "query", "filter"}
TEXT_TESTS = {"contains", "startswith", "endswith", "match", "fullmatch"}
TEXT_FOLDS = {"lower", "upper", "casefold", "strip", "lstrip", "rstrip", "title", "capitalize"}
REDUCING = {"sum", "mean", "median", "min", "max", "count", "nunique", "size", "prod", "len"}
SPREAD = {"std", "var", "sem", "skew", "kurt", "quantile", "mode", "corr", "cov"}
GROUPING = {"groupby", "pivot", "pivot_table", "crosstab", "value_counts", "resample"}
ORDERING = {"sort_values", "sort_index", "nlargest", "nsmallest", "rank"}
BEST = {"idxmax", "idxmin", "argmax", "argmin"}
SHAPING = {"merge", "join", "concat", "melt", "stack", "unstack", "explode", "transform", "apply"}
SHAPING |= {"map", "assign", "cut", "qcut", "rolling", "expanding", "shift", "diff", "pct_change"}
SHAPING |= {"cumsum", "cumprod", "cummax", "cummin", "agg", "aggregate", "describe", "corrwith"}
SHAPING |= {"get_dummies", "interpolate", "ewm", "select_dtypes", "to_datetime", "polyfit"}
NAMING = GROUPING | ORDERING | {"set_index", "drop_duplicates", "duplicated", "drop"}
"""Methods whose texts are names of columns."""
NAMING_WORDS = {"by", "columns", "index", "values", "subset", "on", "id_vars", "value_vars"}
