"""The time line of a run: who did what when, in lanes over simulated time, as shapes for a picture 1,000 wide."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from world.core.clock import iso
from world.studio.run_names import UNNAMED, Names
from world.studio.run_view import Meanwhile, RunView, StepSummary

WIDTH = 1000.0
BUCKETS = 400  # marks of one lane at most, however many steps a run has
TICKS = 6
LANES = ("agent", "colleagues", "machines", "faults")
START, END = ".start", ".end"  # of the events that switch a fault on and off


@dataclass(frozen=True, slots=True)
class Mark:
    """Something in a lane at a simulated time (us) that a step shows. `ends` is set for what lasts."""

    lane: str
    at: int
    step: int
    title: str
    is_bad: bool = False
    ends: int | None = None


@dataclass(slots=True)
class Shape:
    """Marks of one lane that fall together in the picture."""

    x: float
    width: float
    step: int
    title: str
    is_bad: bool
    count: int = 1


@dataclass(frozen=True, slots=True)
class TimeLine:
    """Lanes with their shapes, and times along the axis. `begins` and `ends` are simulated us."""

    begins: int
    ends: int
    lanes: Mapping[str, Sequence[Shape]]
    ticks: Sequence[str] = field(default_factory=list[str])

    def x(self, at: int) -> float:
        """The place of a simulated time."""
        return round(WIDTH * (min(max(at, self.begins), self.ends) - self.begins) / max(1, self.ends - self.begins), 2)


def draw_time_line(view: RunView, names: Names = UNNAMED) -> TimeLine:
    """The time line of the steps read so far."""
    begins, ends = find_span(view)
    empty = TimeLine(begins, ends, {})
    marks = list(list_marks(view, names))
    shapes = {lane: list(_merge(empty, [one for one in marks if one.lane == lane])) for lane in LANES}
    return TimeLine(begins, ends, shapes, [_label(begins + (ends - begins) * n // (TICKS - 1)) for n in range(TICKS)])


def find_span(view: RunView) -> tuple[int, int]:
    """The first and the last simulated moment of a run, in us."""
    begins = view.header.start or (view.steps[0].at if view.steps else 0)
    return begins, max(begins + 1, view.steps[-1].ended_at if view.steps else 0)


def list_marks(view: RunView, names: Names) -> Iterator[Mark]:
    """Everything that the lanes show, in the order of the steps; faults last."""
    faults = dict[str, tuple[int, int]]()
    _, last = find_span(view)
    for step in view.steps:
        yield Mark("agent", step.at, step.number, f"{step.number}: {step.title}", step.status != "ok", step.ended_at)
        for one in step.meanwhile:
            name = names.event(one.operation)
            if name.endswith(START):
                faults[name.removesuffix(START)] = (one.at, step.number)
            elif name.endswith(END) and (begun := faults.pop(name.removesuffix(END), None)):
                yield _fault(name.removesuffix(END), begun, one.at)
            elif one.operation != "advance":
                yield _describe(one, step, name, names)
    for name, begun in faults.items():
        yield _fault(name, begun, last)


def _describe(one: Meanwhile, step: StepSummary, name: str, names: Names) -> Mark:
    is_machine = one.actor.startswith("system:") or one.actor in names.machines
    title = name or f"{names.actor(one.actor)} {one.operation}"
    return Mark("machines" if is_machine else "colleagues", one.at, step.number, title, one.status != "ok")


def _fault(name: str, begun: tuple[int, int], ended: int) -> Mark:
    return Mark("faults", begun[0], begun[1], f"fault {name}", is_bad=True, ends=ended)


def _merge(line: TimeLine, marks: Iterable[Mark]) -> Iterator[Shape]:
    """Shapes from left to right; marks in one place of the picture become one."""
    found = dict[int, Shape]()
    for mark in marks:
        x = line.x(mark.at)
        width = max(WIDTH / BUCKETS, line.x(mark.ends) - x if mark.ends is not None else 0)
        shape = found.setdefault(int(x * BUCKETS / WIDTH), Shape(x, width, mark.step, mark.title, mark.is_bad, 0))
        shape.count += 1
        shape.width, shape.is_bad = max(shape.width, width), shape.is_bad or mark.is_bad
    yield from (found[place] for place in sorted(found))


def _label(at: int) -> str:
    return iso(at)[11:16]
