"""The describer: has a model describe columns, groups and tables, few requests for very many."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from wideleaf.agents.describing.cache import CacheEntry, DescriptionCache
from wideleaf.agents.describing.checks import wrong_with
from wideleaf.agents.describing.entries import Subject, card_subjects, group_subjects
from wideleaf.agents.describing.reply_lines import read_reply_lines
from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.turn import Usage
from wideleaf.prompts import render
from wideleaf.retrieval.cards.cards import Card
from wideleaf.tools.dictionary.corrections import bound_text
from wideleaf.tools.tables.profiling.column_profile import ColumnProfile
from wideleaf.tools.words import one_line

CHARACTERS = 15_900
"""No request is longer: 4,000 tokens at 4 characters each, and some to spare."""
BATCH = 25
"""More entries than this make a reply that is long enough to be cut off."""
USELESS = 2
"""After so many batches in a row of which nothing could be read, no further one is sent."""

BatchProgress = Callable[[int, int], None]


class Descriptions(NamedTuple):
    """What a describer made.

    Attributes:
        texts: Descriptions by reference; what none was taken for is missing.
        refused: Why none was taken, by reference.
        asked: How many were asked for now.
        reused: How many were kept from before.
        usage: What it took.
        stopped: Why the rest was not asked for; empty if all was.
    """

    texts: dict[str, str]
    refused: dict[str, str]
    asked: int = 0
    reused: int = 0
    usage: Usage = Usage()
    stopped: str = ""


class Describer:
    """Asks a model for descriptions, in batches; each batch is kept before the next is sent.

    Args:
        gateway: The door to the model; its policy decides what is shown.
        cache: Where descriptions are kept.
        enough: Told what was spent so far; says why to stop, if so.
    """

    def __init__(
        self,
        gateway: Gateway,
        cache: DescriptionCache,
        enough: Callable[[Usage], str] | None = None,
    ) -> None:
        self.gateway = gateway
        self.cache = cache
        self.usage = self._spent = Usage()
        self._enough = enough or (lambda _: "")

    def cards(
        self,
        cards: Sequence[Card],
        table: str,
        kinds: Mapping[str, str],
        profiles: Mapping[str, ColumnProfile] | None = None,
        progress: BatchProgress | None = None,
    ) -> Descriptions:
        """Describe columns and families (TSO, Algorithm 1, line 4); one entry a family.

        What the user described is not asked for.

        Args:
            cards: The table's cards.
            table: The table's name.
            kinds: Kinds of its columns.
            profiles: Profiles of its columns; used as far as the privacy level allows.
            progress: Told how many entries are done, of how many.

        Raises:
            ModelError: If no reply can be had; what was described until then is kept.
        """
        subjects = card_subjects(cards, table, kinds, profiles or {}, self.gateway.policy)
        return self._describe(subjects, table, progress)

    def groups(
        self,
        groups: Sequence[tuple[str, Sequence[str]]],
        table: str,
        word: str = "group",
        progress: BatchProgress | None = None,
    ) -> Descriptions:
        """Describe groups, or tables, from the texts of their members (lines 9 and 12).

        Args:
            groups: Pairs of a reference and its members' texts.
            table: The table's name.
            word: What they are called.
            progress: Told how many are done, of how many.

        Raises:
            ModelError: If no reply can be had.
        """
        return self._describe(group_subjects(groups, table, word), table, progress)

    def prompt(
        self, subjects: Sequence[Subject], table: str, wrong: Mapping[str, str]
    ) -> tuple[str, str]:
        """The system and the human message of one request.

        Args:
            subjects: What is asked for.
            table: The table's name.
            wrong: What was wrong with the last description, by reference.
        """
        lines = [f"Table {json.dumps(one_line(table, 120), ensure_ascii=False)}", ""]
        for number, subject in enumerate(subjects, 1):
            lines.append(f"{number}. {subject.line}")
            if subject.reference in wrong:
                lines.append(f"   Your last description was not taken: {wrong[subject.reference]}.")
        return render("describe"), "\n".join(lines)

    def _describe(
        self, subjects: Sequence[Subject], table: str, progress: BatchProgress | None
    ) -> Descriptions:
        keys = {subject.reference: self._key(subject, table) for subject in subjects}
        level, kept = self.gateway.policy.level, self.cache.entries
        entries = {
            one.reference: entry
            for one in subjects
            if (entry := kept.get((one.of, level))) and entry.key == keys[one.reference]
        }
        todo = [subject for subject in subjects if subject.reference not in entries]
        count, useless, stopped, self._spent = len(entries), 0, "", Usage()
        if progress:
            progress(count, len(subjects))
        fresh_count = 0
        for batch in self._batches(todo, table):
            if stopped := self._enough(self.usage):
                break
            replies = self._ask(batch, table)
            useless = 0 if replies else useless + 1
            new = {
                one.reference: CacheEntry(
                    key=keys[one.reference],
                    of=one.of,
                    level=level,
                    text=replies[one.reference][0],
                    why=replies[one.reference][1],
                )
                for one in batch
                if one.reference in replies
            }
            self.cache.put(list(new.values()))
            entries |= new
            fresh_count += len(batch)
            count += len(batch)
            if progress:
                progress(count, len(subjects))
            if useless == USELESS:
                stopped = (
                    f"nothing could be read in {USELESS} replies of the model one after another"
                )
                break
        return Descriptions(
            texts={reference: one.text for reference, one in entries.items() if one.text},
            refused={reference: one.why for reference, one in entries.items() if not one.text},
            asked=fresh_count,
            reused=len(subjects) - len(todo),
            usage=self._spent,
            stopped=stopped,
        )

    def _key(self, subject: Subject, table: str) -> str:
        """A hash of all that decides the description: what is shown, to whom, under what level."""
        policy, text = self.gateway.policy, render("describe")
        parts = [self.gateway.model_name, policy.level, text, table, subject.line]
        return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).hexdigest()

    def _batches(self, subjects: Sequence[Subject], table: str) -> Iterator[list[Subject]]:
        batch: list[Subject] = []
        for subject in subjects:
            if batch and (len(batch) == BATCH or self._size([*batch, subject], table) > CHARACTERS):
                yield batch
                batch = []
            batch.append(subject)
        if batch:
            yield batch

    def _size(self, batch: Sequence[Subject], table: str) -> int:
        # With room for what a second request says was wrong.
        wrong = {subject.reference: "x" * 120 for subject in batch}
        return sum(
            len(json.dumps(text, ensure_ascii=False)) for text in self.prompt(batch, table, wrong)
        )

    def _ask(self, batch: Sequence[Subject], table: str) -> dict[str, tuple[str, str]]:
        """Text and fault of each, after a second request for those that were not taken.

        Nothing at all where no reply could be read: that is no word about the columns.
        """
        texts, readable = self._reply(batch, table, {})
        wrong = _faults(batch, texts)
        rest = [subject for subject in batch if subject.reference in wrong]
        if rest:
            again, legible = self._reply(rest, table, wrong)
            readable = readable or legible
            texts |= {reference: text for reference, text in again.items() if text}
            wrong = _faults(batch, texts)
        if not readable:
            return {}
        return {
            one.reference: ("", wrong[one.reference])
            if one.reference in wrong
            else (texts[one.reference], "")
            for one in batch
        }

    def _reply(
        self, batch: Sequence[Subject], table: str, wrong: Mapping[str, str]
    ) -> tuple[dict[str, str], bool]:
        """Descriptions by reference, and whether anything could be read."""
        reply = self.gateway.ask(*self.prompt(batch, table, wrong))
        self.usage += reply.usage
        self._spent += reply.usage
        if reply.problem and len(batch) > 1 and re.search(r"cut off|broke off", reply.problem):
            half = len(batch) // 2
            first, one = self._reply(batch[:half], table, wrong)
            second, other = self._reply(batch[half:], table, wrong)
            return first | second, one or other
        texts = read_reply_lines(reply.thought, len(batch))
        return {batch[number - 1].reference: text for number, text in texts.items()}, bool(texts)


def _faults(batch: Sequence[Subject], texts: Mapping[str, str]) -> dict[str, str]:
    wrong = {}
    for subject in batch:
        text = texts.get(subject.reference, "")
        fault = wrong_with(text, subject.told, subject.card) if text else "none came"
        if fault:
            wrong[subject.reference] = bound_text(fault)
    return wrong
