"""Slips of the finger: an unknown word is read as the one known word that it is a letter away from."""

from collections.abc import Iterable

SHORTEST = 4
LONGEST = 24
ENDINGS = ("er", "est", "ly", "ness")
LONG = 6  # from here on a letter may be missing or wrong


def _shorten(word: str) -> set[str]:
    """A word without one of its letters, each in turn."""
    return {word[:at] + word[at + 1 :] for at in range(len(word))}


class SpellingIndex:
    """Known words, to be found by neighbours."""

    def __init__(self, known: Iterable[str], common: frozenset[str]) -> None:
        words = sorted(word for word in known if word.isalpha() and len(word) >= SHORTEST)
        self._known, self.common = frozenset(words) | common, common
        self._shuffled = {"".join(sorted(word)): word for word in reversed(words)}
        self._shortened = {short: word for word in reversed(words) for short in (*_shorten(word), word)}

    def _is_derived(self, word: str) -> bool:
        """Whether an ending makes another word of a known one: closer, closest, closely."""
        stems = (word.removesuffix(ending) for ending in ENDINGS if word.endswith(ending))
        return any(stem in self._known or stem + "e" in self._known for stem in stems)

    def mend(self, word: str) -> str:
        """The word as it was meant, or as it stands."""
        if not SHORTEST <= len(word) <= LONGEST or not word.isalpha() or word in self._known or self._is_derived(word):
            return word
        meant = self._shuffled.get("".join(sorted(word)))
        if meant and (meant[0] == word[0] or meant[-1] == word[-1]):
            return meant
        near = {self._shortened[short] for short in (*_shorten(word), word) if short in self._shortened}
        close = sorted(one for one in near if one[0] == word[0] and abs(len(one) - len(word)) <= 1)
        return close[0] if close and len(word) >= LONG else word
