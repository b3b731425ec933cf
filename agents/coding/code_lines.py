"""Lines of a reply made fit to be parsed, and what a piece of code defines and needs."""

from __future__ import annotations

import ast
import builtins
import html
import keyword
import re
import textwrap
from itertools import accumulate

from wideleaf.tools.errors import ActionError
from wideleaf.tools.sandbox.syntax.form import read_code

MOST_PROSE = 20
"""So many lines of words are tried as the end of the code."""

_FIRST_WORD = re.compile(r"\A\s*(?:python3?|code)[ \t]*:?[ \t]*\n", re.I)
_PROMPT = re.compile(r"^[ \t]*(?:>>>|\.\.\.)(?: |$)", re.M)
_STARTS = re.compile(
    r"\s*(?:(?:def|class|import|from|for|while|if|with|try|return)\b"
    r"|[@#]|[A-Za-z_][\w.]*\s*[=(\[.+*/-])"
)
_WORDS = re.compile(
    r"(?:[-*>#]+\s+|\d+[.)]\s+)?[*_`\"']*(?P<first>[^\W\d_]+)[*_`\"',:.!]*(?P<rest>.*)"
)
_INVISIBLE = re.compile("[\u200b\u200c\u200d\u2060\ufeff]")
GIVEN = frozenset({"pd", "np", "math", "df"}) | frozenset(dir(builtins))


def clean_block(block: str) -> str:
    """A block as Python can read it, if it can; empty where nothing of it is code.

    It is read as it is, then after one remedy upon another.
    """
    code = _FIRST_WORD.sub("", re.sub(r"\n[ \t]*```+\s*\Z", "", block).strip("\n"))
    plain = textwrap.dedent(code).strip("\n").rstrip()
    remedies = (_unprompted, _spaced, html.unescape, _straight)
    for mended in accumulate(remedies, lambda code, remedy: remedy(code), initial=plain):
        for tried in (mended, mended.strip(), _without_prose(mended)):
            if is_code(tried):
                return tried
    unescaped = plain.replace("\\n", "\n").replace('\\"', '"')
    if "\n" not in plain and is_code(unescaped):  # written as in JSON, but without it
        return unescaped
    rest = _without_prose(_unprompted(plain)).strip("\n")
    return rest if any(map(_begins_code, rest.split("\n"))) else ""


def _spaced(code: str) -> str:
    return _INVISIBLE.sub("", code.replace("\u00a0", " ")).expandtabs(4)


def _straight(code: str) -> str:
    return code.translate(str.maketrans("“”‘’", "\"\"''"))


def _unprompted(code: str) -> str:
    """Without the prompts of a session, and what was printed in it."""
    said = [_PROMPT.sub("", line) for line in code.split("\n") if _PROMPT.match(line)]
    return "\n".join(said) if ">>>" in code and said else code


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
    for place in prose[:MOST_PROSE]:
        first = "\n".join(lines[:place]).rstrip()
        if (tree := parse_code(first)) is not None:
            rest = [line for line in lines[place:] if not _is_prose(line)]
            if has_function(tree) or not any(map(_STARTS.match, rest)):
                return first
            code = "\n".join([first, *rest]).rstrip()
            return code if parse_code(code) is not None else whole
    return whole


def _is_prose(line: str) -> bool:
    """Whether a line reads as words: two words side by side that no Python statement has."""
    if not line or line[0] in " \t":
        return False
    if re.fullmatch(r"[-=*_]{3,}", line):
        return True
    read = _WORDS.match(line)
    if read is None or parse_code(line) is not None:
        return False
    first, rest = read["first"], read["rest"].lstrip("*_`\"' ")
    if keyword.iskeyword(first) or first in ("match", "print"):
        return False
    if not any(sign.isalnum() for sign in rest):
        return line.rstrip()[-1] in ".:!?*。：！？"
    return bool(re.match(r"[^\W\d_]|\d+\b|\(|—|-", rest)) and not re.match(
        r"[A-Za-z_]\w*\s*(?:=[^=]|\()", line
    )


def is_code(code: str) -> bool:
    """Whether it parses and does something."""
    tree = parse_code(code)
    if tree is None:
        return False
    telling = (ast.Call, ast.Subscript, ast.Assign, ast.FunctionDef, ast.Attribute, ast.Return)
    return any(isinstance(node, telling) for node in ast.walk(tree))


def _begins_code(line: str) -> bool:
    """Whether a line is code even where the whole does not parse, as of a cut-off function."""
    begins = _STARTS.match(line) and re.search(r"[=(\[]|\bdef\b", line)
    return bool(begins) and not _is_prose(line)


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
    found: set[str] = set()
    for part in tree.body:
        if isinstance(part, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            found.add(part.name)
        elif isinstance(part, ast.Import | ast.ImportFrom):
            found.update((alias.asname or alias.name).split(".")[0] for alias in part.names)
        else:
            names = (node for node in ast.walk(part) if isinstance(node, ast.Name))
            found.update(name.id for name in names if isinstance(name.ctx, ast.Store))
    return found


def free_names(tree: ast.Module) -> set[str]:
    """The names that code uses without defining them anywhere itself."""
    used, made = set[str](), set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else made).add(node.id)
        elif isinstance(node, ast.arg):
            made.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            made.add(node.name)
    return used - made - defines(tree) - GIVEN
