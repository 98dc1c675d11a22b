"""What the readers make of every text of the development halves: a line of a file in this folder for each.

`python -m tests.grading.readings.corpus_readings` writes the files anew; the change is to be looked through line by line.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from tests.grading.content.content_company import build_surroundings
from tests.grading.statements.spoken_corpus import read_corpus
from tests.grading.test_commitment import undermine
from tests.grading.test_corpus import read_sentences
from world.core.reading.passage import Passage
from world.core.reading.plain import from_plain
from world.grading.attributions.extraction import list_attributions
from world.grading.commitment import read_commitment
from world.grading.content.inspection import InspectedText, inspect
from world.grading.customer_promises import find_promises, find_withdrawals
from world.grading.customer_promises.grants import find_grants
from world.grading.dangerous_instructions.detector import find_orders
from world.grading.deeds.extraction import list_deeds
from world.grading.deeds.sentences import DeedSentence, read_wordings
from world.grading.facts import Fact, extract
from world.grading.grave_statements.detector import find_alarms
from world.grading.stance import judge_stance, list_propositions, load_proposition

FOLDER = Path(__file__).parent
CORPUS = FOLDER.parent / "corpus"
SPOKEN = ("alarms", "attributions", "deeds", "gifts", "orders")
MESSAGES = ("chat", "mail", "review", "status", "ticket")
Texts = Iterator[tuple[str, str]]


def _load(path: str) -> Any:
    return yaml.safe_load((CORPUS / path).read_text(encoding="utf-8"))


def _list_spoken(kinds: tuple[str, ...] = SPOKEN) -> Texts:
    for kind in kinds:
        corpus = read_corpus(kind, "development")
        for group, texts in (("bad", corpus.bad), ("honest", corpus.honest)):
            yield from ((f"{kind} {group} {number}", text) for number, text in enumerate(texts, 1))


def _list_messages() -> Texts:
    for place in MESSAGES:
        yield from ((one["id"], one["text"]) for one in _load(f"messages/development/{place}.yaml"))


def _list_honest() -> Texts:
    for number, one in enumerate(_load("commitment/development/honest.yaml"), 1):
        yield f"honest {number}", one["text"]


def _list_undermined() -> Iterator[tuple[str, tuple[str, ...]]]:
    for number, one in enumerate(_load("commitment/development/disavowals.yaml"), 1):
        yield f"disavowal {number}", undermine(one)


def _list_contents() -> Texts:
    for name in ("harmful", "development/outside_harmful", "honest", "development/outside_honest"):
        for number, one in enumerate(_load(f"content/{name}.yaml"), 1):
            yield f"{Path(name).name} {number}", one if isinstance(one, str) else one["text"]


def _place(text: str, sentence: str) -> int:
    return text.find(sentence.strip())


# one reading each


def read_stances() -> Iterator[str]:
    """Outcome and reason of each sentence, and of each message on the propositions that are shipped."""
    for name, sentences in read_sentences("development").items():
        proposition = load_proposition(name)
        for number, one in enumerate(sentences.sentences, 1):
            stance = judge_stance([Passage(one.text)], proposition)
            yield f"{name} {number}\t{one.label}\t{stance.outcome}\t{stance.reason}"
    for name in list_propositions():
        phrasings = load_proposition(name).phrasings
        for number, text in enumerate((*phrasings.proposition, *phrasings.opposite), 1):
            stance = judge_stance([Passage(text)], load_proposition(name))
            yield f"{name} phrasing {number}\t{stance.outcome}\t{stance.reason}"


def read_voids() -> Iterator[str]:
    """The stretches of each text that its author does not stand by."""
    alone = ((name, (text,)) for name, text in (*_list_honest(), *_list_messages()))
    for name, (text, *following) in (*_list_undermined(), *alone):
        reading = read_commitment(Passage(text), [Passage(one) for one in following])
        voids = [f"{one.start}-{one.end} {one.reason}{' part' if one.part else ''}" for one in reading.voids]
        yield f"{name}\t{'; '.join(voids) or '-'}\t{reading.whole.reason if reading.whole else '-'}"


def read_facts() -> Iterator[str]:
    """The facts of each message and statement."""
    vocabulary = read_corpus("deeds", "development").vocabulary
    for name, text in (*_list_messages(), *_list_spoken()):
        yield f"{name}\t{'; '.join(map(_show, extract(from_plain(text), vocabulary))) or '-'}"


def _show(fact: Fact) -> str:
    return f"{fact.start}-{fact.end} {fact.kind} {fact.value} {fact.unit} {len(fact.others) or ''}".strip()


def read_statements() -> Iterator[str]:
    """The grave matters, orders, grants, deeds, words of others and promises of each text."""
    vocabulary = read_corpus("deeds", "development").vocabulary
    for name, text in (*_list_spoken(), *_list_messages(), *_list_honest()):
        passage = from_plain(text)
        wordings = list(read_wordings(passage, extract(passage, vocabulary)))
        found = [
            *(f"alarm {one.matter} {_place(text, one.sentence)}" for one in find_alarms(passage, vocabulary)),
            *(f"order {one.act} {_place(text, one.sentence)}" for one in find_orders(passage, vocabulary)),
            *(f"grant {one.kind} {_place(text, one.sentence)}" for one in find_grants(passage, vocabulary)),
            *(f"promise {one.kind} {_place(text, one.sentence)}" for one in find_promises(text)),
            *(f"withdrawal {one.kind} {_place(text, one.sentence)}" for one in find_withdrawals(text)),
            *_list_sayings(wordings),
        ]
        yield f"{name}\t{'; '.join(found) or '-'}"


def _list_sayings(wordings: list[DeedSentence]) -> Iterator[str]:
    for one in list_deeds(wordings):
        said = sorted((*one.about, *one.groups, *(str(fact.value) for fact in one.to)))
        yield f"deed {one.kind}{' own' if one.is_own else ''} {' '.join(said)}".strip()
    for other in list_attributions(wordings):
        who = [one if isinstance(one, str) else str(one.value) for one in other.who]
        yield f"attribution {other.kind} {' '.join(who)}: {' '.join(sorted(other.about | other.fault))}"


def read_contents() -> Iterator[str]:
    """What is wrong with each text, read inside and outside."""
    surroundings = build_surroundings()
    for name, text in (*_list_contents(), *_list_messages(), *_list_spoken()):
        for outside in (False, True):
            found = inspect(InspectedText(from_plain(text), is_outside=outside), surroundings)
            yield f"{name}{' outside' if outside else ''}\t{'; '.join(f'{one.gravity}: {one.why}' for one in found) or '-'}"


READINGS: Mapping[str, Callable[[], Iterator[str]]] = {
    "stances": read_stances,
    "voids": read_voids,
    "facts": read_facts,
    "statements": read_statements,
    "contents": read_contents,
}


def list_lines(readings: Iterator[str]) -> list[str]:
    """The lines that say something."""
    return [line.replace("\n", " ") for line in readings if {*line.split("\t")[1:]} != {"-"}]


def main() -> None:
    """Write the files."""
    for name, read in READINGS.items():
        (FOLDER / f"{name}.tsv").write_text("\n".join(list_lines(read())) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
