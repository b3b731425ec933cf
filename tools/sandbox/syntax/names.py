"""What model-written code may name, and what it may not: each with what to write instead."""

import ast
from typing import Final

PLAIN: Final = frozenset(
    {
        *(ast.Module, ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Pass),
        *(ast.If, ast.For, ast.While, ast.Break, ast.Continue, ast.Assert),
        *(ast.BoolOp, ast.NamedExpr, ast.BinOp, ast.UnaryOp, ast.Lambda, ast.IfExp),
        *(ast.Dict, ast.Set, ast.List, ast.Tuple, ast.Starred, ast.Subscript, ast.Slice),
        *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension),
        *(ast.Compare, ast.JoinedStr, ast.FormattedValue, ast.Yield, ast.YieldFrom),
        *(ast.arguments, ast.alias, ast.Load, ast.Store, ast.Del),
        *(ast.And, ast.Or, ast.Not, ast.Invert, ast.UAdd, ast.USub),
        *(ast.Add, ast.Sub, ast.Mult, ast.MatMult, ast.Div, ast.Mod, ast.Pow, ast.FloorDiv),
        *(ast.LShift, ast.RShift, ast.BitOr, ast.BitXor, ast.BitAnd),
        *(ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE),
        *(ast.Is, ast.IsNot, ast.In, ast.NotIn),
        *(ast.Match, ast.match_case, ast.MatchValue, ast.MatchSingleton, ast.MatchSequence),
        *(ast.MatchOr, ast.MatchAs, ast.MatchStar, ast.MatchMapping),
        *(ast.arg, ast.ExceptHandler, ast.withitem),
    }
)
"""Kinds of syntax that need no check beyond those of their parts."""
_ASYNC: Final = ("async code", "write a plain function")
_LASTING: Final = "return the value, or keep it in a list or dict"
REFUSED: Final = {
    "ClassDef": ("a class", "write functions, and keep records in dicts or tuples"),
    "With": ("with", "there is nothing to open here, and only np.errstate(...) may be"),
    "AsyncFunctionDef": _ASYNC,
    "AsyncFor": _ASYNC,
    "AsyncWith": _ASYNC,
    "Await": _ASYNC,
    "Global": ("global", _LASTING),
    "Nonlocal": ("nonlocal", _LASTING),
    "TryStar": ("except*", "write except"),
    "MatchClass": ("a class pattern in match", "write isinstance(x, ...) with if"),
    "TypeAlias": ("a type alias", "leave it out"),
}
"""Kinds by name: what they are called, and what to write instead."""


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
"""Functions and constants of Python that compute; `type` only in some forms."""
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
COMPUTE: Final = "compute it from the tables with pandas, numpy and plain Python"
_SAME_EACH_TIME: Final = "it differs from run to run; compare the values"
BUILTIN_ADVICE: Final = {
    "open": "no file can be opened; the tables are there already",
    "getattr": "write x.name, or df[name] for a column",
    "setattr": "write df[name] = ... for a column",
    "delattr": "write df.drop(columns=name)",
    "eval": "write the expression itself; for texts as numbers write float(x) or pd.to_numeric",
    "exec": "write the statements themselves",
    "compile": "write the code itself, or re.compile for a pattern",
    **dict.fromkeys(("globals", "locals", "vars"), "name the variables themselves"),
    "dir": "name the attributes themselves",
    "input": "nobody can be asked; use the tables",
    "object": "use None or a text as a mark",
    **dict.fromkeys(("hash", "id"), _SAME_EACH_TIME),
    "super": "write functions, no classes",
    "BaseException": "write except Exception",
    **dict.fromkeys(("SystemExit", "exit", "quit"), "return the result"),
}

WRITERS: Final = words(
    """
    to_clipboard to_csv to_excel to_feather to_gbq to_hdf to_html to_iceberg to_json to_latex
    to_markdown to_orc to_parquet to_pickle to_sql to_stata to_typst to_xarray to_xml tofile
    """
)
"""They write files, or texts as long as the table; a text may not name one either."""
_SAVERS: Final = words(
    """
    ExcelWriter HDFStore dump dumps export_graphviz plot_tree save savetxt savez savez_compressed
    """
)
_READERS: Final = words(
    """
    DataSource ExcelFile fromfile fromregex genfromtxt load_pickle loadtxt memmap
    """
)
_EVALUATORS: Final = words(
    """
    ABCMeta ForwardRef Formatter LowLevelCallable NamedTupleMeta Template attrgetter boxplot
    convert_field eval format_field format_map frompyfunc get_field get_type_hints hist
    make_scorer methodcaller online plot register rv_continuous rv_discrete singledispatch
    singledispatchmethod style update_wrapper vformat wraps
    """
)
"""They evaluate text, call what a text names, draw, or build documents."""
_INTERNALS: Final = words(
    """
    ag_code ag_frame cell_contents cr_code cr_frame ctypes ctypeslib f_back f_builtins f_code
    f_globals f_locals gi_code gi_frame resize setflags tb_frame tb_next with_traceback
    """
)
"""They lead into the interpreter, or to its memory."""
_LEADING_OUT: Final = words(
    """
    atexit bltns builtins bz2 codecs compat contextlib copyreg core ctypeslib dataclasses enum
    extensions f2py fcntl functools gc glob gzip importlib inspect io joblib lib linecache logging
    lzma mmap modules multiprocessing numbers odr os pathlib pickle pkgutil plotting polars posix
    pyarrow resource scipy shutil socket sqlite3 ssl subprocess sys tarfile tempfile testing
    threading types typing urllib util warnings webbrowser zipfile
    """
)
"""Names of modules that modules hold, by which a program would get out of what computes."""
_SETTERS: Final = words("option_context reset_option set_config set_option")
_WRITES: Final = "writes or prints the table out; leave it in `result` or return it"
CALLED_AT_ONCE: Final = words("query format to_string info")
"""Methods whose arguments matter."""
WITHHELD: Final = {
    **dict.fromkeys(WRITERS | _SAVERS, _WRITES),
    **dict.fromkeys(_READERS, "reads a file; the tables are there already as frames"),
    **dict.fromkeys(_EVALUATORS, "evaluates or draws; compute with operators and methods"),
    **dict.fromkeys(_INTERNALS | _LEADING_OUT, f"leads out of the program; {COMPUTE}"),
    **dict.fromkeys(_SETTERS, "sets an option, and options cannot be set; leave it out"),
}
"""Attributes and functions that are not for programs, not even as the name of a column, and why."""
OF_MODULES: Final = {
    **dict.fromkeys(("load", "datasets"), WITHHELD["loadtxt"]),
    **dict.fromkeys(("open", "show_versions", "test", "webdoc"), WITHHELD["os"]),
}
"""Functions of modules, whose names may be names of columns."""
_COUNTED_BY: Final = "is memory by which compiled code counts; predict or read the results"
OF_LIBRARIES: Final = {
    **dict.fromkeys(
        ("summary", "summary2"),
        "is a text to print; read params, bse, pvalues, rsquared and conf_int()",
    ),
    **dict.fromkeys(
        ("formula", "from_formula"),
        "runs a text as code; give arrays of columns, for formulas are code in a text",
    ),
    **dict.fromkeys(("coords", "estimators_", "indices", "indptr", "tree_"), _COUNTED_BY),
    **dict.fromkeys(
        (
            "distance",
            "distributions",
            "graphics",
            "iolib",
            "regression",
            "sparse",
            "tools",
            "tsa_model",
        ),
        WITHHELD["os"],
    ),
}
"""Attributes that are withheld where the code imports a library beyond pandas and numpy."""
KEYWORDS: Final = words(
    """
    allow_pickle buf design_info engine_kwargs eval_env excel_writer filepath_or_buffer formula
    global_dict local_dict memory missing_idx mmap_mode model_spec offset_formula path_or_buf
    resolvers storage_options workers
    """
)
"""Arguments by which a function would reach a file, start processes, or run a text."""
