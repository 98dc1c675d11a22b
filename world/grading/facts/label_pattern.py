"""The words of labels in a text: which role stands where; a longer label wins over a shorter."""

import re
from collections.abc import Iterator, Mapping, Sequence


class LabelPattern:
    """Finds the words of several roles."""

    def __init__(self, roles: Mapping[str, Sequence[str]]) -> None:
        self._roles = {spell_label(word): role for role, words in roles.items() for word in words}
        words = sorted(self._roles, key=len, reverse=True)
        self.pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(_flexible, words))})(?:'s)?(?![\w])")

    def find(self, low: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """Yield place and role of each label of a stretch."""
        for match in self.pattern.finditer(low, start, end):
            yield match.start(), match.end(), self.find_role(match.group())

    def find_role(self, label: str) -> str:
        """The role of a label as it is written."""
        words = spell_label(label)
        return self._roles[words if words in self._roles else words.removesuffix("'s")]

    @staticmethod
    def lower(text: str) -> str:
        """A text in lower case, letter for letter."""
        low = text.lower()
        low = low if len(low) == len(text) else "".join(one if len(one := c.lower()) == 1 else c for c in text)
        return low.replace("’", "'")


def spell_label(words: str) -> str:
    """A label in lower case, its words apart by one space."""
    return re.sub(r"[\s-]+", " ", words.strip().lower())


def _flexible(words: str) -> str:
    return r"[\s-]+".join(map(re.escape, words.split()))
