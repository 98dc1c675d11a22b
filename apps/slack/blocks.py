"""Block Kit of messages: validation, fallback text, and block ids."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from apps.slack.text import from_rich_text
from world.core.json_types import JsonObject
from world.core.rng import digest

# Limits are those of docs.slack.dev/reference/block-kit/blocks
MAX_BLOCKS, MAX_TEXT, MAX_HEADER, MAX_ID = 50, 3000, 150, 255
_BASE = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

Json = Mapping[str, Any]


@lru_cache(maxsize=4096)  # what is read once is read again
def new_block_id(*path: str) -> str:
    """Return a new block id of five characters, as the service gives blocks without one."""
    number = int.from_bytes(digest("slack block", *path, size=8), "big")
    out = ""
    for _ in range(5):
        number, digit = divmod(number, 62)
        out += _BASE[digit]
    return out


def add_block_ids(blocks: Sequence[Json], *path: str) -> list[JsonObject]:
    """The blocks, each with an id."""
    return [
        {**block, "block_id": block.get("block_id") or new_block_id(*path, str(n))} for n, block in enumerate(blocks)
    ]


def find_problem(blocks: Sequence[object]) -> str | None:
    """Return the problem of a message's blocks in the service's words, or None."""
    if len(blocks) > MAX_BLOCKS:
        return f"no more than {MAX_BLOCKS} items allowed [json-pointer:/blocks]"
    seen: set[str] = set()
    for n, block in enumerate(blocks):
        if not isinstance(block, Mapping):
            return f"must be an object [json-pointer:/blocks/{n}]"
        wrong = _find_block_problem(block, seen)
        if wrong:
            return f"{wrong[1]} [json-pointer:/blocks/{n}{wrong[0]}]"
    return None


def _find_block_problem(block: Json, seen: set[str]) -> tuple[str, str] | None:
    kind = block.get("type")
    if not isinstance(kind, str):
        return "", "missing required field: type"
    check = _CHECKS.get(kind)
    if check is None:
        return "/type", f"unsupported type: {kind}"
    name = block.get("block_id")
    if isinstance(name, str) and name:
        if len(name) > MAX_ID:
            return "/block_id", f"must be less than {MAX_ID + 1} characters"
        if name in seen:
            return "/block_id", "block_id already exists"
        seen.add(name)
    return check(block)


def _find_text_problem(value: object, limit: int, kinds: Sequence[str], at: str = "/text") -> tuple[str, str] | None:
    if not isinstance(value, Mapping):
        return at, "must provide an object"
    if value.get("type") not in kinds:
        return f"{at}/type", f"unsupported type: {value.get('type')}"
    text = value.get("text")
    if not isinstance(text, str) or not text:
        return f"{at}/text", "must be more than 0 characters"
    if len(text) > limit:
        return f"{at}/text", f"must be less than {limit + 1} characters"
    return None


def _check_section(block: Json) -> tuple[str, str] | None:
    if block.get("text") is None and not block.get("fields"):
        return "", "missing required field: text"
    if block.get("text") is not None:
        return _find_text_problem(block["text"], MAX_TEXT, ("mrkdwn", "plain_text"))
    fields = block["fields"]
    if not isinstance(fields, list) or len(fields) > 10:
        return "/fields", "no more than 10 items allowed"
    wrong = (_find_text_problem(item, 2000, ("mrkdwn", "plain_text"), f"/fields/{n}") for n, item in enumerate(fields))
    return next((item for item in wrong if item), None)


def _check_header(block: Json) -> tuple[str, str] | None:
    return _find_text_problem(block.get("text"), MAX_HEADER, ("plain_text",))


def _check_image(block: Json) -> tuple[str, str] | None:
    if not block.get("image_url") and not block.get("slack_file"):
        return "", "missing required field: image_url"
    return None if block.get("alt_text") is not None else ("", "missing required field: alt_text")


def _elements_check(limit: int) -> object:
    def check(block: Json) -> tuple[str, str] | None:
        items = block.get("elements")
        if not isinstance(items, list) or not items:
            return "", "missing required field: elements"
        if len(items) > limit:
            return "/elements", f"no more than {limit} items allowed"
        bad = (
            n for n, item in enumerate(items) if not isinstance(item, Mapping) or not isinstance(item.get("type"), str)
        )
        return next(((f"/elements/{n}", "missing required field: type") for n in bad), None)

    return check


_RICH = ("rich_text_section", "rich_text_list", "rich_text_preformatted", "rich_text_quote")


def _check_rich_text(block: Json) -> tuple[str, str] | None:
    items = block.get("elements")
    if not isinstance(items, list):
        return "", "missing required field: elements"
    for n, item in enumerate(items):
        if not isinstance(item, Mapping) or item.get("type") not in _RICH:
            return f"/elements/{n}/type", f"unsupported type: {item.get('type') if isinstance(item, Mapping) else item}"
        if not isinstance(item.get("elements"), list):
            return f"/elements/{n}", "missing required field: elements"
    return None


def _check_markdown(block: Json) -> tuple[str, str] | None:
    return None if isinstance(block.get("text"), str) and block["text"] else ("/text", "must be more than 0 characters")


def _check_nothing(block: Json) -> tuple[str, str] | None:
    return None


_CHECKS = {
    "section": _check_section,
    "header": _check_header,
    "image": _check_image,
    "actions": _elements_check(25),
    "context": _elements_check(10),
    "rich_text": _check_rich_text,
    "markdown": _check_markdown,
    "divider": _check_nothing,
    "file": _check_nothing,
    "input": _check_nothing,
    "video": _check_nothing,
    "table": _check_nothing,
    "context_actions": _elements_check(5),
    "call": _check_nothing,
}


def blocks_to_text(blocks: Sequence[Json]) -> str:
    """Return the text that represents blocks in notifications, search and clients without Block Kit."""
    return "\n".join(part for block in blocks for part in _iter_block_texts(block) if part)


def _iter_block_texts(block: Json) -> Iterator[str]:
    kind = block.get("type")
    if kind == "rich_text":
        yield from_rich_text(block)
    elif kind == "markdown":
        yield str(block.get("text", ""))
    elif kind == "image":
        yield str(block.get("alt_text", ""))
    elif kind in ("section", "header", "context"):
        yield _text_of(block.get("text"))
        for item in block.get("fields") or ():
            yield _text_of(item)
        if kind == "context":
            yield " ".join(filter(None, (_text_of(item) for item in block.get("elements") or ())))


def _text_of(value: object) -> str:
    text = value.get("text") if isinstance(value, Mapping) else None
    return text if isinstance(text, str) else ""
