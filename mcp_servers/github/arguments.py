"""Arguments that tools write otherwise than the REST API: plain texts, lists, choices, files as text."""

from base64 import b64encode
from collections.abc import Mapping

from mcp_servers.tools import ArgumentForm

PAGE = {"perPage": "per_page"}
PULL = {"pullNumber": "pull_number"}
LOGINS = {"type": "array", "items": {"type": "string"}}


def text(description: str) -> ArgumentForm:
    """A text."""
    return ArgumentForm({"type": "string", "description": description}, _text, str)


def integer(description: str) -> ArgumentForm:
    """A whole number."""
    return ArgumentForm({"type": "integer", "description": description})


def flag(description: str, *, default: bool | None = None) -> ArgumentForm:
    """Yes or no."""
    return ArgumentForm(
        {"type": "boolean", "description": description, **({} if default is None else {"default": default})}
    )


def choice(description: str, *values: str) -> ArgumentForm:
    """One of some words."""
    return ArgumentForm({"type": "string", "enum": list(values), "description": description})


def texts(description: str) -> ArgumentForm:
    """A list of texts."""
    return ArgumentForm({**LOGINS, "description": description})


def fields(*names: str) -> Mapping[str, ArgumentForm]:
    """Build the argument that chooses the fields shown of each item."""
    schema = {
        "type": "array",
        "items": {"type": "string", "enum": list(names)},
        "description": "Show only these fields of each item.",
    }
    return {"fields": ArgumentForm(schema)}


def upper(description: str, *values: str) -> ArgumentForm:
    """One of some words in capitals that the operation takes in small letters."""
    return ArgumentForm(
        {"type": "string", "enum": list(values), "description": description},
        lambda value: _text(value).lower(),
        _capitals,
    )


def commas(description: str) -> ArgumentForm:
    """A list of texts that the operation takes with commas between."""
    return ArgumentForm(
        {**LOGINS, "description": description},
        lambda value: ",".join(read_texts(value)),
        lambda value: str(value).split(","),
    )


def content(description: str) -> ArgumentForm:
    """The text of a file, which the operation takes in base64."""
    return ArgumentForm(
        {"type": "string", "description": description}, lambda value: b64encode(_text(value).encode()).decode()
    )


def branch(description: str) -> ArgumentForm:
    """The name of a branch, which the operation takes as a ref."""
    return ArgumentForm(
        {"type": "string", "description": description}, lambda value: f"refs/heads/{_text(value)}", _without_heads
    )


def tag(description: str) -> ArgumentForm:
    """The name of a tag, which the operation takes as a ref."""
    return ArgumentForm(
        {"type": "string", "description": description}, lambda value: f"tags/{_text(value)}", _without_tags
    )


def identifier(description: str) -> ArgumentForm:
    """An id as text, which the operation takes as a number."""
    return ArgumentForm({"type": "string", "description": description}, parse_integer, str)


def read_texts(value: object) -> list[str]:
    """A list of texts. Raises ValueError."""
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValueError("must be a list of strings")
    return value


def parse_integer(value: object) -> int:
    """A whole number, perhaps as text. Raises ValueError."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 17:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise ValueError("must be a whole number")


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("must be a string")
    return value


def _capitals(value: object) -> str:
    return str(value).upper()


def _without_heads(value: object) -> str:
    return str(value).removeprefix("refs/heads/")


def _without_tags(value: object) -> str:
    return str(value).removeprefix("tags/")
