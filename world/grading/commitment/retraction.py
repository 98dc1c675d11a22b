"""Retraction: the parts of a text that its author denies, takes back or does not mean are void."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, zip_longest

from world.core.reading.passage import Mark, Passage
from world.grading.commitment.lexicon import load_cues
from world.grading.commitment.sentence_rules import (
    ANSWERS,
    Denial,
    find_denial,
    find_void,
    leads_to_denied,
    names_thing,
    takes_all_back,
)
from world.grading.commitment.sentences import Sentence, list_quotations, split_sentences
from world.grading.commitment.suppositions import asks_on_condition
from world.grading.text_cache import keep_short

MOST_CHARS = 20_000  # longer texts are not read
REACH = 2  # words of a value behind a negation
MOST_VAGUE = 8  # words of a sentence that only takes something back
MOST_VERDICT = 4  # words of a sentence that only calls something wrong, and may speak of what was said elsewhere
LONGEST_VALUE = 3  # words of a `no` that fills a field
LONGEST_STATE = 4  # words of how a matter stands
STATING = 3  # words of a sentence that states something
REPEATED = 0.8  # of the words of a sentence that says something again
_UNSTATED = frozenset("whether if wondered asked not no never none nothing nobody neither without".split())
_OPENINGS = frozenset({"denied", "taken back"})
_VALUES = frozenset({"no", "none", "nothing"})
_UNSETTLED = frozenset("disputed unconfirmed unverified".split())
_NUMBERED = re.compile(r"[A-Z]+-?[0-9]+|#[0-9]+")
_OPEN = frozenset({"quoted", "asked", "negated", "another language"})  # reasons for void text that denies nothing
_WORD = re.compile(r"[^\W_]+")
_PART = re.compile(r"[\s,;|]+(?:and[\s,]+)?")
_ADDRESS = re.compile(r"[<*`(]*(?:[\w.+-]*@)?[\w-]+(?:\.[\w-]+)+[>`)]*\.?")
_REQUEST = re.compile(
    r"[,;:–—-]\s+(?:and |but |so |please )?(?:(?:could|can|would|will) (?:you|somebody|someone|anyone)|(?:shall|should|may|can) (?:i|we)"
    r"|do you (?:want|mind|need))\b",
    re.I,
)
_ABSTAINS = re.compile(
    r"\bneither confirm(?:s|ed)? nor den(?:y|ies|ied)\b|\b(?:not|cannot|n['’]t)(?: yet)? (?:say|tell|judge|comment on|confirm or deny|know)"
    r"(?: yet)?(?: whether| if|\.|,|$)",
    re.I,
)
_LOOKS_AHEAD = re.compile(r"\b(?:below|following|follows|next|here|this|these)\b", re.I)
_SMALL = frozenset(
    """
    a an the at on in for of to by since from until till about around exactly just only be been being is are was were
    even any as with than over under within some roughly approximately eur usd gbp chf € $ £
    """.split()
)
_SHOWING = frozenset(
    "says said shows showed shown reads states stated lists listed gives gave counts counted has had".split()
)
_OWN = frozenset("i we you".split())
_BREAKS = frozenset(", ; : ( ) . ! ? – — but however".split()) | {"\n"}


@dataclass(frozen=True, slots=True)
class Disavowal:
    """A stretch that its author does not stand by, with the sentence that says so and why."""

    start: int
    end: int
    sentence: str
    reason: str
    part: bool = False  # of one sentence, which may say just so what it means: `it is not over`
    asked: bool = False  # of a question


@dataclass(frozen=True)
class Commitment:
    """A text with its void stretches."""

    passage: Passage
    voids: tuple[Disavowal, ...]

    def find_void(self, start: int, end: int, *, asked: bool = False) -> Disavowal | None:
        """Return the disavowal of a stretch, or None; with `asked`, words in a question count as said."""
        found = (one for one in self.voids if one.start < end and start < one.end)
        return next((one for one in found if not (asked and one.asked)), None)

    @property
    def whole(self) -> Disavowal | None:
        """Disavowal of the whole text, or nearly: a denial of the whole or of every statement. None without one."""
        voids = [one for one in self.voids if not self._spares(one)]
        for one in voids:
            if not one.part and one.reason != "quoted" and self._covers(one):
                return one
        denied = [one for one in voids if not one.asked and one.reason != "quoted"]
        left = list(self.passage.without("struck", "quoted", "hidden"))
        for one in self.voids:
            if self._spares(one):
                left[one.start : one.end] = " " * (min(one.end, len(left)) - one.start)
        words = len(_WORD.findall("".join(left)))
        for one in denied:
            left[one.start : one.end] = " " * (min(one.end, len(left)) - one.start)
        stated = len(_WORD.findall("".join(left)))
        if words and 2 * stated >= words:
            return None
        said = denied or [one for one in self.voids if self._spares(one)]
        return said[0] if said else Disavowal(0, 0, "", "struck out or quoted")

    def _spares(self, one: Disavowal) -> bool:
        """Whether what is void denies nothing of the text: it takes back something said before it, as in `I was wrong,
        sorry. It is PAY-4.`, or leaves a matter open.
        """
        text = self.passage.text
        if _ABSTAINS.search(one.sentence) is not None:
            return True
        alone = not one.part and one.reason in _OPENINGS and text[one.start : one.end].strip() == one.sentence
        first = not text[: one.start].strip() and _LOOKS_AHEAD.search(one.sentence) is None
        return alone and first and len(_WORD.findall(text[one.end :])) >= STATING

    def _covers(self, one: Disavowal) -> bool:
        """Whether a denial reaches more than half of the text."""
        return 2 * len(_WORD.findall(self.passage.text[one.start : one.end])) > len(_WORD.findall(self.passage.text))

    def strike_withdrawals(self) -> Passage:
        """The text with what its author takes back struck out; sentences that deny something stay."""
        marks = [Mark(one.start, one.end, "struck") for one in self.voids if not one.part and one.start < one.end]
        return Passage(self.passage.text, (*self.passage.marks, *marks)) if marks else self.passage


@keep_short
def find_sweeping_denial(passage: Passage) -> str | None:
    """The sentence by which an author takes back all they have said anywhere."""
    sentences = split_sentences(passage) if len(passage.text) <= MOST_CHARS else []
    return next((one.text.strip() for one in sentences if takes_all_back(one)), None)


def read_commitment(passage: Passage, following: Sequence[Passage] = ()) -> Commitment:
    """Find what an author does not stand by in a text, given what they said next in the same place."""
    return _read(passage, tuple(following))


@lru_cache(maxsize=2048)
def _read(passage: Passage, following: tuple[Passage, ...]) -> Commitment:
    size = len(passage.text)
    if size > MOST_CHARS:
        return Commitment(passage, (Disavowal(0, size, "", "too long to be read"),))
    sentences = split_sentences(passage)
    voids = [Disavowal(start, end, passage.text[start:end], "quoted") for start, end in list_quotations(passage.text)]
    voids += [one for sentence, after in pairwise([*sentences, None]) for one in _own_voids(sentence, after)]
    voids += _denials(sentences, size)
    voids += [
        Disavowal(0, size, text, reason) for more in following for text, reason in _list_withdrawals(more, passage)
    ]
    return Commitment(passage, tuple(voids))


def _own_voids(sentence: Sentence | None, after: Sentence | None) -> list[Disavowal]:
    """List what a sentence itself makes void; one that ends with a colon goes on in the next."""
    if sentence is None:
        return []
    found: list[Disavowal] = []
    if sentence.asks:
        begin = sentence.start + _find_request(sentence.text)
        found.append(Disavowal(begin, sentence.end, sentence.text.strip(), "asked", part=True, asked=True))
    part = find_void(sentence)
    if part is not None:
        goes_on = after is not None and leads_to_denied(sentence) and part[1] == len(sentence.text)
        end = after.end if goes_on and after is not None else sentence.start + part[1]
        asks = not sentence.text[: part[0]].strip() and asks_on_condition(sentence, part[1])
        reason = "asked" if asks else "denied"
        found.append(Disavowal(sentence.start + part[0], end, sentence.text.strip(), reason, part=True, asked=asks))
    return found + _list_negated_values(sentence)


def _find_request(text: str) -> int:
    """Return where a request begins behind a statement (`he is the owner, could you ask him?`), or 0 in a whole question."""
    request = _REQUEST.search(text)
    return request.start() if request and len(_WORD.findall(text[: request.start()])) >= STATING else 0


def _list_negated_values(sentence: Sentence) -> list[Disavowal]:
    """The value right behind a negation: not EUR 630, not at 19:30; `events were not sent for 35 min` denies no 35 min."""
    words, tokens = sentence.words, sentence.tokens
    found: list[Disavowal] = []
    for hit in load_cues().negation.find(words):
        if hit.tag != "negator" or (words[hit.start] == "except" and not _is_value_next(words, hit.end)):
            continue  # `all except PAY-4` names what is left out
        if (
            words[hit.end - 1] in ("of", "than")
            and _SHOWING & set(words[: hit.start])
            and not _OWN & set(words[: hit.start])
        ):
            continue  # `the page shows 5 instead of 4` tells of both
        end = hit.end
        while end < len(words) and (words[end] in _SMALL):
            end += 1
        last = end + REACH
        while end < min(last, len(words)) and words[end] not in _BREAKS:
            end += 1
        if end > hit.end:
            start, stop = tokens[hit.end].start, tokens[end - 1].end
            found.append(
                Disavowal(sentence.start + start, sentence.start + stop, sentence.text.strip(), "negated", part=True)
            )
    return found


def _is_value_next(words: Sequence[str], at: int) -> bool:
    """Whether a figure follows."""
    return any(word[0].isdigit() for word in words[at : at + 2] if word)


def _denials(sentences: Sequence[Sentence], size: int) -> list[Disavowal]:
    found: list[Disavowal] = []
    stated = asked = thing = False
    last: Sentence | None = None
    for sentence, after in zip_longest(sentences, sentences[1:]):
        denial = find_denial(sentence, after_statement=stated, after_question=asked, names_thing=thing)
        words = [word for word in sentence.words if word[0].isalnum()]
        if last is not None and last.leads and (_is_value(words) or _is_state(words, last)):
            denial = None
        if denial is not None and denial.direction == "after" and after is not None and _lists_addresses(after):
            denial = None
        if denial is not None and not (denial.vague and _says_more(denial, len(words))):
            aimed = replace(denial, direction="itself") if denial.vague else denial
            start, end = _stretch(aimed, sentence, last, size)
            found.append(Disavowal(start, end, sentence.text.strip(), denial.reason))
        asked, thing = sentence.asks, thing or names_thing(sentence.words)
        stated = stated or (denial is None and not asked and len(words) >= STATING)
        last = sentence
    return found


def _says_more(denial: Denial, words: int) -> bool:
    """Whether a vague denial answers, or goes on to say what is right."""
    return denial.reason == ANSWERS or words > (MOST_VERDICT if denial.reason == "denied" else MOST_VAGUE)


def _is_value(words: Sequence[str]) -> bool:
    """Whether a `no` behind a colon is what stands in a field: `Incident: no`."""
    return 0 < len(words) <= LONGEST_VALUE and words[0] in _VALUES


def _lists_addresses(sentence: Sentence) -> bool:
    """Whether a line holds addresses alone, of which nothing is stated but what their heading says: `False: a@b.example`."""
    parts = [part for part in _PART.split(sentence.text.strip(" \t\n.-*•")) if part]
    return bool(parts) and all(_ADDRESS.fullmatch(part) for part in parts)


def _is_state(words: Sequence[str], label: Sentence) -> bool:
    """Whether words tell how a matter with a number stands: `SHOP-4: still disputed`."""
    named = len(label.text.split()) == 1 and _NUMBERED.fullmatch(label.text.strip(" -*•:")) is not None
    return named and len(words) <= LONGEST_STATE and not _UNSETTLED.isdisjoint(words)


def _stretch(denial: Denial, sentence: Sentence, last: Sentence | None, size: int) -> tuple[int, int]:
    """Return the stretch that a denial reaches.

    `it never was` leaves alone what the last sentence asks or denies itself.
    """
    if denial.direction == "last":
        stands = last is None or not _UNSTATED.isdisjoint(last.words)
        return (sentence.start if stands or last is None else last.start), sentence.end
    start = 0 if denial.direction in ("before", "both") else sentence.start
    end = size if denial.direction in ("after", "both") else sentence.end
    return start, end


def _list_withdrawals(later: Passage, passage: Passage) -> list[tuple[str, str]]:
    """The sentences of a later message that deny the one before, or what it says."""
    found: list[tuple[str, str]] = []
    sentences = split_sentences(later)
    for sentence in sentences:
        denial = find_denial(sentence, after_statement=True, after_question=False)
        if denial is not None and denial.direction in ("before", "both"):
            found.append((sentence.text.strip(), denial.reason))
    for void in _read(later, ()).voids:
        if void.reason not in _OPEN and any(
            _repeats(one, passage.text) for one in _list_covered_parts(void, sentences, later.text)
        ):
            found.append((void.sentence, void.reason))
    return found


def _list_covered_parts(void: Disavowal, sentences: Sequence[Sentence], text: str) -> list[str]:
    """The parts of the sentences that a void stretch covers."""
    reach = [(max(one.start, void.start), min(one.end, void.end)) for one in sentences]
    return [text[start:end] for start, end in reach if start < end]


def _repeats(denied: str, text: str) -> bool:
    """Whether a text says nearly all of what stands at the end of a denied stretch, behind `it is not true that`."""
    words = _WORD.findall(denied.casefold())
    known = set(_WORD.findall(text.casefold()))
    tails = [words[at:] for at in range(len(words)) if len(words) - at >= max(STATING, len(words) // 2)]
    return any(sum(word in known for word in tail) >= REPEATED * len(tail) for tail in tails)
