"""What a description of an earlier answer may name: columns, values and functions of its steps."""

from __future__ import annotations

from wideleaf.agents.conversation.descriptions import Answer
from wideleaf.graph.conversation.record import Record
from wideleaf.tools.plain_data import texts_in


def name_answers(record: Record) -> dict[str, Answer]:
    """What is known of the answers of a conversation, by their labels.

    Args:
        record: The conversation.
    """
    tree, found = record.tree, {}
    for label in {one.label for one in record.exchanges if one.label}:
        steps = [node for node in tree.plan(label) if node.parents]
        texts = [text for node in steps for text in texts_in(node.action.arguments, keys=False)]
        found[label] = Answer(" ".join(map(str, texts)), tree[label].rows)
    return found
