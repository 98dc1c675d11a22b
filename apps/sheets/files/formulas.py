"""Conversion of formulas between files and the world.

A formula that the file's programs lack is written as the vendor does it,
`IFERROR(__xludf.DUMMYFUNCTION("QUERY(…)"),value)`, and read back. A formula is written natively only if reading that
gives the same formula again.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from apps.sheets.cells import Fault, Value
from apps.sheets.files.excel_names import NEWER, OWN
from apps.sheets.formats.entry import number_text
from apps.sheets.structure import formula_references

LONGEST_LITERAL = 255  # of a text in a formula of a file
SPILLED = '"COMPUTED_VALUE"'  # the vendor's formula of a cell that another one's formula fills
_PIECES = re.compile(r"(\"(?:[^\"]|\"\")*+\"|'(?:[^']|'')*+')")
_PREFIX = re.compile(r"_{1,2}xl(?:fn|ws|pm|udf)\.", re.IGNORECASE)
_SINGLE = re.compile(r"_xlfn\.SINGLE(?=\()", re.IGNORECASE)
_DUMMY = re.compile(r'IFERROR\(\s*__xludf\.DUMMYFUNCTION\(\s*((?:"(?:[^"]|"")*+"\s*&?\s*)+)\)', re.IGNORECASE)
_LITERAL = re.compile(r'"((?:[^"]|"")*+)"')
_CALLED = re.compile(r"([^\W\d][\w.]*+)\s*\(")
_BRACES = re.compile(r"\{[^{}]*\}")
_CONSTANT = re.compile(r"\{(?:\s*(?:[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?|TRUE|FALSE)?\s*[,;]?)*\}", re.IGNORECASE)
_OPEN_COLUMN = re.compile(r"(?<![\w.$:])(\$?[A-Z]{1,3}\$?[0-9]{1,7}):(\$?[A-Z]{1,3})(?![\w.$(])", re.IGNORECASE)
_OPEN_ROW = re.compile(r"(?<![\w.$:])(\$?[A-Z]{1,3}\$?[0-9]{1,7}):(\$?[0-9]{1,7})(?![\w.$(])", re.IGNORECASE)
_TO_THE_END = re.compile(r"(?<![\w.$:])(\$?[A-Z]{1,3}\$?[0-9]{1,7}):(\$?[A-Z]{1,3})1048576(?![\w.$(])", re.IGNORECASE)
_TO_THE_RIGHT = re.compile(r"(?<![\w.$:])(\$?[A-Z]{1,3}\$?[0-9]{1,7}):XFD(\$?[0-9]{1,7})(?![\w.$(])", re.IGNORECASE)
_OUTSIDE = re.compile(r"(?<![\w\]])'?\[\d+\]|'[^']*\[[^\]']+\.xls[xmb]?\][^']*'!")
_ODD = re.compile(r"_xl|\[|1048576|XFD|DUMMYFUNCTION", re.IGNORECASE)


@lru_cache(maxsize=8192)
def inward(text: str) -> str | None:
    """Convert a file's formula to a typed one, with its `=`; None for a cell that another one fills."""
    text = text.removeprefix("=")
    if not _ODD.search(text):
        return "=" + text
    dummy = _DUMMY.match(text)
    if dummy:
        held = "".join(_LITERAL.findall(dummy[1])).replace('""', '"')
        return None if held == SPILLED else "=" + held
    return "=" + "".join(piece if place % 2 else _plain(piece) for place, piece in enumerate(_PIECES.split(text)))


def _plain(piece: str) -> str:
    piece = _PREFIX.sub("", _SINGLE.sub("", piece))
    return _TO_THE_RIGHT.sub(r"\1:\2", _TO_THE_END.sub(r"\1:\2", piece))


def reaches_outside(text: str) -> bool:
    """Whether a file's formula reads another file."""
    return "[" in text and bool(_OUTSIDE.search(_LITERAL.sub('""', text)))


def as_array(formula: str) -> str:
    """Convert an array formula of a file to a typed one."""
    return formula if formula.upper().startswith("=ARRAYFORMULA(") else f"=ARRAYFORMULA({formula[1:]})"


def array_inside(formula: str) -> str | None:
    """Return the content of an ARRAYFORMULA around a whole formula; None for any other."""
    if not (formula.startswith("=ARRAYFORMULA(") and formula.endswith(")")):
        return None
    inner = formula[len("=ARRAYFORMULA(") : -1]
    depth = 0
    for place, piece in enumerate(_PIECES.split(inner)):
        for mark in "" if place % 2 else piece:
            depth += (mark == "(") - (mark == ")")
            if depth < 0:
                return None
    return inner if inner and not depth else None


def outward(formula: str, titles: Mapping[str, str]) -> str | None:
    """Convert a formula for the file's programs, with the sheets' titles there; None where they lack something."""
    for here, there in titles.items():
        formula = formula_references.rename_sheet(formula, here, there)
    return _outward(formula)


@lru_cache(maxsize=8192)
def _outward(formula: str) -> str | None:
    pieces = _PIECES.split(formula[1:])
    if any(len(piece) > LONGEST_LITERAL + 2 for piece in pieces[1::2]) or "__xludf" in formula or "_xl" in formula:
        return None
    bare = "".join('""' if place % 2 else piece for place, piece in enumerate(pieces))
    if not all(_CONSTANT.fullmatch(braces.replace('""', "1")) for braces in _BRACES.findall(bare)) or re.search(
        "#ERROR!|[@\\[]", bare
    ):
        return None
    called = {name.upper() for name in _CALLED.findall(bare)}
    if not bare.strip() or bare.count("(") != bare.count(")") or not called <= OWN | NEWER:
        return None
    written = "".join(piece if place % 2 else _prefix_newer_functions(piece) for place, piece in enumerate(pieces))
    return written if inward(written) == formula else None


def _prefix_newer_functions(piece: str) -> str:
    piece = _CALLED.sub(lambda found: f"_xlfn.{found[0]}" if found[1].upper() in NEWER else found[0], piece)
    return _OPEN_ROW.sub(r"\1:XFD\2", _OPEN_COLUMN.sub(r"\g<1>:\g<2>1048576", piece))


def dummy(formula: str, value: Value) -> str:
    """Return a placeholder for a formula that the file's programs lack, with the value to show."""
    return f"IFERROR(__xludf.DUMMYFUNCTION({quote_text(formula.removeprefix('='))}),{_render_value(value)})"


def quote_text(text: str) -> str:
    """Quote a text for a formula of a file, split where it is longer than a literal may be."""
    cut = [text[at : at + LONGEST_LITERAL // 2] for at in range(0, len(text), LONGEST_LITERAL // 2)] or [""]
    return "&".join('"' + piece.replace('"', '""') + '"' for piece in cut)


def _render_value(value: Value) -> str:
    if isinstance(value, Fault):
        return value.code if value.code not in ("#ERROR!", "Loading...") else f'"{value.code}"'
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return repr(value) if abs(value) < 1e15 else number_text(value)
    return quote_text(str(value or ""))
