"""The reader: a model asked of the texts of a step, each once, as far as a budget reaches."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import JsonValue

from wideleaf.agents.reading.asker import Asker
from wideleaf.agents.reading.batches import (
    BATCH_CHARACTERS,
    batches_of,
)
from wideleaf.agents.reading.budget import Budget
from wideleaf.agents.reading.ranking import Ask, rank_texts
from wideleaf.tools.actions.reading.label import Label
from wideleaf.tools.actions.reading.match import Match
from wideleaf.tools.actions.reading.rank import Rank
from wideleaf.tools.actions.reading.reading import Reading
from wideleaf.tools.actions.reading.summarise import Summarise
from wideleaf.tools.errors import ActionError
from wideleaf.tools.latest import Latest
from wideleaf.tools.verdicts.task import TEXT_CHARACTERS, Task, digest
from wideleaf.tools.verdicts.verdicts import Verdict, Verdicts

if TYPE_CHECKING:
    from wideleaf.retrieval.vectors.embedder import Vectors

    Encode = Callable[[Sequence[str]], Vectors]

FEWEST = 400
"""Of fewer different texts each is read: a cascade would take most of them to learn and prove."""
PROPOSED_OF, PROPOSED_CHARACTERS = 60, 200
"""Texts of which classes are proposed, and so much of each."""


class Forecast(NamedTuple):
    """What a step that reads will take at most.

    Attributes:
        texts: Different texts.
        known: How many of them need not be sent, for they were judged before.
        requests: How many requests, about.
        tokens: How many tokens, about, replies included.
    """

    texts: int
    known: int
    requests: int
    tokens: int


class Pairs(NamedTuple):
    """A text of one side with the texts of the other that may match it.

    Attributes:
        text: What the reader is shown.
        left: The key of the text.
        others: The keys of the candidates, in the order of their numbers.
    """

    text: str
    left: str
    others: tuple[str, ...]


Given = dict[str, Verdict]
Sides = Sequence[Mapping[str, str]]


class Reader:
    """Reads for actions (LOTUS, Patel et al. 2024: semantic operators).

    Args:
        asker: The model that decides.
        encode: Gives vectors of texts, for cascades and for candidates of matches.
        level: What a cascade promises, see `cascade.Cascade`; 1 has the model read every text.
        screener: A small model, whose verdicts a cascade goes by, too.
    """

    def __init__(
        self, asker: Asker, encode: Encode, level: float = 1.0, screener: Asker | None = None
    ) -> None:
        self.asker, self.encode, self.level, self.screener = asker, encode, level, screener
        self._nearest: Latest[dict[str, Pairs]] = Latest(4)
        self._vectors: Latest[Vectors] = Latest(4)  # of 2,000 texts they take half a minute

    def forecast(self, action: Reading, sides: Sides) -> Forecast:
        """What a resolved action will take at most, without a request; a cascade saves of it.

        Args:
            action: The action.
            sides: Its texts, see `Reading.sides`.
        """
        task, texts = action.task, self._texts(action, sides)
        rest = self.asker.unknown(task, texts)
        requests = batches_of(task, rest, self.asker.most)
        tokens = sum(one.tokens for one in requests)
        return Forecast(len(texts), len(texts) - len(rest), len(requests), tokens)

    def read(self, action: Reading, sides: Sides, budget: Budget) -> Reading:
        """Have the texts of a resolved action read, and keep what was said.

        Args:
            action: The action.
            sides: Its texts, see `Reading.sides`.
            budget: What may be spent.

        Returns:
            The action with the hash of its verdicts.

        Raises:
            ActionError: If the model proposes no classes, or no answer is in the form asked for.
            ModelError: If no reply can be had.
        """
        if isinstance(action, Label) and not action.classes:
            action = self._with_classes(action, sides, budget)
        task, texts = action.task, self._texts(action, sides)
        ask = partial(self.asker.ask, budget=budget)
        level: float | None = None
        if isinstance(action, Rank):
            given = rank_texts(action, texts, ask)
        elif isinstance(action, Match):
            given = self._matched(self._pairs(sides), ask(task, texts))
        elif isinstance(action, Summarise):
            given = self._summed_up(task, texts, ask)
        elif action.in_cascade and self.level < 1 and len(texts) >= FEWEST:
            level = self.level
            given = self._in_cascade(task, texts, budget)
        else:
            given = ask(task, texts)
        if given and not any(one.value is not None for one in given.values()):
            raise ActionError(
                f"the model gave none of {len(given)} answers in the form asked for, so nothing is "
                "known of the texts; this says nothing of what they mean",
                kind="no answers",
            )
        verdicts = Verdicts(
            task=task, reader=self.asker.name, level=level, limit=budget.empty, given=given
        )
        return action.model_copy(update={"verdicts": self.asker.shelf.put(verdicts)})

    def _texts(self, action: Reading, sides: Sides) -> Mapping[str, str]:
        """What is asked about, by its key; a text of Match has its candidates beside it."""
        if isinstance(action, Match):
            return {key: one.text for key, one in self._pairs(sides).items()}
        return sides[0]

    def _pairs(self, sides: Sides) -> dict[str, Pairs]:
        """Each text of the left with its candidates, by the key of both."""
        name = digest([[*side] for side in sides])
        if (known := self._nearest.get(name)) is not None:
            return known
        from wideleaf.agents.reading.candidates import find_candidates

        ours, theirs = sides
        names, others, pairs = [*theirs.values()], [*theirs], dict[str, Pairs]()
        nearest = find_candidates([*ours.values()], names, self.encode)
        for (left, text), places in zip(ours.items(), nearest, strict=True):
            shown = {str(number): names[place] for number, place in enumerate(places, 1)}
            item = json.dumps({"text": text, "candidates": shown}, ensure_ascii=False)
            pairs[digest(item)] = Pairs(item, left, tuple(others[place] for place in places))
        return self._nearest.keep(name, pairs)

    def _matched(self, pairs: Mapping[str, Pairs], given: Mapping[str, Verdict]) -> Given:
        """By each text of the left the keys of those on the right that were said to match it."""
        matched: Given = {}
        for key, verdict in given.items():
            one, numbers = pairs[key], verdict.value
            keys: JsonValue = None
            if isinstance(numbers, list):
                keys = [one.others[int(str(number)) - 1] for number in numbers]
            matched[one.left] = verdict.model_copy(update={"value": keys})
        return matched

    def _summed_up(self, task: Task, groups: Mapping[str, str], ask: Ask) -> Given:
        """A summary of each group; of more texts than a request holds, of summaries of parts."""
        open_groups: dict[str, list[str]] = {key: json.loads(text) for key, text in groups.items()}
        done: Given = {}
        while open_groups:
            parts = {key: [json.dumps(one, ensure_ascii=False) for one in _chunks(texts)]
                     for key, texts in open_groups.items()}  # fmt: skip
            items = {digest(text): text for texts in parts.values() for text in texts}
            given = ask(task, items)
            open_groups = {}
            for key, texts in parts.items():
                answers = [given.get(digest(text)) for text in texts]
                if len(answers) == 1 and answers[0] is not None:
                    done[key] = answers[0]
                elif all(answers):
                    open_groups[key] = [str(one.value) for one in answers if one]
        return done

    def _with_classes(self, action: Label, sides: Sides, budget: Budget) -> Label:
        """The action with classes that the model proposes of some of its texts.

        Raises:
            ActionError: If it proposes none.
        """
        texts = [*sides[0].values()]
        some = texts[:: max(1, len(texts) // PROPOSED_OF)][:PROPOSED_OF]
        item = json.dumps([text[:PROPOSED_CHARACTERS] for text in some], ensure_ascii=False)
        given = self.asker.ask(action.proposal, {digest(item): item}, budget)
        classes = next((one.value for one in given.values()), None)
        if not isinstance(classes, list):
            raise ActionError("the model proposed no classes; name some", kind="argument classes")
        return action.model_copy(update={"classes": tuple(map(str, classes))})

    def _encoded(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts, which the next criterion over the same texts needs, too."""
        key = digest([*texts])
        known = self._vectors.get(key)
        return self._vectors.keep(key, self.encode(texts)) if known is None else known

    def _in_cascade(self, task: Task, texts: Mapping[str, str], budget: Budget) -> Given:
        """Verdicts of the model, and of a proxy that learns from them where texts are clear."""
        from wideleaf.agents.reading.cascade import Cascade, features_of

        keys, words = [*texts], [*texts.values()]
        vectors = self._encoded(words)
        wanted = self.encode([f"{task.words} {' '.join(task.classes)}"])[0]
        extra = None
        if self.screener is not None:
            said = self.screener.ask(task, texts, budget)
            extra = [_as_numbers(task, said.get(key)) for key in keys]
        given: Given = {}

        def say(places: Sequence[int]) -> dict[int, Any]:
            given.update(self.asker.ask(task, {keys[p]: texts[keys[p]] for p in places}, budget))
            known = {p: given[keys[p]].value for p in places if keys[p] in given}
            return {place: value for place, value in known.items() if value is not None}

        features = features_of(words, vectors, extra)
        cascade = Cascade(features, vectors @ wanted, say, self.level)
        (cascade.decide_truths if task.kind == "judge" else cascade.decide_classes)()
        for place, (value, sure) in cascade.guessed.items():
            given[keys[place]] = Verdict(value=value, confidence=sure, by="encoder")
        return {key: given[key] for key in keys if key in given}


def _chunks(texts: Sequence[str]) -> list[list[str]]:
    """Texts in as few parts as a request can hold."""
    parts: list[list[str]] = []
    room = 0
    for text in texts:
        short = text[:TEXT_CHARACTERS]
        if not parts or len(short) > room:
            parts.append([])
            room = BATCH_CHARACTERS
        parts[-1].append(short)
        room -= len(short)
    return parts


def _as_numbers(task: Task, verdict: Verdict | None) -> list[float]:
    """What a small model said as numbers that a proxy can learn from."""
    values = task.classes if task.kind == "label" else (True, False)
    sure = 1.0 if verdict is None or verdict.confidence is None else verdict.confidence
    return [sure if verdict and verdict.value == value else 0.0 for value in values]
