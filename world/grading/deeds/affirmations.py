"""Sentences with their denial taken out: `it is not merged yet` as `it is merged`, so that what is denied can be read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from world.grading.deeds.frames import ADVERBS, BE, CONDITIONS, FILLERS, HAVE, MODALS
from world.grading.deeds.lexicon import load_lexicon
from world.grading.deeds.sentences import DeedSentence
from world.grading.stance.inflections import inflect

GENERAL = {"no": "the", "none": "all", "nothing": "it", "neither": "both", "nobody": "somebody"}
ANY = frozenset("any anything either".split())
PARTIAL = frozenset(
    "only just even merely all every everything everybody both necessarily always directly immediately myself".split()
)
DENIALS = frozenset({"not", "never", *GENERAL})
_DONE_ONCE = frozenset({"did", "could"})
_HINDERED = frozenset("failed refused declined unable omitted forgot".split())
_DECIDED = frozenset("decided chose preferred agreed".split())
_DUE = frozenset("has have need needs remains remain is are".split())
_STAND_IN = "just"
_TO_ME = frozenset("me us my our".split())  # what nobody has told me says nothing of what I have told
_MORE = frozenset(
    "touched labelled labeled tagged relabelled tidied arranged prepared drafted carried done dealt entered recorded noted"
    " booked filled asked told informed".split()
)
_PASSED = frozenset("yet so really still quite actually been".split())
ATTEMPTS = tuple(
    tuple(one.split())
    for one in (
        "able to",
        "manage to",
        "managed to",
        "get to",
        "got to",
        "gotten to",
        "get round to",
        "got round to",
        "get around to",
        "got around to",
        "gotten around to",
        "gotten round to",
        "have time to",
        "had time to",
        "had the time to",
        "find time to",
        "found time to",
        "had a chance to",
        "dare to",
    )
)


@dataclass(frozen=True)
class Affirmation:
    """A clause, `start` to `end`, of a sentence without its denial.

    `is_general`: it denies it of everything. `is_past`: it tells how things were.
    """

    wording: DeedSentence
    start: int
    end: int
    is_general: bool = False
    is_past: bool = False


def list_affirmations(wording: DeedSentence) -> Iterator[Affirmation]:
    """What each clause of a sentence denies, as if it were said to be so."""
    for start, end in list_clauses(wording):
        denials = [at for at in range(start, end) if wording.words[at] in DENIALS]
        if len(denials) > 1 or not CONDITIONS.isdisjoint({*wording.words[:start]} - {"had", "did", "should"}):
            continue
        found = _affirm(wording, denials[0], start, end) if denials else _affirm_due(wording, start, end)
        if found is not None:
            yield found


def list_clauses(wording: DeedSentence) -> Iterator[tuple[int, int]]:
    """The clauses of a sentence: where each begins and ends."""
    at, size = 0, len(wording.words)
    while at < size:
        end = wording.end(at)
        if end > at:
            yield at, end
        at = end + 1


def _affirm(wording: DeedSentence, at: int, start: int, end: int) -> Affirmation | None:
    words = list(wording.words)
    word = words[at]
    if _is_excepted(words, at, end):
        return None  # `nothing but the row`
    if word in GENERAL:
        active = word == "nobody" and not HAVE.isdisjoint(words[at + 1 : at + 2]) and "been" not in words[at:end]
        words[at] = "we" if active and _TO_ME.isdisjoint(words[at:end]) else GENERAL[word]
        return Affirmation(replace(wording, words=words), start, end, is_general=True)
    if not PARTIAL.isdisjoint(words[at + 1 : at + 2]):
        return None
    helper = _skip_back(words, at - 1, start)
    before = words[helper] if helper >= start else ""
    verb, tried = _find_verb(words, at + 1, end)
    if verb >= end or "had" in words[start:at] or before in MODALS - _DONE_ONCE:
        return None
    if before in _DECIDED and words[at + 1] == "to":
        verb, tried = at + 2, True
        words[helper] = _STAND_IN
    if tried or before in _DONE_ONCE:
        if not _make_past(words, verb):
            return None
        idle = range(helper if before in _DONE_ONCE | BE else at, verb)
    elif before in HAVE or before in BE or all(one in FILLERS or one in ADVERBS for one in words[start:at]):
        idle = range(at, at + 1)
    else:
        return None
    for place in idle:
        words[place] = _STAND_IN
    general = not ANY.isdisjoint(words[verb:end])
    past = before in ("was", "were") and not tried
    return Affirmation(replace(wording, words=words), start, end, is_general=general, is_past=past)


def _is_excepted(words: Sequence[str], at: int, end: int) -> bool:
    """Whether a clause denies all but one: `I changed nothing but the row`, `did not touch anything except it`."""
    whole = {"nothing", "none", "nobody", "neither"} if words[at] in GENERAL else ANY
    last = next((place for place in range(at, end) if words[place] in whole), end)
    return words[last + 1 : last + 2] in (["but"], ["except"], ["besides"]) or (
        words[last + 1 : last + 3] in (["apart", "from"], ["other", "than"], ["else", "than"], ["aside", "from"])
    )


def _skip_back(words: Sequence[str], at: int, start: int) -> int:
    while at >= start and words[at] in ADVERBS:
        at -= 1
    return at


def _find_verb(words: Sequence[str], at: int, end: int) -> tuple[int, bool]:
    """Return where the verb behind a denial stands, and whether it was only attempted: `not able to close`."""
    tried = False
    while at < end and (words[at] in ADVERBS or words[at] in _PASSED):
        at += 1
    for attempt in ATTEMPTS:
        if tuple(words[at : at + len(attempt)]) == attempt:
            at, tried = at + len(attempt), True
            break
    while at < end and words[at] in ADVERBS:
        at += 1
    return at, tried


def _affirm_due(wording: DeedSentence, start: int, end: int) -> Affirmation | None:
    """A deed that is only due, or that did not succeed: `have yet to close it`, `still to be closed`, `failed to`."""
    words = list(wording.words)
    for at in range(start, end - 1):
        if words[at] != "to":
            continue
        before, verb = words[start:at], at + 1
        if not ("yet" in before[-1:] or "still" in before or not _HINDERED.isdisjoint(before[-1:])):
            continue
        first = next((n for n in range(start, at) if words[n] in _DUE | _HINDERED | {"still", "yet"}), at)
        if words[verb : verb + 1] == ["be"]:
            words[first : verb + 1] = ["is", *[_STAND_IN] * (verb - first)]
            return Affirmation(replace(wording, words=words), start, end)
        if verb < end and _make_past(words, verb):
            words[first:verb] = [_STAND_IN] * (verb - first)
            return Affirmation(replace(wording, words=words), start, end)
    return None


def _make_past(words: list[str], at: int) -> bool:
    """Put the verb at a place into the form in which the lexicon has it; false where it has none."""
    if at >= len(words):
        return False
    for base in _list_bases(words[at]):
        for form in (*inflect(base)[2:], base):
            if load_lexicon().heads.fullmatch(form) or form in _MORE:
                words[at] = form
                return True
    return False


def _list_bases(word: str) -> tuple[str, ...]:
    """The plain forms that a word may be of: itself, or that of `merging`."""
    if not word.endswith("ing") or len(word) < 6:
        return (word,)
    stem = word[:-3]
    return tuple(one for one in (stem, f"{stem}e", stem[:-1]) if word in inflect(one))
