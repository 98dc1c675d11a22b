"""Role of each figure of a text, by the labels around it: `credits EUR 12.00` is of the credits."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from world.grading.facts.label_pattern import LabelPattern
from world.grading.facts.name_roles import DENIED

_END = re.compile(r"\n|[.!?;](?=\s|$)")
_SHORT = re.compile(r"\b(?:i\.e\.|e\.g\.|incl\.|excl\.|approx\.|resp\.|vs\.|no\.|q[1-4]\.|bzw\.|z\. ?b\.)")
_CLAUSE = re.compile(r",|\b(?:and|with|after|plus|against|versus|vs|while|whereas|but|leaving|on|once|since|because)\b")
_UNDER = re.compile(
    r"\b(?:after|less|minus|before|net of|gross of|excluding|excl|including|incl|without|deducting|deduction of|taking off|take off"
    r"|taken off|on top of|despite|from|off|subtracting|subtract|of which|compared (?:to|with)|against|than|not|nor)"
    r"(?: (?:the|all|our|any|its|their|your|these|those|of|for|deducting|taking|paying|subtracting))* ?$"
)
_SAYS = re.compile(
    r"\b(?:is|are|was|were|come|comes|came|amounts?|stands?|totals?|equals|makes?|lands?|closes?|ends?|reach(?:es)?|remains?)\b"
)
_JOINED = re.compile(
    r"[\s:=|*_>-]*(?:(?:of|is|are|was|were|be|at|to|in|by|as|with|now|the|a|come|comes|came|coming|amounts?|amounted|amounting|stands?|totals?"
    r"|totall?ing|equals|makes?|lands?|landed|closes?|closed|ends?|ended|has|have|been|finally|exactly|final|still|therefore|thus)[\s:=|*_]+)*"
)
_BEHIND = re.compile(
    r"[\s|(*_=]*(?:(?:of|in|as|for|is|are|was|were|the|our|your|a|its|final|left|remains?|worth|total|quarterly)\s+)*\(?"
)
_FORWARD = re.compile(r"(?:\b(?:to|of|at|over|makes?|equals)|:)$")  # ends a label of what follows it: `comes to`
_TAKEN_OFF = re.compile(r"\s*(?:minus|less|-|after)(?: the| all| our)? ")
_PAREN = re.compile(r"\([^()\n]*\)")
_DENIES = re.compile(
    r"(?:\b(?:were |was |is |are |did |do |does |has |have |had )?(?:not|never|cannot)|\b\w+n't)"
    r"(?:\s+(?:be|been|being|come|came|turn|turned|end|ended|finish|finished|stay|stayed|go|gone|went|get|got|out|up|as|in|yet|all|really|actually"
    r"|fully|quite))*\s+$"
)
_NEAR = 60  # characters before a label
UNDONE = "(undone)"  # the role of what was not brought about, which no rubric needs to list


Span = tuple[int, int]
Segment = tuple[int, int, tuple[Span, ...]]


@dataclass
class _Mark:
    """A label or a figure in a segment."""

    start: int
    end: int
    role: str = ""
    figure: bool = False
    under: bool = False  # it is what something else is taken from, or is told of
    back: bool = False  # it belongs to what stands before it
    ahead: bool = False  # it belongs to what follows it
    used: bool = False
    label: "_Mark | None" = field(default=None, repr=False)


class Labels:
    """The words for each of several roles; a longer one wins over a shorter."""

    def __init__(self, roles: Mapping[str, Sequence[str]]) -> None:
        self._words, self._names = LabelPattern(roles), [one for one in roles if one != UNDONE]
        self._pattern = self._words.pattern

    def assign(self, text: str, figures: Sequence[Span]) -> dict[Span, str]:
        """The role of each figure that has a label, by its place."""
        low = self._words.lower(text)
        found: dict[Span, str] = {}
        for start, end, holes in _segments(low, figures, self._pattern):
            marks = [*self._list_labels(low, start, end, holes), *_list_figures(figures, start, end, holes)]
            marks.sort(key=lambda one: one.start)
            _match(low, marks)
            found |= {(one.start, one.end): one.label.role for one in marks if one.figure and one.label}
        return found

    def _list_labels(self, low: str, start: int, end: int, holes: Sequence[Span]) -> Iterator[_Mark]:
        found: list[_Mark] = []
        for match in self._pattern.finditer(low, start, end):
            if _lies_in(match.start(), holes):
                continue
            denial = _DENIES.search(low, max(start, match.start() - _NEAR), match.start())
            if denial and found and denial.start() <= found[-1].start:  # `were not` of `were not green`
                found.pop()
            before = found[-1] if found else None
            beside = before is not None and low.rfind("(", before.end, match.start()) >= 0
            under = beside or (denial is None and _UNDER.search(low, start, match.start()) is not None)
            role = self._words.find_role(match.group())
            role = self._deny(role) if denial else role
            if under and before and _TAKEN_OFF.fullmatch(low, before.end, match.start()) and len(found) > 1:
                before.under = True
            back = match.group() in ("net", "gross") and low.startswith(" of", match.end())
            ahead = _FORWARD.search(match.group()) is not None
            found.append(_Mark(match.start(), match.end(), role, under=under, back=back, ahead=ahead))
        yield from found

    def is_denial(self, text: str, at: int) -> bool:
        """Whether the words that end at a place deny the label that follows them."""
        low = self._words.lower(text)
        label = self._pattern.search(low, at)
        denial = label and _DENIES.search(low, max(0, label.start() - _NEAR), label.start())
        return bool(denial) and denial.start() < at

    def _deny(self, role: str) -> str:
        """What is not of one of two roles is of the other; of more it is of none: `two did not end green`."""
        if role in self._names and len(self._names) == 2:
            return next(one for one in self._names if one != role)
        return DENIED + role


def _segments(low: str, figures: Sequence[Span], labels: re.Pattern[str]) -> Iterator[Segment]:
    """Sentences and rows, with what stands in brackets beside a figure as one of its own.

    A row or sentence of figures alone goes with the labels before it.
    """
    hidden = _SHORT.sub(lambda match: "x" * len(match.group()), low)
    for start, end in figures:
        hidden = hidden[:start] + "0" * (end - start) + hidden[end:]
    holes = [
        match.span()
        for match in _PAREN.finditer(hidden)
        if any(match.start() < one < match.end() for one, _ in figures)
    ]
    yield from ((start, end, ()) for start, end in holes)
    before: int | None = None
    for start, end in _split_sentences(hidden):
        inner = tuple(one for one in holes if start <= one[0] < end)
        outer = [one for one, _ in figures if start <= one < end and not _lies_in(one, inner)]
        named = any(not _lies_in(match.start(), inner) for match in labels.finditer(low, start, end))
        if outer:
            yield start if named or before is None else before, end, inner
            before = None
        elif named:
            before = start


def _lies_in(at: int, spans: Sequence[Span]) -> bool:
    return any(start <= at < end for start, end in spans)


def _split_sentences(text: str) -> Iterator[Span]:
    start = 0
    for match in _END.finditer(text):
        yield start, match.start()
        start = match.end()
    yield start, len(text)


def _list_figures(figures: Sequence[Span], start: int, end: int, holes: Sequence[Span]) -> Iterator[_Mark]:
    for at, close in figures:
        if start <= at < end and not _lies_in(at, holes):
            yield _Mark(at, close, figure=True)


def _match(low: str, marks: list[_Mark]) -> None:
    """Give each figure its label: several labels in a row go with as many figures in a row, else the nearest one."""
    _match_runs(marks)
    for at, one in enumerate(marks):
        if one.figure and one.label is None:
            _take(one, _find_joined(low, marks, at))
    for _ in range(2):
        for at, one in enumerate(marks):
            if one.figure and one.label is None:
                _take(one, _find_before(low, marks, at))
        for at, one in enumerate(marks):
            if one.figure and one.label is None:
                _take(one, _find_behind(low, marks, at))
    for at, one in enumerate(marks):
        if one.figure and one.label is None:
            _take(one, next((label for label in reversed(_labels_before(marks, at)) if not label.under), None))


def _take(figure: _Mark, label: _Mark | None) -> None:
    if label is not None:
        figure.label, label.used = label, True


def _match_runs(marks: Sequence[_Mark]) -> None:
    at = 0
    while at < len(marks):
        labels: list[_Mark] = []
        while at < len(marks) and not marks[at].figure:
            labels += [] if marks[at].under else [marks[at]]
            at += 1
        figures: list[_Mark] = []
        while at < len(marks) and marks[at].figure:
            figures.append(marks[at])
            at += 1
        if len(labels) == len(figures) > 1:
            for figure, label in zip(figures, labels, strict=True):
                _take(figure, label)


def _labels_before(marks: Sequence[_Mark], at: int) -> list[_Mark]:
    """The free labels between the figure before and this one."""
    found: list[_Mark] = []
    for one in reversed(marks[:at]):
        if one.figure:
            break
        found.append(one)
    return [one for one in reversed(found) if not (one.used or one.back)]


def _find_joined(low: str, marks: Sequence[_Mark], at: int) -> _Mark | None:
    """The label right before a figure, or else right behind it."""
    before, behind = marks[at - 1] if at else None, marks[at + 1] if at + 1 < len(marks) else None
    close = (
        behind is not None
        and _is_free(behind)
        and not behind.ahead
        and _BEHIND.fullmatch(low, marks[at].end, behind.start) is not None
    )
    if before and _is_free(before) and not before.back and _JOINED.fullmatch(low, before.end, marks[at].start):
        said = _SAYS.search(low, before.end, marks[at].start) is not None
        touching = close and behind is not None and not low[marks[at].end : behind.start].strip()
        if not said or not (before.under or touching):
            return before
    return behind if close else None


def _is_free(one: _Mark) -> bool:
    return not one.figure and not one.used


def _find_before(low: str, marks: Sequence[_Mark], at: int) -> _Mark | None:
    """The nearest free label before a figure in its clause. One that is only taken off must stand right before it."""
    figure, labels = marks[at], _labels_before(marks, at)
    near = [one for one in labels if not _CLAUSE.search(low, one.end, figure.start)]
    plain = [one for one in near if not one.under]
    if plain:
        return plain[-1]
    if near and not _SAYS.search(low, near[-1].end, figure.start):
        return near[-1]
    return near[-1] if near and all(one.under for one in labels) else None


def _find_behind(low: str, marks: Sequence[_Mark], at: int) -> _Mark | None:
    """The first free label behind a figure in its clause."""
    for one in marks[at + 1 :]:
        if one.figure or _CLAUSE.search(low, marks[at].end, one.start):
            return None
        if not (one.used or one.ahead):
            return one
    return None
