"""Typed facts of a text: amounts, times, dates, keys, people, customers and the like, equal however they are written."""

from world.grading.facts.extraction import extract
from world.grading.facts.fact import KINDS, Fact, FactReading, Kind
from world.grading.facts.vocabulary import EMPTY, Vocabulary, vocabulary_of

__all__ = ["EMPTY", "KINDS", "Fact", "Kind", "FactReading", "Vocabulary", "extract", "vocabulary_of"]
