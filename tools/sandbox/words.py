"""Words that are Python's and the libraries' own, so that a message may show them: data only."""

import builtins

_TYPES = """
    int float str bool bytes bytearray list tuple dict set frozenset complex range slice object type
    NoneType function method generator module map filter zip enumerate reversed
    builtin_function_or_method dict_keys dict_values dict_items Counter defaultdict OrderedDict
    deque date datetime timedelta Decimal Fraction re.Match re.Pattern iterator array
    int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 bool_ str_ object_
    Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64 Float32 Float64 boolean string category
    datetime64 timedelta64 datetime64[ns] datetime64[us] datetime64[ms] datetime64[s]
    timedelta64[ns] timedelta64[us] timedelta64[ms] timedelta64[s] large_string double integer
    floating mixed-integer ndarray numpy numpy.ndarray numpy.int64 numpy.float64 numpy.bool
    numpy.str_ numpy.bool_ np.int64 np.float64 pandas math statistics collections itertools
    functools DataFrame Series NDFrame Index RangeIndex DatetimeIndex TimedeltaIndex PeriodIndex
    CategoricalIndex IntervalIndex MultiIndex Timestamp Timedelta Period Interval NaTType NAType
    Categorical DatetimeArray TimedeltaArray ArrowStringArray StringArray BooleanArray IntegerArray
    DataFrameGroupBy SeriesGroupBy GroupBy BaseGroupBy Rolling Expanding RollingGroupby Resampler
    DatetimeIndexResampler StringMethods DatetimeProperties TimedeltaProperties PeriodProperties
    CategoricalAccessor _iLocIndexer _LocIndexer _AtIndexer _iAtIndexer
    nanosecond microsecond millisecond
    add sub mul truediv floordiv mod pow radd rsub rmul rtruediv and_ or_ xor rand_ ror_ __invert__
    <locals> <lambda>
"""
TYPE_NAMES = frozenset(_TYPES.split())
"""Types and operations; a cell that reads like one, such as ``int``, can be taken for it."""

_SIGNS = "+ - * / // % ** @ & | ^ ~ < > <= >= == != += -= *= /= << >>"
OPERATORS = frozenset([*_SIGNS.split(), "** or pow()", "unary -", "unary +", "unary ~"])

_EXCEPTIONS = """
    LinAlgError AxisError StatisticsError DateParseError OutOfBoundsDatetime OutOfBoundsTimedelta
    IntCastingNaNError MergeError DataError IndexingError InvalidIndexError UndefinedVariableError
    SpecificationError UnsortedIndexError DuplicateLabelError EmptyDataError ParserError
    PerformanceWarning ChainedAssignmentError AbstractMethodError NullFrequencyError
    NotFittedError FitError MissingDataError PerfectSeparationError
    UnsupportedFunctionCall IncompatibleFrequency ArrowInvalid ArrowNotImplementedError
    ArrowTypeError ArrowKeyError InvalidOperation DivisionByZero PatternError error
"""
EXCEPTIONS = frozenset(_EXCEPTIONS.split()) | {
    name
    for name, one in vars(builtins).items()
    if isinstance(one, type) and issubclass(one, BaseException)
}
"""The types of errors that are told by name; another one's name could be a cell."""
