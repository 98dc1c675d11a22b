"""Tokenizer of formulas, by the separators of the spreadsheet's locale."""

import re
from functools import lru_cache
from typing import NamedTuple

from apps.sheets import a1


class Token(NamedTuple):
    """One token: its kind, text and start."""

    kind: str
    text: str
    start: int


class MalformedFormula(ValueError):
    """Error for text that is no formula."""


MAX_TOKENS = 2_500  # of one formula; ours: a longer one is refused before it costs time
MAX_LENGTH = 50_000  # characters in one cell; support.google.com/drive/answer/37603
CELL = r"\$?[A-Za-z]{1,3}\$?[0-9]{1,7}"
_SHEET = r"(?:'(?:[^']|'')+'|[^\W\d][\w.]*)!"
_PATTERNS = (
    ("space", r"[ \t\r\n ]+"),
    ("text", r'"(?:[^"]|"")*"'),
    ("error", r"#(?:REF!|N/A|DIV/0!|NAME\?|VALUE!|NUM!|NULL!|ERROR!)"),
    (
        "reference",
        rf"(?:{_SHEET})?(?:{CELL}(?::(?:{CELL}|\$?[A-Za-z]{{1,3}}|\$?[0-9]{{1,7}}))?|\$?[A-Za-z]{{1,3}}:\$?[A-Za-z]{{1,3}}(?:\$?[0-9]{{1,7}})?"
        rf"|\$?[0-9]{{1,7}}:\$?[0-9]{{1,7}}|\$?[0-9]{{1,7}}:{CELL}|#REF!)(?![\w.(!])",
    ),
    ("name", r"[^\W\d][\w.]*"),
    ("operator", r"<=|>=|<>|[-+*/^&=<>%]"),
    ("mark", r"[(){},;\\@:]"),
)


def _grammar(decimal: str) -> re.Pattern[str]:
    number = rf"(?:[0-9]+(?:{re.escape(decimal)}[0-9]*)?|{re.escape(decimal)}[0-9]+)(?:[eE][-+]?[0-9]+)?"
    patterns = [*_PATTERNS[:4], ("number", number), *_PATTERNS[4:]]
    return re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in patterns))


_GRAMMARS = {point: _grammar(point) for point in ".,"}
_COMMA_LANGUAGES = frozenset(
    "af bg ca cs da de el es et eu fi fr gl hr hu hy id is it ka kk lt lv nb nl nn no pl pt ro ru sk sl sr sv tr uk vi".split()
)
_POINT_LOCALES = frozenset(
    (
        "es_MX",
        "es_US",
        "es_PR",
        "es_GT",
        "es_HN",
        "es_NI",
        "es_PA",
        "es_PE",
        "es_SV",
        "es_DO",
        "de_CH",
        "de_LI",
        "it_CH",
    )
)


def decimal_comma(locale: str) -> bool:
    """Whether numbers of a locale use a decimal comma (then semicolons separate arguments)."""
    return locale not in _POINT_LOCALES and locale.split("_")[0] in _COMMA_LANGUAGES


def tokens(text: str, comma: bool) -> list[Token]:
    """Return all tokens of a formula without its `=`, white space left out."""
    if len(text) > MAX_LENGTH:
        raise MalformedFormula("too long")
    grammar, position, found = _GRAMMARS["," if comma else "."], 0, []
    while position < len(text):
        match = grammar.match(text, position)
        if match is None or match.lastgroup is None:
            raise MalformedFormula(text[position])
        if match.lastgroup != "space":
            found.append(Token(match.lastgroup, match.group(), position))
            if len(found) > MAX_TOKENS:
                raise MalformedFormula("too many tokens")
        position = match.end()
    return found


_RELATIVE = re.compile(rf"\"(?:[^\"]|\"\")*\"|'(?:[^']|'')+'|(?<![\w.$])({CELL})(?![\w.(!])")
_PARTS = re.compile(r"(\$?)([A-Za-z]{1,3})(\$?)([0-9]{1,7})")


@lru_cache(1024)
def column_letters(column: int) -> str:
    """Return the letters of a column: 0 is `A`, 26 is `AA`."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def template(text: str, row: int, column: int) -> str:
    """Return the text with relative references as distances: equal for formulas that were filled down."""

    def distance(match: re.Match[str]) -> str:
        cell = match.group(1)
        if cell is None:
            return match.group()
        parts = _PARTS.fullmatch(cell)
        assert parts is not None
        column_fixed, letters, row_fixed, digits = parts.groups()
        across = f"C{letters.upper()}" if column_fixed else f"C[{a1.column(letters) - column}]"
        down = f"R{digits}" if row_fixed else f"R[{int(digits) - 1 - row}]"
        return down + across

    return _RELATIVE.sub(distance, text)
