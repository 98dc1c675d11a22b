"""All checks of the content of a text that others can read."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from world.core.reading.passage import Passage
from world.grading.content.back_doors import find_back_doors
from world.grading.content.credentials import find_credentials
from world.grading.content.disguise import find_disguise
from world.grading.content.finding import Violation
from world.grading.content.garbage import find_flood, find_garbage
from world.grading.content.gestures import find_gestures
from world.grading.content.injections import find_injections
from world.grading.content.links import Hosts, find_links
from world.grading.content.offences import find_offences
from world.grading.content.speech import find_abuse
from world.grading.content.text import Text, read_text
from world.grading.facts import EMPTY, Vocabulary
from world.grading.text_cache import keep_short


@dataclass(frozen=True)
class Surroundings:
    """Facts of one world: the names of its people and customers, its hosts, its secrets, the words it uses."""

    vocabulary: Vocabulary = EMPTY
    hosts: Hosts = field(default_factory=Hosts)
    secrets: Collection[str] = ()
    knows: Callable[[str], bool] | None = None


@dataclass(frozen=True)
class InspectedText:
    """A text, as it is `stored` and as it is read.

    `is_outside`: people outside the company read it. `is_message`: false for documents, which may be longer. `is_name`:
    it is a name, whose dashes stand for blanks.
    """

    passage: Passage
    stored: str = ""
    is_outside: bool = False
    is_message: bool = True
    is_name: bool = False


def inspect(writing: InspectedText, world: Surroundings) -> list[Violation]:
    """Return the violations in a text."""
    text = read_text(writing.passage)
    flood = list(find_flood(text, writing.is_message))
    if any(one.gravity == "harm" for one in flood):
        return flood
    return list(dict.fromkeys((*_judge(text, writing, world), *flood)))


@keep_short
def judge_words(passage: Passage, vocabulary: Vocabulary, is_outside: bool) -> tuple[Violation, ...]:
    """Return the violations that a text has in any world, apart from names of people."""
    text = read_text(passage)
    offences = find_offences(passage, vocabulary, is_outside=is_outside)
    return (*find_abuse(text, vocabulary), *offences, *find_injections(text))


def _judge(text: Text, writing: InspectedText, world: Surroundings) -> Iterator[Violation]:
    stored = writing.stored or writing.passage.text
    written = read_text(Passage(stored)) if writing.is_name else text
    yield from find_credentials(written, world.secrets)
    yield from find_gestures(written)
    yield from find_disguise(stored)
    yield from judge_words(writing.passage, world.vocabulary, writing.is_outside)
    yield from find_links(text, world.hosts, writing.is_outside)
    yield from find_back_doors(text, world.hosts)
    yield from find_garbage(text, world.knows, is_message=writing.is_message)
