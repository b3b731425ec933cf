"""Nouns of rows: words that say what the rows are, or again what the plan takes of them."""

from __future__ import annotations

from functools import cached_property

from wideleaf.agents.planner.coverage.clauses import FORMS, Clauses
from wideleaf.agents.planner.links.lexicon import Cue
from wideleaf.agents.planner.links.mentions import WHOLE, Mention
from wideleaf.agents.planner.rules.quantities import repeats
from wideleaf.agents.planner.scopes.targets import near_headers
from wideleaf.retrieval.selection import FEW_COLUMNS
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.word_classes import is_light_word, is_operation
from wideleaf.tools.plain_data import texts_in
from wideleaf.tools.tree.call import Call

ROWS_MEANT = 0.57
"""Cosine from which a noun means what a row is called."""
USED_MEANT = 0.38
"""Cosine from which a word means a column that a step speaks of."""
NAMED_UNUSED = 0.5
"""A column that the plan does not use, named so well by a general word, is not passed over."""
MIN_BEGUN = 3
MIN_SHORT = 4
"""Letters of a header's word that may be short for the noun of rows."""
NAMED = 0.6
"""A word that names a column so well is not what a row is called."""


class RowNouns(Clauses):
    """Tells which words that a plan does not use only name its rows."""

    @cached_property
    def bare(self) -> bool:
        """Whether the plan counts all rows: then each word that says which is left out."""
        return self.counts and [step.name for step in self.d.steps] == ["Aggregate"]

    def counted_alone(self, place: int) -> bool:
        """Whether a noun stands behind ``how many`` and nothing else is said of the rows."""
        starts = {cue.end for cue in self.question.cue("count")}
        first = last = place
        while first not in starts and first and self.says(first - 1):
            first -= 1
        while last + 1 < len(self.words) and self.says(last + 1):
            last += 1
        if self.exists(place) or first not in starts:
            return self.exists(place)
        rest = [p for p in range(len(self.words)) if p not in self.covered and self.says(p)]
        whole = self.classes["whole"]
        if last > first and not any(self.words[p] in whole for p in rest):
            return False  # count left footers; but: how many car variants does the table have
        return all(first <= p <= last or self.exists(p) or self.words[p] in whole for p in rest)

    @cached_property
    def _spoken(self) -> frozenset[str]:
        """The columns that the plan's steps speak of."""
        texts = {text for step in self.d.steps for text in texts_in([step.arguments], keys=False)}
        return frozenset(texts & self.d.scope.index.kinds.keys())

    def near_used(self, place: int) -> bool:
        """Whether a word of a small table means what the plan takes: *movie* of the Film title.

        It is nearer to a column that a step speaks of than to any other, or begins one's name.
        """
        index, own = self.d.scope.index, self.question.words[place].stem
        if not self._spoken or not own.isalpha():
            return False
        stems = {stem(w) for c in self._spoken for w in header_words(c)}
        extra = {stem(w) for c in self._spoken for w in header_words(index.table.about.get(c, ""))}
        operation = is_operation(self.words[place])
        if own in stems | extra and not operation:
            return True
        if own == "number" and any("#" in column for column in self._spoken):
            return True  # pick number 150, of Pick #
        # A change, a trend: said of columns, and named by none.
        if len(index.kinds) > FEW_COLUMNS or operation or is_light_word(self.words[place]):
            return False
        begun = (word.startswith(own) for c in self._spoken for word in header_words(c))
        return (len(own) >= MIN_BEGUN and any(begun)) or self._means_used(place)

    def _means_used(self, place: int) -> bool:
        """Whether a word is nearer in meaning to a column of the plan than to any other."""
        if self.question.meanings is None:
            return False
        headers = {c: " ".join(header_words(c)) for c in self.d.scope.index.kinds}
        cosines = self.question.meanings.compare(self.words[place], [*headers.values()])
        near = dict(zip(headers, cosines, strict=True))
        own = max((near[column] for column in self._spoken), default=0.0)
        others = max((v for column, v in near.items() if column not in self._spoken), default=0.0)
        return own >= USED_MEANT and own >= others

    def ranked(self, place: int) -> bool:
        """Whether a noun names the rows that are ranked or counted.

        *The second tallest character*, *the 3 animals with ...*, *more than two animals*: the noun
        right behind a superlative, or behind the number of rows that a step keeps or counts.
        """
        if not place or place in self.known or self.words[place].endswith(FORMS):
            return False
        if any(place in mention.places for mention in self.d.scope.named):
            return False
        ends = {cue.end for cue in self.question.cue("extreme", "mode")}
        if place in ends:
            ordered = any(step.arguments.get("limit") for step in self.d.steps)
            aggregates = ("max extreme", "min extreme", "several")
            measured = any(rule.startswith(aggregates) for rule in self.d.rules)
            return ordered or (measured and self.words[place - 1] in self.classes["dimension"])
        number = next((n for n in self.question.numbers if n.place == place - 1), None)
        if number is None or number.ordinal:
            return False
        limits = [step.arguments.get("limit") for step in self.d.steps]
        counts = [text for step in self.d.steps if step.name == "Filter"
                  for text in texts_in([step.arguments], keys=False)]  # fmt: skip
        return number.value in limits or "count" in counts

    def shares_measure(self, place: int) -> bool:
        """Whether a measure is named of which a share is asked, where the plan counts rows."""
        if not any(rule.startswith("share") for rule in self.d.rules):
            return False
        mentions = [m for m in self.d.scope.named if place in m.places and m.score >= WHOLE]
        return any(self.d.scope.kinds.get(m.column) == "number" for m in mentions)

    def names_rows(self, place: int) -> bool:
        """Whether a noun is what a row is called, or means the same: *dwellings* of homes.

        No name of a column and no cell may have it: *apartments* are homes of one kind.
        """
        if self._row_noun(place):
            return True
        if self._beside_rows(place):
            return True
        if any(place in m.places and m.score >= NAMED for m in self.d.scope.named):
            return False
        meanings = self.question.meanings
        if meanings is None or self.words[place].endswith(FORMS) or place in self.known:
            return False
        if is_operation(self.words[place]) or is_light_word(self.words[place]):
            return False
        word, kinds = self.words[place], self.d.scope.index.kinds
        if max(meanings.compare(word, self._nouns), default=0.0) >= ROWS_MEANT:
            return True
        if len(kinds) > FEW_COLUMNS:
            return False
        return near_headers(self.question, self.d.scope.index, word)

    def counts_another(self, place: int) -> bool:
        """Whether a noun is counted beside one that the rows are called by: kids in all schools."""
        if self.words[place] in self.classes["lines"]:
            return False
        heads = {cue.end for cue in self.question.cue("count")}
        if self.d.scope.index.row_name and any("count" in rule for rule in self.d.rules):
            label = {stem(word) for word in header_words(self.d.scope.label)}
            if self.question.words[place].stem in label and not self._row_noun(place):
                return True  # murders of a table whose rows are states
        if place not in heads or not self.counts or self._row_noun(place):
            return False
        return any(self._row_noun(p) for p in range(place + 1, len(self.words)))

    def names_unused(self, place: int) -> bool:
        """Whether a word is what a column is called of which no step speaks.

        A word for persons or things is one where it names the column by half, as *people* the
        population; any other names a column of numbers outright, which tells no rows apart.
        """
        index, general = self.d.scope.index, self.words[place] in self.classes["generic"]
        return any(
            place in m.places
            and m.column in index.kinds
            and m.column not in index.keys  # participants have a participant id
            and (
                m.score >= NAMED_UNUSED
                if general
                else m.score >= WHOLE
                and index.kinds[m.column] == "number"
                and (not self.counts or repeats(index, m.column))  # as many as rows
                and m.column not in self._spoken
            )
            for m in self.d.scope.named
        )

    def unanswered(self) -> list[int]:
        """Where the question asks for what the plan's answer cannot be.

        Who asks who, or when, is not told a number; how much is no text; and a value that the
        question itself gives is no answer.
        """
        if self.d.scope.index.recurring and (things := self._counted_things()):
            return things
        steps = [step for step in self.d.steps if step.name != "Distinct"]
        asks = self.question.cue("wh")
        if not steps or not asks:
            return []
        last, first, own = steps[-1], asks[0], set(self.d.answers)
        if last.name == "Aggregate" and "mode" not in " ".join(self.d.rules):
            missed = not first.start and self._asks_no_number(first, own)
            return sorted(first.places) if missed else []
        if last.name != "Select":
            return []
        if self._given(last) or (self._asks_when(first) and not any(map(self._timed, own))):
            return sorted(first.places)
        texts = all(self.d.scope.kinds.get(column) == "text" for column in own)
        missed = first.value == "much" and bool(own) and texts
        return sorted(first.places) if missed else []

    def _given(self, last: Call) -> bool:
        """Whether the columns that a step keeps are those whose values the question gives."""
        columns = {
            link.column
            for link in self.d.scope.conditions.links
            if link in self.d.uses and link.op == "==" and not (link.part or link.flags)
        }
        return columns.issuperset(texts_in([last.arguments["columns"]]))

    def _asks_no_number(self, first: Cue, own: set[str]) -> bool:
        """Whether a question that one number answers asks who, when, which or what has it."""
        sources = {column.split(" of ", 1)[-1] for column in own}
        verb = self.words[1:2] in (["has"], ["have"], ["had"])
        if first.value == "who" or (self.words[:1] == ["what"] and verb):
            return True
        index, kinds = self.d.scope.index, {self.d.scope.kinds.get(column) for column in sources}
        if first.end - first.start > 1:
            timely = not kinds <= {"number"} or any(map(index.yearly, sources))
            return first.value == "when" and not timely
        measured = {place for u in self.uses if isinstance(u, Mention) and u.column in sources
                    for place in u.places}  # fmt: skip
        return (
            self.words[first.start] == "which"
            and first.end not in measured
            and self.says_or_covers(first.end)
            and self.words[first.end] not in self.classes["superlative"]
        )

    def _counted_things(self) -> list[int]:
        """Nouns of which rows are counted though a thing has several: hurricanes, observed."""
        if not any("count" in rule.split() for rule in self.d.rules):
            return []
        if any("distinct" in rule for rule in self.d.rules):
            return []
        label = {stem(word) for word in header_words(self.d.scope.label)}
        heads = {cue.end for cue in self.question.cue("count")}
        return [
            place
            for place, word in enumerate(self.question.words)
            if (word.stem in label or place in heads)
            and word.text not in self.classes["lines"] | self.classes["generic"]
            and self.says_or_covers(place)
        ]

    def _asks_when(self, cue: Cue) -> bool:
        """Whether a time is asked for and no column for it is named: when did it open."""
        if cue.value != "when" or cue.start or cue.end - cue.start > 1:
            return False
        helped = self.words[cue.end : cue.end + 1]
        is_list = any(rule in ("list", "list also") for rule in self.d.rules)
        return bool(helped) and helped[0] in self.classes["auxiliary"] and not is_list

    def _timed(self, column: str) -> bool:
        """Whether a column holds times: by its kind, its name or what is said of it."""
        index, scope = self.d.scope.index, self.d.scope
        if scope.kinds.get(column) in ("date", "datetime") or index.yearly(column):
            return True
        text = f"{column} {index.table.about.get(column, '')}"
        times = self.classes["axis"] | {"date", "time", "season", "era", "born"}
        return not times.isdisjoint(header_words(text))

    def says_or_covers(self, place: int) -> bool:
        """Whether a word is one that tells, used or not."""
        return place in self.covered or self.says(place)

    def _beside_rows(self, place: int) -> bool:
        """Whether a noun is joined with what a row is called: *countries and areas*."""
        has_joint = self.words[place - 1 : place] in (["and"], ["or"]) and place > 1
        return bool(has_joint) and self._row_noun(place - 2)

    @cached_property
    def _nouns(self) -> tuple[str, ...]:
        """What a row is called: words of the table's name and of the names of its keys."""
        name = self.d.scope.index.row_name
        called = [
            w
            for w in header_words(name or self.d.scope.label)
            if w.isalpha() and len(w) >= MIN_BEGUN
        ]
        daily = ("day", "date") if self.d.scope.index.daily else ()
        return (*called, *self.d.scope.index.row_nouns, *daily)

    def calls_rows(self, place: int) -> bool:
        """Whether a noun is what a row is called, to the letter: sailors are no ships."""
        return self._row_noun(place) or self._beside_rows(place)

    def _row_noun(self, place: int) -> bool:
        own, nouns = self.question.words[place].stem, {stem(noun) for noun in self._nouns}
        return own in nouns or any(
            len(noun) >= MIN_SHORT and own.startswith(noun)
            for noun in nouns  # dist_name
        )

    def exists(self, place: int) -> bool:
        """Whether a verb only says that something is or takes place."""
        verbs = self.classes["existence"]
        return self.words[place] in verbs or (
            self.words[place] == "place" and self.words[place - 1] in verbs
        )
