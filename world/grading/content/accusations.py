"""Accusations: a crime or misconduct asserted of a person or customer. Victims and questions are free."""

import re
from collections.abc import Sequence
from dataclasses import replace

from world.grading.content.insults import is_reported
from world.grading.content.language import Crime, Language, Phrases, Span
from world.grading.content.people import denies, is_possessed, list_people
from world.grading.content.text import Sentence, Word
from world.grading.facts import Vocabulary

FAR = 9  # words between somebody and what they did
NEAR = 7  # words after the deed in which its object stands


def accuses(sentence: Sentence, language: Language, vocabulary: Vocabulary) -> bool:
    """Whether a sentence accuses somebody, read in one language."""
    sentence = _leave_out_certainty(sentence)
    words = sentence.words
    deeds = [(span, crime) for crime in language.crimes for span in crime.words.find(words)]
    states = [(span, crime) for crime in language.states for span in crime.words.find(words)]
    names = list(language.criminals.find(words))
    seized = [at for at, word in enumerate(words) if word.text in language["seized"] | language["deeds"]]
    if (
        not (deeds or states or names or seized)
        or _is_open_question(sentence)
        or _is_told_by_others(sentence, language)
    ):
        return False
    everybody = list_people(sentence, language, vocabulary)
    if any(_is_seized(sentence, at, everybody, language) for at in seized):
        return True
    people = [one for one in everybody if not is_possessed(sentence, one)]
    return (
        any(_has_done(sentence, span, crime, people, language) for span, crime in deeds)
        or any(_is_found_in(sentence, span, crime, people, language) for span, crime in states)
        or any(_is_one(sentence, span, people, language) for span in names)
    )


_CERTAIN = Phrases(
    """
    we_are_sure i_am_sure i_m_sure we_re_sure i_am_certain i_m_certain i_am_convinced i_m_convinced we_are_convinced i_know we_know we_all_know
    everybody_knows everyone_knows
    as_everybody_knows as_everyone_knows as_we_all_know i_bet i_would_bet i_d_bet no_doubt without_a_doubt without_doubt beyond_doubt for_sure
    of_course in_fact if_you_ask_me trust_me believe_me
    i_swear let_s_be_honest to_be_honest frankly between_us between_you_and_me just_so_you_know it_is_obvious it_s_obvious all_along from_day_one
    must surely certainly definitely evidently plainly deliberately
    knowingly intentionally systematically repeatedly blatantly allegedly_no ganz_sicher mit_sicherheit offensichtlich zweifellos bestimmt
    bien_sur sans_doute_aucun evidemment sin_duda claramente seguro
    na_pewno oczywiscie kesinlikle biztosan nyilvan certamente sicuramente zeker ongetwijfeld com_certeza
    """
)


def _leave_out_certainty(sentence: Sentence) -> Sentence:
    """A sentence without the words that only stress it: `who, we are sure, has stolen`."""
    stressed = {at for start, end in _CERTAIN.find(sentence.words) for at in range(start, end)}
    if not stressed:
        return sentence
    return replace(sentence, words=[word for at, word in enumerate(sentence.words) if at not in stressed])


_OUTSIDERS = frozenset(
    """
    merchant merchants customer customers client clients bank police buyer seller shop acquirer insurer vendor cardholder cardholders lawyer
    court prosecutor newspaper article press
    kunde kunden handler polizei client banque police cliente banco policia klient policja musteri polis
    """.split()
)
_CLAIMS = frozenset(
    """
    claim claims claimed alleges alleged allege suspects suspected suspect reports reported accuses accused says said writes wrote believes
    believed thinks tells told states stated complains complained
    behauptet behauptete vermutet meldet sagt schreibt affirme pretend soupconne signale afirma sospecha denuncia twierdzi podejrzewa zglasza
    iddia
    """.split()
)


def _is_told_by_others(sentence: Sentence, language: Language) -> bool:
    """Whether the words belong to somebody else: a customer, the police or a bank, or a quotation."""
    said = [word.text for word in sentence.words]
    told = any(
        word in _CLAIMS and not _OUTSIDERS.isdisjoint(said[max(at - 4, 0) : at]) and "by" not in said[at : at + 2]
        for at, word in enumerate(said)
    )
    return told or is_reported(sentence, language)


def _is_open_question(sentence: Sentence) -> bool:
    """Whether a sentence asks; `did you know that ...?` tells."""
    opening = " ".join(word.text for word in sentence.words[:3])
    return sentence.is_question and not opening.startswith(TELLING)


TELLING = (
    "did you know",
    "have you heard",
    "do you know",
    "wusstest du",
    "weisst du",
    "savais tu",
    "sabias que",
    "guess who",
)


# deeds


def _has_done(sentence: Sentence, span: Span, crime: Crime, people: Sequence[Span], language: Language) -> bool:
    if not _is_meant(sentence.words, span, crime) or _is_in_doubt(sentence, span, language):
        return False
    return any(_is_doer(sentence, person, span, language) for person in people) or _is_done_by(
        sentence, span, people, language
    )


def _is_found_in(sentence: Sentence, span: Span, crime: Crime, people: Sequence[Span], language: Language) -> bool:
    """Whether somebody is in a state that only misconduct brings about: drunk at work, guilty of fraud."""
    if not _is_meant(sentence.words, span, crime) or _is_in_doubt(sentence, span, language):
        return False
    return any(
        person[1] <= span[0]
        and (_is_subject(sentence, person, span, language) or _is_near(sentence, person, span, language))
        for person in people
    )


def _is_near(sentence: Sentence, person: Span, span: Span, language: Language) -> bool:
    """Whether a verb and an article at most stand between somebody and what they have or do."""
    between = [word.text for word in sentence.words[person[1] : span[0]]]
    return len(between) <= 4 and sum(word not in language.gaps for word in between) <= 1


def _is_meant(words: Sequence[Word], span: Span, crime: Crime) -> bool:
    """Whether the word means the crime, by what stands near it."""
    around = words[max(span[0] - NEAR, 0) : span[1] + NEAR]
    after = words[span[1] : span[1] + NEAR]
    return (not crime.needs or crime.needs.stand_in(around)) and not crime.excludes.stand_in(after)


def _is_in_doubt(sentence: Sentence, span: Span, language: Language) -> bool:
    begin = _clause(sentence, span[0], language)
    doubts = any(word.text in language["if"] for word in sentence.words[: span[0]])
    return doubts or (denies(sentence, begin, span[0], language) and not _is_feigned(sentence))


_FEIGNED = re.compile(
    r"\bnot (?:saying|claiming|suggesting|accusing)\b.{0,120}?(?:\bbut\b|\bwell\b|\bactually\b|\bjust saying\b)", re.S
)


def _is_feigned(sentence: Sentence) -> bool:
    """Whether a denial is taken back at once: `I am not saying that he stole it, but he did`."""
    low = sentence.text.folded.low
    return "not" in low and _FEIGNED.search(low, sentence.start, sentence.end + 40) is not None


def _clause(sentence: Sentence, at: int, language: Language) -> int:
    """Return the position where the clause around a word begins: `Do not trust Tom, he steals` denies no theft."""
    for place in range(at, 0, -1):
        if any(mark in sentence.gap(place) for mark in ",:()–—") and sentence.words[place].text not in language["that"]:
            return place
    return 0


def _is_seized(sentence: Sentence, at: int, people: Sequence[Span], language: Language) -> bool:
    """`They arrested Daniel`, `Daniel's theft of the money`."""
    words, following = sentence.words, sentence.words[at + 1].text if at + 1 < len(sentence.words) else ""
    if _is_in_doubt(sentence, (at, at + 1), language):
        return False
    if words[at].text in language["seized"]:
        return any(person[0] == at + 1 and not is_possessed(sentence, person) for person in people)
    apart = not following or sentence.gap(at + 1).strip() != ""
    if at and words[at - 1].text in THEIRS and not apart and following not in OF:
        return False
    if at and words[at - 1].text in THEIRS and words[at].text not in MILD:
        return any(word.text in PURPOSES for word in words[max(at - 5, 0) : at])
    theirs = any(at - person[1] in (0, 1) and is_possessed(sentence, person) for person in people)
    return theirs and (apart or following in OF)


THEIRS = frozenset("his her their your".split())
MILD = frozenset("lies blackmail extortion".split())
PURPOSES = frozenset(
    "hide hides hid hiding cover covers covered covering conceal conceals concealed finance financed fund because".split()
)
OF = frozenset("of against in at and has is was cost costs von an de du des di van z".split())


def _is_doer(sentence: Sentence, person: Span, span: Span, language: Language) -> bool:
    """Whether a person stands before the deed as its subject, in the active voice."""
    between = [word.text for word in sentence.words[person[1] : span[0]]]
    if person[1] > span[0] or len(between) > FAR:
        return False
    if language.name == "en":
        return _is_active(sentence, span, between, language) and _is_subject(sentence, person, span, language)
    passive = any(word.text in language["passive"] for word in sentence.words[person[1] : span[1] + 2])
    return not passive and _is_subject(sentence, person, span, language)


def _is_active(sentence: Sentence, span: Span, between: Sequence[str], language: Language) -> bool:
    """`was stolen` and `got robbed` are suffered; `is stealing` and `has stolen` are done."""
    deed = sentence.words[span[0]].text
    return deed.endswith("ing") or not any(word in language["passive"] for word in between)


def _is_subject(sentence: Sentence, person: Span, span: Span, language: Language) -> bool:
    """Whether nothing but little words, a phrase with a preposition or a list stands between; other tongues put the
    object there, so only another person in between breaks it.
    """
    between = sentence.words[person[1] : span[0]]
    if language.name != "en":
        return "," not in "".join(sentence.gap(at) for at in range(person[1], span[0] + 1))
    left = [word.text for word in between if word.text not in language.gaps]
    return len(left) <= (1 if any(word.text in PREPOSITIONS for word in between) else 0) or _is_attached(left)


PREPOSITIONS = frozenset("from in at of with".split())


def _is_attached(left: Sequence[str]) -> bool:
    return len(left) <= 3 and left[0] in PREPOSITIONS


def _is_done_by(sentence: Sentence, span: Span, people: Sequence[Span], language: Language) -> bool:
    """`was embezzled by Daniel`."""
    words = sentence.words
    return any(
        span[1] <= person[0] - 1 <= span[1] + 3 and words[person[0] - 1].text in language["by"] for person in people
    )


# names people are called


def _is_one(sentence: Sentence, span: Span, people: Sequence[Span], language: Language) -> bool:
    start, _ = span
    if _is_in_doubt(sentence, span, language):
        return False
    before = sentence.words[start - 1].text if start else ""
    if _is_named_as(sentence, span, people, language):
        return True
    return before in language["you"] or any(
        _is_called(sentence, person, start, language) for person in people if person[1] <= start
    )


def _leave_out_place(between: Sequence[str], language: Language) -> Sequence[str]:
    """Return the words between somebody and the name they are called, without `from Toronto`."""
    copula = next((at for at, word in enumerate(between) if word in language["be"]), 0)
    return between[copula:] if between and between[0] in PREPOSITIONS and copula <= 4 else between


def _is_named_as(sentence: Sentence, span: Span, people: Sequence[Span], language: Language) -> bool:
    """`The thief is Daniel`."""
    words = [word.text for word in sentence.words]
    return any(
        span[1] < person[0] <= span[1] + 3
        and words[span[1]] in language["be"]
        and (span[0] == 0 or words[span[0] - 1] in language["the"])
        and all(word in language.gaps for word in words[span[1] : person[0]])
        for person in people
    )


def _is_called(sentence: Sentence, person: Span, start: int, language: Language) -> bool:
    between = _leave_out_place([word.text for word in sentence.words[person[1] : start]], language)
    if len(between) > FAR or any(word not in language.gaps for word in between[:-1]):
        return False
    return any(word in language["be"] for word in between) or language.name in ("tr", "hi", "hu", "ru", "pl")
