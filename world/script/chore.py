"""Chores: small tasks in one file each, drawn from the company's own data.

A chore's file defines `chore = Chore(...)` and five functions: `draw(d)` chooses people and objects at the world's first
moment, plants what is missing through people's own operations, and returns the facts of the task; `deliver(w, truth)` delivers
the request; `solution(scene)` does the work; `rubric(truth)` returns what must change; `script(s)`, which may be left out,
adds later events and coworkers.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, TypedDict, TypeVar, cast

from world.core.rng import Stream
from world.core.rows import PersonRow
from world.script.errors import ScenarioError
from world.script.scenario import Script
from world.script.stage import Facts, Stage

T = TypeVar("T")
Item = Mapping[str, object]  # an item of a rubric, a ref or a text predicate, as a rubric's YAML would hold it
PARTS = ("chore", "draw", "deliver", "solution", "rubric")
SPLITS = ("train", "dev", "test")
LEVELS = ("easy", "medium", "hard")
TASK = """\
You are {me.full_name} ({me.email}), {me.title} at {company.name}. It is {now}.

{truth.asker_name} ({truth.asker_title}) wrote to you just now, {request.where}:

{request.quoted}

Do what is asked as a careful colleague would, and nothing else. When it is done, or if it should not be done, answer in the same place.
Then finish."""


@dataclass(frozen=True, slots=True)
class Chore:
    """Card of a chore. `calls` is the least and the most calls that a good solution takes.

    `knobs` maps a name to its values at the difficulties easy, medium and hard. `traps` maps a trap's name to what a hasty,
    literal or forgetful worker does there. `split` says which runs may use it: `train`, `dev` or `test`. `demands` tells
    whom the agent can be: nearly anybody (0), people of one trade (1), few of them (2), few with much of their work (3). On
    a composed day the chore that demands most chooses.
    """

    title: str
    apps: tuple[str, ...]
    calls: tuple[int, int]
    demands: int = 0
    split: str = "train"
    knobs: Mapping[str, tuple[Any, Any, Any]] = field(default_factory=dict[str, tuple[Any, Any, Any]])
    traps: Mapping[str, str] = field(default_factory=dict[str, str])
    horizon: str = "4h"
    start: str = "5h"
    size: str = "S"
    max_calls: int = 200
    minutes: int = 5
    difficulty: str = "medium"
    needs: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.split not in SPLITS:
            raise ScenarioError(f"split {self.split!r} is none of {', '.join(SPLITS)}")

    @property
    def difficulties(self) -> tuple[str, ...]:
        """The difficulties a run may choose: one without knobs."""
        return LEVELS if self.knobs else (self.difficulty,)


class ItemOptions(TypedDict, total=False):
    """What a function that makes an item may be told beside the change: keys of the item."""

    weight: float
    gate: bool
    after: str


class RubricParts(TypedDict, total=False):
    """The keys of a rubric that it may leave out."""

    one_of: Sequence[Sequence[object]]
    allow: Sequence[Item]
    never: Sequence[Item]
    answer: Item
    python: Sequence[Item]
    judge: Sequence[Item]
    score: Item


class RubricSource(RubricParts):
    """A rubric before it is checked, as its YAML would hold it; `world.grading.schema.RubricFile` checks it."""

    version: Literal[1]
    world: Literal["closed"]
    refs: Mapping[str, Item]
    expect: Sequence[Item]


@dataclass(frozen=True, slots=True)
class ChoreParts:
    """Functions of a chore's file that become events of its script."""

    draw: Callable[["Draw"], Facts]
    deliver: Callable[[Stage, Facts], None]
    script: Callable[[Script], None] | None = None


class HasId(Protocol):
    """A person of the directory."""

    @property
    def id(self) -> str:
        """The directory id."""
        ...


@dataclass(frozen=True, slots=True)
class Given:
    """What earlier chores of a composed day have settled: the agent's employee, and what is taken by name.

    Without an agent yet, it is nobody of `barred`, by id. `taken` holds ids of people and rows, keys of tickets, and places
    of requests as `office.requests` names them. `attempt` counts the draws before that shared a ticket with an earlier chore.
    `asked_at` is when the request will come (us).
    """

    agent: str = ""
    barred: frozenset[str] = frozenset()
    taken: frozenset[str] = frozenset()
    attempt: int = 0
    asked_at: int = 0


class Draw:
    """Choices of one draw. The same seed gives the same choices; `w` is the stage they are made on.

    In a composed day (`given`), nobody but the agent's choice may be the agent, and what is taken comes last.
    """

    def __init__(self, chore: Chore, stage: Stage, level: str, given: Given | None = None) -> None:
        self.chore, self.w, self.level = chore, stage, level
        self.given = given or Given()

    def stream(self, *purpose: str | int) -> Stream:
        """Return a random stream of its own for one purpose."""
        again = ("again", self.given.attempt) if self.given.attempt else ()
        return self.w.rng("draw", *again, *purpose)

    def knob(self, name: str) -> Any:
        """Return the value of a knob at the run's difficulty. Raises ScenarioError for an unknown knob."""
        if name not in self.chore.knobs:
            raise ScenarioError(f"no knob {name!r}; the chore has {', '.join(self.chore.knobs) or 'none'}")
        return self.chore.knobs[name][LEVELS.index(self.level)]

    def pick(self, items: Sequence[T], what: str, *, me: bool = False) -> T:
        """Choose one item; with `me` it is the agent's employee. Raises ScenarioError naming `what` if there is none."""
        if not items:
            raise ScenarioError(f"the company has no {what} to draw from")
        if me and self._settle_agent(items, what):
            return self._find_agent(items[0])
        return self.stream("pick", what).choice(self._prefer_free(items, 1) or items)

    def sample(self, items: Sequence[T], count: int, what: str, *, me: int | None = None) -> list[T]:
        """Choose several different items, in random order; the one at `me` is the agent's employee.

        Raises ScenarioError naming `what` if there are too few.
        """
        if len(items) < count:
            raise ScenarioError(f"the company has {len(items)} {what}, {count} are needed")
        if me is not None and self._settle_agent(items, what):
            others = self.sample(self._prefer_free(items, count - 1), count - 1, what)
            return [*others[:me], self._find_agent(items[0]), *others[me:]]
        return self.stream("sample", what).shuffled(self._prefer_free(items, count))[:count]

    @property
    def asked_at(self) -> int:
        """When the request comes, us: at the moment of the draw, or later on a composed day."""
        return self.given.asked_at or self.w.now

    def list_agents(self, people: Sequence[str]) -> Sequence[str]:
        """Those of the people, by id, of whom the agent may play one."""
        return [self.given.agent] if self.given.agent else [one for one in people if one not in self.given.barred]

    def is_taken(self, name: str) -> bool:
        """Whether an earlier chore of the day has taken a row, a person or a place."""
        return name in self.given.taken

    def _settle_agent(self, items: Sequence[object], what: str) -> bool:
        """Whether a day has its agent; the first chore of it chooses one among its candidates."""
        if self.given.barred and not self.given.agent:
            able = [name for one in items for name in _list_names(one)[:1] if name not in self.given.barred]
            able = able or [_list_names(one)[0] for one in items]
            self.given = replace(self.given, agent=self.stream("agent", what).choice(able))
        return bool(self.given.agent)

    def _find_agent(self, like: T) -> T:
        """The day's agent in the form of the candidates: id, row or person."""
        agent = self.given.agent
        found: object = agent if isinstance(like, str) else self.w.person(agent)
        return cast(T, self.w.find("person", id=agent) if isinstance(like, Mapping) else found)

    def _prefer_free(self, items: Sequence[T], count: int) -> Sequence[T]:
        """The items that are free, if they are enough; never the day's agent, unless nothing else is left."""
        if not self.given.agent:
            return items
        others = [one for one in items if self.given.agent not in _list_names(one)]
        free = [one for one in others if self.given.taken.isdisjoint(_list_names(one))]
        return next((some for some in (free, others) if len(some) >= count), items)

    def chance(self, share: float, what: str) -> bool:
        """Return true in a share of the draws."""
        return self.stream("chance", what).random() < share

    def people(self, **where: object) -> list[PersonRow]:
        """The active employees who are not absent when the request comes and whose columns equal the given values, by id."""
        away = {one["person_id"] for one in self.w.rows("absence") if one["start_at"] <= self.asked_at < one["end_at"]}
        found = self.w.rows("person", kind="employee", status="active", **where)
        return [cast(PersonRow, one) for one in found if one["id"] not in away]

    def choose_wording(self, texts: Sequence[str], **slots: object) -> str:
        """Choose one wording of the request and fill its slots."""
        return self.pick(texts, "wording").format(**slots)


def _list_names(item: object) -> list[str]:
    """The names by which an item may be taken: itself, its id, its key."""
    if isinstance(item, str):
        return [item]
    if isinstance(item, tuple):
        return [one for one in cast(tuple[object, ...], item) if isinstance(one, str)]
    if isinstance(item, Mapping):
        row = cast(Mapping[str, object], item)
        return [str(row[name]) for name in ("id", "key") if name in row]
    return [str(getattr(item, "id", ""))]


def tell_chore(chore: Chore, parts: ChoreParts, script: Script) -> None:
    """Write a chore's script: the draw, the request, then what the chore adds."""
    script.at("+0s", lambda w: note_draw(parts, Draw(chore, w, script.difficulty)), name="truth")
    script.at("+0s", lambda w: parts.deliver(w, dict(find_truth(w))), name="request")
    if parts.script is not None:
        parts.script(script)


def note_draw(parts: ChoreParts, d: Draw) -> None:
    """Draw, and leave the facts of the task. Raises ScenarioError when the draw names no agent or nobody who asks."""
    truth = parts.draw(d)
    for name in ("me", "asker"):
        if name not in truth:
            raise ScenarioError(f"draw must return {name!r}: a directory id")
    asker = d.w.person(str(truth["asker"]))
    d.w.note(asker_name=asker.full_name, asker_title=asker.title, **truth)


def find_truth(stage: Stage) -> Facts:
    """The facts of the draw, which the event `truth` has left. Raises ScenarioError before it."""
    found = stage.fired("truth")
    if found is None:
        raise ScenarioError("the draw has left nothing")
    return found.facts
