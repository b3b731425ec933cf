"""Replies: a program out of what a model wrote, with the sentence that each step stands for."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from wideleaf.agents.codestep.reader import Lines, read_steps
from wideleaf.agents.codestep.steps import FUNCTIONS, Program
from wideleaf.agents.coding.code_blocks import extract_code, spoken
from wideleaf.tools.errors import ActionError
from wideleaf.tools.words import one_line

SENTENCE_CHARACTERS = 300

_ITEM = re.compile(
    r"^\s*(?:[-*>#]+\s*)?(?:\*\*|__)?(?:step\s*)?(?P<number>\d{1,2})\s*(?:[.:)]|\*\*|-(?!\d))"
    r"\s*(?P<text>\S.*?)\s*$",
    re.I,
)
_NUMBER = re.compile(r"^(?:see |of )?(?:steps?\s*)?#?(?P<number>\d{1,2})\s*[.:)]?$", re.I)
_CALL = re.compile(r"^[\w.]+\s*(?:=[^=]|\()")
FLAT_FUNCTIONS = tuple(name for name in FUNCTIONS if name != "craft")
"""What a flat list may call: the predefined functions, as in TrustUQA."""

_FLAT = re.compile(
    r"^[\s>*#-]*(?:step|query)[ _]*(?P<number>\d{1,2})\s*[:.)=]+\s*`*\s*"
    r"(?:(?P<name>[A-Za-z_]\w*)\s*=(?!=)\s*)?(?P<call>[A-Za-z_][\w.]*\s*\(.*\))\s*`*\s*(?:#.*)?$",
    re.I | re.M,
)
_OUTPUT = re.compile(r"\b(?:output_of_)?(?:query|step)[ _]?(\d{1,2})\b", re.I)


class Draft(NamedTuple):
    """What a reply holds.

    Attributes:
        program: The program; None where ``problem`` says why there is none.
        code: As it was written, for the next try to be shown.
        problem: Why it cannot be read as a program.
    """

    program: Program | None
    code: str = ""
    problem: str = ""


def read_reply(
    text: str, sources: Sequence[str], *, functions: Collection[str], flat: bool = False
) -> Draft:
    """Read the program out of a reply.

    Args:
        text: The reply.
        sources: The names of tables and graphs.
        functions: Those that may be called.
        flat: Whether a flat list of calls is expected, ``step1: get_information(...)``.
    """
    code = (flat_code(text) if flat else "") or extract_code(text)
    if not code.strip():
        where = "one call a line, step1: get_information(...)" if flat else "a ```python block"
        return Draft(None, "", f"the reply holds no program; write it as {where}")
    analysis = () if flat else read_analysis(spoken(text), code)
    try:
        program = read_program(code, sources, analysis=analysis, functions=functions)
    except ActionError as error:
        return Draft(None, code, error.text)
    return Draft(program, code)


def read_program(
    code: str,
    sources: Sequence[str],
    *,
    analysis: Sequence[str] = (),
    functions: Collection[str] = tuple(FUNCTIONS),
) -> Program:
    """Read a program; nothing of it is run, and nothing but calls of its functions is left.

    Args:
        code: As the model wrote it.
        sources: The names of tables and graphs.
        analysis: The steps in words that stood before it.
        functions: Those that may be called.

    Raises:
        ActionError: If it cannot be read as one; names the line and what would be right.
    """
    try:
        steps, answer = read_steps(code, sources, functions)
    except ActionError as error:
        raise ActionError(error.text, kind="program") from None
    sentences = sentences_of(code, [lines for _, lines in steps], analysis)
    full_steps = (step.model_copy(update={"sentence": sentences[lines]}) for step, lines in steps)
    return Program(steps=tuple(full_steps), answer=answer)


def flat_code(text: str) -> str:
    """A flat list of calls (TrustUQA's form) as code; a call is known by its number.

    Args:
        text: The reply.
    """
    lines = []
    for match in _FLAT.finditer(text):
        call = _without_numbers(match["call"])
        own = f"step{int(match['number'])}"
        name = match["name"]
        if name and not _OUTPUT.fullmatch(name):
            lines += [f"{name} = {call}", f"{own} = {name}"]
        else:
            lines.append(f"{own} = {call}")
    return "\n".join(lines)


def _without_numbers(call: str) -> str:
    """A call in which earlier ones are named in one way, outside texts."""
    parts = re.split(r"('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")", call)
    return "".join(
        part if place % 2 else _OUTPUT.sub(lambda match: f"step{int(match[1])}", part)
        for place, part in enumerate(parts)
    )


def read_analysis(text: str, code: str = "") -> tuple[str, ...]:
    """The numbered steps of an analysis (CRAFTQA, section 3.2), in the order of their numbers.

    Args:
        text: The reply.
        code: What of it is code, whose comments are read apart.
    """
    inside = {line.strip() for line in code.splitlines()}
    sentences: dict[int, str] = {}
    for line in text.splitlines():
        item = _ITEM.match(line)
        if item is None or line.strip() in inside:
            continue
        sentence = item["text"].strip("*_ ")
        if sentence and not _CALL.match(sentence):
            sentences.setdefault(int(item["number"]), one_line(sentence, SENTENCE_CHARACTERS))
    return tuple(sentences[number] for number in sorted(sentences))


def sentences_of(
    code: str, statements: Iterable[Lines], analysis: Sequence[str]
) -> dict[Lines, str]:
    """The sentence of each statement: its comment, the analysis' by number, or by its place.

    A comment belongs to the line it stands in, or to those after it up to the next one.

    Args:
        code: The program.
        statements: The statements that are steps, in order.
        analysis: The numbered steps before the program.
    """
    statements = dict.fromkeys(statements)
    try:
        tokens = [*tokenize.generate_tokens(io.StringIO(code).readline)]
    except (tokenize.TokenError, SyntaxError):  # other versions of Python read lines otherwise
        tokens = []
    comments = [token for token in tokens if token.type == tokenize.COMMENT]
    remarks = [
        (token.start[0], _sentence(token.string.lstrip("# \t").strip(), analysis))
        for token in comments
    ]
    apart = [(n, text) for n, text in remarks if not any(a <= n <= b for a, b in statements)]
    sentences: dict[Lines, str] = {}
    for first, last in statements:
        above = [text for line, text in apart if line < first and text]
        own = [text for line, text in remarks if first <= line <= last and text]
        sentences[first, last] = next(iter(own), above[-1] if above else "")
    if not any(sentences.values()) and len(analysis) == len(sentences):
        return dict(zip(sentences, analysis, strict=True))
    return sentences


def _sentence(comment: str, analysis: Sequence[str]) -> str:
    """What a comment says; one that is a number alone names a step of the analysis."""
    if number := _NUMBER.match(comment):
        place = int(number["number"]) - 1
        return analysis[place] if 0 <= place < len(analysis) else ""
    item = _ITEM.match(comment)
    return one_line(item["text"] if item else comment, SENTENCE_CHARACTERS)
