"""Gmail's search language: parsing and meaning of queries, without tables.

`bounded(parse(text), now, zone)` is the input of a search compiler; `scope` decides whether trash and spam are
searched; `found` and `matches` are the specification over plain documents; `words` defines words on both sides.
"""

from apps.gmail.query.criteria import Criteria, criteria_search
from apps.gmail.query.dates import bind_dates
from apps.gmail.query.document import Document, Person, list_entries
from apps.gmail.query.matcher import is_found, matches
from apps.gmail.query.normal_form import Node
from apps.gmail.query.printer import print_query
from apps.gmail.query.scope import Scope, search_scope
from apps.gmail.query.semantics import parse
from apps.gmail.query.tree import QueryRefused

__all__ = [
    "Criteria",
    "Document",
    "Node",
    "Person",
    "QueryRefused",
    "Scope",
    "bind_dates",
    "criteria_search",
    "list_entries",
    "is_found",
    "matches",
    "parse",
    "search_scope",
    "print_query",
]
