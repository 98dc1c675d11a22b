"""The words of a JQL query: escapes, quotes, reserved characters and words, each refused in Jira's sentence."""

import re
from dataclasses import dataclass

from apps.jira.query.tree import JqlError

# Atlassian's advanced-searching page lists the reserved words; these are the ones that are not keywords of the
# language.
RESERVED = frozenset(
    """abort access add alias all alter any as audit avg begin between boolean break byte catch char character check checkpoint
    collate collation column commit connect continue count create current date decimal declare decrement default defaults define
    delete delimiter difference distinct divide do double drop else encoding end equals escape exclusive exec execute exists
    explain false fetch file field first float for function go goto grant greater group having identified if immediate increment
    index initial inner inout input insert int integer intersect intersection into isempty isnull join last left less like limit
    lock long max min minus mode modify modulo more multiply next noaudit notin nowait number object of option outer output power
    previous prior privileges public raise raw remainder rename resource return returns revoke right row rowid rownum rows select
    session set share size sqrt start strict string subtract sum synonym table then trans transaction trigger true uid union
    unique update user validate values view when whenever where while with""".split()
)
KEYWORDS = {
    "and": "_AND",
    "or": "_OR",
    "not": "NOT",
    "empty": "EMPTY",
    "null": "EMPTY",
    "in": "IN",
    "is": "IS",
    "was": "WAS",
    "changed": "CHANGED",
    "after": "AFTER",
    "before": "BEFORE",
    "during": "DURING",
    "on": "ON",
    "by": "BY",
    "from": "FROM",
    "to": "TO",
    "order": "_ORDER",
    "asc": "ASC",
    "desc": "DESC",
    "cf": "CF",
}
SYMBOLS = {
    "!=": "NE",
    "!~": "NLIKE",
    "<=": "LE",
    ">=": "GE",
    "&&": "_AND",
    "||": "_OR",
    "=": "EQ",
    "~": "LIKE",
    "<": "LT",
    ">": "GT",
    "(": "_LPAR",
    ")": "_RPAR",
    "[": "_LBRACK",
    "]": "_RBRACK",
    ",": "_COMMA",
    "!": "BANG",
    "&": "_AND",
    "|": "_OR",
}
ESCAPES = {"'": "'", '"': '"', "t": "\t", "n": "\n", "r": "\r", "\\": "\\", " ": " "}
LOWEST, HIGHEST = -(2**63), 2**63 - 1
MAX_LENGTH = 100_000  # characters of a query; own limit

_ILLEGAL = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff"
_SPACE = re.compile(r"[ \t\r\n]+")
_SYMBOL = re.compile(r"!=|!~|<=|>=|&&|\|\||[=~<>()\[\],!&|]")
_BARE = re.compile(rf"[^ \t\r\n=!~<>()\[\],&|\"'\\{{}}*/%+^$#@?;{_ILLEGAL}]+")
_INSIDE = {quote: re.compile(rf"[^{quote}\\\t{_ILLEGAL}]+") for quote in "'\""}
_RESERVED_CHARACTER = frozenset("{}*/%+^$#@?;")
_NUMBER = re.compile(r"-?\d+")
_HEX = re.compile(r"[0-9a-fA-F]{0,4}")
_SEQUENCES = r"""The valid escape sequences are \', \", \t, \n, \r, \\, '\ ' and \uXXXX."""


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A token: `kind` is the grammar's terminal, `text` what it says, `at` its offset in the query."""

    kind: str
    text: str
    at: int


def describe_position(text: str, at: int) -> str:
    """Describe an offset's position, as Jira ends its sentences."""
    line_start = text.rfind("\n", 0, at) + 1
    return f"(line {text.count(chr(10), 0, at) + 1}, character {at - line_start + 1})"


def query_error(text: str, at: int, sentence: str) -> JqlError:
    """An error in the query at an offset."""
    return JqlError([f"Error in the JQL Query: {sentence} {describe_position(text, at)}"])


def scan_query(text: str) -> list[Lexeme]:
    """The tokens of a query. Raises JqlError for what cannot be one."""
    if len(text) > MAX_LENGTH:
        raise JqlError([f"The JQL query is too long: it may have at most {MAX_LENGTH} characters."])
    text = _join_surrogates(text)
    found: list[Lexeme] = []
    at = 0
    while at < len(text):
        if space := _SPACE.match(text, at):
            at = space.end()
        elif symbol := _SYMBOL.match(text, at):
            found.append(Lexeme(SYMBOLS[symbol[0]], symbol[0], at))
            at = symbol.end()
        else:
            lexeme, at = _scan_quoted(text, at) if text[at] in "'\"" else _scan_bare(text, at)
            found.append(lexeme)
    return found


def _scan_quoted(text: str, start: int) -> tuple[Lexeme, int]:
    quote, parts, at = text[start], list[str](), start + 1
    while at < len(text):
        if run := _INSIDE[quote].match(text, at):
            parts.append(run[0])
            at = run.end()
        elif text[at] == quote:
            return Lexeme("QUOTED", _join_surrogates("".join(parts)), start), at + 1
        elif text[at] == "\\":
            part, at = _scan_escape(text, at)
            parts.append(part)
        else:
            raise _illegal_character(text, at)
    said = re.sub(r"[\r\n]", " ", "".join(parts))
    sentence = (
        f"The quoted string '{said}' has not been completed." if said else "The quoted string has not been completed."
    )
    raise query_error(text, start, sentence)


def _scan_bare(text: str, start: int) -> tuple[Lexeme, int]:
    parts, at, escaped = list[str](), start, False
    while at < len(text):
        if run := _BARE.match(text, at):
            parts.append(run[0])
            at = run.end()
        elif text[at] == "\\":
            part, at = _scan_escape(text, at)
            parts.append(part)
            escaped = True
        elif text[at] in " \t\r\n'\"" or _SYMBOL.match(text, at):
            break
        else:
            raise _illegal_character(text, at)
    return _word_lexeme(text, "".join(parts), start, escaped), at


def _word_lexeme(text: str, word: str, at: int, escaped: bool) -> Lexeme:
    if escaped:
        return Lexeme("WORD", _join_surrogates(word), at)
    if word.isascii() and _NUMBER.fullmatch(word):
        return Lexeme("NUMBER", check_number(text, word, at), at)
    lowered = word.lower()
    if lowered in RESERVED:
        sentence = f"'{word}' is a reserved JQL word. You must surround it in quotation marks to use it in a query."
        raise query_error(text, at, sentence)
    return Lexeme(KEYWORDS.get(lowered, "WORD"), word, at)


def _join_surrogates(word: str) -> str:
    """Text with surrogate pairs joined; a lone half becomes U+FFFD, as text cannot hold it."""
    if not any("\ud800" <= char <= "\udfff" for char in word):
        return word
    return word.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def check_number(text: str, digits: str, at: int) -> str:
    """The digits, when they are a 64-bit number."""
    if len(digits) < 30 and LOWEST <= int(digits) <= HIGHEST:
        return digits
    raise query_error(
        text, at, f"'{digits}' is not a valid number. Numbers must be between {LOWEST:,} and {HIGHEST:,}."
    )


def _scan_escape(text: str, at: int) -> tuple[str, int]:
    letter = text[at + 1 : at + 2]
    if not letter:
        raise query_error(text, at, f"The escape sequence has not been completed. {_SEQUENCES}")
    if letter in ESCAPES:
        return ESCAPES[letter], at + 2
    if letter != "u":
        raise query_error(text, at, f"'\\{letter}' is an illegal JQL escape sequence. {_SEQUENCES}")
    digits = _HEX.match(text, at + 2)
    assert digits is not None  # the pattern matches nothing too
    if len(digits[0]) < 4:
        wrong = text[at : digits.end() + 1]
        raise query_error(text, at, f"'{wrong}' is an illegal JQL escape sequence. {_SEQUENCES}")
    return chr(int(digits[0], 16)), digits.end()


def _illegal_character(text: str, at: int) -> JqlError:
    char = text[at]
    code = f"\\u{ord(char):04x}"
    if char in _RESERVED_CHARACTER:
        advice = f"You must enclose it in a string or use the escape '{code}' instead."
        return query_error(text, at, f"The character '{char}' is a reserved JQL character. {advice}")
    where = describe_position(text, at)[1:-1].replace(", character ", " at position ")
    return query_error(
        text, at, f"The character 'U+{ord(char):04X}' on {where} must be escaped. Use the escape '{code}' instead."
    )
