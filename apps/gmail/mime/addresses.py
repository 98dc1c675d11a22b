"""Address lists of headers (RFC 5322 section 3.4), read leniently and in one pass; written strictly."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from apps.gmail.mime.charset import header_text
from apps.gmail.mime.header_words import decode_header, encode_header, unfold

MOST_ENTRIES = 2_001  # of a header: one more than a mail may go to, so that too many are seen to be too many
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\Z)|<[^<>]*+>|[(),;:]|[^"<(),;:]+|[<"]', re.S)
_ATOMS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+")
_ADDRESS = re.compile(r"[^\s<>()\[\]:;,\\\"\x00-\x1f\x7f]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*", re.A)


@dataclass(frozen=True)
class Address:
    """One mailbox of a header."""

    name: str
    email: str

    def __str__(self) -> str:
        return f"{self.name} <{self.email}>" if self.name else self.email


def parse_addresses(raw: str) -> list[Address]:
    """The first mailboxes of a raw header value; what names no mailbox is left out."""
    entries = islice(_split_entries(header_text(unfold(raw))), MOST_ENTRIES)
    found = (_parse_mailbox(tokens) for tokens in entries)
    return [one for one in found if one is not None]


def _split_entries(value: str) -> Iterator[list[str]]:
    """The tokens of each entry, without the labels of groups; a comment is one token."""
    entry: list[str] = []
    depth = 0
    for token in _TOKEN.findall(value):
        depth += (token == "(") - (token == ")" and depth > 0)
        if depth or token == ")":
            entry.append("(" if token == "(" and depth == 1 else token)
        elif token in (",", ";"):
            yield entry
            entry = []
        elif token == ":":
            entry = []
        else:
            entry.append(token)
    yield entry


def _parse_mailbox(tokens: list[str]) -> Address | None:
    words, comments = _strip_comments(tokens)
    angles = [word for word in words if word.startswith("<") and word.endswith(">")]
    if angles:
        email = angles[-1][1:-1].rpartition(":")[2]
        name = "".join(_unquote(word) for word in words if word not in angles)
    else:
        email = "".join(words)
        name = comments
    email = re.sub(r"[\s\x00-\x1f\x7f]", "", email)
    return Address(" ".join(decode_header(name).split()), email) if email else None


def _strip_comments(tokens: list[str]) -> tuple[list[str], str]:
    words: list[str] = []
    comments: list[str] = []
    depth = 0
    for token in tokens:
        if token == "(" or token == ")":
            depth = max(0, depth + (1 if token == "(" else -1))
        else:
            (comments if depth else words).append(token)
    return words, "".join(comments)


def _unquote(token: str) -> str:
    return re.sub(r"\\(.)", r"\1", token[1:].removesuffix('"'), flags=re.S) if token.startswith('"') else token


def format_address(address: Address) -> str:
    """A mailbox as a header carries it; ValueError for one that no header can carry."""
    if not _ADDRESS.fullmatch(address.email):
        raise ValueError(f"not a mail address: {address.email[:100]!r}")
    name = encode_header(address.name)
    if not name:
        return address.email
    if name == address.name and not _ATOMS.fullmatch(name):
        escaped = re.sub(r'(["\\])', r"\\\1", name)
        name = f'"{escaped}"'
    return f"{name} <{address.email}>"
