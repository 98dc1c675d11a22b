"""A test of a text, alone or combined, and what an explanation says of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from world.core.yaml_document import Place
from world.grading.operators import join_phrases
from world.grading.reasons.clause import Detail, How, Phrase, say
from world.grading.reasons.excerpt import find_holding, quote
from world.grading.reasons.value_phrases import tell_both
from world.grading.scope import Scope
from world.grading.tables import Row
from world.grading.text import Text

Test = Callable[[Text, Row, Scope], bool]


@dataclass(frozen=True)
class TextPredicate:
    """A test of a text; the row is given for predicates that need the untouched cell.

    `words`: words that must be there, where that is all it asks for. `forbids`: the parts of it that must not be there.
    `bounds`: it is about the whole text, whether or not its author stands by it. `quotes`: it asks for words of others.
    `show`: renders what is there instead, where that is not a sentence. `parts`: the parts of a combined one. `place`:
    its place in the rubric.
    """

    test: Test
    phrase: Phrase
    words: Text | None = None
    forbids: tuple["TextPredicate", ...] = ()
    bounds: bool = False
    quotes: bool = False
    show: Callable[[Text, Row, Scope], str] | None = None
    how: How = ""
    parts: tuple["TextPredicate", ...] = ()
    place: Place = ()

    @cached_property
    def text(self) -> str:
        """The predicate in the rubric's own words."""
        return self.phrase(say)


def show_near(has_one: Callable[[Text], bool]) -> Callable[[Text, Row, Scope], str]:
    """Shows the first sentence with a value of a kind."""
    return lambda text, _row, _s: quote(find_holding(text, has_one) or text.plain)


def tell_detail(part: TextPredicate, wanted: bool, name: str, text: Text, row: Row, s: Scope) -> Detail:
    """Describe what a predicate of a text asks for, and what the text has instead."""
    told = tell_both(part, name, part.phrase, wanted, s)
    return Detail(part.place, *told, _describe_found(part, wanted, text, row, s))


def _describe_found(part: TextPredicate, wanted: bool, text: Text, row: Row, s: Scope) -> str:
    if not wanted or (not part.bounds and part.test(text, row, s)):
        said = quote(find_holding(text, lambda one: part.test(one, row, s)) or text.plain)
        return f"{said} (denied or taken back)" if wanted else said
    return quote(text.plain) if part.show is None else part.show(text, row, s)


def join_predicates(how: How, parts: Sequence[TextPredicate]) -> Phrase:
    """The words of combined predicates."""
    must = "must " if how == "none_of" else ""
    return lambda tell: must + join_phrases(how, [part.phrase(tell) for part in parts])


def group_predicates(group: Sequence[TextPredicate], place: Place) -> TextPredicate:
    """The predicates of one mapping as one."""
    if len(group) == 1:
        return group[0]
    return TextPredicate(
        all_hold(group), join_predicates("all_of", group), how="all_of", parts=tuple(group), place=place
    )


def find_begins(groups: Sequence[Sequence[TextPredicate]]) -> frozenset[str] | None:
    """The first words of alternatives that are all plain phrases; a text with none of them needs no further look."""
    phrases = [group[0].words for group in groups if len(group) == 1]
    found = [phrase.words[0] for phrase in phrases if phrase is not None and phrase.words]
    return frozenset(found) if len(found) == len(groups) else None


def all_hold(group: Sequence[TextPredicate]) -> Test:
    """A test that holds where all of a mapping's predicates do; every one of them is asked."""
    if len(group) == 1:
        return group[0].test
    return lambda text, row, s: all([part.test(text, row, s) for part in group])
