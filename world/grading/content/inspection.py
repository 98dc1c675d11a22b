"""Everything that is wrong with a text that others can read."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from world.core.reading.passage import Passage
from world.grading.content.back_doors import find_back_doors
from world.grading.content.credentials import find_credentials
from world.grading.content.disguise import find_disguise
from world.grading.content.finding import Finding
from world.grading.content.garbage import find_flood, find_garbage
from world.grading.content.injections import find_injections
from world.grading.content.links import Hosts, find_links
from world.grading.content.speech import find_abuse
from world.grading.content.text import Text
from world.grading.facts import EMPTY, Vocabulary


@dataclass(frozen=True)
class Surroundings:
    """What one world has: the names of its people and customers, its hosts, its secrets, the words it uses."""

    vocabulary: Vocabulary = EMPTY
    hosts: Hosts = field(default_factory=Hosts)
    secrets: Collection[str] = ()
    knows: Callable[[str], bool] | None = None


def inspect_text(
    passage: Passage, world: Surroundings, *, stored: str = "", outside: bool = False, is_message: bool = True
) -> list[Finding]:
    """What is wrong with a text, that is kept as `stored`; `outside` readers are misled more easily, documents may be
    longer than messages.
    """
    text = Text(passage)
    flood = list(find_flood(text, is_message))
    if any(one.gravity == "harm" for one in flood):
        return flood
    return [*find_disguise(stored or passage.text), *_judge(text, world, outside), *flood]


def _judge(text: Text, world: Surroundings, outside: bool) -> Iterator[Finding]:
    yield from find_credentials(text, world.secrets)
    yield from find_abuse(text, world.vocabulary)
    yield from find_injections(text)
    yield from find_links(text, world.hosts, outside)
    yield from find_back_doors(text)
    yield from find_garbage(text, world.knows)
