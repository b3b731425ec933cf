"""The outer form of model-written code, and its size: a function, or a program with a `result`."""

import ast
import math
import threading
import warnings
from collections.abc import Iterator
from typing import NoReturn

from wideleaf.tools.errors import ActionError

MAX_CHARACTERS = 20_000
MAX_NODES = 12_000
MAX_DEPTH = 120
MAX_DIGITS = 400
MAX_REPEATED = 5_000_000
_MAX_EXPONENT = 10_000
_PARSING = threading.Lock()  # silencing warnings is not safe among threads
_REPEATED_DIGITS = math.log10(MAX_REPEATED)


def check_form(tree: ast.Module, function: str) -> None:
    """Check what stands at the module level.

    Args:
        tree: The code.
        function: The function that must be defined there; "": `result` must be assigned.

    Raises:
        ActionError: If it is not there, or if code that must define a function does more.
    """
    if function:
        _check_definitions(tree, function)
    elif not any(_sets_result(node) for node in _outside_functions(tree)):
        functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
        also = f"; the function {functions[-1]} is not called" if functions else ""
        refuse(None, f"no variable `result` is assigned{also}; end with result = ...")


def _sets_result(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "result" and isinstance(node.ctx, ast.Store)


def _outside_functions(tree: ast.Module) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def _check_definitions(tree: ast.Module, function: str) -> None:
    functions: list[str] = []
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name):
                functions.append(name)
            case ast.Import() | ast.ImportFrom() | ast.Pass():
                pass
            case ast.Expr(value=ast.Constant()):
                pass
            case ast.Assign(value=value) | ast.AnnAssign(value=value):
                if value is not None and not _is_constant(value, function):
                    refuse(node, f"{quote(node)}: outside functions only constants; {_CALLER}")
            case _:
                refuse(
                    node, f"{quote(node)}: outside functions only imports and constants; {_CALLER}"
                )
    if function not in functions:
        there = f"there is {', '.join(functions)}" if functions else "there is no function"
        refuse(None, f"no function {function} is defined; {there}; write def {function}(...)")


_CALLER = "leave it out, the function is called with the tables"


def _is_constant(value: ast.expr, function: str) -> bool:
    """Whether an expression does without the function itself and without a frame."""
    names = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
    return not names & {function, "df"}


def refuse(where: ast.AST | int | None, text: str) -> NoReturn:
    """Refuse code.

    Args:
        where: The node, or the line, that is refused.
        text: What is refused, and what to write instead.

    Raises:
        ActionError: Always, of kind "code refused".
    """
    line = where if isinstance(where, int) else getattr(where, "lineno", None)
    raise ActionError(f"line {line}: {text}" if line else text, kind="code refused")


def quote(node: ast.AST, most: int = 60) -> str:
    """A piece of code as the model may know it again, cut."""
    try:
        text = " ".join(ast.unparse(node).split())
    except (RecursionError, ValueError):
        return "this"
    return text if len(text) <= most else text[: most - 3] + "..."


def read_code(code: str) -> ast.Module:
    """Parse code and measure it.

    Raises:
        ActionError: If it does not parse, or is too long, too deep or too large.
    """
    if len(code) > MAX_CHARACTERS:
        refuse(None, f"the code has {len(code):,} characters; at most {MAX_CHARACTERS:,} may be")
    if not code.strip():
        refuse(None, "there is no code; write the program")
    tree = _parse(code)
    _measure(tree)
    return tree


def _parse(code: str) -> ast.Module:
    problem, line = "", None
    try:
        with _PARSING, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(code)
    except SyntaxError as error:
        problem, line = str(error.msg), error.lineno
    except UnicodeEncodeError as error:
        line = code.count("\n", 0, error.start) + 1
        problem = "a half of a surrogate pair, which is no character"
    except (ValueError, RecursionError, MemoryError) as error:
        problem = str(error) if isinstance(error, ValueError) else "it is nested too deeply"
    refuse(line, f"the code does not parse: {problem}")


def _measure(tree: ast.Module) -> None:
    """Count nodes and levels without recursion, for the next steps do recurse."""
    waiting: list[tuple[ast.AST, int]] = [(tree, 0)]
    count, line = 0, 1
    while waiting:
        node, depth = waiting.pop()
        count += 1
        line = getattr(node, "lineno", line)
        if count > MAX_NODES:
            refuse(None, f"the code is too large; at most {MAX_NODES:,} syntax nodes may be")
        if depth > MAX_DEPTH:
            refuse(line, f"the code is nested more than {MAX_DEPTH} levels deep; split it up")
        waiting += [(child, depth + 1) for child in ast.iter_child_nodes(node)]


def check_size(node: ast.AST) -> None:
    """Refuse numbers and sequences that only fill the memory.

    Raises:
        ActionError: For a literal or a power of hundreds of digits, or a literal repeated
            millions of times.
    """
    if isinstance(node, ast.Constant) and type(node.value) is int:
        if node.value.bit_length() > MAX_DIGITS * 10 // 3:
            refuse(node, f"a whole number of more than {MAX_DIGITS} digits; nothing needs one")
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow | ast.LShift):
        _check_power(node)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        literals = (ast.List, ast.Tuple, ast.JoinedStr)
        for one, other in ((node.left, node.right), (node.right, node.left)):
            text = isinstance(one, ast.Constant) and isinstance(one.value, str | bytes)
            if (text or isinstance(one, literals)) and (_digits(other) or 0) > _REPEATED_DIGITS:
                refuse(node, f"{quote(node)} repeats a literal over {MAX_REPEATED:,} times")


def _check_power(node: ast.BinOp) -> None:
    right = _digits(node.right)
    if right is not None and right > math.log10(_MAX_EXPONENT):
        refuse(node, f"the exponent of {quote(node)} is over {_MAX_EXPONENT:,}")
    if (_digits(node) or 0) > MAX_DIGITS:
        refuse(node, f"{quote(node)} has more than {MAX_DIGITS} digits; use floats (10.0 ** n)")


def _digits(node: ast.AST) -> float | None:
    """The decimal logarithm of a whole number that is spelled out by constants."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return math.log10(node.value) if node.value > 0 else 0.0
    if isinstance(node, ast.UnaryOp):
        return _digits(node.operand)
    if not isinstance(node, ast.BinOp):
        return None
    left, right = _digits(node.left), _digits(node.right)
    if left is None or right is None:
        return None
    match node.op:
        case ast.Mult():
            return left + right
        case ast.Pow():
            return left * 10 ** min(right, 300)
        case ast.LShift():
            return left + 10 ** min(right, 300) * math.log10(2)
        case _:
            return max(left, right) + math.log10(2)
