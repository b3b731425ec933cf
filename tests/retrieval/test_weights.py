"""Constants between 0 and 1 stand in one table a folder, with the values that the code has."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import wideleaf.agents
import wideleaf.retrieval

ROOT = Path(__file__).parents[2]
LINE = re.compile(r"^\| `[\w.]*?(\w+)` \| ([\d.e-]+) \| (.+) \| (.+), \d{4}-\d\d-\d\d \|$", re.M)


def constants(folder: Path) -> Iterator[tuple[str, float]]:
    """The named numbers between 0 and 1 at the top of a folder's modules."""
    for path in folder.rglob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            targets = node.targets if isinstance(node, ast.Assign) else []
            if isinstance(node, ast.AnnAssign):
                targets = [node.target]
            for target in targets:
                value = node.value
                pairs = [(target, value)]
                if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                    pairs = list(zip(target.elts, value.elts, strict=True))
                for name, held in pairs:
                    number = held.value if isinstance(held, ast.Constant) else None
                    if isinstance(number, float) and 0 < number < 1:
                        yield name.id, number


@pytest.mark.parametrize(
    ("package", "document", "least"),
    [
        (wideleaf.retrieval, "retrieval/weights.md", 30),
        (wideleaf.agents, "agents/planner/bounds.md", 30),
    ],
)
def test_every_weight_is_told_once_with_its_value(package, document, least):
    told = LINE.findall((ROOT / document).read_text("utf-8"))
    there = sorted(constants(Path(package.__file__).parent))
    assert sorted((name, float(value)) for name, value, _, _ in told) == there
    assert len(there) > least
    assert all(meaning.strip() and chosen.strip() for _, _, meaning, chosen in told)
