"""The names that model-written code may use: Python's own, attributes of values, and strings."""

from typing import Final


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


BUILTINS: Final = words(
    """
    Ellipsis NotImplemented abs all any ascii bin bool bytearray bytes callable chr complex dict
    divmod enumerate filter float format frozenset hasattr hex int isinstance issubclass iter
    len list map max min next oct ord pow print range repr reversed round set slice sorted str
    sum tuple type zip
    """
)
"""Functions and constants of Python that compute; `type` and `hasattr` only in some forms."""
EXCEPTIONS: Final = words(
    """
    ArithmeticError AssertionError AttributeError EOFError Exception FloatingPointError
    IndexError KeyError LookupError MemoryError NotImplementedError OverflowError RecursionError
    RuntimeError RuntimeWarning StopIteration TypeError UnicodeDecodeError UnicodeEncodeError
    UnicodeError UserWarning ValueError Warning ZeroDivisionError
    """
)
"""What a program may raise and catch."""
SHADOWED: Final = words(
    """
    copyright credits dir exit hash help id input license property quit
    """
)
"""Builtins that a program may not call, but whose names it may give to variables of its own."""
FUNCTIONS: Final = words(
    """
    abs all any argmax argmin bfill bool ceil corr count cov cumcount cummax cummin cumprod
    cumsum describe diff exp expm1 ffill fillna first float floor head idxmax idxmin int
    interpolate isna isnull kurt kurtosis last len list log log10 log1p log2 max mean median min
    mode ngroup nlargest notna notnull nsmallest nth nunique ohlc pct_change prod product
    quantile rank round sem set shift sign size skew sqrt square std str sum tail tuple unique
    value_counts var
    """
)
"""Reductions and transforms that pandas may be asked for by name (`agg`, `apply`, ...)."""
METHODS: Final = words(
    """
    count endswith findall fullmatch get index join lower match search split startswith strip
    sub upper
    """
)
"""Bound methods that may be handed to `apply` and its kin: none is ever a text."""
VALUES: Final = words(
    """
    T abs accumulate add add_categories add_prefix add_suffix adjusted agg aggregate align
    alignment all allows_duplicate_labels any append appendleft apply argmax argmin argpartition
    args argsort array as_integer_ratio as_ordered as_tuple as_unit as_unordered asfreq asof
    assign astimezone astype at at_time attrs autocorr axes axis beta between between_time bfill
    binomial bit_count bit_length byteorder c cache_clear cache_info calendar canonical
    capitalize case_when casefold cast cat categories cdf ceil center check_for_ordered
    chisquare choice choose clear clip closed closed_left closed_right code codes coef
    coefficients coeffs columns combine combine_first compare compare_signal compare_total
    compare_total_mag components compress concatenate conj conjugate contains convert_dtypes
    coords copy copy_abs copy_decimal copy_negate copy_sign corr corrwith count cov
    create_decimal create_decimal_from_float ctime cumcount cummax cummin cumprod cumsum date
    day day_name day_of_week day_of_year dayofweek dayofyear days days_in_month daysinmonth
    decode default_factory delete denominator deriv describe diagonal diff difference
    difference_update dirichlet discard div divide divide_int divmod dot drop drop_duplicates
    droplevel dropna dst dt dtype dtypes duplicated elements empty encode encoding end end_time
    endpos endswith eps eq equal_levels equals ewm exp expand expanding expandtabs explode
    exponential extend extendleft extract extractall f factorize ffill fill fillna filter find
    findall finditer first first_valid_index flat flatten floor floordiv fma fold format freq
    freqstr from_arrays from_breaks from_bytes from_codes from_decimal from_dict from_fields
    from_float from_frame from_iterable from_ordinals from_product from_range from_records
    from_samples from_tuples fromhex fromisocalendar fromisoformat fromkeys fromordinal
    fromtimestamp fromutc fullmatch gamma ge geometric get get_dummies get_group get_indexer
    get_indexer_for get_indexer_non_unique get_level_values get_loc get_loc_level get_locs
    get_slice_bound group groupby groupdict groupindex groups gt gumbel has_duplicates hasnans
    head hex holidays hour hypergeometric iat identical idxmax idxmin iloc imag index
    indexer_at_time indexer_between_time indices infer_objects inferred_freq inferred_type info
    insert integ integers intercept interpolate intersection intersection_update inv_cdf is_
    is_canonical is_empty is_finite is_full is_infinite is_integer is_leap_year
    is_monotonic_decreasing is_monotonic_increasing is_month_end is_month_start is_nan
    is_non_overlapping_monotonic is_normal is_normalized is_on_offset is_overlapping is_qnan
    is_quarter_end is_quarter_start is_signed is_signed_integer is_snan is_subnormal is_unique
    is_unsigned_integer is_year_end is_year_start is_zero isalnum isalpha isascii isdecimal
    isdigit isdisjoint isetitem isidentifier isin islower isna isnull isnumeric isocalendar
    isoformat isoweekday isprintable isspace issubset issuperset istitle isupper item items
    itemsize iterrows itertuples join key keys kind kurt kurtosis laplace last last_valid_index
    lastgroup lastindex le left len length level levels levshape limit_denominator list ljust ln
    loc log10 logb logical_and logical_invert logical_or logical_xor logistic lognormal
    logseries lower lstrip lt mT makemat maketrans map mapping mask match matrix max max_mag
    maxlen mean median melt memory_usage merge message microsecond microseconds mid millisecond
    min min_mag minus minute mod mode month month_name most_common move_to_end msg mul
    multinomial multiply multivariate_hypergeometric multivariate_normal n na_value name names
    nanos nanosecond nanoseconds ndim ne nearest negative_binomial new_child next_minus
    next_plus next_toward ngroup ngroups nlargest nlevels noncentral_chisquare noncentral_f
    nonzero normal normalize notna notnull now nsmallest nth num numerator nunique o object
    offset ohlc open_left open_right order ordered ordinal outer overlap overlaps pad parents
    pareto partition path pattern pct_change pdf permutation permuted pipe pivot pivot_table
    plus poisson pop popitem popleft pos pow power precision prod product put putmask quantile
    quantiles quantize quarter query qyear r radd radix rand randint randn random
    random_integers random_sample rank ravel rayleigh rdiv rdivmod real reason reduce reduceat
    regs reindex reindex_like remainder remainder_near remove remove_categories
    remove_unused_categories remove_unused_levels removeprefix removesuffix rename rename_axis
    rename_categories reorder_categories reorder_levels repeat replace resample reset_cache
    reset_index reshape resolution resolution_string reverse rfind rfloordiv right rindex rjust
    rmod rmul rollback rollforward rolling roots rotate round rounding rpartition rpow rsplit
    rstrip rsub rtruediv rule_code same_quantum sample samples scaleb search searchsorted second
    seconds seed select select_dtypes sem set_axis set_categories set_closed set_codes set_index
    set_levels set_names set_ordered setdefault shape shift shuffle size skew slice
    slice_indexer slice_locs slice_replace slope snap sort sort_index sort_values sortlevel span
    sparse split splitlines sqrt squeeze stack standard_cauchy standard_exponential
    standard_gamma standard_normal standard_t start start_time startswith std stdev step stop
    str strftime string strip strptime struct sub subn subtract subtype sum swapaxes swapcase
    swaplevel symmetric_difference symmetric_difference_update tail take text time timestamp
    timetuple timetz tiny title to_bytes to_datetime64 to_dict to_eng_string to_flat_index
    to_frame to_integral to_integral_exact to_integral_value to_julian_date to_list to_numpy
    to_period to_pydatetime to_pytimedelta to_records to_sci_string to_series to_string
    to_timedelta64 to_timestamp to_tuples today tolist toordinal total total_seconds trace
    transform translate transpose triangular truediv truncate type tz tz_convert tz_localize
    tzinfo tzname uniform union unique unit unstack update upper utc utcfromtimestamp utcnow
    utcoffset utctimetuple validate_categories validate_ordered value value_counts values var
    variable variance vonmises wald week weekday weekmask weekofyear weibull where wrap xs year
    zfill zipf zscore
    """
)
"""Attributes of frames, series, groups, windows, indexes, accessors, arrays, dates and of Python's
values that only compute."""

# What is public on such values and is not for programs: not even where a column has the name.
WRITERS: Final = words(
    """
    dump dumps save to_clipboard to_csv to_excel to_feather to_hdf to_html to_iceberg to_json
    to_latex to_markdown to_orc to_parquet to_pickle to_sql to_stata to_typst to_xarray to_xml
    tofile
    """
)
"""They write files, or texts as long as the table."""
EVALUATORS: Final = words(
    """
    boxplot check_unused_args convert_field eval format_field format_map get_field hist online
    plot register style vformat
    """
)
"""They evaluate text, draw, or build documents."""
INTERNALS: Final = words(
    """
    Emax Emin Etiny Etop aclose add_note ag_await ag_code ag_frame ag_running asend asi8 asm8
    asof_locs athrow base binner bit_generator bits braceidpattern bytes byteswap c_contiguous
    capitals cell_contents characters_written clamp clear_flags clear_traps close co_argcount
    co_branches co_cellvars co_code co_consts co_exceptiontable co_filename co_firstlineno
    co_flags co_freevars co_kwonlyargcount co_lines co_linetable co_lnotab co_name co_names
    co_nlocals co_positions co_posonlyargcount co_qualname co_stacksize co_varnames
    construct_array_type construct_from_string contiguous cr_await cr_code cr_frame cr_origin
    cr_running cr_suspended create_module ctypes data days_docstring deleter delimiter derive
    descr device end_lineno end_offset epsneg errno exceptions exclusions exec_module f_back
    f_builtins f_code f_contiguous f_generator f_globals f_lasti f_lineno f_locals f_trace
    f_trace_lines f_trace_opcodes fdel fget fields filename filename2 find_module find_spec
    flags from_arrow from_numpy_dtype fset func get_code get_identifiers get_source get_state
    getfield getter gi_code gi_frame gi_running gi_suspended gi_yieldfrom hasobject identity
    idpattern iexp index_class is_dtype is_package isalignedstruct isbuiltin isnative keywords
    kwds lineno load_module loader machep maketuple maxexp metadata microseconds_docstring
    minexp module_repr modules mro nanoseconds_docstring nargs nbytes ndmin negep newbyteorder
    nexp nin nmant nout ntypes number_class numpy_dtype obj otypes prec print_file_and_line
    pyfunc re readonly release resize resolve_dtypes safe_substitute scanner seconds_docstring
    send set_flags set_state setfield setflags setter signature smallest_normal
    smallest_subnormal spawn storage strerror strides subdtype subgroup suboffsets substitute
    tb_frame tb_lasti tb_lineno tb_next template throw to_device tobytes tomaxint toreadonly
    trans1d types update_dtype view with_traceback
    """
)
"""They lead into the interpreter, to memory, or to state that outlives the call."""
SUBMODULES: Final = words(
    """
    annotations api arrays builtins char compat copyreg core ctypes ctypeslib emath enum errors
    f2py fft functools importlib inspect io lib linalg ma numbers os pandas pickle plotting
    polynomial rec shutil socket strings subprocess sys tarfile testing tseries typing util
    warnings
    """
)
"""Names of modules that modules hold."""
