"""Approval: a person sees the function that a model wrote, and lets it run or does not."""

from __future__ import annotations

from wideleaf.graph.nodes.crafting_state import Crafting
from wideleaf.graph.nodes.reviews import UnclearError, read_decision, review
from wideleaf.graph.results.markdown import escape, fence
from wideleaf.graph.state import PlainData
from wideleaf.tools.actions.craft import Craft
from wideleaf.tools.telling.calls import code_of
from wideleaf.tools.tree.call import Call

RUN, LEAVE, GOES_ON = "run it", "do not run it", "the run goes on without it"


def approval_value(crafting: Crafting, shown: str, problem: str = "") -> PlainData:
    """The value of the interrupt that asks whether a function may be run.

    Args:
        crafting: What was written.
        shown: Its hash.
        problem: What was wrong with the answer before; empty at first.
    """
    read = code_of(Call(name=Craft.__name__, arguments={"code": crafting.code}))
    asked = f"{crafting.label} wants to run this function (sha256 {shown[:12]}):"
    approve = {"label": crafting.label, "code": crafting.code, "sha256": shown}
    plain = {
        "question": f"{asked}\n\n{read}\n\nMay it be run?",
        "options": [
            {"reading": LEAVE, "result": GOES_ON, "label": ""},
            {"reading": RUN, "result": "in the sandbox", "label": shown},
        ],
        "approve": approve,
        **({"problem": problem} if problem else {}),
    }
    lead = f"**{escape(problem)}**\n\n" if problem else ""
    told = f"{lead}{asked}\n\n{fence(read)}\n\nIt runs in the sandbox."
    shown_code = {**approve, "code": read}  # no hidden sign in it
    return review(plain, "run_function", shown_code, told, ("approve", "reject"))


def read_approval(said: object, code: str) -> tuple[bool, str]:
    """Whether an answer lets the code of a hash run, and else why not.

    Raises:
        UnclearError: If it is neither; a text that is no clear yes is a no.
    """
    if is_approval(said, code):
        return True, ""
    if isinstance(said, dict) and "approve" in said:
        raise UnclearError(f"the function shown is another one, sha256 {code}")
    decision = read_decision(said)
    if decision.kind in ("edit", "respond"):
        raise UnclearError(f"code is approved or rejected as it stands; {decision.kind!r} is none")
    if decision.kind == "approve" or (decision.kind is None and is_approval(decision.text, code)):
        return True, ""
    words = " ".join(decision.text.split())[:300]
    plain_no = words.casefold() in ("1", "no", "n", LEAVE, f"{LEAVE}: {GOES_ON}")
    return False, "" if plain_no else words


def is_approval(said: object, code: str) -> bool:
    """Whether an answer lets the code of a hash run: a yes, its option, or the hash itself."""
    if isinstance(said, dict):
        return said.get("approve") == code
    text = " ".join(str(said).split()).casefold()
    return text in ("2", RUN, f"{RUN}: in the sandbox", "yes", "y", "approve", code)
