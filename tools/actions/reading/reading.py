"""What actions of a reader have in common: the texts they ask about, and verdicts on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import narwhals as nw
from pydantic import PrivateAttr
from pydantic.json_schema import SkipJsonSchema

from wideleaf.tools.actions.action import Action
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact, caveat, caveats
from wideleaf.tools.tables.columns import Columns, need_free, need_kind, resolve_columns
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table
from wideleaf.tools.verdicts.task import TEXT_CHARACTERS, Task, digest, item_text
from wideleaf.tools.verdicts.verdicts import Verdict, Verdicts

if TYPE_CHECKING:
    import polars as pl

CONFIDENCE, QUOTE = "_confidence", "_quote"
"""What follows the name of a verdict's column in those beside it."""
KINDS = ("text", "number", "boolean", "date", "datetime")
NOT_READ = "no verdicts"


class Reading(Action):
    """Base of actions whose results hang on what texts mean.

    What a model said of the texts is kept outside of the tree, by a hash that is part of the
    resolved action, so of the node's id: a frame that is made again, or a replay, asks nobody.
    `bind` hands it the verdicts; whoever holds frames does that (`tools/steps/store.py`).

    Attributes:
        in_cascade: Whether an encoder may decide what is clear.
    """

    purpose = "reader"
    lazy: ClassVar[bool] = False
    in_cascade: ClassVar[bool] = False

    columns: Columns
    verdicts: SkipJsonSchema[str] = ""
    _shelf: Callable[[str], Verdicts] | None = PrivateAttr(default=None)

    @property
    def task(self) -> Task:
        """What a reader is asked of each text."""
        raise NotImplementedError

    @property
    def new_columns(self) -> tuple[str, ...]:
        """The columns that it adds."""
        return ()

    @property
    def leaves_out(self) -> bool:
        """Whether rows are left out by what is said of them."""
        return False

    def bind(self, shelf: Callable[[str], Verdicts]) -> Self:
        """The same action with what finds its verdicts by their hash, so that it can be run."""
        bound = self.model_copy()
        bound._shelf = shelf
        return bound

    @property
    def given(self) -> Verdicts:
        """The verdicts that it stands on.

        Raises:
            ActionError: If nobody has read the texts yet, or what was said is lost.
        """
        if self._shelf is None or not self.verdicts:
            raise ActionError(
                f"{type(self).__name__} has no verdicts; a model reads the texts in a run",
                kind=NOT_READ,
            )
        return self._shelf(self.verdicts)

    def resolve(self, *tables: Table) -> Self:
        """Name the columns.

        Raises:
            ActionError: If one does not exist, holds no text or number, or a new name is taken.
        """
        columns = resolve_columns(self.columns, tables[0])
        need_kind(tables[0], columns, *KINDS, purpose=type(self).__name__)
        taken = [*tables[0].columns]
        for name in self.new_columns:
            need_free(name, taken, "verdicts")
            taken.append(name)
        return self.model_copy(update={"columns": columns})

    def items(self, *tables: Table) -> dict[str, str]:
        """What is asked about: each different text by its key, in the order of rows."""
        return items_of(tables[0].collect(*self.columns, purpose=type(self).__name__))

    def sides(self, *tables: Table) -> tuple[dict[str, str], ...]:
        """What a reader needs of the tables before it asks: the texts of each side."""
        return (self.items(*tables),)

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns, and for a verdict those that are read."""
        read = Need(frozenset(self.columns))
        return [need.past(headers[0], dict.fromkeys(self.new_columns, read))]

    def run(self, *tables: Table) -> Table:
        """Put the verdicts beside the rows.

        Raises:
            ActionError: If nobody has read the texts yet, or the table is too large.
        """
        frame = tables[0].collect(purpose=type(self).__name__)
        found = self.given.of(map(key_of, texts_of(frame.select(self.columns))))
        return Table(nw.from_native(self.put(frame, found).lazy()))

    def put(self, frame: pl.DataFrame, found: Sequence[Verdict | None]) -> pl.DataFrame:
        """The result: rows with what was said of each.

        Args:
            frame: The rows.
            found: By row the verdict; None where there is none.
        """
        raise NotImplementedError

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell who decided how many texts, and how many have no answer."""
        given = self.given
        unread = len(self.items(*tables).keys() - given.given.keys())
        counts = given.counts
        why = f", for the limit {given.limit} was reached" if given.limit else ""
        facts = [caveat(f"Judged by {given.reader or 'a model'}: {_texts(counts['reader'])}")]
        if counts["encoder"] and given.level is not None:
            facts.append(caveat(self.tell_cascade(counts["encoder"], given.level)))
        texts = texts_of(tables[0].collect(*self.columns, purpose=type(self).__name__))
        empty = sum(text is None for text in texts)
        long = len({text for text in texts if text and len(text) > TEXT_CHARACTERS})
        facts += caveats(
            (long, f"{_texts(long)} longer than {TEXT_CHARACTERS} characters: the rest is not read")
        )
        facts += caveats(
            (empty, f"Rows without a text, so without a verdict: {empty}"), matter="statistics"
        )
        return facts + caveats(
            (counts["none"], f"{_texts(counts['none'])} got no answer in the form asked for: null"),
            (unread, f"{_texts(unread)} {'was' if unread == 1 else 'were'} never read{why}: null"),
        )

    def tell_cascade(self, count: int, level: float) -> str:
        """What is said of texts that the model was spared."""
        return (
            f"{count} clear texts were decided by the encoder, with recall and precision of "
            f"{level:.0%} against the model (at 95 % confidence)"
        )


def _texts(count: int) -> str:
    return f"{count} text{'' if count == 1 else 's'}"


def texts_of(frame: pl.DataFrame) -> list[str | None]:
    """What a reader is shown of each row of a frame; equal rows have equal texts."""
    import polars as pl

    names = frame.columns
    plain = frame.select(
        column if column.dtype.is_numeric() or column.dtype == pl.String else column.cast(pl.String)
        for column in frame.iter_columns()
    )
    return [item_text(names, row) for row in plain.iter_rows()]


def items_of(frame: pl.DataFrame) -> dict[str, str]:
    """The different texts of a frame's rows by their keys, in the order of rows."""
    return {digest(text): text for text in texts_of(frame) if text is not None}


def key_of(text: str | None) -> str | None:
    """By what a text is known among verdicts; None of none."""
    return None if text is None else digest(text)


def value_columns(
    found: Sequence[Verdict | None], name: str, dtype: Any, *, quote: bool
) -> list[pl.Series]:
    """Verdicts as columns: the value, how sure it is, and the passage where it was asked for."""
    import polars as pl

    values = pl.Series(name, [one and one.value for one in found], dtype=dtype, strict=False)
    return [values, *grounds_columns(found, name, quote=quote)]


def grounds_columns(found: Sequence[Verdict | None], name: str, *, quote: bool) -> list[pl.Series]:
    """How sure each verdict is, and the passage that decided where it was asked for."""
    import polars as pl

    sure = pl.Series(name + CONFIDENCE, [one and one.confidence for one in found], pl.Float64)
    if not quote:
        return [sure]
    quotes = [(one and one.quote) or None for one in found]
    return [sure, pl.Series(name + QUOTE, quotes, dtype=pl.String)]


def grounds_names(name: str, *, quote: bool) -> tuple[str, ...]:
    """What those columns are called."""
    return (name + CONFIDENCE, *([name + QUOTE] * quote))
