"""Node limit of a query.

Source: docs.github.com/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api.
"""

from collections.abc import Mapping

from graphql import FieldNode, FragmentSpreadNode, IntValueNode, OperationDefinitionNode, SelectionSetNode, VariableNode

from apps.github.graphql.answer import ErrorEntry
from apps.github.graphql.document import Document
from apps.github.graphql.error_messages import list_locations

MOST_NODES = 500_000
MOST_WORK = 5_000  # of one request: resolvers run, a begun field or a search counting as several, and rows they run for
ROOT_WORK, SEARCH_WORK, ROWS_OF_WORK = 20, 100, 20
EXCEEDED, EXCEEDED_KIND = "Resource limits for this query exceeded.", "RESOURCE_LIMITS_EXCEEDED"


class _TooMany(Exception):
    def __init__(self, node: FieldNode, nodes: int) -> None:
        super().__init__(node.name.value)
        self.node, self.nodes = node, nodes


class _Counter:
    """Multiplies the sizes of connections from the root down."""

    def __init__(self, document: Document, known: Mapping[str, object]) -> None:
        self._document, self._known = document, known

    def count(self, selections: SelectionSetNode | None, times: int) -> int:
        """Count the nodes below selections that occur `times` times."""
        total = 0
        for one in selections.selections if selections is not None else ():
            if isinstance(one, FieldNode):
                total += self._field(one, times)
            elif isinstance(one, FragmentSpreadNode):
                total += self.count(self._document.fragments[one.name.value].selection_set, times)
            else:
                total += self.count(one.selection_set, times)  # type: ignore[attr-defined]
        return total

    def _field(self, node: FieldNode, times: int) -> int:
        size = self._size(node)
        here = times * size if size is not None else 0
        if here > MOST_NODES:
            raise _TooMany(node, here)
        return here + (self.count(node.selection_set, here if size is not None else times) if size != 0 else 0)

    def _size(self, node: FieldNode) -> int | None:
        """Return `first` or `last` of a field; None if it is no connection."""
        for argument in node.arguments or ():
            if argument.name.value in ("first", "last") and node.selection_set is not None:
                value = argument.value
                found = self._known.get(value.name.value) if isinstance(value, VariableNode) else None
                found = int(value.value) if isinstance(value, IntValueNode) else found
                if isinstance(found, int):
                    return max(found, 0)
        return None


def excess(
    document: Document, operation: OperationDefinitionNode, known: Mapping[str, object]
) -> tuple[int, ErrorEntry | None]:
    """Return the maximal number of nodes of an operation, and an error if it is over the limit."""
    try:
        total = _Counter(document, known).count(operation.selection_set, 1)
    except _TooMany as many:
        return many.nodes, _error(many.node, many.nodes)
    return total, None


def _error(node: FieldNode, nodes: int) -> ErrorEntry:
    message = (
        f"By the time this query traverses to the {node.name.value} connection, it is requesting up to {nodes:,}"
        f" possible nodes which exceeds the maximum limit of {MOST_NODES:,}."
    )
    return {"type": "MAX_NODE_LIMIT_EXCEEDED", "locations": list_locations([node]), "message": message}
