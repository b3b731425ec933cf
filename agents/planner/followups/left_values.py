"""Values left behind: "instead of Germany", where the earlier plan is of Germany."""

from __future__ import annotations

from collections.abc import Iterator

from wideleaf.agents.planner.followups.earlier import Earlier, conditions_of
from wideleaf.agents.planner.followups.reading import Message
from wideleaf.agents.planner.links.lexicon import read_words
from wideleaf.agents.planner.links.mentions import Mention


def left_values(message: Message, earlier: Earlier) -> Iterator[Mention]:
    """Words that say which value of the earlier plan another takes the place of.

    Args:
        message: The message.
        earlier: The plan of the answer before.
    """
    values = [read_words(str(value)) for value in _values(earlier)]
    words = message.question.words
    for cue in message.cue("go", "of"):
        for value in values:
            end = cue.end + len(value)
            if value and [w.text for w in words[cue.end : end]] == [w.text for w in value]:
                yield Mention("", cue.start, end, 1.0, frozenset(range(cue.start, end)))


def _values(earlier: Earlier) -> Iterator[object]:
    for _, item in conditions_of(earlier.calls):
        value = item.get("value") if isinstance(item, dict) else None
        yield from value if isinstance(value, list) else [value]
