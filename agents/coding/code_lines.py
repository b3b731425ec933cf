"""Lines of a reply made fit to be parsed, and what a piece of code defines and needs."""

from __future__ import annotations

import ast
import builtins
import html
import keyword
import re
import textwrap
from collections.abc import Callable
from itertools import accumulate

from wideleaf.tools.errors import ActionError
from wideleaf.tools.sandbox.syntax.form import read_code

MAX_PROSE = 20
"""So many lines of words are tried as the end of the code."""

_FIRST_WORD = re.compile(r"\A\s*(?:python3?|code)[ \t]*:?[ \t]*\n", re.I)
_PROMPT = re.compile(r"^[ \t]*(?:>>>|\.\.\.)(?: |$)", re.M)
_STARTS = re.compile(
    rf"\s*(?:(?:{'|'.join(keyword.kwlist)})\b|[@#]|[A-Za-z_][\w.]*\s*(?:[+*/-]?=|[(\[]))"
)
"""How a line of code begins, whether or not it is whole."""
_WORDS = re.compile(
    r"[-=*_]{3,}|(?:[-*>#]+\s+|\d+[.)]\s+)?[*_`\"']*[^\W\d_]+[*_`\"',:.!]*"
    r"(?:\s+[*_`\"']*[\w(—-].*|\s*[.:!?*。：！？]?\s*)"
)
"""A line of words: two side by side that no Python statement has, or one; or a rule."""
_INVISIBLE = re.compile("[\u200b\u200c\u200d\u2060\ufeff]")
GIVEN = frozenset({"pd", "np", "math", "df"}) | frozenset(dir(builtins))


def clean_block(block: str) -> str:
    """A block as Python can read it, if it can; empty where nothing of it is code.

    It is read as it is, then after one remedy upon another.
    """
    code = _FIRST_WORD.sub("", re.sub(r"\n[ \t]*```+\s*\Z", "", block).strip("\n"))
    plain = textwrap.dedent(code).strip("\n").rstrip()
    for mended in accumulate(REMEDIES, lambda code, remedy: remedy(code), initial=plain):
        for candidate in (mended, mended.strip(), _without_prose(mended)):
            if is_code(candidate):
                return candidate
    unescaped = plain.replace("\\n", "\n").replace('\\"', '"')
    if "\n" not in plain and is_code(unescaped):  # written as in JSON, but without it
        return unescaped
    rest = _without_prose(_strip_prompts(plain)).strip("\n")
    begun = [line for line in rest.split("\n") if _STARTS.match(line)]  # as of one that is cut off
    return rest if any(re.search(r"[=(\[]", line) for line in begun) else ""


def _strip_prompts(code: str) -> str:
    """Without the prompts of a session, and what was printed in it."""
    inputs = [_PROMPT.sub("", line) for line in code.split("\n") if _PROMPT.match(line)]
    return "\n".join(inputs) if ">>>" in code and inputs else code


REMEDIES: tuple[Callable[[str], str], ...] = (
    _strip_prompts,
    lambda code: _INVISIBLE.sub("", code.replace("\u00a0", " ")).expandtabs(4),
    html.unescape,
    lambda code: code.translate(str.maketrans("“”‘’", "\"\"''")),
)
"""What makes code of a text that only looks like it."""


def _without_prose(code: str) -> str:
    """Without the lines of words before and after the code; code itself is never left out.

    Where code comes after words again, it is the first part, if that is a function, else all of
    the code.
    """
    lines = code.split("\n")
    while lines and (not lines[0].strip() or _is_prose(lines[0])):
        lines.pop(0)
    whole = textwrap.dedent("\n".join(lines)).rstrip()
    lines = whole.split("\n")
    prose = [place for place, line in enumerate(lines) if place and _is_prose(line)]
    for place in prose[:MAX_PROSE]:
        first = "\n".join(lines[:place]).rstrip()
        if (tree := parse_code(first)) is not None:
            rest = [line for line in lines[place:] if not _is_prose(line)]
            if has_function(tree) or not any(map(_STARTS.match, rest)):
                return first
            code = "\n".join([first, *rest]).rstrip()
            return code if parse_code(code) is not None else whole
    return whole


def _is_prose(line: str) -> bool:
    """Whether a line reads as words and not as Python."""
    words = _WORDS.fullmatch(line) and not _STARTS.match(line)
    return bool(words) and parse_code(line) is None


def is_code(code: str) -> bool:
    """Whether it parses and does something."""
    tree = parse_code(code)
    if tree is None:
        return False
    telling = (ast.Call, ast.Subscript, ast.Assign, ast.FunctionDef, ast.Attribute, ast.Return)
    return any(isinstance(node, telling) for node in ast.walk(tree))


def parse_code(code: str) -> ast.Module | None:
    """The syntax tree of code; None if it has none, is empty or too large."""
    try:
        return read_code(code)
    except ActionError:
        return None


def has_function(tree: ast.Module) -> bool:
    """Whether code defines a function at its outermost level."""
    return any(isinstance(part, ast.FunctionDef) for part in tree.body)


def defines(tree: ast.Module) -> set[str]:
    """The names that code defines at its outermost level."""
    bindings: set[str] = set()
    for part in tree.body:
        if isinstance(part, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            bindings.add(part.name)
        elif isinstance(part, ast.Import | ast.ImportFrom):
            bindings.update((alias.asname or alias.name).split(".")[0] for alias in part.names)
        else:
            names = (node for node in ast.walk(part) if isinstance(node, ast.Name))
            bindings.update(name.id for name in names if isinstance(name.ctx, ast.Store))
    return bindings


def free_names(tree: ast.Module) -> set[str]:
    """The names that code uses without defining them anywhere itself."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    loads = {name.id for name in names if isinstance(name.ctx, ast.Load)}
    bindings = {name.id for name in names if not isinstance(name.ctx, ast.Load)}
    bindings |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return loads - bindings - defines(tree) - GIVEN
