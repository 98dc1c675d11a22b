"""Numbers in digits and in words: their values, with both readings where grouping and decimals look alike."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache

POINT, COMMA = "decimal point", "decimal comma"  # habits
NUMERAL = re.compile(
    r"[0-9](?:(?<![0-9][0-9])[0-9]{0,2}(?:[ '][0-9]{3}(?![0-9]))+(?:[.,][0-9]+)?|[0-9]*(?:[.,][0-9]+)*)"
)
_GROUPS = re.compile(r"[0-9]{1,3}(?:[0-9]{3})*|[0-9]{1,2}(?:[0-9]{2})*[0-9]{3}")
_THREES = re.compile(r"[0-9]{1,3}(?:S[0-9]{3})+")
_LAKHS = re.compile(r"[0-9]{1,2}(?:S[0-9]{2})+S[0-9]{3}")
MAX_DIGITS = 40
Worth = tuple[Decimal, str]


def read_numeral(text: str) -> tuple[Worth, ...]:
    """Return the values of a numeral, the likeliest first, each with its habit; empty when it is no number."""
    if len(text) > MAX_DIGITS:
        return ()
    if text.isdigit():
        return ((Decimal(text), ""),)
    plain = text.replace(" ", "").replace("'", "")
    if plain != text:
        return ((Decimal(plain.replace(",", ".")), ""),) if _one_mark(plain) else ()
    points, commas = plain.count("."), plain.count(",")
    if points and commas:
        return _parse_with_both_marks(plain)
    mark = "." if points else ","
    if points + commas > 1:
        return ((Decimal(plain.replace(mark, "")), ""),) if _is_grouped_in_thousands(plain, mark) else ()
    return _single(plain, mark)


def _one_mark(plain: str) -> bool:
    return plain.count(".") + plain.count(",") <= 1


def _parse_with_both_marks(plain: str) -> tuple[Worth, ...]:
    decimal = max(".,", key=plain.rfind)
    group = "," if decimal == "." else "."
    whole, _, part = plain.rpartition(decimal)
    if decimal in whole or not _is_grouped_in_thousands(whole, group):
        return ()
    return ((Decimal(f"{whole.replace(group, '')}.{part}"), ""),)


def _is_grouped_in_thousands(whole: str, mark: str) -> bool:
    shape = whole.replace(mark, "S")
    return bool(_THREES.fullmatch(shape) or (mark == "," and _LAKHS.fullmatch(shape)))


def _single(plain: str, mark: str) -> tuple[Worth, ...]:
    whole, _, part = plain.partition(mark)
    broken = Decimal(f"{whole}.{part}")
    if len(part) != 3 or len(whole) > 3 or whole.startswith("0"):
        return ((broken, ""),)
    grouped = Decimal(whole + part)
    if mark == ",":
        return ((grouped, POINT), (broken, COMMA))
    return ((broken, POINT), (grouped, COMMA))


# in words

_ONES = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_EINER = "ein zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn"
_ZEHNER = "zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig"
_SMALL: Mapping[str, int] = {
    **{word: at + 1 for at, word in enumerate(_ONES.split())},
    **{word: 10 * at + 20 for at, word in enumerate(_TENS.split())},
    "fourty": 40,
    "dozen": 12,
    "zero": 0,
}
_BIG: Mapping[str, int] = {
    "hundred": 100,
    "thousand": 1_000,
    "million": 1_000_000,
    "billion": 1_000_000_000,
    "lakh": 100_000,
    "crore": 10_000_000,
}


def _german() -> dict[str, int]:
    below = {word: at + 1 for at, word in enumerate(_EINER.split())}
    tens = {word: 10 * at + 20 for at, word in enumerate(_ZEHNER.split())}
    below |= tens | {f"{one}und{ten}": below[one] + tens[ten] for one in _EINER.split()[:9] for ten in tens}
    hundreds = {f"{one}hundert": 100 * at for at, one in enumerate(["", *_EINER.split()[:9]]) if at} | {"hundert": 100}
    found = {**below, **hundreds, **{f"{h}{b}": hundreds[h] + below[b] for h in hundreds for b in below}}
    found |= {f"{word}tausend": size * 1000 for word, size in {**below, **hundreds}.items()} | {"tausend": 1000}
    found["eins"] = 1
    del found["ein"]
    return found


GERMAN: Mapping[str, int] = _german()
HALVES: Mapping[str, Decimal] = {
    "anderthalb": Decimal("1.5"),
    "eineinhalb": Decimal("1.5"),
    **{f"{word}einhalb": Decimal(size) + Decimal("0.5") for word, size in GERMAN.items() if 2 <= size <= 12},
}
OFTEN: Mapping[str, int] = {
    "twice": 2,
    "thrice": 3,
    "einmal": 1,
    **{f"{word}mal": size for word, size in GERMAN.items() if 2 <= size <= 20},
}
STARTS = frozenset({*_SMALL, *_BIG, *GERMAN, *HALVES}) - {"dozen", "zero"} | {"dozen"}
_ARTICLES = frozenset({"a", "an"})
Token = tuple[str, int, int]


def read_number_words(tokens: Sequence[Token], at: int, low: str) -> tuple[Decimal, int] | None:
    """A number in words that begins at a token, and the index of the token after it."""
    word = tokens[at][0]
    if word in GERMAN or word in HALVES:
        return Decimal(GERMAN.get(word, 0)) or HALVES[word], at + 1
    total = current = 0
    index, last = at, ""
    while index < len(tokens):
        word = tokens[index][0]
        if index > at and not _follows(tokens, index, low):
            break
        if word in _SMALL and word != "dozen" and _continues(last, word):
            current += _SMALL[word]
        elif word == "dozen" and last in ("", *_SMALL):
            current = (current or 1) * 12
        elif word == "hundred" and current < 100:
            current = (current or 1) * 100
        elif word in _BIG and word != "hundred":
            total, current = total + (current or 1) * _BIG[word], 0
        elif word == "and" and last in _BIG and index + 1 < len(tokens) and tokens[index + 1][0] in _SMALL:
            index += 1
            continue
        else:
            break
        last = word
        index += 1
    if index == at:
        return None
    return _and_a_half(Decimal(total + current), tokens, index)


def _follows(tokens: Sequence[Token], index: int, low: str) -> bool:
    return low[tokens[index - 1][2] : tokens[index][1]] in (" ", "-", "\n")


def _continues(last: str, word: str) -> bool:
    if last in _BIG or not last:
        return True
    return last.endswith("ty") and _SMALL[word] < 10


def _and_a_half(value: Decimal, tokens: Sequence[Token], index: int) -> tuple[Decimal, int]:
    if [token[0] for token in tokens[index : index + 3]] == ["and", "a", "half"]:
        return value + Decimal("0.5"), index + 3
    return value, index


@lru_cache(maxsize=256)
def words_worth(text: str) -> Decimal | None:
    """The number that a few words are, or None when they are anything else."""
    tokens = [(m.group(), m.start(), m.end()) for m in re.finditer(r"[a-z]+", text.lower())]
    if not tokens or tokens[0][0] not in STARTS:
        return None
    found = read_number_words(tokens, 0, text.lower())
    return found[0] if found and found[1] == len(tokens) else None
