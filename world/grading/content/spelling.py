"""Words that orders to programs are made of, read as they are meant when they are misspelt."""

from functools import lru_cache

_MEANT = (
    "ignore disregard forget override bypass instruction instructions prompt guidelines directives previous conversation reveal"
    " system language"
).split()
_BY_FIRST = {letter: tuple(word for word in _MEANT if word[0] == letter) for letter in {word[0] for word in _MEANT}}
_FEWEST, _LONG = 5, 11  # letters of a word that is looked at, and of one in which two may be wrong


@lru_cache(maxsize=20_000)
def read_misspelt(word: str) -> str:
    """The word that is meant, if all but a letter or two are right."""
    if len(word) < _FEWEST or word in _MEANT:
        return word
    for meant in _BY_FIRST.get(word[0], ()):
        most = 2 if len(meant) >= _LONG else 1
        if abs(len(meant) - len(word)) <= most and count_slips(word, meant) <= most:
            return meant
    return word


def count_slips(one: str, other: str) -> int:
    """Return the number of letters to change, add, leave out or turn round to make one word of another."""
    before, row = list[int](), list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        last = [i]
        for j, b in enumerate(other, 1):
            best = min(row[j] + 1, last[j - 1] + 1, row[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                best = min(best, before[j - 2] + 1)
            last.append(best)
        before, row = row, last
    return row[-1]
