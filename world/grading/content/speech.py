"""Abuse of people: insults and accusations, sentence by sentence."""

from collections.abc import Iterator

from world.grading.content.accusations import accuses
from world.grading.content.degradation import CUES, find_degradation
from world.grading.content.finding import Violation, to_excerpt
from world.grading.content.insults import insults
from world.grading.content.people import choose_languages
from world.grading.content.text import Text
from world.grading.facts import Vocabulary


def find_abuse(text: Text, vocabulary: Vocabulary) -> Iterator[Violation]:
    """Every sentence that insults or accuses somebody."""
    languages = choose_languages(text)
    if not languages and text.vocabulary.isdisjoint(CUES):
        return
    for sentence in text.sentences():
        if find_degradation(sentence, vocabulary) or any(
            insults(sentence, language, vocabulary) for language in languages
        ):
            yield Violation("insults somebody", "harm", to_excerpt(sentence.excerpt))
        elif any(accuses(sentence, language, vocabulary) for language in languages):
            yield Violation("accuses somebody", "harm", to_excerpt(sentence.excerpt))
