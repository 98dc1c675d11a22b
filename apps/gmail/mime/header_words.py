"""Header values: encoded words (RFC 2047) both ways, folding, and the parameters of a content header (RFC 2045, RFC
2231).
"""

import re
from base64 import b64encode
from binascii import Error, a2b_base64, a2b_qp
from collections.abc import Mapping
from functools import lru_cache
from itertools import groupby
from urllib.parse import quote, unquote_to_bytes

from apps.gmail.mime.charset import decode_text, header_text

LINE = 78  # characters; RFC 5322 section 2.1.1
LONGEST = 998  # characters of a line; RFC 5322 section 2.1.1
USUAL = 200  # characters up to which a content header's reading is kept
_CHUNK = 39  # bytes, so that an encoded word fits on a line with the name of its header; RFC 2047 section 2

_WORD = re.compile(r"=\?([^?\s*]{1,40})(?:\*[^?\s]{0,40})?\?([bBqQ])\?([^?]*)\?=")
_BREAK = re.compile(r"[\r\n]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_PARAMETER = re.compile(r';\s*([^\s=;"*]+)(\*\d{1,4})?(\*)?\s*=\s*("(?:[^"\\]|\\.)*+(?:"|\Z)|[^;]*)', re.S)


def unfold(value: str) -> str:
    """A header value on one line: only line breaks go, the white space after them stays."""
    return _BREAK.sub("", value)


def decode_header(raw: str) -> str:
    """A raw header value as a reader sees it: unfolded, encoded words decoded, no control characters."""
    return _CONTROL.sub("", decode_words(header_text(unfold(raw))))


def decode_words(value: str) -> str:
    """A value with its encoded words decoded; neighbours in one character set are joined before decoding."""
    if "=?" not in value:
        return value
    out: list[str] = []
    held: tuple[str, bytes] | None = None
    at = 0
    for word in _WORD.finditer(value):
        between, at = value[at : word.start()], word.end()
        label, data = word[1].lower(), _decode_bytes(word[2], word[3])
        if held and held[0] == label and not between.strip():
            held = (label, held[1] + data)
            continue
        out += [decode_text(held[1], held[0])] if held else []
        out += [between] if between.strip() or not held else []
        held = (label, data)
    out += [decode_text(held[1], held[0])] if held else []
    return "".join([*out, value[at:]])


def _decode_bytes(kind: str, text: str) -> bytes:
    data = text.encode("utf-8", "surrogateescape")
    if kind in "qQ":
        return a2b_qp(data, header=True)
    try:
        return a2b_base64(data + b"==")
    except Error:
        return data


def encode_header(text: str) -> str:
    """Text as a header can carry it: itself, or encoded words if it has anything a reader would see otherwise."""
    plain = text.isascii() and text.isprintable() and "=?" not in text and "  " not in text and text == text.strip()
    if plain and max(map(len, text.split(" "))) <= LONGEST - LINE:
        return text
    return " ".join(f"=?UTF-8?B?{b64encode(chunk.encode()).decode('ascii')}?=" for chunk in _split_chunks(text))


def _split_chunks(text: str) -> list[str]:
    out = [""]
    for character in text:
        if len((out[-1] + character).encode()) > _CHUNK:
            out.append("")
        out[-1] += character
    return out


def fold_header(name: str, value: str) -> str:
    """An ASCII value broken before single spaces, so that lines stay short where they can."""
    lines = [""]
    room = LINE - len(name) - 2
    for index, piece in enumerate(re.split(r"(?<=\S)(?= \S)", value)):
        if index and len(lines[-1]) + len(piece) > room:
            lines.append("")
            room = LINE
        lines[-1] += piece
    return "\r\n".join(lines)


def parse_parameters(raw: str) -> tuple[str, Mapping[str, str]]:
    """The value of a content header in lower case and its parameters; the first of a name counts."""
    return _parse_usual(raw) if len(raw) <= USUAL else _parse(raw)


def _parse(raw: str) -> tuple[str, Mapping[str, str]]:
    value = header_text(unfold(raw))
    head = value.partition(";")[0]
    whole: dict[str, str] = {}
    pieces: dict[str, dict[int, tuple[str, bool]]] = {}
    for found in _PARAMETER.finditer(value, len(head)):
        name = found[1].lower()
        if found[2] or found[3]:
            pieces.setdefault(name, {}).setdefault(int((found[2] or "*0")[1:]), (_unquote(found[4]), bool(found[3])))
        else:
            whole.setdefault(name, decode_words(_unquote(found[4])))
    extended = {name: _join_pieces(by_number) for name, by_number in pieces.items()}
    return head.strip().lower(), whole | extended


_parse_usual = lru_cache(maxsize=256)(_parse)  # most mails have the same few content headers


def _unquote(text: str) -> str:
    text = text.strip()
    return re.sub(r"\\(.)", r"\1", text[1:].removesuffix('"'), flags=re.S) if text.startswith('"') else text


def _join_pieces(by_number: dict[int, tuple[str, bool]]) -> str:
    """The value of a parameter in extended notation, its pieces in order."""
    pieces = [by_number[number] for number in sorted(by_number)]
    label = ""
    if pieces[0][1] and pieces[0][0].count("'") >= 2:
        label, _, rest = pieces[0][0].split("'", 2)
        pieces[0] = (rest, True)
    runs = ((percent, "".join(text for text, _ in run)) for percent, run in groupby(pieces, key=lambda piece: piece[1]))
    data = b"".join(unquote_to_bytes(text) if percent else text.encode() for percent, text in runs)
    return decode_text(data, label)


def format_parameter(name: str, value: str) -> str:
    """`; name=value` for a content header: quoted, or in RFC 2231's notation where quoting is not enough."""
    if value.isascii() and value.isprintable() and len(value) <= LINE and "=?" not in value:
        escaped = re.sub(r'(["\\])', r"\\\1", value)
        return f'; {name}="{escaped}"'
    text = "UTF-8''" + quote(value, safe="")
    pieces = re.findall(r"(?:%..|[^%]){1,18}", text)
    if len(pieces) == 1:
        return f"; {name}*={text}"
    return "".join(f"; {name}*{number}*={piece}" for number, piece in enumerate(pieces))
