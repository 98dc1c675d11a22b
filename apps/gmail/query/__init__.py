"""Gmail's search language: from text to what it means, without tables.

`bounded(parse(text), now, zone)` is what a search compiler takes; `scope` says whether trash and spam are looked
through; `found` and `matches` are the specification over plain documents; `words` says what a word is on both sides.
"""

from apps.gmail.query.criteria import Criteria, criteria_search
from apps.gmail.query.dates import bounded
from apps.gmail.query.document import Document, Person, entries
from apps.gmail.query.matcher import found, matches
from apps.gmail.query.normal_form import Node
from apps.gmail.query.printer import show
from apps.gmail.query.scope import Scope, scope
from apps.gmail.query.semantics import parse
from apps.gmail.query.tree import QueryRefused

__all__ = [
    "Criteria",
    "Document",
    "Node",
    "Person",
    "QueryRefused",
    "Scope",
    "bounded",
    "criteria_search",
    "entries",
    "found",
    "matches",
    "parse",
    "scope",
    "show",
]
