"""A proposition made ready for reading: its tables of phrases, names and values, and the words it knows."""

from dataclasses import dataclass
from functools import lru_cache

from world.grading.stance.lexicon import Concept, load_common_words, load_concept, load_cues
from world.grading.stance.phrases import PhraseTable
from world.grading.stance.proposition import Proposition
from world.grading.stance.spelling import Spelling
from world.grading.stance.tokens import words_of

_ARTICLES = frozenset({"the", "a", "an", "this", "of", "in", "on", "to", "for", "by", "with", "from", "at"})


@dataclass(frozen=True, slots=True)
class Frame:
    """What is needed to read sentences on one proposition."""

    proposition: Proposition
    concept: Concept
    sign: int
    scope: PhraseTable
    time: PhraseTable
    claims: PhraseTable
    names: frozenset[str]
    about: frozenset[str]
    slot: PhraseTable | None
    known: frozenset[str]
    spelling: Spelling


def _list_names(proposition: Proposition) -> frozenset[str]:
    """The words of the subject that stand for nothing else."""
    return frozenset(word for name in proposition.names for word in words_of(name))


def _build_scope(concept: Concept) -> PhraseTable:
    table = PhraseTable()
    table.add("+", concept.positive)
    table.add("-", concept.negative)
    for tag, phrases in load_cues().scope.items():
        table.add(tag, phrases)
    return table


def _build_slot(proposition: Proposition) -> PhraseTable | None:
    if proposition.slot is None:
        return None
    table = PhraseTable()
    table.add("value", proposition.slot.values)
    table.add("rival", proposition.slot.rivals)
    return table


def _list_known(proposition: Proposition) -> frozenset[str]:
    phrasings = proposition.phrasings
    texts = (*proposition.subject, proposition.predicate, *phrasings.proposition, *phrasings.opposite)
    return frozenset(word for text in texts for word in words_of(text))


@lru_cache(maxsize=256)
def build_frame(proposition: Proposition) -> Frame:
    """The frame of a proposition, built once."""
    concept, slot = load_concept(proposition.concept), _build_slot(proposition)
    scope = _build_scope(concept)
    names = _list_names(proposition)
    about = (
        frozenset(word for text in (*proposition.about, *proposition.subject) for word in words_of(text)) - _ARTICLES
    )
    known = _list_known(proposition) | names | about | scope.vocabulary | (slot.vocabulary if slot else set[str]())
    sign = 1 if proposition.pole == "positive" else -1
    spelling = Spelling(known, load_common_words())
    return Frame(
        proposition, concept, sign, scope, load_cues().time, load_cues().claims, names, about, slot, known, spelling
    )
