"""A proposition made ready for reading: its tables of phrases, names and values, and the words it knows."""

from dataclasses import dataclass
from functools import lru_cache

from world.grading.stance.lexicon import Concept, load_common_words, load_concept, load_cues
from world.grading.stance.phrases import PhraseTable, expand
from world.grading.stance.proposition import Proposition
from world.grading.stance.spelling import SpellingIndex
from world.grading.stance.tokens import words_of

PREFIXES = ("un", "in", "non", "dis", "im")


@dataclass(frozen=True, slots=True)
class Frame:
    """Data needed to read sentences on one proposition."""

    proposition: Proposition
    concept: Concept
    sign: int
    scope: PhraseTable
    time: PhraseTable
    claims: PhraseTable
    names: frozenset[str]
    about: frozenset[str]
    others: frozenset[str]
    slot: PhraseTable | None
    known: frozenset[str]
    spelling: SpellingIndex

    @property
    def is_present(self) -> bool:
        """Whether the proposition speaks of now, so that the past says nothing on it."""
        return self.concept.state or self.concept.directive


def _list_names(proposition: Proposition) -> frozenset[str]:
    """The words of the subject that stand for nothing else."""
    return frozenset(word for name in proposition.names for word in words_of(name))


def _list_prefixed(phrases: tuple[str, ...]) -> list[str]:
    """Single words with the prefixes that turn them: unmoved, nonbinding."""
    words = {row[0] for phrase in phrases for row in expand(phrase) if len(row) == 1 and len(row[0]) > 3}
    return sorted(prefix + word for word in words for prefix in PREFIXES)


def _build_scope(concept: Concept) -> PhraseTable:
    table = PhraseTable()
    table.add("+", concept.positive)
    table.add("-", concept.negative)
    for tag, phrases in (("-", concept.positive), ("+", concept.negative)):
        table.add(tag, [word for word in _list_prefixed(phrases) if word not in table.vocabulary])
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
    about = frozenset(word for text in proposition.about for word in words_of(text))
    others = frozenset(word for text in proposition.others for word in words_of(text) if word[0].isalpha())
    known = _list_known(proposition) | names | about | (slot.vocabulary if slot else set[str]())
    sign = 1 if proposition.pole == "positive" else -1
    spelling = SpellingIndex(known | scope.vocabulary, load_common_words())
    about -= slot.vocabulary if slot else set[str]()
    return Frame(
        proposition,
        concept,
        sign,
        scope,
        load_cues().time,
        load_cues().claims,
        names,
        about,
        others,
        slot,
        known,
        spelling,
    )
