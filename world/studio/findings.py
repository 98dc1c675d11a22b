"""The findings of a verdict, each with the steps and the rows that decide it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from world.studio.run_view import RunView


@dataclass(frozen=True, slots=True)
class Finding:
    """A part of the verdict. `share` is none for what no item of the rubric asks: other changes, and what never may be."""

    id: str
    kind: str
    share: float | None
    weight: float
    is_gate: bool
    why: str
    rows: Sequence[str]
    steps: Sequence[int]

    @property
    def is_good(self) -> bool:
        """Whether nothing is missing."""
        return self.share == 1


def list_findings(view: RunView, verdict: Mapping[str, Any]) -> Iterator[Finding]:
    """Items of the rubric, then what must never happen, then changes that nothing asked for."""
    for item in verdict.get("items", ()):
        yield _read(view, item, str(item["id"]), str(item["kind"]), item["share"])
    for breach in verdict.get("never", ()):
        yield _read(view, breach, str(breach["id"]), "never", None)
    for change in verdict.get("unclaimed", ()):
        yield _read(view, change, str(change["change"]), str(change.get("degree", "unclaimed")), None)


def find_deciders(view: RunView, verdict: Mapping[str, Any]) -> dict[str, list[str]]:
    """Row (`table:key`) -> the findings that it decides."""
    found = dict[str, list[str]]()
    for one in list_findings(view, verdict):
        for row in one.rows:
            found.setdefault(row, []).append(one.id)
    return found


def _read(view: RunView, part: Mapping[str, Any], name: str, kind: str, share: float | None) -> Finding:
    rows = [str(row) for row in part.get("rows", [part["row"]] if "row" in part else [])]
    found = (view.find_step(int(number)) for number in part.get("journal", ()))
    steps = sorted({step for step in found if step is not None})
    weight, is_gate = float(part.get("weight", 0)), bool(part.get("gate"))
    return Finding(name, kind, share, weight, is_gate, str(part.get("why", "")), rows, steps)
