"""Column families: names that differ in one number, date or category, and one-hot levels."""

from __future__ import annotations

import calendar
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import chain
from operator import itemgetter
from typing import Literal, NamedTuple

import narwhals as nw
from pydantic import BaseModel

from wideleaf.tools.tables.date_slots import DATE_SLOT, read_dates
from wideleaf.tools.tables.table import Table

MIN_MEMBERS: dict[str, int] = {"number": 2, "date": 2, "category": 3}
LISTED_MEMBERS = 8
"""A family of at most this many members is written with each of them."""

# A number is a run of digits; in R's mangled names a point or minus after a separator is its
# sign ("mean_.80" is day -80), and so is the word "minus" ("rotation_minus_5").
_SLOT = re.compile(
    rf"(?P<date>{DATE_SLOT})"
    r"|(?P<number>(?:(?<=[_ ])[.\-−](?=\d)|minus[_. ]?(?=\d))?\d+(?:\.\d+)?)"
)
_DATED = re.compile(
    r"(?P<year>(?:\d\d)?\d\d)"
    r"(?:[qQ](?P<quarter>[1-4])|[-_.mM]?(?P<month>\d\d)(?:[-_.]?(?P<day>\d\d))?)"
)
# "..._BreederAdvanta": a factor's name, then its level, as model matrices write it.
_LEVEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
LONGEST_HEADER = 1_000
"""So much of a header is looked at for words and prefixes, and a longer one is in no family: what
is tried of each of its parts grows with the square of its length."""
AT_ONCE = 32
"""So many columns stand side by side in one expression; deeper plans are slow to make."""


class Template(NamedTuple):
    """What the members of a family share: the text around their slot, and what is said of them."""

    stem: str
    tail: str
    axis: str
    gist: str = ""


class Family(BaseModel, frozen=True):
    """Columns of one meaning along one axis.

    Attributes:
        stem: The text before the slot.
        tail: The text after it.
        axis: What fills the slot.
        members: Pairs of slot value and column name, in the order of the axis. A number is a
            float, a date or category its text.
    """

    stem: str
    tail: str
    axis: Literal["number", "date", "category"]
    members: tuple[tuple[float | str, str], ...]

    @property
    def pattern(self) -> str:
        """The family with a star for its slot, a reference to all of its members."""
        bare = not self.stem and not self.tail  # a star alone is every column
        return "{*}" if bare else f"{self.stem}*{self.tail}"

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Member columns in the order of the axis."""
        return tuple(column for _, column in self.members)

    @cached_property
    def notation(self) -> str:
        """How people and models write it: ``NDVI_mean_{-80..250}`` or ``Soil_{10,60}cm``."""
        values = [slot_text(value) for value, _ in self.members]
        many = len(values) > LISTED_MEMBERS
        inside = f"{values[0]}..{values[-1]}" if many else ",".join(values)
        return f"{self.stem}{{{inside}}}{self.tail}"


def slot_text(value: float | str) -> str:
    """Write a slot's value: whole numbers without a point."""
    if isinstance(value, str):
        return value
    return str(int(value)) if value == int(value) else str(value)


def slot_number(text: str) -> float:
    """Read a number slot, R's sign and the word minus included."""
    digits = text.lstrip(".-−minus_ ")
    return -float(digits) if digits != text else float(digits)


def find_families(
    names: tuple[str, ...], descriptions: tuple[tuple[str, str], ...] = ()
) -> tuple[Family, ...]:
    """Group columns into families.

    A column with several numbers in its name joins the largest group that differs in one of
    them; the last number wins a tie. Columns that are said to mean different things, their
    numbers aside, are in no family: of ``p46_i0`` and ``p50_i0``, *grip strength* and *height*,
    each is one of the same item on several occasions, if there are any.

    Args:
        names: Column names of one table, in order.
        descriptions: Pairs of a column and what the user says it means.

    Returns:
        Families in the order of their first member; each column is in one at most.
    """
    return _group_names(
        tuple(names), tuple(descriptions)
    )  # one entry of the cache, however it is called


@lru_cache(maxsize=64)
def _group_names(
    names: tuple[str, ...], descriptions: tuple[tuple[str, str], ...]
) -> tuple[Family, ...]:
    names = tuple(name for name in names if len(name) <= LONGEST_HEADER)
    meanings = dict(descriptions)
    slots = {name: list(_SLOT.finditer(name)) for name in names}
    gists: dict[Template, set[str]] = defaultdict(set)
    firsts: dict[Template, set[str]] = defaultdict(set)
    for name in names if meanings else ():
        for m in slots[name]:
            gists[_template(name, m)].add(unslotted(meanings.get(name, ""), m.group()))
            # A list of codes may have the number, too: wave 4 marital status, 1 mar ... 4 sep.
            firsts[_template(name, m)].add(unslotted(meanings.get(name, ""), m.group(), most=1))
    apart = {
        template
        for template, some in gists.items()
        if len(some - {""}) > 1 and len(firsts[template] - {""}) > 1
    }

    def template_of(name: str, match: re.Match[str]) -> Template:
        own = _template(name, match)
        gist = unslotted(meanings.get(name, ""), match.group()) if own in apart else ""
        return own._replace(gist=gist)

    templates = {name: [template_of(name, m) for m in slots[name]] for name in names}
    sizes = Counter(chain.from_iterable(templates.values()))
    groups: dict[Template, list[tuple[float | str, str]]] = {}
    rest: list[str] = []
    for name in names:
        pairs = zip(templates[name], slots[name], strict=True)
        options = [(sizes[t], m.start(), t, m) for t, m in pairs if sizes[t] >= 2]
        if not options:
            rest.append(name)
            continue
        _, _, template, best = max(options, key=itemgetter(0, 1))
        value = slot_number(best.group()) if template.axis == "number" else best.group()
        groups.setdefault(template, []).append((value, name))
    for stem, level, name in _levels(rest):
        groups.setdefault(Template(stem, "", "category"), []).append((level, name))
    order = {name: place for place, name in enumerate(names)}
    families = [
        Family.model_validate(
            {"stem": s, "tail": t, "axis": axis, "members": _in_order(members, axis)}
        )
        for (s, t, axis, _), members in groups.items()
        if len(members) >= MIN_MEMBERS[axis]
    ]
    return tuple(sorted(families, key=lambda f: min(order[c] for c in f.columns)))


def unslotted(text: str, slot: str, most: int = 0) -> str:
    """What is said of a column, without the number of its slot: *population, 1968* of ``pop1968``.

    A year may be written with its last digits alone.

    Args:
        text: What is said.
        slot: The slot as the column's name has it.
        most: Where the number stands so often is left out at most; 0 for all.
    """
    if (date := _DATED.fullmatch(slot)) and (number := _write_out(date)):
        return " ".join(re.sub(number, " ", text, count=most, flags=re.IGNORECASE).split())
    digits = slot.lstrip("0.-−minus_ ") or "0"
    year = rf"|(?:1[89]|20){slot}" if len(slot) == 2 and slot.isdigit() else ""
    number = rf"(?<![a-z\d])(?:0*{re.escape(digits)}{year})(?!\d)"
    return " ".join(re.sub(number, " ", text, count=most).split())


def _write_out(date: re.Match[str]) -> str:
    """A pattern of the ways in which a month or quarter of a slot is written: March 2019.

    It is empty where a slot is no date but a number, such as 4050.
    """
    short = len(date["year"]) == 2
    if not date["quarter"] and (short or not 1 <= int(date["month"]) <= 12):
        return ""
    year = f"(?:{date['year']}|20{date['year']})" if short else date["year"]
    if date["quarter"]:
        nth = ("first|1st", "second|2nd", "third|3rd", "fourth|4th|last")[int(date["quarter"]) - 1]
        pattern = rf"(?:q{date['quarter']}|quarter {date['quarter']}|(?:{nth}) quarter)"
    else:
        month = int(date["month"])
        names = (calendar.month_name[month], calendar.month_abbr[month], f"{month:02d}")
        pattern = rf"(?:{'|'.join(names)})\.?"
    day = rf"(?:\s*0?{int(date['day'])}(?:st|nd|rd|th)?,?)?" if date["day"] else ""
    return rf"(?<!\w){pattern}{day}[\s,]*(?:of\s+)?{year}(?!\w)|(?<!\w){year}[\s-]*{pattern}(?!\w)"


def _template(name: str, match: re.Match[str]) -> Template:
    return Template(name[: match.start()], name[match.end() :], match.lastgroup or "number")


def _in_order(
    members: Sequence[tuple[float | str, str]], axis: str
) -> tuple[tuple[float | str, str], ...]:
    if axis == "date":
        dates = read_dates([str(slot) for slot, _ in members])
        if dates is None:
            return tuple(members)  # as the table has them
        members = [(date, name) for date, (_, name) in zip(dates, members, strict=True)]
    return tuple(members) if axis == "category" else tuple(sorted(members))


def _levels(names: Sequence[str]) -> list[tuple[str, str, str]]:
    """Split indicator columns into stem, level and name.

    Only after a separator, so that plain camel-case names (customerName) stay what they are.
    """
    cuts = {
        name: [m.start() for m in _LEVEL.finditer(name) if re.search(r"[_.]", name[: m.start()])]
        for name in names
    }
    sizes = Counter(name[:cut] for name in names for cut in cuts[name])
    levels = []
    for name in names:
        stems = [name[:cut] for cut in cuts[name] if sizes[name[:cut]] >= MIN_MEMBERS["category"]]
        if stems:
            stem = stems[-1]
            levels.append((stem, name[len(stem) :], name))
    return levels


class Indicators(NamedTuple):
    """What columns hold that may be the levels of one category.

    Attributes:
        plain: Whether they hold nothing but 0, 1, yes, no and missing cells.
        several: Rows that have more than one of them set.
        none: Rows that have none of them set.
    """

    plain: bool
    several: int = 0
    none: int = 0

    @property
    def category(self) -> bool:
        """Whether each row has one level at most and some row has one."""
        return self.plain and self.several == 0


def read_indicators(table: Table, columns: Sequence[str]) -> Indicators:
    """Look at columns of a table in one query, after a look at the first of them.

    Args:
        table: The table.
        columns: Columns of it.
    """
    if any(table.kind(column) not in ("number", "boolean") for column in columns):
        return Indicators(plain=False)
    if len(columns) > 1 and not _read(table, columns[:1]).plain:
        return Indicators(plain=False)
    return _read(table, columns)


def _read(table: Table, columns: Sequence[str]) -> Indicators:
    cells = [
        nw.col(name).cast(nw.Int64) if table.kind(name) == "boolean" else nw.col(name)
        for name in columns
    ]
    chunks = [cells[start : start + AT_ONCE] for start in range(0, len(cells), AT_ONCE)]
    odd = [
        nw.any_horizontal(*((cell != 0) & (cell != 1) for cell in chunk), ignore_nulls=True)
        for chunk in chunks
    ]
    set_ = [
        nw.sum_horizontal(*((cell == 1).fill_null(False).cast(nw.Int64) for cell in chunk))
        for chunk in chunks
    ]
    count = nw.sum_horizontal(*set_)
    tests = [
        one.fill_null(False).cast(nw.Int64).max().alias(f"odd{i}") for i, one in enumerate(odd)
    ]
    result = table.frame.select(
        *tests,
        (count > 1).cast(nw.Int64).sum().alias("several"),
        (count == 0).cast(nw.Int64).sum().alias("none"),
    )
    *others, several, none = result.collect().row(0)
    return Indicators(not any(others), int(several or 0), int(none or 0))
