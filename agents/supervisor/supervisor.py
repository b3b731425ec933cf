"""The supervisor: shows a model the question and the tree, and reads its next move."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from wideleaf.agents.conversation.telling import tell_past
from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.requests import (
    CHARACTERS,
    json_size,
    length_within,
    named_values,
    shorten_question,
)
from wideleaf.agents.supervisor.toolbox import (
    CRAFT,
    OPEN,
    find_misfits,
    hides_columns,
    more_actions,
    tools_for,
)
from wideleaf.agents.turn import Reply, View
from wideleaf.prompts import render
from wideleaf.tools.privacy import Level
from wideleaf.tools.steps.semantics import Profile
from wideleaf.tools.telling.outline import CHARACTERS as OUTLINE_CHARACTERS
from wideleaf.tools.telling.outline import outline
from wideleaf.tools.telling.schema import Schema
from wideleaf.tools.words import cut, one_line

SIGHT: dict[Level, str] = {
    "schema": "sight_schema",
    "statistics": "sight_statistics",
    "samples": "sight_samples",
}
NOTES_CHARACTERS = 400
MIN_NOTE = 40
NAMES_CHARACTERS = 300
PROSE_CHARACTERS = 200
"""So much is said of the names of the values that a question wants."""
SHORT_REQUEST = 14_000
"""A first request that is no longer with it has a worked example."""
MIN_OUTLINE, MIN_COLUMNS = 240, 160
MORE = "(more is left out for want of room)"
SHORT = f"{OPEN} had no room for all that was asked for; ask for these again, fewer at a time:"
OPENINGS = 3
"""So often in one turn a model may ask for further actions before it acts."""


class Supervisor:
    """A thinker with a model (TSO, section 3.4).

    The request is made anew from the tree in each turn, never from a growing chat, so its size
    is bounded however long the run.

    Args:
        gateway: The door to the model; it knows the privacy level.
        interactive: Whether a person can be asked back; else the model is not told of `Ask`.
        profile: What actions mean; a model is told where it is not the standard.
        prose: Gives the columns of texts that a model may be asked to read, each as
            ``table.column``; none where no model reads.
        crafts: Whether a function may be written where no action fits; else a model is not told
            of `Craft`, and a call of it that it makes up all the same is refused.
    """

    def __init__(
        self,
        gateway: Gateway,
        *,
        interactive: bool = True,
        profile: Profile = "standard",
        crafts: bool = True,
        prose: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self.gateway = gateway
        self.prose = prose
        self.interactive = interactive
        self.profile = profile
        self.crafts = crafts

    def think(self, view: View) -> Reply:
        """Ask the model once for the next calls.

        Where it only wants to see further actions, the reply says that it is to be asked again in
        the same turn. A call of an action that was not described is taken if its arguments fit;
        else the action is described as if `More` had asked for it, with a word on what did not
        fit. What was opened stays open for the run, in the reply's memory; what was asked for and
        has no room in the request that follows is named in a note of it.
        """
        memory, opening = view.memory, _count_openings(view)
        extras, new = _list_names(memory.get("opened")), _list_names(memory.get("asked"))
        told, may_open = _list_names(memory.get("told")), opening + 1 < OPENINGS
        view = view.model_copy(update={"notes": (*view.notes, *told)})
        tools = self._tools(view, extras)
        described = {tool["function"]["name"] for tool in tools}
        described |= set() if self.crafts else {CRAFT}
        reply = self.gateway.ask(*self.prompt(_with_word(view, new, described), tools), tools)
        requests = [call for call in reply.calls if call.name.casefold() == OPEN.casefold()]
        calls = tuple(call for call in reply.calls if call not in requests)
        misfits = find_misfits(calls, described)
        if len(misfits) == len(calls) and may_open:
            calls, told = (), [*told, *misfits.values()]  # shown how, the model calls them again
        names = {name for call in requests for name in more_actions(call.arguments)}
        new = sorted((names | misfits.keys()) - described)
        extras = [name for name in extras if name not in new] + new
        kept: dict[str, object] = {"opened": extras, "asked": new, "turns": memory.get("turns")}
        if new and not calls and may_open:
            kept |= {"told": told, "openings": opening + 1}
            return reply.model_copy(
                update={"calls": (), "problem": "", "memory": _without_empty(kept), "again": True}
            )
        problem = reply.problem
        if requests and not calls:
            reason = f"was called {OPENINGS} times in a turn" if new else "opened nothing new"
            problem = f"{OPEN} {reason}; call one of the actions that are described"
        turns = [place for place in _turns(view) if place < len(view.tree.nodes)][-1:]
        kept["turns"] = [*turns, len(view.tree.nodes)]
        fields = {"calls": calls, "problem": problem, "memory": _without_empty(kept)}
        return reply.model_copy(update={**fields, "steers": True})

    def prompt(self, view: View, tools: Sequence[Schema] | None = None) -> tuple[str, str]:
        """Render the system and the human message of one turn.

        Columns and outline take the room that the rest leaves, so that no request is longer
        than `CHARACTERS`.

        Args:
            view: What is to be shown.
            tools: What will be sent with it; by default what the question and the tree call for.
        """
        if tools is None:
            tools = self._tools(view)
        system = self._system(view)
        if len(view.tree.leaves) == len(view.tree.nodes):  # later its own steps are an example
            system = self._with_example(system, view, tools)
        size = json_size(system) + json_size(self.gateway.form_of(tools))
        columns, tree = json_size(view.columns), OUTLINE_CHARACTERS
        while True:
            human = _human(view, columns, tree)
            over = size + json_size(human) - CHARACTERS
            if over <= 0 or (columns <= MIN_COLUMNS and tree <= MIN_OUTLINE):
                return system, human
            # The longer of the two gives way first: neither may crowd out the other.
            if columns > tree or tree <= MIN_OUTLINE:
                columns = max(MIN_COLUMNS, columns - min(over, 200))
            else:
                tree = max(MIN_OUTLINE, tree - min(over, 200))

    def _with_example(self, system: str, view: View, tools: Sequence[Schema]) -> str:
        """The system message, in a short request with three calls that answer a question."""
        longer = f"{system}\n\n{render('worked_example')}"
        human = _human(view, json_size(view.columns), OUTLINE_CHARACTERS)
        size = json_size(longer) + json_size(human) + json_size(self.gateway.form_of(tools))
        return longer if size <= SHORT_REQUEST else system

    def _system(self, view: View) -> str:
        prose = self.prose()
        templates = (SIGHT[self.gateway.policy.level], f"profile_{self.profile}")
        return render(
            "supervisor",
            sight=" ".join(map(render, templates)),
            finds=f" {render('finds')}" if hides_columns(view.tree, view.columns) else "",
            readings=render("readings_asked" if self.interactive else "readings_taken"),
            columns=_request_columns(view),
            talks=f"\n- {render('conversation')}" if view.past else "",
            draws=f"\n- {render('chart')}" if view.drawn else "",
            reads=f"- {render('prose', columns=cut(prose, PROSE_CHARACTERS))}\n" if prose else "",
        )

    def _tools(self, view: View, extras: Sequence[str] = ()) -> list[Schema]:
        """What the question and the tree call for; what the request leaves free is for tools."""
        tools = self._told(view, extras)
        human = _human(view, json_size(view.columns), OUTLINE_CHARACTERS)
        size = json_size(self._system(view)) + json_size(human)
        spare = CHARACTERS - size - json_size(self.gateway.form_of(tools))
        return self._told(view, extras, spare) if spare > 0 else tools

    def _told(self, view: View, extras: Sequence[str], spare: int = 0) -> list[Schema]:
        return tools_for(
            view.question,
            view.tree,
            [*extras, *(["Chart"] if view.drawn else [])],
            asks=self.interactive,
            columns=view.columns,
            crafts=self.crafts,
            reads=bool(self.prose()),
            talks=bool(view.past),
            spare=spare,
        )


def _with_word(view: View, names: Sequence[str], described: Collection[str]) -> View:
    """The view with a note of what `More` was asked for and has no room, if there is any."""
    rest = [name for name in names if name not in described]
    if not rest:
        return view
    room = NOTES_CHARACTERS // (2 if view.notes else 1)
    word = one_line(f"{SHORT} {', '.join(rest)}", room)
    return view.model_copy(update={"notes": (*view.notes, word)})


def _list_names(entry: object) -> list[str]:
    return [str(name) for name in _ensure_list(entry)]


def _count_openings(view: View) -> int:
    """How often in this turn the model has asked to see further actions."""
    count = view.memory.get("openings", 0)
    return count if isinstance(count, int) else 0


def _without_empty(memory: Mapping[str, object]) -> dict[str, object]:
    return {name: entry for name, entry in memory.items() if entry}


def _turns(view: View) -> list[int]:
    """How many nodes there were when the model was asked, in the last turns that made some."""
    return [place for place in _ensure_list(view.memory.get("turns")) if isinstance(place, int)]


def _since(view: View) -> int | None:
    """How many nodes there were before the latest turn that made some; None if unknown."""
    return max((place for place in _turns(view) if place < len(view.tree.nodes)), default=None)


def _request_columns(view: View) -> str:
    """How an answer is to look whose columns are named; empty where they may have any name."""
    columns = view.wanted or named_values(view.question)
    if not columns:
        return ""
    names = one_line(", ".join(f"`{name}`" for name in columns), NAMES_CHARACTERS)
    return f"\n- {render('columns' if view.wanted else 'report', names=names)}"


def _notes(notes: Sequence[str]) -> str:
    """The notes, the newest first where there is no room for all."""
    lines: list[str] = []
    room = NOTES_CHARACTERS
    for note in reversed(notes):
        line = one_line(note, room)
        line = line[: length_within(line, room)]
        room -= json_size(line)
        lines.append(f"\nNote: {line}")
        if room < MIN_NOTE:
            break
    return "".join(reversed(lines))


def _human(view: View, columns: int, tree: int) -> str:
    notes = _notes(view.notes)
    return render(
        "turn",
        past=tell_past(view.past),
        question=shorten_question(_question(view)),
        columns=_lines(view.columns, columns),
        tree=outline(view.tree, tree, _since(view)),
        notes=f"{notes}\n" if notes else "",
        next_label=view.next_label,
        step=str(view.step),
        max_steps=str(view.max_steps),
    )


def _question(view: View) -> str:
    """What is asked; of a conversation the words that want a chart stand in no question."""
    if not view.drawn or view.drawn == view.question:
        return view.question
    return f"{view.question} (as a chart: {view.drawn!r})"


def _lines(text: str, characters: int) -> str:
    """As many lines as there is room for; columns, which are indented, give way first."""
    if json_size(text) <= characters:
        return text
    lines = text.split("\n")
    room = characters - len(MORE) - 1
    over = json_size(text) - room
    for place in [n for n, line in reversed([*enumerate(lines)]) if line.startswith(" ")]:
        if over <= 0:
            break
        over -= json_size(lines.pop(place))
    rest = "\n".join(lines)
    return f"{rest[: length_within(rest, room)]}\n{MORE}"


def _ensure_list(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else []
