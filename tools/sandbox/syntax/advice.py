"""Which kinds of syntax model-written code may have, and what to write instead of the others."""

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
        ast.MatchOr,
    }
)
"""Kinds that need no check beyond those of their parts."""
COMPUTE: Final = "compute it from the tables with pandas, numpy and plain Python"
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
BUILTIN_ADVICE: Final = {
    "open": "no file can be opened; the tables are there already",
    "getattr": "write x.name, or df[name] for a column",
    "setattr": "write df[name] = ... for a column",
    "delattr": "write df.drop(columns=name)",
    "eval": "write the expression itself; for texts as numbers write float(x) or pd.to_numeric",
    "exec": "write the statements themselves",
    "compile": "write the code itself, or re.compile for a pattern",
    "globals": "name the variables themselves",
    "locals": "name the variables themselves",
    "vars": "name the variables themselves",
    "dir": "name the attributes themselves",
    "input": "nobody can be asked; use the tables",
    "object": "use None or a text as a mark",
    "hash": "it differs from run to run; compare the values",
    "id": "it differs from run to run; compare the values",
    "super": "write functions, no classes",
    "BaseException": "write except Exception",
    "SystemExit": "return the result",
    "exit": "return the result",
    "quit": "return the result",
}
MODULE_ADVICE: Final = {
    "read": "the tables are there already as frames",
    "eval": "write the expression itself",
    "to": "return the table",
    "load": "the tables are there already as frames",
    "set": "options cannot be set",
    "save": "return the table",
    "template": "write an f-string",
}
"""By the first word of a module's function."""
_WHERE_MADE: Final = "give parameters where it is made"
_ARRAYS: Final = "give arrays of columns; formulas are code in a text"
LIBRARY_ADVICE: Final = {
    "summary": "read params, bse, pvalues, rsquared and conf_int()",
    "summary2": "read params, bse, pvalues, rsquared and conf_int()",
    "get_params": _WHERE_MADE,
    "set_params": _WHERE_MADE,
    "from_formula": _ARRAYS,
    "f_test": "read fvalue and f_pvalue, or compare_f_test(smaller model)",
    "t_test": "read tvalues and pvalues",
    "tree_": "read feature_importances_, get_depth(), or export_text(tree)",
    "estimators_": "read feature_importances_ or predict with the whole",
    "apply": "predict, or work on columns by .map and operators",
}
"""Attributes of a library's values, and what to write instead."""
