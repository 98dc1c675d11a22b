"""The patterns of rubrics: RE2, whose time is linear in the text."""

from collections.abc import Callable

import re2

MAX_MEMORY = 1 << 20  # bytes of a compiled pattern


class PatternError(ValueError):
    """A pattern outside the language of RE2."""


def compile_pattern(source: str) -> Callable[[str], bool]:
    """A test whether a whole text has the form of the pattern. Raises PatternError."""
    options = re2.Options()
    options.max_mem = MAX_MEMORY
    options.log_errors = False
    try:
        compiled = re2.compile(source.encode(errors="replace"), options)
    except re2.error as error:
        reason = error.args[0].decode(errors="replace")
        raise PatternError(f"{reason} (the language is RE2: no look-around, no back-references)") from None
    return lambda text: compiled.fullmatch(text.encode(errors="replace")) is not None
