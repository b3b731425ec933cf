"""Program of Thoughts: a question answered by one program, written with the data in sight.

The baseline Program of Thoughts (Chen et al. 2023) as CRAFTQA runs it (appendix B, table 8). The
data itself goes to the model, so that it is allowed at privacy ``samples`` alone.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from wideleaf.agents.coding.code_blocks import extract_code
from wideleaf.agents.coding.code_lines import defines, parse_code
from wideleaf.agents.coding.programmer import Programmer
from wideleaf.agents.coding.programmer_prompt import tell_tries
from wideleaf.agents.craft_task import CodeInput, CraftTask, request_line
from wideleaf.agents.requests import (
    CHARACTERS,
    json_size,
    length_within,
    lines_within,
    shorten_question,
)
from wideleaf.prompts import render
from wideleaf.tools.errors import ActionError

FUNCTION = "solver"
MAX_ROWS = 2_000
"""No request has room for so many."""


class ThoughtProgrammer(Programmer):
    """A programmer that is shown the tables' cells and writes ``solver()``."""

    def prompt(self, task: CraftTask) -> tuple[str, str]:
        """The system and the human message of one try; rows give way where there is no room.

        Raises:
            PrivacyError: If the level keeps cells in.
        """
        self.gateway.policy.require("values", "the data of the tables")
        task = self.told(task)
        names = ", ".join(f"`{one.parameter}`" for one in task.inputs)
        system = render("pot_system", loaded=f"The data is loaded as {names}, too.")
        fixed = {
            "question": shorten_question(task.question),
            "tries": tell_tries(task.tries),
            "line": request_line(task),
        }
        room = CHARACTERS - json_size(system) - json_size(render("pot", data="", **fixed))
        blocks: list[str] = []
        for place, one in enumerate(task.inputs):
            blocks.append(self._data(task, one, room // (len(task.inputs) - place)))
            room -= json_size(blocks[-1])
        return system, render("pot", data="\n".join(blocks), **fixed)

    def read_reply(self, text: str) -> str:
        """The function of a reply, and the line that calls it.

        Raises:
            ActionError: If it defines none.
        """
        code = extract_code(text, FUNCTION)
        tree = parse_code(code)
        if tree is None or FUNCTION not in defines(tree):
            raise ActionError(
                f"the reply defines no function {FUNCTION}(); write it between [PYTHON] and "
                "[/PYTHON]"
            )
        return f"{code}\n\nresult = {FUNCTION}()"

    def _data(self, task: CraftTask, one: CodeInput, room: int) -> str:
        """A table as CSV, as many of its rows as there is room for."""
        table = self.tables(task.tree[one.label].id)
        rows = table.rows(MAX_ROWS)
        lines = [_line(table.columns), *(_line(row.values()) for row in rows)]
        total = table.count()
        head = f"{one.parameter} ({total} rows)\n"
        budget = room - json_size(head) - json_size(f"(only the first {total} rows are shown)\n")
        count = len(lines_within(lines, budget, json_size))
        if not count:  # the names of the columns alone are more than there is room for
            return f"{head}{lines[0][: length_within(lines[0], max(0, room - json_size(head)))]}"
        cut = "" if count > total else f"(only the first {count - 1} rows are shown)\n"
        return f"{head}{''.join(lines[:count])}{cut}"


def _line(cells: Iterable[object]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()
