"""The words of a sentence, with what names in it put by their kind: `somebody`, `someplace`, `somekey`, `someservice`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from world.core.reading.passage import Passage
from world.grading.commitment.sentences import Sentence, list_quotations, split_sentences
from world.grading.facts import Fact

NAMES = {
    "person": "somebody",
    "customer": "somebody",
    "vendor": "somefirm",
    "channel": "someplace",
    "key": "somekey",
    "service": "someservice",
}
_CLOSING = frozenset(", ; : ( ) [ ] - – — ! . | / & + → • * \n".split(" "))
_JOINING = frozenset("and but so then because since which while plus although though therefore hence".split())
BOUNDS = _CLOSING | _JOINING


@dataclass(frozen=True)
class DeedSentence:
    """One sentence. `written` are its words with the names themselves; `names` gives, by the place of its word, the fact
    that a name states.
    """

    words: Sequence[str]
    written: Sequence[str]
    names: Mapping[int, Fact]
    text: str
    asks: bool

    def begin(self, at: int) -> int:
        """Return the position where the clause of a word begins."""
        while at > 0 and not is_bound(self.words[at - 1]):
            at -= 1
        return at

    def end(self, at: int) -> int:
        """Return the position where the clause of a word ends."""
        while at < len(self.words) and not is_bound(self.words[at]):
            at += 1
        return at

    def list_names(self, start: int, end: int) -> list[Fact]:
        """The facts that names state in a stretch."""
        return [fact for at, fact in self.names.items() if start <= at < end]


def is_bound(word: str) -> bool:
    """Whether a word or sign parts clauses."""
    return word in BOUNDS or (len(word) > 2 and word[0] == word[-1] == ":")


def denies(words: Iterable[str]) -> bool:
    """Whether words say that something is not."""
    return not _DENYING.isdisjoint(word.lower() for word in words)


_DENYING = frozenset("no not never none nobody nothing without n't cannot neither nor".split())


def read_wordings(passage: Passage, facts: Sequence[Fact]) -> Iterator[DeedSentence]:
    """The sentences of a text that its author says; quotations are left out."""
    quoted = list_quotations(passage.text)
    names = [fact for fact in facts if fact.kind in NAMES]
    for sentence in split_sentences(passage):
        first = sentence.start + len(sentence.text) - len(sentence.text.lstrip())
        if not any(start <= first < end for start, end in quoted):
            yield _put_names(sentence, names)


def _put_names(sentence: Sentence, names: Sequence[Fact]) -> DeedSentence:
    words: list[str] = []
    written: list[str] = []
    found: dict[int, Fact] = {}
    last: Fact | None = None
    end = 0
    for token in sentence.tokens:
        at = sentence.start + token.start
        fact = next((one for one in names if one.start <= at < one.end), None)
        joined, end = words and sentence.text[end : token.start] == "_", token.end
        if joined:
            words[-1] += f"_{token.text}"
            written[-1] = words[-1]
        elif fact is None and words[-1:] == ["#"] and token.text.isalpha():
            words[-1] = "someplace"  # a channel that the company does not have
            written[-1] = token.text
        elif token.text == "page" and words[-1:] == ["status"]:
            words[-1] = "statuspage"
        elif fact is None or token.text == "'s":
            words.append(token.text)
            written.append(token.text)
        elif fact is not last:
            found[len(words)] = fact
            words.append(NAMES[fact.kind])
            written.append(f"{token.text} {str(fact.value).lower()}")
        else:
            written[-1] += f" {token.text}"
        last = fact
    return DeedSentence(words, written, found, sentence.text.strip(), sentence.asks)
