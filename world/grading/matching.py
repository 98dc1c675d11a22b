"""Assignment of rows to slots: exact, so that no valid run fails for the order its rows came in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from world.core.lazy import Lazy

Priority = tuple[int, float]


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for one row. `owner` names the item; higher `priority` is filled first."""

    owner: str
    priority: Priority


def assign(rows: int, slots: Sequence[Slot], edges: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """Row -> slot, lexicographically best by slot priority, then with the most rows placed.

    `edges` lists the slots each row fits. Rows are in journal order, slots in file order; both settle ties.
    """
    placed: dict[int, int] = {}
    for some_rows, some_slots in _components(rows, len(slots), edges):
        placed.update(_solve(some_rows, some_slots, slots, edges))
    return placed


def _components(rows: int, slots: int, edges: Mapping[int, Sequence[int]]) -> list[tuple[list[int], list[int]]]:
    parent = list(range(rows + slots))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for row, fitting in edges.items():
        for slot in fitting:
            one, other = root(row), root(rows + slot)
            parent[max(one, other)] = min(one, other)
    groups: dict[int, tuple[list[int], list[int]]] = {}
    for row in sorted(edges):
        if edges[row]:
            groups.setdefault(root(row), ([], []))[0].append(row)
    for slot in range(slots):
        if root(rows + slot) in groups:
            groups[root(rows + slot)][1].append(slot)
    return list(groups.values())


def _solve(
    rows: Sequence[int], slots: Sequence[int], known: Sequence[Slot], edges: Mapping[int, Sequence[int]]
) -> dict[int, int]:
    """The sets of slots that can be filled together form a matroid, so small integer ranks give the lexicographic
    optimum: the best basis for one increasing weighting is the best for all, and it is a largest one."""
    if len(rows) == 1:
        best = max(edges[rows[0]], key=lambda slot: (known[slot].priority, -slot))
        return {rows[0]: best}
    ranks = {priority: rank + 1 for rank, priority in enumerate(sorted({known[slot].priority for slot in slots}))}
    gain = [[0.0] * len(slots) for _ in rows]
    column = {slot: index for index, slot in enumerate(slots)}
    for index, row in enumerate(rows):
        for slot in edges[row]:
            gain[index][column[slot]] = ranks[known[slot].priority]
    solve = Lazy("scipy.optimize").linear_sum_assignment  # half a second of import that only grading needs
    chosen = solve(gain, maximize=True)
    pairs = zip(chosen[0].tolist(), chosen[1].tolist(), strict=True)
    return {rows[r]: slots[c] for r, c in pairs if gain[r][c] > 0}
