"""Lines of a reply made fit to be parsed, and what a piece of code defines and needs."""

from __future__ import annotations

import ast
import builtins
import html
import keyword
import re
import textwrap
from collections.abc import Iterator

from wideleaf.tools.errors import ActionError
from wideleaf.tools.sandbox.syntax.form import read_code

MOST_PROSE = 20
"""So many lines of words are tried as the end of the code."""

_FIRST_WORD = re.compile(r"\A\s*(?:python3?|py|code)[ \t]*:?[ \t]*\n", re.I)
_PROMPTED = re.compile(r"^\s*(?:>>>|In \[\d+\]:)", re.M)
_PROMPT = re.compile(r"^[ \t]*(?:>>>|\.\.\.|In \[\d+\]:)(?: |$)")
_STARTS = re.compile(
    r"\s*(?:(?:def|class|import|from|for|while|if|with|try|return|result|async|@)\b"
    r"|[@#]|[A-Za-z_][\w.]*\s*(?:[=(\[.+*/-]|,\s*\w+\s*=))"
)
_WORDS = re.compile(
    r"(?:[-*>#]+\s+|\d+[.)]\s+)?[*_`\"']*(?P<first>[^\W\d_]+)[*_`\"',:.!]*(?P<rest>.*)"
)
_INVISIBLE = re.compile("[\u200b\u200c\u200d\u2060\ufeff]")
GIVEN = frozenset({"pd", "np", "math", "df"}) | frozenset(dir(builtins))


def clean_block(block: str) -> str:
    """A block as Python can read it, if it can; empty where nothing of it is code."""
    code = _FIRST_WORD.sub("", re.sub(r"\n[ \t]*```+\s*\Z", "", block).strip("\n"))
    if code.strip().startswith("`") and code.strip().endswith("`"):
        code = code.strip().strip("`")
    for mended in _mendings(code):
        if is_code(mended):
            return mended
    rest = _without_prose(_unprompted(textwrap.dedent(code))).strip("\n")
    return rest.rstrip() if _seems_code(rest) else ""


def _mendings(code: str) -> Iterator[str]:
    """The code as it is, then by one remedy after another; the first that parses is taken."""
    plain = textwrap.dedent(code).strip("\n").rstrip()
    yield plain
    yield plain.strip()
    yield _without_prose(plain)
    mended = plain
    for remedy in (_unprompted, _spaced, html.unescape, _straight):
        mended = remedy(mended)
        yield mended
        yield _without_prose(mended)
    if "\n" not in plain and "\\n" in plain:  # written as in JSON, but without it
        yield plain.replace("\\n", "\n").replace('\\"', '"')


def _spaced(code: str) -> str:
    return _INVISIBLE.sub("", code.replace("\u00a0", " ")).expandtabs(4)


def _straight(code: str) -> str:
    return code.translate(str.maketrans("“”‘’", "\"\"''"))


def _unprompted(code: str) -> str:
    """Without the prompts of a session, and what was printed in it."""
    if not _PROMPTED.search(code):
        return code
    lines = [line for line in code.split("\n") if _PROMPT.match(line)]
    return "\n".join(_PROMPT.sub("", line) for line in lines)


def _without_prose(code: str) -> str:
    """Without the lines of words before and after the code; code itself is never left out."""
    lines = code.split("\n")
    while lines and (not lines[0].strip() or _is_prose(lines[0])):
        lines.pop(0)
    kept = textwrap.dedent("\n".join(lines)).split("\n")
    places = [place for place, line in enumerate(kept) if place and _is_prose(line)]
    for place in places[:MOST_PROSE]:
        if parse_code("\n".join(kept[:place])):
            if not any(_STARTS.match(later) and not _is_prose(later) for later in kept[place:]):
                return "\n".join(kept[:place]).rstrip()
            return _until_code_ends(kept, place)
    return "\n".join(kept).rstrip()


def _until_code_ends(lines: list[str], place: int) -> str:
    """Where code comes after words again: the first part, if it is whole, else all the code."""
    first = "\n".join(lines[:place]).rstrip()
    tree = parse_code(first)
    if tree is not None and has_function(tree):
        return first
    code = "\n".join(line for line in lines if not _is_prose(line)).rstrip()
    return code if parse_code(code) is not None else "\n".join(lines)


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


def _seems_code(text: str) -> bool:
    """Whether what does not parse is code all the same, such as a cut-off function."""
    return any(
        _STARTS.match(line) and not _is_prose(line) and re.search(r"[=(\[]|\bdef\b", line)
        for line in text.split("\n")
    )


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
