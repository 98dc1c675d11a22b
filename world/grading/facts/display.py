"""Facts as an explanation shows them: as they are written, how the author stands by them, and where."""

from collections.abc import Iterable, Sequence

from world.core.reading.passage import Passage
from world.grading.facts.fact import Fact
from world.grading.reasons.excerpt import find_sentence, quote

SHOWN = 4  # facts that are shown


def show_facts(facts: Sequence[Fact], passages: Sequence[Passage]) -> str:
    """Facts of some passages and the sentence of the first; without any, how the text begins."""
    places = {(fact.start, fact.end): fact for fact in facts}
    pairs = [(passage, fact) for passage in passages for fact in places.values() if fact.end <= len(passage.text)]
    if not pairs:
        return quote("\n".join(passage.without("quoted", "struck") for passage in passages))
    said = dict.fromkeys(f"{passage.text[fact.start : fact.end]}{_manner(fact)}" for passage, fact in pairs[:SHOWN])
    passage, first = pairs[0]
    return f"{', '.join(said)} in {quote(find_sentence(passage.text, first.start))}"


def _manner(fact: Fact) -> str:
    """Return the reason why a fact does not count as stated."""
    ways: Iterable[tuple[bool, str]] = (
        (fact.struck, "struck out"),
        (fact.quoted, "quoted"),
        (fact.hidden, "hidden"),
        (fact.denied, "denied or taken back"),
        (fact.disguised, "in look-alike letters"),
    )
    said = ", ".join(word for is_so, word in ways if is_so)
    return f" ({said})" if said else ""
