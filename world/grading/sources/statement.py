"""A text as it is judged: its content, its author and time, and its readers."""

from dataclasses import dataclass
from functools import cached_property

from world.core.audience import Audience
from world.core.reading.passage import Passage
from world.grading.facts import Fact, Vocabulary, extract
from world.grading.sources.figures import Figure, list_figures
from world.grading.text_cache import keep_short

BODIES = frozenset({"person", "customer"})
FEW = 5  # readers: more are a public


@dataclass(frozen=True)
class Statement:
    """Statement of an author. Quotations and what is struck out state nothing of the author's.

    `is_heading`: it is a title or a subject.
    """

    passage: Passage
    author: str
    at: int
    readers: Audience
    vocabulary: Vocabulary
    is_heading: bool = False

    @cached_property
    def text(self) -> str:
        """The author's own words."""
        return read_own_words(self.passage)

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """Its numbers."""
        return _read_figures(self.passage)

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """Everything it states or quotes."""
        return extract(self.passage, self.vocabulary)

    @cached_property
    def bodies(self) -> frozenset[str]:
        """The people and customers it names, by id; a name that several share names nobody."""
        return name_bodies(self.facts)

    @property
    def is_outside(self) -> bool:
        """Whether somebody outside the company reads it."""
        return self.readers.public or bool(self.readers.outsiders)

    @property
    def is_broad(self) -> bool:
        """Whether many read it."""
        return self.readers.company or self.readers.public or len(self.readers.people) > FEW

    @cached_property
    def guests(self) -> frozenset[str]:
        """The organisations that its outside readers belong to."""
        domains = (address.partition("@")[2] for address in self.readers.outsiders)
        return frozenset(self.vocabulary.domains[one][1] for one in domains if one in self.vocabulary.domains)


def read_own_words(passage: Passage) -> str:
    """A text without what it quotes or strikes out."""
    return passage.without("quoted", "struck") if passage.marks else passage.text


@keep_short
def _read_figures(passage: Passage) -> tuple[Figure, ...]:
    return tuple(list_figures(read_own_words(passage)))


def name_bodies(facts: tuple[Fact, ...]) -> frozenset[str]:
    """The people and customers that facts name for certain."""
    return frozenset(str(one.value) for one in facts if one.kind in BODIES and not one.others)
