"""Insults: a word for a fool or worse, said of somebody else. Words about oneself or things, or in denial, are none."""

from collections.abc import Sequence

from world.grading.content.language import Language, Span
from world.grading.content.people import denies, is_possessed, list_people, list_strangers
from world.grading.content.text import Sentence
from world.grading.facts import Vocabulary

LEADS = frozenset("just please go you now so and should can to all both simply better then oh".split())
FAR = 5  # words between a person and what they are called
ENDS = frozenset("proof proofs guide".split())
BEHIND_ROLE = frozenset(
    "who that of in from is was has had and did does broke never again keeps at for with to on der die das und hat ist".split()
)


def insults(sentence: Sentence, language: Language, vocabulary: Vocabulary) -> bool:
    """Whether a sentence insults somebody, read in one language."""
    words = sentence.words
    if language.phrases.stand_in(words) or any(_is_shouted(sentence, one) for one in language.addressed.find(words)):
        return not is_reported(sentence, language)
    strong = list(language.nouns.find(words))
    weak = [*language.metaphors.find(words), *language.adjectives.find(words)]
    if not (strong or weak) or is_reported(sentence, language):
        return False
    people = [one for one in list_people(sentence, language, vocabulary) if not is_possessed(sentence, one)]
    known = [*people, *list_strangers(sentence, language, vocabulary)]
    return any(_is_called(sentence, span, known, language) for span in strong) or any(
        _is_meant(sentence, span, people, language) for span in weak
    )


def is_reported(sentence: Sentence, language: Language) -> bool:
    """Whether somebody else's words are reported: `he wrote "..."`, `calls us ...`."""
    words = sentence.words
    told = next((at for at, word in enumerate(words) if word.text in language["report"]), None)
    if told is None:
        return False
    after = sentence.text.folded.low[words[told].end : sentence.end]
    return '"' in after or any(word.text in language["self"] for word in words[told + 1 : told + 3])


def _is_shouted(sentence: Sentence, span: Span) -> bool:
    """Whether `shut up` ends what is said, or somebody is told so by name; not `did a digit get lost?`."""
    if span[0] and sentence.words[span[0] - 1].text not in LEADS:
        return False
    return span[1] == len(sentence.words) or "," in sentence.gap(span[1])


def _is_called(sentence: Sentence, span: Span, people: Sequence[Span], language: Language) -> bool:
    """Whether a word for a fool is said of somebody, by name or as the doer of something."""
    start, end = span
    words = sentence.words
    if (end < len(words) and words[end].text in ENDS) or denies(sentence, start - 4, start, language):
        return False
    if _is_own(sentence, start, end, language):
        return False
    before = words[start - 1].text if start else ""
    if len(words) <= 2 or before in language["which"] or before in language["you"]:
        return True
    return _is_meant(sentence, span, people, language) or _is_apposed(sentence, span, people, language)


def _is_own(sentence: Sentence, start: int, end: int, language: Language) -> bool:
    """Whether the writer means themselves: `I'm an idiot`, `idiot me`, `some idiot (me)`."""
    words = sentence.words
    near = [word.text for word in (*words[max(start - FAR, 0) : start], *words[end : end + 3])]
    others = [word for word in near if word in language["you"]]
    return any(word in language["self"] for word in near) and not others


def _is_apposed(sentence: Sentence, span: Span, people: Sequence[Span], language: Language) -> bool:
    """Whether a person is called so at once: `idiot Daniel`, `Daniel, the idiot`, `call him an idiot`."""
    start, end = span
    if any(person[0] == end for person in people):
        return True
    return any(
        person[1] <= start <= person[1] + 2
        and all(word.text in language["the"] | language["filler"] for word in sentence.words[person[1] : start])
        for person in people
    )


def _is_meant(sentence: Sentence, span: Span, people: Sequence[Span], language: Language) -> bool:
    """Whether something is said of a person: `Daniel is really X`, `are you X`, `that X manager`."""
    start, end = span
    if denies(sentence, start - 4, start, language):
        return False
    return any(_is_predicate(sentence, person, start, language) for person in people if person[1] <= start) or any(
        _is_attribute(sentence, person, end) for person in people if person[0] == end
    )


def _is_predicate(sentence: Sentence, person: Span, start: int, language: Language) -> bool:
    between = [word.text for word in sentence.words[person[1] : start]]
    if len(between) > FAR or any(word not in language.gaps for word in between):
        return False
    ahead = sentence.words[person[0] - 1].text if person[0] else ""
    return any(word in language["be"] for word in between) or ahead in language["be"] or _needs_no_verb(language)


def _needs_no_verb(language: Language) -> bool:
    return language.name in ("tr", "hi", "hu", "ru", "pl")


def _is_attribute(sentence: Sentence, person: Span, end: int) -> bool:
    """Whether a person follows directly, and is no part of a longer name of a thing: `stupid customer form`."""
    words = sentence.words
    following = words[person[1]].text if person[1] < len(words) else ""
    apart = not following or sentence.gap(person[1]).strip() != ""
    return not sentence.gap(end).strip() and (apart or following in BEHIND_ROLE)
