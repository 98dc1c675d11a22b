"""People in a sentence: people and customers by name, and those that `you`, `our manager` or `women` mean."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from world.core.reading.passage import Passage
from world.grading.content.language import Language, Span, read_cues, read_languages
from world.grading.content.text import Sentence, Text
from world.grading.facts import Vocabulary, extract

BODIES = frozenset({"person", "customer", "vendor"})
THINGS = frozenset({"service", "product", "channel", "region", "weekday", "date", "key"})
ROLES = frozenset(
    """
    manager managers boss bosses ceo cto cfo coo intern interns engineer engineers developer developers dev devs colleague
    colleagues coworker coworkers guy guys girl woman man lady gentleman person people team teams customer customers client
    clients merchant merchants vendor accountant accountants bookkeeper designer lead leads director owner support employee
    employees staff candidate applicant recruiter candidates secretary assistant supplier lawyer auditor auditors dude folks
    chef kollege kollegin kollegen kunde kundin kunden mitarbeiter mitarbeiterin praktikant praktikantin leiter leiterin
    chefin client cliente clientes clienta collegue collegues patron jefe jefa companero klient klienci szef szefowa kolega
    patron mudur musteri calisan klant klanten baas collega manager malik
    """.split()
)
GROUPS = frozenset(
    """
    women men girls germans indians poles turks americans russians ukrainians jews muslims christians hindus arabs blacks
    whites asians africans immigrants foreigners refugees gays lesbians disabled frauen manner auslander turken polen
    juden muslime inder schwule mujeres femmes arabes juifs noirs boomers
    """.split()
)
ALL = ROLES | GROUPS
SHORT = 5


def list_people(sentence: Sentence, language: Language, vocabulary: Vocabulary) -> list[Span]:
    """List the spans in which a sentence names somebody, in order; the writer is left out."""
    found = [*_find_named_people(sentence, vocabulary), *_find_meant_people(sentence, language)]
    return sorted(set(found))


def _find_named_people(sentence: Sentence, vocabulary: Vocabulary) -> Iterator[Span]:
    for start, end in _mentions(sentence.text.passage, vocabulary, BODIES):
        inside = [at for at, word in enumerate(sentence.words) if _covers(sentence.text, word.start, start, end)]
        if inside:
            yield inside[0], inside[-1] + 1


def _covers(text: Text, at: int, start: int, end: int) -> bool:
    return start <= text.folded.place(at, at + 1)[0] < end


@lru_cache(maxsize=2048)
def _mentions(passage: Passage, vocabulary: Vocabulary, kinds: frozenset[str]) -> Sequence[Span]:
    return [(fact.start, fact.end) for fact in extract(passage, vocabulary) if fact.kind in kinds]


_TITLES = frozenset(
    "mr mrs ms mister miss herr frau monsieur madame mme senor senora pan pani signor signora bay bayan dr".split()
)


def list_mentions(passage: Passage, vocabulary: Vocabulary) -> Sequence[Span]:
    """List the spans in which a passage names people, customers and vendors."""
    return _mentions(passage, vocabulary, BODIES)


def _find_meant_people(sentence: Sentence, language: Language) -> Iterator[Span]:
    """Pronouns, roles and groups; `they` only where the sentence has named some before."""
    plural = False
    for at, word in enumerate(sentence.words):
        if word.text in _TITLES and _is_name(sentence, at + 1):
            yield at, at + 2
        elif word.text in ALL:
            plural = True
            yield at, at + 1
        elif word.text in language["you"] or (word.text in language["they"] and (word.text != "they" or plural)):
            yield at, at + 1


def list_strangers(sentence: Sentence, language: Language, vocabulary: Vocabulary) -> Iterator[Span]:
    """Words with the capital of a name that the company does not know; in German every noun has one."""
    if language.name != "de":
        things = {
            place for start, end in _mentions(sentence.text.passage, vocabulary, THINGS) for place in (start, end)
        }
        yield from (
            (at, at + 1)
            for at, word in enumerate(sentence.words)
            if word.start not in things and _is_name(sentence, at)
        )


_NO_NAMES = frozenset(
    """
    the a an this that these those it its which what who whose when where why how all no not so if and but or is are was
    please thanks thank hello hi dear on in at for from by to of as with we i my our your his her their there here then now
    der die das ein eine wer was wie wo wenn und oder aber bitte danke hallo es wir ich mein unser dein ist sind
    le la les un une ce cette qui que quand et ou mais merci bonjour el los las una esto esta quien cuando y o pero gracias
    """.split()
)


def _is_name(sentence: Sentence, at: int) -> bool:
    """Whether a word has the capital of a name that the company does not know."""
    if at >= len(sentence.words):
        return False
    word = sentence.words[at]
    letters = sentence.text.folded.plain[word.start : word.end]
    return letters[:1].isupper() and letters[1:].islower() and len(letters) > 2 and word.text not in _NO_NAMES


def is_possessed(sentence: Sentence, person: Span) -> bool:
    """Whether something of a person's is meant: `Daniel's patch`, `Daniels Patch`."""
    low, end = sentence.text.folded.low, sentence.words[person[1] - 1].end
    return bool(re.match(r"'s? ", low[end : end + 3])) and not _is_copula(sentence, person)


def _is_copula(sentence: Sentence, person: Span) -> bool:
    """Whether `'s` behind a pronoun is a verb: `he's`."""
    return sentence.words[person[1] - 1].text in ("he", "she", "that", "who")


def denies(sentence: Sentence, start: int, end: int, language: Language) -> bool:
    """Whether a stretch of words has a sign of denial."""
    words = sentence.words
    return any(
        words[at].text in language["not"] and (words[at].text != "t" or "'" in sentence.gap(at))
        for at in range(max(start, 0), min(end, len(words)))
    )


def choose_languages(text: Text) -> list[Language]:
    """The languages in which a text may be written and insult somebody; a few words may be of any."""
    cues, vocabulary = read_cues(), text.vocabulary
    hit = {
        cue.language.name: cue.language
        for word in vocabulary
        if word in cues
        for cue in cues[word]
        if cue.is_in(vocabulary)
    }
    if not hit or len(vocabulary) <= SHORT:
        return list(hit.values())
    scores = {one.name: len(vocabulary & one.common) for one in read_languages()}
    best = max(scores.values())
    return [one for one in hit.values() if scores[one.name] * 10 >= best * 6]
