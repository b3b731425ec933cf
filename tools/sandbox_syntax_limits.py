"""Reads model-written code as a syntax tree, and holds its size within bounds."""

import ast
import math
import threading
import warnings
from typing import NoReturn

from wideleaf.tools.errors import ActionError

MOST_CHARACTERS = 20_000
MOST_NODES = 12_000
MOST_DEPTH = 120
MOST_DIGITS = 400
MOST_REPEATED = 5_000_000
_MOST_EXPONENT = 10_000
_PARSING = threading.Lock()  # silencing warnings is not safe among threads


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


def shown(node: ast.AST, most: int = 60) -> str:
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
    if len(code) > MOST_CHARACTERS:
        refuse(None, f"the code has {len(code):,} characters; at most {MOST_CHARACTERS:,} may be")
    if not code.strip():
        refuse(None, "there is no code; write the program")
    tree = _parsed(code)
    _measure(tree)
    return tree


def _parsed(code: str) -> ast.Module:
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
        if count > MOST_NODES:
            refuse(None, f"the code is too large; at most {MOST_NODES:,} syntax nodes may be")
        if depth > MOST_DEPTH:
            refuse(line, f"the code is nested more than {MOST_DEPTH} levels deep; split it up")
        waiting += [(child, depth + 1) for child in ast.iter_child_nodes(node)]


def check_size(node: ast.AST) -> None:
    """Refuse numbers and sequences that only fill the memory.

    Raises:
        ActionError: For a literal or a power of hundreds of digits, or a literal repeated
            millions of times.
    """
    if isinstance(node, ast.Constant) and type(node.value) is int:
        if node.value.bit_length() > MOST_DIGITS * 10 // 3:
            refuse(node, f"a whole number of more than {MOST_DIGITS} digits; nothing needs one")
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow | ast.LShift):
        _check_power(node)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        literals = (ast.List, ast.Tuple, ast.JoinedStr)
        for one, other in ((node.left, node.right), (node.right, node.left)):
            text = isinstance(one, ast.Constant) and isinstance(one.value, str | bytes)
            if (text or isinstance(one, literals)) and (_digits(other) or 0) > _REPEATED_DIGITS:
                refuse(node, f"{shown(node)} repeats a literal over {MOST_REPEATED:,} times")


_REPEATED_DIGITS = math.log10(MOST_REPEATED)


def _check_power(node: ast.BinOp) -> None:
    right = _digits(node.right)
    if right is not None and right > math.log10(_MOST_EXPONENT):
        refuse(node, f"the exponent of {shown(node)} is over {_MOST_EXPONENT:,}")
    if (_digits(node) or 0) > MOST_DIGITS:
        refuse(node, f"{shown(node)} has more than {MOST_DIGITS} digits; use floats (10.0 ** n)")


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
