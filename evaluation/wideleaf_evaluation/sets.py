"""Sets of questions with gold answers, read from folders of benchmarks or of users."""

from __future__ import annotations

import json
import random
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from wideleaf.tools.errors import SettingsError
from wideleaf.tools.tables.relations import GRAPH
from wideleaf_evaluation.forms import READERS, Line, Reader
from wideleaf_evaluation.graph_forms import write_facts
from wideleaf_evaluation.item import QUESTIONS, Item

Half = Literal["", "fit", "held"]
ARCHIVES = ("tables.zip", "databases.zip", "kb.zip")


def half_of(group: str) -> Literal["fit", "held"]:
    """Which half a table or database belongs to, the same on every machine and for ever.

    Weights are fitted on ``fit`` alone and figures are told of ``held``.
    """
    return "held" if sha256(group.encode()).digest()[0] & 1 else "fit"


def load_set(
    folder: str | Path,
    *,
    name: str = "",
    file: str = "",
    unpack_to: str | Path | None = None,
    types: Sequence[str] = (),
    half: Half = "",
    ids: Sequence[str] = (),
    n: int | None = None,
    seed: int = 0,
) -> list[Item]:
    """Read a set of questions.

    Args:
        folder: Where ``questions.jsonl`` is, with the tables beside it or in an archive.
        name: The set's form; without it, the folder's name if that is a known set, else plain.
        file: Another file of questions in the folder; ``dk`` stands for ``questions_dk.jsonl``.
        unpack_to: Where archives are unpacked, once; by default ``.wideleaf/eval/tables/NAME``.
        types: Only items one of whose type, subtype and hardness is among these.
        half: Only items of this half, see `half_of`.
        ids: Only items of these names; none for all.
        n: At most so many, drawn at random.
        seed: Of the draw.

    Raises:
        SettingsError: If there is no such folder, file, set or table, or a line is damaged.
    """
    folder = Path(folder)
    reader = reader_of(folder, name)
    path = _questions(folder, file)
    place = Path(unpack_to) if unpack_to else Path(".wideleaf/eval/tables") / folder.resolve().name
    for archive in ARCHIVES:
        if (folder / archive).is_file():
            _unpack(folder / archive, place)
    items = []
    counts: Counter[str] = Counter()
    item_ids: set[str] = set()
    facts: dict[str, Any] = {}
    for number, line in _lines(path):
        try:
            item = reader.read(line)
            own = reader.facts(line) if reader.facts else ()
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise SettingsError(
                f"line {number} of {str(path)!r} is no question of form {reader.name!r} "
                f"({type(error).__name__}: {error}); it needs at least id, question, table, answer"
            ) from None
        if item is None:
            continue
        counts[item.id] += 1
        if counts[item.id] > 1:  # TableBench uses some of its names twice
            item = item._replace(id=f"{item.id}#{counts[item.id]}")
        item_ids.add(item.id)
        if (not ids or item.id in ids) and _wanted(item, types or reader.types, half, reader):
            items.append(item)
            facts[item.id] = own
    if missing := sorted(set(ids) - item_ids):
        raise SettingsError(
            f"no question {missing[0]!r} in {str(path)!r}, which has {len(item_ids)}"
        )
    if n is not None and n < len(items):
        items = random.Random(seed).sample(items, n)
    return [
        item._replace(sources=_graph_of(item, facts[item.id], place))
        if reader.facts
        else item._replace(sources=_found(item.sources, folder, place))
        for item in items
    ]


def reader_of(folder: Path, name: str = "") -> Reader:
    """The reader of a set, by name or by the folder's name.

    Raises:
        SettingsError: If no set has that name.
    """
    readers = {reader.name: reader for reader in READERS}
    if name and name not in readers:
        raise SettingsError(f"no set {name!r}; there are {', '.join(readers)}")
    return readers[name] if name else readers.get(folder.resolve().name, readers["plain"])


def _questions(folder: Path, file: str) -> Path:
    names = [file, f"questions_{file}.jsonl"] if file else [QUESTIONS]
    for name in names:
        if (folder / name).is_file():
            return folder / name
    there = ", ".join(sorted(p.name for p in folder.glob("*.jsonl"))) or "none"
    raise SettingsError(f"no {names[0]!r} in {str(folder)!r}; files of questions there: {there}")


def _lines(path: Path) -> Iterator[tuple[int, Line]]:
    with path.open(encoding="utf-8") as lines:
        for number, text in enumerate(lines, 1):
            if not text.strip():
                continue
            try:
                line = json.loads(text)
            except ValueError as error:
                raise SettingsError(f"line {number} of {str(path)!r} is no JSON: {error}") from None
            yield number, line


def _unpack(archive: Path, place: Path) -> None:
    """Unpack what is not there yet; a file cut off by a crash differs in size and is made again."""
    with zipfile.ZipFile(archive) as packed:
        for entry in packed.infolist():
            target = place / entry.filename
            if entry.is_dir() or (target.is_file() and target.stat().st_size == entry.file_size):
                continue
            packed.extract(entry, place)  # leaves out "..", drives and leading slashes


def _graph_of(item: Item, facts: Any, place: Path) -> tuple[str, ...]:
    """The graph of one question's own facts, as a source."""
    try:
        return (f"{GRAPH}{write_facts(facts, place / 'facts')}",)
    except (TypeError, ValueError) as error:
        raise SettingsError(f"the facts of question {item.id!r} are none: {error}") from None


def _found(sources: tuple[str, ...], folder: Path, place: Path) -> tuple[str, ...]:
    addresses = []
    for source in sources:
        mark = GRAPH if source.startswith(GRAPH) else ""
        name = source.removeprefix(mark)
        inside = [
            root / name
            for root in (folder, place)
            if (root / name).exists() and (root / name).resolve().is_relative_to(root.resolve())
        ]
        if not inside:
            raise SettingsError(f"no table {name!r} in {str(folder)!r} or its archives")
        addresses.append(f"{mark}{inside[0]}")
    return tuple(addresses)


def _wanted(item: Item, types: Sequence[str], half: Half, reader: Reader) -> bool:
    labels = {item.type, item.subtype, item.hardness}
    own = reader.halves.get(item.group) or half_of(item.group)
    return (not types or not labels.isdisjoint(types)) and half in ("", own)
