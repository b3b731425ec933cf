"""Craft: one step that no other action covers, by a function a model wrote, in the sandbox."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Collection, Iterator, Sequence
from typing import Annotated, ClassVar, Literal, NamedTuple, Self

import narwhals as nw
from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from wideleaf.tools.actions.action import Action
from wideleaf.tools.craft.signature import Signature, check_result, read_signature
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Policy
from wideleaf.tools.sandbox.answer import RunOutcome
from wideleaf.tools.sandbox.program import Limits, Program, Sandbox
from wideleaf.tools.sandbox.registry import choose_sandbox
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.lineage import canonical

MAX_TABLES = 8
MIN_WORD = 3
MAX_WORDS, MAX_CHOSEN = 60, 20
"""Texts in code, and those of them that became headers, beyond which none is told as a header."""
NARROW = 200
"""A frame of no more columns is given whole, whatever the code names."""
OWN_HEADERS = frozenset((
    "result", "index", "column", "key", "value", "part", "count", "size", "sum", "mean",
    "median", "std", "var", "min", "max", "unique", "top", "freq", "25%", "50%", "75%",
    "proportion", "nunique", "first", "last", "level_1", "level_2", "level_3",
))  # fmt: skip
"""Headers that pandas or the sandbox makes by itself; they say nothing of a cell."""


class CraftResult(NamedTuple):
    """What a run made: the frame, what its numbered headers stand for, and the raw outcome."""

    table: Table
    headers: dict[str, str]
    outcome: RunOutcome


class Craft(Action):
    """A step no other action can do, by Python code (scipy, sklearn, statsmodels); the last resort.

    The form ``program`` is the one node of the strategy pandas: statements that set ``result``
    (DataFrame QA, section 3.1). What is run is part of the resolved action, so of the node's id:
    kept, shown, exported, and replayed (CRAFTQA, section 3.3).
    """

    purpose = "craft"
    inputs: ClassVar[tuple[str, ...]] = ("tables",)
    many: ClassVar[bool] = True
    lazy: ClassVar[bool] = False
    phrases: ClassVar[tuple[str, ...]] = (
        "consecutive", "streak", "in a row", "longest run", "custom function", "parse", "simulate",
    )  # fmt: skip

    task: Annotated[str, Field(min_length=1, max_length=4_000, description="What it does, whole.")]
    signature: str = Field(
        default="",
        description="Expected: streaks(games) -> team: text, longest: number; or gap(a, b) -> "
        "number. One parameter for each table.",
    )
    form: SkipJsonSchema[Literal["function", "program"]] = "function"
    code: SkipJsonSchema[str] = ""
    function: SkipJsonSchema[str] = ""
    names: SkipJsonSchema[tuple[str, ...]] = ()
    lower_case: SkipJsonSchema[bool] = False
    headers: SkipJsonSchema[Literal["values", "numbers"] | None] = None

    @property
    def hash(self) -> str:
        """What is approved and what is run are the same by this: code and how it is called."""
        return hash_of(self.code, self.function)

    def resolve(self, *tables: Table) -> Self:
        """Check the code against the allow-list, and its names against the frames.

        Raises:
            ActionError: If there is no code yet, or it is refused.
        """
        from wideleaf.tools.sandbox.syntax.check import check_code

        if not self.code:
            raise ActionError("Craft has no code; a model writes it in a run", kind="no code")
        if len(tables) > MAX_TABLES:
            raise ActionError(f"Craft takes {MAX_TABLES} tables at most; {len(tables)} were given")
        columns = {name for table in tables for name in table.columns}
        check_code(self.code, function=self.function, columns=columns)
        return self.model_copy(update={"names": self.parameters(len(tables))})

    def within(self, policy: Policy) -> Self:
        """Below ``samples`` headers that may be cells are numbered."""
        if self.headers is not None:
            return self
        headers: Literal["values", "numbers"] = "values" if policy.allows("values") else "numbers"
        return self.model_copy(update={"headers": headers})

    def column_references(self, *headers: Header) -> list[list[str]]:
        """The columns that the code reads, or all where it may be any."""
        return [
            list(header or ()) if names is None else names
            for names, header in zip(self._read(headers), headers, strict=True)
        ]

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """What the code reads; which of it decides, nobody knows."""
        return [Need(frozenset(names)) for names in self.column_references(*headers)]

    def run(self, *tables: Table) -> Table:
        """Run the function in the strongest sandbox of this machine, with the default limits.

        For whoever holds the action and has looked at its code; steps of a tree go through
        `craft_runner`, which asks whether the code may run.
        """
        return self.run_in(choose_sandbox("auto"), Limits(), *tables).table

    def run_in(self, sandbox: Sandbox, limits: Limits, *tables: Table) -> CraftResult:
        """Run the function and hold its result against the expected signature.

        Args:
            sandbox: Where.
            limits: What it may take.
            tables: Its frames; the columns that the code names are read into memory, or all.

        Raises:
            ActionError: If it is refused, fails, takes too much, or makes something else.
            SandboxError: If the sandbox itself fails.
        """
        columns = self._columns(tables)
        frames = [
            t.collect(*some, purpose="Craft") for t, some in zip(tables, columns, strict=True)
        ]
        program = Program(
            code=self.code,
            function=self.function,
            names=self.parameters(len(tables)),
            lower_case=self.lower_case,
        )
        outcome = sandbox.run(program, frames, limits)
        signature = read_signature(self.signature)
        check_result(signature, outcome.frame, outcome.shape)
        frame, headers = outcome.frame, {}
        if self.headers == "numbers":
            headers = self._numbered(frame.columns, tables, signature)
            frame = frame.rename({real: alias for alias, real in headers.items()})
        return CraftResult(Table(nw.from_native(frame.lazy())), headers, outcome)

    @property
    def caveat(self) -> str:
        """That a model's code made it is for the reader of the answer to know."""
        what = f"the function {self.function}" if self.function else "a program"
        reference = f"sha256 {self.hash[:12]}; print(result.plan) shows it"
        return f"Made by {what} that the model wrote ({reference})."

    def parameters(self, count: int) -> tuple[str, ...]:
        """The names under which the code gets so many frames."""
        if len(self.names) == count:
            return self.names
        parameters = read_signature(self.signature).parameters
        if len(parameters) == count:
            return parameters
        return ("df", *(f"df{number}" for number in range(2, count + 1)))[:count]

    def _read(self, headers: Sequence[Header]) -> list[list[str] | None]:
        """The columns that the code reads of each input; None where it may be any."""
        from wideleaf.tools.craft.columns import program_columns
        from wideleaf.tools.craft.names import parameters_of

        names = parameters_of(self.code, self.function) if self.function else self.names
        if len(names) != len(headers):
            return [None for _ in headers]
        return program_columns(self.code, names, headers, self.function)

    def _columns(self, tables: Sequence[Table]) -> list[tuple[str, ...]]:
        """What is read of each frame; nothing said is all of it, as of any that is not wide."""
        from wideleaf.tools.craft.columns import program_columns

        if all(len(table.columns) <= NARROW for table in tables):
            return [() for _ in tables]
        names = _arguments(self.code, self.function) or self.parameters(len(tables))
        if len(names) != len(tables):
            return [() for _ in tables]
        # A program may call its first frame df, as well as by its own name.
        if not self.function and len(tables) > 1 and "df" not in names:
            return [() for _ in tables]
        columns = program_columns(
            self.code, names, [table.columns for table in tables], self.function
        )
        return [
            () if some is None else tuple(some) or table.columns[:1]
            for table, some in zip(tables, columns, strict=True)
        ]

    def _numbered(
        self, columns: Sequence[str], tables: Sequence[Table], signature: Signature
    ) -> dict[str, str]:
        headers = {name for table in tables for name in table.columns} | OWN_HEADERS
        headers |= {name for name, _ in signature.columns}
        own = set(_written(self.code))
        words = own.intersection(columns) - headers
        if len(own) > MAX_WORDS or len(words) > MAX_CHOSEN:
            own = set()  # which of its many words it took may spell a cell
        hidden = [
            name for name in columns if name not in own and not _is_made_of(name, headers, own)
        ]
        return {f"column_{number}": name for number, name in enumerate(hidden, 1)}


def hash_of(code: str, function: str) -> str:
    """The sha256 of code and the function that is called of it, in hexadecimal digits."""
    return hashlib.sha256(canonical([function, code]).encode("utf-8", "replace")).hexdigest()


def _arguments(code: str, function: str) -> tuple[str, ...]:
    """The parameters of a function as it was written; they may be called otherwise than asked."""
    for node in ast.parse(code).body if function else ():
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return tuple(one.arg for one in (*node.args.posonlyargs, *node.args.args))
    return ()


def _written(code: str) -> Iterator[str]:
    """Texts and keyword names that stand in the code itself: the model knows them."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.keyword) and node.arg:
            yield node.arg


def _is_made_of(
    header: str, headers: Collection[str], own: Collection[str], parts: int = 3
) -> bool:
    """Whether a header is of known parts joined by underscores, as pandas nests them.

    Words of the code itself come last and are of three letters or more: code that held the
    alphabet could spell a cell otherwise.
    """
    if header in headers:
        return True
    places = [place for place, sign in enumerate(header) if sign == "_"]
    return any(
        header[:place] in headers
        and (
            (len(rest := header[place + 1 :]) >= MIN_WORD and rest.isalpha() and rest in own)
            or (parts > 1 and _is_made_of(rest, headers, own, parts - 1))
        )
        for place in places
    )
