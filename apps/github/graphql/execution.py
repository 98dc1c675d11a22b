"""One whole request: reads the document, checks its limits, runs it, and builds the response."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from graphql import OperationDefinitionNode

from apps.github.graphql import (
    accounts,
    checks,
    issues,
    pulls,
    releases,
    repositories,
    reviews,
    roots,
    search,
    timelines,
)
from apps.github.graphql.answer import Answer
from apps.github.graphql.document import Document, read_document, schema
from apps.github.graphql.engine import Conflict, Run
from apps.github.graphql.introspection import describes_too_much
from apps.github.graphql.limits import EXCEEDED, EXCEEDED_KIND, excess
from apps.github.graphql.loader import Loader
from apps.github.graphql.plain_rows import ReadContext
from apps.github.graphql.values import variables
from world.core.call import Call
from world.core.json_types import JsonObject

RESOLVERS = (
    accounts,
    checks,
    issues,
    pulls,
    releases,
    repositories,
    reviews,
    roots,
    search,
    timelines,
)  # declare who answers


@dataclass(slots=True)
class PreparedRequest:
    """A request that may be run, or the response that it cannot."""

    document: Document
    chosen: OperationDefinitionNode | None = None
    known: JsonObject = field(default_factory=dict)
    nodes: int = 0
    refused: Answer | None = None


def begin(query: str, given: Mapping[str, object] | None, name: str | None) -> PreparedRequest:
    """Read a request and check it against the limits."""
    made = PreparedRequest(read_document(query))
    if made.document.errors:
        made.refused = {"errors": made.document.errors}
        return made
    made.chosen = made.document.find_operation(name)
    if made.chosen is None:
        made.refused = {
            "errors": [{"message": f'No operation named "{name}"' if name else "An operation name is required"}]
        }
        return made
    made.known, errors = variables(schema(), made.chosen, given or {})
    if errors:
        made.refused = {"errors": errors}
        return made
    if describes_too_much(made.document, made.chosen):
        made.refused = {"data": None, "errors": [{"type": EXCEEDED_KIND, "message": EXCEEDED}]}
        return made
    made.nodes, error = excess(made.document, made.chosen, made.known)
    if error is not None:
        made.refused = {"data": None, "errors": [error]}
    return made


def run_query(call: Call, query: str, given: Mapping[str, object] | None, name: str | None) -> Answer:
    """Return the response to a reading request."""
    begun = begin(query, given, name)
    if begun.refused is not None or begun.chosen is None:
        return begun.refused or {}
    near = Loader(call, ReadContext)
    near.nodes = begun.nodes
    run = Run(near, begun.document, begun.chosen, begun.known)
    try:
        data = run.data()
    except Conflict as conflict:
        return {"errors": [conflict.error]}
    return {"data": data, "errors": run.errors} if run.errors else {"data": data}
