"""One sentence read on a proposition: its clauses, the negated and the void words, and the votes that stand."""

import re
from dataclasses import dataclass, field
from itertools import pairwise

from world.grading.stance.frame import Frame
from world.grading.stance.phrases import Hit
from world.grading.stance.speech import find_reports
from world.grading.stance.tokens import Token, tokenize

BREAKS = frozenset(", ; : ( ) – — - ! . ? → | / [ ] •".split()) | {"\n"}
CONJUNCTIONS = frozenset(
    """
    but because so since while whereas although though when after hence then however therefore which yet and as plus
    even before until where meaning otherwise given thus whenever
    """.split()
)
SUBJECTS = frozenset("i we it they you he she there the this that".split())
ADVERSATIVE = frozenset({"but", ";", "however", "yet", "whereas", "although", "though"})
QUOTING = frozenset(": says said writes wrote asked quote".split())
SWAPPED = 5  # words that `instead of` reaches, where no phrase ends it before
COMPARED = frozenset("later longer sooner earlier more less fewer matter doubt need problem question".split())
TURNING = frozenset({"not", "wish", "deny", "swap"})
VOIDING = frozenset({"condition", "doubt", "hope", "hearsay", "agenda"})
_BARE = re.compile(r"[ \t]*(?:[-*•+]|\d+[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")


@dataclass(slots=True)
class Layout:
    """The words of a sentence, with the clause, segment and sign that each stands in."""

    tokens: list[Token]
    words: list[str]
    hits: list[Hit]
    clause: list[int] = field(default_factory=list[int])
    segment: list[int] = field(default_factory=list[int])
    parity: list[int] = field(default_factory=list[int])
    swapped: list[bool] = field(default_factory=list[bool])
    void: list[str] = field(default_factory=list[str])
    spans: list[range] = field(default_factory=list[range])
    times: list[set[str]] = field(default_factory=list[set[str]])
    held: set[int] = field(default_factory=set[int])

    def clause_of(self, place: int) -> range:
        """The places of the clause that a word stands in."""
        return self.spans[self.clause[place]]

    def places_of_segment(self, place: int) -> list[int]:
        """The places of the segment that a word stands in."""
        return [at for at, one in enumerate(self.segment) if one == self.segment[place]]


def _find_quotes(tokens: list[Token]) -> list[bool]:
    """Mark the words that stand in quotation marks, with what leads up to a quotation."""
    marks = [at for at, token in enumerate(tokens) if token.text == '"']
    inside = [False] * len(tokens)
    for start, end in zip(marks[::2], marks[1::2], strict=False):
        begin = 0 if start and tokens[start - 1].text in QUOTING else start
        inside[begin : end + 1] = [True] * (end + 1 - begin)
    return inside


def _measure_clauses(layout: Layout, frame: Frame) -> None:
    """Set the spans of clauses, and the times of which they speak."""
    starts = [at for at, number in enumerate(layout.clause) if at == 0 or number != layout.clause[at - 1]]
    layout.spans = [range(start, end) for start, end in pairwise([*starts, len(layout.clause)])]
    layout.times = [set[str]() for _ in layout.spans]
    for hit in frame.time.find(layout.words):
        layout.times[layout.clause[hit.start]].add(hit.tag)


def _is_break(layout: Layout, at: int) -> bool:
    word, following = layout.words[at], layout.words[at + 1 : at + 2]
    if at in layout.held or (word == "as" and following and following[0] not in SUBJECTS):
        return False
    return word in BREAKS or word in CONJUNCTIONS


def _number_clauses(layout: Layout) -> None:
    """Clauses end at signs and conjunctions, segments where the speaker turns."""
    layout.held = {place for hit in layout.hits for place in hit.places}
    clause = segment = 0
    for at, word in enumerate(layout.words):
        if at and _is_break(layout, at):
            clause += 1
        if word in ADVERSATIVE and at not in layout.held:
            segment += 1
        layout.clause.append(clause)
        layout.segment.append(segment)


class _Turn:
    """The sign at the word that a walk through a sentence has reached."""

    def __init__(self, layout: Layout) -> None:
        self.layout, self.sign, self.clause = layout, 1, 0
        self.starts = {hit.start: hit for hit in layout.hits if hit.tag in TURNING}
        self.opposites = {hit.end + 1 for hit in layout.hits if hit.tag in "+-"}
        self.neither = self.denied = False
        self.swap_ends = -1

    def step(self, at: int) -> int:
        """The sign of the next word."""
        if self.layout.clause[at] != self.clause:
            self._enter_clause(at)
        if 0 < self.swap_ends and (at in self.opposites or at >= self.swap_ends or self.layout.words[at] == "who"):
            self.sign, self.swap_ends = -self.sign, -1
        self.layout.swapped.append(at < self.swap_ends)
        if self.layout.words[at] == "nor" and self.neither:
            self.neither = False
        elif hit := self.starts.get(at):
            self._turn(hit, at)
        return self.sign

    def _enter_clause(self, at: int) -> None:
        self.clause = self.layout.clause[at]
        explains = self.denied and self.layout.words[at] == ":" and self._speaks(self.layout.clause[at - 1])
        joined = self.neither or explains or (self.denied and self.layout.words[at] in ("and", "as"))
        if not joined:
            self.sign, self.denied = 1, False
        elif explains:
            self.sign = -1
        self.swap_ends = self.swap_ends if joined else -1

    def _speaks(self, clause: int) -> bool:
        """Whether a clause says what is denied: `it is not true that it is down: ...`, not `we cannot call it: ...`."""
        return any(hit.tag in "+-" and self.layout.clause[hit.start] == clause for hit in self.layout.hits)

    def _turn(self, hit: Hit, at: int) -> None:
        self.sign = -self.sign
        self.denied = self.denied or hit.tag == "deny"
        self.swap_ends = hit.end + 1 + SWAPPED if hit.tag == "swap" else -1
        self.layout.swapped[at] = hit.tag == "swap"
        self.neither = self.layout.words[at] == "neither" and "nor" in self.layout.words[at:]


def _turn_words(layout: Layout) -> None:
    """The sign of every word: negation turns the rest of its clause, a denial the rest of its segment."""
    turn = _Turn(layout)
    for at in range(len(layout.words)):
        layout.parity.append(turn.step(at))


def _turn_objects(layout: Layout) -> None:
    """A phrase whose object is none says the opposite: `you received no events`, `we sent none of them`."""
    for hit in layout.hits:
        end = hit.places[-1] + 1
        if hit.tag in "+-" and _is_none(layout.words[end : end + 2]):
            for at in hit.places:
                layout.parity[at] = -layout.parity[at]


def _is_none(words: list[str]) -> bool:
    return words[:1] in (["none"], ["nothing"]) or (words[:1] == ["no"] and not COMPARED.intersection(words))


def _void_words(layout: Layout, frame: Frame) -> None:
    """Record why words state nothing: doubt and conditions void their segment, plans and asides their clause."""
    layout.void.extend("quotation" if quoted else "" for quoted in _find_quotes(layout.tokens))
    for hit in layout.hits:
        if hit.tag in VOIDING:
            _void_places(layout, layout.places_of_segment(hit.start), hit.tag)
        elif hit.tag == "idle":
            _void_places(layout, list(layout.clause_of(hit.start)), "aside")
        elif hit.tag == "plan" and not frame.concept.ahead:
            _void_places(layout, list(layout.clause_of(hit.start)), "plan")
        elif hit.tag == "aside":
            stop = next(
                (at for at in range(hit.end, len(layout.words)) if layout.words[at] in ",;:"), len(layout.words)
            )
            _void_places(layout, list(range(hit.start, stop)), "aside")


def _void_reports(layout: Layout) -> None:
    """Void the words of somebody else's statement, up to the end of its segment."""
    for at in find_reports(layout.words):
        held = any(at in hit.places for hit in layout.hits)
        if not held:
            _void_places(layout, [one for one in layout.places_of_segment(at) if one > at], "hearsay")


def _void_places(layout: Layout, places: list[int], reason: str) -> None:
    for at in places:
        layout.void[at] = layout.void[at] or reason


def _turn_claims(layout: Layout, frame: Frame) -> None:
    """`The claim that ... is wrong` turns what stands between, and the verdict on it says nothing more."""
    hits = [hit for hit in frame.claims.find(layout.words) if hit.tag == "untrue" or layout.held.isdisjoint(hit.places)]
    quoted = [at for at, reason in enumerate(layout.void) if reason == "quotation"]
    starts = [hit.end for hit in hits if hit.tag == "claim"] + quoted[:1]
    starts += [0] if "opposite" in layout.words else []
    verdict = next((hit for hit in hits if hit.tag == "untrue" and starts and hit.start > min(starts)), None)
    if verdict is None:
        return
    for at in range(min(starts), verdict.start):
        layout.parity[at] = -layout.parity[at]
        layout.void[at] = "" if layout.void[at] == "quotation" else layout.void[at]
    _void_places(layout, list(verdict.places), "verdict on a claim")


def lay_out(text: str, frame: Frame) -> Layout:
    """The words of a sentence with all that is needed to weigh them."""
    tokens = tokenize(_BARE.sub("", text, count=1))
    words = [frame.spelling.mend(token.text) for token in tokens]
    layout = Layout(tokens, words, frame.scope.find(words))
    _number_clauses(layout)
    _measure_clauses(layout, frame)
    _turn_words(layout)
    _turn_objects(layout)
    _void_words(layout, frame)
    _void_reports(layout)
    _turn_claims(layout, frame)
    return layout
