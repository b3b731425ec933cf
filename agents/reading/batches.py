"""Batches: several texts in one request to a reader, and verdicts read out of its reply."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.models.ledger import CHARACTERS_A_TOKEN
from wideleaf.agents.models.loose_json import each_object
from wideleaf.prompts import render
from wideleaf.tools.actions.reading.extract import typed
from wideleaf.tools.verdicts.task import TEXT_CHARACTERS, Task, digest
from wideleaf.tools.verdicts.verdicts import Verdict

BATCH_CHARACTERS = 12_000
"""Of the texts of one request; a text that is longer alone has one of its own."""
SUMMARY_CHARACTERS = 4_000
QUOTE_CHARACTERS = 500
ID_DIGITS = 4
REPLY_CHARACTERS = {"summarise": 700, "extract": 80, "match": 24, "classes": 300}
"""What an answer takes by kind, to know the cost before; the others take `SHORT_REPLY`."""
SHORT_REPLY = 22
MAX_CLASSES, CLASS_CHARACTERS = 12, 60
VALUES = {
    "judge": "true or false",
    "label": '"class"',
    "classes": '["class", ...]',
    "extract": '{"name": value, ...}',
    "match": "[numbers]",
    "grade": "grade",
    "compare": "true or false",
    "summarise": '"summary"',
}


class TextRequest(NamedTuple):
    """A request to a reader.

    Attributes:
        task: What is asked.
        texts: The texts by their keys.
    """

    task: Task
    texts: Mapping[str, str]

    @property
    def ids(self) -> dict[str, str]:
        """By the key of each text what the request calls it.

        Nobody who wrote one text can know what another is called: it hangs on all of them.
        """
        salt = digest([self.task.key, *self.texts])
        ids: dict[str, str] = {}
        for place, key in enumerate(self.texts):
            name = digest([salt, place])[:ID_DIGITS]
            while name in ids.values():
                name = digest([salt, name])[:ID_DIGITS]
            ids[key] = name
        return ids

    def prompt(self) -> tuple[str, str]:
        """The system and the human message."""
        task, ids = self.task, self.ids
        answer = f"[{VALUES[task.kind]}, confidence{', quote' * task.quote}]"
        form = form_of(task)
        if task.quote:
            form = f"{form.rstrip('. ')}. Quote the passage that decides, copied letter by letter; "
            form += 'where there is none, give "".'
        lines = [
            as_line({"id": ids[key], "text": _shown(task, text)})
            for key, text in self.texts.items()
        ]
        return render("read", form=form, answer=answer), "\n".join(lines)

    @property
    def tokens(self) -> int:
        """About what it takes, reply included."""
        system, human = self.prompt()
        reply = len(self.texts) * reply_size(self.task)
        return -(-(len(system) + len(human) + reply) // CHARACTERS_A_TOKEN)

    def read(self, reply: str) -> dict[str, Verdict]:
        """The verdicts of a reply by the keys of texts; what is in no right form is not there.

        An id that was not asked for counts for nothing, so no text adds to the rows of others.
        """
        keys = {name: key for key, name in self.ids.items()}
        verdicts: dict[str, Verdict] = {}
        for entries in _objects(reply, keys):
            for name in entries.keys() & keys.keys():
                key = keys[name]
                verdict = read_entry(self.task, self.texts[key], entries[name])
                if verdict is not None:
                    verdicts.setdefault(key, verdict)
        return verdicts


def as_line(value: object) -> str:
    """Plain data as one line of JSON in which every sign is seen: hidden ones stand as escapes."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in text)


def _objects(reply: str, ids: Mapping[str, str]) -> Iterator[dict[str, JsonValue]]:
    """The objects of a reply that have an id, be it within another."""
    for entries in each_object(reply):
        if entries.keys() & ids.keys():
            yield entries
        else:
            yield from (one for one in entries.values() if isinstance(one, dict))


def _shown(task: Task, text: str) -> JsonValue:
    """A text as the request has it; a list of texts stands as one."""
    if task.kind in ("match", "summarise", "classes"):
        shown: JsonValue = json.loads(text)
        return shown
    return text[:TEXT_CHARACTERS]


def form_of(task: Task) -> str:
    """What is asked, in words."""
    about = f", by {task.words}" if task.words else ""
    match task.kind:
        case "label":
            classes = as_line(task.classes)
            return render("read_label", words=about, classes=classes)
        case "classes":
            return render("read_classes", words=about)
        case "summarise":
            of = f" of this: {task.words}" if task.words else ""
            return render("read_summarise", words=of)
        case "extract":
            fields = [
                f"{as_line(one.name)} ({one.kind}){': ' if one.about else ''}{one.about}"
                for one in task.fields
            ]
            return render("read_extract", fields="; ".join(fields))
        case "compare":
            reference = as_line(task.reference[:TEXT_CHARACTERS])
            return render("read_compare", words=task.words, reference=reference)
    return render(f"read_{task.kind}", words=task.words)


def reply_size(task: Task) -> int:
    """Characters that one answer takes, about."""
    quote = 100 if task.quote else 0
    fields = len(task.fields) * 20
    return REPLY_CHARACTERS.get(task.kind, SHORT_REPLY) + quote + fields


def batches_of(task: Task, texts: Mapping[str, str], most: int) -> list[TextRequest]:
    """Texts in as few requests as hold them.

    Args:
        task: What is asked.
        texts: By their keys.
        most: Texts of one request.
    """
    batches: list[dict[str, str]] = []
    room = 0
    for key, text in texts.items():
        size = min(len(text), TEXT_CHARACTERS) if task.kind != "summarise" else len(text)
        if not batches or size > room or len(batches[-1]) >= most:
            batches.append({})
            room = BATCH_CHARACTERS
        batches[-1][key] = text
        room -= size
    return [TextRequest(task, batch) for batch in batches]


def read_entry(task: Task, text: str, entry: JsonValue) -> Verdict | None:
    """One answer; None if it is not in the form that was asked for.

    Args:
        task: What was asked.
        text: The text that it is about.
        entry: What the reply has: the value, or a list of value, confidence and quote.
    """
    parts: Sequence[JsonValue] = entry if _is_listed(task, entry) else [entry]  # type: ignore[assignment]
    value = _READERS[task.kind](task, text, parts[0] if parts else None)
    if value is None:
        return None
    confidence = next(iter(parts[1:2]), None)
    sure = isinstance(confidence, int | float) and not isinstance(confidence, bool)
    fits = sure and 0 <= float(confidence) <= 1  # type: ignore[arg-type]
    quote = next((one for one in parts[2:3] if isinstance(one, str)), "") if task.quote else ""
    return Verdict(
        value=value,
        confidence=float(confidence) if fits else None,  # type: ignore[arg-type]
        quote=_found(quote, text),
    )


def _is_listed(task: Task, entry: JsonValue) -> bool:
    if not isinstance(entry, list):
        return False
    return task.kind not in ("match", "classes") or bool(entry and isinstance(entry[0], list))


def _found(quote: str, text: str) -> str:
    """A quote if it stands in the text, whatever blanks are in it; else nothing."""
    words = " ".join(quote.split())[:QUOTE_CHARACTERS]
    return words if words in " ".join(text.split()) else ""


def _truth(task: Task, text: str, value: JsonValue) -> JsonValue:
    if isinstance(value, str) and value.strip().casefold() in ("true", "false"):
        return value.strip().casefold() == "true"
    return value if isinstance(value, bool) else None


def _class(task: Task, text: str, value: JsonValue) -> JsonValue:
    folded = {one.casefold(): one for one in task.classes}
    return folded.get(value.strip().casefold()) if isinstance(value, str) else None


def _classes(task: Task, text: str, value: JsonValue) -> JsonValue:
    names = value if isinstance(value, list) else []
    texts = [" ".join(one.split())[:CLASS_CHARACTERS] for one in names if isinstance(one, str)]
    different: list[JsonValue] = [*dict.fromkeys(filter(None, texts))]
    return different[:MAX_CLASSES] or None


def _fields(task: Task, text: str, value: JsonValue) -> JsonValue:
    if not isinstance(value, dict):
        return None
    cells = {field.name: typed(value.get(field.name), field) for field in task.fields}
    given = {name: one for name, one in value.items() if one not in (None, "") and name in cells}
    if (value and not value.keys() & cells.keys()) or any(cells[name] is None for name in given):
        return None  # "35 EUR" for a number is not what the text does not state
    return {
        name: cell.isoformat() if hasattr(cell, "isoformat") else cell
        for name, cell in cells.items()
    }


def _numbers(task: Task, text: str, value: JsonValue) -> JsonValue:
    candidates = json.loads(text)["candidates"]
    values = value if isinstance(value, list) else [value]
    if any(str(one) not in candidates for one in values):
        return None
    return [str(one) for one in values]


def _grade(task: Task, text: str, value: JsonValue) -> JsonValue:
    fits = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 100
    return value if fits else None


def _summary(task: Task, text: str, value: JsonValue) -> JsonValue:
    words = value.strip()[:SUMMARY_CHARACTERS] if isinstance(value, str) else ""
    return words or None


_READERS = {
    "judge": _truth,
    "compare": _truth,
    "label": _class,
    "classes": _classes,
    "extract": _fields,
    "match": _numbers,
    "grade": _grade,
    "summarise": _summary,
}
