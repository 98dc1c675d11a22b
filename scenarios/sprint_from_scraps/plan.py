"""What a sprint holds by the rules: who is away, what counts as promised, what must wait, and which ones fit."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from world.core.rng import Stream

TICKETS: tuple[str, ...] = (
    "held",
    "taken",
    "late",
    "claimed",
    "blocked",
    "free",
    "twin",
    "first",
    "raised",
    "guessed",
    "said",
    "pushed",
)
"""Tickets by what is said of them."""
ENGINEERS: tuple[str, ...] = ("e1", "e2", "e3", "e4", "e5")
DAYS = 10  # working days of the sprint
SIZES = (2, 3, 5, 8)
TRIES = 20_000


@dataclass(frozen=True)
class View:
    """What is known at a time: days away, points, what is promised, and what must stay out."""

    away: Mapping[str, int]
    points: Mapping[str, int]
    promised: frozenset[str]
    out: frozenset[str]


@dataclass(frozen=True)
class Case:
    """A draw: the order of the list, points per day, and what is known at the three times."""

    order: tuple[str, ...]
    rates: Mapping[str, float]
    guess: int
    views: tuple[View, View, View]

    @property
    def plans(self) -> list[list[str]]:
        """What the sprint holds at the three times."""
        return [choose(self, one) for one in self.views]


def choose(case: Case, view: View) -> list[str]:
    """Take what fits: first what is promised, then the rest, each from the top of the list."""
    left = sum(rate * (DAYS - view.away[who]) for who, rate in case.rates.items())
    found: list[str] = []
    for name in sorted(case.order, key=lambda one: one not in view.promised):
        if name not in view.out and view.points[name] <= left:
            found.append(name)
            left -= view.points[name]
    return found


def draw_case(draws: Stream, *, promised: bool) -> Case:
    """Draw until each piece of news changes the plan, and each usual mistake would be seen in one of the plans."""
    for _ in range(TRIES):
        case = _draw(draws, promised=promised)
        if _tells_apart(case):
            return case
    raise LookupError(f"no plan in {TRIES} draws tells mistakes apart")


def _draw(draws: Stream, *, promised: bool) -> Case:
    points = {name: draws.choice(SIZES) for name in TICKETS} | {"raised": draws.choice(SIZES[:2]), "pushed": 8}
    away = {"e1": 2, "e2": 1, "e3": 5, "e4": 1, "e5": 0}
    known = frozenset[str](["held", "taken", *(["claimed"] if promised else [])])
    first = View(away, points, known, frozenset({"twin", "blocked"}))
    second = replace(first, away={**away, "e2": 1 + draws.integer(3, 5)}, promised=known - frozenset(["taken"]))
    third = View(
        {**second.away, "e3": 0},
        {**points, "raised": draws.choice(SIZES[2:])},
        frozenset([*second.promised, "late"]),
        frozenset({"twin"}),
    )
    rates = dict(zip(ENGINEERS, draws.shuffled((0.5, 0.5, 1.0, 1.0, 1.0)), strict=True))
    guess = draws.choice([one for one in SIZES if one != points["guessed"]])
    return Case(tuple(draws.shuffled(TICKETS)), rates, guess, (first, second, third))


def _tells_apart(case: Case) -> bool:
    """Whether the three plans differ, hold all that is promised and not what is pressed for, and show each mistake."""
    right = [set(one) for one in case.plans]
    if right[0] == right[1] or right[1] == right[2] or any("pushed" in one for one in right):
        return False
    if any(view.promised - plan for view, plan in zip(case.views, right, strict=True)):
        return False
    return all([set(choose(case, one)) for one in wrong] != right for wrong in _list_mistakes(case))


def _list_mistakes(case: Case) -> Iterator[Iterable[View]]:
    """What somebody would go by who misses or believes too much, one mistake at a time."""
    claimed = "claimed" in case.views[0].promised
    mistakes: tuple[Callable[[View], View], ...] = (
        lambda one: replace(one, away={**one.away, "e1": 0}),
        lambda one: replace(one, away={**one.away, "e2": 1}),
        lambda one: replace(one, away={**one.away, "e3": 5}),
        lambda one: replace(one, away={**one.away, "e4": 5}),
        lambda one: replace(one, away={**one.away, "e5": 2}),
        lambda one: replace(one, points={**one.points, "guessed": case.guess}),
        lambda one: replace(one, points={**one.points, "raised": case.views[0].points["raised"]}),
        lambda one: replace(one, promised=one.promised ^ {"claimed"} if claimed else one.promised | {"claimed"}),
        lambda one: replace(one, promised=one.promised | {"taken"}),
        lambda one: replace(one, promised=one.promised - {"late"}),
        lambda one: replace(one, out=one.out - {"blocked"}),
        lambda one: replace(one, out=one.out | {"blocked"}),
        lambda one: replace(one, out=one.out | {"free"}),
        lambda one: replace(one, out=one.out - {"twin"}),
    )
    for mistake in mistakes:
        yield [mistake(one) for one in case.views]
