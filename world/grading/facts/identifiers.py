"""Links, mail addresses, issue keys, pull requests and commits."""

import re

from world.grading.facts.piece import ExtractionState, FactCandidate
from world.grading.facts.vocabulary import Vocabulary

_LINK = re.compile(r"(?:https?://|www\.)[^\s\"<>|]+")
_TRAILING = ".,;:!?)]}'\"*_~"
_DOMAIN = re.compile(r"\.(?:example|test|com|org|net|io|dev|app|de|eu|uk)(?![a-z0-9-])(?!\.[a-z0-9])")
_HOST = re.compile(r"@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+")
_LEFT = re.compile(r"[a-z0-9.+_-]*")
_HOST_LEFT = re.compile(r"[a-z0-9.-]*")
_KEY_LEFT = re.compile(r"[a-z0-9-]*")
_DASH = re.compile(r"-[0-9]+(?![0-9A-Za-z-])")
_KEY = re.compile(r"[A-Z][A-Z0-9]{1,9}(?:-[0-9]+)+")
_PULL = re.compile(r"(?:pr|pull(?: request)?|merge request|mr)s? ?[/#]? ?([0-9]{1,7})(?![0-9.:%]|[a-z])")
_HASH = re.compile(r"#([0-9]{1,7})(?![0-9a-z])")
_HEX = re.compile(r"[0-9a-f]{7,40}")
_ACCOUNT = re.compile(r"[\w:.-]*\w")
STANDARDS = frozenset("UTF SHA ISO RFC MD AES RSA HTTP TLS SEV COVID IPV TCP UTC GMT".split())
_REACH = 254  # characters of an address or a host


def find_identifiers(c: ExtractionState, vocabulary: Vocabulary) -> None:
    """Add links, addresses, keys, pull requests and commits, and what entities they name."""
    if "://" in c.low or "www." in c.low:
        for match in _LINK.finditer(c.low):
            _add_link(c, match.start(), match.end(), vocabulary)
    if "@" in c.low:
        _find_addresses(c, vocabulary)
    for match in _DOMAIN.finditer(c.low):
        start = _run_left(_HOST_LEFT, c.backwards, match.start())
        if start < match.start() and not c.taken[start] and not c.taken[match.start()]:
            _add_host(c, start, match.end(), vocabulary)
    _find_keys(c, vocabulary)


def _run_left(pattern: re.Pattern[str], backwards: str, end: int) -> int:
    """Return the start of the run of letters that ends at a place; `backwards` is the whole text turned round."""
    at = len(backwards) - end
    found = pattern.match(backwards, at, at + _REACH)
    return end - (found.end() - at) if found else end


def _add_link(c: ExtractionState, start: int, end: int, vocabulary: Vocabulary) -> None:
    while c.low[end - 1] in _TRAILING:
        end -= 1
    text = c.plain[start:end]
    bare = re.sub(r"^(?:https?://)?(?:www\.)?", "", text, flags=re.I).rstrip("/")
    host, slash, path = bare.partition("/")
    if not host:
        return
    c.add(FactCandidate("link", host.lower() + slash + path, start, end))
    _add_owner(c, host.lower().split("@")[-1].split(":")[0], start, end, vocabulary)
    for match in _DASH.finditer(c.plain, start, end):
        _add_key(c, match.start(), match.end(), vocabulary)
    for match in re.finditer(r"/(?:pull|issues)/([0-9]+)", text):
        c.add(FactCandidate("key", f"#{match[1]}", start + match.start(1), start + match.end(1)))
    for match in re.finditer(r"/commit/([0-9a-f]{7,40})", text):
        c.add(FactCandidate("key", match[1], start + match.start(1), start + match.end(1)))


def _add_owner(c: ExtractionState, host: str, start: int, end: int, vocabulary: Vocabulary) -> None:
    labels = host.split(".")
    for size in range(len(labels), 1, -1):
        owner = vocabulary.domains.get(".".join(labels[-size:]))
        if owner is not None:
            c.add(FactCandidate(owner[0], owner[1], start, end))
            return


def _add_host(c: ExtractionState, start: int, end: int, vocabulary: Vocabulary) -> None:
    host = c.low[start:end].strip(".-")
    if "." in host:
        c.add(FactCandidate("link", host, start, end))
        _add_owner(c, host, start, end, vocabulary)


def _find_addresses(c: ExtractionState, vocabulary: Vocabulary) -> None:
    at = c.low.find("@")
    while at >= 0:
        host = _HOST.match(c.low, at)
        start = _run_left(_LEFT, c.backwards, at)
        if host and start < at and not c.taken[at]:
            address = c.low[start : host.end()]
            c.add(FactCandidate("address", address, start, host.end()))
            person = vocabulary.addresses.get(address)
            if person is not None:
                c.add(FactCandidate("person", person, start, host.end()))
            _add_owner(c, address.partition("@")[2], start, host.end(), vocabulary)
        elif not c.taken[at]:
            account = _ACCOUNT.match(c.plain, at + 1)
            person = vocabulary.account(account.group()) if account else None
            if account and person is not None:
                c.add(FactCandidate("person", person, at, account.end()))
        at = c.low.find("@", at + 1)


def _find_keys(c: ExtractionState, vocabulary: Vocabulary) -> None:
    for match in _DASH.finditer(c.plain):
        if not c.taken[match.start()]:
            _add_key(c, match.start(), match.end(), vocabulary)
    for match in _PULL.finditer(c.low):
        start = match.start()
        if not c.taken[start] and not (start and (c.low[start - 1].isalnum() or c.low[start - 1] in "_-.")):
            c.add(FactCandidate("key", f"#{match[1]}", start, match.end()))
    if "#" in c.low:
        for match in _HASH.finditer(c.low):
            if not c.taken[match.start()]:
                c.add(FactCandidate("key", f"#{match[1]}", match.start(), match.end()))
    for _, word, start, end in c.free():
        if end - start >= 7 and not word.isalpha() and not word.isdigit():
            _add_id(c, word, start, end, vocabulary)


def _add_key(c: ExtractionState, dash: int, end: int, vocabulary: Vocabulary) -> None:
    start = _run_left(_KEY_LEFT, c.backwards, dash)
    text = c.plain[start:end]
    prefix = text.partition("-")[0]
    if not _KEY.fullmatch(text.upper()) or prefix in STANDARDS or (start and c.low[start - 1] in "_@."):
        return
    if prefix.isupper() or prefix.upper() in vocabulary.projects:
        c.add(FactCandidate("key", text.upper(), start, end))


def _add_id(c: ExtractionState, word: str, start: int, end: int, vocabulary: Vocabulary) -> None:
    person = vocabulary.account(c.plain[start:end])
    if person is not None:
        c.add(FactCandidate("person", person, start, end))
    elif _HEX.fullmatch(word):
        c.add(FactCandidate("key", word, start, end))
    elif len(word) >= 9 and c.plain[start:end].isupper():
        c.add(FactCandidate("key", c.plain[start:end], start, end))
