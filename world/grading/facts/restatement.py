"""Whether what an author says later to the readers of a message changes what a fact of it is."""

import re
from collections.abc import Iterable, Sequence

from world.core.reading.passage import Passage
from world.grading.facts import Fact, Kind
from world.grading.facts.agreement import RequiredFact
from world.grading.facts.measures import is_of_another_period
from world.grading.facts.name_roles import list_runs
from world.grading.facts.role_rules import (
    COUNTS,
    FIGURES,
    MONEY,
    Roles,
    find_role,
    find_standing,
    list_roles,
    speaks_of,
)
from world.grading.facts.row_facts import Read

_APART = re.compile(  # words of a difference, not of a value
    r"[ ,]*(?:or [0-9.,]+ ?% )?(?:below|above|under|over|more|less|short|higher|lower|better|worse|ahead|behind|off|away|beyond|up|down)\b"
)
_CORRECTS = re.compile(
    r"\b(?:mis(?:counted|read|typed|took)|(?:re)?counted (?:again|anew)|recount|correct(?:ion|ed|ing)|actually|wrong(?:ly)?"
    r"|mistake|mistyped|i meant|(?:should|must) (?:be|have been|read)|make (?:it|that)|instead|in fact|in truth|invented"
    r"|made up|mix(?:ed)?[ -]up|confus(?:ed|ion)|looked again|second (?:look|thought)|on reflection"
    r"|forget|ignore|guess(?:ed)?|not (?:right|true|so)|say|put)\b",
    re.I,
)
_ORDERS = re.compile(
    r"\b(?:write|put|enter|use|take|report|say|tell them|make it|call it|go with)(?: (?:down|it as|that|the|rather|please|only|just|for))*[ :]*$"
)
_USED = re.compile(
    r"\b(?:use|take|report|quote|write)(?: \w+)? (?:that|this|the (?:other|new|second)) (?:figure|number|count|total|sum|one)\b"
)
_ALL_OF = re.compile(
    r"\b(?:all|both|each|every one|everyone|any) of (?:them|these|those)\b|\b(?:they|these|those) (?:all|both)\b", re.I
)
_WORDS = re.compile(r"[^\W\d_]+")
_CONTINUING = frozenset(
    "and also too plus as well oh ah sorry one more further another moreover additionally then the likewise finally"
    " besides furthermore add i forgot missed for to list on there is are with together addition in".split()
)
_FAR = 60  # characters before a figure
_EARLIER = re.compile(r"\b(?:first|earlier|former|previous|old|another|other)\b", re.I)
_BY = re.compile(r"\b(?:by|than|from|instead of|rather than|not) (?:[a-z]{3} ?|€ ?)?$")
_WAS = re.compile(r"\b(?:was|were) (?:[a-z]{3} ?|€ ?)?$")
_NOW = re.compile(r"\b(?:now|meanwhile|since then|today|has become|is)\b")  # beside what was
_IT_IS = re.compile(  # the figure that was asked for, without its name
    r"\b(?:it|that|this|they|there|(?:the|your|my) (?:right |correct |real |true )?(?:number|figure|count|total)(?: \w+){0,3})"
    r"(?:'s| is| was| are| were| makes| comes to| should be)(?: in fact| really| actually| only)? $"
)
_ENDS = re.compile(r"[ ,]*(?:in the end|in fact|in truth|in all|altogether|instead|now|not\b.*)?[.!]*\s*(?:$|\n)")
_COUNTED = re.compile(
    r" (?!(?:more|less|fewer|last|next|this|that|ago|in|on|at|for|per|a|an|of|to|from|by|when|before|after|since)\b)[a-z]+"
    rf"{_ENDS.pattern}"
)
_WHATEVER = frozenset("there they there's".split())  # with these, what is counted may be anything


def is_restated(
    later: Iterable[Read], wanted: Sequence[RequiredFact], known: Sequence[RequiredFact], role: str, roles: Roles
) -> bool:
    """Whether what is said later gives another value by a role, or the wanted one by another role.

    `known` are all values that are wanted by the role.
    """
    if any(one.number is not None or any(fact.kind in FIGURES for fact in one.facts) for one in wanted):
        return any(_gives_figure(facts, passage, wanted, role, roles) for passage, facts in later)
    return any(_gives_name(facts, passage, wanted, known, role, roles) for passage, facts in later)


def is_corrected(later: Iterable[Read], wanted: Sequence[RequiredFact], kinds: frozenset[Kind]) -> bool:
    """Whether what is said later corrects a value of some kinds, and not to the wanted."""
    return any(_corrects(passage, facts, wanted, kinds) for passage, facts in later)


def list_called(passage: Passage, facts: Sequence[Fact], role: str, roles: Roles) -> list[Fact]:
    """The facts that a passage states under a role, and under no other."""
    table = tuple(roles.words.items())
    stated = [fact for fact in facts if fact.stated and not _is_asked(passage, fact)]
    called = [fact for fact in stated if find_standing(passage, facts, fact, role, roles) == "so"]
    return [fact for fact in called if fact.kind in FIGURES or list_roles(passage, facts, fact, table) == (role,)]


def list_bound(passage: Passage, facts: Sequence[Fact], role: str, roles: Roles) -> list[Fact]:
    """The facts that a passage states under a role, by any label that speaks of them."""
    table = tuple(roles.words.items())
    stated = [fact for fact in facts if fact.stated and not _is_asked(passage, fact)]
    return [fact for fact in stated if fact.kind not in FIGURES and role in list_roles(passage, facts, fact, table)]


def list_beside(
    passage: Passage, facts: Sequence[Fact], wanted: Sequence[RequiredFact], role: str, roles: Roles
) -> list[Fact]:
    """The facts that a passage puts without a label into one list with what is wanted by a role."""
    table = tuple(roles.words.items())
    bare = [
        one for one in facts if one.stated and one.kind not in FIGURES and not list_roles(passage, facts, one, table)
    ]
    mine = {(one.start, one.end) for one in bare if any(want.is_stated_by(one) for want in wanted)}
    kinds = {one.kind for one in bare if (one.start, one.end) in mine}
    names = [(one.start, one.end) for one in bare if one.kind in kinds]
    beside = {span for run in list_runs(passage.text, names) if mine & {*run} for span in run} - mine
    return [one for one in bare if (one.start, one.end) in beside]


def list_continued(passage: Passage, facts: Sequence[Fact]) -> list[Fact]:
    """The names of a later message that says nothing else, and so goes on with what was told: `and SHOP-9 too`."""
    names = [fact for fact in facts if fact.stated and fact.kind not in FIGURES]
    left = list(passage.text.lower())
    for fact in names:
        left[fact.start : fact.end] = " " * (fact.end - fact.start)
    words = _WORDS.findall("".join(left))
    return names if names and _CONTINUING.issuperset(words) and "?" not in passage.text else []


def is_taken_back(later: Iterable[Read], wanted: Sequence[RequiredFact], role: str, roles: Roles) -> bool:
    """Whether what is said later puts what was told under a role without naming it: `it was taken back`."""
    kinds = {fact.kind for one in wanted for fact in one.facts}
    return any(
        speaks_of(passage, role, tuple(roles.words.items())) and not any(fact.kind in kinds for fact in facts)
        for passage, facts in later
        if not _EARLIER.search(passage.text) and not passage.text.rstrip().endswith("?")
    )


def _corrects(passage: Passage, facts: Sequence[Fact], wanted: Sequence[RequiredFact], kinds: frozenset[Kind]) -> bool:
    stated = [fact for fact in facts if fact.kind in kinds and fact.stated]
    if not stated or any(one.is_stated_by(fact) for one in wanted for fact in stated):
        return False
    return _CORRECTS.search(passage.text) is not None or any(_is_ordered(passage, fact) for fact in stated)


def _gives_name(
    facts: Sequence[Fact],
    passage: Passage,
    wanted: Sequence[RequiredFact],
    known: Sequence[RequiredFact],
    role: str,
    roles: Roles,
) -> bool:
    kinds = {fact.kind for one in wanted for fact in one.facts} or {"date", "time"}
    if _says_of_all(passage, facts, role, roles):
        return True
    stated = [
        (fact, find_standing(passage, facts, fact, role, roles))
        for fact in facts
        if fact.stated and not _is_asked(passage, fact) and fact.kind in kinds
    ]
    mine = {how for fact, how in stated if any(one.is_stated_by(fact) for one in wanted)}
    if mine:
        return "not" in mine and "so" not in mine
    return any(how == "so" and not any(one.is_stated_by(fact) for one in known) for fact, how in stated)


def _says_of_all(passage: Passage, facts: Sequence[Fact], role: str, roles: Roles) -> bool:
    """Whether a later message puts all that was told of under another role: `I found rows for all of them`."""
    spoken = tuple(Fact("text", "", start=one.start(), end=one.end()) for one in _ALL_OF.finditer(passage.text))
    named = tuple(fact for fact in facts if fact.kind != "text")
    return any(find_standing(passage, (*named, *spoken), one, role, roles) == "not" for one in spoken)


def _gives_figure(
    facts: Sequence[Fact], passage: Passage, wanted: Sequence[RequiredFact], role: str, roles: Roles
) -> bool:
    kinds = MONEY if any(fact.kind in MONEY for one in wanted for fact in one.facts) else (*MONEY, *COUNTS)
    figures = [fact for fact in facts if fact.kind in kinds and fact.stated and not _is_apart(passage, fact)]
    table = tuple(roles.words.items())
    called = [
        fact
        for fact in figures
        if (found := find_role(passage, facts, fact, table)) == role or (found is None and _is_answer(passage, fact))
    ]
    if roles.period is not None:
        called = [fact for fact in called if not is_of_another_period(passage, fact, roles.period)]
    return bool(called) and not any(one.is_stated_by(fact) for one in wanted for fact in figures)


def _is_ordered(passage: Passage, fact: Fact) -> bool:
    """Whether the reader is told to use a value: `write 12 into your list`."""
    return (
        _ORDERS.search(passage.text.lower(), 0, fact.start) is not None
        or _USED.search(passage.text.lower(), fact.end) is not None
    )


def _is_asked(passage: Passage, fact: Fact) -> bool:
    end = re.compile(r"[.!?\n]|$").search(passage.text, fact.end)
    return end is not None and end.group() == "?"


def _is_apart(passage: Passage, fact: Fact) -> bool:
    low = passage.text.lower()
    before = low[max(0, fact.start - 24) : fact.start]
    was = bool(_WAS.search(before)) and bool(_NOW.search(low, fact.end))
    return was or bool(_APART.match(low, fact.end)) or bool(_BY.search(before))


def _is_answer(passage: Passage, fact: Fact) -> bool:
    """Whether a figure without a label is all that a sentence says: `it is 5 in the end`."""
    low = passage.text.lower()
    begins = _IT_IS.search(low[max(0, fact.start - _FAR) : fact.start])
    if begins is None:
        return False
    counted = fact.kind in COUNTS and begins.group().split()[0] not in _WHATEVER
    return _ENDS.match(low, fact.end) is not None or (counted and _COUNTED.match(low, fact.end) is not None)
