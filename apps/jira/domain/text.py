"""Bodies as callers send and want them: ADF, wiki markup or Markdown, over one stored ADF document."""

from typing import Literal

import orjson

from apps.jira.bodies import from_markdown, from_wiki, to_markdown, to_text, to_wiki, validate
from apps.jira.bodies.adf import attr, iter_nodes
from world.core.json_types import JsonObject

Format = Literal["adf", "wiki", "markdown"]
# characters; support.atlassian.com/jira-software-cloud/docs, advanced setting jira.text.field.character.limit
MAX_BODY = 32_767
MAX_PARTS = 12_000  # nodes and marks of a document; own limit
TOO_LONG = "The entered text is too long. It exceeds the allowed limit of 32,767 characters."
NOT_A_DOCUMENT = "Operation value must be an Atlassian Document (see the Atlassian Document Format)"
NOT_A_STRING = "Operation value must be a string"


class Problem(Exception):
    """A value a field does not accept; the text is the vendor's."""


def read_body(value: object, form: Format | None) -> JsonObject | None:
    """The document of a value; None for null or an empty text. Raises Problem."""
    if value is None or value == "":
        return None
    if isinstance(value, dict):
        return _read_document(value, form)
    if not isinstance(value, str):
        raise Problem(NOT_A_DOCUMENT if form in (None, "adf") else NOT_A_STRING)
    if form == "adf":
        raise Problem(NOT_A_DOCUMENT)
    _check_length(value)
    document = from_markdown(value) if form == "markdown" else from_wiki(value)
    _check_parts(document)
    return document


def _read_document(value: JsonObject, form: Format | None) -> JsonObject | None:
    if form in ("wiki", "markdown"):
        raise Problem(NOT_A_STRING)
    _check_parts(value)
    try:
        validate(value)
    except ValueError as error:
        raise Problem(str(error)) from None
    text = to_text(value)
    _check_length(text)
    return value if value.get("content") else None


def _check_length(text: str) -> None:
    if len(text) > MAX_BODY:
        raise Problem(TOO_LONG)


def _check_parts(document: JsonObject) -> None:
    """Count before anything looks at the parts one by one: each has a type."""
    if orjson.dumps(document).count(b'"type":') > MAX_PARTS:
        raise Problem(TOO_LONG)


def show_body(document: JsonObject | None, form: Format | None) -> JsonObject | str | None:
    """A stored document in the wanted form."""
    if document is None:
        return None
    if form == "markdown":
        return to_markdown(document)
    if form == "wiki":
        return to_wiki(document)
    return document


def document_text(document: JsonObject | None) -> str:
    """The words of a document, for search and graders."""
    return "" if document is None else to_text(document)


def list_mentions(document: JsonObject | None) -> list[str]:
    """accountIds mentioned in a document, in order, each once."""
    found: dict[str, None] = {}
    for node in iter_nodes([document] if document else []):
        if node["type"] == "mention":
            found[attr(node, "id").removeprefix("accountid:")] = None
    return list(found)
