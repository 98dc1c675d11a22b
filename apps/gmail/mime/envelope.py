"""Header lines put before or taken out of a mail's bytes; every other byte stays as it was."""

import re

from apps.gmail.mime.header_words import fold_header

_BLANK = re.compile(rb"(?:\A|\r\n|\n|\r(?!\n))(\r\n|\n|\r)")  # the line that ends the headers, whatever ends lines


def remove_header(raw: bytes, name: str) -> bytes:
    """A mail without a header, however often it stood there."""
    found = _BLANK.search(raw)
    end = found.start(1) if found else len(raw)
    pattern = (
        rb"(?:\A|(?<=[\r\n]))"
        + re.escape(name.encode())
        + rb"[ \t]*:[^\r\n]*(?:(?:\r\n|\n|\r)[ \t][^\r\n]*)*(?:\r\n|\n|\r|\Z)"
    )
    return re.sub(pattern, b"", raw[:end], flags=re.I) + raw[end:]


def prepend_headers(raw: bytes, *headers: tuple[str, str]) -> bytes:
    """A mail with header lines before its own; values are encoded already."""
    return b"".join(f"{name}: {fold_header(name, value)}\r\n".encode("ascii") for name, value in headers) + raw
