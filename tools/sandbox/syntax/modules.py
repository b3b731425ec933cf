"""The modules that model-written code may import, and what it may use of each."""

from typing import Final

from wideleaf.tools.sandbox.syntax.libraries import LIBRARY_MODULES
from wideleaf.tools.sandbox.syntax.names import words

_PANDAS: Final = words(
    """
    BooleanDtype Categorical CategoricalDtype CategoricalIndex DataFrame DateOffset
    DatetimeIndex DatetimeTZDtype Float32Dtype Float64Dtype Grouper Index IndexSlice Int16Dtype
    Int32Dtype Int64Dtype Int8Dtype Interval IntervalDtype IntervalIndex MultiIndex NA NaT
    NamedAgg Period PeriodDtype PeriodIndex RangeIndex Series StringDtype Timedelta
    TimedeltaIndex Timestamp UInt16Dtype UInt32Dtype UInt64Dtype UInt8Dtype array bdate_range
    col concat crosstab cut date_range factorize from_dummies get_dummies infer_freq
    interval_range isna isnull json_normalize lreshape melt merge merge_asof merge_ordered notna
    notnull period_range pivot pivot_table qcut timedelta_range to_datetime to_numeric
    to_timedelta unique wide_to_long
    """
)
"""Nothing that reads, writes, evaluates or changes options."""
_NUMPY: Final = words(
    """
    False_ True_ abs absolute acos acosh add all allclose amax amin angle any append
    apply_along_axis apply_over_axes arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh
    argmax argmin argpartition argsort argwhere around array array2string array_equal
    array_equiv array_repr array_split array_str asanyarray asarray asarray_chkfinite
    ascontiguousarray asfortranarray asin asinh astype atan atan2 atanh atleast_1d atleast_2d
    atleast_3d average bartlett base_repr binary_repr bincount bitwise_and bitwise_count
    bitwise_invert bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor
    blackman block bool bool_ broadcast_arrays broadcast_shapes broadcast_to busday_count
    busday_offset busdaycalendar byte bytes_ c_ can_cast cbrt cdouble ceil choose clip
    clongdouble column_stack common_type complex128 complex64 complexfloating compress concat
    concatenate conj conjugate convolve copy copysign copyto corrcoef correlate cos cosh
    count_nonzero cov cross csingle cumprod cumsum cumulative_prod cumulative_sum datetime64
    datetime_as_string datetime_data deg2rad degrees delete diag diag_indices diag_indices_from
    diagflat diagonal diff digitize divide divmod dot double dsplit dstack dtype e ediff1d
    einsum einsum_path empty empty_like equal errstate euler_gamma exp exp2 expand_dims expm1
    extract eye fabs fill_diagonal finfo fix flatnonzero flexible flip fliplr flipud float16
    float32 float64 float_power floating floor floor_divide fmax fmin fmod
    format_float_positional format_float_scientific frexp fromfunction fromiter full full_like
    gcd generic geomspace geterr gradient greater greater_equal half hamming hanning heaviside
    histogram histogram2d histogram_bin_edges histogramdd hsplit hstack hypot i0 identity iinfo
    imag index_exp indices inexact inf inner insert int16 int32 int64 int8 int_ intc integer
    interp intersect1d intp invert is_busday isclose iscomplex iscomplexobj isdtype isfinite
    isfortran isin isinf isnan isnat isneginf isposinf isreal isrealobj isscalar issubdtype
    iterable ix_ kaiser kron lcm ldexp left_shift less less_equal lexsort linspace little_endian
    log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor
    logspace long longdouble longlong mask_indices matmul matrix_transpose matvec max maximum
    mean median meshgrid mgrid min min_scalar_type minimum mod modf moveaxis multiply nan
    nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin
    nanpercentile nanprod nanquantile nanstd nansum nanvar ndarray ndenumerate ndim ndindex
    negative newaxis nextafter nonzero not_equal number object_ ogrid ones ones_like outer
    packbits pad partition percentile permute_dims pi piecewise place poly poly1d polyadd
    polyder polydiv polyfit polyint polymul polysub polyval positive pow power prod
    promote_types ptp put put_along_axis putmask quantile r_ rad2deg radians ravel
    ravel_multi_index real real_if_close reciprocal remainder repeat reshape resize result_type
    right_shift rint roll rollaxis roots rot90 round row_stack s_ searchsorted select setdiff1d
    seterr setxor1d shape short sign signbit signedinteger sin sinc single sinh size sort
    sort_complex spacing split sqrt square squeeze stack std str_ subtract sum swapaxes take
    take_along_axis tan tanh tensordot tile timedelta64 trace transpose trapezoid tri tril
    tril_indices tril_indices_from trim_zeros triu triu_indices triu_indices_from true_divide
    trunc ubyte ufunc uint uint16 uint32 uint64 uint8 uintc uintp ulong ulonglong union1d unique
    unique_all unique_counts unique_inverse unique_values unpackbits unravel_index
    unsignedinteger unstack unwrap ushort vander var vdot vecdot vecmat vectorize vsplit vstack
    where zeros zeros_like
    """
)
"""Nothing that reads, writes, compiles or looks into memory."""
_OFFSETS: Final = words(
    """
    BDay BMonthBegin BMonthEnd BQuarterEnd BusinessDay CustomBusinessDay DateOffset Day Hour
    Minute MonthBegin MonthEnd QuarterBegin QuarterEnd Second Week YearBegin YearEnd
    """
)

MODULES: Final = {
    "pandas": _PANDAS,
    "numpy": _NUMPY,
    "pandas.offsets": _OFFSETS,
    "pandas.tseries.offsets": _OFFSETS,
    "pandas.api.types": words(
        """
        CategoricalDtype is_bool is_bool_dtype is_categorical_dtype is_datetime64_any_dtype
        is_datetime64_dtype is_dict_like is_float is_float_dtype is_integer is_integer_dtype
        is_list_like is_number is_numeric_dtype is_object_dtype is_scalar is_string_dtype
        is_timedelta64_dtype
        """
    ),
    "pandas.errors": words(
        """
        EmptyDataError IntCastingNaNError InvalidIndexError MergeError OutOfBoundsDatetime
        ParserError UndefinedVariableError
        """
    ),
    "numpy.linalg": words(
        """
        LinAlgError cholesky cond cross det diagonal eig eigh eigvals eigvalsh inv lstsq matmul
        matrix_norm matrix_power matrix_rank matrix_transpose multi_dot norm outer pinv qr
        slogdet solve svd svdvals tensordot tensorinv tensorsolve trace vecdot vector_norm
        """
    ),
    "numpy.random": words(
        """
        RandomState beta binomial choice default_rng dirichlet exponential gamma geometric
        gumbel laplace lognormal multinomial multivariate_normal normal pareto permutation
        poisson rand randint randn random random_sample seed shuffle standard_normal standard_t
        triangular uniform weibull
        """
    ),
    "math": words(
        """
        acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e
        erf erfc exp exp2 expm1 fabs factorial floor fmod frexp fsum gamma gcd hypot inf isclose
        isfinite isinf isnan isqrt lcm ldexp lgamma log log10 log1p log2 modf nan nextafter perm
        pi pow prod radians remainder sin sinh sqrt tan tanh tau trunc ulp
        """
    ),
    "datetime": words("MAXYEAR MINYEAR UTC date datetime time timedelta timezone tzinfo"),
    "time": words("gmtime localtime mktime strftime strptime struct_time"),
    "calendar": words(
        """
        FRIDAY MONDAY SATURDAY SUNDAY THURSDAY TUESDAY WEDNESDAY day_abbr day_name isleap
        leapdays month_abbr month_name monthcalendar monthrange timegm weekday
        """
    ),
    "re": words(
        """
        A ASCII DOTALL I IGNORECASE M MULTILINE Match NOFLAG Pattern S U UNICODE VERBOSE X
        compile error escape findall finditer fullmatch match search split sub subn
        """
    ),
    "statistics": words(
        """
        LinearRegression NormalDist StatisticsError correlation covariance fmean geometric_mean
        harmonic_mean linear_regression mean median median_grouped median_high median_low mode
        multimode pstdev pvariance quantiles stdev variance
        """
    ),
    "collections": words("ChainMap Counter OrderedDict defaultdict deque namedtuple"),
    "itertools": words(
        """
        accumulate chain combinations combinations_with_replacement compress count cycle
        dropwhile filterfalse groupby islice pairwise permutations product repeat starmap
        takewhile tee zip_longest
        """
    ),
    "functools": words("cache cmp_to_key lru_cache partial reduce"),
    "bisect": words("bisect bisect_left bisect_right insort insort_left insort_right"),
    "heapq": words(
        """
        heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest
        """
    ),
    "decimal": words(
        """
        Context Decimal DecimalException DivisionByZero InvalidOperation Overflow ROUND_05UP
        ROUND_CEILING ROUND_DOWN ROUND_FLOOR ROUND_HALF_DOWN ROUND_HALF_EVEN ROUND_HALF_UP
        ROUND_UP getcontext
        """
    ),
    "fractions": words("Fraction"),
    "string": words(
        """
        ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits octdigits
        printable punctuation whitespace
        """
    ),
    "operator": words(
        """
        abs add and_ concat contains countOf eq floordiv ge getitem gt iand index indexOf inv
        invert ior is_ is_not itemgetter le length_hint lshift lt matmul mod mul ne neg not_ or_
        pos pow rshift sub truediv truth xor
        """
    ),
    "random": words(
        """
        Random betavariate choice choices expovariate gauss normalvariate randint random
        randrange sample seed shuffle triangular uniform
        """
    ),
    "unicodedata": words("bidirectional category combining decimal digit name normalize numeric"),
    "typing": words(
        """
        Any Callable Dict Hashable Iterable Iterator List Literal Mapping Optional Sequence Set
        Tuple Union
        """
    ),
    **LIBRARY_MODULES,
}
"""By dotted name. One with a dot is reached through its module (`np.linalg.norm`), or by name
(`from numpy.linalg import norm`)."""
GIVEN: Final = {"pd": "pandas", "np": "numpy", "math": "math"}
"""What a program has without importing it."""
