"""Role of each key, name, day or text of a passage, by the label of its clause: `SHOP-4 stays open`, `decided by Mira`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from world.grading.facts.label_pattern import LabelPattern

Span = tuple[int, int]
Roles = tuple[str, ...]
Cost = tuple[float, int, int]  # breaks, words of content and words between a label and a name
DENIED = "!"  # begins the role of what a text says not to be of it

_END = re.compile(r"\n|[.!?](?=\s|$)")
_BREAK = re.compile(
    r"(?P<soft>[:=|\t(\[]|\s-+>?\s|->|=>|→|–|—)|[,;)\]\n]"
    r"|\b(?:and|but|while|whereas|because|since|as|after|before|though|although|what|that|which|against|over|than|versus|vs|instead|unlike"
    r"|ahead of|so|then|except|apart|besides|without)\b"
)
_WORD = re.compile(r"[\w'’]+")
_THIN = frozenset(
    "'s s' the a an it is was are were be been being has have had did do does to of for on in by at with from that which who whose where"
    " one ones this these those they we i you he she him her his there their its my our your just still yet only also too well now"
    " not no never nobody none neither both end team people everybody two group ticket tickets key keys number numbers order orders"
    " finally really actually so far get got gets will would can could should took take made make stays stay stayed remains remain out up down about"
    " later since meanwhile soon afterwards again already even ever once today yesterday"
    " however though although and but then all points point didn't couldn't wasn't weren't hasn't haven't isn't aren't don't".split()
)
_REST = re.compile(
    r"\b(?:rest|others?|another|remaining|remainder|(?:everything|everyone|everybody|anything|all|nothing|nobody) else|else)\b"
)
_WITH_REST = re.compile(rf"^[\s,]*\b(?:and|as well as|like|plus)\s+(?:(?:all|the|every|all the)\s+)?{_REST.pattern}")
_ALL = re.compile(r"\b(?:all|every|everything|everyone|everybody|each|nothing|none|nobody)\b")
_TOO = re.compile(r"[\s,]*(?:(?:is|are|was|were|has|have)\s+)?(?:too|as well|also|likewise|included)\b")
_ALSO = re.compile(r"\b(?:also|including|even|likewise|incl\.?|as well as)\s+(?:(?:on|for|the|in|ticket|number)\s+)*$")
_SKIP = r"[\s:*_`\"'(]*(?:(?:the|for|on|in|of|ticket|tickets|number|numbers|order|orders|one|key|with)\s+)*[*_`\"'(]*$"
_EXCEPT = re.compile(
    r"\b(?:except(?:ing)?(?: for)?|apart from|aside from|other than|besides|save(?: for)?|excluding|exception of|exceptions? (?:is|are|being)"
    r"|(?:all|every\w*|each|any\w*|none|nothing|nobody|no \w+)(?: (?!but\b)\w+){0,2} but(?: for)?)" + _SKIP
)
_CONTRAST = re.compile(r"\b(?:only|just|but(?: not)?|bar|minus|without|not)" + _SKIP)
_NEITHER = re.compile(r"\b(?:neither|none of|not even|neither of|nor)" + _SKIP)
_NOT = re.compile(
    r"(?:\b(?:not(?! only\b)|never|no(?! (?:doubt|question|longer an? )\b)|nobody|no one|none|nothing|neither|cannot|without|hardly"
    r"|would (?:\w+ )?have(?! to\b)|failed to|unable to|refused to|instead of|far from)|n['’]t)(?:\s+(?!and\b|but\b)[\w'’]+){0,3}\s*$"
)
_OF_NONE = re.compile(r"(?:\s+(?:on|with|to|in|for|by))?\s+(?:nothing|none|nobody|neither|no)\b")
_LISTED = re.compile(
    r"[\s*_`•|>\"'-]*(?:(?:,|;|/|&|\+|\b(?:and|or|nor|plus|also|then|as well as)\b)[\s*_`\"']*)+"
    r"(?:(?:the|ticket|tickets|number|numbers|order|orders|on|for|also|by|of)\s+)*[*_`\"']*"
)
_PAREN = re.compile(r"\([^()\n]*\)|\[[^\[\]\n]*\]")
_MANY = re.compile(
    r"[\s*_`\"')]*(?:all |both |also |still |then |each )*(?:are|were|have|do|stay|remain|need|wait|had)\b"
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|did|does|do|will|would|can|could|should|said|says|needs?|wants?|waits?|goes|went)\b"
)
_LINE = re.compile(r"[\s>*_•#|\d.)`\[\]x-]*(?:ticket |number |order )?[*_`\"'\[<]*")
_COLON = re.compile(r"[\s*_`]*:[\s*_`]*")
_GREETING = re.compile(
    r"(?:^|[\n.!?>])\s*(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|morning|thanks|thank you|ok|okay|sure|yes)[ ,]+@?|@)$"
)
_CALLED = re.compile(r"\s*(?:[,:!;\n-]|$)")
_HELLO = 24  # characters of a greeting
_SHORT = 5  # words of a heading without a colon
_SINGULAR = re.compile(r" (?:is|isn't|has|hasn't|was|wasn't)\b")  # said of one: a comma before it parts two clauses
_TITLE = 6  # words between two names of a list


@dataclass
class _Label:
    start: int
    end: int
    role: str


@dataclass
class _Group:
    """Names of a list, and the label they take."""

    spans: list[Span]
    role: str = ""
    cost: Cost | None = None
    before: bool = False  # the label stands before it
    own: list[tuple[Cost, bool, str]] = field(default_factory=list[tuple[Cost, bool, str]])

    @property
    def roles(self) -> Roles:
        """Its role, and those of further labels that speak of it."""
        return tuple(dict.fromkeys((self.role, *(role for _, _, role in sorted(self.own)))))

    @property
    def start(self) -> int:
        """Where the first name begins."""
        return self.spans[0][0]

    @property
    def end(self) -> int:
        """Where the last name ends."""
        return self.spans[-1][1]


class NameLabels:
    """The words for each of several roles of names; a longer one wins over a shorter."""

    def __init__(self, roles: Mapping[str, Sequence[str]]) -> None:
        self._words, self._names = LabelPattern(roles), tuple(roles)

    def assign(self, text: str, names: Sequence[Span], others: Sequence[Span] = ()) -> dict[Span, Roles]:
        """The roles of each name that has labels, by its place, the nearest first; one that is denied begins with `!`."""
        low = self._words.lower(_mask(text, names, others))
        names = [one for one in names if not _is_addressed(low, one)]
        found: dict[Span, Roles] = {}
        heading, columns = "", list[str]()
        for start, end in _split(low):
            labels = self._list_labels(low, start, end)
            inside = [one for one in names if start <= one[0] < end]
            if not inside:
                if labels:
                    heading = self._read_heading(low, start, end, labels)
                    columns = self._read_columns(low, start, end, labels)
                elif not low[start:end].strip(" |-:\t"):
                    continue
                else:
                    heading = heading if low[start:end].strip() == "" else ""
                continue
            if _is_headed(low, start, inside[0], labels, heading):
                labels = _without_glosses(low, start, end, labels)
            groups = self._read(low, start, end, inside, labels)
            if not labels:
                _inherit_heading(low, start, end, groups, heading, columns)
            found |= {span: group.roles for group in groups for span in group.spans if group.role}
        return found

    def list_spoken(self, text: str) -> set[str]:
        """The roles that a text speaks of, whatever it calls so."""
        low = self._words.lower(text)
        return {
            self._deny(one.role, _is_denied(low, start, one))
            for start, end in _split(low)
            for one in self._list_labels(low, start, end)
            if not _REST.search(low, start, end)
        }

    def _list_labels(self, low: str, start: int, end: int) -> list[_Label]:
        return [_Label(at, close, role) for at, close, role in self._words.find(low, start, end)]

    def _read_heading(self, low: str, start: int, end: int, labels: Sequence[_Label]) -> str:
        """The role of a line that is a heading: it ends in a colon, or is short and ends with its line."""
        line = low[start:end].rstrip(" *_`")
        short = low[end : end + 1] in ("\n", "") and len(_WORD.findall(line)) <= _SHORT
        roles = {self._deny(one.role, _is_denied(low, start, one)) for one in labels}
        return roles.pop() if (line.endswith(":") or short) and len(roles) == 1 else ""

    def _read_columns(self, low: str, start: int, end: int, labels: Sequence[_Label]) -> list[str]:
        """The roles of the columns of a table, by its heading."""
        if "|" not in low[start:end] and "\t" not in low[start:end]:
            return []
        cells = _list_cells(low, start, end)
        return [next((one.role for one in labels if at <= one.start < close), "") for at, close in cells]

    def _read(self, low: str, start: int, end: int, names: Sequence[Span], labels: Sequence[_Label]) -> list[_Group]:
        """The groups of names of a sentence, each with its role."""
        groups = _list_groups(low, names, labels)
        edges = [start, *(group.end for group in groups)]
        for at, edge in enumerate(edges):
            left, right = groups[at - 1] if at else None, groups[at] if at < len(groups) else None
            close = right.start if right else end
            for label in labels:
                if edge <= label.start < close:
                    last = not any(label.end <= one.start < close for one in labels)
                    agent = last and right is not None and _is_agent(low, label, right)
                    self._offer(low, label, None if agent else left, right, edge)
        groups = [part for group in groups for part in _settle(low, group)]
        self._share(low, groups)
        return groups

    def _share(self, low: str, groups: Sequence[_Group]) -> None:
        """Let the names of a list with titles between them share its label; `not` before one denies it."""
        for last, group in pairwise(groups):
            gap = low[last.end : group.start]
            if last.role and last.before and not group.role and _is_title(gap):
                denied = _CONTRAST.search(gap) is not None and not last.role.startswith(DENIED)
                group.role, group.before = self._deny(last.role, denied), True
        for group, following in reversed(list(pairwise(groups))):
            shared = following.role and not following.before and not group.role
            if shared and _is_title(low[group.end : following.start]) and _is_of_many(low, following.end):
                group.role = following.role

    def _offer(self, low: str, label: _Label, left: _Group | None, right: _Group | None, edge: int) -> None:
        """Give a label to the nearer one of the names on both sides of it."""
        behind = _cost_behind(low, label, left, headed=right is not None) if left else None
        ahead = _cost_before(low, label, right, edge) if right else None
        if left and behind and not (ahead and ahead[:2] < behind[:2]):
            denied = _is_denied(low, edge, label)
            denied ^= _is_excepted(low, left, label) or bool(_NEITHER.search(low[: left.start]))
            left.own.append((behind, False, self._deny(label.role, denied)))
        elif right and ahead:
            denied = _is_denied(low, edge, label)
            stands = low[label.end : right.start]
            apart = _EXCEPT.search(low[: right.start]) or _CONTRAST.search(stands)
            denied ^= bool(apart or _NEITHER.search(stands))
            right.own.append((ahead, True, self._deny(label.role, denied)))

    def _deny(self, role: str, denied: bool) -> str:
        """Of two roles, what is not of one is of the other."""
        if not denied:
            return role
        return next(one for one in self._names if one != role) if len(self._names) == 2 else DENIED + role


def _mask(text: str, names: Sequence[Span], others: Sequence[Span]) -> str:
    """A text with every name as a run of one letter, so that nothing in it is a label or ends a sentence."""
    for start, end in (*others, *names):
        text = f"{text[:start]}{'0' * (end - start)}{text[end:]}"
    return text


def _split(low: str) -> Iterator[Span]:
    start = 0
    for match in _END.finditer(low):
        yield start, match.start()
        start = match.end()
    yield start, len(low)


def _is_headed(low: str, start: int, first: Span, labels: Sequence[_Label], heading: str) -> bool:
    """Whether a heading stands over the names of a line, above it or before its colon: `Left out: A1 (filled)`."""
    if heading and _LINE.fullmatch(low, start, first[0]):
        return True
    opening = [one for one in labels if one.end <= first[0]]
    return bool(opening) and _COLON.fullmatch(low, opening[-1].end, first[0]) is not None


def _without_glosses(low: str, start: int, end: int, labels: Sequence[_Label]) -> list[_Label]:
    """The labels that do not stand in brackets, where they only add a reason."""
    holes = [match.span() for match in _PAREN.finditer(low, start, end)]
    return [one for one in labels if not any(at < one.start < close for at, close in holes)]


def _list_cells(low: str, start: int, end: int) -> list[Span]:
    marks = [start, *(at for at in range(start, end) if low[at] in "|\t"), end]
    return list(pairwise(marks))


def _inherit_heading(
    low: str, start: int, end: int, groups: Sequence[_Group], heading: str, columns: Sequence[str]
) -> None:
    if any(columns) and ("|" in low[start:end] or "\t" in low[start:end]):
        for group in groups:
            for (at, close), role in zip(_list_cells(low, start, end), columns, strict=False):
                group.role = role if at <= group.start < close else group.role
    elif heading and _LINE.fullmatch(low, start, groups[0].start):
        for group in groups:
            group.role = heading


def list_runs(text: str, names: Sequence[Span]) -> list[list[Span]]:
    """Names that stand in one list, with nothing but commas and joining words between them."""
    low = LabelPattern.lower(text)
    return [group.spans for group in _list_groups(low, [one for one in names if not _is_addressed(low, one)], ())]


def _is_addressed(low: str, name: Span) -> bool:
    """Whether a name is that of the reader: `hi Mira, ...`."""
    before = _GREETING.search(low, max(0, name[0] - _HELLO), name[0])
    return before is not None and _CALLED.match(low, name[1]) is not None


def _list_groups(low: str, names: Sequence[Span], labels: Sequence[_Label]) -> list[_Group]:
    groups: list[_Group] = []
    for span in sorted(set(names)):
        last = groups[-1] if groups else None
        apart = last is not None and low[last.end : span[0]].strip() == "," and _SINGULAR.match(low, span[1])
        if last and (span[0] < last.end or (not apart and _is_listed(low, last.end, span[0], labels))):
            last.spans.append(span)
        else:
            groups.append(_Group([span]))
    return groups


def _is_listed(low: str, start: int, end: int, labels: Sequence[_Label]) -> bool:
    if any(start <= one.start < end for one in labels):
        return False
    gap = _PAREN.sub("", low[start:end]).lstrip()
    return _LISTED.fullmatch(gap) is not None and not (labels and ";" in gap)


def _cost_behind(low: str, label: _Label, group: _Group, *, headed: bool) -> Cost | None:
    """How far a label stands behind a name; None if it does not speak of it."""
    gap = _WITH_REST.sub("", low[group.end : label.start])
    if _REST.search(gap) or _opens_list(low, label, headed):
        return None
    hard, soft, last = _count_breaks(gap)
    if (hard or soft) and (_ALL.search(gap, last) or _count_content(gap[last:])):
        return None
    return hard + soft / 2, _count_content(gap), len(_WORD.findall(gap))


def _opens_list(low: str, label: _Label, headed: bool) -> bool:
    return headed and re.compile(r"[*_`\s]*[:=]").match(low, label.end) is not None


def _cost_before(low: str, label: _Label, group: _Group, edge: int) -> Cost | None:
    """How far a label stands before a name; None if it does not speak of it."""
    gap = low[label.end : group.start]
    hard, soft, _ = _count_breaks(gap)
    clause = low[_find_clause(low, edge, label.start) : label.start]
    if _EXCEPT.search(low[: group.start]) or _CONTRAST.search(gap):
        return hard / 2 + 0.5, _count_content(gap), len(_WORD.findall(gap))
    if _REST.search(clause) or _REST.search(gap):
        return None
    if hard and not (_ALSO.search(gap) or _TOO.match(low, group.end)):
        return None
    return hard + soft / 2, _count_content(gap), len(_WORD.findall(gap))


def _find_clause(low: str, start: int, at: int) -> int:
    return max((match.end() for match in _BREAK.finditer(low, start, at)), default=start)


def _count_breaks(gap: str) -> tuple[int, int, int]:
    """Hard and soft breaks between two things, and where the last one ends."""
    found = list(_BREAK.finditer(gap))
    soft = sum(one["soft"] is not None for one in found)
    return len(found) - soft, soft, found[-1].end() if found else 0


def _count_content(gap: str) -> int:
    return sum(word not in _THIN and not word.isdigit() and word[-2:] != "ly" for word in _WORD.findall(gap))


def _is_excepted(low: str, group: _Group, label: _Label) -> bool:
    """Whether what follows is said of all others: `except SHOP-4 all are in`, but not `except SHOP-4, which is open`."""
    hard, soft, _ = _count_breaks(low[group.end : label.start])
    return not (hard or soft) and _EXCEPT.search(low[: group.start]) is not None


def _is_denied(low: str, edge: int, label: _Label) -> bool:
    """Whether a label is denied: `never agreed`, `agreed on nothing`."""
    return _NOT.search(low, edge, label.start) is not None or _OF_NONE.match(low, label.end) is not None


def _is_agent(low: str, label: _Label, group: _Group) -> bool:
    return re.fullmatch(r"(?: \w+){0,3} by\s+[*_`@]*", low[label.end : group.start]) is not None


def _settle(low: str, group: _Group) -> list[_Group]:
    """Give a group its nearest label. The last name of a list may be the subject of what follows."""
    if not group.own:
        return [group]
    ahead = min((one for one in group.own if one[1]), default=None)
    behind = min((one for one in group.own if not one[1]), default=None)
    apart = ahead and behind and behind[0][0] == 0 and behind[2] != ahead[2] and not _MANY.match(low, group.end)
    if ahead and behind and apart and len(group.spans) > 1:
        return [
            _take(_Group(group.spans[:-1], own=[ahead]), ahead),
            _take(_Group(group.spans[-1:], own=[behind]), behind),
        ]
    return [_take(group, min(group.own, key=lambda one: (one[0], not one[1])))]


def _take(group: _Group, label: tuple[Cost, bool, str]) -> _Group:
    group.cost, group.before, group.role = label
    return group


def _is_of_many(low: str, at: int) -> bool:
    """Whether the first verb behind a place is one of several things."""
    verb = _VERB.search(low, at)
    return verb is not None and verb.group() in ("are", "were", "have", "do", "need", "want", "wait")


def _is_title(gap: str) -> bool:
    """Whether only a title and a comma or an `and` stand between two names."""
    joined = re.search(r"[,;/&+]\s*(?:and\s+)?(?:not )?(?:on |for )?$|\band\s+(?:\w+\s)?$", gap) is not None
    return joined and _VERB.search(gap) is None and len(_WORD.findall(gap)) <= _TITLE
