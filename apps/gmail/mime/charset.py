"""Decoding of bytes with a declared character set, which may be wrong, unknown or missing."""

import codecs
import re

_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:()-]{0,39}")
_SINGLE = {
    "ascii",
    "cp1250",
    "cp1251",
    "cp1252",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "cp1257",
    "cp1258",
    "cp437",
    "cp850",
    "cp866",
    "koi8-r",
    "koi8-u",
    "mac-roman",
    "tis-620",
    *(f"iso8859-{number}" for number in range(1, 17)),
}
_MANY = {
    "utf-8",
    "utf-16",
    "utf-16-be",
    "utf-16-le",
    "utf-32",
    "utf-32-be",
    "utf-32-le",
    "big5",
    "big5hkscs",
    "gb2312",
    "gbk",
    "gb18030",
    "shift_jis",
    "cp932",
    "euc_jp",
    "euc_kr",
    "cp949",
    "iso2022_jp",
    "iso2022_jp_2",
    "iso2022_kr",
    "hz",
}
# Senders write the smaller set and mean the larger; browsers read them so too
# (encoding.spec.whatwg.org#names-and-labels).
_WIDER = {
    "ascii": "utf-8",
    "iso8859-1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
}


def find_codec(label: str) -> str:
    """Python's name of a character set of mail, or "" for any other codec, known or not."""
    if not _LABEL.fullmatch(label):
        return ""
    try:
        name = codecs.lookup(label).name
    except LookupError:
        return ""
    return _WIDER.get(name, name) if name in _SINGLE or name in _MANY else ""


def decode_text(data: bytes, label: str) -> str:
    """Text of bytes: as declared if that fits, else UTF-8 if that fits, else as near as can be; never an error."""
    declared = find_codec(label)
    for name in (declared, "utf-8"):
        try:
            return data.decode(name) if name else data.decode("utf-8")
        except UnicodeDecodeError:
            continue
    return data.decode(declared if declared in _MANY else "cp1252", "replace")


def header_text(value: str) -> str:
    """A header value whose 8-bit bytes came through as surrogates."""
    return value if value.isascii() else decode_text(value.encode("utf-8", "surrogateescape"), "")
