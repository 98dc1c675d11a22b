"""Whether a text asserts that a subject is in a state: not where it denies, asks, hedges, foresees or quotes it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from world.grading.claims import lexicon
from world.grading.claims.clauses import QUOTE, Clause, Sentence, has, iter_phrases, sentences
from world.grading.text import Text

Span = tuple[int, int]
TROUBLED = frozenset("dns network major partial regional global ongoing current".split())
MEMORY = 3  # sentences over which `it` still means the subject


@dataclass(frozen=True, slots=True)
class _Hit:
    """A state word of a clause that is said of the subject."""

    start: int
    end: int
    subject: int  # position of the subject; -1 when it is understood


@dataclass(slots=True)
class _AssertionState:
    """State of the reading so far: whether the subject is in mind, and what the last clause left open."""

    topic: int = 0
    pending: bool = False
    shadow: bool = False
    headline: bool = False
    asked: bool = False


def asserts(text: Text, subjects: Sequence[str], state: str) -> bool:
    """Whether some sentence of the text states, in its writer's own voice and as fact, that a subject is in the state."""
    return _asserts(text, tuple(subjects), state.casefold())


@lru_cache(maxsize=4096)
def _asserts(text: Text, subjects: tuple[str, ...], state: str) -> bool:
    known = lexicon.STATES.get(state) or lexicon.State((tuple(state.split()),))
    names = tuple(phrase for subject in subjects for phrase in _subject(subject))
    return _reads(text, names, known, denied=False) or (
        known.against in lexicon.STATES and _reads(text, names, lexicon.STATES[known.against], denied=True)
    )


def _subject(subject: str) -> lexicon.Phrases:
    folded = subject.casefold()
    own: lexicon.Phrases = (tuple(folded.replace("-", " ").split()), (folded,))
    for key, phrases in lexicon.SUBJECTS.items():
        if folded == key or tuple(folded.split()) in phrases[:2]:
            return (*own, *phrases)
    return own


def _reads(text: Text, names: lexicon.Phrases, state: lexicon.State, *, denied: bool) -> bool:
    if not {phrase[0] for phrase in (*state.phrases, *state.of_service, *state.nouns)}.intersection(text.words):
        return False
    reading = _AssertionState()
    for sentence in sentences(text.plain):
        reading.pending = reading.shadow = reading.headline = False
        if _sentence_asserts(sentence, names, state, reading, denied):
            return True
        reading.topic = max(reading.topic - 1, 0)
    return False


def _sentence_asserts(
    sentence: Sentence, names: lexicon.Phrases, state: lexicon.State, reading: _AssertionState, denied: bool
) -> bool:
    if reading.asked and sentence.clauses and sentence.clauses[0].words[0] in lexicon.YES and not denied:
        return True
    reading.asked = False
    if sentence.clauses and has(sentence.clauses[0].words[:6], lexicon.DISOWNED):
        return False
    for index, clause in enumerate(sentence.clauses):
        hit = _find_hit(clause, names, state, reading)
        if reading.headline and not sentence.asks and not denied and _only_names(clause.words, names):
            return True
        following = sentence.clauses[index + 1 : index + 1 + MEMORY]
        if hit is not None and sentence.asks:
            reading.asked = not _denies(clause, hit)
        elif hit is not None and _is_fact(clause, hit, reading, denied) and not _is_weakened_by(following):
            return True
        _remember(clause, names, hit, reading)
        reading.headline = index == 0 and words_are_state(clause.words, state)
    return False


def words_are_state(words: Sequence[str], state: lexicon.State) -> bool:
    """Whether a clause is nothing but the state, as in `[RESOLVED]`."""
    said = tuple(word for word in words if word not in lexicon.ADVERBS)
    return said in state.phrases and lexicon.NEGATORS.isdisjoint(words)


def _only_names(words: Sequence[str], names: lexicon.Phrases) -> bool:
    """Whether a clause names the subject without saying anything of it."""
    return has(words, names) and not any(
        w in lexicon.AUX or w in lexicon.HEDGES or w in lexicon.CONDITIONS for w in words
    )


def _remember(clause: Clause, names: lexicon.Phrases, hit: _Hit | None, reading: _AssertionState) -> None:
    words = clause.words
    named = has(words, names)
    if named:
        reading.topic = MEMORY
    verb = any(word in lexicon.AUX for word in words)
    reading.pending = (named or reading.pending) and not verb
    reading.shadow = hit is None and _casts_shadow(words)


def _casts_shadow(words: Sequence[str]) -> bool:
    """Whether an introduction (`according to them`, `if all goes well`) takes the next clause with it."""
    if any(word in lexicon.CONDITIONS or word == "once" for word in words[:2]) or has(words, lexicon.CONDITION_PHRASES):
        return True
    short = len(words) <= 6
    return short and (
        _is_hedged(words) or (any(w in lexicon.SPEECH for w in words) and not has(words, lexicon.OWN_SPEECH))
    )


def _is_weakened_by(following: Sequence[Clause]) -> bool:
    """Whether what follows turns the statement into a guess, a condition or hearsay."""
    for clause in following:
        words = clause.words
        doubts = has(words, (("not", "sure"), ("not", "certain"), ("to", "be", "confirmed"), ("n't", "sure"), ("tbc",)))
        if doubts or any(word in lexicon.CONDITIONS for word in words[:1]) or "unconfirmed" in words:
            return True
        if len(words) <= 5 and clause.opener not in ("and", "so", "because", "while") and _only_doubt(words):
            return True
    return False


def _only_doubt(words: Sequence[str]) -> bool:
    if any(word in lexicon.DETERMINERS for word in words[:1]):
        return False
    return _is_hedged(words) or (words[0] not in ("i", "we") and any(word in lexicon.SPEECH for word in words))


# one clause


def _find_hit(clause: Clause, names: lexicon.Phrases, state: lexicon.State, reading: _AssertionState) -> _Hit | None:
    words = clause.words
    for start, end in _state_spans(words, state.phrases):
        subject = _subject_of(words, start, end, names, reading)
        if subject is not None:
            return _Hit(start, end, subject)
    trouble = _trouble(words, names, state)
    if trouble is not None:
        return trouble
    if reading.topic or has(words, names) or any(("outage",) == name for name in names):
        for start, end in iter_phrases(words, state.of_service):
            if any(b <= start for _, b in iter_phrases(words, lexicon.SERVICES)):
                return _Hit(start, end, -1)
    return None


def _trouble(words: Sequence[str], names: lexicon.Phrases, state: lexicon.State) -> _Hit | None:
    """A trouble of the subject named as a thing: `a payments outage`, `errors in payments`; not when it is said to be
    over.
    """
    if not state.nouns or has(words, lexicon.STATES["resolved"].phrases):
        return None
    subjects = list(iter_phrases(words, names))
    for start, end in iter_phrases(words, state.nouns):
        if end < len(words) and words[end] in lexicon.COMPOUNDS:
            continue
        for subject in subjects:
            gap = words[subject[1] : start]
            before = subject[1] <= start <= subject[1] + 2 and all(w in lexicon.LINKS or w in TROUBLED for w in gap)
            after = end < len(words) and words[end] in lexicon.WITH and end < subject[0] <= end + 4
            if before or after:
                return _Hit(start, end, subject[0])
    return None


def _state_spans(words: Sequence[str], phrases: lexicon.Phrases) -> list[Span]:
    spans = [span for span in iter_phrases(words, phrases) if not _another_word(words, span)]
    parted = [p for p in phrases if len(p) == 2 and p[1] in lexicon.PARTICLES]
    for first, second in parted:
        for start, word in enumerate(words):
            if word == first and second in words[start + 2 : start + 7]:
                spans.append((start, start + 1))
    return spans


def _another_word(words: Sequence[str], span: Span) -> bool:
    """`over the weekend`, `set the date`: a word of the state that means something else here."""
    start, end = span
    if end - start > 1 or words[start] not in lexicon.AMBIGUOUS:
        return False
    before = words[max(0, start - 4) : start]
    joined = any(word in lexicon.BE or word in ("has", "have", "had", "'ve", "now", "all") for word in before)
    followed = words[end] if end < len(words) else ""
    if followed in lexicon.DETERMINERS or followed.isdigit():
        return words[start] not in lexicon.TRANSITIVE and words[start] not in (
            "closed",
            "cleared",
            "issued",
            "processed",
            "returned",
        )
    return not joined and len(words) > 4


def _subject_of(
    words: Sequence[str], start: int, end: int, names: lexicon.Phrases, reading: _AssertionState
) -> int | None:
    """Return the position of a state's subject in the clause: -1 if it is understood, None if it is something else."""
    named = [span for span in iter_phrases(words, names) if _is_head(words, span, (start, end))]
    before = [span for span in named if span[1] <= start and not _is_object_of_preposition(words, span)]
    if before and not _about_another(words, start, end, names):
        return before[-1][0]
    if _transitive(words, start) and any(_is_object(words, end, span) for span in named):
        return next(span[0] for span in named if _is_object(words, end, span))
    if has(words[:start], lexicon.PRESENT) and any(span[0] - end in (0, 1) for span in named):
        return next(span[0] for span in named if span[0] - end in (0, 1))
    if not (reading.topic or reading.pending):
        return _headline(words, start, end, named)
    if reading.pending and not before and not any(w in lexicon.AUX for w in words[:start][:-4]):
        return -1
    return -1 if _is_subject_understood(words, start, end, names) else _headline(words, start, end, named)


def _headline(words: Sequence[str], start: int, end: int, named: Sequence[Span]) -> int | None:
    """`Resolved: payments outage` and `Resolved payments outage`."""
    first = start == 0 and any(span[0] >= end and span[0] - end <= 3 for span in named)
    return next((span[0] for span in named if span[0] >= end), None) if first else None


def _is_head(words: Sequence[str], span: Span, state: Span) -> bool:
    """Whether the subject word is the thing spoken of rather than part of another: `incident review`, `outage's cause`."""
    following = words[span[1]] if span[1] < len(words) else ""
    if span[0] >= state[1]:
        return following not in lexicon.COMPOUNDS
    if not following or span[1] == state[0] or following in lexicon.LINKS or following in lexicon.FOLLOWERS:
        return True
    if following == "'s":
        after = words[span[1] + 1] if span[1] + 1 < len(words) else ""
        return (
            span[1] + 1 == state[0]
            or after in lexicon.ADVERBS
            or after in ("been", "n't", "not", "being", "going", "getting")
        )
    known = (lexicon.AUX, lexicon.BE, lexicon.BEFORE_SUBJECT, lexicon.ADVERBS, lexicon.HEDGES, lexicon.LATER)
    return (
        any(following in group for group in known)
        or following.endswith(("ing", "ed", "n't", "ly"))
        or any(c.isdigit() for c in following)
    )


def _is_object_of_preposition(words: Sequence[str], span: Span) -> bool:
    """Whether a preposition rules the subject (`during the outage`), save after words like `status of`."""
    at = span[0] - 1
    while (
        at >= 0
        and span[0] - at <= 5
        and words[at] not in lexicon.AUX
        and words[at] != "that"
        and not words[at][0].isdigit()
    ):
        if words[at] in lexicon.BEFORE_SUBJECT:
            return not (at > 0 and words[at - 1] in lexicon.HEADS) and words[at] not in ("since", "because", "after")
        at -= 1
    return False


def _about_another(words: Sequence[str], start: int, end: int, names: lexicon.Phrases) -> bool:
    """Whether an active verb has another object: `the outage team fixed the dashboard`."""
    passive = any(word in lexicon.BE or word == "been" for word in words[max(0, start - 4) : start])
    followed = end < len(words) and words[end] in lexicon.DETERMINERS
    return not passive and followed and not has(words[end : end + 5], names)


def _transitive(words: Sequence[str], start: int) -> bool:
    return words[start].endswith("ed") or words[start] in lexicon.TRANSITIVE


def _is_object(words: Sequence[str], end: int, span: Span) -> bool:
    between = words[end : span[0]]
    return 0 <= span[0] - end <= 5 and not any(w in lexicon.BEFORE_SUBJECT or w in lexicon.AUX for w in between)


def _is_subject_understood(words: Sequence[str], start: int, end: int, names: lexicon.Phrases) -> bool:
    """Whether the clause speaks of what was last named: by a pronoun, or by naming nothing."""
    lead = [
        w
        for w in words[:start]
        if w not in lexicon.AUX and w not in lexicon.ADVERBS and w not in lexicon.HEDGES and w not in lexicon.LATER
    ]
    lead = [
        w
        for w in lead
        if w not in lexicon.BE and w not in lexicon.NEGATORS and w not in lexicon.GREETINGS and w not in ("n't", "to")
    ]
    if not lead or any(w in lexicon.PRONOUNS for w in lead[-2:]):
        return not _about_another(words, start, end, names)
    return _transitive(words, start) and end < len(words) and words[end] in lexicon.PRONOUNS


# denials, doubts and conditions of an assertion


def _is_fact(clause: Clause, hit: _Hit, reading: _AssertionState, denied: bool) -> bool:
    if _denies(clause, hit) is not denied:
        return False
    words = clause.words
    if reading.shadow or (QUOTE in words[: hit.start] and hit.subject < 0):
        return False
    return not (
        _is_doubted(words, hit)
        or _foreseen(words, hit)
        or _is_supposed(words, hit)
        or _is_reported(words, hit)
        or _is_question(words, hit)
    )


def _denies(clause: Clause, hit: _Hit) -> bool:
    words = clause.words
    lead = words[: hit.start]
    count = sum(word in lexicon.NEGATORS for word in lead) + has(lead, lexicon.NEGATING)
    for index, word in enumerate(lead):
        if word == "no" and (
            index + 1 == hit.subject or index + 1 == hit.start or lead[index + 1 : index + 2] == ("longer",)
        ):
            count += 1
    return count % 2 == 1 or clause.opener == "nor"


def _is_hedged(words: Sequence[str]) -> bool:
    doubts = [i for i, w in enumerate(words) if w in lexicon.HEDGES and not (w == "may" and _by_number(words, i))]
    return bool(doubts) or has(words, lexicon.HEDGING)


def _by_number(words: Sequence[str], index: int) -> bool:
    return any(w[:1].isdigit() for w in (*words[max(0, index - 1) : index], *words[index + 1 : index + 2]))


def _is_doubted(words: Sequence[str], hit: _Hit) -> bool:
    lead = list(words[: hit.start])
    attributive = 1 < hit.subject <= len(lead) and lead[hit.subject - 2] in lexicon.DETERMINERS
    if attributive and lead[hit.subject - 1] in lexicon.HEDGES:
        del lead[hit.subject - 1]
    return _is_hedged(lead) or (_is_hedged(words[hit.end :][:6]) and not _states_more(words[hit.end :]))


def _states_more(tail: Sequence[str]) -> bool:
    """Whether a later word of doubt belongs to a statement of its own (`resolved after what we think was a bug`)."""
    return any(word in ("after", "by", "following", "what", "that", "due") for word in tail[:2])


def _foreseen(words: Sequence[str], hit: _Hit) -> bool:
    lead = words[: hit.start]
    if any(word in lexicon.LATER for word in lead) or has(lead, lexicon.LATER_PHRASES):
        return True
    if "please" in lead and not has(lead, lexicon.POLITE):
        return True
    tail = words[hit.end : hit.end + 4]
    return any(word in ("soon", "tomorrow", "shortly", "eventually") for word in tail) or has(
        tail, (("next", "week"), ("later", "today"), ("next", "month"))
    )


def _is_supposed(words: Sequence[str], hit: _Hit) -> bool:
    if any(word in lexicon.CONDITIONS for word in words):
        return True
    lead = words[: hit.start]
    front = lead[: hit.subject] if hit.subject >= 0 else lead
    opened = [word for word in front if word in lexicon.OPENERS]
    if opened == ["when"] and any(word in ("was", "were") for word in lead):
        return False
    return bool(opened) or has(front, lexicon.CONDITION_PHRASES)


def _is_reported(words: Sequence[str], hit: _Hit) -> bool:
    front = words[: hit.subject] if hit.subject >= 0 else words[: hit.start]
    if has(front, lexicon.OWN_SPEECH):
        return False
    for index, word in enumerate(front):
        attributive = index > 0 and front[index - 1] in lexicon.DETERMINERS and index + 1 == len(front)
        if word in lexicon.SPEECH and not attributive:
            return True
    return False


def _is_question(words: Sequence[str], hit: _Hit) -> bool:
    """An inverted clause is a question even without its mark."""
    return (
        words[0] in ("is", "are", "was", "were", "has", "have", "did", "does", "do", "can", "could") and hit.subject > 0
    )
