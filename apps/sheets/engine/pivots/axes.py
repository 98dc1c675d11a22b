"""Axes of a pivot table: its groups in order down or across, with their totals."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from apps.sheets.cells import Value
from apps.sheets.engine.pivots.groups import Key, Spec, choose_key, own, to_value
from apps.sheets.engine.values import sort_key

Record = list[Value]
Measure = Callable[[int, list[Record]], Value]  # a value of the definition for records


@dataclass(slots=True)
class Node:
    """A group with its records and its subgroups."""

    key: Key
    records: list[Record]
    nodes: list["Node"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Line:
    """A row or column: its groups, and whether it is a total."""

    path: tuple[Key, ...]
    records: list[Record]
    is_total: bool = False

    @property
    def is_grand(self) -> bool:
        """Whether it is the grand total."""
        return self.is_total and not self.path


class Axis:
    """The groups down or across; `opposite` are the groups of the other axis, by whose buckets values can sort."""

    def __init__(self, groups: Sequence[Spec], opposite: Sequence[Spec], measure: Measure) -> None:
        self.groups, self.measure = groups, measure
        self.keys = [(group.get("sourceColumnOffset") or 0, choose_key(group)) for group in groups]
        self.opposite = [(group.get("sourceColumnOffset") or 0, choose_key(group)) for group in opposite]

    def lines(self, records: list[Record]) -> list[Line]:
        """Return all lines; a single line without groups."""
        if not self.groups:
            return [Line((), records)]
        nodes = self._nodes(records, 0)
        found = list(self._flat(nodes, 0, ()))
        return (
            [*found, Line((), [record for node in nodes for record in node.records], True)]
            if self.groups[0].get("showTotals")
            else found
        )

    def _nodes(self, records: list[Record], level: int) -> list[Node]:
        """Return the groups of a level in order, up to the limit."""
        offset, key = self.keys[level]
        parts: dict[Key, list[Record]] = {}
        for record in records:
            parts.setdefault(key(record[offset]), []).append(record)
        group = self.groups[level]
        nodes = sorted((Node(*part) for part in parts.items()), key=lambda node: node.key.order)
        if "valueBucket" in group:
            nodes.sort(key=lambda node: sort_key(self._get_sort_value(group["valueBucket"], node.records)))
        if group.get("sortOrder") == "DESCENDING":
            nodes.reverse()
        nodes = nodes[: (group.get("groupLimit") or {}).get("countLimit") or len(nodes)]
        if level + 1 < len(self.groups):
            for node in nodes:
                node.nodes = self._nodes(node.records, level + 1)
        return nodes

    def _get_sort_value(self, bucket: Spec, records: list[Record]) -> Value:
        """Return the sort value of a group, from the records in a bucket of the other axis."""
        wanted = list(zip(self.opposite, bucket.get("buckets") or [], strict=False))
        inside = [
            record
            for record in records
            if all(key(record[offset]).label == own(to_value(one)).label for (offset, key), one in wanted)
        ]
        return self.measure(bucket.get("valuesIndex") or 0, inside)

    def _flat(self, nodes: list[Node], level: int, path: tuple[Key, ...]) -> Iterator[Line]:
        folded = {
            own(to_value(one.get("value")))
            for one in self.groups[level].get("valueMetadata") or []
            if one.get("collapsed")
        }
        for node in nodes:
            here = (*path, node.key)
            if level + 1 == len(self.groups):
                yield Line(here, node.records)
                continue
            is_folded = node.key in folded
            if not is_folded:
                yield from self._flat(node.nodes, level + 1, here)
            if is_folded or self.groups[level + 1].get("showTotals"):
                yield Line(here, node.records, True)


def cross_lines(down: list[Line], across: list[Line]) -> dict[tuple[int, int], list[Record]]:
    """Return the records of each pair of lines that has any."""
    places: dict[int, list[int]] = {}
    for number, line in enumerate(across):
        for record in line.records:
            places.setdefault(id(record), []).append(number)
    found: dict[tuple[int, int], list[Any]] = {}
    for number, line in enumerate(down):
        for record in line.records:
            for other in places.get(id(record), ()):
                found.setdefault((number, other), []).append(record)
    return found
