"""Criteria of a filter as a search.

developers.google.com/workspace/gmail/api/reference/rest/v1/users.settings.filters
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from apps.gmail.query.normal_form import EVERYTHING, Has, Larger, Node, Smaller, System, Words, conjunction
from apps.gmail.query.semantics import interpret_value, parse
from apps.gmail.query.tokens import tokens
from world.core.boolean_tree import negate


@dataclass(frozen=True, slots=True)
class Criteria:
    """Criteria of a filter; `subject` is a phrase, `sender` and `to` accept the values of their operators."""

    sender: str = ""
    to: str = ""
    subject: str = ""
    query: str = ""
    negated_query: str = ""
    has_attachment: bool = False
    exclude_chats: bool = False
    size_bytes: int = 0
    size_comparison: Literal["unspecified", "larger", "smaller"] = "unspecified"


def criteria_search(criteria: Criteria) -> Node:
    """Return the search of a filter: the conjunction of its criteria; without any, every mail. Raises QueryRefused."""
    return conjunction(_list_parts(criteria))


def _list_parts(criteria: Criteria) -> Iterator[Node]:
    yield interpret_value("from", criteria.sender)
    yield interpret_value("to", criteria.to)
    if words := tokens(criteria.subject):
        yield Words("subject", words)
    yield parse(criteria.query)
    if (unwanted := parse(criteria.negated_query)) != EVERYTHING:
        yield negate(unwanted)
    if criteria.has_attachment:
        yield Has("attachment")
    if criteria.exclude_chats:
        yield negate(System("CHAT"))
    if criteria.size_comparison != "unspecified":
        yield (Larger if criteria.size_comparison == "larger" else Smaller)(criteria.size_bytes)
