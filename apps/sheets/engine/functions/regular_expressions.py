"""Regular expressions, by RE2: their time is linear in the text."""

from functools import lru_cache
from typing import Any

import re2

from apps.sheets.cells import Value
from apps.sheets.engine.evaluate import Run
from apps.sheets.engine.functions.texts import short
from apps.sheets.engine.registry import function
from apps.sheets.engine.values import MAX_TEXT, Grid, Result, format_plain_number, formula_error

MAX_MEMORY = 1 << 20  # bytes of a compiled pattern
MAX_PATTERN = 2_000  # characters


@lru_cache(128)
def ready(pattern: str) -> object:
    """Return a compiled RE2 pattern."""
    options = re2.Options()
    options.max_mem = MAX_MEMORY
    options.log_errors = False
    return re2.compile(pattern, options)


def compile_pattern(run: Run, name: str, pattern: str) -> Any:
    """Compile a pattern, or refuse an invalid one."""
    run.spend(20 + len(pattern))
    try:
        if len(pattern) > MAX_PATTERN:
            raise re2.error("too long")
        return ready(pattern)
    except re2.error:
        raise formula_error(
            "#REF!", f'Function {name} parameter 2 value "{pattern[:200]}" is not a valid regular expression.'
        ) from None


def subject(name: str, value: Value) -> str:
    """Return the text to match; numbers are refused."""
    if isinstance(value, float | bool):
        kind = "boolean" if isinstance(value, bool) else "number"
        told = str(value).upper() if isinstance(value, bool) else format_plain_number(value)
        raise formula_error(
            "#VALUE!",
            f"Function {name} parameter 1 expects text values. But '{told}' is a {kind} and cannot be coerced to a"
            " text.",
        )
    return str(value or "")


@function("REGEXMATCH", "v t", run=True)
def regexmatch(run: Run, value: Value, pattern: str) -> bool:
    """Whether a pattern is found."""
    hay = subject("REGEXMATCH", value)
    run.spend(len(hay) // 50)
    return compile_pattern(run, "REGEXMATCH", pattern).search(hay.encode()) is not None


@function("REGEXEXTRACT", "v t", run=True)
def regexextract(run: Run, value: Value, pattern: str) -> Result:
    """The first match, or its groups side by side."""
    hay = subject("REGEXEXTRACT", value)
    run.spend(len(hay) // 50)
    match = compile_pattern(run, "REGEXEXTRACT", pattern).search(
        hay.encode()
    )  # as bytes: nobody asks where it is, and that costs
    if match is None:
        told = f'Function REGEXEXTRACT parameter 2 value "{pattern[:200]}" does not match text'
        raise formula_error("#N/A", f'{told} of Function REGEXEXTRACT parameter 1 value "{hay[:200]}".')
    groups = [(group or b"").decode() for group in match.groups()]
    if not groups:
        return match.group().decode()
    return groups[0] if len(groups) == 1 else Grid([[*groups]])


@function("REGEXREPLACE", "v t t", run=True)
def regexreplace(run: Run, value: Value, pattern: str, new: str) -> str:
    """Every match replaced; `$1` stands for a group."""
    hay = subject("REGEXREPLACE", value)
    run.spend(len(hay) // 20)
    found = compile_pattern(run, "REGEXREPLACE", pattern)
    pieces, at, size = [], 0, 0
    for match in found.finditer(hay):
        run.spend(8 + found.groups)
        piece = hay[at : match.start()] + fill_groups(new, match)
        size += len(piece)
        if size > MAX_TEXT:
            break
        pieces.append(piece)
        at = match.end()
    return short("".join(pieces) + hay[at:] + ("x" * MAX_TEXT if size > MAX_TEXT else ""))


def fill_groups(new: str, match: Any) -> str:
    """Return a replacement with its groups filled in."""
    pieces, index = [], 0
    while index < len(new):
        letter, following = new[index], new[index + 1 : index + 2]
        if letter == "$" and following.isdigit():
            group = int(following)
            pieces.append((match.group(group) or "") if group <= len(match.groups()) else "")
            index += 2
        elif letter == "\\" and following:
            pieces.append(following)
            index += 2
        else:
            pieces.append(letter)
            index += 1
    return "".join(pieces)
