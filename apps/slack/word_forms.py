"""Forms of an English word that a search takes for the same: `deploys` finds `deploy`, `deployed` and `deploying`."""

from collections.abc import Iterator

SHORTEST = 3  # letters of a word without its ending
VOWELS = frozenset("aeiouy")
NO_PLURAL = ("ss", "us", "is")
SIBILANTS = ("s", "x", "z", "ch", "sh")


def list_word_forms(word: str) -> list[str]:
    """The word with every regular ending, in lower case, sorted; alone if it has figures or other letters."""
    low = word.lower()
    if not (low.isascii() and low.isalpha()) or len(low) < SHORTEST:
        return [low]
    return sorted({low}.union(*map(_inflect, list(_list_bases(low)) or [low])))


def _list_bases(word: str) -> Iterator[str]:
    """Yield the words of which this may be a form."""
    if word.endswith(("ies", "ied")):
        yield word[:-3] + "y"
    for ending in ("ing", "ed", "es", "s"):
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < SHORTEST or VOWELS.isdisjoint(stem):
            continue
        if (ending == "s" and word.endswith(NO_PLURAL)) or (ending == "es" and not stem.endswith((*SIBILANTS, "o"))):
            continue
        yield stem
        if ending in ("ing", "ed"):
            yield stem + "e"
            if stem[-1] == stem[-2]:
                yield stem[:-1]


def _inflect(base: str) -> Iterator[str]:
    """Yield a word in its regular forms."""
    yield base
    if base[-1] == "y" and base[-2] not in VOWELS:
        yield from (base[:-1] + "ies", base[:-1] + "ied", base + "ing")
        return
    yield base + ("es" if base.endswith(SIBILANTS) else "s")
    stem = base.removesuffix("e")
    yield from (stem + "ed", stem + "ing")
    if len(base) >= SHORTEST and base[-1] not in VOWELS | {"w", "x"} and base[-2] in VOWELS and base[-3] not in VOWELS:
        yield from (base + base[-1] + "ed", base + base[-1] + "ing")
