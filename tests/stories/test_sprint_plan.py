"""The plans of `sprint_from_scraps`: within what people bring, by the rules, and another one after each day's news."""

from itertools import pairwise

import pytest

from scenarios.sprint_from_scraps.plan import DAYS, Case, draw_case
from world.core.rng import Stream


@pytest.fixture(params=range(10))
def case(request: pytest.FixtureRequest) -> Case:
    return draw_case(Stream(request.param, "plan"), promised=bool(request.param % 2))


def test_each_day_changes_what_is_in_the_sprint(case: Case) -> None:
    assert all(set(one) != set(other) for one, other in pairwise(case.plans))


def test_a_plan_fits_and_nothing_else_would(case: Case) -> None:
    for view, plan in zip(case.views, case.plans, strict=True):
        room = sum(rate * (DAYS - view.away[who]) for who, rate in case.rates.items())
        left = room - sum(view.points[one] for one in plan)
        assert left >= 0
        assert all(view.points[one] > left for one in case.order if one not in plan and one not in view.out)


def test_a_plan_holds_what_is_promised_and_nothing_that_waits(case: Case) -> None:
    for view, plan in zip(case.views, case.plans, strict=True):
        assert view.promised <= set(plan)
        assert not view.out & set(plan)
