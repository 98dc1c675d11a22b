"""Keeps an answer within the size hosts take: cut between items, and said so."""

from collections.abc import Callable, Iterable

import orjson

CAP = 100_000  # characters of JSON, bytes of UTF-8; some hosts cut silently at about this size
PAGE_SIZES = ("limit", "maxResults", "max_results", "count", "per_page", "pageSize", "perPage")
KEPT_TEXT = 2_000


def within(text: str, arguments: Iterable[str], cap: int = CAP) -> tuple[str, str]:
    """Return the text, cut if need be, and a sentence that says what was left out ("" if nothing was)."""
    if len(text) * 4 <= cap or len(text.encode()) <= cap:
        return text, ""
    page = next((name for name in PAGE_SIZES if name in arguments), None)
    if text[:1] in "{[":
        try:
            return _cut_json(orjson.loads(text), page, cap)
        except orjson.JSONDecodeError:
            pass
    return _cut_lines(text, page, cap)


def _cut_lines(text: str, page: str | None, cap: int) -> tuple[str, str]:
    lines = text.split("\n")
    fits = _most(len(lines), lambda n: len("\n".join(lines[:n]).encode()) <= cap)
    if fits == 0:
        return text.encode()[:cap].decode(errors="ignore"), f"[Cut at {cap} bytes.]"
    return "\n".join(lines[:fits]), _note("lines", len(lines) - fits, len(lines), page, fits)


def _cut_json(value: object, page: str | None, cap: int) -> tuple[str, str]:
    notes = []
    for _ in range(8):
        longest = _longest_list(value, "items")
        if longest is None or _size(value) <= cap:
            break
        name, items = longest
        total, kept = len(items), list(items)
        items.clear()
        room = cap - _size(value)
        fits = _most(total, lambda n, kept=kept, room=room: _size(kept[:n]) <= room)
        items += kept[:fits]
        notes.append(_note(name, total - fits, total, page, fits))
        if fits:
            break
    if _size(value) > cap:
        value = _shorten_texts(value, KEPT_TEXT)
        notes.append(f"[Texts over {KEPT_TEXT} characters were shortened.]")
    text = orjson.dumps(value).decode()
    if len(text.encode()) > cap:
        return "{}", f"[The answer is over {cap} bytes and was left out.]"
    return text, "\n".join(notes)


def _note(name: str, left: int, total: int, page: str | None, kept: int) -> str:
    more = " Ask for less at once."
    if page and kept:
        more = f" Ask again with {page}={kept} and go on from the cursor of that answer."
    return f"[{left} of {total} {name} were left out: the answer would be over {CAP // 1000} kB.{more}]"


def _size(value: object) -> int:
    return len(orjson.dumps(value))


def _most(total: int, fits: Callable[[int], bool]) -> int:
    """The largest n <= total that fits, by bisection."""
    low, high = 0, total
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


def _longest_list(value: object, name: str, depth: int = 3) -> tuple[str, list[object]] | None:
    """The biggest non-empty list near the top, with the name it goes by."""
    if isinstance(value, list):
        return (name, value) if value else None
    if not isinstance(value, dict) or depth == 0:
        return None
    found = [one for key, part in value.items() if (one := _longest_list(part, str(key), depth - 1)) is not None]
    return max(found, key=lambda one: _size(one[1])) if found else None


def _shorten_texts(value: object, most: int) -> object:
    if isinstance(value, str) and len(value) > most:
        return f"{value[:most]}… [{len(value) - most} more characters]"
    if isinstance(value, dict):
        return {key: _shorten_texts(part, most) for key, part in value.items()}
    if isinstance(value, list):
        return [_shorten_texts(part, most) for part in value]
    return value
